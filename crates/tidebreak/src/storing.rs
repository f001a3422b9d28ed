//! A battle as bytes, and back.

use astrarium_kernel::digest_bytes;

use crate::arena::Arena;
use crate::hash::LAYOUT;
use crate::sound;
use crate::state::State;

/// What every snapshot of a battle begins with.
const MAGIC: &[u8; 4] = b"TBS1";
/// Magic, layout of the state, hash of the package, hash of what follows.
const HEADER: usize = 4 + 4 + 8 + 8;

impl Arena {
    /// The state, with what is needed to refuse it elsewhere.
    ///
    /// # Panics
    /// Never: a state holds nothing that cannot be written.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let state = postcard::to_allocvec(&self.state).expect("a state is plain data");
        let mut bytes = Vec::with_capacity(HEADER + state.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&LAYOUT.to_le_bytes());
        bytes.extend_from_slice(&self.setup.package.hash().to_le_bytes());
        bytes.extend_from_slice(&digest_bytes(&state).to_le_bytes());
        bytes.extend_from_slice(&state);
        bytes
    }

    /// Go on from a snapshot of a battle of the same package.
    ///
    /// # Errors
    /// Why it is none; then nothing has changed.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        let state = self.read(bytes)?;
        self.restore(state);
        Ok(())
    }

    /// The state in a snapshot of a battle of the same package.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(&self, bytes: &[u8]) -> Result<State, String> {
        let (header, body) = bytes
            .split_at_checked(HEADER)
            .filter(|(header, _)| header.starts_with(MAGIC))
            .ok_or("these bytes are no snapshot of a battle")?;
        if header[4..8] != LAYOUT.to_le_bytes() {
            return Err("the snapshot is of another version; take it again".to_owned());
        }
        if header[8..16] != self.setup.package.hash().to_le_bytes() {
            return Err("the snapshot is of another package; restore it there".to_owned());
        }
        if header[16..24] != digest_bytes(body).to_le_bytes() {
            return Err("the snapshot is damaged".to_owned());
        }
        let state: State = postcard::from_bytes(body)
            .map_err(|error| format!("the snapshot is damaged: {error}"))?;
        sound::check(&self.setup, &state)?;
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::battle;
    use crate::doctrine::Doctrine;
    use crate::scenario::Scenario;
    use crate::setup::Setup;
    use crate::tick;

    fn duel(seed: u64) -> Arena {
        let scenario = Scenario::named("duel").expect("shipped");
        Arena::new(Arc::new(Setup::new(scenario.package(seed)).expect("sound")))
    }

    fn fought(arena: &mut Arena, ticks: u32) -> u64 {
        for _ in 0..ticks {
            battle::command(arena, &[Doctrine::Line, Doctrine::Pursuer], |_| false);
            tick::advance(arena);
        }
        arena.state.state_hash()
    }

    #[test]
    fn a_restored_battle_goes_on_as_if_it_had_never_stopped() {
        let (mut whole, mut parted) = (duel(5), duel(5));
        fought(&mut whole, 150);
        let kept = whole.snapshot();
        let end = fought(&mut whole, 60);
        parted.load(&kept).expect("of the same package");
        assert_eq!(fought(&mut parted, 60), end);
    }

    #[test]
    fn foreign_and_damaged_bytes_are_refused_and_change_nothing() {
        let mut arena = duel(5);
        let before = arena.state.state_hash();
        let mut damaged = arena.snapshot();
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        for (bytes, words) in [
            (b"nonsense".to_vec(), "no snapshot"),
            (damaged, "damaged"),
            (duel(6).snapshot(), "another package"),
        ] {
            let refused = arena.load(&bytes).expect_err(words);
            assert!(refused.contains(words), "{refused}");
        }
        assert_eq!(arena.state.state_hash(), before);
    }
}
