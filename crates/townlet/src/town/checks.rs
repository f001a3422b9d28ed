//! Ranges of the document, so that no rule meets a figure it was not made for.

use super::Town;
use super::build::WAGE_SHARES;
use crate::config::{Document, Stage};
use crate::numbers::{float, scaled};

/// Every range, first fault first.
pub fn ranges(document: &Document) -> Result<(), String> {
    for (field, value, low, high) in figures(document) {
        // Written so that NaN counts as outside.
        if !(value >= low && value <= high) {
            return Err(format!("{field}: {value} is outside {low} to {high}"));
        }
    }
    orders(document)
}

type Figure = (&'static str, f64, f64, f64);

fn figures(document: &Document) -> Vec<Figure> {
    let mut all = vec![
        ("time.ticks_per_day", document.time.ticks_per_day.into(), 100.0, 10_000.0),
        ("env.max_ticks", document.env.max_ticks.into(), 1.0, 100_000_000.0),
        ("world.grid_size[0]", document.world.grid_size[0].into(), 8.0, 128.0),
        ("world.grid_size[1]", document.world.grid_size[1].into(), 8.0, 128.0),
        ("population.agents", document.population.agents.into(), 1.0, 64.0),
        ("population.wallet_in_rents", document.population.wallet_in_rents, 0.0, 100.0),
    ];
    if let Some(seats) = document.population.seats {
        all.push(("population.seats", seats.into(), document.population.agents.into(), 64.0));
    }
    let fields = ["population.needs.hunger", "population.needs.hygiene", "population.needs.energy"];
    let needs = document.population.needs.values();
    all.extend(fields.into_iter().zip(needs).map(|(field, need)| (field, need, 0.0, 1.0)));
    all.extend(reward_figures(document));
    all.extend(money_figures(document));
    all.extend(rivalry_figures(document));
    all.extend(life_figures(document));
    all.extend(optional_figures(document));
    all
}

fn reward_figures(document: &Document) -> Vec<Figure> {
    let rewards = &document.rewards;
    let weights = &rewards.needs_weights;
    let mut all = vec![
        ("rewards.survival_tick", rewards.survival_tick, 0.0, 0.01),
        ("rewards.needs_weights.hunger", weights.hunger, 0.5, 2.0),
        ("rewards.needs_weights.hygiene", weights.hygiene, 0.2, 1.0),
        ("rewards.needs_weights.energy", weights.energy, 0.4, 1.5),
        ("rewards.needs_scale", rewards.needs_scale, 0.0, 1.0),
        ("rewards.wage_rate", rewards.wage_rate, 0.0, 0.05),
        ("rewards.punctuality_bonus", rewards.punctuality_bonus, 0.0, 0.1),
        ("rewards.social.chat_base", rewards.social.chat_base, 0.0, 0.1),
        ("rewards.social.chat_scale", rewards.social.chat_scale, 0.0, 1.0),
        ("rewards.social.avoidance", rewards.social.avoidance, 0.0, 0.02),
        ("rewards.faint_penalty", rewards.faint_penalty, -5.0, 0.0),
        ("rewards.eviction_penalty", rewards.eviction_penalty, -5.0, 0.0),
        ("rewards.clip.clip_per_tick", rewards.clip.clip_per_tick, 0.01, 1.0),
        ("rewards.clip.clip_per_episode", rewards.clip.clip_per_episode, 1.0, 200.0),
        (
            "rewards.clip.no_positive_within_death_ticks",
            rewards.clip.no_positive_within_death_ticks.into(),
            0.0,
            200.0,
        ),
        ("shaping.gamma", document.shaping.gamma, 0.0, 1.0),
    ];
    let fields =
        ["rewards.decay_rates.hunger", "rewards.decay_rates.hygiene", "rewards.decay_rates.energy"];
    let rates = rewards.decay_rates.values();
    all.extend(fields.into_iter().zip(rates).map(|(field, rate)| (field, rate, 0.0, 0.1)));
    all
}

fn money_figures(document: &Document) -> Vec<Figure> {
    let economy = &document.economy;
    let work = &document.employment;
    let queue = &document.queue_fairness;
    let mut all = vec![
        ("economy.meal_cost", economy.meal_cost, 0.0, 10.0),
        ("economy.ingredients_cost", economy.ingredients_cost, 0.0, 10.0),
        ("economy.shower_cost", economy.shower_cost, 0.0, 10.0),
        ("economy.cook_energy_cost", economy.cook_energy_cost, 0.0, 1.0),
        ("economy.cook_hygiene_cost", economy.cook_hygiene_cost, 0.0, 1.0),
        ("economy.rent_per_day", economy.rent_per_day, 0.0, 100.0),
        ("economy.wage_income", economy.wage_income, 0.0, 1.0),
        ("economy.stove_stock_interval", economy.stove_stock_interval.into(), 1.0, 10_000.0),
        ("economy.stipend_per_day", economy.stipend_per_day, 0.0, 100.0),
        ("employment.grace_ticks", work.grace_ticks.into(), 0.0, 120.0),
        ("employment.absent_cutoff", work.absent_cutoff.into(), 0.0, 600.0),
        ("employment.absence_slack", work.absence_slack.into(), 0.0, 600.0),
        ("employment.late_tick_penalty", work.late_tick_penalty, 0.0, 1.0),
        ("employment.absence_penalty", work.absence_penalty, 0.0, 5.0),
        ("employment.max_absent_shifts", work.max_absent_shifts.into(), 0.0, 20.0),
        ("employment.attendance_window", work.attendance_window.into(), 1.0, 14.0),
        ("employment.daily_exit_cap", work.daily_exit_cap.into(), 0.0, 50.0),
        ("employment.exit_queue_limit", work.exit_queue_limit.into(), 0.0, 100.0),
        ("employment.exit_review_window", work.exit_review_window.into(), 1.0, 100_000.0),
        ("queue_fairness.cooldown_ticks", queue.cooldown_ticks.into(), 0.0, 600.0),
        ("queue_fairness.ghost_step_after", queue.ghost_step_after.into(), 0.0, 100.0),
        ("queue_fairness.age_priority_weight", queue.age_priority_weight, 0.0, 1.0),
        ("queue_fairness.queue_timeout_ticks", queue.queue_timeout_ticks.into(), 1.0, 5000.0),
        ("queue_fairness.queue_nodes", queue.queue_nodes.into(), 0.0, 16.0),
        ("queue_fairness.blocker_cooldown_ticks", queue.blocker_cooldown_ticks.into(), 0.0, 600.0),
    ];
    let hold = queue.reservation_timeout_ticks.into();
    all.push(("queue_fairness.reservation_timeout_ticks", hold, 1.0, 1000.0));
    all
}

fn rivalry_figures(document: &Document) -> [Figure; 10] {
    let rivalry = &document.conflict.rivalry;
    [
        ("conflict.rivalry.max_edges", rivalry.max_edges.into(), 1.0, 6.0),
        ("conflict.rivalry.increment_per_conflict", rivalry.increment_per_conflict, 0.0, 1.0),
        ("conflict.rivalry.decay_per_tick", rivalry.decay_per_tick, 0.0, 1.0),
        ("conflict.rivalry.min_value", rivalry.min_value, 0.0, 1.0),
        ("conflict.rivalry.max_value", rivalry.max_value, 0.0, 1.0),
        ("conflict.rivalry.avoid_threshold", rivalry.avoid_threshold, 0.0, 1.0),
        ("conflict.rivalry.eviction_threshold", rivalry.eviction_threshold, 0.0, 1.0),
        ("conflict.rivalry.ghost_step_boost", rivalry.ghost_step_boost, 0.0, 5.0),
        ("conflict.rivalry.handover_boost", rivalry.handover_boost, 0.0, 5.0),
        ("conflict.rivalry.queue_length_boost", rivalry.queue_length_boost, 0.0, 5.0),
    ]
}

fn life_figures(document: &Document) -> Vec<Figure> {
    let life = &document.lifecycle;
    let behavior = &document.behavior;
    let ties = &document.relationships;
    let slots = &document.embedding_allocator;
    let mut all = vec![
        ("behavior.hunger_threshold", behavior.hunger_threshold, 0.0, 1.0),
        ("behavior.hygiene_threshold", behavior.hygiene_threshold, 0.0, 1.0),
        ("behavior.energy_threshold", behavior.energy_threshold, 0.0, 1.0),
        ("behavior.urgent_threshold", behavior.urgent_threshold, 0.0, 1.0),
        ("behavior.job_arrival_buffer", behavior.job_arrival_buffer.into(), 0.0, 200.0),
        ("lifecycle.max_exits_per_day", life.max_exits_per_day.into(), 0.0, 64.0),
        ("lifecycle.exit_cooldown_ticks", life.exit_cooldown_ticks.into(), 0.0, 10_000.0),
        ("lifecycle.faint_threshold", life.faint_threshold, 0.0, 1.0),
        ("lifecycle.faint_ticks", life.faint_ticks.into(), 1.0, 1000.0),
        ("lifecycle.neglect_threshold", life.neglect_threshold, 0.0, 1.0),
        ("lifecycle.neglect_share", life.neglect_share, 0.0, 1.0),
        ("lifecycle.eviction_days", life.eviction_days.into(), 1.0, 30.0),
        ("lifecycle.unemployment_days", life.unemployment_days.into(), 1.0, 30.0),
        ("lifecycle.newcomer_job_chance", life.newcomer_job_chance, 0.0, 1.0),
        ("relationships.decay_per_hour", ties.decay_per_hour, 0.0, 1.0),
        ("relationships.entry_threshold", ties.entry_threshold, 0.0, 2.0),
        ("relationships.chat_cooldown_ticks", ties.chat_cooldown_ticks.into(), 0.0, 1000.0),
        ("relationships.chat_success", ties.chat_success, 0.0, 1.0),
        ("embedding_allocator.cooldown_ticks", slots.cooldown_ticks.into(), 0.0, 10_000.0),
        ("embedding_allocator.reuse_warning_threshold", slots.reuse_warning_threshold, 0.0, 0.5),
        (
            "policy_runtime.option_commit_ticks",
            document.policy_runtime.option_commit_ticks.into(),
            0.0,
            600.0,
        ),
    ];
    let most = f64::from(slots.max_slots);
    all.push(("embedding_allocator.max_slots", most, 1.0, 256.0));
    all.push((
        "perturbations.specs (count)",
        document.perturbations.specs.0.len() as f64,
        0.0,
        16.0,
    ));
    all
}

fn optional_figures(document: &Document) -> Vec<Figure> {
    let features = &document.features;
    let (weather, drama) = (&features.weather, &features.drama);
    vec![
        ("features.weather.chances.sunny", weather.chances.sunny, 0.0, 1.0),
        ("features.weather.chances.rainy", weather.chances.rainy, 0.0, 1.0),
        ("features.weather.chances.cold", weather.chances.cold, 0.0, 1.0),
        ("features.weather.rain_step_ticks", weather.rain_step_ticks.into(), 1.0, 10.0),
        ("features.weather.warmth_loss", weather.warmth_loss, 0.0, 0.1),
        ("features.weather.warmth_gain", weather.warmth_gain, 0.0, 0.1),
        ("features.weather.exposure_threshold", weather.exposure_threshold, 0.0, 1.0),
        ("features.weather.exposure_ticks", weather.exposure_ticks.into(), 1.0, 1000.0),
        ("features.spoilage.after_ticks", features.spoilage.after_ticks.into(), 1.0, 100_000.0),
        ("features.drama.argument_rivalry", drama.argument_rivalry, 0.0, 1.0),
        ("features.drama.argument_ticks", drama.argument_ticks.into(), 1.0, 100.0),
        ("features.drama.argument_rest_ticks", drama.argument_rest_ticks.into(), 0.0, 10_000.0),
        ("features.drama.rage_rivalry", drama.rage_rivalry, 0.0, 1.0),
        ("features.drama.spiral_failures", drama.spiral_failures.into(), 1.0, 100.0),
        ("features.drama.spiral_step_ticks", drama.spiral_step_ticks.into(), 1.0, 10.0),
    ]
}

/// What must hold between figures.
fn orders(document: &Document) -> Result<(), String> {
    let seats = document.population.seats.unwrap_or(document.population.agents);
    if seats > document.embedding_allocator.max_slots {
        return Err(format!("embedding_allocator.max_slots: must be at least the {seats} seats"));
    }
    let stages = &document.features.stages;
    if matches!(stages.social_rewards, Stage::A | Stage::B) {
        return Err("features.stages.social_rewards: must be OFF, C1, C2 or C3".to_owned());
    }
    if stages.social_rewards > stages.relationships {
        return Err(
            "features.stages.social_rewards: needs relationships at the same stage or above"
                .to_owned(),
        );
    }
    let observations = &document.observations;
    let windows = [
        ("observations.hybrid.local_window", observations.hybrid.local_window, false),
        ("observations.compact.map_window", observations.compact.map_window, true),
    ];
    for (field, window, may_be_none) in windows {
        let fits = window % 2 == 1 && (3..=31).contains(&window);
        let none = may_be_none && window == 0;
        if !(fits || none) {
            return Err(format!("{field}: must be odd, 3 to 31"));
        }
    }
    // Otherwise an agent could be paid to arrive hungry.
    let weight = document.rewards.needs_weights.hunger * document.rewards.needs_scale;
    let skipped_meal = weight * 0.4 * 0.4 * f64::from(document.time.ticks_per_day) / 3.0;
    if document.rewards.punctuality_bonus >= skipped_meal
        && document.rewards.punctuality_bonus > 0.0
    {
        return Err(format!(
            "rewards.punctuality_bonus: must be below {skipped_meal:.4}, what skipping a meal costs"
        ));
    }
    Ok(())
}

/// The wage of every job must leave a little, and only a little, of a day's basket.
pub fn basket(town: &Town) -> Result<(), String> {
    let basket = town.hot.economy.basket(&town.hot.economy.prices);
    for job in &town.jobs {
        let wage = job.wage * i64::from(job.end - job.start);
        let [least, most] = WAGE_SHARES.map(|share| scaled(basket, share));
        if !(least..=most).contains(&wage) {
            return Err(format!(
                "jobs.{}: a day's wage of {} must lie in {} to {} (1.1 to 1.2 of rent, three meals \
                 and two showers)",
                job.id,
                float(wage),
                float(least),
                float(most)
            ));
        }
    }
    Ok(())
}
