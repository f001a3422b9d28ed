//! Ranges of entries and of what refers to them: each refused by its own path.

use super::Town;
use crate::config::{Document, Job, PerturbationSpec, Profile};
use crate::spawn::PROFILES;

/// Most of anything an object or a person holds.
const AMOUNT_MAX: f64 = 1000.0;

/// Every entry of the document, first fault first.
pub fn entries(document: &Document) -> Result<(), String> {
    stocks(document)?;
    spans(document)?;
    for (id, job) in &document.jobs.0 {
        work(&format!("jobs.{id}"), job)?;
    }
    events(document)?;
    sky(document)?;
    people(document)
}

/// Whether `value` lies from `low` to `high`; NaN does not.
fn within(field: &str, value: f64, [low, high]: [f64; 2]) -> Result<(), String> {
    if value >= low && value <= high {
        return Ok(());
    }
    Err(format!("{field}: {value} is outside {low} to {high}"))
}

fn rising(field: &str, pair: [u32; 2], range: [f64; 2]) -> Result<(), String> {
    for (at, value) in pair.into_iter().enumerate() {
        within(&format!("{field}[{at}]"), value.into(), range)?;
    }
    if pair[0] <= pair[1] { Ok(()) } else { Err(format!("{field}: the least comes first")) }
}

fn stocks(document: &Document) -> Result<(), String> {
    let economy = &document.economy;
    let last = document.time.ticks_per_day - 1;
    within("economy.stove_stock_replenish", economy.stove_stock_replenish.into(), [0.0, 100.0])?;
    within("economy.stove_stock_max", economy.stove_stock_max.into(), [0.0, AMOUNT_MAX])?;
    within("economy.fridge_restock", economy.fridge_restock.into(), [0.0, AMOUNT_MAX])?;
    within("economy.shelf_restock", economy.shelf_restock.into(), [0.0, AMOUNT_MAX])?;
    within("economy.restock_tod", economy.restock_tod.into(), [0.0, last.into()])?;
    for object in &document.affordances.objects {
        for (name, &amount) in &object.stock {
            let field = format!("affordances.objects.{}.stock.{name}", object.id);
            within(&field, amount.into(), [0.0, AMOUNT_MAX])?;
        }
    }
    for entry in &document.affordances.affordances {
        let field = format!("affordances.affordances.{}", entry.id);
        for (name, &change) in &entry.effects {
            within(&format!("{field}.effects.{name}"), change, [-1.0, 1.0])?;
        }
        for (kind, amounts) in
            [("gains", &entry.gains), ("uses", &entry.uses), ("stock", &entry.stock)]
        {
            for (name, &amount) in amounts {
                within(&format!("{field}.{kind}.{name}"), amount.into(), [0.0, AMOUNT_MAX])?;
            }
        }
    }
    Ok(())
}

fn spans(document: &Document) -> Result<(), String> {
    let life = &document.lifecycle;
    rising("lifecycle.spawn_delay_ticks", life.spawn_delay_ticks, [1.0, 10_000.0])?;
    if let Some(days) = life.age_out_days {
        rising("lifecycle.age_out_days", days, [1.0, 10_000.0])?;
    }
    let rivalry = &document.conflict.rivalry;
    if rivalry.min_value > rivalry.max_value {
        let (min, max) = (rivalry.min_value, rivalry.max_value);
        return Err(format!("conflict.rivalry.min_value: {min} is above max_value {max}"));
    }
    Ok(())
}

fn work(field: &str, job: &Job) -> Result<(), String> {
    let of = |name: &str| format!("{field}.{name}");
    let ticks = |name: &str, value: Option<u32>, most: f64| match value {
        Some(value) => within(&of(name), value.into(), [0.0, most]),
        None => Ok(()),
    };
    let figure = |name: &str, value: Option<f64>, most: f64| match value {
        Some(value) => within(&of(name), value, [0.0, most]),
        None => Ok(()),
    };
    figure("wage_rate", job.wage_rate, 1.0)?;
    within(&of("lateness_penalty"), job.lateness_penalty, [0.0, 5.0])?;
    within(&of("radius"), job.radius.into(), [0.0, 127.0])?;
    within(&of("capacity"), job.capacity.into(), [1.0, 256.0])?;
    ticks("grace_ticks", job.grace_ticks, 120.0)?;
    ticks("absent_cutoff", job.absent_cutoff, 600.0)?;
    ticks("absence_slack", job.absence_slack, 600.0)?;
    figure("late_tick_penalty", job.late_tick_penalty, 1.0)?;
    figure("absence_penalty", job.absence_penalty, 5.0)
}

fn events(document: &Document) -> Result<(), String> {
    let rules = &document.perturbations;
    let long = [0.0, 100_000.0];
    within("perturbations.max_concurrent_events", rules.max_concurrent_events.into(), [0.0, 16.0])?;
    within("perturbations.global_cooldown_ticks", rules.global_cooldown_ticks.into(), long)?;
    within("perturbations.per_agent_cooldown_ticks", rules.per_agent_cooldown_ticks.into(), long)?;
    within("perturbations.grace_window_ticks", rules.grace_window_ticks.into(), [0.0, 10_000.0])?;
    within("perturbations.window_ticks", rules.window_ticks.into(), [1.0, 100_000.0])?;
    within("perturbations.max_events_per_window", rules.max_events_per_window.into(), [0.0, 16.0])?;
    for (id, spec) in &rules.specs.0 {
        happening(&format!("perturbations.specs.{id}"), spec)?;
    }
    Ok(())
}

fn happening(field: &str, spec: &PerturbationSpec) -> Result<(), String> {
    let of = |name: &str| format!("{field}.{name}");
    within(&of("prob_per_day"), spec.prob_per_day, [0.0, 1.0])?;
    within(&of("cooldown_ticks"), spec.cooldown_ticks.into(), [0.0, 100_000.0])?;
    rising(&of("duration"), spec.duration, [1.0, 100_000.0])?;
    within(&of("magnitude[0]"), spec.magnitude[0], [0.5, 3.0])?;
    within(&of("magnitude[1]"), spec.magnitude[1], [spec.magnitude[0], 3.0])?;
    within(&of("max_participants"), spec.max_participants.into(), [2.0, 8.0])
}

fn sky(document: &Document) -> Result<(), String> {
    let weather = &document.features.weather;
    if weather.chances.values().iter().sum::<f64>() <= 0.0 {
        return Err("features.weather.chances: one of them must be above 0".to_owned());
    }
    if weather.warmth && !weather.enabled {
        return Err("features.weather.warmth: needs features.weather.enabled".to_owned());
    }
    Ok(())
}

fn people(document: &Document) -> Result<(), String> {
    let mut total = 0.0;
    for (name, weight) in &document.personalities.distribution.0 {
        let field = format!("personalities.distribution.{name}");
        if !PROFILES.contains(&name.as_str()) {
            return Err(format!("{field}: is none of {PROFILES:?}"));
        }
        within(&field, *weight, [0.0, 1_000_000.0])?;
        total += weight;
    }
    if total <= 0.0 {
        return Err("personalities.distribution: some profile needs a weight above 0".to_owned());
    }
    let (given, agents) = (&document.population.names, document.population.agents);
    if given.len() > usize::from(agents) {
        return Err(format!("population.names: {} for {agents} residents", given.len()));
    }
    match given.iter().find(|name| name.len() > 64) {
        Some(name) => Err(format!("population.names: {name:?} is longer than 64 bytes")),
        None => Ok(()),
    }
}

/// What names something must name something there is.
pub fn references(town: &Town) -> Result<(), String> {
    let overrides: &[(String, Profile)] = &town.document.personalities.overrides.0;
    for (id, _) in overrides {
        // Successors keep the name of the resident they replace, before the sign.
        let origin = id.split('#').next().unwrap_or(id);
        if !town.names.iter().any(|name| name == origin) {
            return Err(format!("personalities.overrides.{id}: is no resident"));
        }
    }
    let channels = &town.document.observations.compact.object_channels;
    for (at, kind) in channels.iter().enumerate() {
        let field = "observations.compact.object_channels";
        if !town.kinds.contains(kind) {
            return Err(format!("{field}: no object is a {kind:?}"));
        }
        if channels[..at].contains(kind) {
            return Err(format!("{field}: {kind:?} is given twice"));
        }
    }
    Ok(())
}
