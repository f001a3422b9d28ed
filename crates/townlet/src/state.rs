//! The whole state of one town: flat, of fixed size, and nothing that depends on the machine.

use serde::{Deserialize, Serialize};

use crate::agent::{Agent, Presence};
use crate::annex::Annex;
use crate::chronicle::{Chronicle, Who};
use crate::commands::{Command, Pending};
use crate::crowd::Crowd;
use crate::draws::Draws;
use crate::events::Log;
use crate::hot::{Hot, PRICES};
use crate::numbers::{Micro, NONE};
use crate::perturbations::City;
use crate::reloading::Reloaded;
use crate::town::{STOCKS, Town};

/// One object as it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thing {
    /// Who has it, or [`NONE`].
    pub holder: u8,
    /// How many wait.
    pub waiting: u8,
    /// Blocked attempts while somebody waits.
    pub stalled: u8,
    /// How far the holder was, to see whether it comes closer.
    pub holder_distance: u16,
    /// Closed by this many events.
    pub closed: u8,
    /// What it holds.
    pub stock: [u16; STOCKS.len()],
}

/// A replacement on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// When it comes.
    pub due: u32,
    /// Whose place it takes.
    pub origin: u16,
}

/// Counts of the episode. What may grow by one for every agent in every tick is wider than ticks are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Exits by reason.
    pub exits: [u32; 8],
    /// Conditions of an exit that were met while nobody leaves.
    pub withheld: u32,
    /// Collapses that had to wait for their turn.
    pub hospitalised: u32,
    /// Arrivals.
    pub arrivals: u32,
    /// Orders that were not legal.
    pub invalid: u64,
    /// Decisions, and those that dropped an unfinished option.
    pub decisions: u64,
    /// Of those, dropped something unfinished.
    pub switches: u64,
    /// Requests refused because of a cooldown.
    pub cooldowns: u64,
    /// Ghost steps.
    pub ghosts: u64,
    /// Heads of queues passed over.
    pub rotations: u32,
    /// Conflicts.
    pub conflicts: u32,
    /// Their intensity.
    pub intensity: Micro,
    /// Affordances finished and failed.
    pub finished: u32,
    /// Failed.
    pub failed: u32,
    /// Meals eaten.
    pub meals: u32,
    /// Showers.
    pub showers: u32,
    /// Sleeps.
    pub sleeps: u32,
    /// Chats that went well.
    pub chats: u32,
    /// Chats that did not.
    pub snubs: u32,
    /// Shifts due, of which begun in time.
    pub shifts: u32,
    /// Begun in time.
    pub punctual: u32,
    /// Shifts missed.
    pub missed: u32,
    /// Late starts.
    pub late: u32,
    /// Help for those late.
    pub helped: u32,
    /// Rents not paid.
    pub unpaid: u32,
    /// Ticks whose reward was clipped.
    pub clipped: u64,
    /// Ticks of agents in play.
    pub lived: u64,
    /// Ticks of agents with all needs above 0.3.
    pub well: u64,
    /// City events.
    pub events: u32,
    /// Embedding slots given, and given too early.
    pub slots: u32,
    /// Given too early.
    pub forced: u32,
    /// Meals that two had together.
    pub shared_meals: u32,
    /// Shifts that somebody else took over.
    pub takeovers: u32,
    /// How good the chats that went well were, summed up.
    pub quality: Micro,
    /// Uses cut short by an outage.
    pub outages: u32,
}

/// One town.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The tick that comes next.
    pub tick: u32,
    /// Ties, chats, arrivals.
    pub world: Draws,
    /// City events.
    pub events: Draws,
    /// For policies sampled inside the town. Nothing here draws from it: whoever samples outside has
    /// streams of its own.
    pub policy: Draws,
    /// The seed, which names also hash with.
    pub seed: u64,
    /// Settings in force.
    pub hot: Hot,
    /// Prices in force, spikes included.
    pub prices: [Micro; PRICES],
    /// One per seat.
    pub agents: Vec<Agent>,
    /// Seats in play, by embedding slot.
    pub order: Vec<u8>,
    /// One per object.
    pub things: Vec<Thing>,
    /// Seats waiting, a row per object.
    pub queues: Vec<u8>,
    /// When an agent may ask for an object again, a row per seat.
    pub cooldowns: Vec<u32>,
    /// City events.
    pub city: City,
    /// Replacements on their way, oldest first.
    pub arrivals: Vec<Arrival>,
    /// Ids that persons descend from.
    pub names: Vec<String>,
    /// Persons so far under each.
    pub generations: Vec<u32>,
    /// Persons so far.
    pub persons: u32,
    /// Newcomers so far, for their traits.
    pub newcomers: u32,
    /// When each embedding slot was released; `u32::MAX` if never used, one less if in use.
    pub slots: Vec<u32>,
    /// Exits today.
    pub exits_today: u32,
    /// Exits of the employment queue today.
    pub dismissals_today: u32,
    /// No exit before.
    pub exit_after: u32,
    /// Commands not yet drained; before them, what reloads have left in force.
    pub pending: Vec<Pending>,
    /// Number of the next event, and what rules that are off by default remember.
    pub annex: Annex,
    /// Commands of the episode so far.
    pub commands: u64,
    /// Counts.
    pub tally: Tally,
    /// What is kept of the past.
    pub chronicle: Chronicle,
    /// Whose tile it is: seat + 1, or 0. Follows from the agents.
    #[serde(skip)]
    pub ground: Vec<u8>,
    /// Who wants to step where, within one phase.
    #[serde(skip)]
    pub claims: Vec<u8>,
    /// Who is near whom. Follows from the agents.
    #[serde(skip)]
    pub crowd: Crowd,
    /// Events of this step.
    #[serde(skip)]
    pub log: Log,
}

impl State {
    /// A town with room for everything and nobody in it.
    #[must_use]
    pub fn empty(town: &Town) -> Self {
        let objects = town.objects.len();
        let thing = |object: &crate::town::Object| Thing {
            holder: NONE,
            stock: object.stock,
            ..Thing::default()
        };
        Self {
            hot: town.hot,
            prices: town.hot.economy.prices,
            agents: vec![Agent::empty(); town.seats],
            order: Vec::with_capacity(town.seats),
            things: town.objects.iter().map(thing).collect(),
            queues: vec![NONE; objects * town.seats],
            cooldowns: vec![0; objects * town.seats],
            city: City::empty(town),
            arrivals: Vec::with_capacity(town.seats),
            chronicle: Chronicle::empty(town.seats),
            names: town.names.clone(),
            generations: vec![0; town.names.len()],
            slots: vec![u32::MAX; usize::from(town.document.embedding_allocator.max_slots)],
            ground: vec![0; town.grid.tiles()],
            claims: vec![0; town.grid.tiles()],
            annex: Annex::empty(town),
            ..Self::default()
        }
    }

    /// The nodes in force that are not the configuration's, after a reload of such nodes.
    #[must_use]
    pub fn reloaded(&self) -> Option<&Reloaded> {
        match self.pending.first() {
            Some(Pending { command: Command::Reloaded(nodes), .. }) => Some(nodes),
            _ => None,
        }
    }

    /// Tick of the day.
    #[inline]
    #[must_use]
    pub fn tod(&self, town: &Town) -> u32 {
        self.tick % town.day
    }

    /// Who stands where, worked out from the agents.
    pub fn stand(&mut self, town: &Town) {
        self.chronicle.make_room();
        self.ground.clear();
        self.ground.resize(town.grid.tiles(), 0);
        self.claims.clear();
        self.claims.resize(town.grid.tiles(), 0);
        for (seat, agent) in self.agents.iter().enumerate() {
            if agent.about() {
                self.ground[usize::from(agent.place())] = seat as u8 + 1;
            }
        }
        self.look_around(town);
    }

    /// Whether a tile is nobody else's.
    #[inline]
    #[must_use]
    pub fn open_to(&self, seat: usize, tile: u16) -> bool {
        let owner = usize::from(self.ground[usize::from(tile)]);
        owner == 0 || owner == seat + 1
    }

    /// Who is near whom, worked out from the agents.
    pub fn look_around(&mut self, town: &Town) {
        let mut crowd = std::mem::take(&mut self.crowd);
        crowd.note(town, self);
        self.crowd = crowd;
    }

    /// Seats in play, by embedding slot.
    pub fn sort(&mut self) {
        self.order.clear();
        for (seat, agent) in self.agents.iter().enumerate() {
            if agent.presence == Presence::Present {
                self.order.push(seat as u8);
            }
        }
        let agents = &self.agents;
        self.order.sort_unstable_by_key(|&seat| agents[usize::from(seat)].slot);
    }

    /// Where the person of this number sits, if still in play.
    #[must_use]
    pub fn seat_of(&self, serial: u32) -> Option<usize> {
        self.agents.iter().position(|agent| agent.present() && agent.serial == serial)
    }

    /// The id of the person in `seat`.
    #[must_use]
    pub fn id_of(&self, seat: usize) -> String {
        let agent = &self.agents[seat];
        self.name_of(Who { origin: agent.origin, generation: agent.generation })
    }

    /// The id of somebody who is or was in town.
    #[must_use]
    pub fn name_of(&self, Who { origin, generation }: Who) -> String {
        let name = self.names.get(usize::from(origin)).map_or("", String::as_str);
        if generation == 0 { name.to_owned() } else { format!("{name}#{generation}") }
    }
}
