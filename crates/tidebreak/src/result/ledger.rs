//! The conservation of ships, people, rounds, stores, craft and damage.
//!
//! A result that breaks one of these rules is a fault of the simulation and is never returned.

use std::collections::BTreeMap;

use thiserror::Error;

use super::{BattleResult, People, ShipFate, ShipOutcome};
use crate::package::{BattlePackage, ShipSnapshot};

/// Sums of floats may differ by this share.
const TOLERANCE: f64 = 1e-9;

/// What must be conserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Ships out are ships in, with one fate each.
    K1,
    /// People, by ship and kind.
    K2,
    /// Rounds, by mount.
    K3,
    /// Fuel, cargo and decoys.
    K4,
    /// Craft.
    K5,
    /// Damage done is damage taken.
    K6,
    /// The result is of this battle, and within its time.
    K7,
}

/// A rule that a result breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{rule:?} is broken{}: {category}: {problem}", .ship.as_ref().map_or_else(String::new, |ship| format!(" by ship {ship}")))]
pub struct Breach {
    /// The rule.
    pub rule: Rule,
    /// The ship, if it is about one.
    pub ship: Option<String>,
    /// What kind of thing was not conserved, e.g. `crew` or `ammo slot 3`.
    pub category: String,
    /// The sums that disagree.
    pub problem: String,
}

type Checked = Result<(), Breach>;

/// Checks K1 to K7, in that order.
///
/// # Errors
/// The first rule that is broken.
pub fn check(result: &BattleResult, package: &BattlePackage) -> Checked {
    let pairs = check_ships(result, package)?;
    check_people(&pairs)?;
    for (given, outcome) in &pairs {
        check_rounds(given, outcome)?;
    }
    for (given, outcome) in &pairs {
        check_stores(given, outcome)?;
    }
    for (given, outcome) in &pairs {
        check_craft(given, outcome)?;
    }
    check_damage(result)?;
    check_echo(result, package)
}

fn breach(rule: Rule, ship: Option<&str>, category: &str, problem: String) -> Breach {
    Breach { rule, ship: ship.map(str::to_owned), category: category.to_owned(), problem }
}

type Pair<'a> = (&'a ShipSnapshot, &'a ShipOutcome);

fn check_ships<'a>(
    result: &'a BattleResult,
    package: &'a BattlePackage,
) -> Result<Vec<Pair<'a>>, Breach> {
    let mut outcomes = BTreeMap::new();
    for outcome in &result.ships {
        if outcomes.insert(outcome.ship_id.as_str(), outcome).is_some() {
            let problem = "it has two fates".to_owned();
            return Err(breach(Rule::K1, Some(&outcome.ship_id), "ships", problem));
        }
    }
    let mut pairs = Vec::with_capacity(package.ships.len());
    for given in &package.ships {
        let Some(outcome) = outcomes.remove(given.ship_id.as_str()) else {
            let problem = "it went in and did not come out".to_owned();
            return Err(breach(Rule::K1, Some(&given.ship_id), "ships", problem));
        };
        if outcome.team_id_initial != given.team_id {
            let problem =
                format!("it went in for {}, not {}", given.team_id, outcome.team_id_initial);
            return Err(breach(Rule::K1, Some(&given.ship_id), "ships", problem));
        }
        if (outcome.fate == ShipFate::Captured) != outcome.capture_method.is_some() {
            let problem = "a capture, and only a capture, has a method".to_owned();
            return Err(breach(Rule::K1, Some(&given.ship_id), "fate", problem));
        }
        pairs.push((given, outcome));
    }
    outcomes.keys().next().map_or(Ok(pairs), |ship| {
        Err(breach(Rule::K1, Some(ship), "ships", "it came out and never went in".to_owned()))
    })
}

fn check_people(pairs: &[Pair<'_>]) -> Checked {
    let (mut came, mut went) = (0, 0);
    for (given, outcome) in pairs {
        let crew = &given.crew;
        let kinds = [
            ("crew", u64::from(crew.fit) + u64::from(crew.wounded), &outcome.crew),
            ("marines", u64::from(crew.marines), &outcome.marines),
            ("passengers", u64::from(given.passengers), &outcome.passengers),
        ];
        for (kind, before, after) in kinds {
            let (left, right) = (before + u64::from(after.transferred_in), aboard_or_gone(after));
            if left != right {
                let problem = format!("{left} in, {right} accounted for");
                return Err(breach(Rule::K2, Some(&given.ship_id), kind, problem));
            }
            came += u64::from(after.transferred_in);
            went += u64::from(after.transferred_out);
        }
    }
    if came != went {
        let problem = format!("{went} left a ship, {came} came aboard one");
        return Err(breach(Rule::K2, None, "transfers", problem));
    }
    Ok(())
}

fn aboard_or_gone(people: &People) -> u64 {
    [people.fit, people.wounded, people.killed, people.captured, people.transferred_out]
        .into_iter()
        .map(u64::from)
        .sum()
}

fn gone(fate: ShipFate) -> bool {
    matches!(fate, ShipFate::Destroyed | ShipFate::Scuttled)
}

fn magazine_dead(outcome: &ShipOutcome) -> bool {
    let report = outcome.damage_report.as_ref();
    report.is_some_and(|report| report.parts.get("magazine").is_some_and(|health| *health <= 0.0))
}

fn check_rounds(given: &ShipSnapshot, outcome: &ShipOutcome) -> Checked {
    let wrong = |slot: u32, problem: String| {
        Err(breach(Rule::K3, Some(&given.ship_id), &format!("ammo slot {slot}"), problem))
    };
    if given.weapons.len() != outcome.ammo.len() {
        let problem = format!("{} mounts in, {} out", given.weapons.len(), outcome.ammo.len());
        return Err(breach(Rule::K3, Some(&given.ship_id), "ammo", problem));
    }
    for (mount, ammo) in given.weapons.iter().zip(&outcome.ammo) {
        if mount.slot != ammo.slot || mount.rounds_loaded != ammo.loaded_in {
            return wrong(
                mount.slot,
                format!("{} rounds went in, {} are told", mount.rounds_loaded, ammo.loaded_in),
            );
        }
        let out = [ammo.remaining, ammo.fired, ammo.lost, ammo.seized];
        let out: u64 = out.into_iter().map(u64::from).sum();
        if u64::from(ammo.loaded_in) != out {
            return wrong(mount.slot, format!("{} in, {out} accounted for", ammo.loaded_in));
        }
        if ammo.lost > 0 && !gone(outcome.fate) && !magazine_dead(outcome) {
            return wrong(mount.slot, format!("{} lost aboard a sound ship", ammo.lost));
        }
        if ammo.seized > 0 && outcome.fate != ShipFate::Captured {
            return wrong(mount.slot, format!("{} seized from a free ship", ammo.seized));
        }
    }
    Ok(())
}

fn balanced(left: f64, right: f64) -> bool {
    let scale = left.abs().max(right.abs());
    (left - right).abs() <= TOLERANCE * scale.max(f64::MIN_POSITIVE)
}

fn check_stores(given: &ShipSnapshot, outcome: &ShipOutcome) -> Checked {
    let wrong = |category: &str, left: f64, right: f64| {
        let problem = format!("{left} in, {right} accounted for");
        Err(breach(Rule::K4, Some(&given.ship_id), category, problem))
    };
    let fuel = &outcome.fuel;
    let out = fuel.burned + fuel.remaining + fuel.lost + fuel.seized;
    let parts = [fuel.burned, fuel.remaining, fuel.lost, fuel.seized];
    let sound = parts.iter().all(|part| part.is_finite() && *part >= 0.0);
    if fuel.given != given.fuel_t || !balanced(fuel.given, out) || !sound {
        return wrong("fuel", given.fuel_t, out);
    }
    if !given.cargo.keys().eq(outcome.cargo.keys()) {
        return wrong("cargo", given.cargo.len() as f64, outcome.cargo.len() as f64);
    }
    for (goods, before) in &given.cargo {
        let after = &outcome.cargo[goods];
        let parts = [after.remaining, after.delivered, after.lost, after.seized];
        let sound = parts.iter().all(|part| part.is_finite() && *part >= 0.0);
        let out: f64 = parts.iter().sum();
        if after.given != *before || !balanced(*before, out) || !sound {
            return wrong(&format!("cargo {goods}"), *before, out);
        }
    }
    let decoys = &outcome.decoys;
    let out = u64::from(decoys.used) + u64::from(decoys.remaining) + u64::from(decoys.lost);
    if decoys.given != given.decoys || u64::from(decoys.given) != out {
        return wrong("decoys", f64::from(given.decoys), out as f64);
    }
    Ok(())
}

fn check_craft(given: &ShipSnapshot, outcome: &ShipOutcome) -> Checked {
    let wrong = |category: &str, problem: String| {
        Err(breach(Rule::K5, Some(&given.ship_id), category, problem))
    };
    if given.squadrons.len() != outcome.squadrons.len() {
        let (before, after) = (given.squadrons.len(), outcome.squadrons.len());
        return wrong("squadrons", format!("{before} in, {after} out"));
    }
    for (before, after) in given.squadrons.iter().zip(&outcome.squadrons) {
        let out = u64::from(after.aboard) + u64::from(after.stranded) + u64::from(after.lost);
        let same = before.squadron_id == after.id && before.craft == after.given;
        if !same || u64::from(after.given) != out {
            let category = format!("squadron {}", before.squadron_id);
            return wrong(&category, format!("{} in, {out} accounted for", before.craft));
        }
    }
    Ok(())
}

fn check_damage(result: &BattleResult) -> Checked {
    let dealt: f64 = result.ships.iter().map(|ship| ship.damage.dealt).sum();
    let dealt = dealt + result.ledger.dealt_by_nature;
    let taken: f64 = result.ships.iter().flat_map(|ship| ship.damage.taken_by_cause.values()).sum();
    if balanced(dealt, taken) {
        return Ok(());
    }
    Err(breach(Rule::K6, None, "damage", format!("{dealt} done, {taken} taken")))
}

fn check_echo(result: &BattleResult, package: &BattlePackage) -> Checked {
    let hash = format!("{:016x}", package.hash());
    let echoes = [
        ("battle_id", result.battle_id == package.battle_id),
        ("seed", result.seed == package.seed && result.replay.seed == package.seed),
        ("policy_seed", result.policy_seed == package.policy_seed),
        ("package_hash", result.package_hash == hash),
        ("duration_s", result.duration_s <= package.time_limit_s),
    ];
    echoes.into_iter().find(|(_, same)| !same).map_or(Ok(()), |(field, _)| {
        Err(breach(Rule::K7, None, field, "is not that of the package".to_owned()))
    })
}
