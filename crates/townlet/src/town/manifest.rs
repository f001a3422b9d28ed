//! Objects and affordances, from the entries of the manifest.

use std::collections::BTreeMap;

use super::{Affordance, Hooked, ITEMS, Object, Part, Roles, STOCKS, Town, VENUES};
use crate::conditions::Expr;
use crate::config::{AffordanceEntry, ObjectEntry};
use crate::hot::PRICE_KEYS;
use crate::numbers::{ENERGY, HYGIENE, NEED_NAMES, NONE, micro};
use crate::preconditions::telling;
use crate::reloading::{Old, cooking};

const HOOKS: [&str; 12] = [
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
];

impl Town {
    pub(super) fn place_objects(&mut self) -> Result<(), String> {
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

    pub(super) fn list_affordances(&mut self, retired: &[Old]) -> Result<(), String> {
        self.of_kind = vec![Vec::new(); self.kinds.len()];
        let entries = self.document.affordances.affordances.clone();
        if entries.len() > 32 {
            return Err("affordances.affordances: at most 32".to_owned());
        }
        for entry in &entries {
            if self.affordances.iter().any(|known| known.id == entry.id) {
                return Err(format!("affordances.affordances.{}: the id is given twice", entry.id));
            }
            let affordance = self.affordance(entry, cooking(&self.document.economy))?;
            if affordance.kind != NONE {
                self.of_kind[usize::from(affordance.kind)].push(self.affordances.len() as u8);
            }
            self.affordances.push(affordance);
        }
        for list in &mut self.of_kind {
            list.sort_by(|&a, &b| entries[usize::from(a)].id.cmp(&entries[usize::from(b)].id));
        }
        self.offered = entries.len();
        for old in retired {
            let affordance = self.affordance(&old.entry, old.cooking)?;
            self.affordances.push(affordance);
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

    fn affordance(&self, entry: &AffordanceEntry, cooking: [f64; 2]) -> Result<Affordance, String> {
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
            effects[ENERGY] -= micro(cooking[0]);
            effects[HYGIENE] -= micro(cooking[1]);
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
        let mut affordance = Affordance {
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
            telling: Vec::new(),
            hooked: hooked(&field, entry)?,
            part: match entry.id.as_str() {
                "cook_meal" => Part::Cook,
                "eat_packed" => Part::Packed,
                "buy_groceries" => Part::Buy,
                "rest_sleep" => Part::Sleep,
                _ => Part::Other,
            },
        };
        affordance.telling = telling(&affordance);
        Ok(affordance)
    }
}

fn index_of(field: &str, known: &[&str], name: &str) -> Result<u8, String> {
    let found = known.iter().position(|one| *one == name);
    found.map(|index| index as u8).ok_or_else(|| format!("{field}: {name:?} is none of {known:?}"))
}

fn amounts<const N: usize>(
    field: &str,
    known: &[&str; N],
    given: &BTreeMap<String, u16>,
) -> Result<[u16; N], String> {
    let mut amounts = [0; N];
    for (name, &amount) in given {
        amounts[usize::from(index_of(field, known, name)?)] = amount;
    }
    Ok(amounts)
}

fn hooked(field: &str, entry: &AffordanceEntry) -> Result<Hooked, String> {
    let hooks = &entry.hooks;
    for name in hooks.before.iter().chain(&hooks.after).chain(&hooks.fail) {
        index_of(&format!("{field}.hooks"), &HOOKS, name)?;
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
