//! Random legal orders, the helm held for a while: the floor every other player must rise above.

use super::knowledge::Sight;
use super::plan::Choices;
use crate::draws::{Draw, Draws};
use crate::orders::HEADS;
use crate::tables::DoctrineFigures;

/// Heads that steer: throttle and rudder.
const HELM: usize = 2;
/// What a drifter never does: give up its own ship.
const SCUTTLE: usize = 5;
const UTILITY: usize = 9;

/// What a drifter does.
#[must_use]
pub fn decide(sight: &Sight, figures: &DoctrineFigures) -> Choices {
    let draws = Draws::of(sight.seed);
    let [least, most] = figures.hold_s;
    let held = least + (most - least) * draws.unit(Draw::Doctrine, sight.ship, 0, 0);
    let stretch = (sight.tick as f32 / held.max(1.0)) as u32;
    let mut choices: Choices = [0; HEADS.len()];
    let mut first = 0;
    for (head, choice) in choices.iter_mut().enumerate() {
        let size = HEADS[head] as usize;
        let moment = if head < HELM { stretch } else { sight.tick };
        let drawn = draws.unit(Draw::Doctrine, sight.ship, moment, 1 + head as u32);
        *choice = pick(&sight.mask[first..first + size], drawn, head == UTILITY);
        first += size;
    }
    choices
}

/// One of the legal entries of a head.
fn pick(legal: &[u8], drawn: f32, spare_the_ship: bool) -> u8 {
    let open = |at: usize| legal[at] != 0 && !(spare_the_ship && at == SCUTTLE);
    let count = (0..legal.len()).filter(|&at| open(at)).count();
    let wanted = (drawn * count as f32) as usize;
    let found = (0..legal.len()).filter(|&at| open(at)).nth(wanted.min(count.saturating_sub(1)));
    found.unwrap_or(0) as u8
}
