//! The hidden state as one flat row: for planners, teaching and drawings, never for a policy.
//!
//! In order: the generator's state, all nodes, all lanes, all rocks. `hidden.py` of the Python face
//! reads the same row.

use crate::Prospector;
use crate::edition::Edition;
use crate::params::{LANES, NODES_MAX, ROCKS_MAX};

/// The generator's 64-bit state in quarters of 16 bits, highest first: a float holds 24 exactly.
const GENERATOR: usize = 4;
/// Per lane: far node (-1 none), ticks, fuel, true threat.
const LANE_WIDTH: usize = 4;
/// Per rock: presence, composition, richness, stability, depletion.
const ROCK_WIDTH: usize = 10;
/// Per node: kind (-1 unused), hazard, pirates, hops.
const NODE_WIDTH: usize = 4;

/// Floats of the row.
pub const HIDDEN: usize =
    GENERATOR + NODES_MAX * (NODE_WIDTH + LANES * LANE_WIDTH + ROCKS_MAX * ROCK_WIDTH);

/// Write the row.
pub fn reveal<E: Edition>(world: &Prospector<E>, out: &mut [f32]) {
    let (generator, rest) = out.split_at_mut(GENERATOR);
    for (quarter, float) in generator.iter_mut().enumerate() {
        *float = f32::from((world.generator_state() >> (48 - 16 * quarter)) as u16);
    }
    let (nodes, rest) = rest.split_at_mut(NODES_MAX * NODE_WIDTH);
    let (lanes, rocks) = rest.split_at_mut(NODES_MAX * LANES * LANE_WIDTH);
    for (index, node) in world.belt.nodes.iter().enumerate() {
        let used = index < usize::from(world.belt.count);
        let kind = if used { f32::from(node.kind as u8) } else { -1.0 };
        nodes[index * NODE_WIDTH..][..NODE_WIDTH].copy_from_slice(&[
            kind,
            node.hazard,
            node.pirates,
            f32::from(node.hops),
        ]);
        for (slot, lane) in node.lanes.iter().enumerate() {
            let to = if lane.exists() { f32::from(lane.to) } else { -1.0 };
            lanes[(index * LANES + slot) * LANE_WIDTH..][..LANE_WIDTH].copy_from_slice(&[
                to,
                f32::from(lane.ticks),
                lane.fuel,
                lane.threat,
            ]);
        }
    }
    rocks.fill(0.0);
    for node in 0..world.belt.count {
        for slot in 0..world.rocks.count(node) {
            let at = (usize::from(node) * ROCKS_MAX + usize::from(slot)) * ROCK_WIDTH;
            let truth = world.rocks.draw_truth(node, slot);
            let row = &mut rocks[at..][..ROCK_WIDTH];
            row[0] = 1.0;
            row[1..7].copy_from_slice(&truth.composition);
            row[7] = truth.richness;
            row[8] = truth.stability;
            row[9] = world.rocks.depletion(node, slot);
        }
    }
}
