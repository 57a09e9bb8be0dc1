//! Where a model starts, as its texts and those of its subs say, and what its parameters are.

use std::rc::Rc;

use ode_codegen::phases::parse::ast;

use super::functions::difference;
use super::value::{Planar, Quaternion};
use super::{Motion, Oracle, Place, Point, Preset, Value, Written};
use crate::jet::Jet;

/// What kind of scalars a start is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// q
    Position,
    /// v
    Velocity,
    /// z
    State,
    /// modes
    Mode,
}

/// That of a place.
fn quaternion(place: &Place, at: &Point) -> Quaternion {
    Quaternion([0, 1, 2, 3].map(|i| at.at.q[place.q + i].clone()))
}

impl<'a> Oracle<'a> {
    /// For each number of a text the scalar that it is, among those of a kind.
    pub(super) fn places_of(&self, text: &Written<'a>, kind: Kind) -> Vec<Option<usize>> {
        // no two alike, and no sum of some is another
        let list =
            |n: usize| -> Vec<Jet> { (0..n).map(|i| Jet::of(2.0 + (i as f64 * 2.0_f64.sqrt()).fract())).collect() };
        // where no parameter makes of an expression what one of its terms is
        let mut at = self.somewhere().at;
        let probe = match kind {
            Kind::Position => &mut at.q,
            Kind::Velocity => &mut at.v,
            Kind::State => &mut at.z,
            Kind::Mode => &mut at.modes,
        };
        let numbers = list(probe.len());
        *probe = Rc::new(numbers.clone());
        if let (Kind::Position, Some(place)) = (kind, self.on_sphere(text)) {
            return (place.q..place.q + 4).map(Some).collect();
        }
        let values = self.value(text, &Point::new(at, self.places.clone())).scalars();
        values.iter().map(|x| numbers.iter().position(|n| n.real() == x.real())).collect()
    }

    /// The point of the sphere that a text is.
    fn on_sphere(&self, text: &Written<'a>) -> Option<Place> {
        let spheres = self.places.iter().filter(|place| place.motion == Motion::Sphere);
        spheres.clone().next()?;
        let at = self.somewhere();
        let Value::Vector(found) = self.value(text, &at) else { return None };
        let same = |place: &&Place| {
            let own = quaternion(place, &at).third();
            own.len() == found.len() && own.iter().zip(&found).all(|(a, b)| a.real() == b.real())
        };
        spheres.copied().find(|place| same(&place))
    }

    /// Positions that a plain coordinate, element or component is of.
    pub(super) fn positions_of(&self, text: &Written<'a>) -> Vec<Option<usize>> {
        self.places_of(text, Kind::Position)
    }

    /// Does the model of one scope have the other in it, below itself?
    fn around(&self, outer: usize, inner: usize) -> bool {
        outer != inner && self.scopes[inner].prefix.starts_with(&self.scopes[outer].prefix)
    }

    /// Does a model around say something of the same?
    fn gives_way(&self, target: &Written<'a>, kind: Kind, place: usize) -> bool {
        let around = self.starts.iter().filter(|(t, ..)| self.around(t.env.scope, target.env.scope));
        around.into_iter().any(|(t, ..)| self.places_of(t, kind).contains(&Some(place)))
    }

    /// The start of a scalar. An exact value overrides a guess, a later item an earlier one, and a model its subs.
    pub fn start_of(&self, scalar: usize, kind: Kind, at: &Point) -> Jet {
        let mut found = Jet::of(f64::NAN);
        for exact in [false, true] {
            for (target, start, _) in self.starts.iter().filter(|s| s.1.exact == exact) {
                let Some(k) = self.places_of(target, kind).iter().position(|p| *p == Some(scalar)) else { continue };
                if !self.gives_way(target, kind, scalar) {
                    found = self.beginning(target, start, at)[k].clone();
                }
            }
        }
        found
    }

    /// The numbers a start gives; an angle to a rotation of the plane gives its cosine and sine.
    fn beginning(&self, target: &Written<'a>, start: &'a ast::Start, at: &Point) -> Vec<Jet> {
        let value = self.eval(&start.assign.value, &target.env, at);
        if self.on_sphere(target).is_some() {
            return Quaternion::to(&value.scalars()).0.to_vec();
        }
        match (self.value(target, at), value) {
            (Value::Frame2(Planar { .. }), Value::Scalar(angle)) => vec![angle.cos(), angle.sin()],
            (_, value) => value.scalars(),
        }
    }

    /// Where all scalars of a kind start.
    pub fn begin(&self, kind: Kind, at: &Point) -> Vec<Jet> {
        let mut unsaid = match kind {
            Kind::Position => vec![0.0; self.names.q.len()],
            Kind::Velocity => vec![0.0; self.names.v.len()],
            Kind::State => vec![0.0; self.names.z.len()],
            Kind::Mode => vec![0.0; self.names.modes.len()],
        };
        if kind == Kind::Position {
            // unturned: the first of cosine and sine, or of the quaternion
            let turned = |place: &&Place| place.positions() > 1;
            self.places.iter().filter(turned).for_each(|place| unsaid[place.q] = 1.0);
        }
        let or_unsaid = |(i, unsaid): (usize, f64)| {
            let found = self.start_of(i, kind, at);
            if found.real().is_nan() { Jet::of(unsaid) } else { found }
        };
        unsaid.into_iter().enumerate().map(or_unsaid).collect()
    }

    /// The residuals of exact starts, by label, for positions and velocities, without those that a surrounding model
    /// overrides in part.
    pub fn starts(&self, at: &Point) -> Vec<(String, Vec<Jet>)> {
        let taken = |target: &Written<'a>| {
            [Kind::Position, Kind::Velocity]
                .into_iter()
                .any(|kind| self.places_of(target, kind).into_iter().flatten().any(|p| self.gives_way(target, kind, p)))
        };
        let rows = |(target, start, label): &(Written<'a>, &'a ast::Start, String)| {
            let value = self.eval(&start.assign.value, &target.env, at);
            let rows = match self.on_sphere(target) {
                // off along the two axes across
                Some(place) => quaternion(&place, at).conjugate().turn(&value.scalars())[..2].to_vec(),
                None => difference(&self.value(target, at), &value),
            };
            (label.clone(), rows)
        };
        self.starts.iter().filter(|(target, ..)| !taken(target)).map(rows).collect()
    }

    /// Labels of exact starts that no `fix` and no model around takes over, as a whole or in part.
    pub fn conditions(&self, partly: bool) -> Vec<String> {
        // a coordinate that is held at its start; a direction, or a value that is prescribed, leaves its start to be
        // said
        let at_start = self.fixes.iter().filter(|(_, fix)| fix.along.is_none() && fix.value.is_none());
        let held: Vec<usize> = at_start.flat_map(|(t, _)| self.positions_of(t)).flatten().collect();
        let own = |(target, start, _): &&(Written<'a>, &'a ast::Start, String)| {
            let of = |kind| self.places_of(target, kind).into_iter().flatten().collect::<Vec<usize>>();
            let free = |kind: Kind, p: &usize| {
                let held = kind == Kind::Position && held.contains(p);
                !held && !self.gives_way(target, kind, *p)
            };
            let all = [Kind::Position, Kind::Velocity]
                .into_iter()
                .flat_map(|kind| of(kind).into_iter().map(move |p| (kind, p)));
            let all: Vec<bool> = all.map(|(kind, p)| free(kind, &p)).collect();
            let there = if partly { all.is_empty() || all.contains(&true) } else { !all.contains(&false) };
            start.exact && of(Kind::State).is_empty() && there
        };
        self.starts.iter().filter(own).map(|(_, _, label)| label.clone()).collect()
    }

    /// Numbers of a preset.
    pub(super) fn preset(&self, preset: &Preset<'a>, at: &Point) -> Vec<Jet> {
        self.value(&preset.text, at).scalars().iter().map(|x| preset.scale * x).collect()
    }

    /// Defaults of all parameters; NaN for none.
    pub fn defaults(&self, at: &Point) -> Vec<f64> {
        self.presets(&self.defaults, f64::NAN, at)
    }

    /// Inputs that a run is not given, and modes as a run begins.
    pub fn origins(&self, at: &Point) -> [Vec<f64>; 2] {
        self.origins.each_ref().map(|list| self.presets(list, 0.0, at))
    }

    fn presets(&self, list: &[(Option<Preset<'a>>, usize)], unsaid: f64, at: &Point) -> Vec<f64> {
        let numbers = |(preset, n): &(Option<Preset<'a>>, usize)| match preset {
            Some(preset) => self.preset(preset, at).iter().map(Jet::real).collect(),
            None => vec![unsaid; *n],
        };
        list.iter().flat_map(numbers).collect()
    }

    /// What parents say of parameters of their subs.
    pub fn given(&self, at: &Point) -> Vec<f64> {
        self.given.iter().flat_map(|text| self.value(text, at).scalars()).map(|x| x.real()).collect()
    }
}
