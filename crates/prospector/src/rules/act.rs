//! Actions: which of the 69 does what. The short ones are here; the long ones have their file.

use crate::edition::Edition;
use crate::float::{max, min};
use crate::params::{
    ACTIONS, FUEL_MAX, FUEL_OFFERS, OVERHAUL_COST, SCALE_MAX, SUPPLY_COST, SUPPLY_MAX,
};
use crate::rules::{mine, survey, travel};
use crate::ship::{KITS, STABILIZERS};
use crate::turn::{Turn, event, touched};
use crate::{Prospector, Rocks, Ship};

/// What an impossible action becomes.
pub const HOLD: u8 = 6;

/// An action could not be carried out; what it charged so far stays charged.
pub struct Impossible;

/// Carry out `action`, which is below [`ACTIONS`].
pub fn apply<E: Edition>(
    world: &mut Prospector<E>,
    action: u8,
    turn: &mut Turn,
) -> Result<(), Impossible> {
    debug_assert!(usize::from(action) < ACTIONS);
    match action {
        0..=5 => travel::travel(world, action, turn),
        HOLD => {
            hold(&mut world.ship);
            Ok(())
        }
        7 => {
            burn(&mut world.ship);
            Ok(())
        }
        8..=10 => survey::scan(world, action - 8, turn),
        11 => {
            survey::listen(world, turn);
            Ok(())
        }
        12..=27 => select(&mut world.ship, &world.rocks, action - 12, turn),
        28..=30 => mine::mine(world, usize::from(action - 28), turn),
        31 => stabilise(&mut world.ship, &world.rocks, turn),
        32 => {
            refine(&mut world.ship, E::PARAMS.refine_yield, turn);
            Ok(())
        }
        33 => {
            cool_down(&mut world.ship, turn);
            Ok(())
        }
        34 | 35 => use_kit(&mut world.ship, action == 34, turn),
        36..=41 => {
            world.ship.cargo[usize::from(action - 36)] = 0.0;
            world.ship.alert = max(0.0, world.ship.alert - 8.0);
            Ok(())
        }
        42..=67 => at_station(world, action, turn),
        _ => {
            turn.terminated = true;
            turn.events |= event::CASH_OUT;
            Ok(())
        }
    }
}

/// Keep still for a moment: quieter and cooler.
pub fn hold(ship: &mut Ship) {
    ship.alert = max(0.0, ship.alert - 3.0);
    cool(ship, 1);
}

/// Heat radiated away in `ticks`.
#[inline]
pub fn cool(ship: &mut Ship, ticks: u16) {
    ship.heat = max(0.0, ship.heat - 2.5 * f32::from(ticks));
}

fn burn(ship: &mut Ship) {
    ship.fuel -= 18.0;
    ship.alert += 10.0;
    ship.escape = ship.escape.max(4);
}

fn select(ship: &mut Ship, rocks: &Rocks, slot: u8, turn: &mut Turn) -> Result<(), Impossible> {
    if !rocks.live(ship.node, slot) {
        return Err(Impossible);
    }
    ship.selected = Some(slot);
    turn.touched |= touched::SELECTION;
    Ok(())
}

/// The selected slot, if its rock is here and not spent.
#[inline]
pub fn live_selection(ship: &Ship, rocks: &Rocks) -> Option<u8> {
    ship.selected.filter(|&slot| rocks.live(ship.node, slot))
}

fn stabilise(ship: &mut Ship, rocks: &Rocks, turn: &mut Turn) -> Result<(), Impossible> {
    turn.dt = 2;
    let slot = live_selection(ship, rocks).ok_or(Impossible)?;
    if ship.supplies[STABILIZERS] == 0 {
        return Err(Impossible);
    }
    ship.supplies[STABILIZERS] -= 1;
    ship.steady[usize::from(slot)] = 6;
    Ok(())
}

/// Turn iron and nickel into rare isotopes.
fn refine(ship: &mut Ship, refine_yield: f32, turn: &mut Turn) {
    turn.dt = 2;
    ship.fuel -= 4.0;
    ship.heat += 6.0;
    ship.alert += 3.0;
    let low = ship.cargo[0] + ship.cargo[1];
    if low > 0.0 {
        let taken = 0.15 * low;
        let share = min(1.0, taken / low);
        ship.cargo[0] *= 1.0 - share;
        ship.cargo[1] *= 1.0 - share;
        ship.cargo[4] += refine_yield * taken;
    }
}

fn cool_down(ship: &mut Ship, turn: &mut Turn) {
    turn.dt = 2;
    ship.fuel -= 2.0;
    ship.heat = max(0.0, ship.heat - 20.0);
    ship.alert += 1.0;
}

fn use_kit(ship: &mut Ship, on_tool: bool, turn: &mut Turn) -> Result<(), Impossible> {
    turn.dt = 2;
    if ship.supplies[KITS] == 0 {
        return Err(Impossible);
    }
    ship.supplies[KITS] -= 1;
    let (part, points) = if on_tool { (&mut ship.tool, 25.0) } else { (&mut ship.hull, 20.0) };
    *part = min(SCALE_MAX, *part + points);
    Ok(())
}

/// Everything that needs the station: dock, sell, buy, overhaul.
fn at_station<E: Edition>(
    world: &mut Prospector<E>,
    action: u8,
    turn: &mut Turn,
) -> Result<(), Impossible> {
    if action == 67 {
        turn.dt = 3;
    }
    if !world.ship.docked() {
        return Err(Impossible);
    }
    match action {
        42 => world.ship.alert = max(0.0, world.ship.alert - 20.0),
        43..=60 => sell(world, action - 43, turn),
        61..=63 => {
            let (units, cost) = FUEL_OFFERS[usize::from(action - 61)];
            pay(world, cost, turn)?;
            world.ship.fuel = min(FUEL_MAX, world.ship.fuel + units);
        }
        64..=66 => {
            let kind = usize::from(action - 64);
            if world.ship.supplies[kind] >= SUPPLY_MAX {
                return Err(Impossible);
            }
            pay(world, SUPPLY_COST[kind], turn)?;
            world.ship.supplies[kind] += 1;
        }
        _ => {
            pay(world, OVERHAUL_COST, turn)?;
            world.ship.hull = SCALE_MAX;
            world.ship.tool = SCALE_MAX;
        }
    }
    Ok(())
}

fn sell<E: Edition>(world: &mut Prospector<E>, offer: u8, turn: &mut Turn) {
    let c = usize::from(offer / 3);
    let fraction = [0.25, 0.50, 1.00][usize::from(offer % 3)];
    let ship = &mut world.ship;
    let units = ship.cargo[c] * fraction;
    if units <= 0.0 {
        return;
    }
    ship.credits += world.market.sell(c, units, &E::PARAMS);
    ship.cargo[c] = max(0.0, ship.cargo[c] - units);
    turn.touched |= touched::CREDITS;
}

fn pay<E: Edition>(
    world: &mut Prospector<E>,
    cost: f32,
    turn: &mut Turn,
) -> Result<(), Impossible> {
    if world.ship.credits < cost {
        return Err(Impossible);
    }
    world.ship.credits -= cost;
    world.ledger.spent += cost;
    turn.touched |= touched::CREDITS;
    Ok(())
}

/// The action each scan index stands for, used by the reward.
pub const fn is_scan(action: i16) -> bool {
    8 <= action && action <= 10
}
