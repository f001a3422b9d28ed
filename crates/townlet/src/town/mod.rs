//! What is the same for all towns of a configuration and never changes: built once, shared.

mod build;
mod checks;
mod limits;
mod manifest;
mod strolls;
mod views;

use crate::conditions::Expr;
use crate::config::{Document, PerturbationKind};
use crate::grid::Grid;
use crate::hot::Hot;
use crate::numbers::{HUNGER, Micro, NEEDS, NONE};

pub use strolls::Strolls;
pub use views::{OPTION_NAMES, Sight, way};

/// Stock an object may hold.
pub const STOCKS: [&str; 4] = ["meals", "raw_ingredients", "food_raw", "sleep_slots"];
/// Things an agent may carry.
pub const ITEMS: [&str; 3] = ["food_raw", "meal", "clothes_clean"];
/// Index of `food_raw` among the items.
pub const FOOD_RAW: usize = 0;
/// Index of `meal`.
pub const MEAL: usize = 1;
/// Index of `clothes_clean`.
pub const CLOTHES: usize = 2;
/// Where objects may belong.
pub const VENUES: [&str; 6] = ["home", "gym", "cafe", "grocer", "office", "park"];
/// Types whose nearest object every agent is shown the way to.
pub const TARGETS: [&str; 5] = ["fridge", "stove", "bed", "shower", "till"];

/// One object.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Its name.
    pub id: String,
    /// Index of its type.
    pub kind: u8,
    /// Its tile.
    pub tile: u16,
    /// Index of its venue, or [`NONE`].
    pub venue: u8,
    /// What it holds at first.
    pub stock: [u16; STOCKS.len()],
    /// Whether it is wired.
    pub power: bool,
    /// Whether it is plumbed.
    pub water: bool,
    /// The object whose stock is used here: a till sells from a shelf.
    pub store: u8,
}

/// What a finished or failed affordance sets off, besides its effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooked {
    /// Meals that overlap at one venue are shared.
    pub eat: bool,
    /// Counts a shower.
    pub shower: bool,
    /// Counts a sleep.
    pub sleep: bool,
    /// Counts what was cooked.
    pub cook: bool,
    /// Reports the failure of the power.
    pub no_power: bool,
}

/// One thing that can be done.
#[derive(Clone, Debug)]
pub struct Affordance {
    /// Its name.
    pub id: String,
    /// Type of object, or [`NONE`].
    pub kind: u8,
    /// Ticks.
    pub duration: u32,
    /// Change of needs.
    pub effects: [Micro; NEEDS],
    /// Things gained.
    pub gains: [u16; ITEMS.len()],
    /// Things used up.
    pub uses: [u16; ITEMS.len()],
    /// Stock used up.
    pub stock: [u16; STOCKS.len()],
    /// Whether the stock comes back.
    pub returns: bool,
    /// Index of the price, or [`NONE`].
    pub price: u8,
    /// Item that may replace the price, or [`NONE`].
    pub instead: u8,
    /// Needs power all along.
    pub power: bool,
    /// Needs water all along.
    pub water: bool,
    /// What must hold at the start, and how it was written.
    pub preconds: Vec<(Expr, String)>,
    /// What of that can be told before one goes there.
    pub telling: Vec<Expr>,
    /// What it sets off.
    pub hooked: Hooked,
    /// Which of the things the options know it is, also after a reload.
    pub part: Part,
}

impl Affordance {
    /// The need it is there for: what it lifts most, or what the things it brings are good for.
    #[must_use]
    pub fn serves(&self) -> Option<usize> {
        let lifted = (0..NEEDS).filter(|&need| self.effects[need] > 0);
        let most = lifted.max_by_key(|&need| self.effects[need]);
        most.or_else(|| (self.gains[FOOD_RAW] + self.gains[MEAL] > 0).then_some(HUNGER))
    }
}

/// What an affordance is to the options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// Cooking.
    Cook,
    /// A meal of one's own.
    Packed,
    /// Groceries.
    Buy,
    /// Sleep.
    Sleep,
    /// Anything else.
    #[default]
    Other,
}

/// One job.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name.
    pub id: String,
    /// First tick of the day.
    pub start: u32,
    /// First tick after it.
    pub end: u32,
    /// Pay per tick.
    pub wage: Micro,
    /// Once per late shift.
    pub lateness: Micro,
    /// Where.
    pub tile: u16,
    /// How near.
    pub radius: u16,
    /// Most holders.
    pub capacity: u16,
    /// Its own grace, cutoff, slack.
    pub windows: [Option<u32>; 3],
    /// Its own penalties: late tick, absence.
    pub penalties: [Option<Micro>; 2],
}

/// One kind of city event.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Its name.
    pub id: String,
    /// What it does.
    pub kind: PerturbationKind,
    /// Chance per tick.
    pub chance: f64,
    /// Rest after one.
    pub cooldown: u32,
    /// Least and most ticks.
    pub duration: [u32; 2],
    /// Least and most factor.
    pub magnitude: [Micro; 2],
    /// Bits of the prices each target raises, objects, or venues; by kind.
    pub targets: Vec<u8>,
    /// Agents of a meet.
    pub participants: u8,
}

/// The affordances the options know, by index, or [`NONE`] where the manifest has none.
#[derive(Clone, Copy, Debug)]
pub struct Roles {
    /// A bought meal.
    pub eat: u8,
    /// Cooking.
    pub cook: u8,
    /// A meal of one's own.
    pub packed: u8,
    /// A shower.
    pub shower: u8,
    /// Fresh clothes.
    pub clothes: u8,
    /// Sleep.
    pub sleep: u8,
    /// Groceries.
    pub buy: u8,
}

impl Default for Roles {
    fn default() -> Self {
        let none = NONE;
        Self {
            eat: none,
            cook: none,
            packed: none,
            shower: none,
            clothes: none,
            sleep: none,
            buy: none,
        }
    }
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Town {
    /// As written.
    pub document: Document,
    /// Agent seats.
    pub seats: usize,
    /// Ticks of a day.
    pub day: u32,
    /// The ground.
    pub grid: Grid,
    /// Names of object types.
    pub kinds: Vec<String>,
    /// Objects.
    pub objects: Vec<Object>,
    /// Objects of each type.
    pub by_kind: Vec<Vec<u8>>,
    /// What can be done, and after that what some still do under an older manifest.
    pub affordances: Vec<Affordance>,
    /// How many of them can be begun.
    pub offered: usize,
    /// Affordances of each type of object, by id.
    pub of_kind: Vec<Vec<u8>>,
    /// Those the options use.
    pub roles: Roles,
    /// Jobs.
    pub jobs: Vec<Job>,
    /// City events, and after them those that still go on under older specs.
    pub specs: Vec<Spec>,
    /// How many of them may happen again.
    pub drawn: usize,
    /// Distances: objects, then jobs, then homes; one grid each.
    pub fields: Vec<u16>,
    /// How far it is to whoever is near.
    pub strolls: Strolls,
    /// Beds, whose homes are dealt out in this order.
    pub beds: Vec<u8>,
    /// The home tile of each bed.
    pub homes: Vec<u16>,
    /// Where newcomers arrive.
    pub bus_stop: u16,
    /// A tile to meet at, per venue.
    pub venues: [u16; VENUES.len()],
    /// Which tiles are under a roof, where there is weather.
    pub roofs: Vec<bool>,
    /// Settings at the start.
    pub hot: Hot,
    /// What agents see and where.
    pub sight: Sight,
    /// Ids of the first residents.
    pub names: Vec<String>,
}

impl Town {
    /// Steps from `tile` to a destination.
    #[inline]
    #[must_use]
    pub fn distance(&self, destination: usize, tile: u16) -> u16 {
        self.fields[destination * self.grid.tiles() + usize::from(tile)]
    }

    /// Steps from one tile to where somebody on another can be talked to, and on to that one; nothing
    /// if they are out of earshot of each other.
    #[inline]
    #[must_use]
    pub fn stroll(&self, from: u16, to: u16) -> Option<u16> {
        self.strolls.steps(&self.grid, from, to)
    }

    /// Whether a tile is under a roof; without weather nobody asks.
    #[inline]
    #[must_use]
    pub fn sheltered(&self, tile: u16) -> bool {
        self.roofs.get(usize::from(tile)).copied().unwrap_or(true)
    }

    /// The destination of job `job`.
    #[must_use]
    pub fn site(&self, job: u8) -> usize {
        self.objects.len() + usize::from(job)
    }

    /// The destination of the home of bed number `bed`.
    #[must_use]
    pub fn home(&self, bed: u8) -> usize {
        self.objects.len() + self.jobs.len() + usize::from(bed)
    }
}
