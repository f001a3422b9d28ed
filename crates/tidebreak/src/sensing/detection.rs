//! Who notices what: ranges by sense, the chance of a detection, and what it is worth.

use crate::draws::{Draw, Draws};
use crate::setup::Setup;
use crate::state::{State, flag};
use crate::tables::DetectionFigures;

use super::signature::{Signature, weather};
use super::{sound, source};

/// Radar, sonar, sight, ESM: the order of bits in [`source`].
pub const SENSES: usize = 4;
/// Candidates one ship considers in a tick.
pub const CANDIDATES: usize = 64;

/// What one observer brings to its senses in this tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    /// Row of the ship whose table it fills.
    pub ship: u32,
    /// Who looks, as draws go by it: the ship itself or one of its scouts.
    pub observer: u32,
    /// The best quality that comes through to the table.
    pub quality_max: u8,
    /// Metres.
    pub x: f32,
    /// Metres.
    pub y: f32,
    /// Range of each sense against a target of factor 1, metres.
    pub range_m: [f32; SENSES],
    /// No sense reaches farther than this, metres.
    pub reach_m: f32,
    /// What weather leaves of radar and sight here.
    pub weather: (f32, f32),
    /// What sonar listens against, dB.
    pub noise_db: f32,
    /// Of the water, kelvin.
    pub temperature: f32,
    /// How far its link reaches, metres.
    pub link_m: f32,
    /// Whether it pings.
    pub pings: bool,
    /// See [`crate::state::Layer`].
    pub layer: u8,
    /// Who holds it.
    pub team: u8,
}

/// Something within reach of some sense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Place in the signatures.
    pub at: u32,
    /// Square of the distance.
    pub square: f32,
    /// Range of each sense against it, metres; 0 where that sense cannot notice it.
    pub range_m: [f32; SENSES],
}

impl Watch {
    /// What a ship brings, given what it gives away itself and the loudest sound there is.
    #[must_use]
    pub fn of(
        setup: &Setup,
        state: &State,
        ship: usize,
        own: &Signature,
        wake_db: f32,
        loudest_db: f32,
        jammed: f32,
    ) -> Self {
        let ships = &state.ships;
        let table = &setup.tables.sensors;
        let ranges = &setup.senses.ranges[ship];
        let health = super::health(state, ship);
        let emission = usize::from(ships.emission[ship].min(2));
        let layer = ships.layer[ship];
        let above = if layer == 0 { health } else { 0.0 };
        let pings = ships.flags[ship] & flag::PINGING != 0;
        let noise_db = sound::noise(setup, state, ship, wake_db);
        let weather = weather(setup, state, ship);
        let radar =
            ranges.radar_m * above * table.emission.radar[emission] * (1.0 - jammed) * weather.0;
        let sonar = ranges.sonar_m * health * table.emission.sonar[emission];
        let visual = ranges.visual_m * above * weather.1;
        let esm = ranges.esm_m * above;
        let mut hears = sound::factor(&table.sonar, loudest_db, noise_db);
        if pings {
            hears = hears.max(table.sonar.ping_factor_min);
        }
        let mut watch = Self {
            ship: ship as u32,
            observer: ship as u32,
            quality_max: 3,
            x: own.x,
            y: own.y,
            range_m: [radar, sonar, visual, esm],
            reach_m: 0.0,
            weather,
            noise_db,
            temperature: own.temperature,
            link_m: own.link_m,
            pings,
            layer,
            team: own.team,
        };
        watch.reach_m = (radar * setup.senses.radar_factor_max)
            .max(sonar * hears * sound::layer_factor(&table.sonar, layer, 0b111))
            .max(visual)
            .max(esm);
        watch
    }

    /// What a scout brings: eyes, and the link to the ship it flies from.
    #[must_use]
    pub fn of_scout(
        setup: &Setup,
        ship: usize,
        scout: &Signature,
        home: &Signature,
        visibility_km: f32,
        quality_max: u8,
    ) -> Self {
        let sight = visibility_km * 1000.0 / setup.tables.weather.visual_full_m;
        let visual = setup.tables.squadrons.scout_visual_m * sight.min(1.0);
        Self {
            ship: ship as u32,
            observer: scout.id,
            quality_max,
            x: scout.x,
            y: scout.y,
            range_m: [0.0, 0.0, visual, 0.0],
            reach_m: visual,
            weather: (1.0, sight.min(1.0)),
            noise_db: 0.0,
            temperature: 0.0,
            link_m: home.link_m,
            pings: false,
            layer: 0,
            team: home.team,
        }
    }

    /// The range of each sense against one target, before anything stands between them.
    #[must_use]
    pub fn ranges(&self, setup: &Setup, target: &Signature) -> [f32; SENSES] {
        // The weather is already in the ranges; where it is worse at the target, that counts.
        let worse = |there: f32, here: f32| if there < here { there / here } else { 1.0 };
        let [radar, sonar, visual, esm] = self.range_m;
        [
            radar * target.radar * worse(target.weather_radar, self.weather.0),
            if sonar > 0.0 { sonar * self.sonar_factor(setup, target) } else { 0.0 },
            visual * target.visual * worse(target.weather_visual, self.weather.1),
            esm.min(target.emitter_m),
        ]
    }

    fn sonar_factor(&self, setup: &Setup, target: &Signature) -> f32 {
        let figures = &setup.tables.sensors.sonar;
        let passes = sound::layer_factor(figures, self.layer, target.places);
        if passes <= 0.0 {
            return 0.0;
        }
        let mut factor = sound::factor(figures, target.level_db, self.noise_db);
        if self.pings {
            factor = factor.max(figures.ping_factor_min);
        }
        if (self.temperature - target.temperature).abs() > figures.temperature_step_k {
            factor *= figures.temperature_step_factor;
        }
        factor * passes
    }

    /// Consider one signature: whether some sense could notice it.
    #[inline]
    #[must_use]
    pub fn consider(&self, setup: &Setup, at: usize, target: &Signature) -> Option<Candidate> {
        if target.places == 0 || target.id == self.ship {
            return None;
        }
        let (dx, dy) = (target.x - self.x, target.y - self.y);
        let square = dx * dx + dy * dy;
        if square >= self.reach_m * self.reach_m || self.knows_already(target, square) {
            return None;
        }
        let range_m = self.ranges(setup, target);
        let farthest = range_m[0].max(range_m[1]).max(range_m[2]).max(range_m[3]);
        (square < farthest * farthest).then_some(Candidate { at: at as u32, square, range_m })
    }

    /// Own ordnance and craft report themselves, and friends do while the link holds.
    fn knows_already(&self, target: &Signature, square: f32) -> bool {
        if target.team != self.team {
            return false;
        }
        let link_m = self.link_m.min(target.link_m);
        target.size < 2 || square <= link_m * link_m
    }
}

/// What came of one candidate: which senses noticed it, and how good that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Bits of [`source`].
    pub senses: u8,
    /// 0..2; links make 3.
    pub quality: u8,
}

/// The chance that something is noticed within a tick at signal `s` = 1 - distance / range.
#[inline]
#[must_use]
pub fn chance(figures: &DetectionFigures, signal: f32) -> f32 {
    if signal <= 0.0 {
        return 0.0;
    }
    (figures.chance_base + figures.chance_per_signal * signal).clamp(0.0, figures.chance_max)
}

/// Draw for every sense. What stands between the two is asked for only if some sense noticed
/// something, because looking along a line is the dearest thing a sensor does; `between` is told
/// whether it was seen, since smoke hides from nothing but sight.
pub fn notice(
    setup: &Setup,
    draws: Draws,
    tick: u32,
    watch: &Watch,
    target: &Signature,
    candidate: &Candidate,
    mut between: impl FnMut(bool) -> Between,
) -> Option<Notice> {
    let table = &setup.tables.sensors;
    let distance = candidate.square.sqrt();
    let words = draws.words(Draw::Sensor, watch.observer, tick, target.mark.wrapping_mul(2));
    let signal = |sense: usize, factor: f32| {
        let range = candidate.range_m[sense] * factor;
        if range > distance { 1.0 - distance / range } else { 0.0 }
    };
    let hit = |sense: usize, signal: f32| {
        let unit = (words[sense] >> 8) as f32 * (1.0 / 16_777_216.0);
        unit < chance(&table.detection, signal)
    };
    let mut signals = [0.0_f32; SENSES];
    let mut senses = 0_u8;
    for (sense, value) in signals.iter_mut().enumerate() {
        *value = signal(sense, 1.0);
        senses |= u8::from(*value > 0.0 && hit(sense, *value)) << sense;
    }
    if senses & (source::RADAR | source::SONAR | source::VISUAL) != 0 {
        let between = between(senses & source::VISUAL != 0);
        if between.land {
            senses &= !(source::RADAR | source::VISUAL);
            signals[1] = signal(1, table.occlusion.sonar_factor);
            if !hit(1, signals[1]) {
                senses &= !source::SONAR;
            }
        } else if between.smoke && senses & source::VISUAL != 0 {
            signals[2] = signal(2, table.occlusion.smoke_visual_factor);
            if !hit(2, signals[2]) {
                senses &= !source::VISUAL;
            }
        }
    }
    (senses != 0).then(|| Notice { senses, quality: worth(setup, watch.pings, senses, &signals) })
}

/// What stands between two places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Between {
    /// Land.
    pub land: bool,
    /// Smoke enough to matter.
    pub smoke: bool,
}

/// The quality of a measurement by these senses.
fn worth(setup: &Setup, pings: bool, senses: u8, signals: &[f32; SENSES]) -> u8 {
    let figures = &setup.tables.sensors.track;
    let mut best = 0;
    for (sense, aims_at) in [
        (0, Some(figures.fire_control_signal)),
        (1, pings.then_some(figures.fire_control_ping_signal)),
        (2, Some(figures.fire_control_signal)),
    ] {
        if senses & (1 << sense) == 0 {
            continue;
        }
        let quality = match aims_at {
            Some(least) if signals[sense] >= least => 2,
            _ => u8::from(signals[sense] >= figures.coarse_signal),
        };
        best = best.max(quality);
    }
    best
}
