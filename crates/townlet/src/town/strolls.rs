//! How far it is on foot to whoever is near, around what stands in the way.
//!
//! Two can talk where their tiles touch, be it by a corner. So from a tile that touches another it
//! is as many steps as if nothing stood between them, and every other tile has one beside it that is
//! a step nearer: whoever goes there by and by gets within reach, unless somebody stands in the way.

use std::sync::Arc;

use crate::grid::Grid;
use crate::options::EARSHOT;

/// More steps than anybody's voice carries.
const FARTHER: u8 = u8::MAX;
/// Side of the square around a tile, and with a border that nobody can stand on.
const SIDE: usize = 2 * EARSHOT as usize + 1;
const BORDERED: usize = SIDE + 2;
const MIDDLE: usize = (BORDERED * BORDERED) / 2;

/// Steps to every tile from those around it, a square of them per tile.
#[derive(Clone, Debug, Default)]
pub struct Strolls(Arc<[u8]>);

impl Strolls {
    /// Those of a ground.
    #[must_use]
    pub fn of(grid: &Grid) -> Self {
        let mut all = vec![FARTHER; grid.tiles() * SIDE * SIDE];
        for (to, square) in all.chunks_exact_mut(SIDE * SIDE).enumerate() {
            if grid.walkable[to] != 0 {
                walk(&around(grid, to as u16), square);
            }
        }
        Self(all.into())
    }

    /// Steps from one tile to another, if that is within earshot.
    #[inline]
    #[must_use]
    pub fn steps(&self, grid: &Grid, from: u16, to: u16) -> Option<u16> {
        let ((fx, fy), (tx, ty)) = (grid.place(from), grid.place(to));
        let reach = i32::from(EARSHOT);
        let (x, y) = ((fx - tx + reach) as usize, (fy - ty + reach) as usize);
        if x >= SIDE || y >= SIDE {
            return None;
        }
        let steps = self.0[usize::from(to) * SIDE * SIDE + y * SIDE + x];
        (steps != FARTHER).then_some(u16::from(steps))
    }
}

/// The ground around a tile: where somebody may stand.
fn around(grid: &Grid, middle: u16) -> [bool; BORDERED * BORDERED] {
    let (x, y) = grid.place(middle);
    let (left, top) = (x - i32::from(EARSHOT), y - i32::from(EARSHOT));
    let mut free = [false; BORDERED * BORDERED];
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (x, y) = (left + column as i32, top + row as i32);
            let inside =
                x >= 0 && y >= 0 && x < i32::from(grid.width) && y < i32::from(grid.height);
            free[(row + 1) * BORDERED + column + 1] =
                inside && grid.walkable[usize::from(grid.tile(x as u16, y as u16))] != 0;
        }
    }
    free
}

/// Steps to the middle from every tile of a square.
fn walk(free: &[bool; BORDERED * BORDERED], square: &mut [u8]) {
    let beside = |at: usize| [at - BORDERED, at + 1, at + BORDERED, at - 1];
    let corners = [BORDERED + 1, BORDERED - 1].map(|apart| [MIDDLE - apart, MIDDLE + apart]);
    let mut seen = [false; BORDERED * BORDERED];
    let mut wave = [0u16; SIDE * SIDE];
    let (mut begin, mut end, mut known) = (0, 1, 1);
    (wave[0], seen[MIDDLE]) = (MIDDLE as u16, true);
    for steps in 0..=EARSHOT as u8 {
        for at in begin..end {
            let tile = usize::from(wave[at]);
            square[(tile / BORDERED - 1) * SIDE + tile % BORDERED - 1] = steps;
            for next in beside(tile) {
                if free[next] && !seen[next] {
                    (wave[known], seen[next]) = (next as u16, true);
                    known += 1;
                }
            }
        }
        if steps == 1 {
            for next in corners.into_iter().flatten() {
                if free[next] && !seen[next] {
                    (wave[known], seen[next]) = (next as u16, true);
                    known += 1;
                }
            }
        }
        (begin, end) = (end, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ground with walls and single tiles that nobody can stand on.
    fn rough() -> Grid {
        let mut grid = Grid { width: 30, height: 28, walkable: vec![1; 30 * 28] };
        for y in 3..20 {
            let wall = grid.tile(10, y);
            grid.walkable[usize::from(wall)] = 0;
        }
        for at in 0..60u16 {
            let tile = usize::from(at * 61 % 840);
            grid.walkable[tile] = 0;
        }
        grid
    }

    #[test]
    fn on_open_ground_it_is_as_far_as_the_tiles_lie_apart() {
        let grid = Grid { width: 20, height: 16, walkable: vec![1; 320] };
        let strolls = Strolls::of(&grid);
        for from in 0..320 {
            for to in 0..320 {
                let apart = grid.manhattan(from, to);
                assert_eq!(strolls.steps(&grid, from, to), (apart <= EARSHOT).then_some(apart));
            }
        }
    }

    #[test]
    fn every_stroll_leads_step_by_step_to_where_two_can_talk() {
        let grid = rough();
        let strolls = Strolls::of(&grid);
        let tiles = || (0..840u16).filter(|&tile| grid.walkable[usize::from(tile)] != 0);
        let (mut around, mut apart) = (0, 0);
        for to in tiles() {
            let field = grid.distances(to);
            for from in tiles() {
                let on_foot = field[usize::from(from)];
                let Some(steps) = strolls.steps(&grid, from, to) else {
                    assert!(on_foot > EARSHOT && grid.chebyshev(from, to) > 1);
                    apart += u32::from(grid.manhattan(from, to) <= EARSHOT);
                    continue;
                };
                assert!(steps <= on_foot && steps >= grid.manhattan(from, to));
                around += u32::from(steps > grid.manhattan(from, to));
                let nearer = |next| strolls.steps(&grid, next, to) == Some(steps.wrapping_sub(1));
                let way = (0..4).any(|step| grid.step(from, step).is_some_and(nearer));
                assert!(way || grid.chebyshev(from, to) <= 1);
            }
        }
        assert!(around > 1000 && apart > 1000, "{around} around, {apart} too far on foot");
    }
}
