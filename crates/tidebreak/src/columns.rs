//! Tables of columns: one vector per fact, rows in ascending id.
//!
//! What is hashed, stored and compared walks the columns in the order they are declared, so a new
//! column is never forgotten by any of the three.

use xxhash_rust::xxh64::Xxh64;

/// A value that has one byte form on every machine.
pub trait Cell: Copy {
    /// Feed the little-endian bytes.
    fn feed(self, hasher: &mut Xxh64);
    /// Whether it is a number that a battle could come to: no NaN, and nothing so large that what
    /// follows from it would be none.
    fn is_figure(self) -> bool {
        true
    }
}

/// Larger figures than this lead out of what a float holds, squared and summed up.
const FIGURE_MAX: f64 = 1e12;

macro_rules! plain_cells {
    ($($ty:ty),*) => { $(
        impl Cell for $ty {
            #[inline]
            fn feed(self, hasher: &mut Xxh64) {
                hasher.update(&self.to_le_bytes());
            }
        }
    )* };
}
plain_cells!(u8, u16, u32, u64, i8, i16, i32, i64);

macro_rules! figure_cells {
    ($($ty:ty),*) => { $(
        impl Cell for $ty {
            #[inline]
            fn feed(self, hasher: &mut Xxh64) {
                hasher.update(&self.to_le_bytes());
            }

            fn is_figure(self) -> bool {
                self.abs() <= FIGURE_MAX as $ty
            }
        }
    )* };
}
figure_cells!(f32, f64);

impl Cell for bool {
    fn feed(self, hasher: &mut Xxh64) {
        hasher.update(&[u8::from(self)]);
    }
}

impl<A: Cell, B: Cell> Cell for (A, B) {
    fn feed(self, hasher: &mut Xxh64) {
        self.0.feed(hasher);
        self.1.feed(hasher);
    }

    fn is_figure(self) -> bool {
        self.0.is_figure() && self.1.is_figure()
    }
}

impl<T: Cell, const N: usize> Cell for [T; N] {
    fn feed(self, hasher: &mut Xxh64) {
        for value in self {
            value.feed(hasher);
        }
    }

    fn is_figure(self) -> bool {
        self.into_iter().all(T::is_figure)
    }
}

/// A column whose type is not known to the reader.
pub trait Column {
    /// How many cells there are.
    fn rows(&self) -> usize;
    /// Feed every cell, in row order.
    fn feed_all(&self, hasher: &mut Xxh64);
    /// Feed one cell: how two states are compared row by row.
    fn feed_row(&self, row: usize, hasher: &mut Xxh64);
    /// The cell in words.
    fn words(&self, row: usize) -> String;
    /// The first row whose cell is no figure.
    fn first_unsound(&self) -> Option<usize>;
}

impl<T: Cell + std::fmt::Debug> Column for Vec<T> {
    fn rows(&self) -> usize {
        self.len()
    }

    fn feed_all(&self, hasher: &mut Xxh64) {
        for value in self {
            value.feed(hasher);
        }
    }

    fn feed_row(&self, row: usize, hasher: &mut Xxh64) {
        self[row].feed(hasher);
    }

    fn words(&self, row: usize) -> String {
        format!("{:?}", self[row])
    }

    fn first_unsound(&self) -> Option<usize> {
        self.iter().position(|cell| !cell.is_figure())
    }
}

/// A fact of the whole battle, read as a column of one row.
#[derive(Clone, Copy, Debug)]
pub struct One<T>(pub T);

impl<T: Cell + std::fmt::Debug> Column for One<T> {
    fn rows(&self) -> usize {
        1
    }

    fn feed_all(&self, hasher: &mut Xxh64) {
        self.0.feed(hasher);
    }

    fn feed_row(&self, _row: usize, hasher: &mut Xxh64) {
        self.0.feed(hasher);
    }

    fn words(&self, _row: usize) -> String {
        format!("{:?}", self.0)
    }

    fn first_unsound(&self) -> Option<usize> {
        (!self.0.is_figure()).then_some(0)
    }
}

/// Declare a table and its row.
macro_rules! table {
    ($(#[$meta:meta])* $name:ident of $row:ident { $($(#[$about:meta])* $column:ident: $ty:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $name { $($(#[$about])* pub $column: Vec<$ty>),* }

        /// One row, to be pushed or read whole.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $row { $($(#[$about])* pub $column: $ty),* }

        #[allow(dead_code, reason = "not every table needs every verb")]
        impl $name {
            /// Rows.
            #[must_use]
            pub fn len(&self) -> usize { table!(@first self $($column)*).len() }

            /// Whether there is no row.
            #[must_use]
            pub fn is_empty(&self) -> bool { self.len() == 0 }

            /// Room for rows, so that pushing them does not allocate.
            pub fn reserve(&mut self, rows: usize) { $(self.$column.reserve(rows);)* }

            /// Forget every row and keep the memory.
            pub fn clear(&mut self) { $(self.$column.clear();)* }

            /// Add a row at the end.
            pub fn push(&mut self, row: $row) { $(self.$column.push(row.$column);)* }

            /// A row, copied out.
            #[must_use]
            pub fn row(&self, at: usize) -> $row { $row { $($column: self.$column[at]),* } }

            /// Put a whole row back.
            pub fn set(&mut self, at: usize, row: $row) { $(self.$column[at] = row.$column;)* }

            /// Drop the rows that are not kept; the others stay in order.
            pub fn keep(&mut self, kept: &[bool]) {
                $({
                    let mut rows = kept.iter();
                    self.$column.retain(|_| *rows.next().unwrap_or(&false));
                })*
            }

            /// Every column, in the order of declaration.
            pub fn for_each_column(&self, visit: &mut dyn FnMut(&'static str, &dyn $crate::columns::Column)) {
                $(visit(stringify!($column), &self.$column);)*
            }
        }
    };
    (@first $self:ident $first:ident $($rest:ident)*) => { $self.$first };
}
#[allow(unused_imports, reason = "used by the tables of the state")]
pub(crate) use table;

/// Declare a view of some columns of a table: all that a plugin can see of it.
macro_rules! columns {
    ($(#[$meta:meta])* $vis:vis $name:ident of $table:ident { $($column:ident: $ty:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $name<'a> { $($vis $column: &'a [$ty]),* }

        impl<'a> $name<'a> {
            /// Of a whole table.
            fn of(table: &'a $table) -> Self {
                Self { $($column: &table.$column),* }
            }
        }
    };
}
pub(crate) use columns;
