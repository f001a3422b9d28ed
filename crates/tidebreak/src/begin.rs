//! A battle as its package says it begins.

use crate::condition::stage;
use crate::orders::Order;
use crate::package::{MISSIONS, ShipSnapshot};
use crate::resolvers::physics::wrapped;
use crate::setup::{Aim, Setup};
use crate::state::{
    Beliefs, Fate, Mount, Mounts, NOBODY, PARTS, Rounds, Ship, Ships, Sky, Squadron, Squadrons,
    State, Storm, Storms, TRACKS, Track, flag,
};

/// Fill a state anew, keeping the memory it has.
pub fn begin(setup: &Setup, seed: u64, state: &mut State) {
    let ships = setup.hulls.len();
    state.seed = seed;
    state.tick = 0;
    state.substep = 0;
    state.next_id = ships as u32;
    state.ships.clear();
    state.mounts.clear();
    state.squadrons.clear();
    state.rounds.clear();
    state.decoys.clear();
    state.mines.clear();
    state.modifiers.clear();
    state.marks.clear();
    for row in 0..ships {
        place_ship(setup, state, row);
    }
    for row in 0..ships {
        place_squadrons(setup, state, row);
    }
    begin_beliefs(&mut state.beliefs, ships);
    begin_sky(setup, state);
    state.fields.begin_as(&setup.fields);
    state.wakes.begin_as(&setup.wakes);
    state.dealt_by_nature = 0.0;
    refill(&mut state.objectives, ships, [0.0; 2]);
    refill(&mut state.terms, ships, [0.0; 12]);
    refill(&mut state.orders, ships, Order::default());
    refill(&mut state.team_value, setup.package.teams.len(), [0.0; 2]);
    for row in 0..ships {
        let value = f64::from(setup.values[row]);
        let team = &mut state.team_value[usize::from(setup.teams[row])];
        team[0] += value;
        team[1] += value;
    }
    state.tally = Default::default();
    state.outcome = Default::default();
    state.outcome.winner = u8::MAX;
    state.event_index = 0;
}

/// A state with room for a battle, to be filled by [`begin`].
#[must_use]
pub fn empty(setup: &Setup) -> State {
    let ships = setup.hulls.len();
    let mut state = State {
        seed: 0,
        tick: 0,
        substep: 0,
        next_id: 0,
        ships: Ships::default(),
        mounts: Mounts::default(),
        rounds: Rounds::default(),
        decoys: Default::default(),
        mines: Default::default(),
        squadrons: Squadrons::default(),
        beliefs: Beliefs::default(),
        modifiers: Default::default(),
        sky: Sky::default(),
        storms: Storms::default(),
        marks: Default::default(),
        fields: setup.fields.clone(),
        wakes: setup.wakes.clone(),
        team_value: Vec::new(),
        dealt_by_nature: 0.0,
        objectives: Vec::new(),
        terms: Vec::new(),
        orders: Vec::new(),
        tally: Default::default(),
        outcome: Default::default(),
        event_index: 0,
    };
    state.ships.reserve(ships);
    state.rounds.reserve(64 + 8 * ships);
    state.decoys.reserve(8 * ships);
    state.mines.reserve(4 * ships);
    state.modifiers.reserve(4 * ships);
    state.marks.reserve(64 + 8 * ships);
    state
}

fn refill<T: Clone>(column: &mut Vec<T>, rows: usize, value: T) {
    column.clear();
    column.resize(rows, value);
}

fn place_ship(setup: &Setup, state: &mut State, row: usize) {
    let given = &setup.package.ships[row];
    let (hull, start) = (&setup.hulls[row], &given.initial_state);
    let layer = start.layer_number() as u8;
    let mount_first = state.mounts.len() as u32;
    place_mounts(setup, state, row);
    let mut flags = 0;
    if given.is_flagship {
        flags |= flag::FLAGSHIP;
    }
    if setup.goals[row].as_ref().is_some_and(|goal| matches!(goal.aim, Aim::Evade | Aim::Deliver)) {
        flags |= flag::MAY_EXIT;
    }
    let weather = &setup.package.map.weather.initial;
    let heading = wrapped(start.heading as f32);
    let (sine, cosine) = libm::sincosf(heading);
    state.ships.push(Ship {
        team: setup.teams[row],
        holder: setup.teams[row],
        hull: hull.id,
        x: start.x as f32,
        y: start.y as f32,
        heading,
        bow: (cosine, sine),
        surge: start.speed as f32,
        layer,
        layer_next: layer,
        emission: 1,
        hp: (start.hp as f32).min(hull.hp),
        parts: [1.0; PARTS],
        sea_state: weather.sea_state as f32,
        visibility_km: weather.visibility_km as f32,
        rain: weather.precipitation as u8,
        wind: (weather.wind_x as f32, weather.wind_y as f32),
        flags,
        fate: Fate::Operational as u8,
        fuel: given.fuel_t,
        decoys: given.decoys.min(255) as u8,
        mount_first,
        mount_count: state.mounts.len() as u32 - mount_first,
        level_db: hull.noise_db,
        target_slot: u8::MAX,
        last_harmer: NOBODY,
        ..people_of(given)
    });
    state.ships.refresh_output(setup, row);
}

fn people_of(given: &ShipSnapshot) -> Ship {
    let crew = &given.crew;
    Ship {
        crew: [crew.fit, crew.wounded, 0, 0],
        marines: [crew.marines, 0, 0, 0],
        passengers: [given.passengers, 0, 0, 0],
        morale: crew.morale as f32,
        fatigue: crew.fatigue as f32,
        gunnery: crew.gunnery as f32,
        engineering: crew.engineering as f32,
        ..Ship::default()
    }
}

/// Mounts by weapon, then slot, so that those of one kind are neighbours.
fn place_mounts(setup: &Setup, state: &mut State, row: usize) {
    let first = state.mounts.len();
    for given in &setup.package.ships[row].weapons {
        let weapon = setup.tables.weapon_named(&given.weapon);
        let weapon = weapon.expect("the package was checked against the tables").id;
        let rounds = given.rounds_loaded.min(u32::from(u16::MAX)) as u16;
        let mount = Mount {
            ship: row as u32,
            weapon,
            slot: given.slot as u8,
            rounds,
            loaded: rounds,
            condition: setup.tables.damage.component.given(given.condition as f32),
            ..Mount::default()
        };
        let mut at = state.mounts.len();
        state.mounts.push(mount);
        while at > first && state.mounts.weapon[at - 1] > weapon {
            state.mounts.set(at, state.mounts.row(at - 1));
            at -= 1;
        }
        state.mounts.set(at, mount);
    }
}

fn place_squadrons(setup: &Setup, state: &mut State, row: usize) {
    for given in &setup.package.ships[row].squadrons {
        let mission = MISSIONS.iter().position(|mission| *mission == given.mission);
        state.squadrons.push(Squadron {
            id: state.next_id,
            carrier: row as u32,
            deck: row as u32,
            team: setup.teams[row],
            craft_in: given.craft as u16,
            craft: given.craft as u16,
            mission: mission.unwrap_or(0) as u8,
            stage: stage::ABOARD,
            hp: setup.tables.squadrons.craft_hp,
            ..Squadron::default()
        });
        state.next_id += 1;
    }
}

fn begin_beliefs(beliefs: &mut Beliefs, ships: usize) {
    beliefs.tracks.clear();
    for _ in 0..ships * TRACKS {
        beliefs.tracks.push(Track { entity: NOBODY, ..Track::default() });
    }
    refill(&mut beliefs.used, ships, 0);
    refill(&mut beliefs.next_number, ships, 1);
    refill(&mut beliefs.shown, ships, [u8::MAX; 16]);
    refill(&mut beliefs.shown_count, ships, 0);
    beliefs.links.clear();
}

fn begin_sky(setup: &Setup, state: &mut State) {
    let given = &setup.package.map.weather;
    state.sky = Sky {
        sea_state: given.initial.sea_state as f32,
        visibility_km: given.initial.visibility_km as f32,
        rain: given.initial.precipitation as u8,
        wind: [given.initial.wind_x as f32, given.initial.wind_y as f32],
        lightning: given.initial.lightning as f32,
    };
    state.storms.clear();
    for storm in &given.storms {
        state.storms.push(Storm {
            x: storm.x as f32,
            y: storm.y as f32,
            vx: storm.velocity_x as f32,
            vy: storm.velocity_y as f32,
            radius: storm.radius_m as f32,
            intensity: storm.intensity as f32,
            profile: storm.profile as u8,
        });
    }
}
