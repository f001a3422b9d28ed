//! Where damage-control teams are needed.

use crate::proposals::{Origin, Plugin, Reserve};
use crate::setup::Setup;
use crate::state::{PARTS, Ships, State};

/// What a reservation is for: teams against water, against fire, for repair.
pub mod teams {
    #![allow(missing_docs, reason = "the names say it")]
    pub const WATER: u8 = 3;
    pub const FIRE: u8 = 2;
    pub const REPAIR: u8 = 1;
}

/// What the plugin reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    setup: &'a Setup,
    fate: &'a [u8],
    hp: &'a [f32],
    parts: &'a [[f32; PARTS]],
    burning: &'a [u8],
    wet: &'a [u8],
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        let Ships { fate, hp, parts, burning, wet, .. } = &state.ships;
        Self { setup, fate, hp, parts, burning, wet }
    }
}

/// One team for every fire and every leak, all that are left for repair.
pub fn propose(view: &View<'_>, out: &mut Vec<Reserve>) {
    for ship in 0..view.fate.len() {
        let hull = &view.setup.hulls[ship];
        let worn = view.hp[ship] < hull.hp || view.parts[ship].iter().any(|&health| health < 1.0);
        let troubled = view.burning[ship] | view.wet[ship] != 0;
        if view.fate[ship] != 0 || !(worn || troubled) {
            continue;
        }
        let all = view.setup.tables.damage.repair.teams[hull.size as usize] as f32;
        let wishes = [
            (teams::WATER, view.wet[ship].count_ones() as f32),
            (teams::FIRE, view.burning[ship].count_ones() as f32),
            (teams::REPAIR, all),
        ];
        for (sequence, (priority, amount)) in wishes.into_iter().enumerate() {
            let origin = Origin {
                source: ship as u32,
                plugin: Plugin::DamageControl,
                sequence: sequence as u16,
                cause: 0,
                trace: 0,
            };
            if amount > 0.0 {
                let ship = ship as u32;
                out.push(Reserve { origin, ship, amount, priority });
            }
        }
    }
}
