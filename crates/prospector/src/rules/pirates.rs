//! Pirates: the louder and richer the ship, the likelier they come.

use crate::Prospector;
use crate::edition::Edition;
use crate::float::{clamp, ln_1p, pow, sigmoid};
use crate::params::SCALE_MAX;
use crate::ship::DECOYS;
use crate::turn::{Turn, event};

/// Pirates of strength `intensity` look around for `dt` ticks. Never at the station.
pub fn look<E: Edition>(world: &mut Prospector<E>, dt: u16, intensity: f32, turn: &mut Turn) {
    let ship = &mut world.ship;
    if ship.docked() {
        return;
    }
    let temper = &E::PARAMS.pirates;
    let value = world.market.value(&ship.cargo);
    // An empty hold is the usual case, and ln(1 + 0) is exactly 0.
    let lure = if value == 0.0 { 0.0 } else { ln_1p(value / 1000.0) };
    let escaping = if ship.escape > 0 { 1.0 } else { 0.0 };
    let logit = temper.logit_base
        + 3.0 * intensity
        + 2.2 * clamp(ship.alert / SCALE_MAX, 0.0, 1.0)
        + temper.logit_lure * lure
        - temper.logit_escape * escaping;
    let chance = 1.0 - pow(1.0 - sigmoid(logit), dt);
    if world.dice.unit() >= chance {
        return;
    }
    world.ledger.encounters += 1;
    turn.events |= event::PIRATE_ENCOUNTER;
    let mut share = world.dice.uniform(temper.share_taken);
    if ship.supplies[DECOYS] > 0 && world.dice.unit() < temper.decoy_chance {
        ship.supplies[DECOYS] -= 1;
        share *= 0.3;
    }
    for units in &mut ship.cargo {
        *units *= 1.0 - share;
    }
    let left = world.market.value(&ship.cargo);
    if value > left {
        world.ledger.value_lost += value - left;
    }
    ship.hull -= world.dice.uniform(temper.hull);
    ship.alert += 8.0;
}
