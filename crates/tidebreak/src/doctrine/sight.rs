//! Building what a captain may know from the ship's own columns and its own contact table.

use super::knowledge::{
    ALLIES, Ally, Arm, CONTACTS, Contact, GROUPS, Own, Sight, Surroundings, Task,
};
use crate::engagement;
use crate::mask;
use crate::observe;
use crate::orders::CHOICES;
use crate::sensing::{self, signature};
use crate::setup::{Aim, Setup};
use crate::state::{State, TRACKS, flag};

/// An obstacle farther away than this is none.
const FAR_M: f32 = 1e9;

impl Sight {
    /// What `ship` knows now.
    #[must_use]
    pub fn of(setup: &Setup, state: &State, ship: usize) -> Self {
        let own = own(setup, state, ship);
        let mut sight = Self {
            seed: state.seed,
            ship: ship as u32,
            tick: state.tick,
            own,
            arms: arms(setup, state, ship),
            contacts: [Contact::default(); CONTACTS],
            contact_count: usize::from(state.beliefs.shown_count[ship]),
            allies: [Ally::default(); ALLIES],
            ally_count: 0,
            around: around(setup, state, ship),
            task: task(setup, state, ship),
            mask: [0; CHOICES],
        };
        mask::ship(setup, state, ship, &mut sight.mask);
        let ready = engagement::ready_kinds(setup, state, ship);
        for slot in 0..sight.contact_count {
            let row = ship * TRACKS + usize::from(state.beliefs.shown[ship][slot]);
            let kinds = engagement::kinds_for(setup, state, ship, row, ready);
            sight.contacts[slot] = Contact {
                engageable: engagement::groups_of(setup, kinds),
                ..contact(state, ship, slot, row)
            };
        }
        sight.hear(setup, state, ship);
        sight
    }

    /// Friends that the links carry news of, the nearest first.
    fn hear(&mut self, setup: &Setup, state: &State, ship: usize) {
        let ships = &state.ships;
        let (heard, count) = observe::heard(setup, state, ship);
        for (ally, &row) in self.allies.iter_mut().zip(&heard[..count]) {
            let row = row as usize;
            *ally = Ally {
                x: ships.x[row],
                y: ships.y[row],
                hp: ships.hp[row] / setup.hulls[row].hp,
                size: setup.hulls[row].size as u8,
                layer: ships.layer[row],
                precious: ships.flags[row] & flag::FLAGSHIP != 0,
            };
        }
        self.ally_count = count;
    }
}

fn own(setup: &Setup, state: &State, ship: usize) -> Own {
    let (ships, hull) = (&state.ships, &setup.hulls[ship]);
    Own {
        x: ships.x[ship],
        y: ships.y[ship],
        heading: ships.heading[ship],
        surge: ships.surge[ship],
        yaw_rate: ships.yaw_rate[ship],
        speed_max: hull.speed_max[usize::from(ships.layer[ship])],
        turn_rate: hull.turn_rate,
        layer: ships.layer[ship],
        changing: ships.in_transition(ship),
        dives: hull.enters(1),
        hp: ships.hp[ship] / hull.hp,
        flags: ships.flags[ship],
        decoys: ships.decoys[ship],
        size: hull.size as u8,
        flagship: ships.flags[ship] & flag::FLAGSHIP != 0,
        fire_control: fire_control(setup, state, ship),
    }
}

/// How far the ship's own radar and eyes give fire control on a target of radar factor 1.
fn fire_control(setup: &Setup, state: &State, ship: usize) -> [f32; 2] {
    let (ships, tables) = (&state.ships, &setup.tables);
    if ships.layer[ship] != 0 {
        return [0.0; 2];
    }
    let ranges = &setup.senses.ranges[ship];
    let share = 1.0 - tables.sensors.track.fire_control_signal;
    let health = sensing::health(state, ship);
    let (radar, sight) = signature::weather(setup, state, ship);
    [share * ranges.radar_m * radar * health, share * ranges.visual_m * sight * health]
}

fn arms(setup: &Setup, state: &State, ship: usize) -> [Arm; GROUPS] {
    let mut arms = [Arm::default(); GROUPS];
    let first = state.ships.mount_first[ship] as usize;
    for mount in first..first + state.ships.mount_count[ship] as usize {
        let weapon = setup.tables.weapon(state.mounts.weapon[mount]);
        let Some(arm) = arms.get_mut(weapon.group as usize) else { continue };
        let rounds = u32::from(state.mounts.rounds[mount]);
        if rounds == 0 || state.mounts.condition[mount] <= 0.0 {
            continue;
        }
        arm.mounts += 1;
        arm.rounds += rounds;
        arm.ready += u8::from(state.mounts.cooldown[mount] <= 0.0);
        arm.strikes |= weapon.strikes.0;
        if weapon.range_m > arm.range {
            arm.range = weapon.range_m;
            arm.speed = weapon.speed;
            arm.track_min = weapon.track_min;
        }
    }
    arms
}

fn contact(state: &State, ship: usize, slot: usize, row: usize) -> Contact {
    let (ships, track) = (&state.ships, state.beliefs.tracks.row(row));
    let (dx, dy) = (track.x - ships.x[ship], track.y - ships.y[ship]);
    let range = (dx * dx + dy * dy).sqrt().max(1.0);
    let (own_vx, own_vy) = ships.velocity(ship);
    let (vx, vy) = (track.vx - own_vx, track.vy - own_vy);
    Contact {
        choice: slot as u8 + 1,
        number: track.number,
        x: track.x,
        y: track.y,
        vx: track.vx,
        vy: track.vy,
        range,
        bearing: libm::atan2f(dy, dx),
        closing: -(dx * vx + dy * vy) / range,
        sigma: track.sigma,
        quality: track.quality,
        age: track.age,
        layer: track.layer,
        size: track.size,
        hostile: track.iff >= 2,
        engageable: 0,
    }
}

fn around(setup: &Setup, state: &State, ship: usize) -> Surroundings {
    let (terrain, ships) = (&setup.terrain, &state.ships);
    let (x, y) = (ships.x[ship], ships.y[ship]);
    let mut obstacle = (FAR_M, 0.0);
    for solid in &terrain.solids {
        let (gap, out) = solid.outside(x, y);
        if gap < obstacle.0 {
            obstacle = (gap, libm::atan2f(-out.1, -out.0));
        }
    }
    Surroundings {
        bounds: [terrain.min.0, terrain.max.0, terrain.min.1, terrain.max.1],
        ticks_left: setup.time_limit.saturating_sub(state.tick),
        sea_state: ships.sea_state[ship],
        may_submerge: setup.layer_open(ship, 1, x, y),
        obstacle,
    }
}

/// What the ship was sent for, as far as its own table and its friends tell where things are.
fn task(setup: &Setup, state: &State, ship: usize) -> Task {
    let Some(goal) = &setup.goals[ship] else { return Task::default() };
    let asset = observe::nearest_asset(setup, state, ship, goal);
    Task {
        target: observe::nearest_target(state, ship, goal).map(|(place, _)| place),
        destination: goal.destination,
        asset: asset.map(|row| (state.ships.x[row], state.ships.y[row])),
        may_exit: matches!(goal.aim, Aim::Evade | Aim::Deliver),
    }
}
