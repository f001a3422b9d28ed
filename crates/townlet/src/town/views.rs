//! What agents see, worked out once: sizes, names, places of blocks, tables.

use super::{TARGETS, Town};
use crate::config::{ActionMode, FeatureLayout, Stage, Variant};
use crate::grid::FAR;
use crate::hashes::blake2s;
use crate::numbers::NONE;

/// Names of the options, in order.
pub const OPTION_NAMES: [&str; 8] =
    ["Wait", "GetFed", "GetClean", "GoToWork", "ShopGroceries", "Sleep", "Socialise", "GoHome"];
/// Names of the primitives, in order.
pub const PRIMITIVE_NAMES: [&str; 22] = [
    "wait",
    "move_north",
    "move_east",
    "move_south",
    "move_west",
    "request_0",
    "request_1",
    "request_2",
    "request_3",
    "start_0",
    "start_1",
    "start_2",
    "start_3",
    "release",
    "talk_0",
    "talk_1",
    "talk_2",
    "talk_3",
    "buy",
    "use_item",
    "sleep",
    "equip",
];

/// Features every variant begins with.
pub const BASE: usize = 33;
/// Features of the social block.
pub const SOCIAL: usize = 48;
/// Features of the status block.
pub const STATUS: usize = 18;
/// The hours of work.
pub const HOURS: usize = 2;
/// The weather and what it does.
pub const WEATHER: usize = 4;

/// Where a block of features begins and how long it is; length 0 if it is absent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    /// First feature.
    pub at: usize,
    /// How many.
    pub len: usize,
}

/// Sizes and tables of the observation.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    /// Side of the window; 0 if there is no map.
    pub window: usize,
    /// Whether the two path channels are there.
    pub paths: bool,
    /// Types with a channel of their own, and whether the walkable channel is there.
    pub kinds: Vec<u8>,
    /// Whether the walkable channel is there.
    pub walkable: bool,
    /// Floats of the map.
    pub map: usize,
    /// Floats of an agent's row.
    pub width: usize,
    /// Choices of the head.
    pub choices: usize,
    /// Whether options are chosen.
    pub options: bool,
    /// Targets shown (7 or 4), with three floats each.
    pub targets: Block,
    /// Traits.
    pub personality: Block,
    /// Ties.
    pub social: Block,
    /// Status.
    pub status: Block,
    /// The hours of work.
    pub hours: Block,
    /// The weather and what it does.
    pub weather: Block,
    /// Whether ties are shown.
    pub ties: bool,
    /// The ground with a border of half a window: 1 where an object stands.
    pub objects: Vec<f32>,
    /// The same for walkable tiles.
    pub floor: Vec<f32>,
    /// Width of the bordered ground.
    pub stride: usize,
    /// Way to the nearest object of each of [`TARGETS`], per tile: dx, dy, distance.
    pub ways: Vec<f32>,
    /// Sine and cosine of the time of day.
    pub clock: Vec<[f32; 2]>,
    /// The hash of each action's name, as a share of the largest.
    pub actions: Vec<f32>,
    /// Objects per window, to divide counts by.
    pub cells: f32,
    /// Whether counts are shares of the window.
    pub shares: bool,
}

impl Sight {
    /// As the document says.
    #[must_use]
    pub fn of(town: &Town) -> Self {
        let document = &town.document;
        let seen = &document.observations;
        let variant = document.features.systems.observations;
        let compact = variant == Variant::Compact;
        let side = if compact { seen.compact.map_window } else { seen.hybrid.local_window };
        let kinds: Vec<u8> = if compact { channel_kinds(town) } else { Vec::new() };
        let paths = variant == Variant::Full;
        let channels = 4 + 2 * usize::from(paths) + kinds.len() + usize::from(compact);
        let window = usize::from(side);
        let options = document.policy_runtime.action_mode == ActionMode::Option;
        let names: &[&str] = if options { &OPTION_NAMES } else { &PRIMITIVE_NAMES };
        let mut sight = Self {
            window,
            paths,
            kinds,
            walkable: compact,
            map: channels * window * window,
            choices: names.len(),
            options,
            ties: document.features.stages.relationships >= Stage::B,
            ways: ways(town),
            clock: clock(town.day),
            actions: names.iter().map(|name| name_share(name)).collect(),
            cells: (window * window).max(1) as f32,
            shares: !compact || seen.compact.normalize_counts,
            ..Self::default()
        };
        sight.lay_out(town);
        sight.draw_ground(town);
        sight
    }

    fn lay_out(&mut self, town: &Town) {
        let document = &town.document;
        let extended = document.observations.layout == FeatureLayout::Extended;
        let mut at = self.map + BASE;
        let mut block = |len: usize| {
            let block = Block { at, len };
            at += len;
            block
        };
        let shown = if extended { TARGETS.len() + 2 } else { 4 };
        self.targets = block(if document.observations.include_targets { 3 * shown } else { 0 });
        let traits = document.features.observations.personality_channels;
        self.personality = block(if traits { 3 } else { 0 });
        self.social = block(SOCIAL);
        self.status = block(if extended { STATUS } else { 0 });
        self.hours = block(if document.observations.include_hours { HOURS } else { 0 });
        self.weather = block(if document.observations.include_weather { WEATHER } else { 0 });
        self.width = at;
    }

    fn draw_ground(&mut self, town: &Town) {
        let (width, height) = (usize::from(town.grid.width), usize::from(town.grid.height));
        let border = self.window / 2;
        self.stride = width + 2 * border;
        self.objects = vec![0.0; self.stride * (height + 2 * border)];
        self.floor = self.objects.clone();
        for object in &town.objects {
            let (x, y) = town.grid.place(object.tile);
            self.objects[(y as usize + border) * self.stride + x as usize + border] = 1.0;
        }
        for (tile, &free) in town.grid.walkable.iter().enumerate() {
            let at = (tile / width + border) * self.stride + tile % width + border;
            self.floor[at] = f32::from(free);
        }
    }
}

fn channel_kinds(town: &Town) -> Vec<u8> {
    let wanted = &town.document.observations.compact.object_channels;
    let index = |name: &String| town.kinds.iter().position(|kind| kind == name);
    wanted.iter().map(|name| index(name).map_or(NONE, |kind| kind as u8)).collect()
}

fn ways(town: &Town) -> Vec<f32> {
    let mut ways = Vec::with_capacity(town.grid.tiles() * 3 * TARGETS.len());
    for tile in 0..town.grid.tiles() as u16 {
        for name in TARGETS {
            let kind = town.kinds.iter().position(|kind| kind == name);
            let objects = kind.map_or(&[][..], |kind| &town.by_kind[kind][..]);
            let nearest = objects
                .iter()
                .copied()
                .min_by_key(|&object| (town.distance(usize::from(object), tile), object));
            ways.extend(nearest.map_or([0.0, 0.0, 1.0], |object| {
                way(town, tile, town.objects[usize::from(object)].tile, usize::from(object))
            }));
        }
    }
    ways
}

/// The unit vector from `from` to `to`, and the walk to `destination` as a share of 96 steps.
#[must_use]
pub fn way(town: &Town, from: u16, to: u16, destination: usize) -> [f32; 3] {
    let ((fx, fy), (tx, ty)) = (town.grid.place(from), town.grid.place(to));
    let (dx, dy) = ((tx - fx) as f32, (ty - fy) as f32);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let steps = town.distance(destination, from);
    let share = if steps == FAR { 1.0 } else { (f32::from(steps) / 96.0).min(1.0) };
    [dx / length, dy / length, share]
}

fn clock(day: u32) -> Vec<[f32; 2]> {
    let angle = |tick: u32| std::f64::consts::TAU * f64::from(tick) / f64::from(day);
    (0..day).map(|tick| [angle(tick).sin() as f32, angle(tick).cos() as f32]).collect()
}

fn name_share(name: &str) -> f32 {
    let hash = blake2s(name.as_bytes());
    let word = u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]);
    (f64::from(word) / 4_294_967_296.0) as f32
}
