//! The social block: two friends, two rivals, and how things stand altogether.

use crate::agent::{TIES, Tie};
use crate::numbers::{Micro, float};
use crate::state::State;
use crate::town::Town;

/// Friends shown, then as many rivals.
const EACH: usize = 2;
/// Floats of one of them.
const SLOT: usize = 11;

/// Write the social block of `seat`.
pub fn write(town: &Town, state: &State, seat: usize, row: &mut [f32]) {
    let block = town.sight.social;
    let out = &mut row[block.at..][..block.len];
    out.fill(0.0);
    let agent = &state.agents[seat];
    let count = usize::from(agent.known);
    if !town.sight.ties || count == 0 {
        return;
    }
    let mut ties = [Tie::default(); TIES];
    ties[..count].copy_from_slice(&agent.ties[..count]);
    let ties = &mut ties[..count];
    let liking = |tie: &Tie| tie.trust + tie.familiarity - tie.rivalry;
    ties.sort_by_key(|tie| (-liking(tie), tie.other));
    for (place, tie) in ties.iter().take(EACH).enumerate() {
        slot(state, tie, &mut out[place * SLOT..][..SLOT]);
    }
    let sum = |value: fn(&Tie) -> Micro, ties: &[Tie]| ties.iter().map(value).sum::<Micro>();
    let most = |value: fn(&Tie) -> Micro, ties: &[Tie]| ties.iter().map(value).max().unwrap_or(0);
    let all = count as i64;
    let totals = [
        sum(|tie| tie.trust, ties) / all,
        most(|tie| tie.trust, ties),
        sum(|tie| tie.rivalry, ties) / all,
        most(|tie| tie.rivalry, ties),
    ];
    for (out, value) in out[2 * EACH * SLOT..].iter_mut().zip(totals) {
        *out = float(value) as f32;
    }
    ties.sort_by_key(|tie| (-tie.rivalry, tie.other));
    let rivals = ties.iter().filter(|tie| tie.rivalry > 0).take(EACH);
    for (place, tie) in rivals.enumerate() {
        slot(state, tie, &mut out[(EACH + place) * SLOT..][..SLOT]);
    }
}

fn slot(state: &State, tie: &Tie, out: &mut [f32]) {
    let sign = state.agents[usize::from(tie.other)].sign;
    for (out, byte) in out.iter_mut().zip(sign) {
        *out = f32::from(byte) / 255.0;
    }
    for (out, value) in out[8..].iter_mut().zip([tie.trust, tie.familiarity, tie.rivalry]) {
        *out = float(value) as f32;
    }
}
