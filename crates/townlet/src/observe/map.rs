//! The window around an agent: rows go south, the agent stands in the middle.

use crate::crowd::each;
use crate::grid::STEPS;
use crate::movement;
use crate::numbers::NONE;
use crate::options::Intent;
use crate::state::State;
use crate::town::Town;

/// What was counted while the map was drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Other agents in the window.
    pub agents: u32,
    /// Objects in the window.
    pub objects: f32,
    /// Reserved objects in the window.
    pub reserved: u32,
    /// Steps to the nearest other agent in the window.
    pub nearest: u32,
}

const NOBODY: u32 = u32::MAX;

/// Draw the channels of `seat` at the front of its row.
pub fn write(town: &Town, state: &State, seat: usize, row: &mut [f32]) -> Seen {
    let sight = &town.sight;
    let side = sight.window;
    let mut seen = Seen { nearest: NOBODY, ..Seen::default() };
    if side == 0 {
        return seen;
    }
    let cells = side * side;
    let half = (side / 2) as i32;
    let (x, y) = town.grid.place(state.agents[seat].tile);
    let (me, rest) = row[..sight.map].split_at_mut(cells);
    let (agents, rest) = rest.split_at_mut(cells);
    let (objects, rest) = rest.split_at_mut(cells);
    let (reserved, rest) = rest.split_at_mut(cells);
    me.fill(0.0);
    me[cells / 2] = 1.0;
    agents.fill(0.0);
    reserved.fill(0.0);
    // The ground is stored with a border of half a window, so the corner is the agent's place.
    let corner = y as usize * sight.stride + x as usize;
    for (line, cells) in objects.chunks_exact_mut(side).enumerate() {
        let ground = &sight.objects[corner + line * sight.stride..][..side];
        cells.copy_from_slice(ground);
        seen.objects += ground.iter().sum::<f32>();
    }
    let (people, holders) = (&state.crowd.people, &state.crowd.holders);
    let offset = |(ox, oy): (i32, i32)| (ox - x, oy - y);
    let cell = |(dx, dy): (i32, i32)| ((dy + half) * side as i32 + dx + half) as usize;
    for at in each(people.within((x, y), half)) {
        if usize::from(state.order[at]) != seat {
            let (dx, dy) = offset(people.place(at));
            agents[cell((dx, dy))] = 1.0;
            seen.agents += 1;
            seen.nearest = seen.nearest.min((dx.abs() + dy.abs()) as u32);
        }
    }
    for at in each(holders.within((x, y), half)) {
        reserved[cell(offset(holders.place(at)))] = 1.0;
        seen.reserved += 1;
    }
    extra(town, state, seat, corner, rest);
    seen
}

/// The channels only some variants have.
fn extra(town: &Town, state: &State, seat: usize, corner: usize, rest: &mut [f32]) {
    let sight = &town.sight;
    let (side, cells) = (sight.window, sight.window * sight.window);
    let (x, y) = town.grid.place(state.agents[seat].tile);
    let mut rest = rest;
    if sight.paths {
        let (dx, dy) = rest.split_at_mut(cells);
        draw_paths(town, state, seat, dx, dy);
        return;
    }
    for &kind in &sight.kinds {
        let (channel, others) = rest.split_at_mut(cells);
        rest = others;
        channel.fill(0.0);
        let objects = if kind == NONE { &[][..] } else { &town.by_kind[usize::from(kind)][..] };
        for &object in objects {
            let (ox, oy) = town.grid.place(town.objects[usize::from(object)].tile);
            let half = (side / 2) as i32;
            let (dx, dy) = (ox - x + half, oy - y + half);
            if dx >= 0 && dy >= 0 && dx < side as i32 && dy < side as i32 {
                channel[dy as usize * side + dx as usize] = 1.0;
            }
        }
    }
    if sight.walkable {
        for (line, cells) in rest[..cells].chunks_exact_mut(side).enumerate() {
            cells.copy_from_slice(&sight.floor[corner + line * sight.stride..][..side]);
        }
    }
}

/// On every tile the unit step towards the agent's target, as the flow field has it.
fn draw_paths(town: &Town, state: &State, seat: usize, dx: &mut [f32], dy: &mut [f32]) {
    dx.fill(0.0);
    dy.fill(0.0);
    let Some(goal) = movement::destination(town, state, seat) else { return };
    let side = town.sight.window as i32;
    let (x, y) = town.grid.place(state.agents[seat].tile);
    for line in 0..side {
        for column in 0..side {
            let (tx, ty) = (x + column - side / 2, y + line - side / 2);
            let inside = tx >= 0
                && ty >= 0
                && tx < i32::from(town.grid.width)
                && ty < i32::from(town.grid.height);
            if !inside {
                continue;
            }
            let tile = town.grid.tile(tx as u16, ty as u16);
            let here = town.distance(goal, tile);
            let step = (0..4).find(|&step| {
                let next = town.grid.step(tile, step);
                next.is_some_and(|next| town.distance(goal, next) < here)
            });
            if let Some(step) = step {
                let at = (line * side + column) as usize;
                dx[at] = STEPS[step].0 as f32;
                dy[at] = STEPS[step].1 as f32;
            }
        }
    }
}

/// The direction of the next step towards the target, if there is one.
#[must_use]
pub fn hint(town: &Town, state: &State, seat: usize) -> Option<(i32, i32)> {
    let goal = movement::destination(town, state, seat)?;
    let Intent::Move(next) = movement::toward(town, state, seat, goal) else { return None };
    let ((fx, fy), (tx, ty)) = (town.grid.place(state.agents[seat].tile), town.grid.place(next));
    Some((tx - fx, ty - fy))
}

/// Whether anybody was seen.
#[must_use]
pub fn somebody(seen: &Seen) -> bool {
    seen.nearest != NOBODY
}
