//! One number for a whole state, and the way through every column that snapshots are compared by.

use xxhash_rust::xxh64::Xxh64;

use crate::columns::{Cell, Column};
use crate::orders::Order;
use crate::state::{Sky, State, Tally};

/// Changes whenever the columns do.
pub(crate) const LAYOUT: u32 = 3;

impl Cell for Order {
    fn feed(self, hasher: &mut Xxh64) {
        hasher.update(&self.bytes());
    }
}

impl Cell for Sky {
    fn feed(self, hasher: &mut Xxh64) {
        self.sea_state.feed(hasher);
        self.visibility_km.feed(hasher);
        self.rain.feed(hasher);
        self.wind.feed(hasher);
        self.lightning.feed(hasher);
    }
}

impl Cell for Tally {
    fn feed(self, hasher: &mut Xxh64) {
        let Self {
            shots,
            hits,
            kills,
            captures,
            surrenders,
            transitions,
            botched,
            collisions,
            detections,
            rejected_orders,
        } = self;
        for count in [shots, hits, kills, captures, surrenders] {
            count.feed(hasher);
        }
        for count in [transitions, botched, collisions, detections, rejected_orders] {
            count.feed(hasher);
        }
    }
}

impl State {
    /// XXH64 of everything that decides how the battle goes on, in one order on every machine.
    #[must_use]
    pub fn state_hash(&mut self) -> u64 {
        let mut hasher = Xxh64::new(0);
        LAYOUT.feed(&mut hasher);
        self.seed.feed(&mut hasher);
        self.tick.feed(&mut hasher);
        self.substep.feed(&mut hasher);
        self.next_id.feed(&mut hasher);
        self.for_each_column(&mut |_, _, column| column.feed_all(&mut hasher));
        self.sky.feed(&mut hasher);
        self.fields.hash().feed(&mut hasher);
        self.wakes.hash().feed(&mut hasher);
        self.dealt_by_nature.feed(&mut hasher);
        self.tally.feed(&mut hasher);
        self.outcome.ended_by.feed(&mut hasher);
        self.outcome.winner.feed(&mut hasher);
        hasher.digest()
    }

    /// Visit every column with the name of its table, in one order.
    pub fn for_each_column(&self, visit: &mut dyn FnMut(&'static str, &'static str, &dyn Column)) {
        macro_rules! tables {
            ($($name:literal: $table:expr),* $(,)?) => {
                $($table.for_each_column(&mut |column, cells| visit($name, column, cells));)*
            };
        }
        tables! {
            "ships": self.ships,
            "mounts": self.mounts,
            "rounds": self.rounds,
            "decoys": self.decoys,
            "mines": self.mines,
            "squadrons": self.squadrons,
            "tracks": self.beliefs.tracks,
            "links": self.beliefs.links,
            "modifiers": self.modifiers,
            "storms": self.storms,
            "marks": self.marks,
        }
        visit("beliefs", "used", &self.beliefs.used);
        visit("beliefs", "next_number", &self.beliefs.next_number);
        visit("beliefs", "shown", &self.beliefs.shown);
        visit("beliefs", "shown_count", &self.beliefs.shown_count);
        visit("teams", "value", &self.team_value);
        visit("ships", "objective", &self.objectives);
        visit("ships", "terms", &self.terms);
        visit("ships", "orders", &self.orders);
    }
}
