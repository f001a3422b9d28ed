//! A result is collected from the state; nothing in it is guessed.

use std::collections::BTreeMap;

use super::reports::{damage_report, megaship_report};
use super::{
    Ammo, BUILD_ID, BattleResult, Breach, CAUSES, CaptureMethod, Cargo, Damage, DecoyCount,
    EndedBy, EventSummary, FinalState, Fuel, Ledger, People, ReplayEntry, ShipFate, ShipOutcome,
    SquadronOutcome, TeamOutcome, check,
};
use crate::condition::stage;
use crate::package::{LAYERS, SCHEMA_MINOR, SCHEMA_VERSION, ShipSnapshot};
use crate::setup::{Aim, Setup};
use crate::state::{Cause, Fate, Squadrons, State};
use crate::tables::SizeClass;

/// What a result says about the replay of its battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayNote {
    /// Hash of all orders.
    pub orders_hash: u64,
    /// Hash of the state before the first tick.
    pub initial_hash: u64,
    /// Hash of the state now.
    pub final_hash: u64,
}

/// The result of a battle, its ledger checked. A battle that was begun anew under another seed is one
/// of another package, and its result is that package's.
///
/// # Errors
/// The conservation rule that the battle broke.
pub fn result_of(setup: &Setup, state: &State, replay: ReplayNote) -> Result<BattleResult, Breach> {
    if state.seed != setup.package.seed {
        let mut fought = setup.clone();
        fought.package.seed = state.seed;
        return result_of(&fought, state, replay);
    }
    let package = &setup.package;
    let ships: Vec<ShipOutcome> =
        (0..package.ships.len()).map(|row| ship_outcome(setup, state, row)).collect();
    let winner = package.teams.get(usize::from(state.outcome.winner));
    let result = BattleResult {
        schema_version: SCHEMA_VERSION.to_owned(),
        schema_minor: SCHEMA_MINOR,
        battle_id: package.battle_id.clone(),
        package_hash: format!("{:016x}", package.hash()),
        table_hashes: setup.tables.hashes_in_words(),
        seed: state.seed,
        policy_seed: package.policy_seed,
        build_id: BUILD_ID.to_owned(),
        winner_team_id: winner.map(|team| team.team_id.clone()),
        ended_by: match state.outcome.ended_by {
            0 => EndedBy::Running,
            1 => EndedBy::Annihilation,
            2 => EndedBy::Objective,
            _ => EndedBy::TimeLimit,
        },
        duration_s: state.tick,
        teams: team_outcomes(setup, state, &ships),
        event_summary: event_summary(state),
        ledger: ledger(setup, state),
        replay: ReplayEntry {
            seed: state.seed,
            format: crate::replay::FORMAT,
            orders_ref: None,
            orders_hash: format!("{:016x}", replay.orders_hash),
            initial_hash: format!("{:016x}", replay.initial_hash),
            final_hash: format!("{:016x}", replay.final_hash),
        },
        boarding_outcomes: Vec::new(),
        megaship_reports: (0..ships.len())
            .filter(|&row| setup.hulls[row].size == SizeClass::XL)
            .map(|row| megaship_report(setup, state, row))
            .collect(),
        ships,
    };
    check(&result, package)?;
    Ok(result)
}

fn fate_of(fate: u8) -> (ShipFate, Option<CaptureMethod>) {
    match fate {
        f if f == Fate::Disabled as u8 => (ShipFate::Disabled, None),
        f if f == Fate::Destroyed as u8 => (ShipFate::Destroyed, None),
        f if f == Fate::Scuttled as u8 => (ShipFate::Scuttled, None),
        f if f == Fate::Surrendered as u8 => (ShipFate::Captured, Some(CaptureMethod::Surrendered)),
        f if f == Fate::Captured as u8 => (ShipFate::Captured, Some(CaptureMethod::Boarded)),
        _ => (ShipFate::Operational, None),
    }
}

/// Where what is still aboard at the end belongs: to the ship, to nobody, to a captor.
enum Aboard {
    Kept,
    Lost,
    Seized,
}

fn aboard(fate: ShipFate) -> Aboard {
    match fate {
        ShipFate::Operational | ShipFate::Disabled => Aboard::Kept,
        ShipFate::Destroyed | ShipFate::Scuttled => Aboard::Lost,
        ShipFate::Captured => Aboard::Seized,
    }
}

fn ship_outcome(setup: &Setup, state: &State, row: usize) -> ShipOutcome {
    let (given, ships) = (&setup.package.ships[row], &state.ships);
    let (fate, capture_method) = fate_of(ships.fate[row]);
    let holder = setup.package.teams.get(usize::from(ships.holder[row]));
    let layer = LAYERS.get(usize::from(ships.layer[row])).copied().unwrap_or(LAYERS[0]);
    ShipOutcome {
        ship_id: given.ship_id.clone(),
        team_id_initial: given.team_id.clone(),
        team_id_final: holder.map_or_else(|| given.team_id.clone(), |team| team.team_id.clone()),
        fate,
        capture_method,
        final_state: FinalState {
            x: ships.x[row],
            y: ships.y[row],
            heading: ships.heading[row],
            speed: ships.surge[row],
            layer: layer.to_owned(),
            hp: ships.hp[row],
        },
        final_morale: ships.morale[row],
        crew: people(ships.crew[row]),
        marines: people(ships.marines[row]),
        passengers: people(ships.passengers[row]),
        ammo: ammo(state, row, fate),
        decoys: decoys(given, u32::from(ships.decoys[row]), fate),
        fuel: fuel(given, ships.fuel[row], ships.fuel_burned[row], fate),
        cargo: cargo(setup, state, row, fate),
        squadrons: squadrons(given, state, row),
        damage: Damage {
            dealt: ships.dealt[row],
            taken_by_cause: CAUSES
                .iter()
                .zip(ships.taken[row])
                .filter(|(_, taken)| *taken != 0.0)
                .map(|(cause, taken)| ((*cause).to_owned(), taken))
                .collect(),
        },
        damage_report: damage_report(setup, state, row),
        salvage_value: salvage(setup, row, fate),
        objective_outcome: setup.goals[row]
            .as_ref()
            .map(|_| objective_outcome(state, row).to_owned()),
    }
}

fn people([fit, wounded, killed, captured]: [u32; 4]) -> People {
    People { fit, wounded, killed, captured, transferred_in: 0, transferred_out: 0 }
}

fn ammo(state: &State, row: usize, fate: ShipFate) -> Vec<Ammo> {
    let first = state.ships.mount_first[row] as usize;
    let mounts = first..first + state.ships.mount_count[row] as usize;
    let mut told: Vec<Ammo> = mounts
        .map(|at| {
            let mount = state.mounts.row(at);
            let rounds = u32::from(mount.rounds);
            let (mut remaining, mut lost, mut seized) = (rounds, u32::from(mount.lost), 0);
            match aboard(fate) {
                Aboard::Kept => {}
                Aboard::Lost => (remaining, lost) = (0, lost + rounds),
                Aboard::Seized => (remaining, seized) = (0, rounds),
            }
            Ammo {
                slot: u32::from(mount.slot),
                loaded_in: u32::from(mount.loaded),
                remaining,
                fired: u32::from(mount.fired),
                lost,
                seized,
            }
        })
        .collect();
    // The battle keeps mounts by weapon, the package by slot.
    told.sort_unstable_by_key(|ammo| ammo.slot);
    told
}

fn decoys(given: &ShipSnapshot, left: u32, fate: ShipFate) -> DecoyCount {
    let gone = matches!(aboard(fate), Aboard::Lost);
    DecoyCount {
        given: given.decoys,
        used: given.decoys.saturating_sub(left),
        remaining: if gone { 0 } else { left },
        lost: if gone { left } else { 0 },
    }
}

fn fuel(given: &ShipSnapshot, left: f64, burned: f64, fate: ShipFate) -> Fuel {
    let (mut remaining, mut lost, mut seized) = (0.0, 0.0, 0.0);
    match aboard(fate) {
        Aboard::Kept => remaining = left,
        Aboard::Lost => lost = left,
        Aboard::Seized => seized = left,
    }
    Fuel { given: given.fuel_t, burned, remaining, lost, seized }
}

fn cargo(setup: &Setup, state: &State, row: usize, fate: ShipFate) -> BTreeMap<String, Cargo> {
    let delivers = setup.goals[row].as_ref().is_some_and(|goal| goal.aim == Aim::Deliver);
    let delivered = delivers && state.ships.fate[row] == Fate::Exited as u8;
    let one = |amount: f64| {
        let mut cargo =
            Cargo { given: amount, remaining: 0.0, delivered: 0.0, lost: 0.0, seized: 0.0 };
        match aboard(fate) {
            _ if delivered => cargo.delivered = amount,
            Aboard::Kept => cargo.remaining = amount,
            Aboard::Lost => cargo.lost = amount,
            Aboard::Seized => cargo.seized = amount,
        }
        cargo
    };
    let goods = &setup.package.ships[row].cargo;
    goods.iter().map(|(name, amount)| (name.clone(), one(*amount))).collect()
}

fn squadrons(given: &ShipSnapshot, state: &State, row: usize) -> Vec<SquadronOutcome> {
    let table = &state.squadrons;
    let mine = (0..table.len()).filter(|&at| table.carrier[at] as usize == row);
    given
        .squadrons
        .iter()
        .zip(mine)
        .map(|(squadron, at)| {
            let (craft, given) = (u32::from(table.craft[at]), u32::from(table.craft_in[at]));
            let mut stranded = u32::from(table.stranded[at]);
            let flies = Squadrons::flies(table.stage[at]);
            let mut aboard = if table.stage[at] == stage::GONE { 0 } else { craft };
            // Those who found another deck share its fate, not that of the one they came with.
            if state.ships.sunk(table.deck[at] as usize) {
                stranded += if flies { aboard } else { 0 };
                aboard = 0;
            }
            let lost = given.saturating_sub(aboard + stranded);
            SquadronOutcome { id: squadron.squadron_id.clone(), given, aboard, stranded, lost }
        })
        .collect()
}

fn salvage(setup: &Setup, row: usize, fate: ShipFate) -> f64 {
    let (cost, figures) = (f64::from(setup.hulls[row].build_cost), &setup.tables.damage.salvage);
    match fate {
        ShipFate::Disabled => cost * figures.disabled,
        ShipFate::Destroyed | ShipFate::Scuttled => cost * figures.destroyed,
        ShipFate::Operational | ShipFate::Captured => 0.0,
    }
}

fn objective_outcome(state: &State, row: usize) -> &'static str {
    match state.objectives[row][1] {
        met if met > 0.0 => "met",
        failed if failed < 0.0 => "failed",
        _ => "open",
    }
}

fn team_outcomes(setup: &Setup, state: &State, ships: &[ShipOutcome]) -> Vec<TeamOutcome> {
    let figures = &setup.tables.crew.battle_morale;
    let teams = setup.package.teams.len();
    let (mut value, mut lost) = (vec![0.0; teams], vec![0.0; teams]);
    let (mut hulls, mut surrendered) = (vec![0_u32; teams], vec![0_u32; teams]);
    for (row, ship) in ships.iter().enumerate() {
        let (team, worth) = (usize::from(setup.teams[row]), f64::from(setup.values[row]));
        value[team] += worth;
        if ship.fate != ShipFate::Operational {
            lost[team] += worth;
            hulls[team] += 1;
        }
        surrendered[team] += u32::from(ship.capture_method == Some(CaptureMethod::Surrendered));
    }
    let share = |lost: f64, value: f64| if value > 0.0 { lost / value } else { 0.0 };
    let (all, all_lost): (f64, f64) = (value.iter().sum(), lost.iter().sum());
    let team = |team: usize| {
        let own = share(lost[team], value[team]);
        let enemy = share(all_lost - lost[team], all - value[team]);
        let won = usize::from(state.outcome.winner) == team;
        let decided = usize::from(state.outcome.winner) < teams;
        let outcome = match (won, decided) {
            (true, _) => figures.won,
            (false, true) => figures.lost,
            (false, false) => 0.0,
        };
        let delta = figures.per_enemy_share_lost * enemy
            + figures.per_own_share_lost * own
            + figures.per_surrender * f64::from(surrendered[team])
            + outcome;
        TeamOutcome {
            team_id: setup.package.teams[team].team_id.clone(),
            morale_delta: delta.clamp(figures.bounds[0], figures.bounds[1]),
            ships_lost: hulls[team],
            ships_surrendered: surrendered[team],
            value_lost: lost[team],
            decisive_victory: enemy >= figures.decisive_enemy_share
                && own <= figures.decisive_own_share,
        }
    };
    (0..teams).map(team).collect()
}

fn event_summary(state: &State) -> EventSummary {
    let tally = &state.tally;
    let hazards = [Cause::Collision, Cause::Terrain, Cause::Weather];
    let taken = |taken: &[f64; crate::state::CAUSES]| -> f64 {
        hazards.iter().map(|cause| taken[*cause as usize]).sum()
    };
    EventSummary {
        shots: tally.shots,
        hits: tally.hits,
        kills: tally.kills,
        captures: tally.captures,
        surrenders: tally.surrenders,
        transitions: tally.transitions,
        botched: tally.botched,
        collisions: tally.collisions,
        hazard_damage: state.ships.taken.iter().map(taken).sum(),
        detections: tally.detections,
        rejected_orders: tally.rejected_orders,
    }
}

fn ledger(setup: &Setup, state: &State) -> Ledger {
    let given = &setup.package.ships;
    let people = |ship: &ShipSnapshot| {
        let crew = &ship.crew;
        [crew.fit, crew.wounded, crew.marines, ship.passengers]
            .into_iter()
            .map(u64::from)
            .sum::<u64>()
    };
    let rounds = given.iter().flat_map(|ship| &ship.weapons);
    Ledger {
        people: given.iter().map(people).sum(),
        rounds: rounds.map(|mount| u64::from(mount.rounds_loaded)).sum(),
        fuel: given.iter().map(|ship| ship.fuel_t).sum(),
        dealt: state.ships.dealt.iter().sum(),
        dealt_by_nature: state.dealt_by_nature,
        taken: state.ships.taken.iter().flatten().sum(),
    }
}
