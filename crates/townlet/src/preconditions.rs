//! What the names of a precondition mean for an agent at an object.

use crate::conditions::{Expr, NAMES, Operator, Value};
use crate::numbers::{NONE, float};
use crate::state::State;
use crate::town::{Affordance, ITEMS, STOCKS, Town};

/// Names that tell whose turn it is, which waiting changes.
const TURN: [&str; 5] =
    ["queue", "queue_length", "reservation_active", "reservation_holder", "occupied"];

/// The clauses of an affordance's preconditions that tell beforehand whether going there is any use:
/// not those a turn in the queue may bring about, and not those that [`crate::affordances`] asks for
/// anyway, since this is looked at for every object in every tick.
#[must_use]
pub fn telling(what: &Affordance) -> Vec<Expr> {
    let clauses = what.preconds.iter().flat_map(|(condition, _)| condition.clauses());
    let turns = |clause: &Expr| clause.asks(&|name| TURN.contains(&NAMES[name].0));
    clauses.filter(|clause| !turns(clause) && !implied(what, clause)).cloned().collect()
}

/// Whether a clause holds wherever utilities, stock and belongings are there.
fn implied(what: &Affordance, clause: &Expr) -> bool {
    let Expr::Compare(operator, name, value) = clause else { return false };
    let (&Expr::Name(name), Expr::Literal(value)) = (&**name, &**value) else { return false };
    let at_object = what.kind != NONE;
    match (NAMES[name].0, operator, value) {
        ("power_on", Operator::Equal, Value::Truth(true)) => at_object && what.power,
        ("water_on", Operator::Equal, Value::Truth(true)) => at_object && what.water,
        ("meal_available", Operator::Equal, Value::Truth(true)) => at_object && what.stock[0] > 0,
        ("stock_available", Operator::Equal, Value::Truth(true)) => at_object,
        (named, Operator::AtLeast, Value::Number(least)) => {
            let item = named.strip_prefix("inventory.");
            let item = item.and_then(|item| ITEMS.iter().position(|known| *known == item));
            item.is_some_and(|item| f64::from(what.uses[item]) >= *least)
        }
        _ => false,
    }
}

/// The value of a name in a precondition.
pub fn value_of(
    town: &Town,
    state: &State,
    seat: usize,
    affordance: u8,
    object: u8,
    name: usize,
) -> Value {
    let agent = &state.agents[seat];
    let thing = (object != NONE).then(|| state.things[usize::from(object)]);
    let store = (object != NONE)
        .then(|| state.things[usize::from(town.objects[usize::from(object)].store)].stock);
    let stock = |at: usize| Value::Number(store.map_or(0.0, |stock| f64::from(stock[at])));
    let wired = |power: bool| {
        let place = (object != NONE).then(|| &town.objects[usize::from(object)]);
        place.is_none_or(|place| if power { place.power } else { place.water })
    };
    let what = &town.affordances[usize::from(affordance)];
    match name {
        0 => Value::Text(what.id.clone()),
        1 => Value::Text(state.id_of(seat)),
        2 | 13 => Value::Number(float(agent.wallet)),
        3 => Value::Text(
            town.objects.get(usize::from(object)).map_or(String::new(), |o| o.id.clone()),
        ),
        4 => {
            let kind = town.objects.get(usize::from(object)).map(|o| usize::from(o.kind));
            Value::Text(kind.map_or(String::new(), |kind| town.kinds[kind].clone()))
        }
        5 => Value::Number(f64::from(state.tick)),
        6 => Value::Number(f64::from(state.tod(town))),
        7..=9 => Value::Number(float(agent.needs[name - 7])),
        10..=12 => Value::Number(f64::from(agent.items[name - 10])),
        14 => Value::List(queue(town, state, object)),
        15 => Value::Number(thing.map_or(0.0, |thing| f64::from(thing.waiting))),
        16 => Value::Truth(thing.is_some_and(|thing| thing.holder != NONE)),
        17 => Value::Text(match thing.map(|thing| thing.holder) {
            Some(holder) if holder != NONE => state.id_of(usize::from(holder)),
            _ => String::new(),
        }),
        18 => {
            let holder = thing.map_or(NONE, |thing| thing.holder);
            Value::Truth(holder != NONE && state.agents[usize::from(holder)].running != NONE)
        }
        19 => Value::Truth(state.city.no_power == 0 && wired(true)),
        20 => Value::Truth(state.city.no_water == 0 && wired(false)),
        21 => Value::Truth(store.is_some_and(|stock| stock[0] > 0)),
        22 => Value::Truth(
            store.is_some_and(|stock| (0..STOCKS.len()).all(|at| stock[at] >= what.stock[at])),
        ),
        _ => stock(name - 23),
    }
}

/// The ids of those who wait for an object, the next one first.
fn queue(town: &Town, state: &State, object: u8) -> Vec<Value> {
    if object == NONE {
        return Vec::new();
    }
    let index = usize::from(object);
    let waiting = usize::from(state.things[index].waiting);
    let seats = state.queues[index * town.seats..][..waiting].iter();
    seats.map(|&seat| Value::Text(state.id_of(usize::from(seat)))).collect()
}
