//! `affordances`: objects of the town and what can be done with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `affordances`. The core reads no files: whoever loads `affordances_file` puts its entries here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Affordances {
    /// Objects, in order; ids of at most 255.
    pub objects: Vec<ObjectEntry>,
    /// What can be done, in order; at most 32.
    pub affordances: Vec<AffordanceEntry>,
}

/// One object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectEntry {
    /// Its name, unique.
    pub id: String,
    /// Its type; affordances name it.
    pub object_type: String,
    /// Its tile, which it blocks.
    pub position: [u16; 2],
    /// The venue it belongs to: home, gym, cafe, grocer, office, park.
    #[serde(default)]
    pub venue: Option<String>,
    /// What it holds at first, by name: meals, raw_ingredients, food_raw, sleep_slots,
    /// sleep_capacity, power_on, water_on.
    #[serde(default)]
    pub stock: BTreeMap<String, u16>,
}

/// One thing that can be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AffordanceEntry {
    /// Its name, unique.
    pub id: String,
    /// The type of object it needs; none if it is done anywhere.
    #[serde(default)]
    pub object_type: Option<String>,
    /// Ticks it takes (1-10,000).
    pub duration: u32,
    /// Change of needs when it is finished.
    #[serde(default)]
    pub effects: BTreeMap<String, f64>,
    /// Things gained when it is finished: food_raw, meal, clothes_clean.
    #[serde(default)]
    pub gains: BTreeMap<String, u16>,
    /// Things of one's own used up at the start.
    #[serde(default)]
    pub uses: BTreeMap<String, u16>,
    /// Stock of the object used up at the start (of the shelf for `food_raw` of a till).
    #[serde(default)]
    pub stock: BTreeMap<String, u16>,
    /// Stock given back at the end.
    #[serde(default)]
    pub returns: bool,
    /// Price key paid at the start.
    #[serde(default)]
    pub cost: Option<String>,
    /// A thing of one's own taken instead of the price; the stock is used up all the same.
    #[serde(default)]
    pub instead_of_cost: Option<String>,
    /// Expressions that must hold at the start.
    #[serde(default)]
    pub preconds: Vec<String>,
    /// Utilities needed all along: power, water.
    #[serde(default)]
    pub requires: Vec<String>,
    /// Built-in hooks.
    #[serde(default)]
    pub hooks: Hooks,
}

/// Names of built-in hooks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hooks {
    /// Before the start.
    pub before: Vec<String>,
    /// After the end.
    pub after: Vec<String>,
    /// When it fails.
    pub fail: Vec<String>,
}

impl Default for Affordances {
    fn default() -> Self {
        Self { objects: default_objects(), affordances: default_affordances() }
    }
}

fn default_objects() -> Vec<ObjectEntry> {
    let object = |id: &str, kind: &str, venue: &str, position, stock: &[(&str, u16)]| ObjectEntry {
        id: id.to_owned(),
        object_type: kind.to_owned(),
        position,
        venue: (!venue.is_empty()).then(|| venue.to_owned()),
        stock: stock.iter().map(|&(name, amount)| (name.to_owned(), amount)).collect(),
    };
    let bed = [("sleep_capacity", 1), ("sleep_slots", 1)];
    let wet = [("power_on", 1), ("water_on", 1)];
    let stove = [("raw_ingredients", 3), ("power_on", 1)];
    let mut objects: Vec<ObjectEntry> = (0..10u16)
        .map(|i| object(&format!("bed_{}", i + 1), "bed", "home", [4 + 4 * i, 4], &bed))
        .collect();
    objects.extend([
        object("shower_1", "shower", "gym", [20, 20], &wet),
        object("shower_2", "shower", "gym", [22, 20], &wet),
        object("fridge_1", "fridge", "cafe", [12, 24], &[("meals", 20)]),
        object("fridge_2", "fridge", "cafe", [14, 24], &[("meals", 20)]),
        object("stove_1", "stove", "", [12, 10], &stove),
        object("stove_2", "stove", "", [28, 10], &stove),
        object("shelf_1", "shelf", "grocer", [32, 24], &[("food_raw", 30)]),
        object("till_1", "till", "grocer", [34, 24], &[]),
        object("counter_1", "counter", "cafe", [13, 28], &[]),
        object("desk_1", "desk", "office", [34, 34], &[]),
        object("desk_2", "desk", "office", [36, 34], &[]),
        object("desk_3", "desk", "office", [38, 34], &[]),
        object("wardrobe_1", "wardrobe", "", [24, 10], &[]),
        object("bench_1", "bench", "park", [24, 36], &[]),
        object("bench_2", "bench", "park", [26, 36], &[]),
    ]);
    objects
}

fn default_affordances() -> Vec<AffordanceEntry> {
    vec![
        AffordanceEntry {
            cost: Some("shower_cost".to_owned()),
            preconds: words(&["occupied == false", "power_on == true", "water_on == true"]),
            requires: words(&["power", "water"]),
            hooks: hooks("on_attempt_shower", "on_finish_shower", "on_no_power"),
            ..plain("use_shower", "shower", 30, &[("hygiene", 0.45), ("energy", -0.03)])
        },
        AffordanceEntry {
            cost: Some("meal_cost".to_owned()),
            stock: counts(&[("meals", 1)]),
            preconds: words(&["meal_available == true"]),
            hooks: hooks("on_attempt_eat", "on_finish_eat", ""),
            ..plain("eat_meal", "fridge", 15, &[("hunger", 0.40), ("energy", 0.05)])
        },
        AffordanceEntry {
            cost: Some("ingredients_cost".to_owned()),
            instead_of_cost: Some("food_raw".to_owned()),
            stock: counts(&[("raw_ingredients", 1)]),
            gains: counts(&[("meal", 2)]),
            preconds: words(&["power_on == true"]),
            requires: words(&["power"]),
            hooks: hooks("on_attempt_cook", "on_finish_cook", "on_cook_fail"),
            ..plain("cook_meal", "stove", 40, &[("hunger", 0.10)])
        },
        AffordanceEntry {
            stock: counts(&[("sleep_slots", 1)]),
            returns: true,
            hooks: hooks("on_attempt_sleep", "on_finish_sleep", ""),
            ..plain("rest_sleep", "bed", 200, &[("energy", 0.80)])
        },
        AffordanceEntry {
            cost: Some("ingredients_cost".to_owned()),
            stock: counts(&[("food_raw", 1)]),
            gains: counts(&[("food_raw", 1)]),
            preconds: words(&["stock_available == true"]),
            hooks: hooks("on_attempt_buy", "on_finish_buy", ""),
            ..plain("buy_groceries", "till", 10, &[])
        },
        AffordanceEntry {
            uses: counts(&[("meal", 1)]),
            preconds: words(&["inventory.meal >= 1"]),
            ..plain("eat_packed", "", 15, &[("hunger", 0.40)])
        },
        AffordanceEntry {
            uses: counts(&[("clothes_clean", 1)]),
            preconds: words(&["inventory.clothes_clean >= 1"]),
            ..plain("change_clothes", "wardrobe", 5, &[("hygiene", 0.10)])
        },
        plain("rest_bench", "bench", 20, &[("energy", 0.05)]),
    ]
}

fn plain(id: &str, object: &str, duration: u32, effects: &[(&str, f64)]) -> AffordanceEntry {
    AffordanceEntry {
        id: id.to_owned(),
        object_type: (!object.is_empty()).then(|| object.to_owned()),
        duration,
        effects: effects.iter().map(|&(need, change)| (need.to_owned(), change)).collect(),
        gains: BTreeMap::new(),
        uses: BTreeMap::new(),
        stock: BTreeMap::new(),
        returns: false,
        cost: None,
        instead_of_cost: None,
        preconds: Vec::new(),
        requires: Vec::new(),
        hooks: Hooks::default(),
    }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|&word| word.to_owned()).collect()
}

fn counts(list: &[(&str, u16)]) -> BTreeMap<String, u16> {
    list.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

fn hooks(before: &str, after: &str, fail: &str) -> Hooks {
    let one = |name: &str| if name.is_empty() { Vec::new() } else { words(&[name]) };
    Hooks { before: one(before), after: one(after), fail: one(fail) }
}
