//! Seekers: what a torpedo or missile finds by itself, and how it turns after it.

use crate::draws::{Draw, Draws};
use crate::scratch::Scratch;
use crate::setup::Setup;
use crate::state::{NOBODY, State};
use crate::tables::{Guidance, Weapon};

/// What a seeker could hold.
struct Found {
    hull: Option<(f32, u32)>,
    decoy: Option<(f32, u32)>,
}

/// Keep, lose or take a lock. Seekers tell their own side's hulls from others, decoys from hulls
/// only by chance.
pub fn look(setup: &Setup, state: &mut State, scratch: &Scratch, row: usize, weapon: &Weapon) {
    let cone = Cone::of(state, row, weapon);
    let holds = state.rounds.locked[row] != NOBODY && in_cone(setup, state, row, weapon, &cone);
    let (shooter, serial) = (state.rounds.shooter[row], state.rounds.serial[row]);
    let pause = setup.tables.weapons.seeker_look_s;
    let due = state.tick.wrapping_add(serial).is_multiple_of(pause);
    if holds && !due {
        return;
    }
    let found = search(setup, state, scratch, row, weapon, &cone);
    let chosen = match (found.hull, found.decoy) {
        (Some(hull), Some(decoy)) => {
            let draws = Draws::of(state.seed);
            // Ghosts are drawn by hull and tick too, at index 0.
            let index = serial.wrapping_add(1);
            let drawn = draws.unit(Draw::ElectronicWarfare, shooter, state.tick, index);
            let fooled = drawn < setup.tables.weapons.decoy.seeker_chance;
            Some(if fooled { decoy } else { hull })
        }
        (hull, decoy) => hull.or(decoy),
    };
    state.rounds.locked[row] = chosen.map_or(NOBODY, |(_, entity)| entity);
}

/// Where an entity is now, if it is still there.
fn place_of(state: &State, entity: u32) -> Option<(f32, f32)> {
    let ship = entity as usize;
    if ship < state.ships.len() {
        return state.ships.afloat(ship).then(|| (state.ships.x[ship], state.ships.y[ship]));
    }
    let row = state.decoys.id.binary_search(&entity).ok()?;
    Some((state.decoys.x[row], state.decoys.y[row]))
}

/// Where a seeker looks.
struct Cone {
    at: (f32, f32),
    velocity: (f32, f32),
    /// Square of its range.
    reach: f32,
    /// Of a target's distance, the least that must lie along the velocity.
    width: f32,
}

impl Cone {
    fn of(state: &State, row: usize, weapon: &Weapon) -> Self {
        let rounds = &state.rounds;
        Self {
            at: (rounds.x[row], rounds.y[row]),
            velocity: (rounds.vx[row], rounds.vy[row]),
            reach: weapon.seeker_range_m * weapon.seeker_range_m,
            width: libm::cosf(weapon.seeker_half_angle) * weapon.speed,
        }
    }

    /// Square of the distance to what it sees.
    #[inline]
    fn sees(&self, (x, y): (f32, f32)) -> Option<f32> {
        let (dx, dy) = (x - self.at.0, y - self.at.1);
        let square = dx * dx + dy * dy;
        if square > self.reach {
            return None;
        }
        let ahead = dx * self.velocity.0 + dy * self.velocity.1;
        (ahead >= self.width * square.sqrt()).then_some(square)
    }
}

fn in_cone(setup: &Setup, state: &State, row: usize, weapon: &Weapon, cone: &Cone) -> bool {
    let entity = state.rounds.locked[row];
    let ship = entity as usize;
    let open = ship >= state.ships.len()
        || (ship < setup.hulls.len() && weapon.strikes.has(state.ships.places(ship)));
    open && place_of(state, entity).is_some_and(|place| cone.sees(place).is_some())
}

fn search(
    setup: &Setup,
    state: &State,
    scratch: &Scratch,
    row: usize,
    weapon: &Weapon,
    cone: &Cone,
) -> Found {
    let (ships, rounds) = (&state.ships, &state.rounds);
    let (x, y, team) = (rounds.x[row], rounds.y[row], rounds.team[row]);
    let mut hull: Option<(f32, u32)> = None;
    scratch.grid.ships.near(x, y, weapon.seeker_range_m, |ship| {
        if ships.holder[ship] == team || !weapon.strikes.has(ships.places(ship)) {
            return;
        }
        if let Some(square) = cone.sees((ships.x[ship], ships.y[ship])) {
            let nearer = hull.is_none_or(|known| (square, ship as u32) < known);
            if nearer && setup.hulls[ship].hp > 0.0 {
                hull = Some((square, ship as u32));
            }
        }
    });
    let mut decoy: Option<(f32, u32)> = None;
    let decoys = &state.decoys;
    for at in 0..decoys.len() {
        if decoys.team[at] == team || !weapon.strikes.has_layer(decoys.layer[at]) {
            continue;
        }
        if let Some(square) = cone.sees((decoys.x[at], decoys.y[at]))
            && decoy.is_none_or(|known| (square, decoys.id[at]) < known)
        {
            decoy = Some((square, decoys.id[at]));
        }
    }
    Found { hull, decoy }
}

/// Turn towards what is held, as fast as the round can; without a lock go to the aim point, and past
/// it a torpedo circles until it is spent.
pub fn steer(
    setup: &Setup,
    state: &mut State,
    scratch: &Scratch,
    row: usize,
    weapon: &Weapon,
    substep: usize,
) {
    let locked = state.rounds.locked[row];
    let most = weapon.turn_rate * setup.dt;
    let turn = if locked == NOBODY {
        let flown = weapon.range_m - state.rounds.run_left[row];
        let spirals = weapon.guidance == Guidance::Homing && flown > state.rounds.aim_range[row];
        if !spirals {
            return;
        }
        setup.tables.weapons.spiral_turn_share * most
    } else {
        let Some((x, y)) = aim_at(setup, state, scratch, row, weapon, substep) else { return };
        let rounds = &state.rounds;
        let (dx, dy) = (x - rounds.x[row], y - rounds.y[row]);
        let across = rounds.vx[row] * dy - rounds.vy[row] * dx;
        let ahead = rounds.vx[row] * dx + rounds.vy[row] * dy;
        libm::atan2f(across, ahead).clamp(-most, most)
    };
    let (sine, cosine) = libm::sincosf(turn);
    let rounds = &mut state.rounds;
    let (vx, vy) = (rounds.vx[row], rounds.vy[row]);
    rounds.vx[row] = vx * cosine - vy * sine;
    rounds.vy[row] = vy * cosine + vx * sine;
}

/// The place to steer for: the target itself, or ahead of it for what leads.
fn aim_at(
    setup: &Setup,
    state: &State,
    scratch: &Scratch,
    row: usize,
    weapon: &Weapon,
    substep: usize,
) -> Option<(f32, f32)> {
    let locked = state.rounds.locked[row];
    let ship = locked as usize;
    if ship >= state.ships.len() {
        return place_of(state, locked);
    }
    let way = ship * (setup.substeps as usize + 1) + substep;
    let (now, next) = (scratch.paths[way], scratch.paths[way + 1]);
    if weapon.guidance != Guidance::Lead {
        return Some(now);
    }
    let (dx, dy) = (now.0 - state.rounds.x[row], now.1 - state.rounds.y[row]);
    let steps = (dx * dx + dy * dy).sqrt() / (weapon.speed * setup.dt);
    Some((now.0 + (next.0 - now.0) * steps, now.1 + (next.1 - now.1) * steps))
}
