//! The ship and its ledger.

use serde::{Deserialize, Serialize};

use crate::params::{CARGO_MAX, COMMODITIES, FUEL_MAX, ROCKS_MAX, SCALE_MAX, SUPPLY_MAX};

/// Everything aboard, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ship {
    /// Units in the tank.
    pub fuel: f32,
    /// Points left; none means destroyed.
    pub hull: f32,
    /// 0..100; damage beyond.
    pub heat: f32,
    /// Condition of the mining tool.
    pub tool: f32,
    /// How much noise the ship has made.
    pub alert: f32,
    /// Credits held.
    pub credits: f32,
    /// Units of each commodity.
    pub cargo: [f32; COMMODITIES],
    /// Repair kits, stabilizers, decoys.
    pub supplies: [u8; 3],
    /// Ticks of protection left from a burn.
    pub escape: u16,
    /// Ticks of stabilisation left, by slot.
    pub steady: [u8; ROCKS_MAX],
    /// Current node.
    pub node: u8,
    /// Selected slot.
    pub selected: Option<u8>,
}

/// Places in [`Ship::supplies`].
pub const KITS: usize = 0;
/// Places in [`Ship::supplies`].
pub const STABILIZERS: usize = 1;
/// Places in [`Ship::supplies`].
pub const DECOYS: usize = 2;

impl Ship {
    /// A ship at the start of an episode.
    pub const FRESH: Self = Self {
        fuel: FUEL_MAX,
        hull: SCALE_MAX,
        heat: 0.0,
        tool: SCALE_MAX,
        alert: 0.0,
        credits: 0.0,
        cargo: [0.0; COMMODITIES],
        supplies: [3, 2, 1],
        escape: 0,
        steady: [0; ROCKS_MAX],
        node: 0,
        selected: None,
    };

    /// Refuse gauges outside their scales.
    pub fn check(&self) -> Result<(), String> {
        let gauges = [self.hull, self.heat, self.tool, self.alert];
        let sound = (0.0..=FUEL_MAX).contains(&self.fuel)
            && gauges.iter().all(|gauge| (0.0..=SCALE_MAX).contains(gauge))
            && self.cargo.iter().all(|units| (0.0..=CARGO_MAX).contains(units))
            && (0.0..=f32::MAX).contains(&self.credits)
            && self.supplies.iter().all(|&count| count <= SUPPLY_MAX);
        if sound { Ok(()) } else { Err("a gauge of the ship is off its scale".to_owned()) }
    }

    /// Units aboard, all commodities together.
    #[inline]
    pub fn load(&self) -> f32 {
        self.cargo.iter().fold(0.0, |sum, units| sum + units)
    }

    /// Whether the ship is at the station.
    #[inline]
    pub const fn docked(&self) -> bool {
        self.node == 0
    }
}

/// Running figures of an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Ticks gone by.
    pub ticks: u32,
    /// Ticks left.
    pub time_left: f32,
    /// Credits paid out.
    pub spent: f32,
    /// Ticks of steps on which the ship overheated.
    pub overheat_ticks: u32,
    /// Times pirates came aboard.
    pub encounters: u32,
    /// Market value they took.
    pub value_lost: f32,
    /// Completed scans.
    pub scans: u32,
    /// Mining actions.
    pub mining_ticks: u32,
    /// Sum of (load share * ticks).
    pub load_ticks: f32,
}

impl Ledger {
    /// Refuse sums that could not have been reached in one episode.
    pub fn check(&self, time_max: f32) -> Result<(), String> {
        let sums = [self.spent, self.value_lost, self.load_ticks];
        let counts =
            [self.ticks, self.overheat_ticks, self.encounters, self.scans, self.mining_ticks];
        let sound = (0.0..=time_max).contains(&self.time_left)
            && sums.iter().all(|sum| (0.0..=f32::MAX).contains(sum))
            && counts.iter().all(|&count| count < 1 << 30);
        if sound { Ok(()) } else { Err("the ledger holds an impossible sum".to_owned()) }
    }
}
