//! Mounts that fire by themselves at missiles, craft and hulls that come too near.

use crate::grid::Grid;
use crate::plugins::fire_control::View;
use crate::proposals::{Origin, Plugin, PointDefence};
use crate::state::{Squadrons, TRACKS};
use crate::tables::{Guidance, WeaponGroup};

/// The most targets one hull tells apart in a tick; more mounts than that share them.
const TARGETS: usize = 8;

/// What stands nearest, nearest first: squared distance and entity.
struct Nearest {
    known: [(f32, u32); TARGETS],
    count: usize,
}

impl Nearest {
    fn add(&mut self, square: f32, entity: u32) {
        let mut at = self.count;
        while at > 0 {
            let (before, id) = self.known[at - 1];
            if before < square || (before == square && id < entity) {
                break;
            }
            if at < TARGETS {
                self.known[at] = self.known[at - 1];
            }
            at -= 1;
        }
        if at < TARGETS {
            self.known[at] = (square, entity);
            self.count = (self.count + 1).min(TARGETS);
        }
    }
}

/// One shot for every mount that is ready and has something to shoot at.
pub(super) fn propose(view: &View<'_>, grid: &Grid, out: &mut Vec<PointDefence>) {
    let tables = &view.setup.tables;
    let flying = |&weapon: &u8| tables.weapon(weapon).guidance == Guidance::Lead;
    let missiles = view.rounds.weapon.iter().any(flying);
    let craft = view.squadrons.stage.iter().any(|&stage| Squadrons::flies(stage));
    for ship in 0..view.ships.fate.len() {
        let count = view.ships.mount_count[ship] as usize;
        if view.ships.fate[ship] != 0 || count == 0 || view.ships.layer[ship] != 0 {
            continue;
        }
        let first = view.ships.mount_first[ship] as usize;
        let weapon = tables.weapon(view.mounts.weapon[first]);
        // Mounts stand in the order of their weapons, and those that fire by themselves first.
        if weapon.group != WeaponGroup::Auto {
            continue;
        }
        let nearest = targets(view, grid, ship, weapon.range_m, (missiles, craft));
        if nearest.count > 0 {
            assign(view, ship, first..first + count, &nearest, out);
        }
    }
}

fn targets(
    view: &View<'_>,
    grid: &Grid,
    ship: usize,
    range: f32,
    (missiles, craft): (bool, bool),
) -> Nearest {
    let mut nearest = Nearest { known: [(0.0, 0); TARGETS], count: 0 };
    let (x, y, team) = (view.ships.x[ship], view.ships.y[ship], view.ships.team[ship]);
    let away = |to_x: f32, to_y: f32| (to_x - x) * (to_x - x) + (to_y - y) * (to_y - y);
    let reach = range * range;
    if missiles {
        let rounds = &view.rounds;
        grid.rounds.near(x, y, range, |row| {
            let square = away(rounds.x[row], rounds.y[row]);
            let guidance = view.setup.tables.weapon(rounds.weapon[row]).guidance;
            if square <= reach && rounds.team[row] != team && guidance == Guidance::Lead {
                nearest.add(square, rounds.id[row]);
            }
        });
    }
    if craft {
        let squadrons = &view.squadrons;
        for row in 0..squadrons.id.len() {
            let square = away(squadrons.x[row], squadrons.y[row]);
            let flies = Squadrons::flies(squadrons.stage[row]);
            if flies && square <= reach && squadrons.team[row] != team {
                nearest.add(square, squadrons.id[row]);
            }
        }
    }
    if nearest.count == 0 {
        hull_near(view, ship, reach, &mut nearest);
    }
    nearest
}

/// The nearest hull that the ship itself holds for hostile and knows well enough to hit.
fn hull_near(view: &View<'_>, ship: usize, reach: f32, nearest: &mut Nearest) {
    let tracks = &view.tracks;
    let (x, y) = (view.ships.x[ship], view.ships.y[ship]);
    let first = ship * TRACKS;
    for row in first..first + usize::from(view.used[ship]) {
        let (dx, dy) = (tracks.x[row] - x, tracks.y[row] - y);
        let square = dx * dx + dy * dy;
        let hostile = tracks.iff[row] >= 3 && tracks.size[row] >= 2 && tracks.layer[row] == 0;
        if hostile && square <= reach && tracks.quality[row] >= 2 {
            nearest.add(square, tracks.entity[row]);
        }
    }
}

fn assign(
    view: &View<'_>,
    ship: usize,
    mounts: std::ops::Range<usize>,
    nearest: &Nearest,
    out: &mut Vec<PointDefence>,
) {
    let mut given = 0;
    for mount in mounts {
        let weapon = view.setup.tables.weapon(view.mounts.weapon[mount]);
        if weapon.group != WeaponGroup::Auto {
            break;
        }
        if !view.ready(mount) {
            continue;
        }
        let origin = Origin {
            source: ship as u32,
            plugin: Plugin::FireControl,
            sequence: 1000 + given as u16,
            cause: 0,
            trace: 0,
        };
        let (_, target) = nearest.known[given % nearest.count];
        out.push(PointDefence { origin, mount: mount as u32, target });
        given += 1;
    }
}
