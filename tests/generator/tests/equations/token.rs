//! What equations are made of, in whatever form they are spelled, and its value.

use std::collections::HashMap;

use ode_codegen::phases::expr::{RULES, Spelling};

/// A piece of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Token {
    Number(f64),
    /// a scalar, as the form spells it
    Name(String),
    /// a function, applied to what follows
    Function(String),
    /// `+ - * / ^ ( ) , < ≤ ∧ ∨ ¬`, and `?` and `:` for `if` and `else`
    Sign(char),
    /// of what stands before
    Power(Vec<Token>),
    Fraction(Vec<Token>, Vec<Token>),
    Root(Vec<Token>),
    /// a condition, the value where it holds, and the other
    Cases(Vec<Token>, Vec<Token>, Vec<Token>),
}

/// An external function of a model.
pub(crate) type Called<'a> = Box<dyn Fn(&[f64]) -> f64 + 'a>;

/// What names mean.
#[derive(Default)]
pub(crate) struct Meaning<'a> {
    pub scalars: HashMap<String, f64>,
    pub functions: HashMap<String, Called<'a>>,
}

impl Meaning<'_> {
    /// The value of an expression.
    pub(crate) fn value(&self, tokens: &[Token]) -> f64 {
        let mut reader = Reader { meaning: self, tokens, at: 0 };
        let value = reader.either();
        assert_eq!(reader.at, tokens.len(), "what follows {:?} is not read", &tokens[..reader.at]);
        value
    }

    fn call(&self, name: &str, x: &[f64]) -> f64 {
        if let Some(function) = self.functions.get(name) {
            return function(x);
        }
        let rule = RULES.iter().find(|rule| match rule.spelling {
            Spelling::Call(own) | Spelling::Indexed(own) => own == name,
            _ => false,
        });
        match (name, x) {
            ("norm_of", [x]) => x.sqrt(),
            (_, [x]) => (rule.unwrap_or_else(|| panic!("no function {name}")).value)(*x, *x),
            (_, [x, y]) => (rule.unwrap_or_else(|| panic!("no function {name}")).value)(*x, *y),
            _ => panic!("{name} of {x:?}"),
        }
    }
}

struct Reader<'a> {
    meaning: &'a Meaning<'a>,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// Takes one of the signs, if it comes next.
    fn takes(&mut self, signs: &str) -> Option<char> {
        match self.peek() {
            Some(Token::Sign(sign)) if signs.contains(*sign) => {
                self.at += 1;
                Some(*sign)
            }
            _ => None,
        }
    }

    fn expect(&mut self, sign: char) {
        assert!(self.takes(&sign.to_string()).is_some(), "{sign} instead of {:?}", self.peek());
    }

    fn either(&mut self) -> f64 {
        let mut value = self.both();
        while self.takes("∨").is_some() {
            value = value.max(self.both());
        }
        value
    }

    fn both(&mut self) -> f64 {
        let mut value = self.comparison();
        while self.takes("∧").is_some() {
            value = value.min(self.comparison());
        }
        value
    }

    fn comparison(&mut self) -> f64 {
        let left = self.sum();
        let truth = |is: bool| f64::from(u8::from(is));
        match self.takes("<≤") {
            Some('<') => truth(left < self.sum()),
            Some(_) => truth(left <= self.sum()),
            None => left,
        }
    }

    fn sum(&mut self) -> f64 {
        let mut value = if self.takes("-").is_some() { -self.product() } else { self.product() };
        while let Some(sign) = self.takes("+-") {
            value += if sign == '+' { self.product() } else { -self.product() };
        }
        value
    }

    fn product(&mut self) -> f64 {
        let mut value = self.power();
        loop {
            match self.takes("*/") {
                Some('/') => value /= self.power(),
                Some(_) => value *= self.power(),
                None => match self.peek() {
                    None => return value,
                    Some(Token::Sign(sign)) if !"(?".contains(*sign) => return value,
                    Some(_) => value *= self.power(),
                },
            }
        }
    }

    fn power(&mut self) -> f64 {
        let mut value = self.atom();
        loop {
            if let Some(Token::Power(exponent)) = self.peek() {
                self.at += 1;
                value = raised(value, self.meaning.value(exponent));
            } else if self.takes("^").is_some() {
                value = raised(value, self.atom());
            } else {
                return value;
            }
        }
    }

    fn atom(&mut self) -> f64 {
        let Some(token) = self.peek() else { panic!("an end after {:?}", self.tokens) };
        self.at += 1;
        match token {
            Token::Number(value) => *value,
            Token::Name(name) => *self.meaning.scalars.get(name).unwrap_or_else(|| panic!("no scalar {name}")),
            Token::Function(name) => self.applied(name),
            Token::Fraction(over, under) => self.meaning.value(over) / self.meaning.value(under),
            Token::Root(inner) => self.meaning.value(inner).sqrt(),
            Token::Cases(condition, yes, no) => {
                self.meaning.value(if self.meaning.value(condition) != 0.0 { yes } else { no })
            }
            Token::Sign('(') => {
                let value = self.either();
                self.expect(')');
                value
            }
            Token::Sign('¬') => 1.0 - self.power(),
            Token::Sign('?') => self.choice(),
            other => panic!("{other:?} in {:?}", self.tokens),
        }
    }

    /// `if a { b } else { c }`
    fn choice(&mut self) -> f64 {
        let condition = self.either();
        self.expect('{');
        let yes = self.either();
        self.expect('}');
        self.expect(':');
        self.expect('{');
        let no = self.either();
        self.expect('}');
        if condition != 0.0 { yes } else { no }
    }

    fn applied(&mut self, name: &str) -> f64 {
        let exponent = match self.peek() {
            Some(Token::Power(exponent)) => {
                self.at += 1;
                self.meaning.value(exponent)
            }
            _ => 1.0,
        };
        let mut arguments = Vec::new();
        if self.takes("(").is_some() {
            loop {
                arguments.push(self.either());
                if self.takes(",").is_none() {
                    break;
                }
            }
            self.expect(')');
        } else {
            let name = matches!(self.peek(), Some(Token::Name(_)));
            assert!(name, "an argument without parentheses is a name: {:?}", self.peek());
            arguments.push(self.atom());
        }
        raised(self.meaning.call(name, &arguments), exponent)
    }
}

/// Whole powers of negative numbers are numbers too.
fn raised(base: f64, exponent: f64) -> f64 {
    if exponent == exponent.trunc() && exponent.abs() < 1e6 { base.powi(exponent as i32) } else { base.powf(exponent) }
}
