//! What plugins ask for. Resolvers sort by (source, plugin, sequence) and are the only writers.

use crate::scratch::Drive;
use crate::state::NOBODY;

/// Which plugin spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Plugin {
    Environment = 0,
    Helm = 1,
    FireControl = 2,
    Layer = 3,
    DamageControl = 4,
    Boarding = 5,
    Squadron = 6,
    ElectronicWarfare = 7,
    Objective = 8,
    Doctrine = 9,
}

/// Where a proposal comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// The entity that asks.
    pub source: u32,
    /// Through which plugin.
    pub plugin: Plugin,
    /// Which of its wishes in this tick.
    pub sequence: u16,
    /// The event that led to it, or 0.
    pub cause: u64,
    /// Root of the causal chain, or 0 where it begins here.
    pub trace: u64,
}

/// Set a hull's helm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetHelm {
    /// Who asks.
    pub origin: Origin,
    /// Row of the ship.
    pub ship: u32,
    /// -0.3..1.
    pub throttle: f32,
    /// -1..1.
    pub rudder: f32,
    /// What the hull makes of it in this tick.
    pub drive: Drive,
}

/// Let a mount that fires by itself shoot at something near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointDefence {
    /// Who asks.
    pub origin: Origin,
    /// Row of the mount.
    pub mount: u32,
    /// The entity: a missile, a squadron or a hull.
    pub target: u32,
}

/// Fire one mount at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FireWeapon {
    /// Who asks.
    pub origin: Origin,
    /// Row of the mount.
    pub mount: u32,
    /// Row of the shooter's own contact table.
    pub track: u8,
    /// Where, metres: the track led by the time of flight.
    pub aim: (f32, f32),
    /// The layer the warhead shall act in.
    pub at_layer: u8,
}

/// Begin, turn back or go on with a change of layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeLayer {
    /// Who asks.
    pub origin: Origin,
    /// Row of the ship.
    pub ship: u32,
    /// Wanted layer; the present one to abort.
    pub to: u8,
}

/// Drop a decoy, ping, scuttle, go shallow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UseUtility {
    /// Who asks.
    pub origin: Origin,
    /// Row of the ship.
    pub ship: u32,
    /// As in orders: 1 decoy, 2 ping, 3 jam, 4 board, 5 scuttle; and 6 to go shallow for a launch.
    pub what: u8,
}

/// Send a squadron off or call it back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchCraft {
    /// Who asks.
    pub origin: Origin,
    /// Row in the table of squadrons.
    pub squadron: u32,
    /// Where to.
    pub goal: (f32, f32),
    /// Back to a deck instead.
    pub recall: bool,
}

/// Ask for damage-control teams, the one thing aboard that several want at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reserve {
    /// Who asks.
    pub origin: Origin,
    /// Row of the ship.
    pub ship: u32,
    /// How many teams.
    pub amount: f32,
    /// Greater goes first.
    pub priority: u8,
}

/// Change a figure for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApplyModifier {
    /// Who asks.
    pub origin: Origin,
    /// Whose figure.
    pub target: u32,
    /// Which figure.
    pub stat: u8,
    /// 0 add, 1 multiply, 2 set.
    pub op: u8,
    /// By how much.
    pub value: f32,
    /// Ticks.
    pub ttl: u16,
}

/// How far a ship is with its objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Who asks.
    pub origin: Origin,
    /// Row of the ship.
    pub ship: u32,
    /// 0..1.
    pub value: f32,
    /// 1 met, -1 failed, 0 neither.
    pub settled: f32,
}

/// Buffers of one tick, allocated once.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the types say it")]
pub struct Proposals {
    pub helm: Vec<SetHelm>,
    pub point_defence: Vec<PointDefence>,
    pub fire: Vec<FireWeapon>,
    pub layers: Vec<ChangeLayer>,
    pub utilities: Vec<UseUtility>,
    pub craft: Vec<LaunchCraft>,
    pub reserve: Vec<Reserve>,
    pub modifiers: Vec<ApplyModifier>,
    pub progress: Vec<Progress>,
}

impl Proposals {
    /// Forget everything and keep the memory.
    pub fn clear(&mut self) {
        self.helm.clear();
        self.point_defence.clear();
        self.fire.clear();
        self.layers.clear();
        self.utilities.clear();
        self.craft.clear();
        self.reserve.clear();
        self.modifiers.clear();
        self.progress.clear();
    }

    /// How many proposals were made before the first resolver, all but those about objectives.
    #[must_use]
    pub fn len(&self) -> usize {
        self.helm.len()
            + self.point_defence.len()
            + self.fire.len()
            + self.layers.len()
            + self.utilities.len()
            + self.craft.len()
            + self.reserve.len()
            + self.modifiers.len()
    }

    /// Whether there is none of these.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visit all that `len` counts, buffer by buffer.
    pub fn each(&self, visit: &mut dyn FnMut(Wish)) {
        let mut tell = |origin, about, value| visit(Wish { origin, about, value });
        self.modifiers.iter().for_each(|one| tell(one.origin, one.target, one.value));
        self.helm.iter().for_each(|one| tell(one.origin, one.ship, one.throttle));
        self.fire.iter().for_each(|one| tell(one.origin, NOBODY, one.mount as f32));
        self.point_defence.iter().for_each(|one| tell(one.origin, one.target, one.mount as f32));
        self.layers.iter().for_each(|one| tell(one.origin, one.ship, f32::from(one.to)));
        self.utilities.iter().for_each(|one| tell(one.origin, one.ship, f32::from(one.what)));
        self.reserve.iter().for_each(|one| tell(one.origin, one.ship, one.amount));
        self.craft.iter().for_each(|one| tell(one.origin, NOBODY, f32::from(u8::from(one.recall))));
    }

    /// Visit the facts about objectives, which are proposed after combat.
    pub fn each_progress(&self, visit: &mut dyn FnMut(Wish)) {
        let wish =
            |fact: &Progress| Wish { origin: fact.origin, about: fact.ship, value: fact.value };
        self.progress.iter().map(wish).for_each(visit);
    }
}

/// A proposal of any kind as the journal keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// Who asks.
    pub origin: Origin,
    /// The entity it is about, or `NOBODY`.
    pub about: u32,
    /// What is asked for: throttle, mount, layer, amount, whatever the plugin deals with.
    pub value: f32,
}
