//! Mining the selected rock: yield, heat, wear, noise, and the chance that it breaks apart.

use crate::Prospector;
use crate::edition::Edition;
use crate::float::{clamp, exp, max, sigmoid};
use crate::params::{CARGO_MAX, SCALE_MAX};
use crate::rules::act::{Impossible, live_selection};
use crate::turn::{Turn, event, touched};

/// Heat share from which tools lose grip and rocks grow brittle.
const HOT: f32 = 0.7;

/// Mine at intensity 0, 1 or 2.
pub fn mine<E: Edition>(
    world: &mut Prospector<E>,
    intensity: usize,
    turn: &mut Turn,
) -> Result<(), Impossible> {
    let slot = live_selection(&world.ship, &world.rocks).ok_or(Impossible)?;
    let mode = &E::PARAMS.mining[intensity];
    let node = world.ship.node;
    let truth = world.rocks.truth(node, slot);
    let rock = world.rocks.estimate_mut(node, slot);
    let ship = &mut world.ship;

    let grade = truth.richness * max(0.0, 1.0 - rock.depletion);
    let tool = clamp(ship.tool / SCALE_MAX, 0.0, 1.0);
    let heat = clamp(ship.heat / SCALE_MAX, 0.0, 2.0);
    let tool_grip = 0.4 + 0.6 * tool;
    let heat_grip = if heat <= HOT { 1.0 } else { max(0.1, 1.0 - (heat - HOT) / 0.3) };
    let luck = exp(world.dice.normal(0.0, mode.yield_sd));

    let mut dug = truth
        .composition
        .map(|share| grade * tool_grip * heat_grip * mode.yield_factor * luck * share);
    let mut total = dug.iter().fold(0.0, |sum, units| sum + units);
    let room = max(0.0, CARGO_MAX - ship.load());
    if total > room && total > 0.0 {
        let kept = room / total;
        total = room;
        dug = dug.map(|units| units * kept);
    }
    for (units, new) in ship.cargo.iter_mut().zip(dug) {
        *units += new;
    }
    ship.heat += mode.heat;
    ship.tool -= mode.wear;
    ship.alert += mode.alert;
    rock.depletion = clamp(rock.depletion + E::PARAMS.depletion_per_unit * total, 0.0, 1.0);
    world.ledger.mining_ticks += 1;
    turn.touched |= touched::SELECTED;

    let steady = if ship.steady[usize::from(slot)] > 0 { 1.1 } else { 0.0 };
    let logit = E::PARAMS.fracture_logit
        + mode.fracture_bias
        + 2.5 * (1.0 - truth.stability)
        + 2.2 * max(0.0, heat - HOT)
        + 1.5 * (1.0 - tool)
        - steady;
    if world.dice.unit() < sigmoid(logit) {
        ship.hull -= 12.0 * world.dice.uniform((0.5, 1.0));
        rock.depletion = 1.0;
        let hazard = &mut world.belt.nodes[usize::from(node)].hazard;
        *hazard = clamp(*hazard + 0.1, 0.0, 1.0);
        turn.events |= event::FRACTURE;
    }
    Ok(())
}
