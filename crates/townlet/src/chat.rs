//! Chats: two who stand together, a chance that it goes well, and what it leaves behind.

use crate::chronicle;
use crate::config::Stage;
use crate::events::{Event, bit, figure};
use crate::numbers::{Micro, NONE, ONE, float, micro, scaled};
use crate::relations::{self, Change};
use crate::state::State;
use crate::town::Town;

/// Whether `seat` could talk to `other` if they stood together.
#[must_use]
pub fn eligible(town: &Town, state: &State, seat: usize, other: usize) -> bool {
    let listener = &state.agents[other];
    town.document.features.stages.relationships != Stage::Off
        && seat != other
        && listener.about()
        && listener.running == NONE
        && !relations::avoids(state, seat, other)
}

/// Whether they stand together and the speaker may speak.
#[must_use]
pub fn within_reach(town: &Town, state: &State, seat: usize, other: usize) -> bool {
    let (speaker, listener) = (&state.agents[seat], &state.agents[other]);
    state.tick >= speaker.chat_after
        && town.grid.chebyshev(speaker.tile, listener.tile) <= 1
        && eligible(town, state, seat, other)
}

/// The chance that a chat goes well.
#[must_use]
pub fn chance(town: &Town, state: &State, seat: usize, other: usize) -> Micro {
    let tie = state.agents[seat].tie(other);
    let base = micro(town.document.relationships.chat_success);
    let warm = scaled(base, ONE + 3 * tie.trust / 10);
    scaled(warm, ONE + tie.familiarity / 5).clamp(0, 980_000)
}

/// How good a chat is that goes well.
#[must_use]
pub fn quality(state: &State, seat: usize, other: usize) -> Micro {
    let agent = &state.agents[seat];
    let tie = agent.tie(other);
    let sum =
        ONE / 2 + 3 * agent.traits[0] / 10 + tie.trust / 5 + tie.familiarity / 10 - tie.rivalry / 5;
    sum.clamp(ONE / 10, ONE)
}

/// One speaks to the other; whether it went well. Nothing if they no longer stand together.
pub fn talk(town: &Town, state: &mut State, seat: usize, other: usize) -> Option<bool> {
    if !within_reach(town, state, seat, other) {
        return None;
    }
    state.agents[seat].chat_after =
        state.tick + 1 + town.document.relationships.chat_cooldown_ticks;
    let chance = chance(town, state, seat, other);
    let rival = relations::avoids(state, other, seat);
    let well = state.world.happens(chance) && !rival;
    let quality = quality(state, seat, other);
    pay(town, state, [seat, other], well, quality);
    conclude(town, state, [seat, other], well, quality);
    Some(well)
}

/// What a chat leaves behind, be it of their own accord or not.
pub fn conclude(town: &Town, state: &mut State, pair: [usize; 2], well: bool, quality: Micro) {
    let [speaker, listener] = pair;
    if well {
        state.tally.chats += 1;
        state.tally.quality += quality;
        let event = Event::new("chat_success").of(speaker).with(listener);
        state.tell(event.value(figure(quality)));
        for (owner, other) in [(speaker, listener), (listener, speaker)] {
            let mut by = Change::chat(quality);
            if town.document.features.relationship_modifiers {
                by.familiarity += state.agents[owner].traits[0] / 50;
            }
            relations::change(town, state, [owner, other], by, false);
        }
    } else {
        state.tally.snubs += 1;
        state.tell(Event::new("chat_failure").of(speaker).with(listener));
        chronicle::quarrel(state, pair, NONE, "chat_failure", Change::SNUBBED, 0);
        relations::both(town, state, pair, Change::SNUBBED, false);
    }
    for seat in pair {
        let bits = if well { bit("chat_success") } else { bit("chat_failure") };
        state.agents[seat].now.bits |= bits;
    }
}

/// What the two of a chat get or lose by it, as their ties stand before it.
fn pay(
    town: &Town,
    state: &mut State,
    [speaker, listener]: [usize; 2],
    well: bool,
    quality: Micro,
) {
    let stage = town.document.features.stages.social_rewards;
    if stage < Stage::C1 {
        return;
    }
    let social = &town.document.rewards.social;
    if !well {
        state.agents[speaker].now.penalty -= 0.5 * social.chat_base;
        state.agents[listener].now.penalty -= 0.25 * social.chat_base;
        return;
    }
    for (owner, other) in [(speaker, listener), (listener, speaker)] {
        let tie = state.agents[owner].tie(other);
        let warmth = social.chat_base + 0.3 * float(tie.trust) + 0.2 * float(tie.familiarity);
        let mut bonus = social.chat_scale * float(quality) * warmth;
        if stage >= Stage::C3 {
            bonus *= (1.0 + 0.2 * float(tie.trust - tie.rivalry)).clamp(0.5, 1.5);
        }
        state.agents[owner].now.bonus += bonus;
    }
}
