//! Where two battles part.

use std::fmt;

use astrarium_morphospace::{Field, Space};
use xxhash_rust::xxh64::Xxh64;

use super::{Replay, ReplayError};
use crate::columns::{Column, One};
use crate::package::LAYERS;
use crate::state::State;

/// The first cell in which two battles differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// After so many ticks.
    pub tick: u32,
    /// The table.
    pub table: String,
    /// The ship's id, or the row in the table.
    pub entity: String,
    /// The column.
    pub column: String,
    /// In the first battle.
    pub left: String,
    /// In the second battle.
    pub right: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, table, entity, column, left, right } = self;
        write!(f, "tick {tick}, {table}, {entity}, {column}: {left} and {right}")
    }
}

/// Plays both battles side by side to the first difference; nothing if there is none.
///
/// # Errors
/// If one of them cannot be played.
pub fn diff(left: &Replay, right: &Replay) -> Result<Option<Difference>, ReplayError> {
    let (mut one, mut other) = (left.arena()?, right.arena()?);
    loop {
        if one.state.state_hash() != other.state.state_hash() {
            let found = first_difference(left, &one.state, &other.state);
            return Ok(Some(found.unwrap_or_else(|| water_differs(&one.state, &other.state))));
        }
        let tick = one.state.tick;
        match (left.advance(&mut one), right.advance(&mut other)) {
            (true, true) => {}
            (false, false) => return Ok(None),
            (goes_on, _) => {
                let word = |goes_on: bool| if goes_on { "goes on" } else { "ends" }.to_owned();
                return Ok(Some(Difference {
                    tick,
                    table: "battle".to_owned(),
                    entity: "the battle".to_owned(),
                    column: "orders".to_owned(),
                    left: word(goes_on),
                    right: word(!goes_on),
                }));
            }
        }
    }
}

/// Where the fields differ, or the wakes of hulls.
fn water_differs(left: &State, right: &State) -> Difference {
    if left.fields == right.fields {
        fields_differ(left.tick, "wakes", &left.wakes, &right.wakes)
    } else {
        fields_differ(left.tick, "fields", &left.fields, &right.fields)
    }
}

/// The first cell that differs, if the shapes of the fields are the same.
fn fields_differ(tick: u32, table: &str, one: &Space, other: &Space) -> Difference {
    let (columns, rows) = one.cells();
    let told = |entity: String, column: &str, left: String, right: String| Difference {
        tick,
        table: table.to_owned(),
        entity,
        column: column.to_owned(),
        left,
        right,
    };
    if other.cells() == (columns, rows) {
        let mut planes =
            [vec![0.0; (columns * rows) as usize], vec![0.0; (columns * rows) as usize]];
        for (field, slab) in
            Field::ALL.into_iter().flat_map(|field| (0..3).map(move |s| (field, s)))
        {
            one.plane(field, slab, &mut planes[0]);
            other.plane(field, slab, &mut planes[1]);
            let cell =
                planes[0].iter().zip(&planes[1]).position(|(a, b)| a.to_bits() != b.to_bits());
            if let Some(cell) = cell {
                let (x, y) = (cell as u32 % columns, cell as u32 / columns);
                let entity = format!("{} cell ({x}, {y})", LAYERS[usize::from(slab)]);
                let [left, right] = [&planes[0], &planes[1]].map(|plane| plane[cell].to_string());
                return told(entity, field.name(), left, right);
            }
        }
    }
    let shape = |(columns, rows): (u32, u32)| format!("{columns} by {rows} cells");
    told("the fields".to_owned(), "shape", shape(one.cells()), shape(other.cells()))
}

/// A column with everything needed to compare it to its twin.
struct Seen {
    table: &'static str,
    column: &'static str,
    /// Hash and words of every cell.
    cells: Vec<(u64, String)>,
}

fn seen(state: &State) -> Vec<Seen> {
    let mut all = Vec::new();
    for_each_fact(state, &mut |table, column, cells: &dyn Column| {
        let cell = |row| {
            let mut hasher = Xxh64::new(0);
            cells.feed_row(row, &mut hasher);
            (hasher.digest(), cells.words(row))
        };
        all.push(Seen { table, column, cells: (0..cells.rows()).map(cell).collect() });
    });
    all
}

/// Facts of the whole battle first, then every column.
fn for_each_fact(state: &State, visit: &mut dyn FnMut(&'static str, &'static str, &dyn Column)) {
    visit("battle", "seed", &One(state.seed));
    visit("battle", "tick", &One(state.tick));
    visit("battle", "substep", &One(state.substep));
    visit("battle", "next_id", &One(state.next_id));
    state.for_each_column(visit);
    visit("battle", "weather", &One(state.sky));
    visit("battle", "dealt_by_nature", &One(state.dealt_by_nature));
    visit("battle", "counts", &One(state.tally));
    visit("battle", "ended_by", &One(state.outcome.ended_by));
    visit("battle", "winner", &One(state.outcome.winner));
}

fn first_difference(replay: &Replay, left: &State, right: &State) -> Option<Difference> {
    for (one, other) in seen(left).iter().zip(&seen(right)) {
        let rows = one.cells.len().max(other.cells.len());
        let differs = |&row: &usize| one.cells.get(row) != other.cells.get(row);
        let Some(row) = (0..rows).find(differs) else { continue };
        let words = |cells: &[(u64, String)]| {
            cells.get(row).map_or_else(|| "no such row".to_owned(), |(_, words)| words.clone())
        };
        return Some(Difference {
            tick: left.tick,
            table: one.table.to_owned(),
            entity: entity(replay, left, one.table, row),
            column: one.column.to_owned(),
            left: words(&one.cells),
            right: words(&other.cells),
        });
    }
    None
}

fn entity(replay: &Replay, state: &State, table: &str, row: usize) -> String {
    let ship = |row: usize| {
        replay
            .package
            .ships
            .get(row)
            .map_or_else(|| format!("row {row}"), |ship| format!("ship {}", ship.ship_id))
    };
    match table {
        "ships" | "beliefs" => ship(row),
        "mounts" => match state.mounts.ship.get(row) {
            Some(owner) => format!("{} slot {}", ship(*owner as usize), state.mounts.slot[row]),
            None => format!("row {row}"),
        },
        "tracks" => {
            format!("{} track {}", ship(row / crate::state::TRACKS), row % crate::state::TRACKS)
        }
        "rounds" => match state.rounds.id.get(row) {
            Some(id) => format!("round {id}"),
            None => format!("row {row}"),
        },
        "battle" => "the battle".to_owned(),
        _ => format!("row {row}"),
    }
}
