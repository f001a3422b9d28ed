//! Preconditions of affordances: a small language, compiled when the town is built.
//!
//! Names, `.` and `[]` access, literals, lists, comparisons, `in`, `and`, `or`, `not`, a sign.
//! No calls and no arithmetic.

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

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let symbols: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < symbols.len() {
        let symbol = symbols[at];
        let start = at;
        if symbol.is_whitespace() {
            at += 1;
            continue;
        }
        if symbol.is_alphanumeric() || symbol == '_' {
            while at < symbols.len()
                && (symbols[at].is_alphanumeric() || "_.".contains(symbols[at]))
            {
                at += 1;
            }
        } else if symbol == '"' || symbol == '\'' {
            at += 1;
            while at < symbols.len() && symbols[at] != symbol {
                at += 1;
            }
            if at == symbols.len() {
                return Err(format!("{text:?}: a text is not closed"));
            }
            at += 1;
        } else if "=!<>".contains(symbol) && symbols.get(at + 1) == Some(&'=') {
            at += 2;
        } else if "<>[](),+-".contains(symbol) {
            at += 1;
        } else {
            return Err(format!("{text:?}: {symbol:?} is not part of the language"));
        }
        tokens.push(symbols[start..at].iter().collect());
    }
    Ok(tokens)
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn take(&mut self, word: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token == word);
        self.at += usize::from(found);
        found
    }

    fn either(&mut self) -> Result<Expr, String> {
        let mut left = self.both()?;
        while self.take("or") {
            left = Expr::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Expr, String> {
        let mut left = self.negated()?;
        while self.take("and") {
            left = Expr::And(Box::new(left), Box::new(self.negated()?));
        }
        Ok(left)
    }

    fn negated(&mut self) -> Result<Expr, String> {
        if self.take("not") {
            return Ok(Expr::Not(Box::new(self.negated()?)));
        }
        let left = self.atom()?;
        let operator = match self.tokens.get(self.at).map(String::as_str) {
            Some("==") => Operator::Equal,
            Some("!=") => Operator::Unequal,
            Some("<") => Operator::Less,
            Some("<=") => Operator::AtMost,
            Some(">") => Operator::More,
            Some(">=") => Operator::AtLeast,
            Some("in") => Operator::In,
            Some("not") => Operator::NotIn,
            _ => return Ok(left),
        };
        self.at += 1;
        if operator == Operator::NotIn && !self.take("in") {
            return Err("`not` after a value needs `in`".to_owned());
        }
        let right = self.atom()?;
        if matches!(operator, Operator::In | Operator::NotIn) && !matches!(right, Expr::List(_)) {
            return Err("`in` needs a list".to_owned());
        }
        Ok(Expr::Compare(operator, Box::new(left), Box::new(right)))
    }

    fn atom(&mut self) -> Result<Expr, String> {
        let token = self.tokens.get(self.at).cloned().ok_or("it ends too early")?;
        self.at += 1;
        match token.as_str() {
            "(" => {
                let inner = self.either()?;
                if self.take(")") { Ok(inner) } else { Err("a bracket is not closed".to_owned()) }
            }
            "[" => self.list(),
            "-" | "+" => match self.atom()? {
                Expr::Literal(Value::Number(number)) => {
                    let sign = if token == "-" { -1.0 } else { 1.0 };
                    Ok(Expr::Literal(Value::Number(sign * number)))
                }
                _ => Err("a sign needs a number".to_owned()),
            },
            "true" | "True" => Ok(Expr::Literal(Value::Truth(true))),
            "false" | "False" => Ok(Expr::Literal(Value::Truth(false))),
            word if word.starts_with(['"', '\'']) => {
                Ok(Expr::Literal(Value::Text(word[1..word.len() - 1].to_owned())))
            }
            word if word.starts_with(|first: char| first.is_ascii_digit()) => {
                let number: f64 = word.parse().map_err(|_| format!("{word:?} is no number"))?;
                Ok(Expr::Literal(Value::Number(number)))
            }
            word => self.name(word),
        }
    }

    fn list(&mut self) -> Result<Expr, String> {
        let mut items = Vec::new();
        while !self.take("]") {
            items.push(self.atom()?);
            if !self.take(",") && self.tokens.get(self.at).map(String::as_str) != Some("]") {
                return Err("a list is not closed".to_owned());
            }
        }
        Ok(Expr::List(items))
    }

    fn name(&mut self, word: &str) -> Result<Expr, String> {
        let mut path = word.to_owned();
        while self.take("[") {
            let Expr::Literal(Value::Text(key)) = self.atom()? else {
                return Err(format!("{path}[] needs a text"));
            };
            if !self.take("]") {
                return Err("a bracket is not closed".to_owned());
            }
            path = format!("{path}.{key}");
        }
        let found = NAMES.iter().position(|name| *name == path);
        found.map(Expr::Name).ok_or_else(|| format!("there is no name {path:?}"))
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
