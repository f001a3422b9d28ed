//! Building the tables from the document.

use super::{Job, Sight, Spec, Strolls, Town, VENUES};
use crate::config::{Document, PerturbationKind, PerturbationSpec};
use crate::grid::{FAR, Grid};
use crate::hot::{Hot, PRICES};
use crate::numbers::{Micro, micro};
use crate::reloading::Retired;
use crate::weather;

impl Town {
    /// The tables of `document`.
    ///
    /// # Errors
    /// The first thing wrong with it: the field, and what it may be.
    pub fn build(document: Document) -> Result<Self, String> {
        let town = Self::assemble(document, &Retired::default(), None)?;
        super::checks::basket(&town)?;
        Ok(town)
    }

    /// The tables of `document`, with what still goes on under older ones; wages may be out of step
    /// with prices. Of `before`, a town on the same ground, they take what is large and stays as it is.
    ///
    /// # Errors
    /// As for [`Town::build`].
    pub fn assemble(
        document: Document,
        retired: &Retired,
        before: Option<&Self>,
    ) -> Result<Self, String> {
        super::checks::ranges(&document)?;
        super::limits::entries(&document)?;
        let mut town = Self {
            seats: usize::from(document.population.seats.unwrap_or(document.population.agents)),
            day: document.time.ticks_per_day,
            grid: ground(&document)?,
            hot: Hot::of(&document),
            document,
            ..Self::default()
        };
        town.place_objects()?;
        town.roofs = weather::roofs(&town.document, &town.grid, &town.objects);
        town.list_affordances(&retired.affordances)?;
        town.list_jobs()?;
        town.list_specs(&retired.specs)?;
        town.measure()?;
        town.strolls =
            before.map_or_else(|| Strolls::of(&town.grid), |before| before.strolls.clone());
        town.sight = Sight::of(&town);
        town.name_residents()?;
        super::limits::references(&town)?;
        Ok(town)
    }

    pub(super) fn tile_of(&self, field: &str, [x, y]: [u16; 2]) -> Result<u16, String> {
        if x >= self.grid.width || y >= self.grid.height {
            let (width, height) = (self.grid.width, self.grid.height);
            return Err(format!("{field}: ({x}, {y}) is outside the grid of {width} by {height}"));
        }
        Ok(self.grid.tile(x, y))
    }

    fn list_jobs(&mut self) -> Result<(), String> {
        for (id, entry) in self.document.jobs.0.clone() {
            let field = format!("jobs.{id}");
            if entry.start_tick >= entry.end_tick || entry.end_tick > self.day {
                return Err(format!("{field}: start_tick < end_tick <= {} must hold", self.day));
            }
            let tile = self.tile_of(&format!("{field}.location"), entry.location)?;
            self.jobs.push(Job {
                id,
                start: entry.start_tick,
                end: entry.end_tick,
                wage: micro(entry.wage_rate.unwrap_or(self.document.economy.wage_income)),
                lateness: micro(entry.lateness_penalty),
                tile,
                radius: entry.radius,
                capacity: entry.capacity,
                windows: [entry.grace_ticks, entry.absent_cutoff, entry.absence_slack],
                penalties: [entry.late_tick_penalty.map(micro), entry.absence_penalty.map(micro)],
            });
        }
        if self.jobs.len() > 16 {
            return Err("jobs: at most 16".to_owned());
        }
        Ok(())
    }

    fn list_specs(&mut self, retired: &[(String, PerturbationSpec)]) -> Result<(), String> {
        let specs = self.document.perturbations.specs.0.clone();
        self.drawn = specs.len();
        for (id, entry) in specs.into_iter().chain(retired.iter().cloned()) {
            let targets = self.spec_targets(&id, &entry)?;
            self.specs.push(Spec {
                id,
                kind: entry.kind,
                chance: entry.prob_per_day / f64::from(self.day),
                cooldown: entry.cooldown_ticks,
                duration: entry.duration,
                magnitude: entry.magnitude.map(micro),
                targets,
                participants: entry.max_participants,
            });
        }
        Ok(())
    }

    fn spec_targets(&self, id: &str, entry: &PerturbationSpec) -> Result<Vec<u8>, String> {
        let field = format!("perturbations.specs.{id}.targets");
        let mut targets = Vec::new();
        for name in &entry.targets {
            let target = self.spec_target(entry.kind, name);
            targets.push(target.ok_or_else(|| {
                format!(
                    "{field}: {name:?} is nothing such an event can be about; prices are global, \
                     market, cafe, grocer or a price key, closures name objects, meets venues"
                )
            })?);
        }
        let needed = matches!(
            entry.kind,
            PerturbationKind::PriceSpike
                | PerturbationKind::FacilityClosure
                | PerturbationKind::ArrangedMeet
        );
        if needed && targets.is_empty() {
            return Err(format!("{field}: needs at least one"));
        }
        Ok(targets)
    }

    /// What an event of `kind` is about: bits of prices, an object, or a venue.
    #[must_use]
    pub fn spec_target(&self, kind: PerturbationKind, name: &str) -> Option<u8> {
        let index = match kind {
            PerturbationKind::PriceSpike => return price_bits(name),
            PerturbationKind::FacilityClosure => {
                self.objects.iter().position(|object| object.id == name)
            }
            _ => VENUES.iter().position(|venue| *venue == name),
        };
        index.map(|index| index as u8)
    }

    fn measure(&mut self) -> Result<(), String> {
        let bed_kind = self.kinds.iter().position(|kind| kind == "bed");
        self.beds = bed_kind.map_or_else(Vec::new, |kind| self.by_kind[kind].clone());
        self.bus_stop = self.tile_of("world.bus_stop", self.document.world.bus_stop)?;
        if self.grid.walkable[usize::from(self.bus_stop)] == 0 {
            return Err("world.bus_stop: the tile is blocked".to_owned());
        }
        let south_of = |bed: &u8| {
            let tile = self.objects[usize::from(*bed)].tile;
            self.grid.step(tile, 2).or_else(|| self.grid.nearest(tile, |_| true)).unwrap_or(tile)
        };
        self.homes = self.beds.iter().map(south_of).collect();
        let goals = self.objects.iter().map(|object| object.tile);
        let goals = goals.chain(self.jobs.iter().map(|job| job.tile));
        let goals: Vec<u16> = goals.chain(self.homes.iter().copied()).collect();
        for (index, &goal) in goals.iter().enumerate() {
            let field = self.grid.distances(goal);
            if field[usize::from(self.bus_stop)] == FAR {
                let name = self.objects.get(index).map_or("a job or home", |object| &object.id);
                return Err(format!("world.layout: {name} cannot be reached from the bus stop"));
            }
            self.fields.extend(field);
        }
        for (venue, tile) in self.venues.iter_mut().enumerate() {
            let at = self.objects.iter().find(|object| usize::from(object.venue) == venue);
            *tile = at.map_or(self.bus_stop, |object| object.tile);
        }
        Ok(())
    }

    fn name_residents(&mut self) -> Result<(), String> {
        let given = &self.document.population.names;
        let agents = usize::from(self.document.population.agents);
        let name = |index: usize| {
            given.get(index).cloned().unwrap_or_else(|| format!("resident_{:02}", index + 1))
        };
        self.names = (0..agents).map(name).collect();
        for (index, name) in self.names.iter().enumerate() {
            if self.names[..index].contains(name) || name.is_empty() || name.contains('#') {
                return Err(format!(
                    "population.names: {name:?} is empty, has a # or is not unique"
                ));
            }
        }
        Ok(())
    }
}

fn ground(document: &Document) -> Result<Grid, String> {
    let [width, height] = document.world.grid_size;
    let mut walkable = vec![1; usize::from(width) * usize::from(height)];
    if let Some(rows) = &document.world.layout {
        let whole = rows.len() == usize::from(height)
            && rows.iter().all(|row| row.chars().count() == usize::from(width));
        if !whole {
            return Err(format!("world.layout: must be {height} rows of {width} characters"));
        }
        for (tile, symbol) in walkable.iter_mut().zip(rows.iter().flat_map(|row| row.chars())) {
            *tile = match symbol {
                '.' | '+' | '=' | 'q' => 1,
                '#' | 'C' | 'T' => 0,
                _ => return Err(format!("world.layout: {symbol:?} is no tile; use . # + = C T q")),
            };
        }
    }
    Ok(Grid { width, height, walkable })
}

/// The prices a target of a spike raises, one bit each.
fn price_bits(name: &str) -> Option<u8> {
    Some(match name {
        "global" => (1 << PRICES) - 1,
        "market" => 0b011,
        "cafe" | "meal_cost" => 0b001,
        "grocer" | "ingredients_cost" => 0b010,
        "shower_cost" => 0b100,
        _ => return None,
    })
}

/// What the wage of a day may be, as shares of the basket.
pub(super) const WAGE_SHARES: [Micro; 2] = [1_100_000, 1_200_000];
