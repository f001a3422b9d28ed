//! The two structures shared with C.

use astrarium_prospector::{FIGURES, OBS, ProspectorV1, Turn};

/// Settings; a value of 0 or less means the default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Ticks until the episode is cut off.
    pub time_max: f32,
    /// What an impossible action costs.
    pub invalid_action_penalty: f32,
}

impl Default for Config {
    fn default() -> Self {
        let core = astrarium_prospector::Config::default();
        Self { time_max: core.time_max, invalid_action_penalty: core.invalid_action_penalty }
    }
}

/// Everything one step reports.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the header and the figures' names say what each is")]
pub struct Result {
    pub obs: [f32; OBS],
    pub reward: f32,
    pub terminated: u8,
    pub truncated: u8,
    pub invalid_action: u8,
    /// Always 0, so that equal results are equal bytes.
    pub padding: u8,
    pub dt: u16,
    pub action: i16,
    pub credits: f32,
    pub net_profit: f32,
    pub profit_per_tick: f32,
    pub survival: f32,
    pub overheat_ticks: f32,
    pub pirate_encounters: f32,
    pub value_lost_to_pirates: f32,
    pub fuel_used: f32,
    pub hull_damage: f32,
    pub tool_wear: f32,
    pub scan_count: f32,
    pub mining_ticks: f32,
    pub cargo_utilization_avg: f32,
    pub time_remaining: f32,
}

const _: () = assert!(size_of::<Result>() == 1108);
const _: () = assert!(std::mem::offset_of!(Result, reward) == 1040);
const _: () = assert!(std::mem::offset_of!(Result, dt) == 1048);
const _: () = assert!(std::mem::offset_of!(Result, credits) == 1052);
const _: () = assert!(std::mem::offset_of!(Result, time_remaining) == 1104);

/// Figures of the core: the fourteen metrics, then the ticks, which a result has elsewhere.
const METRICS: usize = 14;
const _: () = assert!(FIGURES.len() == METRICS + 1);

impl Result {
    /// The reply to `turn`.
    pub(crate) fn of(world: &ProspectorV1, turn: &Turn, obs: &[f32; OBS]) -> Self {
        let figures = world.figures(turn);
        let [
            credits,
            net_profit,
            profit_per_tick,
            survival,
            overheat_ticks,
            pirate_encounters,
            value_lost_to_pirates,
            fuel_used,
            hull_damage,
            tool_wear,
            scan_count,
            mining_ticks,
            cargo_utilization_avg,
            time_remaining,
            _ticks,
        ] = figures;
        Self {
            obs: *obs,
            reward: turn.reward,
            terminated: u8::from(turn.terminated),
            truncated: u8::from(turn.truncated),
            invalid_action: u8::from(turn.invalid),
            padding: 0,
            dt: turn.dt,
            action: turn.action,
            credits,
            net_profit,
            profit_per_tick,
            survival,
            overheat_ticks,
            pirate_encounters,
            value_lost_to_pirates,
            fuel_used,
            hull_damage,
            tool_wear,
            scan_count,
            mining_ticks,
            cargo_utilization_avg,
            time_remaining,
        }
    }

    /// The fourteen metrics in order.
    #[must_use]
    pub fn metrics(&self) -> [f32; METRICS] {
        [
            self.credits,
            self.net_profit,
            self.profit_per_tick,
            self.survival,
            self.overheat_ticks,
            self.pirate_encounters,
            self.value_lost_to_pirates,
            self.fuel_used,
            self.hull_damage,
            self.tool_wear,
            self.scan_count,
            self.mining_ticks,
            self.cargo_utilization_avg,
            self.time_remaining,
        ]
    }
}
