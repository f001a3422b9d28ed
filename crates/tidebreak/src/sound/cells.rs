//! Cell by cell: whether the rules could have written it.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use crate::orders::{HEADS, Order};
use crate::setup::Setup;
use crate::state::{Beliefs, Fate, Mount, NOBODY, Ships, Squadron, State, TRACKS};

use super::Checked;

/// More than anything is counted to in a battle, and far from where a count would wrap round.
const COUNT_MAX: u32 = 1 << 30;
/// A layer nobody knows, and a row of nothing.
const NONE: u8 = u8::MAX;
const SHARE: RangeInclusive<f32> = 0.0..=1.0;
/// A little more than a turn of the helm, for what rounding leaves.
const LEVER: RangeInclusive<f32> = -1.1..=1.1;
/// The same for half a turn and for the sea, which storms stir up by shares.
const HEADING: RangeInclusive<f32> = -3.2..=3.2;
const SEA: RangeInclusive<f32> = 0.0..=9.1;
const PRECIPITATION_MAX: u8 = 3;

/// Every table of a state whose columns are as long as they should be.
pub(super) fn check(setup: &Setup, state: &State) -> Checked {
    let sizes = Sizes {
        ships: state.ships.len(),
        teams: setup.package.teams.len(),
        weapons: setup.tables.weapons.weapons.len(),
        next_id: state.next_id,
    };
    whole(state)?;
    hulls(setup, &state.ships, &sizes)?;
    conditions(setup, &state.ships, &sizes)?;
    people(setup, &state.ships)?;
    mounts(setup, state)?;
    rounds(setup, state, &sizes)?;
    laid(state, &sizes)?;
    squadrons(setup, state, &sizes)?;
    tracks(setup, &state.beliefs)?;
    links(&state.beliefs, &sizes)?;
    passing(state, &sizes)?;
    each("orders", &state.orders, |_, order| is_order(order))
}

/// What rows lead into.
struct Sizes {
    ships: usize,
    teams: usize,
    weapons: usize,
    next_id: u32,
}

impl Sizes {
    fn is_ship(&self, row: u32) -> bool {
        (row as usize) < self.ships
    }

    fn is_team(&self, row: u8) -> bool {
        usize::from(row) < self.teams
    }

    /// Ids rise, and none was given out that is still to come.
    fn ids(&self, name: &str, ids: &[u32]) -> Checked {
        each(name, ids, |row, &id| id < self.next_id && (row == 0 || ids[row - 1] < id))
    }
}

/// Refuse the first cell that is not sound.
fn each<T: Debug>(name: &str, cells: &[T], sound: impl Fn(usize, &T) -> bool) -> Checked {
    match cells.iter().enumerate().find(|&(row, cell)| !sound(row, cell)) {
        Some((row, cell)) => Err(format!("{name} of row {row} is {cell:?}")),
        None => Ok(()),
    }
}

/// Refuse the first figure out of a range.
fn within(name: &str, cells: &[f32], range: &RangeInclusive<f32>) -> Checked {
    each(name, cells, |_, cell| range.contains(cell))
}

/// Refuse the first number above the greatest there is.
fn up_to(name: &str, cells: &[u8], most: u8) -> Checked {
    each(name, cells, |_, &cell| cell <= most)
}

/// What stands in no table.
fn whole(state: &State) -> Checked {
    let sky = &state.sky;
    let tally = &state.tally;
    let counts = [tally.shots, tally.hits, tally.kills, tally.captures, tally.surrenders];
    let others = [tally.transitions, tally.botched, tally.collisions, tally.detections];
    each("tally", &[&counts[..], &others[..], &[tally.rejected_orders]].concat(), counted)?;
    within("sky.sea_state", &[sky.sea_state], &SEA)?;
    within("sky.visibility_km", &[sky.visibility_km], &(0.0..=20.1))?;
    within("sky.wind", &sky.wind, &(-1e3..=1e3))?;
    within("sky.lightning", &[sky.lightning], &SHARE)?;
    up_to("sky.rain", &[sky.rain], PRECIPITATION_MAX)?;
    let least = state.ships.len() + state.squadrons.len();
    each("next_id", &[state.next_id], |_, &id| id as usize >= least && id < COUNT_MAX)?;
    each("dealt_by_nature", &[state.dealt_by_nature], |_, dealt| (0.0..=1e12).contains(dealt))
}

fn counted(_: usize, count: &u32) -> bool {
    *count < COUNT_MAX
}

/// Where hulls are and how they move.
fn hulls(setup: &Setup, ships: &Ships, sizes: &Sizes) -> Checked {
    each("ships.team", &ships.team, |row, &team| team == setup.teams[row])?;
    each("ships.hull", &ships.hull, |row, &hull| hull == setup.hulls[row].id)?;
    each("ships.holder", &ships.holder, |_, &team| sizes.is_team(team))?;
    up_to("ships.fate", &ships.fate, Fate::Exited as u8)?;
    within("ships.heading", &ships.heading, &HEADING)?;
    each("ships.bow", &ships.bow, |_, &(x, y)| (0.5..=2.0).contains(&(x * x + y * y)))?;
    within("ships.throttle", &ships.throttle, &LEVER)?;
    within("ships.rudder", &ships.rudder, &LEVER)?;
    up_to("ships.layer", &ships.layer, 2)?;
    up_to("ships.layer_next", &ships.layer_next, 2)?;
    within("ships.transition_spent", &ships.transition_spent, &(0.0..=1e4))?;
    within("ships.transition_length", &ships.transition_length, &(0.0..=1e4))?;
    up_to("ships.emission", &ships.emission, 2)?;
    up_to("ships.repair", &ships.repair, 3)?;
    each("ships.target_slot", &ships.target_slot, |_, &row| {
        row == NONE || usize::from(row) < TRACKS
    })
}

/// What state hulls are in, and what lies over them.
fn conditions(setup: &Setup, ships: &Ships, sizes: &Sizes) -> Checked {
    let shares = |cells: &[f32]| cells.iter().all(|cell| SHARE.contains(cell));
    each("ships.hp", &ships.hp, |row, hp| (0.0..=setup.hulls[row].hp).contains(hp))?;
    each("ships.parts", &ships.parts, |_, parts| shares(parts))?;
    each("ships.output", &ships.output, |_, output| shares(output))?;
    within("ships.sea_state", &ships.sea_state, &SEA)?;
    within("ships.visibility_km", &ships.visibility_km, &(0.0..=20.1))?;
    up_to("ships.rain", &ships.rain, PRECIPITATION_MAX)?;
    within("ships.lightning", &ships.lightning, &SHARE)?;
    each("ships.flags", &ships.flags, |_, &flags| flags < 1 << 10)?;
    each("ships.recent_damage", &ships.recent_damage, |_, of| of.iter().all(|&one| one >= 0.0))?;
    each("ships.fuel", &ships.fuel, |_, &fuel| fuel >= 0.0)?;
    each("ships.fuel_burned", &ships.fuel_burned, |_, &fuel| fuel >= 0.0)?;
    each("ships.decoys", &ships.decoys, |row, &decoys| {
        u32::from(decoys) <= setup.package.ships[row].decoys
    })?;
    each("ships.dealt", &ships.dealt, |_, &dealt| dealt >= 0.0)?;
    each("ships.taken", &ships.taken, |_, taken| taken.iter().all(|&one| one >= 0.0))?;
    each("ships.hits", &ships.hits, counted)?;
    each("ships.launched", &ships.launched, counted)?;
    each("ships.last_harmer", &ships.last_harmer, |_, &row| row == NOBODY || sizes.is_ship(row))
}

/// Nobody came aboard and nobody is unaccounted for.
fn people(setup: &Setup, ships: &Ships) -> Checked {
    let all = |people: &[u32; 4]| people.iter().map(|&count| u64::from(count)).sum::<u64>();
    let given = |row: usize| &setup.package.ships[row];
    each("ships.crew", &ships.crew, |row, people| {
        let crew = &given(row).crew;
        all(people) == u64::from(crew.fit) + u64::from(crew.wounded)
    })?;
    each("ships.marines", &ships.marines, |row, people| {
        all(people) == u64::from(given(row).crew.marines)
    })?;
    each("ships.passengers", &ships.passengers, |row, people| {
        all(people) == u64::from(given(row).passengers)
    })?;
    each("ships.casualty_rest", &ships.casualty_rest, |_, rest| {
        rest.iter().all(|one| SHARE.contains(one))
    })?;
    within("ships.morale", &ships.morale, &SHARE)?;
    within("ships.fatigue", &ships.fatigue, &SHARE)?;
    within("ships.gunnery", &ships.gunnery, &SHARE)?;
    within("ships.engineering", &ships.engineering, &SHARE)
}

/// Each ship has the mounts of its package, kinds side by side, and every round is somewhere.
fn mounts(setup: &Setup, state: &State) -> Checked {
    let (ships, mounts) = (&state.ships, &state.mounts);
    let mut first = 0;
    for (row, given) in setup.package.ships.iter().enumerate() {
        let own = first..first + given.weapons.len();
        if (ships.mount_first[row], ships.mount_count[row]) != (own.start as u32, own.len() as u32)
        {
            return Err(format!("the mounts of ship {row} are not where they should be"));
        }
        for at in own.clone() {
            let mount = mounts.row(at);
            let known = given.weapons.iter().any(|weapon| {
                let kind = setup.tables.weapon_named(&weapon.weapon).map(|kind| kind.id);
                weapon.slot == u32::from(mount.slot)
                    && kind == Some(mount.weapon)
                    && weapon.rounds_loaded == u32::from(mount.loaded)
            });
            let in_order = at == own.start || mounts.weapon[at - 1] <= mount.weapon;
            if mount.ship as usize != row || !known || !in_order || !balances(&mount) {
                return Err(format!("mount {at} is {mount:?}"));
            }
        }
        first = own.end;
    }
    // A ready mount may have a part of its second left, and one in poor repair waits for minutes.
    within("mounts.cooldown", &mounts.cooldown, &(-1.0..=1e5))?;
    within("mounts.condition", &mounts.condition, &SHARE)
}

fn balances(mount: &Mount) -> bool {
    let out = [mount.rounds, mount.fired, mount.lost].map(u32::from);
    out.iter().sum::<u32>() == u32::from(mount.loaded)
}

fn rounds(setup: &Setup, state: &State, sizes: &Sizes) -> Checked {
    let rounds = &state.rounds;
    sizes.ids("rounds.id", &rounds.id)?;
    each("rounds.shooter", &rounds.shooter, |_, &row| sizes.is_ship(row))?;
    each("rounds.serial", &rounds.serial, counted)?;
    each("rounds.team", &rounds.team, |_, &team| sizes.is_team(team))?;
    each("rounds.weapon", &rounds.weapon, |_, &kind| {
        // What does not fly takes no part in a second's way.
        usize::from(kind) < sizes.weapons && setup.tables.weapon(kind).speed > 0.0
    })?;
    up_to("rounds.layer", &rounds.layer, 3)?;
    up_to("rounds.at_layer", &rounds.at_layer, 3)
}

/// Decoys and mines.
fn laid(state: &State, sizes: &Sizes) -> Checked {
    let (decoys, mines) = (&state.decoys, &state.mines);
    for (name, ids, ships, teams, layers) in [
        ("decoys", &decoys.id, &decoys.ship, &decoys.team, &decoys.layer),
        ("mines", &mines.id, &mines.ship, &mines.team, &mines.layer),
    ] {
        sizes.ids(&format!("{name}.id"), ids)?;
        each(&format!("{name}.ship"), ships, |_, &row| sizes.is_ship(row))?;
        each(&format!("{name}.team"), teams, |_, &team| sizes.is_team(team))?;
        up_to(&format!("{name}.layer"), layers, 2)?;
    }
    Ok(())
}

/// Each carrier has the squadrons of its package, in their order.
fn squadrons(setup: &Setup, state: &State, sizes: &Sizes) -> Checked {
    let whole = setup.tables.squadrons.craft_hp;
    let mut given =
        setup.package.ships.iter().enumerate().flat_map(|(row, ship)| {
            ship.squadrons.iter().map(move |squadron| (row, squadron.craft))
        });
    for at in 0..state.squadrons.len() {
        let squadron = state.squadrons.row(at);
        let Squadron { id, carrier, deck, team, craft_in, .. } = squadron;
        let own = given.next().is_some_and(|(row, craft)| {
            carrier as usize == row && u32::from(craft_in) == craft && team == setup.teams[row]
        });
        let there = u32::from(squadron.craft) + u32::from(squadron.stranded);
        let sound = own
            && id as usize == sizes.ships + at
            && sizes.is_ship(deck)
            && there <= u32::from(craft_in)
            && squadron.armed <= craft_in
            && squadron.mission <= 3
            && squadron.stage <= 5
            // Below it a hit would bring down craft without end.
            && (0.0..=whole).contains(&squadron.hp)
            && HEADING.contains(&squadron.heading);
        if !sound {
            return Err(format!("squadron {at} is {squadron:?}"));
        }
    }
    Ok(())
}

fn is_layer(layer: u8) -> bool {
    layer < 3 || layer == NONE
}

/// What ships believe.
fn tracks(setup: &Setup, beliefs: &Beliefs) -> Checked {
    let tracks = &beliefs.tracks;
    let past = |_: usize, ticks: &u16| u32::from(*ticks) <= setup.time_limit;
    each("tracks.number", &tracks.number, counted)?;
    up_to("tracks.quality", &tracks.quality, 3)?;
    each("tracks.held", &tracks.held, past)?;
    each("tracks.age", &tracks.age, past)?;
    each("tracks.stale", &tracks.stale, past)?;
    each("tracks.layer", &tracks.layer, |_, &layer| is_layer(layer))?;
    up_to("tracks.size", &tracks.size, 5)?;
    up_to("tracks.iff", &tracks.iff, 4)?;
    each("beliefs.next_number", &beliefs.next_number, counted)
}

/// What ships told each other.
fn links(beliefs: &Beliefs, sizes: &Sizes) -> Checked {
    let links = &beliefs.links;
    each("links.from", &links.from, |_, &row| sizes.is_ship(row))?;
    each("links.team", &links.team, |_, &team| sizes.is_team(team))?;
    up_to("links.quality", &links.quality, 3)?;
    each("links.layer", &links.layer, |_, &layer| is_layer(layer))?;
    up_to("links.size", &links.size, 5)?;
    up_to("links.iff", &links.iff, 4)?;
    up_to("links.tier", &links.tier, 3)
}

/// What passes: storms, changes of figures, marks that wait to be stamped.
fn passing(state: &State, sizes: &Sizes) -> Checked {
    let (storms, changes, marks) = (&state.storms, &state.modifiers, &state.marks);
    each("storms.radius", &storms.radius, |_, &radius| radius > 0.0)?;
    within("storms.intensity", &storms.intensity, &SHARE)?;
    up_to("storms.profile", &storms.profile, 2)?;
    each("modifiers.target", &changes.target, |row, &ship| {
        sizes.is_ship(ship) && (row == 0 || changes.target[row - 1] <= ship)
    })?;
    up_to("modifiers.stat", &changes.stat, 0)?;
    up_to("modifiers.op", &changes.op, 2)?;
    each("marks.source", &marks.source, |_, &row| sizes.is_ship(row))?;
    up_to("marks.kind", &marks.kind, 2)?;
    up_to("marks.layer", &marks.layer, 2)?;
    within("marks.radius", &marks.radius, &(0.0..=1e5))?;
    within("marks.strength", &marks.strength, &SHARE)
}

fn is_order(order: &Order) -> bool {
    let choices = [
        (2, order.target),
        (7, order.layer()),
        (8, order.emission()),
        (9, order.utility),
        (10, order.damage_control),
    ];
    order.fire < 16 && choices.iter().all(|&(head, choice)| u32::from(choice) < HEADS[head])
}
