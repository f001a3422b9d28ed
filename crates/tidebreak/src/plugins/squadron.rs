//! What squadrons do next: launch when there is something for their mission, follow it, come home.

use crate::columns::columns;
use crate::condition::{Output, stage};
use crate::proposals::{LaunchCraft, Origin, Plugin};
use crate::setup::Setup;
use crate::state::{Ships, Squadrons, State, TRACKS, Tracks};

/// Missions by number.
pub mod mission {
    #![allow(missing_docs, reason = "the names say it")]
    pub const CAP: u8 = 0;
    pub const STRIKE: u8 = 1;
    pub const SCOUT: u8 = 2;
    pub const ASW: u8 = 3;
}

/// What the plugin reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    setup: &'a Setup,
    squadrons: SquadronView<'a>,
    tracks: TrackView<'a>,
    /// Valid rows of each ship's contact table.
    used: &'a [u8],
    ships: ShipView<'a>,
}

columns! {
    /// The columns of squadrons that the plugin reads.
    SquadronView of Squadrons {
        id: u32,
        deck: u32,
        mission: u8,
        stage: u8,
        endurance: f32,
        x: f32,
        y: f32,
        armed: u16,
    }
}

columns! {
    /// The columns of contact tables that the plugin reads.
    TrackView of Tracks {
        x: f32,
        y: f32,
        quality: u8,
        layer: u8,
        size: u8,
        iff: u8,
    }
}

columns! {
    /// The columns of hulls that the plugin reads.
    ShipView of Ships {
        fate: u8,
        x: f32,
        y: f32,
        heading: f32,
        output: [f32; 6],
        sea_state: f32,
        order_event: u64,
    }
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        Self {
            setup,
            squadrons: SquadronView::of(&state.squadrons),
            tracks: TrackView::of(&state.beliefs.tracks),
            used: &state.beliefs.used,
            ships: ShipView::of(&state.ships),
        }
    }
}

/// One wish for every squadron that can do something.
pub fn propose(view: &View<'_>, out: &mut Vec<LaunchCraft>) {
    for row in 0..view.squadrons.id.len() {
        let carrier = view.squadrons.deck[row] as usize;
        // Nobody orders craft about: they serve the order that their carrier carries out.
        let event = view.ships.order_event[carrier];
        let origin = Origin {
            source: view.squadrons.id[row],
            plugin: Plugin::Squadron,
            sequence: 0,
            cause: event,
            trace: event,
        };
        let squadron = row as u32;
        match view.squadrons.stage[row] {
            stage::ABOARD if deck_works(view, carrier) => {
                if let Some(goal) = goal(view, row) {
                    out.push(LaunchCraft { origin, squadron, goal, recall: false });
                }
            }
            stage::FLYING => {
                let goal = goal(view, row);
                let recall = goal.is_none() || goes_home(view, row);
                let home = (view.ships.x[carrier], view.ships.y[carrier]);
                let goal = goal.unwrap_or(home);
                out.push(LaunchCraft { origin, squadron, goal, recall });
            }
            _ => {}
        }
    }
}

fn deck_works(view: &View<'_>, carrier: usize) -> bool {
    view.ships.fate[carrier] == 0
        && view.ships.output[carrier][Output::Deck as usize] > 0.0
        && view.ships.sea_state[carrier] <= view.setup.tables.squadrons.sea_state_max
}

/// Out of bombs, or just enough fuel for the way back.
fn goes_home(view: &View<'_>, row: usize) -> bool {
    let (squadrons, figures) = (&view.squadrons, &view.setup.tables.squadrons);
    let carrier = squadrons.deck[row] as usize;
    let (dx, dy) =
        (view.ships.x[carrier] - squadrons.x[row], view.ships.y[carrier] - squadrons.y[row]);
    let way = (dx * dx + dy * dy).sqrt() / figures.speed;
    let bombs = squadrons.mission[row] == mission::STRIKE || squadrons.mission[row] == mission::ASW;
    (bombs && squadrons.armed[row] == 0) || squadrons.endurance[row] < way + figures.reserve_s
}

/// Where the mission leads, as far as the carrier's own tracks tell.
fn goal(view: &View<'_>, row: usize) -> Option<(f32, f32)> {
    let carrier = view.squadrons.deck[row] as usize;
    let patrol = view.setup.tables.squadrons.patrol_m;
    let ahead = || {
        let (sine, cosine) = libm::sincosf(view.ships.heading[carrier]);
        let (min, max) = (view.setup.terrain.min, view.setup.terrain.max);
        let x = view.ships.x[carrier] + patrol * cosine;
        let y = view.ships.y[carrier] + patrol * sine;
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
    let tracks = &view.tracks;
    let first = carrier * TRACKS;
    let mut found: Option<(f32, (f32, f32))> = None;
    for row in first..first + usize::from(view.used[carrier]) {
        if tracks.iff[row] < 3 || tracks.quality[row] < 1 {
            continue;
        }
        if !fits(tracks.size[row], tracks.layer[row]) {
            continue;
        }
        let (dx, dy) =
            (tracks.x[row] - view.ships.x[carrier], tracks.y[row] - view.ships.y[carrier]);
        let square = dx * dx + dy * dy;
        if found.is_none_or(|(known, _)| square < known) {
            found = Some((square, (tracks.x[row], tracks.y[row])));
        }
    }
    found.map(|(_, place)| place)
}
