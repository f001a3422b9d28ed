//! Building the tables from the document.

use super::{Affordance, Hooked, ITEMS, Job, Object, Roles, STOCKS, Sight, Spec, Town, VENUES};
use crate::conditions::Expr;
use crate::config::{AffordanceEntry, Document, ObjectEntry, PerturbationKind, PerturbationSpec};
use crate::grid::{FAR, Grid};
use crate::hot::{Hot, PRICE_KEYS, PRICES};
use crate::numbers::{ENERGY, HYGIENE, Micro, NEED_NAMES, NONE, micro};

const HOOKS: [&str; 13] = [
    "on_attempt_shower",
    "on_finish_shower",
    "on_no_power",
    "on_attempt_eat",
    "on_finish_eat",
    "on_attempt_cook",
    "on_finish_cook",
    "on_cook_fail",
    "on_attempt_sleep",
    "on_finish_sleep",
    "on_attempt_buy",
    "on_finish_buy",
    "",
];

impl Town {
    /// The tables of `document`.
    ///
    /// # Errors
    /// The first thing wrong with it: the field, and what it may be.
    pub fn build(document: Document) -> Result<Self, String> {
        super::checks::ranges(&document)?;
        let mut town = Self {
            seats: usize::from(document.population.seats.unwrap_or(document.population.agents)),
            day: document.time.ticks_per_day,
            grid: ground(&document)?,
            hot: Hot::of(&document),
            document,
            ..Self::default()
        };
        town.place_objects()?;
        town.list_affordances()?;
        town.list_jobs()?;
        town.list_specs()?;
        town.measure()?;
        town.sight = Sight::of(&town);
        town.name_residents()?;
        super::checks::basket(&town)?;
        Ok(town)
    }

    fn tile_of(&self, field: &str, [x, y]: [u16; 2]) -> Result<u16, String> {
        if x >= self.grid.width || y >= self.grid.height {
            let (width, height) = (self.grid.width, self.grid.height);
            return Err(format!("{field}: ({x}, {y}) is outside the grid of {width} by {height}"));
        }
        Ok(self.grid.tile(x, y))
    }

    fn place_objects(&mut self) -> Result<(), String> {
        for entry in self.document.affordances.objects.clone() {
            let field = format!("affordances.objects.{}", entry.id);
            if self.objects.iter().any(|object| object.id == entry.id) {
                return Err(format!("{field}: the id is given twice"));
            }
            let tile = self.tile_of(&format!("{field}.position"), entry.position)?;
            if self.grid.walkable[usize::from(tile)] == 0 {
                return Err(format!("{field}.position: the tile is blocked"));
            }
            self.grid.walkable[usize::from(tile)] = 0;
            let object = self.object(&field, &entry, tile)?;
            self.objects.push(object);
        }
        if self.objects.len() >= usize::from(NONE) {
            return Err("affordances.objects: at most 254 objects".to_owned());
        }
        for index in 0..self.objects.len() {
            let venue = self.objects[index].venue;
            let shelf = self.objects.iter().position(|other| {
                other.venue == venue && self.kinds[usize::from(other.kind)] == "shelf"
            });
            let sells = self.kinds[usize::from(self.objects[index].kind)] == "till";
            self.objects[index].store = shelf.filter(|_| sells).unwrap_or(index) as u8;
        }
        self.by_kind = vec![Vec::new(); self.kinds.len()];
        for (index, object) in self.objects.iter().enumerate() {
            self.by_kind[usize::from(object.kind)].push(index as u8);
        }
        Ok(())
    }

    fn object(&mut self, field: &str, entry: &ObjectEntry, tile: u16) -> Result<Object, String> {
        let kind = self.kinds.iter().position(|kind| *kind == entry.object_type);
        let kind = kind.unwrap_or_else(|| {
            self.kinds.push(entry.object_type.clone());
            self.kinds.len() - 1
        });
        let venue = match &entry.venue {
            None => NONE,
            Some(name) => index_of(&format!("{field}.venue"), &VENUES, name)?,
        };
        let mut stock = [0; STOCKS.len()];
        for (name, &amount) in &entry.stock {
            match name.as_str() {
                "sleep_capacity" | "power_on" | "water_on" => {}
                _ => {
                    stock[usize::from(index_of(&format!("{field}.stock"), &STOCKS, name)?)] = amount
                }
            }
        }
        let wired = |name: &str| entry.stock.get(name).copied().unwrap_or(0) != 0;
        Ok(Object {
            id: entry.id.clone(),
            kind: kind as u8,
            tile,
            venue,
            stock,
            power: wired("power_on"),
            water: wired("water_on"),
            store: NONE,
        })
    }

    fn list_affordances(&mut self) -> Result<(), String> {
        self.of_kind = vec![Vec::new(); self.kinds.len()];
        let entries = self.document.affordances.affordances.clone();
        if entries.len() > 32 {
            return Err("affordances.affordances: at most 32".to_owned());
        }
        for entry in &entries {
            if self.affordances.iter().any(|known| known.id == entry.id) {
                return Err(format!("affordances.affordances.{}: the id is given twice", entry.id));
            }
            let affordance = self.affordance(entry)?;
            if affordance.kind != NONE {
                self.of_kind[usize::from(affordance.kind)].push(self.affordances.len() as u8);
            }
            self.affordances.push(affordance);
        }
        for list in &mut self.of_kind {
            list.sort_by(|&a, &b| entries[usize::from(a)].id.cmp(&entries[usize::from(b)].id));
        }
        let role = |id: &str| {
            let found = entries.iter().position(|entry| entry.id == id);
            found.map_or(NONE, |index| index as u8)
        };
        self.roles = Roles {
            eat: role("eat_meal"),
            cook: role("cook_meal"),
            packed: role("eat_packed"),
            shower: role("use_shower"),
            clothes: role("change_clothes"),
            sleep: role("rest_sleep"),
            buy: role("buy_groceries"),
        };
        Ok(())
    }

    fn affordance(&self, entry: &AffordanceEntry) -> Result<Affordance, String> {
        let field = format!("affordances.affordances.{}", entry.id);
        if !(1..=10_000).contains(&entry.duration) {
            return Err(format!("{field}.duration: must be 1 to 10000"));
        }
        if entry.effects.is_empty() && entry.gains.is_empty() {
            return Err(format!("{field}: needs effects or gains"));
        }
        let kind = match &entry.object_type {
            None => NONE,
            Some(name) => match self.kinds.iter().position(|kind| kind == name) {
                Some(kind) => kind as u8,
                None => return Err(format!("{field}.object_type: no object is a {name:?}")),
            },
        };
        let mut effects = [0; 3];
        for (name, &change) in &entry.effects {
            if !change.is_finite() {
                return Err(format!("{field}.effects.{name}: must be finite"));
            }
            effects[usize::from(index_of(&format!("{field}.effects"), &NEED_NAMES, name)?)] =
                micro(change);
        }
        if entry.id == "cook_meal" {
            effects[ENERGY] -= micro(self.document.economy.cook_energy_cost);
            effects[HYGIENE] -= micro(self.document.economy.cook_hygiene_cost);
        }
        let price = match &entry.cost {
            None => NONE,
            Some(key) => index_of(&format!("{field}.cost"), &PRICE_KEYS, key)?,
        };
        let instead = match &entry.instead_of_cost {
            None => NONE,
            Some(item) => index_of(&format!("{field}.instead_of_cost"), &ITEMS, item)?,
        };
        let mut preconds = Vec::new();
        for text in &entry.preconds {
            let compiled = Expr::compile(text).map_err(|why| format!("{field}.preconds: {why}"))?;
            preconds.push((compiled, text.clone()));
        }
        for name in &entry.requires {
            index_of(&format!("{field}.requires"), &["power", "water"], name)?;
        }
        let needs = |name: &str| entry.requires.iter().any(|utility| utility == name);
        Ok(Affordance {
            id: entry.id.clone(),
            kind,
            duration: entry.duration,
            effects,
            gains: amounts(&format!("{field}.gains"), &ITEMS, &entry.gains)?,
            uses: amounts(&format!("{field}.uses"), &ITEMS, &entry.uses)?,
            stock: amounts(&format!("{field}.stock"), &STOCKS, &entry.stock)?,
            returns: entry.returns,
            price,
            instead,
            power: needs("power"),
            water: needs("water"),
            preconds,
            hooked: hooked(&field, entry)?,
        })
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

    fn list_specs(&mut self) -> Result<(), String> {
        for (id, entry) in self.document.perturbations.specs.0.clone() {
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

fn index_of(field: &str, known: &[&str], name: &str) -> Result<u8, String> {
    let found = known.iter().position(|one| *one == name);
    found.map(|index| index as u8).ok_or_else(|| format!("{field}: {name:?} is none of {known:?}"))
}

fn amounts<const N: usize>(
    field: &str,
    known: &[&str; N],
    given: &std::collections::BTreeMap<String, u16>,
) -> Result<[u16; N], String> {
    let mut amounts = [0; N];
    for (name, &amount) in given {
        amounts[usize::from(index_of(field, known, name)?)] = amount;
    }
    Ok(amounts)
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

fn hooked(field: &str, entry: &AffordanceEntry) -> Result<Hooked, String> {
    let hooks = &entry.hooks;
    for name in hooks.before.iter().chain(&hooks.after).chain(&hooks.fail) {
        index_of(&format!("{field}.hooks"), &HOOKS[..12], name)?;
    }
    let after = |name: &str| hooks.after.iter().any(|hook| hook == name);
    Ok(Hooked {
        eat: after("on_finish_eat"),
        shower: after("on_finish_shower"),
        sleep: after("on_finish_sleep"),
        cook: after("on_finish_cook"),
        no_power: hooks.fail.iter().any(|hook| hook == "on_no_power"),
    })
}

/// What the wage of a day may be, as shares of the basket.
pub(super) const WAGE_SHARES: [Micro; 2] = [1_100_000, 1_200_000];
