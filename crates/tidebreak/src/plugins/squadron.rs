//! What squadrons do next: launch when there is something for their mission, follow it, come home.

use crate::condition::{Output, stage};
use crate::proposals::{LaunchCraft, Origin, Plugin, Proposals};
use crate::setup::Setup;
use crate::state::{Beliefs, Ships, Squadrons, State, TRACKS};

/// Missions by number.
pub mod mission {
    #![allow(missing_docs, reason = "the names say it")]
    pub const CAP: u8 = 0;
    pub const STRIKE: u8 = 1;
    pub const SCOUT: u8 = 2;
    pub const ASW: u8 = 3;
}

/// Craft fly this fast, metres a second.
pub const SPEED: f32 = 150.0;
/// Seconds a full tank lasts.
pub const ENDURANCE: f32 = 600.0;
/// No launch or recovery above this sea state.
pub const SEA_STATE_MAX: f32 = 6.0;
/// How far ahead of its carrier a scout or patrol goes, metres.
const PATROL: f32 = 8000.0;

/// What the plugin reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    setup: &'a Setup,
    squadrons: &'a Squadrons,
    beliefs: &'a Beliefs,
    fate: &'a [u8],
    x: &'a [f32],
    y: &'a [f32],
    heading: &'a [f32],
    output: &'a [[f32; 6]],
    sea_state: &'a [f32],
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        let Ships { fate, x, y, heading, output, sea_state, .. } = &state.ships;
        let (squadrons, beliefs) = (&state.squadrons, &state.beliefs);
        Self { setup, squadrons, beliefs, fate, x, y, heading, output, sea_state }
    }
}

/// One wish for every squadron that can do something.
pub fn propose(view: &View<'_>, out: &mut Proposals) {
    for row in 0..view.squadrons.len() {
        let carrier = view.squadrons.deck[row] as usize;
        let origin = Origin {
            source: view.squadrons.id[row],
            plugin: Plugin::Squadron,
            sequence: 0,
            cause: 0,
            trace: 0,
        };
        let squadron = row as u32;
        match view.squadrons.stage[row] {
            stage::ABOARD if deck_works(view, carrier) => {
                if let Some(goal) = goal(view, row) {
                    out.craft.push(LaunchCraft { origin, squadron, goal, recall: false });
                }
            }
            stage::FLYING => {
                let goal = goal(view, row);
                let recall = goal.is_none() || goes_home(view, row);
                let home = (view.x[carrier], view.y[carrier]);
                let goal = goal.unwrap_or(home);
                out.craft.push(LaunchCraft { origin, squadron, goal, recall });
            }
            _ => {}
        }
    }
}

fn deck_works(view: &View<'_>, carrier: usize) -> bool {
    view.fate[carrier] == 0
        && view.output[carrier][Output::Deck as usize] > 0.0
        && view.sea_state[carrier] <= SEA_STATE_MAX
}

/// Out of bombs, or just enough fuel for the way back.
fn goes_home(view: &View<'_>, row: usize) -> bool {
    let squadrons = view.squadrons;
    let carrier = squadrons.deck[row] as usize;
    let (dx, dy) = (view.x[carrier] - squadrons.x[row], view.y[carrier] - squadrons.y[row]);
    let way = (dx * dx + dy * dy).sqrt() / SPEED;
    let bombs = squadrons.mission[row] == mission::STRIKE || squadrons.mission[row] == mission::ASW;
    (bombs && squadrons.armed[row] == 0) || squadrons.endurance[row] < way + 60.0
}

/// Where the mission leads, as far as the carrier's own tracks tell.
fn goal(view: &View<'_>, row: usize) -> Option<(f32, f32)> {
    let carrier = view.squadrons.deck[row] as usize;
    let ahead = || {
        let (sine, cosine) = libm::sincosf(view.heading[carrier]);
        let (min, max) = (view.setup.terrain.min, view.setup.terrain.max);
        let x = view.x[carrier] + PATROL * cosine;
        let y = view.y[carrier] + PATROL * sine;
        (x.clamp(min.0, max.0), y.clamp(min.1, max.1))
    };
    match view.squadrons.mission[row] {
        mission::SCOUT => Some(ahead()),
        mission::CAP => nearest(view, carrier, |size, _| size == 1)
            .or_else(|| nearest(view, carrier, |size, _| size >= 2).map(|_| ahead())),
        mission::STRIKE => nearest(view, carrier, |size, layer| size >= 2 && layer == 0),
        _ => nearest(view, carrier, |size, layer| size >= 2 && layer == 1),
    }
}

/// The nearest hostile track of the carrier that fits.
fn nearest(view: &View<'_>, carrier: usize, fits: impl Fn(u8, u8) -> bool) -> Option<(f32, f32)> {
    let tracks = &view.beliefs.tracks;
    let first = carrier * TRACKS;
    let mut found: Option<(f32, (f32, f32))> = None;
    for row in first..first + usize::from(view.beliefs.used[carrier]) {
        if tracks.iff[row] < 3 || tracks.quality[row] < 1 {
            continue;
        }
        if !fits(tracks.size[row], tracks.layer[row]) {
            continue;
        }
        let (dx, dy) = (tracks.x[row] - view.x[carrier], tracks.y[row] - view.y[carrier]);
        let square = dx * dx + dy * dy;
        if found.is_none_or(|(known, _)| square < known) {
            found = Some((square, (tracks.x[row], tracks.y[row])));
        }
    }
    found.map(|(_, place)| place)
}
