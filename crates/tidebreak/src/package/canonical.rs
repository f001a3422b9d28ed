//! One order for every list whose order means nothing.

use serde::Serialize;

use super::BattlePackage;

/// Sorts what may be sorted: ships by (team, id), the rest by name or by bytes.
pub(super) fn settle(package: &mut BattlePackage) {
    package.teams.sort_by(|a, b| a.team_id.as_bytes().cmp(b.team_id.as_bytes()));
    for faction in package.teams.iter_mut().filter_map(|team| team.faction_context.as_mut()) {
        faction.tech_tags.sort();
        faction.at_war_with.sort();
    }
    by_bytes(&mut package.map.obstacles);
    by_bytes(&mut package.map.zones);
    by_bytes(&mut package.map.weather.zones);
    by_bytes(&mut package.map.weather.storms);
    package.ships.sort_by(|a, b| {
        (a.team_id.as_bytes(), a.ship_id.as_bytes())
            .cmp(&(b.team_id.as_bytes(), b.ship_id.as_bytes()))
    });
    for ship in &mut package.ships {
        ship.sensors.sort();
        ship.weapons.sort_by_key(|weapon| weapon.slot);
        if let Some(objective) = &mut ship.objective {
            objective.targets.sort();
            objective.assets.sort();
            objective.met_by.sort();
        }
        ship.squadrons.sort_by(|a, b| a.squadron_id.as_bytes().cmp(b.squadron_id.as_bytes()));
    }
    for rule in &mut package.decided_by {
        rule.ships.sort();
    }
    by_bytes(&mut package.decided_by);
}

fn by_bytes<T: Serialize>(items: &mut [T]) {
    items.sort_by_cached_key(|item| {
        serde_json::to_vec(item).expect("shapes and rules have only texts for keys")
    });
}
