//! Lagrange's equations and everything else a model says, from its items as they are written.
//!
//! ```text
//! r·w = d/dt(∂T/∂v · w) − X_w T ± p · (w × ω) + M_x a · w + X_w V + ∂R/∂v · w − Σ e · X_w s − λ · X_w Φ − λ · ∂ψ/∂v w
//! ```
//!
//! with X_w the derivative along the velocities w, and p · (w × ω) for rotations, + by body and − by spatial rates.

use std::rc::Rc;

use ode_codegen::phases::parse::ast;
use syn::Expr;

use super::functions::rows;
use super::rows::{Hold, Row, suffixes};
use super::starts::Kind;
use super::value::{Planar, cross, dot};
use super::{Env, Motion, Oracle, Point, Scalars, Value, Written};
use crate::jet::Jet;

fn zeros(n: usize) -> Vec<Jet> {
    vec![Jet::of(0.0); n]
}

fn still(n: usize) -> Rc<Vec<Jet>> {
    Rc::new(zeros(n))
}

pub(super) fn field<'a>(fields: &'a [(proc_macro2::Ident, Expr)], name: &str) -> Option<&'a Expr> {
    fields.iter().find(|(n, _)| n == name).map(|(_, value)| value)
}

impl<'a> Oracle<'a> {
    /// T
    pub fn kinetic(&self, at: &Point) -> Jet {
        let written: Jet = self.kinetic.iter().map(|t| self.value(t, at).number()).sum();
        let bodies = self.bodies.iter().map(|(on, fields)| self.body(on, fields, at)).sum::<Jet>();
        written + bodies
    }

    fn body(&self, on: &Written<'a>, fields: &'a [(proc_macro2::Ident, Expr)], at: &Point) -> Jet {
        let of = |name: &str| field(fields, name).map(|text| self.eval(text, &on.env, at));
        let mass = of("mass").expect("a mass").number();
        let inertia = of("inertia").expect("an inertia");
        let (moving, depth) = (at.moving(), at.depth);
        match self.value(on, moving) {
            Value::Frame2(frame) => {
                let speed: Jet = frame.origin.iter().map(|x| x.slope(depth).square()).sum();
                let turn = frame.angle.slope(depth).square();
                0.5 * (mass * speed + inertia.number() * turn)
            }
            Value::Frame3(origin, turn) => {
                let centre = self.centre(on, fields, moving);
                let place = origin.iter().zip(turn.turn(&centre)).map(|(p, c)| (p + &c).slope(depth));
                let speed: Jet = place.map(|v| v.square()).sum();
                let spin = self.body_rate(on.text, &on.env, at);
                let matrix = rows(&inertia, 3);
                let momentum: Vec<Jet> = matrix.chunks(3).map(|row| dot(row, &spin)).collect();
                0.5 * (mass * speed + dot(&spin, &momentum))
            }
            other => panic!("a body on {other:?}"),
        }
    }

    fn centre(&self, on: &Written<'a>, fields: &'a [(proc_macro2::Ident, Expr)], at: &Point) -> Vec<Jet> {
        field(fields, "com").map_or_else(|| zeros(3), |com| self.eval(com, &on.env, at).vector())
    }

    /// V
    pub fn potential(&self, at: &Point) -> Jet {
        let mut sum: Jet = self.potential.iter().map(|v| self.value(v, at).number()).sum();
        for (on, fields) in &self.springs {
            let d = self.ends(on, at);
            let square = dot(&d, &d);
            let of = |name: &str| field(fields, name).map(|text| self.eval(text, &on.env, at).number());
            let stretch = match of("rest") {
                Some(rest) => (square.sqrt() - rest).square(),
                None => square,
            };
            sum = sum + 0.5 * of("k").expect("a stiffness") * stretch;
        }
        let Some(gravity) = &self.gravity else { return sum };
        let gravity = self.value(gravity, at).vector();
        for (on, fields) in &self.bodies {
            let mass = self.eval(field(fields, "mass").expect("a mass"), &on.env, at).number();
            let place = match self.value(on, at) {
                Value::Frame2(frame) => frame.origin.to_vec(),
                Value::Frame3(origin, turn) => {
                    let centre = turn.turn(&self.centre(on, fields, at));
                    origin.iter().zip(centre).map(|(p, c)| p + &c).collect()
                }
                other => panic!("a body on {other:?}"),
            };
            sum = sum - mass * dot(&gravity, &place);
        }
        sum
    }

    fn ends(&self, on: &Written<'a>, at: &Point) -> Vec<Jet> {
        let Expr::Tuple(pair) = on.text else { panic!("a spring has two ends") };
        let [p, q] = [0, 1].map(|i| self.eval(&pair.elems[i], &on.env, at).vector());
        p.iter().zip(&q).map(|(p, q)| q - p).collect()
    }

    /// R
    pub fn dissipation(&self, at: &Point) -> Jet {
        let mut sum: Jet = self.dissipation.iter().map(|r| self.value(r, at).number()).sum();
        for (on, fields) in &self.springs {
            let Some(damping) = field(fields, "damping") else { continue };
            let damping = self.eval(damping, &on.env, at).number();
            let d = self.ends(on, at.moving());
            let rate = dot(&d, &d).sqrt().slope(at.depth);
            sum = sum + 0.5 * damping * rate.square();
        }
        sum
    }

    /// The rows r, weighed by w and summed; w are velocities.
    pub fn residual(&self, at: &Point, w: &[f64]) -> Jet {
        let w: Vec<Jet> = w.iter().map(|&x| Jet::of(x)).collect();
        let depth = at.depth;
        let displaced = at.displaced(&w);
        let pushed = at.accelerated(&w);
        let mut sum = self.potential(&displaced).slope(depth) + self.dissipation(&pushed).slope(depth);
        if !self.first_order {
            let momentum = self.kinetic(&at.moving().accelerated(&w));
            sum = sum + momentum.slope(depth + 1).slope(depth) - self.kinetic(&displaced).slope(depth);
            if let Some(turned) = self.turned(at, &w) {
                sum = sum + self.kinetic(&at.accelerated(&turned)).slope(depth);
            }
        }
        let rates = if self.first_order { &at.at.v } else { &at.at.a };
        sum = sum + self.added_mass(at, &w, rates);
        for (text, force) in &self.forces {
            let value = self.value(text, at).scalars();
            sum = sum - dot(&value, &self.moved(force, &text.env, &displaced, &pushed, depth));
        }
        for (k, row) in self.rows().iter().filter(|r| r.hold != Hold::Law).enumerate() {
            let to = if row.hold == Hold::Position { &displaced } else { &pushed };
            sum = sum - &at.at.lambda[k] * &self.row(row, to).slope(depth);
        }
        sum
    }

    /// ± w × ω at the rotations, if there are any.
    fn turned(&self, at: &Point, w: &[Jet]) -> Option<Vec<Jet>> {
        let mut turned = zeros(w.len());
        let mut any = false;
        for place in self.places.iter() {
            let sign = match place.motion {
                Motion::Line | Motion::Circle | Motion::Sphere => continue,
                Motion::Body => 1.0,
                Motion::World => -1.0,
            };
            any = true;
            let range = place.v..place.v + 3;
            let product = cross(&w[range.clone()], &at.at.v[range.clone()]);
            for (to, x) in turned[range].iter_mut().zip(product) {
                *to = sign * x;
            }
        }
        any.then_some(turned)
    }

    /// How far what a force acts on moves; a torque in space acts on the angular velocity, in the world's axes.
    fn moved(
        &self,
        force: &'a ast::Force,
        env: &Rc<Env<'a>>,
        displaced: &Point,
        pushed: &Point,
        depth: u32,
    ) -> Vec<Jet> {
        let slopes = |values: Vec<Jet>| values.iter().map(|x| x.slope(depth)).collect();
        match self.eval(&force.on, env, displaced) {
            Value::Rotation(_) | Value::Frame3(..) => {
                let (Value::Rotation(turn) | Value::Frame3(_, turn)) = self.eval(&force.on, env, pushed) else {
                    panic!("a torque on a rotation")
                };
                slopes(turn.turn(&self.body_rate(&force.on, env, pushed)))
            }
            Value::Frame2(frame) => slopes(vec![frame.angle]),
            other => slopes(other.scalars()),
        }
    }

    /// T, V and 2R, with what `mass` items give: inertia, or in a model of first order coefficients of velocities.
    pub fn energies(&self, at: &Point) -> [Jet; 3] {
        let added = self.added_mass(at, &at.at.v, &at.at.v);
        let [inertia, drag] = if self.first_order { [0.0, 1.0] } else { [0.5, 0.0] };
        [self.kinetic(at) + inertia * added.clone(), self.potential(at), 2.0 * self.dissipation(at) + drag * added]
    }

    /// wᵀ M of what `mass` items give, times these rates.
    fn added_mass(&self, at: &Point, w: &[Jet], rates: &[Jet]) -> Jet {
        let mut sum = Jet::of(0.0);
        for (value, target) in &self.masses {
            let targets: Vec<&'a Expr> = match target {
                Expr::Tuple(t) => t.elems.iter().collect(),
                Expr::Paren(t) => vec![&t.expr],
                other => vec![other],
            };
            let places: Vec<usize> = targets
                .into_iter()
                .flat_map(|t| self.velocities_of(&Written { env: value.env.clone(), text: t }))
                .collect();
            let entries = rows(&self.value(value, at), places.len());
            for (k, entry) in entries.iter().enumerate() {
                let (row, col) = (places[k / places.len()], places[k % places.len()]);
                sum = sum + &w[row] * &(entry * &rates[col]);
            }
        }
        sum
    }

    fn velocities_of(&self, text: &Written<'a>) -> Vec<usize> {
        let velocity = |q: Option<usize>| {
            let q = q.expect("a coordinate");
            self.places.iter().find(|p| p.q == q).expect("a coordinate").v
        };
        self.positions_of(text).into_iter().map(velocity).collect()
    }

    /// Zeros for everything.
    pub(super) fn still(&self) -> Scalars {
        let n = &self.names;
        Scalars {
            t: still(1),
            q: still(n.q.len()),
            v: still(n.v.len()),
            a: still(n.v.len()),
            z: still(n.z.len()),
            zdot: still(n.z.len()),
            modes: still(n.modes.len()),
            u: still(n.u.len()),
            p: still(n.p.len()),
            lambda: still(self.forces_of_rows()),
        }
    }

    /// g of each differential state: its place among the states, and its rate.
    pub fn rates(&self, at: &Point) -> Vec<(usize, Jet)> {
        let mut found = Vec::new();
        for (value, target) in &self.rates {
            let places = self.places_of(&Written { env: value.env.clone(), text: target }, Kind::State);
            found.extend(places.into_iter().flatten().zip(self.value(value, at).scalars()));
        }
        found
    }

    /// The power of each force, with its name and the numbers of the loops it stands in.
    pub fn powers(&self, at: &Point) -> Vec<(String, Jet)> {
        let depth = at.depth;
        let power = |(text, force): &(Written<'a>, &'a ast::Force)| {
            let value = self.value(text, at).scalars();
            let rates: Vec<Jet> = match self.eval(&force.on, &text.env, at) {
                Value::Rotation(turn) | Value::Frame3(_, turn) => turn.turn(&self.body_rate(&force.on, &text.env, at)),
                _ => match self.eval(&force.on, &text.env, at.moving()) {
                    Value::Frame2(frame) => vec![frame.angle.slope(depth)],
                    other => other.scalars().iter().map(|x| x.slope(depth)).collect(),
                },
            };
            (self.label(&text.env, &super::declare::bare(&force.name)), dot(&value, &rates))
        };
        self.forces.iter().map(power).collect()
    }

    /// Outputs by name; those that are frames are left out.
    pub fn outputs(&self, at: &Point) -> Vec<(String, Jet)> {
        let mut found = Vec::new();
        for (name, text) in &self.outputs {
            let value = self.value(text, at);
            let names = suffixes(&value).into_iter().map(|s| format!("{name}{s}"));
            found.extend(names.zip(value.scalars()));
        }
        found
    }

    /// The numbers of each figure by its name: of a frame its point and cosine and sine, or quaternion.
    pub fn picture(&self, at: &Point) -> Vec<(String, Vec<Jet>)> {
        let numbers = |value: Value| -> Vec<Jet> {
            match value {
                Value::Frame2(Planar { origin: [x, y], cos, sin, .. }) => vec![x, y, cos, sin],
                Value::Frame3(point, turn) => point.into_iter().chain(turn.0).collect(),
                other => other.scalars(),
            }
        };
        let figure = |(env, show): &(_, &'a ast::Show)| {
            // the path of a file is no number
            let is_path = |text: &&Expr| matches!(text, Expr::Lit(l) if matches!(l.lit, syn::Lit::Str(_)));
            let texts = show.arguments.iter().filter(|text| !is_path(text));
            let values = texts.map(|text| numbers(self.eval(text, env, at)));
            (self.label(env, &super::declare::bare(&show.name)), values.flatten().collect())
        };
        self.shown.iter().map(figure).collect()
    }

    /// Values of limits, costs and residuals, in the order of the text.
    pub fn lists(&self, at: &Point) -> [Vec<Jet>; 3] {
        let all = |list: &[Written<'a>]| list.iter().flat_map(|text| self.value(text, at).scalars()).collect();
        [all(&self.limits), all(&self.costs), all(&self.fits)]
    }

    /// Lowest and highest of inputs and limits.
    pub fn bounds(&self, at: &Point) -> [Vec<Jet>; 4] {
        let mut bounds: [Vec<Jet>; 4] = Default::default();
        for (k, ranges) in self.ranges.iter().enumerate() {
            for (i, (n, range)) in ranges.iter().enumerate() {
                let n = if k == 0 { *n } else { self.value(&self.limits[i], at).scalars().len() };
                for (side, open) in [f64::NEG_INFINITY, f64::INFINITY].into_iter().enumerate() {
                    let bound = range.as_ref().map(|r| self.value(if side == 0 { &r.0 } else { &r.1 }, at).number());
                    let bound = bound.unwrap_or_else(|| Jet::of(open));
                    bounds[2 * k + side].extend(std::iter::repeat_n(bound, n));
                }
            }
        }
        bounds
    }

    /// 1 where a requirement of the text holds.
    pub fn requires(&self, at: &Point) -> Vec<f64> {
        self.requires.iter().map(|c| f64::from(u8::from(self.holds(c.text, &c.env, at)))).collect()
    }

    /// `c.lambda`
    pub(super) fn multiplier(&self, name: &str, env: &Env<'a>, at: &Point) -> Value {
        let spelled = name.replace('[', "_").replace(']', "");
        let whole = format!("{}{spelled}", self.scopes[env.scope].prefix);
        let found = (0..self.constraints.len()).find(|&i| {
            let own = &self.constraints[i].name;
            *own == whole || *own == format!("{}{name}", self.scopes[env.scope].prefix) || *own == self.label(env, name)
        });
        let item = found.unwrap_or_else(|| panic!("no constraint {name}"));
        let constraint = &self.constraints[item];
        let rows = self.rows();
        let first = rows.iter().filter(|r| r.hold != Hold::Law).position(|r| r.item == item).expect("a row");
        let next = std::cell::Cell::new(first);
        self.eval(&constraint.item.left, &constraint.env, at).map(&|_| {
            next.set(next.get() + 1);
            at.at.lambda[next.get() - 1].clone()
        })
    }

    /// `x.reaction`: by all that fixes x.
    pub(super) fn reaction(&self, base: &'a Expr, env: &Rc<Env<'a>>, at: &Point) -> Value {
        let places = self.positions_of(&Written { env: env.clone(), text: base });
        let rows = self.rows();
        let mut sums = zeros(places.len());
        for (k, row) in rows.iter().filter(|r| r.hold != Hold::Law).enumerate() {
            let Some((target, _)) = row.item.checked_sub(self.constraints.len()).map(|i| &self.fixes[i]) else {
                continue;
            };
            let held = self.positions_of(target);
            for (sum, place) in sums.iter_mut().zip(&places) {
                let Some(q) = held.iter().position(|h| h == place) else { continue };
                let share = self.share(row, q, at);
                *sum = &*sum + &(&share * &at.at.lambda[k]);
            }
        }
        let next = std::cell::Cell::new(0);
        self.eval(base, env, at).map(&|_| {
            next.set(next.get() + 1);
            sums[next.get() - 1].clone()
        })
    }

    /// ∂Φ/∂x of a `fix` by the position number `q` of what it holds.
    fn share(&self, row: &Row, q: usize, at: &Point) -> Jet {
        let (target, fix) = &self.fixes[row.item - self.constraints.len()];
        match &fix.along {
            Some(along) => self.eval(along, &target.env, at).scalars()[q].clone(),
            None => Jet::of(f64::from(u8::from(q == row.place))),
        }
    }

    /// A name with the prefix of its sub, and the numbers of the loops around it.
    pub(super) fn label(&self, env: &Env<'a>, name: &str) -> String {
        let mut label = format!("{}{name}", self.scopes[env.scope].prefix);
        for (_, local) in &env.locals {
            if let super::Local::Index(i) = local {
                label.push_str(&format!("_{i}"));
            }
        }
        label
    }
}
