//! Orders as the arena keeps them: eight bytes, nothing finer.

use serde::{Deserialize, Serialize};

/// Choices of each head, in the order of the mask: throttle, rudder, target, gun, torpedo,
/// missile, special, layer, emission, utility, damage control.
pub const HEADS: [u32; 11] = [5, 5, 17, 2, 2, 2, 2, 4, 4, 6, 4];
/// Entries of one ship's mask.
pub const CHOICES: usize = 53;

/// Who stands behind a set-point; the greater wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Origin {
    /// Nobody: the hull keeps what it had.
    Autopilot = 0,
    /// A native doctrine.
    Doctrine = 1,
    /// A player or policy.
    External = 2,
}

/// One ship's orders for a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// -127..127 for -1..1; negative means astern, up to 0.3 of full speed.
    pub throttle: i8,
    /// -127..127, positive to port (counter-clockwise).
    pub rudder: i8,
    /// 0 for none, else 1 + the row of the contact table as last observed.
    pub target: u8,
    /// Bits 0..3: gun, torpedo, missile, special.
    pub fire: u8,
    /// Low nibble layer {hold, up, down, abort}, high nibble emission {keep, silent, passive, active}.
    pub layer_emission: u8,
    /// {none, decoy, ping, jam, board, scuttle}.
    pub utility: u8,
    /// Where damage-control teams go: {hull, propulsion, weapons, sensors}.
    pub damage_control: u8,
    /// Always 0.
    pub reserved: u8,
}

impl Order {
    /// {hold, up, down, abort}.
    #[must_use]
    pub fn layer(self) -> u8 {
        self.layer_emission & 0x0f
    }

    /// {keep, silent, passive, active}.
    #[must_use]
    pub fn emission(self) -> u8 {
        self.layer_emission >> 4
    }

    /// The eight bytes, as they are logged.
    #[must_use]
    pub fn bytes(self) -> [u8; 8] {
        [
            self.throttle as u8,
            self.rudder as u8,
            self.target,
            self.fire,
            self.layer_emission,
            self.utility,
            self.damage_control,
            self.reserved,
        ]
    }

    /// From the log.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        let [throttle, rudder, target, fire, layer_emission, utility, damage_control, reserved] =
            bytes;
        Self {
            throttle: throttle as i8,
            rudder: rudder as i8,
            target,
            fire,
            layer_emission,
            utility,
            damage_control,
            reserved,
        }
    }
}
