//! Changes of figures begin, last and end.

use crate::proposals::Proposals;
use crate::scratch::Scratch;
use crate::state::{Modifier, State};

/// Let what lasts grow older, drop what is over, add what was asked for. Rows stay by target.
pub fn resolve(state: &mut State, proposals: &Proposals, scratch: &mut Scratch) {
    let modifiers = &mut state.modifiers;
    if !modifiers.is_empty() {
        scratch.kept.clear();
        for ttl in &mut modifiers.ttl {
            *ttl = ttl.saturating_sub(1);
            scratch.kept.push(*ttl > 0);
        }
        modifiers.keep(&scratch.kept);
    }
    for wish in &proposals.modifiers {
        let row = Modifier {
            target: wish.target,
            stat: wish.stat,
            op: wish.op,
            value: wish.value,
            ttl: wish.ttl,
        };
        let mut at = modifiers.len();
        modifiers.push(row);
        while at > 0 && modifiers.target[at - 1] > row.target {
            modifiers.set(at, modifiers.row(at - 1));
            at -= 1;
        }
        modifiers.set(at, row);
    }
}
