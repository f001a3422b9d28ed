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
    /// Several values.
    List(Vec<Value>),
}

/// What a value is, known before there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// True or false.
    Truth,
    /// A text.
    Text,
    /// Several values.
    List,
}

/// Everything that can be named, and what it is.
pub const NAMES: &[(&str, Kind)] = &[
    ("affordance_id", Kind::Text),
    ("agent.id", Kind::Text),
    ("agent.wallet", Kind::Number),
    ("object.id", Kind::Text),
    ("object.type", Kind::Text),
    ("world.tick", Kind::Number),
    ("world.tod", Kind::Number),
    ("needs.hunger", Kind::Number),
    ("needs.hygiene", Kind::Number),
    ("needs.energy", Kind::Number),
    ("inventory.food_raw", Kind::Number),
    ("inventory.meal", Kind::Number),
    ("inventory.clothes_clean", Kind::Number),
    ("wallet", Kind::Number),
    ("queue", Kind::List),
    ("queue_length", Kind::Number),
    ("reservation_active", Kind::Truth),
    ("reservation_holder", Kind::Text),
    ("occupied", Kind::Truth),
    ("power_on", Kind::Truth),
    ("water_on", Kind::Truth),
    ("meal_available", Kind::Truth),
    ("stock_available", Kind::Truth),
    ("stock.meals", Kind::Number),
    ("stock.raw_ingredients", Kind::Number),
    ("stock.food_raw", Kind::Number),
    ("stock.sleep_slots", Kind::Number),
];

/// Characters an expression may have, so that none is nested beyond what can be read.
const LONGEST: usize = 1000;

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
    /// A number with its sign turned.
    Minus(Box<Expr>),
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
        if text.len() > LONGEST {
            return Err(format!("an expression has at most {LONGEST} characters"));
        }
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
                Value::List(values) => !values.is_empty(),
            },
        }
    }

    /// The parts that must hold, each by itself.
    #[must_use]
    pub fn clauses(&self) -> Vec<&Self> {
        match self {
            Self::And(a, b) => [a.clauses(), b.clauses()].concat(),
            clause => vec![clause],
        }
    }

    /// Whether it asks for the value of a name that `concerns`.
    pub fn asks(&self, concerns: &impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Literal(_) => false,
            Self::Name(name) => concerns(*name),
            Self::List(items) => items.iter().any(|item| item.asks(concerns)),
            Self::Not(inner) | Self::Minus(inner) => inner.asks(concerns),
            Self::And(a, b) | Self::Or(a, b) | Self::Compare(_, a, b) => {
                a.asks(concerns) || b.asks(concerns)
            }
        }
    }

    /// What its value is.
    fn kind(&self) -> Kind {
        match self {
            Self::Literal(Value::Number(_)) | Self::Minus(_) => Kind::Number,
            Self::Literal(Value::Text(_)) => Kind::Text,
            Self::Literal(Value::List(_)) | Self::List(_) => Kind::List,
            Self::Name(name) => NAMES[*name].1,
            _ => Kind::Truth,
        }
    }

    fn value(&self, look: &impl Fn(usize) -> Value) -> Value {
        match self {
            Self::Literal(value) => value.clone(),
            Self::Name(name) => look(*name),
            Self::List(items) => Value::List(items.iter().map(|item| item.value(look)).collect()),
            Self::Minus(inner) => match inner.value(look) {
                Value::Number(number) => Value::Number(-number),
                other => other,
            },
            other => Value::Truth(other.holds(look)),
        }
    }
}

fn compare(operator: Operator, a: &Expr, b: &Expr, look: &impl Fn(usize) -> Value) -> bool {
    if let Operator::In | Operator::NotIn = operator {
        let left = a.value(look);
        let found = match b.value(look) {
            Value::List(items) => items.contains(&left),
            _ => false,
        };
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
        let word = |word: &str| Value::Text(word.to_owned());
        let look = |name: usize| match NAMES[name] {
            ("inventory.meal", _) => Value::Number(2.0),
            ("occupied", _) => Value::Truth(false),
            ("object.type", _) => word("stove"),
            ("agent.id", _) => word("ben"),
            ("queue", _) => Value::List(vec![word("ada"), word("ben")]),
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
        assert!(holds("agent.id in queue and 'cleo' not in queue"));
        assert!(holds("queue and queue == ['ada', agent.id] and not []"));
        assert!(holds("-wallet < 0 and -(-wallet) == +wallet"));
        assert!(!holds("-inventory.meal >= -1"));
    }

    #[test]
    fn an_expression_is_known_by_its_clauses_and_names() {
        let text =
            "not occupied and (wallet > 1 or -wallet < queue_length) and (1 in [world.tick])";
        let whole = Expr::compile(text).expect("compiles");
        let asking = |name: &str| {
            let named = |at: usize| NAMES[at].0 == name;
            let clauses = whole.clauses();
            let parts: Vec<bool> = clauses.iter().map(|clause| clause.asks(&named)).collect();
            assert_eq!(whole.asks(&named), parts.contains(&true));
            parts
        };
        assert_eq!(asking("occupied"), [true, false, false]);
        assert_eq!(asking("wallet"), [false, true, false]);
        assert_eq!(asking("queue_length"), [false, true, false]);
        assert_eq!(asking("world.tick"), [false, false, true]);
        assert_eq!(asking("queue"), [false; 3]);
    }

    #[test]
    fn what_is_not_in_the_language_is_refused() {
        let deep = "(".repeat(100_000);
        for (text, why) in [
            ("", "it ends too early"),
            ("meal", "there is no name"),
            ("len(queue)", "there is no name"),
            ("1 + 2", "was not expected"),
            ("occupied ==", "it ends too early"),
            ("[1", "a list is not closed"),
            ("'a", "a text is not closed"),
            ("wallet in 3", "`in` needs a list"),
            ("queue > 1", "only numbers"),
            ("occupied < 1", "only numbers"),
            ("-queue", "a sign needs a number"),
            ("-'a' == 1", "a sign needs a number"),
            (&deep, "at most 1000 characters"),
        ] {
            let refused = Expr::compile(text).expect_err(text);
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
