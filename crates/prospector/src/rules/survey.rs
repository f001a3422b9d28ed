//! Scanning rocks and listening for threats: how estimates come nearer the truth.

use crate::Prospector;
use crate::draws::Dice;
use crate::edition::Edition;
use crate::float::clamp;
use crate::params::{COMMODITIES, Scan};
use crate::rocks::{Estimate, Truth};
use crate::rules::act::{Impossible, live_selection};
use crate::turn::{Turn, touched};

const WIDE: u8 = 0;
const SHARE_MIN: f32 = 1e-8;

/// Scan in `mode`: all rocks here, or the selected one. The charge is made first and stays.
pub fn scan<E: Edition>(
    world: &mut Prospector<E>,
    mode: u8,
    turn: &mut Turn,
) -> Result<(), Impossible> {
    let scan = &E::PARAMS.scans[usize::from(mode)];
    turn.dt = scan.dt;
    world.ship.fuel -= scan.fuel;
    world.ship.alert += scan.alert;
    if mode == WIDE {
        for slot in 0..world.rocks.count(world.ship.node) {
            survey(world, slot, scan);
        }
        turn.touched |= touched::ROCKS;
    } else {
        let slot = live_selection(&world.ship, &world.rocks).ok_or(Impossible)?;
        survey(world, slot, scan);
        turn.touched |= touched::SELECTED;
    }
    world.ledger.scans += 1;
    Ok(())
}

fn survey<E: Edition>(world: &mut Prospector<E>, slot: u8, scan: &Scan) {
    let node = world.ship.node;
    let truth = world.rocks.truth(node, slot);
    refine_estimate(world.rocks.estimate_mut(node, slot), &truth, scan, &mut world.dice);
}

fn refine_estimate(estimate: &mut Estimate, truth: &Truth, scan: &Scan, dice: &mut Dice) {
    let sd = truth.noise * (1.0 - estimate.confidence + 0.1) * scan.noise;
    let normal = dice.normals::<{ COMMODITIES + 1 }>();
    let raw: [f32; COMMODITIES] =
        std::array::from_fn(|c| truth.composition[c] + (0.0 + sd * normal[c]));
    let reading = shares(raw);
    estimate.composition = shares(std::array::from_fn(|c| {
        (1.0 - scan.blend) * estimate.composition[c] + scan.blend * reading[c]
    }));
    let stability = clamp(truth.stability + (0.0 + sd * normal[COMMODITIES]), 0.0, 1.0);
    estimate.stability =
        clamp((1.0 - scan.blend) * estimate.stability + scan.blend * stability, 0.0, 1.0);
    estimate.confidence = clamp(estimate.confidence + scan.gain, 0.0, 1.0);
}

/// Raise every entry to a least share and divide by the sum.
fn shares(mut raw: [f32; COMMODITIES]) -> [f32; COMMODITIES] {
    let mut sum = 0.0;
    for entry in &mut raw {
        if *entry < SHARE_MIN {
            *entry = SHARE_MIN;
        }
        sum += *entry;
    }
    raw.map(|entry| entry / sum)
}

/// Listen along every lane from here; the far side learns nothing.
pub fn listen<E: Edition>(world: &mut Prospector<E>, turn: &mut Turn) {
    turn.dt = 2;
    turn.touched |= touched::LANES;
    let here = usize::from(world.ship.node);
    for lane in world.belt.nodes[here].lanes.iter_mut().take_while(|lane| lane.exists()) {
        let heard = clamp(lane.threat + world.dice.normal(0.0, 0.08), 0.0, 1.0);
        lane.threat_heard = 0.25 * lane.threat_heard + 0.75 * heard;
    }
}
