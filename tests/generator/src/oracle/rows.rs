//! The rows of constraints a model has, and what each makes zero, as written.

use std::rc::Rc;

use syn::Expr;

use super::evaluate::element;
use super::functions::difference;
use super::mechanics::field;
use super::starts::Kind;
use super::value::dot;
use super::{Motion, Oracle, Point, Scalars, Value};
use crate::jet::Jet;

/// What a row of constraints holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// positions
    Position,
    /// velocities
    Velocity,
    /// an algebraic variable: no force
    Law,
}

/// One row of a constraint.
#[derive(Clone, Debug)]
pub struct Row {
    /// its name, as reports show it
    pub name: String,
    /// what it holds
    pub hold: Hold,
    /// does it yield?
    pub soft: bool,
    /// number of its item: constraints, then `fix`
    pub item: usize,
    /// place among the rows of the item
    pub place: usize,
}

impl<'a> Oracle<'a> {
    /// Number of rows that are forces.
    pub fn forces_of_rows(&self) -> usize {
        self.found.get().map_or(64, |rows| rows.iter().filter(|r| r.hold != Hold::Law).count())
    }

    /// All rows: of positions, of velocities, of algebraic variables.
    pub fn rows(&self) -> &[Row] {
        self.found.get_or_init(|| self.find_rows())
    }

    fn find_rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let at = self.somewhere();
        let slopes = |to: &Point, item: usize, k: usize| self.item(item, to).get(k).map_or(0.0, |x| x.slope(0).real());
        let fast = at.accelerated(&self.wave(self.names.v.len(), 3.0));
        let algebraic: Vec<Jet> = self.names.algebraic.iter().map(|&a| Jet::of(if a { 1.7 } else { 0.0 })).collect();
        let determined = at.along(&Scalars { z: Rc::new(algebraic), ..Scalars::default() });
        for (item, constraint) in self.constraints.iter().enumerate() {
            let with = |name: &str| field(&constraint.item.with, name).is_some();
            let values = self.eval(&constraint.item.left, &constraint.env, &at);
            let count = values.scalars().len();
            let any = |to: &Point| (0..count).any(|k| slopes(to, item, k) != 0.0);
            let hold = if any(&determined) {
                Hold::Law
            } else if any(&fast) || with("relax") && !with("compliance") {
                Hold::Velocity
            } else {
                Hold::Position
            };
            for (place, suffix) in suffixes(&values).into_iter().enumerate() {
                let name = format!("{}{suffix}", constraint.name);
                rows.push(Row { name, hold, soft: with("compliance"), item, place });
            }
        }
        let mut labels: Vec<String> = Vec::new();
        for (k, (target, fix)) in self.fixes.iter().enumerate() {
            let value = self.value(target, &at);
            let mut name =
                format!("fix {}{}", self.scopes[target.env.scope].prefix, self.spelled(target.text, &target.env));
            if let Some(along) = &fix.along {
                name.push_str(" along");
                if let Expr::Path(path) = along {
                    name = format!("{name} {}", quote::ToTokens::to_token_stream(path));
                }
            }
            let again = (2..).map(|k| format!("{name} {k}"));
            let label = std::iter::once(name.clone()).chain(again).find(|n| !labels.contains(n)).unwrap_or_default();
            labels.push(label.clone());
            let suffixes = if fix.along.is_some() { vec![String::new()] } else { suffixes(&value) };
            for (place, suffix) in suffixes.into_iter().enumerate() {
                let name = format!("{label}{suffix}");
                let item = self.constraints.len() + k;
                rows.push(Row { name, hold: Hold::Position, soft: false, item, place });
            }
        }
        rows.sort_by_key(|r| r.hold);
        rows
    }

    /// A point where nothing is special.
    pub(super) fn somewhere(&self) -> Point {
        let n = &self.names;
        let wave = |n: usize, phase: f64| Rc::new(self.wave(n, phase));
        let mut q = self.wave(n.q.len(), 0.4);
        for place in self.places.iter().filter(|p| p.motion != Motion::Line) {
            let range = place.q..place.q + place.positions();
            let size = q[range.clone()].iter().map(|x| x.real().powi(2)).sum::<f64>().sqrt();
            q[range].iter_mut().for_each(|x| *x = Jet::of(x.real() / size));
        }
        let at = Scalars {
            t: wave(1, 0.3),
            q: Rc::new(q),
            v: wave(n.v.len(), 1.1),
            a: wave(n.v.len(), 0.7),
            z: wave(n.z.len(), 0.6),
            zdot: wave(n.z.len(), 0.9),
            u: wave(n.u.len(), 0.2),
            p: wave(n.p.len(), 1.9),
            modes: wave(n.modes.len(), 2.9),
            ..self.still()
        };
        Point::new(at, self.places.clone())
    }

    /// Numbers between 0.55 and 0.95, all different.
    fn wave(&self, n: usize, phase: f64) -> Vec<Jet> {
        (0..n).map(|i| Jet::of(0.75 + 0.2 * (phase + 1.37 * i as f64).sin())).collect()
    }

    /// lhs − rhs of all rows of an item, or what a `fix` makes zero.
    fn item(&self, item: usize, at: &Point) -> Rc<Vec<Jet>> {
        if let Some(known) = at.rows.borrow().get(&item) {
            return known.clone();
        }
        let rows = Rc::new(match self.constraints.get(item) {
            Some(c) => {
                let sides = [&c.item.left, &c.item.right].map(|side| self.eval(side, &c.env, at));
                difference(&sides[0], &sides[1])
            }
            None => self.fixed(item - self.constraints.len(), at),
        });
        at.rows.borrow_mut().insert(item, rows.clone());
        rows
    }

    fn fixed(&self, item: usize, at: &Point) -> Vec<Jet> {
        let (target, fix) = &self.fixes[item];
        let mut off = self.value(target, at).scalars();
        let value = fix.value.as_ref().map(|value| self.eval(value, &target.env, at).scalars());
        if value.is_none() {
            for (x, place) in off.iter_mut().zip(self.positions_of(target)) {
                *x = &*x - &self.start_of(place.expect("a coordinate"), Kind::Position, at);
            }
        }
        if let Some(along) = &fix.along {
            off = vec![dot(&self.eval(along, &target.env, at).scalars(), &off)];
        }
        match value {
            Some(value) => off.iter().zip(&value).map(|(x, e)| x - e).collect(),
            None => off,
        }
    }

    /// Φ, or ψ; Φ/τ + Φ̇ where a row only relaxes.
    pub fn row(&self, row: &Row, at: &Point) -> Jet {
        let value = self.item(row.item, at)[row.place].clone();
        match self.with(row, "relax", at) {
            Some(relax) if row.hold == Hold::Velocity && !row.soft => value / relax + self.row_rate(row, at),
            _ => value,
        }
    }

    /// Φ̇ of the equation as it is written.
    pub fn row_rate(&self, row: &Row, at: &Point) -> Jet {
        self.item(row.item, at.moving())[row.place].slope(at.depth)
    }

    /// Φ + τ Φ̇, or ψ.
    pub fn strain(&self, row: &Row, at: &Point) -> Jet {
        match self.with(row, "relax", at) {
            Some(relax) if row.soft => self.row(row, at) + relax * self.row_rate(row, at),
            _ => self.row(row, at),
        }
    }

    /// E of a row that yields.
    pub fn compliance(&self, row: &Row, at: &Point) -> Jet {
        self.with(row, "compliance", at).expect("a compliance")
    }

    fn with(&self, row: &Row, name: &str, at: &Point) -> Option<Jet> {
        let constraint = self.constraints.get(row.item)?;
        let value = self.eval(field(&constraint.item.with, name)?, &constraint.env, at);
        Some(match value {
            Value::Scalar(x) => x,
            many => element(&many, row.place as i64).number(),
        })
    }
}

/// What follows a name for each number of a value.
pub(super) fn suffixes(value: &Value) -> Vec<String> {
    match value {
        Value::Scalar(_) => vec![String::new()],
        Value::Vector(x) if x.len() < 4 => ["x", "y", "z"][..x.len()].iter().map(|c| format!(".{c}")).collect(),
        Value::Vector(x) => (0..x.len()).map(|i| format!("[{i}]")).collect(),
        Value::Matrix(r, c, _) => (0..*r).flat_map(|i| (0..*c).map(move |j| format!("[{i},{j}]"))).collect(),
        Value::List(items) => {
            let with = |(i, item): (usize, &Value)| {
                suffixes(item).into_iter().map(move |s| format!("[{i}]{s}")).collect::<Vec<_>>()
            };
            items.iter().enumerate().flat_map(with).collect()
        }
        Value::Rotation(_) | Value::Frame2(_) | Value::Frame3(..) => Vec::new(),
    }
}
