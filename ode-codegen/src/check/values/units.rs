//! Units: what a value carries, and the little language between `[` and `]`.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::known::{ELSEWHERE, EVERYDAY, FIXED, Row};
use crate::diagnostics::{Id, Message, compact, similar};
use crate::identifier::{bare, is_keyword};
use crate::model::{Dimension, Exponent};
use crate::parse::ast;

/// The unit of a value, as far as it is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Unit {
    /// `0.0` is zero in any unit
    Any,
    /// a dimension
    Known(Dimension),
    /// units are off, or a mistake was reported
    Unknown,
}

impl Unit {
    /// Dimensionless.
    pub(crate) const ONE: Self = Unit::Known(Dimension::ONE);

    fn combine(self, other: Self, rule: impl Fn(Dimension, Dimension) -> Option<Dimension>) -> Self {
        match (self, other) {
            (Unit::Unknown, _) | (_, Unit::Unknown) => Unit::Unknown,
            (Unit::Any, _) | (_, Unit::Any) => Unit::Any,
            (Unit::Known(a), Unit::Known(b)) => rule(a, b).map_or(Unit::Unknown, Unit::Known),
        }
    }

    /// Unit of a product.
    pub(crate) fn mul(self, other: Self) -> Self {
        self.combine(other, Dimension::mul)
    }

    /// Unit of a quotient.
    pub(crate) fn div(self, other: Self) -> Self {
        self.combine(other, Dimension::div)
    }

    /// Unit of a power.
    pub(crate) fn pow(self, num: i64, den: i64) -> Self {
        match self {
            Unit::Known(d) => Exponent::new(num, den).and_then(|e| d.pow(e)).map_or(Unit::Unknown, Unit::Known),
            other => other,
        }
    }

    /// Unit of a sum, `None` if there is none.
    pub(crate) fn unify(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Unit::Any, unit) | (unit, Unit::Any) => Some(unit),
            (Unit::Unknown, _) | (_, Unit::Unknown) => Some(Unit::Unknown),
            (Unit::Known(a), Unit::Known(b)) => (a == b).then_some(self),
        }
    }

    /// What it is of, if that is known.
    pub(crate) fn dimension(self) -> Option<Dimension> {
        match self {
            Unit::Known(dimension) => Some(dimension),
            Unit::Any | Unit::Unknown => None,
        }
    }

    /// Can it be dimensionless?
    pub(crate) fn is_one(self) -> bool {
        self.unify(Unit::ONE).is_some()
    }
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unit::Known(d) => d.fmt(f),
            Unit::Any | Unit::Unknown => f.write_str("1"),
        }
    }
}

/// A unit by name, with its size in SI.
#[derive(Clone)]
pub(crate) struct Named {
    /// the name
    pub(crate) name: String,
    /// SI units in one of it
    pub(crate) scale: f64,
    /// its dimension
    pub(crate) dimension: Dimension,
}

/// The units of a model: its own, and those that every model knows.
#[derive(Clone, Default)]
pub(crate) struct Units {
    own: Vec<Named>,
}

fn named(&(name, scale, exponents): &Row) -> Named {
    Named { name: name.to_owned(), scale, dimension: Dimension::whole(exponents) }
}

/// A unit as read: its scale and dimension.
#[derive(Clone, Copy)]
pub(crate) struct Read {
    /// SI units in one of it
    pub(crate) scale: f64,
    /// its dimension
    pub(crate) dimension: Dimension,
}

impl Read {
    const ONE: Self = Read { scale: 1.0, dimension: Dimension::ONE };
}

impl Units {
    /// A unit by its name: one that the model declares, or a known one.
    pub(crate) fn find(&self, name: &str) -> Option<Named> {
        let own = self.own.iter().find(|n| n.name == name).cloned();
        own.or_else(|| FIXED.iter().chain(&EVERYDAY).find(|(n, ..)| *n == name).map(named))
    }

    /// May a model not declare a unit of this name, for it has one or the name means the same everywhere?
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.own.iter().any(|n| n.name == name) || FIXED.iter().any(|(n, ..)| *n == name)
    }

    /// The SI unit of a dimension, if it has a name of its own.
    pub(crate) fn of(dimension: Dimension) -> Option<&'static str> {
        FIXED
            .iter()
            .find(|(_, _, e)| dimension != Dimension::ONE && Dimension::whole(*e) == dimension)
            .map(|(n, ..)| *n)
    }

    /// Adds a declared unit.
    pub(crate) fn declare(&mut self, unit: Named) {
        self.own.push(unit);
    }

    /// Reads `kg*m^2/s`.
    pub(crate) fn read(&self, unit: &ast::Unit) -> Result<Read, Message> {
        let tokens: Vec<TokenTree> = unit.tokens.clone().into_iter().collect();
        let whole = proc_macro2::Group::new(Delimiter::Bracket, unit.tokens.clone());
        let mut whole = TokenTree::Group(whole);
        whole.set_span(unit.span);
        let mut written = Written { units: self, tokens: &tokens, at: 0, end: whole };
        let read = written.product(0)?;
        match written.tokens.get(written.at) {
            None => Ok(read),
            Some(token) => Err(written.unexpected(Some(token))),
        }
    }

    /// `s2` and `Ns` as they are written here: `s^2`, `N*s`.
    fn joined(&self, name: &str) -> Option<String> {
        let is_unit = |name: &str| self.find(name).is_some();
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        if stem != name && is_unit(stem) {
            return Some(format!("{stem}^{}", name.strip_prefix(stem)?));
        }
        let is_si = |name: &str| FIXED.iter().any(|(n, ..)| *n == name);
        let mut cuts = name.char_indices().skip(1).map(|(at, _)| name.split_at(at));
        cuts.find(|(a, b)| is_si(a) && is_si(b)).map(|(a, b)| format!("{a}*{b}"))
    }

    /// Message for a name that is no unit.
    pub(crate) fn unknown(&self, ident: &impl quote::ToTokens, name: &str) -> Message {
        let known = || self.own.iter().map(|n| n.name.as_str()).chain(FIXED.iter().chain(&EVERYDAY).map(|(n, ..)| *n));
        let here = ELSEWHERE.iter().find(|(n, _)| *n == name).map(|(_, here)| format!("here it is `{here}`"));
        let here = here.or_else(|| self.joined(name).map(|apart| format!("write `{apart}`")));
        let near = similar(name, known()).map(|n| format!("did you mean `{n}`?"));
        let message = Message::new(Id::M0506, ident, format!("unknown unit `{name}`"));
        if let Some(here) = here {
            return message.help(here);
        }
        let all: Vec<&str> = known().collect();
        let raw = if is_keyword(name) { "r#" } else { "" };
        message
            .maybe_help(near)
            .help(format!("known units: {}", all.join(", ")))
            .help(format!("a unit of your own: `unit {raw}{name} = <size> [<known unit>];`"))
    }
}

/// The tokens of one unit as they are read; `*` and `/` of equal rank, `^` above.
struct Written<'a> {
    units: &'a Units,
    tokens: &'a [TokenTree],
    at: usize,
    /// the brackets, for messages at the end
    end: TokenTree,
}

impl Written<'_> {
    fn product(&mut self, level: usize) -> Result<Read, Message> {
        let mut result = self.power(level)?;
        loop {
            let divide = match self.tokens.get(self.at) {
                Some(TokenTree::Punct(p)) if p.as_char() == '*' => false,
                Some(TokenTree::Punct(p)) if p.as_char() == '/' => true,
                _ => return Ok(result),
            };
            let sign = self.tokens.get(self.at).cloned();
            self.at += 1;
            let factor = self.power(level)?;
            let dimension =
                if divide { result.dimension.div(factor.dimension) } else { result.dimension.mul(factor.dimension) };
            let scale = if divide { result.scale / factor.scale } else { result.scale * factor.scale };
            let Some(dimension) = dimension else { return Err(self.unexpected(sign.as_ref())) };
            result = Read { scale, dimension };
        }
    }

    fn power(&mut self, level: usize) -> Result<Read, Message> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        let base = match &token {
            Some(TokenTree::Ident(ident)) => self.name(ident)?,
            Some(TokenTree::Literal(literal)) if literal.to_string() == "1" => Read::ONE,
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis && level < 8 => {
                self.inner(group.stream(), level)?
            }
            other => return Err(self.unexpected(other.as_ref())),
        };
        match self.tokens.get(self.at) {
            Some(TokenTree::Punct(p)) if p.as_char() == '^' => {
                self.at += 1;
                let exponent = self.exponent()?;
                let scale = base.scale.powf(f64::from(exponent.num()) / f64::from(exponent.den()));
                match base.dimension.pow(exponent) {
                    Some(dimension) => Ok(Read { scale, dimension }),
                    None => Err(self.unexpected(token.as_ref())),
                }
            }
            _ => Ok(base),
        }
    }

    fn inner(&self, tokens: TokenStream, level: usize) -> Result<Read, Message> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut written = Written { units: self.units, tokens: &tokens, at: 0, end: self.end.clone() };
        let read = written.product(level + 1)?;
        match tokens.get(written.at) {
            None => Ok(read),
            Some(token) => Err(written.unexpected(Some(token))),
        }
    }

    fn name(&self, ident: &Ident) -> Result<Read, Message> {
        let name = bare(ident);
        match self.units.find(&name) {
            Some(Named { scale, dimension, .. }) => Ok(Read { scale, dimension }),
            None => Err(self.units.unknown(ident, &name)),
        }
    }

    /// `2`, `-1`, `0.5` or `(1/2)`
    fn exponent(&mut self) -> Result<Exponent, Message> {
        let tokens = match self.tokens.get(self.at) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                self.at += 1;
                compact(group.stream())
            }
            Some(TokenTree::Punct(p)) if p.as_char() == '-' => {
                self.at += 2;
                format!("-{}", self.tokens.get(self.at - 1).map(ToString::to_string).unwrap_or_default())
            }
            Some(TokenTree::Literal(literal)) => {
                self.at += 1;
                literal.to_string()
            }
            other => return Err(self.unexpected(other)),
        };
        let parsed = match tokens.split_once('/') {
            Some((num, den)) => match (num.parse(), den.parse()) {
                (Ok(num), Ok(den)) => Exponent::new(num, den),
                _ => None,
            },
            None => tokens.parse().ok().and_then(Exponent::from_f64),
        };
        parsed.ok_or_else(|| self.unexpected(self.tokens.get(self.at.saturating_sub(1))))
    }

    fn unexpected(&self, token: Option<&TokenTree>) -> Message {
        Message::new(Id::M0506, token.unwrap_or(&self.end), "expected a unit such as `[kg*m^2/s]`")
            .help("factors are names of units, `1`, `*`, `/` and powers `^2`, `^-1`, `^(1/2)`; a plain number is `[1]`")
    }
}
