//! A point of the motion: a value for every scalar of a model, in numbers that may carry infinitesimals.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::value::Value;
use crate::jet::Jet;

/// Values of all scalars, or their rates.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "one for each kind of symbol")]
pub struct Scalars {
    pub t: Rc<Vec<Jet>>,
    pub q: Rc<Vec<Jet>>,
    pub v: Rc<Vec<Jet>>,
    pub a: Rc<Vec<Jet>>,
    pub z: Rc<Vec<Jet>>,
    pub zdot: Rc<Vec<Jet>>,
    pub modes: Rc<Vec<Jet>>,
    pub u: Rc<Vec<Jet>>,
    pub p: Rc<Vec<Jet>>,
    pub lambda: Rc<Vec<Jet>>,
}

/// How positions of a block move with velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// by their rates
    Line,
    /// as cosine and sine of an angle
    Circle,
    /// as a quaternion, by rates along the body's axes
    Body,
    /// as a quaternion, by rates along the world's axes
    World,
    /// as a quaternion, by rates along the body's first two axes
    Sphere,
}

/// Positions that move together.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// how they move
    pub motion: Motion,
    /// the first position
    pub q: usize,
    /// the first velocity
    pub v: usize,
}

impl Place {
    /// Number of its velocities.
    pub fn freedom(&self) -> usize {
        match self.motion {
            Motion::Line | Motion::Circle => 1,
            Motion::Sphere => 2,
            Motion::Body | Motion::World => 3,
        }
    }

    /// Number of its positions.
    pub fn positions(&self) -> usize {
        match self.motion {
            Motion::Line => 1,
            Motion::Circle => 2,
            Motion::Body | Motion::World | Motion::Sphere => 4,
        }
    }
}

/// A point, with what is known there.
pub struct Point {
    /// the values
    pub at: Scalars,
    /// number of its infinitesimals
    pub depth: u32,
    pub(super) places: Rc<Vec<Place>>,
    /// values of texts with a name, by where they stand: their surroundings and their place in the text
    pub(super) known: RefCell<FxHashMap<(usize, usize), Value>>,
    /// what the rows of an item make zero
    pub(super) rows: RefCell<FxHashMap<usize, Rc<Vec<Jet>>>>,
    moving: OnceCell<Box<Point>>,
}

impl Point {
    /// A point of plain numbers.
    pub fn new(at: Scalars, places: Rc<Vec<Place>>) -> Self {
        Self { at, depth: 0, places, known: RefCell::default(), rows: RefCell::default(), moving: OnceCell::new() }
    }

    /// The point moved by ε along the rates; what has none stays.
    pub fn along(&self, rates: &Scalars) -> Point {
        let depth = self.depth;
        let moved = |values: &Rc<Vec<Jet>>, rates: &[Jet]| -> Rc<Vec<Jet>> {
            if rates.is_empty() {
                return values.clone();
            }
            let with = |(i, value): (usize, &Jet)| match rates.get(i) {
                Some(rate) => Jet::along(value, rate, depth),
                None => value.clone(),
            };
            Rc::new(values.iter().enumerate().map(with).collect())
        };
        let (at, to) = (&self.at, rates);
        let at = Scalars {
            t: moved(&at.t, &to.t),
            q: moved(&at.q, &to.q),
            v: moved(&at.v, &to.v),
            a: moved(&at.a, &to.a),
            z: moved(&at.z, &to.z),
            zdot: moved(&at.zdot, &to.zdot),
            modes: moved(&at.modes, &to.modes),
            u: moved(&at.u, &to.u),
            p: moved(&at.p, &to.p),
            lambda: moved(&at.lambda, &to.lambda),
        };
        let mut point = Point::new(at, self.places.clone());
        point.depth = depth + 1;
        point
    }

    /// N(q) v
    pub fn rates(&self, v: &[Jet]) -> Vec<Jet> {
        self.rates_at(&self.at.q, v, &[])
    }

    /// N(q) v of other positions, with spins of points on the sphere: none, or one for each.
    pub fn rates_at(&self, q: &[Jet], v: &[Jet], spins: &[Jet]) -> Vec<Jet> {
        let mut spins = spins.iter();
        let mut rates = Vec::with_capacity(q.len());
        for place in self.places.iter() {
            let (q, v) = (&q[place.q..], &v[place.v..]);
            match place.motion {
                Motion::Line => rates.push(v[0].clone()),
                Motion::Circle => rates.extend([-(&q[1] * &v[0]), &q[0] * &v[0]]),
                Motion::Body | Motion::World | Motion::Sphere => {
                    use super::value::Quaternion;
                    let at = Quaternion([0, 1, 2, 3].map(|i| q[i].clone()));
                    let third = match place.motion {
                        Motion::Sphere => spins.next().cloned().unwrap_or_else(|| Jet::of(0.0)),
                        _ => v[2].clone(),
                    };
                    let spin = Quaternion([Jet::of(0.0), v[0].clone(), v[1].clone(), third]);
                    let twice = if place.motion == Motion::World { spin.times(&at) } else { at.times(&spin) };
                    rates.extend(twice.0.map(|x| 0.5 * x));
                }
            }
        }
        rates
    }

    /// Where the motion q̇ = N(q) v with v as it is leads in a unit of time: Σ (N v)ᵏ q / k!, for N is linear in q
    /// where it is not 1.
    pub fn flow(&self, v: &[Jet]) -> Vec<Jet> {
        let mut reached = self.at.q.to_vec();
        let mut term = self.at.q.to_vec();
        for k in 1..40 {
            term = self.rates_at(&term, v, &[]).iter().map(|x| 1.0 / f64::from(k) * x).collect();
            if k > 1 {
                self.places.iter().filter(|p| p.motion == Motion::Line).for_each(|p| term[p.q] = Jet::of(0.0));
            }
            reached.iter_mut().zip(&term).for_each(|(x, term)| *x = &*x + term);
        }
        reached
    }

    /// The point an instant later: q̇ = N v, v̇ = a, ż, ṫ = 1.
    pub fn moving(&self) -> &Point {
        self.moving.get_or_init(|| {
            let rates = Scalars {
                t: Rc::new(vec![Jet::of(1.0)]),
                q: Rc::new(self.rates(&self.at.v)),
                v: self.at.a.clone(),
                z: self.at.zdot.clone(),
                ..Scalars::default()
            };
            Box::new(self.along(&rates))
        })
    }

    /// The point moved along velocities: of its positions alone.
    pub fn displaced(&self, v: &[Jet]) -> Point {
        self.along(&Scalars { q: Rc::new(self.rates(v)), ..Scalars::default() })
    }

    /// The point with its velocities moved.
    pub fn accelerated(&self, v: &[Jet]) -> Point {
        self.along(&Scalars { v: Rc::new(v.to_vec()), ..Scalars::default() })
    }
}
