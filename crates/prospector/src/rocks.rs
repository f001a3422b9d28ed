//! Asteroids, drawn only when somebody looks.
//!
//! A belt holds some two hundred rocks of twenty draws each, and an episode visits few of them.
//! The generator can jump, so a reset only notes where each node's draws begin. What a visitor
//! sees (the estimates) is drawn on arrival; the hidden truth when a rock is scanned or mined.

use astrarium_kernel::{Jump, prefetch};
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::draws::{Dice, jump_over};
use crate::float::clamp;
use crate::params::{COMMODITIES, NODES_MAX, ROCKS_MAX};

const DRAWS_PER_ROCK: u64 = 20;
/// Draws of the truth, before the estimate's.
const DRAWS_OF_TRUTH: u64 = 14;

const SKIP_ROCKS: [Jump; ROCKS_MAX + 1] = {
    let mut jumps = [jump_over(0); ROCKS_MAX + 1];
    let mut rocks = 0;
    while rocks <= ROCKS_MAX {
        jumps[rocks] = jump_over(DRAWS_PER_ROCK * rocks as u64);
        rocks += 1;
    }
    jumps
};
const SKIP_TRUTH: Jump = jump_over(DRAWS_OF_TRUTH);

/// What is known of a rock, and how much of it is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Believed shares of each commodity.
    pub composition: [f32; COMMODITIES],
    /// Believed stability.
    pub stability: f32,
    /// Trust in the two above.
    pub confidence: f32,
    /// 0 fresh, 1 exhausted; true, and visible.
    pub depletion: f32,
}

/// What a rock really is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// Shares of each commodity.
    pub composition: [f32; COMMODITIES],
    /// Yield per effort.
    pub richness: f32,
    /// 1 never breaks, 0 often.
    pub stability: f32,
    /// How hard it is to read.
    pub noise: f32,
}

/// The rocks of every node.
#[derive(Clone, Debug)]
pub struct Rocks {
    count: [u8; NODES_MAX],
    /// Generator state where each node's rocks begin.
    origin: [u64; NODES_MAX],
    /// Bit `k`: the estimates of node `k` are drawn.
    seen: u32,
    /// Bit `s` of entry `k`: the truth of rock `s` of node `k` is drawn.
    known: [u16; NODES_MAX],
    estimates: [[Estimate; ROCKS_MAX]; NODES_MAX],
    truths: [[Truth; ROCKS_MAX]; NODES_MAX],
}

impl Rocks {
    /// No rocks anywhere.
    pub const EMPTY: Self = {
        let estimate = Estimate {
            composition: [0.0; COMMODITIES],
            stability: 0.0,
            confidence: 0.0,
            depletion: 0.0,
        };
        let truth =
            Truth { composition: [0.0; COMMODITIES], richness: 0.0, stability: 0.0, noise: 0.0 };
        Self {
            count: [0; NODES_MAX],
            origin: [0; NODES_MAX],
            seen: 0,
            known: [0; NODES_MAX],
            estimates: [[estimate; ROCKS_MAX]; NODES_MAX],
            truths: [[truth; ROCKS_MAX]; NODES_MAX],
        }
    };

    /// Forget the last episode and note where the rocks of nodes `1..nodes` begin, moving the
    /// generator past all of them.
    pub fn place(&mut self, nodes: u8, dice: &mut Dice) {
        self.seen = 0;
        self.known = [0; NODES_MAX];
        self.count = [0; NODES_MAX];
        self.origin = [0; NODES_MAX];
        for node in 1..usize::from(nodes) {
            let count = dice.whole(5, 17) as u8;
            self.count[node] = count;
            self.origin[node] = dice.state();
            dice.jump(&SKIP_ROCKS[usize::from(count)]);
        }
    }

    /// The ship is at `node` and about to act.
    #[inline]
    pub fn warm(&self, node: u8) {
        prefetch(&raw const self.count[usize::from(node)], 1);
        prefetch(&raw const self.estimates[usize::from(node)], 1);
    }

    /// Rocks at `node`; none at the station.
    #[inline]
    pub fn count(&self, node: u8) -> u8 {
        self.count[usize::from(node)]
    }

    /// Whether slot `slot` of `node` holds a rock with something left.
    #[inline]
    pub fn live(&self, node: u8, slot: u8) -> bool {
        slot < self.count(node) && self.estimate(node, slot).depletion < 1.0
    }

    /// Draw the estimates of `node` if this is the first visit.
    pub fn visit(&mut self, node: u8) {
        if self.seen & (1 << node) != 0 {
            return;
        }
        self.seen |= 1 << node;
        let at = usize::from(node);
        let mut dice = Dice::at(self.origin[at]);
        for estimate in &mut self.estimates[at][..usize::from(self.count[at])] {
            dice.jump(&SKIP_TRUTH);
            *estimate = Estimate {
                composition: dice.dirichlet6(),
                stability: 0.5,
                confidence: 0.1,
                depletion: 0.0,
            };
        }
    }

    /// The estimates of a visited node.
    #[inline]
    pub fn estimates(&self, node: u8) -> &[Estimate] {
        let at = usize::from(node);
        &self.estimates[at][..usize::from(self.count[at])]
    }

    /// One estimate of a visited node.
    #[inline]
    pub fn estimate(&self, node: u8, slot: u8) -> &Estimate {
        &self.estimates[usize::from(node)][usize::from(slot)]
    }

    /// One estimate of a visited node, to change.
    #[inline]
    pub fn estimate_mut(&mut self, node: u8, slot: u8) -> &mut Estimate {
        &mut self.estimates[usize::from(node)][usize::from(slot)]
    }

    /// The truth of one rock, drawn if this is the first look.
    pub fn truth(&mut self, node: u8, slot: u8) -> Truth {
        let (at, index) = (usize::from(node), usize::from(slot));
        if self.known[at] & (1 << slot) == 0 {
            self.known[at] |= 1 << slot;
            self.truths[at][index] = self.draw_truth(node, slot);
        }
        self.truths[at][index]
    }

    /// The truth of one rock without remembering it.
    pub fn draw_truth(&self, node: u8, slot: u8) -> Truth {
        let mut dice = Dice::at(self.origin[usize::from(node)]);
        dice.jump(&SKIP_ROCKS[usize::from(slot)]);
        Truth {
            composition: dice.dirichlet6(),
            richness: clamp(dice.lognormal(-0.2, 0.65), 0.2, 4.0),
            stability: dice.beta32(),
            noise: dice.uniform((0.04, 0.22)),
        }
    }

    /// How much of a rock is gone; 0 where nobody has been.
    pub fn depletion(&self, node: u8, slot: u8) -> f32 {
        if self.seen & (1 << node) == 0 { 0.0 } else { self.estimate(node, slot).depletion }
    }

    /// Refuse rocks the rules could not index.
    pub fn check(&self) -> Result<(), String> {
        if self.count[0] != 0 || self.count.iter().any(|&count| usize::from(count) > ROCKS_MAX) {
            return Err(format!("rocks at the station, or more than {ROCKS_MAX} at a node"));
        }
        let estimates = self.seen_slots().map(|(node, slot)| &self.estimates[node][slot]);
        let shares = estimates.flat_map(|rock| {
            rock.composition.into_iter().chain([rock.stability, rock.confidence, rock.depletion])
        });
        if shares.into_iter().any(|share| !(0.0..=1.0).contains(&share)) {
            return Err("an estimate is not a share".to_owned());
        }
        Ok(())
    }

    fn seen_slots(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        slots(self.seen, self.count)
    }
}

/// The (node, slot) pairs of visited nodes, in order.
fn slots(seen: u32, count: [u8; NODES_MAX]) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..NODES_MAX)
        .filter(move |node| seen & (1 << node) != 0)
        .flat_map(move |node| (0..usize::from(count[node]).min(ROCKS_MAX)).map(move |s| (node, s)))
}

/// Only what has been looked at is stored. The truth is not: it can be drawn again.
impl Serialize for Rocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Seen<'a>(&'a Rocks);
        impl Serialize for Seen<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut seq = serializer.serialize_seq(Some(self.0.seen_slots().count()))?;
                for (node, slot) in self.0.seen_slots() {
                    seq.serialize_element(&self.0.estimates[node][slot])?;
                }
                seq.end()
            }
        }
        let mut stored = serializer.serialize_struct("Rocks", 4)?;
        stored.serialize_field("count", &self.count)?;
        stored.serialize_field("origin", &self.origin)?;
        stored.serialize_field("seen", &self.seen)?;
        stored.serialize_field("estimates", &Seen(self))?;
        stored.end()
    }
}

impl<'de> Deserialize<'de> for Rocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            count: [u8; NODES_MAX],
            origin: [u64; NODES_MAX],
            seen: u32,
            estimates: Vec<Estimate>,
        }
        let stored = Stored::deserialize(deserializer)?;
        let mut rocks =
            Self { count: stored.count, origin: stored.origin, seen: stored.seen, ..Self::EMPTY };
        let listed = slots(stored.seen, stored.count);
        if stored.estimates.len() != listed.clone().count() {
            return Err(de::Error::custom("the estimates do not match the visited rocks"));
        }
        for ((node, slot), estimate) in listed.zip(stored.estimates) {
            rocks.estimates[node][slot] = estimate;
        }
        Ok(rocks)
    }
}
