//! Preconditions of affordances: a small language, compiled when the town is built.
//!
//! Names, `.` and `[]` access, literals, lists, comparisons, `in`, `and`, `or`, `not`, a sign.
//! No calls and no arithmetic.

mod parsing;

use parsing::{Parser, tokens};

/// A value of the language. Texts are compared only by equality and membership.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number; micro-units are given as decimals.
    Number(f64),
    /// True or false.
    Truth(bool),
    /// A text.
    Text(String),
}

/// Everything that can be named.
pub const NAMES: &[&str] = &[
    "affordance_id",
    "agent.id",
    "agent.wallet",
    "object.id",
    "object.type",
    "world.tick",
    "world.tod",
    "needs.hunger",
    "needs.hygiene",
    "needs.energy",
    "inventory.food_raw",
    "inventory.meal",
    "inventory.clothes_clean",
    "wallet",
    "queue",
    "queue_length",
    "reservation_active",
    "reservation_holder",
    "occupied",
    "power_on",
    "water_on",
    "meal_available",
    "stock_available",
    "stock.meals",
    "stock.raw_ingredients",
    "stock.food_raw",
    "stock.sleep_slots",
];

/// A compiled expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A constant.
    Literal(Value),
    /// An index into [`NAMES`].
    Name(usize),
    /// Constants and names in brackets.
    List(Vec<Expr>),
    /// A comparison.
    Compare(Operator, Box<Expr>, Box<Expr>),
    /// Both.
    And(Box<Expr>, Box<Expr>),
    /// Either.
    Or(Box<Expr>, Box<Expr>),
    /// Not.
    Not(Box<Expr>),
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `not in`
    NotIn,
}

impl Expr {
    /// Compile `text`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn compile(text: &str) -> Result<Self, String> {
        let mut parser = Parser { tokens: tokens(text)?, at: 0 };
        let expr = parser.either()?;
        match parser.tokens.get(parser.at) {
            None => Ok(expr),
            Some(token) => Err(format!("{text:?}: {token:?} was not expected")),
        }
    }

    /// Whether it holds, with `look` giving the value of a name.
    pub fn holds(&self, look: &impl Fn(usize) -> Value) -> bool {
        match self {
            Self::And(a, b) => a.holds(look) && b.holds(look),
            Self::Or(a, b) => a.holds(look) || b.holds(look),
            Self::Not(a) => !a.holds(look),
            Self::Compare(operator, a, b) => compare(*operator, a, b, look),
            _ => match self.value(look) {
                Value::Truth(truth) => truth,
                Value::Number(number) => number != 0.0,
                Value::Text(text) => !text.is_empty(),
            },
        }
    }

    fn value(&self, look: &impl Fn(usize) -> Value) -> Value {
        match self {
            Self::Literal(value) => value.clone(),
            Self::Name(name) => look(*name),
            other => Value::Truth(other.holds(look)),
        }
    }
}

fn compare(operator: Operator, a: &Expr, b: &Expr, look: &impl Fn(usize) -> Value) -> bool {
    if let Operator::In | Operator::NotIn = operator {
        let Expr::List(items) = b else { return false };
        let left = a.value(look);
        let found = items.iter().any(|item| item.value(look) == left);
        return found == (operator == Operator::In);
    }
    let (left, right) = (a.value(look), b.value(look));
    match operator {
        Operator::Equal => left == right,
        Operator::Unequal => left != right,
        _ => match (left, right) {
            (Value::Number(x), Value::Number(y)) => match operator {
                Operator::Less => x < y,
                Operator::AtMost => x <= y,
                Operator::More => x > y,
                _ => x >= y,
            },
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> bool {
        let look = |name: usize| match NAMES[name] {
            "inventory.meal" => Value::Number(2.0),
            "occupied" => Value::Truth(false),
            "object.type" => Value::Text("stove".to_owned()),
            _ => Value::Number(0.5),
        };
        Expr::compile(text).expect("compiles").holds(&look)
    }

    #[test]
    fn the_language_means_what_it_says() {
        assert!(holds("inventory.meal >= 1 and not occupied"));
        assert!(holds("inventory['meal'] == 2 or occupied"));
        assert!(holds("object.type in ['stove', 'fridge']"));
        assert!(holds("object.type not in ['bed']"));
        assert!(holds("needs.hunger > -1 and (occupied == false)"));
        assert!(!holds("needs.hunger > 0.6 or occupied"));
    }

    #[test]
    fn what_is_not_in_the_language_is_refused() {
        for text in ["", "meal", "len(queue)", "1 + 2", "occupied ==", "[1", "'a", "wallet in 3"] {
            assert!(Expr::compile(text).is_err(), "{text}");
        }
    }
}
