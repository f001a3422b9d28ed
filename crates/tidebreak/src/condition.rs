//! What a hull can still do: the figures that follow from its parts, layer and flags.

use crate::setup::Setup;
use crate::state::{Fate, PARTS, Ships, Squadrons, flag};
use crate::tables::Reach;

/// Outputs of a hull, as places in `Ships::output`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Output {
    Propulsion = 0,
    Power = 1,
    Sensors = 2,
    Guns = 3,
    Tubes = 4,
    Deck = 5,
}

/// Compartments of a large hull, as places in `Ships::parts`.
pub mod compartment {
    #![allow(missing_docs, reason = "the names say it")]
    pub const BOW_BATTERY: usize = 0;
    pub const CIC: usize = 1;
    pub const BRIDGE: usize = 2;
    pub const MAGAZINE: usize = 3;
    pub const HANGAR: usize = 4;
    pub const REACTOR: usize = 5;
    pub const ENGINEERING: usize = 6;
    pub const QUARTERS: usize = 7;
    /// Bits of the neighbours of each: two rows of four with rungs between them.
    pub const NEIGHBOURS: [u8; 8] = [
        1 << 1 | 1 << 4,
        1 << 0 | 1 << 2 | 1 << 5,
        1 << 1 | 1 << 3 | 1 << 6,
        1 << 2 | 1 << 7,
        1 << 0 | 1 << 5,
        1 << 4 | 1 << 6 | 1 << 1,
        1 << 5 | 1 << 7 | 1 << 2,
        1 << 6 | 1 << 3,
    ];
}

impl Ships {
    /// Whether the hull is in the battle: afloat, on the map and nobody's prize.
    #[inline]
    #[must_use]
    pub fn fights(&self, row: usize) -> bool {
        self.fate[row] == Fate::Operational as u8
    }

    /// Whether leaving the map is what the hull was sent for, and it still does what it was sent for.
    #[inline]
    #[must_use]
    pub fn may_exit(&self, row: usize) -> bool {
        self.flags[row] & flag::MAY_EXIT != 0 && self.fights(row)
    }

    /// Whether the hull floats on the map, in whatever state.
    #[inline]
    #[must_use]
    pub fn afloat(&self, row: usize) -> bool {
        !self.sunk(row) && self.fate[row] != Fate::Exited as u8
    }

    /// Whether the hull makes enough way to leave a wake worth hearing.
    #[inline]
    #[must_use]
    pub fn leaves_wake(&self, setup: &Setup, row: usize) -> bool {
        self.surge[row].abs() > setup.tables.fields.wake_above && self.afloat(row)
    }

    /// Whether the hull lies on the bottom, with all that was aboard.
    #[inline]
    #[must_use]
    pub fn sunk(&self, row: usize) -> bool {
        let fate = self.fate[row];
        fate == Fate::Destroyed as u8 || fate == Fate::Scuttled as u8
    }

    /// Whether the hull is between two layers.
    #[inline]
    #[must_use]
    pub fn in_transition(&self, row: usize) -> bool {
        self.transition_length[row] > 0.0
    }

    /// Whether fires and leaks are expected to take the rest of the hull before its teams end them.
    #[must_use]
    pub fn past_saving(&self, setup: &Setup, row: usize) -> bool {
        let (damage, hull) = (&setup.tables.damage, &setup.hulls[row]);
        let leaks = self.wet[row].count_ones() as f32;
        let fires = self.burning[row].count_ones() as f32;
        let teams = damage.repair.teams[hull.size as usize] as f32;
        let engineering = self.skill(setup, row, self.engineering[row]);
        let seconds = |count: f32, teams: f32, base: f32, skilled: f32| {
            if count > 0.0 {
                (count / teams).max(1.0) / (base + skilled * engineering)
            } else {
                0.0
            }
        };
        let (fire, water) = (&damage.fire, &damage.flooding);
        let wet_s = seconds(leaks, teams, water.stop_base, water.stop_engineering);
        // Water goes first: fires that no team is left for wait until it is stopped.
        let (wait_s, left) = if leaks < teams { (0.0, teams - leaks) } else { (wet_s, teams) };
        let burning_s = wait_s + seconds(fires, left, fire.out_base, fire.out_engineering);
        let loss = leaks * water.hp_share_per_s * wet_s + fires * fire.hp_share_per_s * burning_s;
        let places = if hull.damage_tier == 2 { damage.compartment.count as f32 } else { 1.0 };
        leaks + fires > 0.0 && self.hp[row] / hull.hp <= loss / places
    }

    /// Everywhere the hull can be struck, as bits of [`Reach`].
    #[inline]
    #[must_use]
    pub fn places(&self, row: usize) -> u8 {
        let mut places = 1 << self.layer[row];
        if self.in_transition(row) {
            places |= 1 << self.layer_next[row] | Reach::TRANSIT;
        }
        if self.popup[row] != 0.0 {
            places |= Reach::SURFACE;
        }
        places
    }

    /// Velocity over ground without current, metres a second.
    #[must_use]
    pub fn velocity(&self, row: usize) -> (f32, f32) {
        let (cosine, sine) = self.bow[row];
        let (surge, sway) = (self.surge[row], self.sway[row]);
        (cosine * surge - sine * sway, sine * surge + cosine * sway)
    }

    /// A skill as tired people have it.
    #[inline]
    #[must_use]
    pub fn skill(&self, setup: &Setup, row: usize, skill: f32) -> f32 {
        skill * (1.0 - setup.tables.crew.skill.fatigue_loss * self.fatigue[row])
    }

    /// Work out what every part of the hull gives, and the flags that follow from it.
    pub fn refresh_output(&mut self, setup: &Setup, row: usize) {
        let output = match setup.hulls[row].damage_tier {
            2 => from_compartments(setup, &self.parts[row]),
            _ => from_components(setup, &self.parts[row]),
        };
        self.output[row] = output;
        let mut flags = self.flags[row];
        let mut tell = |bit: u16, on: bool| {
            flags = if on { flags | bit } else { flags & !bit };
        };
        let gives = |part: Output| output[part as usize] > 0.0;
        tell(flag::MOBILITY_LOST, !gives(Output::Propulsion));
        tell(flag::WEAPONS_LOST, !gives(Output::Guns) && !gives(Output::Tubes));
        tell(flag::SENSORS_LOST, !gives(Output::Sensors) || self.blinded[row] > 0);
        tell(flag::ON_FIRE, self.burning[row] != 0);
        tell(flag::FLOODING, self.wet[row] != 0);
        self.flags[row] = flags;
    }
}

/// Stages of a squadron, as in its column.
pub mod stage {
    #![allow(missing_docs, reason = "the names say it")]
    pub const ABOARD: u8 = 0;
    pub const LAUNCHING: u8 = 1;
    pub const FLYING: u8 = 2;
    pub const RETURNING: u8 = 3;
    pub const RECOVERING: u8 = 4;
    pub const GONE: u8 = 5;
}

impl Squadrons {
    /// Whether craft of this stage are in the air, where they see and can be shot at.
    #[inline]
    #[must_use]
    pub fn flies(stage: u8) -> bool {
        stage == stage::FLYING || stage == stage::RETURNING
    }
}

/// Small and medium hulls. Without power the electric parts run on half of what they had.
fn from_components(setup: &Setup, parts: &[f32; PARTS]) -> [f32; 6] {
    let mut output = [0.0; 6];
    for (given, &health) in output.iter_mut().zip(parts) {
        *given = setup.tables.damage.component.given(health);
    }
    let bare = setup.tables.damage.component.without_power;
    let electric = bare + (1.0 - bare) * output[Output::Power as usize];
    for given in &mut output[Output::Sensors as usize..] {
        *given *= electric;
    }
    output
}

/// Large hulls: what each system gives follows from the compartments it stands in.
fn from_compartments(setup: &Setup, parts: &[f32; PARTS]) -> [f32; 6] {
    let works = |place: usize| setup.tables.damage.component.given(parts[place]);
    let command_lost = works(compartment::REACTOR) <= 0.0 || works(compartment::CIC) <= 0.0;
    let factor =
        if command_lost { setup.tables.damage.compartment.command_lost_factor } else { 1.0 };
    let bare = setup.tables.damage.compartment.without_battery;
    let guns = bare + (1.0 - bare) * works(compartment::BOW_BATTERY);
    let sensors = 0.5 * (works(compartment::CIC) + works(compartment::BRIDGE));
    [
        works(compartment::ENGINEERING) * factor,
        works(compartment::REACTOR) * factor,
        sensors * factor,
        guns * factor,
        guns * factor,
        works(compartment::HANGAR) * factor,
    ]
}
