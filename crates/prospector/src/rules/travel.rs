//! Travel along a lane: fuel by mass, damage by threat, then a first look for pirates.

use crate::Prospector;
use crate::edition::Edition;
use crate::params::{CARGO_MAX, ROCKS_MAX};
use crate::rules::act::Impossible;
use crate::rules::pirates;
use crate::turn::{Turn, touched};

/// Fly through lane `slot` of the current node.
pub fn travel<E: Edition>(
    world: &mut Prospector<E>,
    slot: u8,
    turn: &mut Turn,
) -> Result<(), Impossible> {
    let here = usize::from(world.ship.node);
    let lane = world.belt.nodes[here].lanes[usize::from(slot)];
    if !lane.exists() {
        return Err(Impossible);
    }
    turn.dt = u16::from(lane.ticks);
    let ship = &mut world.ship;
    let mass = 1.0 + 0.5 * (ship.load() / CARGO_MAX);
    ship.fuel -= lane.fuel * mass;
    ship.node = lane.to;
    ship.selected = None;
    if E::PARAMS.stabilizers_stay {
        ship.steady = [0; ROCKS_MAX];
    }
    world.rocks.visit(lane.to);
    turn.touched |= touched::PLACE;

    let ticks = f32::from(turn.dt);
    let mut damage = ticks * lane.threat * E::PARAMS.hazard_damage;
    damage *= world.dice.uniform((0.85, 1.15));
    ship.hull -= damage;
    ship.heat += ticks * lane.threat * 0.5;
    ship.alert += ticks * lane.threat * 0.8;
    pirates::look(world, turn.dt, lane.threat, turn);
    Ok(())
}
