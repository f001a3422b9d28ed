//! The ground: which tiles can be walked on, and how far everything is from everywhere.

/// Distance of a tile from which a destination cannot be reached.
pub const FAR: u16 = u16::MAX;

/// North, east, south, west: the order in which equal steps are preferred.
pub const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// The tiles.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Tiles from west to east.
    pub width: u16,
    /// Tiles from north to south.
    pub height: u16,
    /// 1 where an agent may stand.
    pub walkable: Vec<u8>,
}

impl Grid {
    /// Number of tiles.
    #[must_use]
    pub fn tiles(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// The tile at (x, y).
    #[must_use]
    pub fn tile(&self, x: u16, y: u16) -> u16 {
        y * self.width + x
    }

    /// The place of a tile.
    #[inline]
    #[must_use]
    pub fn place(&self, tile: u16) -> (i32, i32) {
        (i32::from(tile % self.width), i32::from(tile / self.width))
    }

    /// The neighbour of `tile` in direction `step`, if it is on the grid.
    #[inline]
    #[must_use]
    pub fn beside(&self, tile: u16, step: usize) -> Option<u16> {
        let (x, y) = self.place(tile);
        let (x, y) = (x + STEPS[step].0, y + STEPS[step].1);
        let inside = x >= 0 && y >= 0 && x < i32::from(self.width) && y < i32::from(self.height);
        inside.then(|| y as u16 * self.width + x as u16)
    }

    /// As [`Grid::beside`], where an agent may stand.
    #[inline]
    #[must_use]
    pub fn step(&self, tile: u16, step: usize) -> Option<u16> {
        self.beside(tile, step).filter(|&next| self.walkable[usize::from(next)] != 0)
    }

    /// Whether two tiles touch along an edge.
    #[must_use]
    pub fn adjacent(&self, a: u16, b: u16) -> bool {
        self.manhattan(a, b) == 1
    }

    /// Steps between two tiles if nothing stood between them.
    #[inline]
    #[must_use]
    pub fn manhattan(&self, a: u16, b: u16) -> u16 {
        let ((ax, ay), (bx, by)) = (self.place(a), self.place(b));
        ((ax - bx).abs() + (ay - by).abs()) as u16
    }

    /// The longer of the two offsets.
    #[inline]
    #[must_use]
    pub fn chebyshev(&self, a: u16, b: u16) -> u16 {
        let ((ax, ay), (bx, by)) = (self.place(a), self.place(b));
        (ax - bx).abs().max((ay - by).abs()) as u16
    }

    /// Steps from every tile to `goal`, or to the nearest tile beside it if it is blocked.
    #[must_use]
    pub fn distances(&self, goal: u16) -> Vec<u16> {
        let mut field = vec![FAR; self.tiles()];
        let mut wave: Vec<u16> = if self.walkable[usize::from(goal)] == 0 {
            (0..4).filter_map(|step| self.step(goal, step)).collect()
        } else {
            vec![goal]
        };
        for &tile in &wave {
            field[usize::from(tile)] = 0;
        }
        let mut distance = 0;
        while !wave.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for tile in wave {
                for step in 0..4 {
                    if let Some(other) = self.step(tile, step)
                        && field[usize::from(other)] == FAR
                    {
                        field[usize::from(other)] = distance;
                        next.push(other);
                    }
                }
            }
            wave = next;
        }
        field
    }

    /// The walkable tile nearest to `from` for which `free` holds, in order of distance and index.
    pub fn nearest(&self, from: u16, free: impl Fn(u16) -> bool) -> Option<u16> {
        let tiles = (0..self.tiles() as u16)
            .filter(|&tile| self.walkable[usize::from(tile)] != 0 && free(tile));
        tiles.min_by_key(|&tile| (self.manhattan(from, tile), tile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_go_around_walls_and_stop_beside_what_is_blocked() {
        let mut grid = Grid { width: 5, height: 3, walkable: vec![1; 15] };
        for y in 0..2 {
            let wall = grid.tile(2, y);
            grid.walkable[usize::from(wall)] = 0;
        }
        let field = grid.distances(grid.tile(3, 0));
        assert_eq!(field[usize::from(grid.tile(1, 0))], 6);
        let goal = grid.tile(2, 0);
        let beside = grid.distances(goal);
        assert_eq!(beside[usize::from(grid.tile(3, 0))], 0);
        assert_eq!(beside[usize::from(goal)], FAR);
    }
}
