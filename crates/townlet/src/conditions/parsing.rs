//! Reading the language: words first, then expressions by precedence.

use super::{Expr, Kind, NAMES, Operator, Value};

/// The words and signs of `text`.
///
/// # Errors
/// What does not belong to the language.
pub fn tokens(text: &str) -> Result<Vec<String>, String> {
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

/// Where in the tokens one is.
pub struct Parser {
    /// All of them.
    pub tokens: Vec<String>,
    /// The next.
    pub at: usize,
}

impl Parser {
    fn take(&mut self, word: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token == word);
        self.at += usize::from(found);
        found
    }

    /// An expression.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn either(&mut self) -> Result<Expr, String> {
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
        fits(operator, left.kind(), right.kind())?;
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
                inner if inner.kind() != Kind::Number => Err("a sign needs a number".to_owned()),
                inner if token == "-" => Ok(Expr::Minus(Box::new(inner))),
                inner => Ok(inner),
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
        let found = NAMES.iter().position(|(name, _)| *name == path);
        found.map(Expr::Name).ok_or_else(|| format!("there is no name {path:?}"))
    }
}

/// Whether such values can be compared in this way.
fn fits(operator: Operator, left: Kind, right: Kind) -> Result<(), String> {
    match operator {
        Operator::Equal | Operator::Unequal => Ok(()),
        Operator::In | Operator::NotIn if right == Kind::List => Ok(()),
        Operator::In | Operator::NotIn => Err("`in` needs a list".to_owned()),
        _ if left == Kind::Number && right == Kind::Number => Ok(()),
        _ => Err("only numbers have an order; a queue has a queue_length".to_owned()),
    }
}
