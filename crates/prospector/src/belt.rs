//! The belt: a random graph of nodes and lanes around one station, fixed for an episode.

use serde::{Deserialize, Serialize};

use crate::draws::Dice;
use crate::float::clamp;
use crate::params::{LANES, NODES_MAX, Params};

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

    fn free_lane(&self) -> Option<usize> {
        self.lanes.iter().position(|lane| !lane.exists())
    }
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
        self.count = dice.whole(8, 33) as u8;
        let count = usize::from(self.count);
        self.nodes = [Node::UNUSED; NODES_MAX];
        for node in &mut self.nodes[1..count] {
            draw_node(node, dice);
        }
        for node in 1..count {
            let parent = dice.whole(0, node as u32) as usize;
            if !self.link(node, parent, dice) && params.connected {
                self.link_to_any(node, dice);
            }
        }
        for _ in 0..count {
            let u = dice.whole(0, count as u32) as usize;
            let v = dice.whole(0, count as u32) as usize;
            if u != v {
                self.link(u, v, dice);
            }
        }
        self.measure_hops();
    }

    /// Join two nodes unless they are joined or one is full; says whether they are joined now.
    fn link(&mut self, u: usize, v: usize, dice: &mut Dice) -> bool {
        if self.nodes[u].lanes.iter().any(|lane| usize::from(lane.to) == v) {
            return true;
        }
        let (Some(slot_u), Some(slot_v)) = (self.nodes[u].free_lane(), self.nodes[v].free_lane())
        else {
            return false;
        };
        let (a, b) = (&self.nodes[u], &self.nodes[v]);
        let ticks = dice.whole(1, 9) as u8;
        let fuel = dice.uniform((20.0, 112.0));
        let threat = clamp(
            0.5 * (a.hazard + b.hazard) + 0.5 * (a.pirates + b.pirates) + dice.normal(0.0, 0.05),
            0.0,
            1.0,
        );
        let lane = |to: usize| Lane { to: to as u8, ticks, fuel, threat, threat_heard: 0.5 };
        self.nodes[u].lanes[slot_u] = lane(v);
        self.nodes[v].lanes[slot_v] = lane(u);
        true
    }

    /// Join `node` to the lowest earlier node with a free lane. There always is one: a tree over
    /// `node` earlier nodes fills fewer lanes than they have.
    fn link_to_any(&mut self, node: usize, dice: &mut Dice) {
        for earlier in 0..node {
            if self.link(node, earlier, dice) {
                return;
            }
        }
    }

    fn measure_hops(&mut self) {
        let mut queue = [0u8; NODES_MAX];
        let (mut head, mut tail) = (0, 1);
        self.nodes[0].hops = 0;
        let mut reached = 1u32;
        while head < tail {
            let here = self.nodes[usize::from(queue[head])];
            head += 1;
            for lane in here.lanes.iter().take_while(|lane| lane.exists()) {
                if reached & (1 << lane.to) == 0 {
                    reached |= 1 << lane.to;
                    self.nodes[usize::from(lane.to)].hops = here.hops + 1;
                    queue[tail] = lane.to;
                    tail += 1;
                }
            }
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
