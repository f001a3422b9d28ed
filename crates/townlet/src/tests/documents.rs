//! Documents that nobody has checked before: refused by path, never by a panic.

use serde_json::{Value, json};

use crate::config::{Config, Document};

/// The default document with one place changed; what is wrong with it.
fn refusal(path: &str, value: &Value) -> String {
    let mut document = json!(Document::default());
    let parts: Vec<&str> = path.split('.').collect();
    let mut place = &mut document;
    for part in &parts {
        place = match part.parse::<usize>() {
            Ok(index) => &mut place[index],
            Err(_) => &mut place[*part],
        };
    }
    *place = value.clone();
    let read = serde_json::from_value::<Document>(document);
    match read.map_err(|error| error.to_string()).and_then(Config::new) {
        Ok(_) => "taken".to_owned(),
        Err(why) => why,
    }
}

#[test]
fn what_the_rules_could_not_bear_is_refused_by_its_path() {
    let cases = [
        ("economy.stove_stock_replenish", json!(101), ""),
        ("economy.stove_stock_max", json!(1001), ""),
        ("economy.fridge_restock", json!(65535), ""),
        ("economy.shelf_restock", json!(1001), ""),
        ("economy.restock_tod", json!(1000), ""),
        ("lifecycle.spawn_delay_ticks", json!([5, 10_001]), "lifecycle.spawn_delay_ticks[1]"),
        ("lifecycle.spawn_delay_ticks", json!([20, 5]), ""),
        ("lifecycle.age_out_days", json!([10, 10_001]), "lifecycle.age_out_days[1]"),
        ("lifecycle.age_out_days", json!([20, 10]), ""),
        ("perturbations.max_concurrent_events", json!(17), ""),
        ("perturbations.global_cooldown_ticks", json!(4_000_000_000u32), ""),
        ("perturbations.per_agent_cooldown_ticks", json!(100_001), ""),
        ("perturbations.grace_window_ticks", json!(10_001), ""),
        ("perturbations.window_ticks", json!(0), ""),
        ("perturbations.max_events_per_window", json!(17), ""),
        ("perturbations.specs.blackout.prob_per_day", json!(-0.1), ""),
        ("perturbations.specs.blackout.cooldown_ticks", json!(100_001), ""),
        (
            "perturbations.specs.blackout.duration",
            json!([1, 100_001]),
            "perturbations.specs.blackout.duration[1]",
        ),
        ("perturbations.specs.blackout.duration", json!([9, 8]), ""),
        (
            "perturbations.specs.price_spike.magnitude",
            json!([1.5, 1.2]),
            "perturbations.specs.price_spike.magnitude[1]",
        ),
        ("perturbations.specs.arranged_meet.max_participants", json!(9), ""),
        ("conflict.rivalry.min_value", json!(0.9), "taken"),
        ("conflict.rivalry.max_value", json!(-0.1), ""),
        ("conflict.rivalry.increment_per_conflict", json!(1.1), ""),
        ("conflict.rivalry.avoid_threshold", json!(-0.1), ""),
        ("conflict.rivalry.ghost_step_boost", json!(5.1), ""),
        ("conflict.rivalry.queue_length_boost", json!(-1), ""),
        ("conflict.rivalry.max_edges", json!(7), ""),
        ("population.needs.hygiene", json!(1.5), ""),
        ("rewards.decay_rates.energy", json!(0.2), ""),
        ("jobs.clerk.lateness_penalty", json!(-1), ""),
        ("jobs.clerk.wage_rate", json!(1.5), ""),
        ("jobs.clerk.radius", json!(128), ""),
        ("jobs.clerk.capacity", json!(0), ""),
        ("jobs.clerk.grace_ticks", json!(121), ""),
        ("jobs.clerk.absent_cutoff", json!(601), ""),
        ("jobs.clerk.absence_slack", json!(601), ""),
        ("jobs.clerk.late_tick_penalty", json!(2), ""),
        ("jobs.clerk.absence_penalty", json!(6), ""),
        ("personalities.distribution.stoic", json!(-1), ""),
        ("personalities.distribution", json!({ "brave": 1.0 }), "personalities.distribution.brave"),
        ("personalities.distribution", json!({ "stoic": 0.0 }), ""),
        ("personalities.overrides", json!({ "nobody": "stoic" }), "personalities.overrides.nobody"),
        ("personalities.overrides", json!({ "resident_01#2": "stoic" }), "taken"),
        ("observations.compact.object_channels", json!(["sofa"]), ""),
        ("observations.compact.object_channels", json!(["bed", "bed"]), ""),
        ("observations.compact.object_channels", json!(["bed", "till"]), "taken"),
        (
            "features",
            json!({ "weather": { "rain_step_ticks": 11 } }),
            "features.weather.rain_step_ticks",
        ),
        ("features", json!({ "weather": { "warmth": true } }), "features.weather.warmth"),
        (
            "features",
            json!({ "weather": { "chances": { "sunny": 0, "rainy": 0, "cold": 0 } } }),
            "features.weather.chances",
        ),
        ("features", json!({ "spoilage": { "after_ticks": 0 } }), "features.spoilage.after_ticks"),
        ("features", json!({ "drama": { "rage_rivalry": 1.5 } }), "features.drama.rage_rivalry"),
        ("world.bus_stop", json!([4, 4]), ""),
        ("world.bus_stop", json!([48, 0]), ""),
        ("population.names", json!(["a", "b", "c", "d", "e", "f", "g", "h", "i"]), ""),
        ("population.names", json!(["x".repeat(65)]), ""),
        (
            "affordances.objects.14.stock.raw_ingredients",
            json!(65535),
            "affordances.objects.stove_1.stock.raw_ingredients",
        ),
        (
            "affordances.affordances.0.effects.hygiene",
            json!(1.5),
            "affordances.affordances.use_shower.effects.hygiene",
        ),
        (
            "affordances.affordances.2.gains.meal",
            json!(1001),
            "affordances.affordances.cook_meal.gains.meal",
        ),
    ];
    for (path, value, expected) in cases {
        let found = refusal(path, &value);
        let expected = if expected.is_empty() { path } else { expected };
        assert!(found.starts_with(expected), "{path} = {value}: {found}");
    }
}

#[test]
fn rivalry_needs_a_range_that_rises() {
    let mut document = Document::default();
    document.conflict.rivalry.min_value = 0.6;
    document.conflict.rivalry.max_value = 0.5;
    let found = Config::new(document).expect_err("falling");
    assert_eq!(found, "conflict.rivalry.min_value: 0.6 is above max_value 0.5");
}
