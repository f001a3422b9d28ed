//! The belt: a random graph of nodes and lanes around one station, fixed for an episode.

use serde::{Deserialize, Serialize};

use crate::draws::{Dice, NormalPair, normals};
use crate::float::clamp;
use crate::params::{FUEL_MAX, LANES, NODES_MAX, Params};

/// Hops of a node that cannot be reached, and of the unused nodes.
const HOPS_NONE: u8 = 31;
/// Far end of an empty lane.
const NOWHERE: u8 = u8::MAX;

/// What a node is, as its one-hot place in the observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    /// Node 0: market, fuel, repairs.
    #[default]
    Station,
    /// Rocks, little danger.
    Cluster,
    /// Rocks and danger.
    Hazard,
}

/// One direction of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    /// The node at the far end.
    pub to: u8,
    /// Ticks it takes.
    pub ticks: u8,
    /// Fuel it takes an empty ship.
    pub fuel: f32,
    /// True danger.
    pub threat: f32,
    /// What has been heard of it from this side.
    pub threat_heard: f32,
}

impl Lane {
    const EMPTY: Self = Self { to: NOWHERE, ticks: 0, fuel: 0.0, threat: 0.0, threat_heard: 0.0 };

    /// Whether an edge is here at all.
    #[inline]
    pub const fn exists(&self) -> bool {
        self.to != NOWHERE
    }
}

/// One node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Edges from the station.
    pub hops: u8,
    /// Danger to the hull per tick; fractures raise it.
    pub hazard: f32,
    /// Strength of pirates.
    pub pirates: f32,
    /// Filled from the first, in the order the edges were made.
    pub lanes: [Lane; LANES],
}

impl Node {
    const UNUSED: Self = Self {
        kind: Kind::Station,
        hops: HOPS_NONE,
        hazard: 0.0,
        pirates: 0.0,
        lanes: [Lane::EMPTY; LANES],
    };
}

/// A tree over all nodes and as many tries again, rounded up to whole groups.
const EDGES_MAX: usize = 2 * NODES_MAX;
/// Edges whose noise is computed side by side.
const EDGES_AT_ONCE: usize = 8;

/// A belt being drawn: who is joined to whom, and the edges in the order they were made.
struct Draft {
    /// Bit `v` of entry `u`: the two are joined.
    joined: [u32; NODES_MAX],
    /// Lanes in use at each node.
    lanes: [u8; NODES_MAX],
    edges: usize,
    /// Node and lane at one end, node and lane at the other.
    ends: [[u8; 4]; EDGES_MAX],
    /// Turned into numbers when all edges are known.
    noise: [NormalPair; EDGES_MAX],
}

impl Draft {
    const EMPTY: Self = Self {
        joined: [0; NODES_MAX],
        lanes: [0; NODES_MAX],
        edges: 0,
        ends: [[0; 4]; EDGES_MAX],
        noise: [NormalPair::ZERO; EDGES_MAX],
    };
}

/// All nodes of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belt {
    /// Nodes in use; the rest are never looked at.
    pub count: u8,
    /// The nodes; 0 is the station.
    pub nodes: [Node; NODES_MAX],
}

impl Belt {
    /// A belt before its first episode.
    pub const EMPTY: Self = Self { count: 0, nodes: [Node::UNUSED; NODES_MAX] };

    /// Draw a belt: nodes, a tree, extra edges, then distances.
    pub fn draw(&mut self, dice: &mut Dice, params: &Params) {
        let mut draft = Draft::EMPTY;
        let stale = usize::from(self.count);
        self.count = dice.whole(8, 33) as u8;
        let count = usize::from(self.count);
        self.nodes[..stale.max(count)].fill(Node::UNUSED);
        for node in &mut self.nodes[1..count] {
            draw_node(node, dice);
        }
        for node in 1..count {
            let parent = dice.whole(0, node as u32) as usize;
            if !self.link(node, parent, dice, &mut draft) && params.connected {
                self.link_to_any(node, dice, &mut draft);
            }
        }
        for _ in 0..count {
            let u = dice.whole(0, count as u32) as usize;
            let v = dice.whole(0, count as u32) as usize;
            if u != v {
                self.link(u, v, dice, &mut draft);
            }
        }
        self.set_threats(&draft);
        self.measure_hops(&draft.joined);
    }

    /// Join two nodes unless they are joined or one is full; says whether they are joined now.
    fn link(&mut self, u: usize, v: usize, dice: &mut Dice, draft: &mut Draft) -> bool {
        if draft.joined[u] & (1 << v) != 0 {
            return true;
        }
        let (slot_u, slot_v) = (usize::from(draft.lanes[u]), usize::from(draft.lanes[v]));
        if slot_u == LANES || slot_v == LANES {
            return false;
        }
        let ticks = dice.whole(1, 9) as u8;
        let fuel = dice.uniform((20.0, 112.0));
        draft.ends[draft.edges] = [u as u8, slot_u as u8, v as u8, slot_v as u8];
        draft.noise[draft.edges] = dice.normal_pair();
        draft.edges += 1;
        for (from, to) in [(u, v), (v, u)] {
            draft.joined[from] |= 1 << to;
            draft.lanes[from] += 1;
        }
        let lane = |to: usize| Lane { to: to as u8, ticks, fuel, threat: 0.0, threat_heard: 0.5 };
        self.nodes[u].lanes[slot_u] = lane(v);
        self.nodes[v].lanes[slot_v] = lane(u);
        true
    }

    /// Give every edge its threat: the danger at both ends and the noise drawn for it.
    fn set_threats(&mut self, draft: &Draft) {
        for first in (0..draft.edges).step_by(EDGES_AT_ONCE) {
            let noise = normals::<EDGES_AT_ONCE>(std::array::from_fn(|k| draft.noise[first + k]));
            for (&[u, slot_u, v, slot_v], z) in draft.ends[first..draft.edges].iter().zip(noise) {
                let (a, b) = (&self.nodes[usize::from(u)], &self.nodes[usize::from(v)]);
                let danger = 0.5 * (a.hazard + b.hazard) + 0.5 * (a.pirates + b.pirates);
                let threat = clamp(danger + (0.0 + 0.05 * z), 0.0, 1.0);
                self.nodes[usize::from(u)].lanes[usize::from(slot_u)].threat = threat;
                self.nodes[usize::from(v)].lanes[usize::from(slot_v)].threat = threat;
            }
        }
    }

    /// Join `node` to the lowest earlier node with a free lane. There always is one: a tree over
    /// `node` earlier nodes fills fewer lanes than they have.
    fn link_to_any(&mut self, node: usize, dice: &mut Dice, draft: &mut Draft) {
        for earlier in 0..node {
            if self.link(node, earlier, dice, draft) {
                return;
            }
        }
    }

    /// Count lanes from the station, one ring of nodes after another.
    fn measure_hops(&mut self, joined: &[u32; NODES_MAX]) {
        let (mut reached, mut ring, mut hops) = (1u32, 1u32, 0);
        while ring != 0 {
            let mut next = 0;
            while ring != 0 {
                let node = ring.trailing_zeros() as usize;
                ring &= ring - 1;
                self.nodes[node].hops = hops;
                next |= joined[node];
            }
            ring = next & !reached;
            reached |= ring;
            hops += 1;
        }
    }

    /// Refuse a graph the rules could not walk.
    pub fn check(&self) -> Result<(), String> {
        if !(8..=NODES_MAX as u8).contains(&self.count) {
            return Err(format!("{} nodes; a belt has 8 to {NODES_MAX}", self.count));
        }
        let lanes = self.nodes.iter().flat_map(|node| &node.lanes);
        for lane in lanes.filter(|lane| lane.exists()) {
            if lane.to >= self.count || !(1..=8).contains(&lane.ticks) {
                return Err("a lane leads outside the belt or takes no time".to_owned());
            }
            let shares = [lane.threat, lane.threat_heard];
            if !(0.0..=FUEL_MAX).contains(&lane.fuel)
                || shares.iter().any(|share| !(0.0..=1.0).contains(share))
            {
                return Err("a lane has an impossible cost or threat".to_owned());
            }
        }
        let dangers = self.nodes.iter().flat_map(|node| [node.hazard, node.pirates]);
        if dangers.into_iter().any(|danger| !(0.0..=1.0).contains(&danger)) {
            return Err("a node has an impossible danger".to_owned());
        }
        Ok(())
    }
}

fn draw_node(node: &mut Node, dice: &mut Dice) {
    let dangerous = dice.unit() < 0.25;
    node.hazard = dice.uniform((0.05, 0.35));
    node.pirates = dice.uniform((0.05, 0.30));
    node.kind = if dangerous { Kind::Hazard } else { Kind::Cluster };
    if dangerous {
        node.hazard += 0.25;
        node.pirates += 0.12;
    }
}
