//! Deliveries, rent, stipends, prices.

use serde_json::{Map, json};

use crate::employment;
use crate::events::{Event, bit, figure};
use crate::hot::PRICE_KEYS;
use crate::numbers::scaled;
use crate::state::State;
use crate::town::Town;

/// One tick of the town's money and stock.
pub fn tick(town: &Town, state: &mut State) {
    let tod = state.tod(town);
    if tod == 0 {
        let stipend = state.hot.economy.stipend;
        for agent in state.agents.iter_mut().filter(|agent| agent.present()) {
            agent.wallet += stipend;
        }
        employment::hire(town, state);
    }
    if tod == state.hot.economy.restock_tod {
        let (fridge, shelf) = (state.hot.economy.fridge, state.hot.economy.shelf);
        fill(town, state, "fridge", 0, |stock| stock.max(fridge));
        fill(town, state, "shelf", 2, |stock| stock.max(shelf));
    }
    if state.tick % state.hot.economy.stove_every == state.hot.economy.stove_every - 1 {
        let (add, most) = (state.hot.economy.stove_add, state.hot.economy.stove_max);
        fill(town, state, "stove", 1, |stock| stock.max((stock + add).min(most)));
    }
    if tod == town.day - 1 {
        rent(town, state);
    }
    mark_hardship(state);
}

/// Say of everyone whether prices are raised, and whether a meal is more than they have.
fn mark_hardship(state: &mut State) {
    let raised = state.city.active.iter().any(|event| event.prices != 0);
    let dear = if raised { bit("price_spike") } else { 0 };
    let [meal, ..] = state.prices;
    for at in 0..state.order.len() {
        let agent = &mut state.agents[usize::from(state.order[at])];
        agent.now.bits |= dear | if agent.wallet < meal { bit("low_money") } else { 0 };
    }
}

fn fill(town: &Town, state: &mut State, kind: &str, stock: usize, level: impl Fn(u16) -> u16) {
    let Some(kind) = town.kinds.iter().position(|known| known == kind) else { return };
    for &object in &town.by_kind[kind] {
        let held = state.things[usize::from(object)].stock[stock];
        let now = level(held);
        state.things[usize::from(object)].stock[stock] = now;
        if now > held {
            state.tell(Event::new("stock_replenish").at(object).value(f64::from(now - held)));
        }
    }
}

fn rent(town: &Town, state: &mut State) {
    let due = state.hot.economy.rent;
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let agent = &mut state.agents[seat];
        if agent.wallet >= due {
            agent.wallet -= due;
            agent.unpaid = 0;
            agent.grace_until = 0;
            state.tell(Event::new("rent_paid").of(seat).value(figure(due)));
            continue;
        }
        // The landlord takes what is there, so that only what is earned from now on is a recovery.
        agent.wallet = 0;
        agent.unpaid = agent.unpaid.saturating_add(1);
        agent.now.bits |= bit("rent_missed");
        if u32::from(agent.unpaid) >= town.document.lifecycle.eviction_days
            && agent.grace_until == 0
        {
            agent.grace_until = state.tick + town.day;
        }
        state.tally.unpaid += 1;
        state.tell(Event::new("rent_missed").of(seat).value(f64::from(state.agents[seat].unpaid)));
    }
}

/// Prices in force: the base times every spike.
pub fn reprice(state: &mut State) {
    let mut prices = state.hot.economy.prices;
    for event in &state.city.active {
        if event.prices != 0 {
            for (index, price) in prices.iter_mut().enumerate() {
                if event.prices >> index & 1 == 1 {
                    *price = scaled(*price, event.magnitude);
                }
            }
        }
    }
    if prices != state.prices {
        state.prices = prices;
        state.tell_with(Event::new("economy_price_update"), |_| {
            let told = PRICE_KEYS
                .iter()
                .zip(prices)
                .map(|(key, price)| ((*key).to_owned(), json!(figure(price))));
            json!({ "prices": told.collect::<Map<_, _>>() })
        });
    }
}

/// Whether every job's wage still fits the basket; said aloud if not.
pub fn check_basket(town: &Town, state: &mut State) {
    let basket = state.hot.economy.basket(&state.hot.economy.prices);
    let fits = town.jobs.iter().all(|job| {
        let wage = job.wage * i64::from(job.end - job.start);
        (scaled(basket, 1_100_000)..=scaled(basket, 1_200_000)).contains(&wage)
    });
    if !fits {
        state.tell(Event::new("basket_violation").value(figure(basket)));
    }
}

/// Prices now, over twice those at the base: 0.5 where nothing is dearer.
#[must_use]
pub fn price_index(state: &State) -> f32 {
    let base: i64 = state.hot.economy.basket(&state.hot.economy.prices);
    let now = state.hot.economy.basket(&state.prices);
    if base == 0 { 0.5 } else { (now as f64 / base as f64 / 2.0).min(1.0) as f32 }
}
