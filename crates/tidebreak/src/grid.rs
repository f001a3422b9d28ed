//! Where things are, by square cells: a counting sort once a tick instead of looking through all.

/// The indices of one battle.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Rows of ships that are on the map.
    pub ships: Cells,
    /// Rows of rounds that can be followed or shot down: torpedoes and missiles, not shells.
    pub rounds: Cells,
}

/// Rows of one table by the cell they are in.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    min: (f32, f32),
    columns: i32,
    rows: i32,
    /// Where each cell begins in `items`; two more than there are cells.
    starts: Vec<u32>,
    items: Vec<u32>,
    /// The cell of each point of the last rebuild, in the order given.
    cells: Vec<u32>,
}

impl Cells {
    /// Side of a cell, metres.
    pub const SIDE: f32 = 1000.0;

    /// Empty, over a map from `min` to `max`.
    #[must_use]
    pub fn over(min: (f32, f32), max: (f32, f32), room: usize) -> Self {
        let count = |from: f32, to: f32| (((to - from) / Self::SIDE).ceil() as i32).max(1);
        let (columns, rows) = (count(min.0, max.0), count(min.1, max.1));
        Self {
            min,
            columns,
            rows,
            starts: vec![0; (columns * rows) as usize + 2],
            items: Vec::with_capacity(room),
            cells: Vec::with_capacity(room),
        }
    }

    /// Columns and rows of cells.
    #[must_use]
    pub fn size(&self) -> (i32, i32) {
        (self.columns, self.rows)
    }

    /// Column and row of a place; places off the map belong to the nearest cell of its edge.
    #[inline]
    #[must_use]
    pub fn cell(&self, x: f32, y: f32) -> (i32, i32) {
        let column = ((x - self.min.0) * (1.0 / Self::SIDE)) as i32;
        let row = ((y - self.min.1) * (1.0 / Self::SIDE)) as i32;
        (column.clamp(0, self.columns - 1), row.clamp(0, self.rows - 1))
    }

    /// What is in a cell, in ascending order; nothing outside the map.
    #[inline]
    #[must_use]
    pub fn at(&self, column: i32, row: i32) -> &[u32] {
        if column < 0 || row < 0 || column >= self.columns || row >= self.rows {
            return &[];
        }
        let cell = (row * self.columns + column) as usize;
        &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// What is in the cells of one row of them from column `left` to `right`, all on the map.
    #[inline]
    #[must_use]
    pub fn span(&self, left: i32, right: i32, row: i32) -> &[u32] {
        let first = (row * self.columns + left) as usize;
        let last = (row * self.columns + right) as usize;
        &self.items[self.starts[first] as usize..self.starts[last + 1] as usize]
    }

    /// What lies within so many cells of a place, one row of cells after the other.
    #[inline]
    pub fn rows_around(&self, x: f32, y: f32, cells: i32) -> impl Iterator<Item = &[u32]> {
        let (column, row) = self.cell(x, y);
        let (left, right) = ((column - cells).max(0), (column + cells).min(self.columns - 1));
        let rows = (row - cells).max(0)..=(row + cells).min(self.rows - 1);
        rows.map(move |row| self.span(left, right, row))
    }

    /// Visit everything that may lie within `reach` of a place, cell by cell. Distances are the
    /// visitor's to test.
    #[inline]
    pub fn near(&self, x: f32, y: f32, reach: f32, mut visit: impl FnMut(usize)) {
        let (left, low) = self.cell(x - reach, y - reach);
        let (right, high) = self.cell(x + reach, y + reach);
        for row in low..=high {
            // Cells of one row are neighbours in `items` too.
            let first = (row * self.columns + left) as usize;
            let last = (row * self.columns + right) as usize;
            let span = self.starts[first] as usize..self.starts[last + 1] as usize;
            for &item in &self.items[span] {
                visit(item as usize);
            }
        }
    }

    /// Sort points into cells anew. Allocates only when there are more points than ever before.
    pub fn rebuild(&mut self, points: impl Iterator<Item = (u32, f32, f32)> + Clone) {
        self.starts.fill(0);
        self.cells.clear();
        for (_, x, y) in points.clone() {
            let (column, row) = self.cell(x, y);
            let cell = (row * self.columns + column) as u32;
            self.cells.push(cell);
            self.starts[cell as usize + 2] += 1;
        }
        let mut before = 0;
        for start in &mut self.starts {
            before += *start;
            *start = before;
        }
        // `starts[cell + 1]` begins as the first free place of a cell and ends as its end.
        self.items.clear();
        self.items.resize(self.cells.len(), 0);
        for ((item, _, _), &cell) in points.zip(&self.cells) {
            let free = &mut self.starts[cell as usize + 1];
            self.items[*free as usize] = item;
            *free += 1;
        }
    }
}

impl Grid {
    /// Empty, over a map from `min` to `max`, with room for this many ships and rounds.
    #[must_use]
    pub fn over(min: (f32, f32), max: (f32, f32), ships: usize, rounds: usize) -> Self {
        Self { ships: Cells::over(min, max, ships), rounds: Cells::over(min, max, rounds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_near_is_missed_and_cells_keep_their_order() {
        let mut cells = Cells::over((-5000.0, -3000.0), (5000.0, 3000.0), 64);
        let points: Vec<(u32, f32, f32)> = (0..400_u32)
            .map(|at| {
                let spread = |step: u32, span: f32| ((at * step) % 997) as f32 / 997.0 * span;
                (at, spread(37, 12_000.0) - 6000.0, spread(101, 8000.0) - 4000.0)
            })
            .collect();
        for _ in 0..2 {
            cells.rebuild(points.iter().copied());
        }
        for &(_, x, y) in &points {
            let mut found = Vec::new();
            cells.near(x, y, 1500.0, |item| {
                let (_, other_x, other_y) = points[item];
                if (other_x - x).hypot(other_y - y) <= 1500.0 {
                    found.push(item as u32);
                }
            });
            found.sort_unstable();
            let near = |&&(_, px, py): &&(u32, f32, f32)| (px - x).hypot(py - y) <= 1500.0;
            let expected: Vec<u32> = points.iter().filter(near).map(|point| point.0).collect();
            assert_eq!(found, expected);
        }
        let (columns, rows) = cells.size();
        let mut all = 0;
        for row in 0..rows {
            for column in 0..columns {
                assert!(cells.at(column, row).is_sorted());
                all += cells.at(column, row).len();
            }
        }
        assert_eq!((columns, rows, all), (10, 6, points.len()));
        assert!(cells.at(-1, 0).is_empty() && cells.at(0, rows).is_empty());
    }
}
