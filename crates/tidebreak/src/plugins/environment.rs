//! Waters that slow hulls down.

use crate::modifiers::{Change, Stat};
use crate::package::ZoneKind;
use crate::proposals::{ApplyModifier, Origin, Plugin};
use crate::setup::Setup;
use crate::state::{Ships, State};

/// What the plugin reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    setup: &'a Setup,
    fate: &'a [u8],
    x: &'a [f32],
    y: &'a [f32],
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        let Ships { fate, x, y, .. } = &state.ships;
        Self { setup, fate, x, y }
    }
}

/// A change of speed for every hull in every zone that has one.
pub fn propose(view: &View<'_>, out: &mut Vec<ApplyModifier>) {
    let zones = &view.setup.zones;
    if zones.is_empty() {
        return;
    }
    for ship in 0..view.fate.len() {
        for (number, zone) in zones.iter().enumerate() {
            if zone.kind != ZoneKind::Speed || view.fate[ship] != 0 {
                continue;
            }
            if zone.shape.outside(view.x[ship], view.y[ship]).0 > 0.0 {
                continue;
            }
            let origin = Origin {
                source: ship as u32,
                plugin: Plugin::Environment,
                sequence: number as u16,
                cause: 0,
                trace: 0,
            };
            let (stat, op) = (Stat::Speed as u8, Change::Multiply as u8);
            let (target, value) = (ship as u32, zone.intensity);
            out.push(ApplyModifier { origin, target, stat, op, value, ttl: 1 });
        }
    }
}
