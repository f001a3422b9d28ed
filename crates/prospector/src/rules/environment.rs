//! What happens in every step whatever the action: time, cooling, danger, market, limits.

use crate::edition::Edition;
use crate::float::{clamp, max, min};
use crate::params::{CARGO_MAX, FUEL_MAX, Harbour, SCALE_MAX};
use crate::rules::{act, pirates};
use crate::turn::{Turn, event};
use crate::{Prospector, Ship};

/// Let `turn.dt` ticks pass.
pub fn pass_time<E: Edition>(world: &mut Prospector<E>, turn: &mut Turn) {
    let dt = turn.dt;
    let ticks = f32::from(dt);
    world.ledger.time_left -= ticks;
    let ship = &mut world.ship;
    act::cool(ship, dt);
    if E::PARAMS.alert_fading > 0.0 {
        ship.alert = max(0.0, ship.alert - E::PARAMS.alert_fading * ticks);
    }
    ship.escape = ship.escape.saturating_sub(dt);
    ship.steady = ship.steady.map(|left| left.saturating_sub(dt as u8));
    if ship.heat > SCALE_MAX {
        ship.hull -= 1.25 * (ship.heat - SCALE_MAX);
        ship.heat = SCALE_MAX;
        world.ledger.overheat_ticks += u32::from(dt);
        turn.events |= event::OVERHEAT_TICK;
    }
    if !ship.docked() {
        let node = world.belt.nodes[usize::from(ship.node)];
        // Node danger first, so its noise is heard by the pirates of the same step.
        if node.hazard > 0.0 {
            let swing = world.dice.uniform((0.8, 1.2));
            ship.hull -= ticks * node.hazard * E::PARAMS.hazard_damage * swing;
            ship.heat += ticks * node.hazard * 0.5;
            ship.alert += ticks * node.hazard * 0.8;
        }
        pirates::look(world, dt, node.pirates, turn);
    }
    if let Some(harbour) = &E::PARAMS.harbour
        && world.ship.docked()
    {
        mend(&mut world.ship, harbour, ticks);
    }
    let now = world.ledger.ticks + u32::from(dt);
    world.market.drift(now, dt, &mut world.dice, &E::PARAMS);
    keep_in_limits(world);
    world.ledger.load_ticks += clamp(world.ship.load() / CARGO_MAX, 0.0, 1.0) * ticks;
    world.ledger.ticks = now;
}

/// The harbour keeps a docked ship just fit to sail; a wreck is past mending.
fn mend(ship: &mut Ship, harbour: &Harbour, ticks: f32) {
    if ship.hull > 0.0 && ship.hull < harbour.hull_to {
        ship.hull = min(harbour.hull_to, ship.hull + harbour.hull_per_tick * ticks);
    }
    if ship.fuel < harbour.fuel_to {
        ship.fuel = min(harbour.fuel_to, max(0.0, ship.fuel) + harbour.fuel_per_tick * ticks);
    }
}

fn keep_in_limits<E: Edition>(world: &mut Prospector<E>) {
    let ship = &mut world.ship;
    ship.fuel = clamp(ship.fuel, 0.0, FUEL_MAX);
    for gauge in [&mut ship.hull, &mut ship.heat, &mut ship.tool, &mut ship.alert] {
        *gauge = clamp(*gauge, 0.0, SCALE_MAX);
    }
    world.ledger.time_left = clamp(world.ledger.time_left, 0.0, world.config.time_max);
    ship.cargo = ship.cargo.map(|units| clamp(units, 0.0, CARGO_MAX));
    let load = ship.load();
    if load > CARGO_MAX {
        ship.cargo = ship.cargo.map(|units| units * (CARGO_MAX / load));
    }
}
