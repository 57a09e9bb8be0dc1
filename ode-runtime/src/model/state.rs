//! The state of a run.

use crate::error::{Cause, Name, Quantity};
use crate::model::history::{History, Parts};
use crate::model::layout::Layout;
use crate::model::system::{At, Rates, System};
use crate::model::unnamed::Inputless;
use crate::numbers::scalar::{Real, Scalar};

/// Time, coordinates, velocities and first-order states, with the rates and multipliers that belong to them.
// q and v are read together but written apart, so they must not be neighbours: the compiler loads neighbours as one
// vector, and a processor delays a load that covers two recent stores until both have left its queue. The alignment
// keeps such a vector within one cache line.
#[repr(C, align(16))]
#[derive(Clone, Debug)]
pub struct State<S: System> {
    /// coordinates, nq
    pub q: S::Q,
    /// accelerations v̇, nv
    pub a: S::V,
    /// velocities, nv
    pub v: S::V,
    /// rates ż, nz
    pub zdot: S::Z,
    /// first-order states, nz
    pub z: S::Z,
    /// multipliers of M a = f + Gᵀ λ, nc
    pub lambda: S::L,
    /// time
    pub t: S::Real,
    /// modes, constant between events
    pub modes: S::Modes,
}

/// The arguments of an input function: time and state.
#[derive(Debug)]
pub struct Moment<'a, S: System> {
    /// time
    pub t: S::Real,
    /// coordinates, nq
    pub q: &'a S::Q,
    /// velocities, nv
    pub v: &'a S::V,
    /// first-order states, nz
    pub z: &'a S::Z,
    /// modes, constant between events
    pub modes: &'a S::Modes,
}

impl<S: System> Clone for Moment<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: System> Copy for Moment<'_, S> {}

impl<S: System> State<S> {
    /// What a history calls q.
    pub(crate) const COORDINATES: &'static str = "q";

    /// The point of evaluation with inputs `u`; of a model without inputs, [`State::point`].
    #[inline]
    pub fn at<'a>(&'a self, u: &'a S::U) -> At<'a, S> {
        At { t: self.t, q: &self.q, v: &self.v, z: &self.z, u, modes: &self.modes }
    }

    /// What inputs see of it.
    #[inline]
    pub fn moment(&self) -> Moment<'_, S> {
        Moment { t: self.t, q: &self.q, v: &self.v, z: &self.z, modes: &self.modes }
    }

    /// What inputs see, and a, ż and λ to write.
    #[inline]
    pub(crate) fn split(&mut self) -> (Moment<'_, S>, &mut S::V, &mut S::Z, &mut S::L) {
        let Self { t, q, v, z, a, zdot, lambda, modes } = self;
        (Moment { t: *t, q, v, z, modes }, a, zdot, lambda)
    }

    /// The rates and multipliers.
    pub fn rates(&self) -> Rates<'_, S> {
        Rates { a: &self.a, zdot: &self.zdot, lambda: &self.lambda }
    }

    /// Takes the values of `other` without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        copy(&other.q, &mut self.q);
        copy(&other.v, &mut self.v);
        copy(&other.z, &mut self.z);
        copy(&other.a, &mut self.a);
        copy(&other.zdot, &mut self.zdot);
        copy(&other.lambda, &mut self.lambda);
        copy(&other.modes, &mut self.modes);
    }
}

impl<S: System> State<S> {
    /// The point of evaluation of a model without inputs; with inputs, [`State::at`].
    #[inline]
    pub fn point(&self) -> At<'_, S>
    where
        S::U: Inputless,
    {
        self.at(S::U::none())
    }
}

impl<S: System> History<S::Real> for State<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        parts.numbers("t", core::slice::from_mut(&mut self.t));
        parts.numbers(Self::COORDINATES, self.q.as_mut());
        parts.numbers("v", self.v.as_mut());
        parts.numbers("z", self.z.as_mut());
        parts.numbers("a", self.a.as_mut());
        parts.numbers("der(z)", self.zdot.as_mut());
        parts.numbers("lambda", self.lambda.as_mut());
        parts.numbers("modes", self.modes.as_mut());
    }
}

impl<S: System<Real: Real>> State<S> {
    /// Refuses NaN and infinity.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with the name of the first entry that is not finite; for time, a setting.
    #[inline]
    pub fn check(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        if self.adds_up() { Ok(()) } else { self.offender(layout) }
    }

    /// Whether the sum of all entries is finite; if not, [`State::check`] tells why.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn adds_up(&self) -> bool {
        let motion = sum(self.q.as_ref()) + sum(self.v.as_ref()) + sum(self.a.as_ref());
        let rates = sum(self.z.as_ref()) + sum(self.zdot.as_ref());
        (motion + rates + sum(self.lambda.as_ref()) + sum(self.modes.as_ref()) + self.t).is_finite()
    }

    #[cold]
    #[inline(never)]
    fn offender(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        if !self.t.is_finite() {
            return Err(Cause::Invalid { setting: "time", value: self.t.to_f64() });
        }
        finite(self.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(self.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(self.z.as_ref(), Quantity::State, layout.z)?;
        finite(self.a.as_ref(), Quantity::Acceleration, layout.directions)?;
        finite(self.zdot.as_ref(), Quantity::Rate, layout.z)?;
        finite(self.lambda.as_ref(), Quantity::Multiplier, layout.constraints)?;
        finite(self.modes.as_ref(), Quantity::Mode, layout.modes)
    }
}

/// What an interpolant has in addition to the cubic: θ²(1 − θ)² times this, for the step of q, for v, and for z.
pub(crate) struct Quartic<'a, S: System> {
    pub(crate) q: &'a S::V,
    pub(crate) v: &'a S::V,
    pub(crate) z: &'a S::Z,
}

/// The cubic through q, v and z and their rates at `x` and `y`, and the line through a, ż and λ, at the fraction
/// `theta`.
///
/// The cubic of q is in the steps from x.q, the shortest way: x.q ⊕ s with s = 0, ṡ = v at x, and s = `local`, ṡ =
/// `step_rate` at y. The rate of v is the `velocity_rate` of a. A method's own `quartic` is added to the cubics.
///
/// On the sphere, v at y counts as about the axes of x.q ⊕ `local`. A step made of several ⊕ ends with axes that have
/// turned from these by O(h³): there, velocities between steps are of order 3.
pub(crate) fn hermite<S: System<Real: Real>>(
    system: &S,
    x: &State<S>,
    y: &State<S>,
    quartic: Option<Quartic<'_, S>>,
    theta: S::Real,
    out: &mut State<S>,
) {
    let (one, two, three) = (S::Real::ONE, S::Real::from_f64(2.0), S::Real::from_f64(3.0));
    let (h, rest) = (y.t - x.t, one - theta);
    // Weights of the increment and of the rates at the two ends.
    let increment = theta * theta * (three - two * theta);
    let (start, end) = (h * theta * rest * rest, -(h * theta * theta * rest));
    let cubic = |from: &[S::Real], to: &[S::Real], rate: &[S::Real], last: &[S::Real], out: &mut [S::Real]| {
        for ((((out, &from), &to), &rate), &last) in out.iter_mut().zip(from).zip(to).zip(rate).zip(last) {
            *out = from + increment * (to - from) + start * rate + end * last;
        }
    };
    let line = |from: &[S::Real], to: &[S::Real], out: &mut [S::Real]| {
        for ((out, &from), &to) in out.iter_mut().zip(from).zip(to) {
            *out = from + theta * (to - from);
        }
    };
    out.t = x.t + theta * h;
    // The step from x and its rate at y, in storage that is overwritten later.
    system.local(&x.q, &y.q, &mut out.a);
    system.step_rate(&out.a, &y.v, &mut out.v);
    for ((step, &from), &to) in out.a.as_mut().iter_mut().zip(x.v.as_ref()).zip(out.v.as_ref()) {
        *step = increment * *step + start * from + end * to;
    }
    let hump = theta * theta * rest * rest;
    let raise = |out: &mut [S::Real], by: &[S::Real]| {
        for (out, &by) in out.iter_mut().zip(by) {
            *out += hump * by;
        }
    };
    if let Some(quartic) = &quartic {
        raise(out.a.as_mut(), quartic.q.as_ref());
    }
    system.retract(&x.q, &out.a, &mut out.q);
    if system.layout().first_order() {
        line(x.v.as_ref(), y.v.as_ref(), out.v.as_mut());
    } else {
        system.local(&x.q, &y.q, &mut out.v);
        copy(&y.a, &mut out.a);
        system.velocity_rate(&out.v, &y.v, &mut out.a);
        cubic(x.v.as_ref(), y.v.as_ref(), x.a.as_ref(), out.a.as_ref(), out.v.as_mut());
    }
    cubic(x.z.as_ref(), y.z.as_ref(), x.zdot.as_ref(), y.zdot.as_ref(), out.z.as_mut());
    if let Some(quartic) = &quartic {
        raise(out.v.as_mut(), quartic.v.as_ref());
        raise(out.z.as_mut(), quartic.z.as_ref());
    }
    // algebraic variables have no rates
    let first = system.layout().differential();
    let rest = |z: &S::Z| first.min(z.as_ref().len());
    let (from, to) = (&x.z.as_ref()[rest(&x.z)..], &y.z.as_ref()[rest(&y.z)..]);
    line(from, to, out.z.as_mut().split_at_mut(first).1);
    line(x.a.as_ref(), y.a.as_ref(), out.a.as_mut());
    line(x.zdot.as_ref(), y.zdot.as_ref(), out.zdot.as_mut());
    line(x.lambda.as_ref(), y.lambda.as_ref(), out.lambda.as_mut());
    copy(&x.modes, &mut out.modes);
}

/// Copies a block; `clone_from` of a user's block could allocate.
#[inline]
pub(crate) fn copy<T: Copy, B: AsRef<[T]> + AsMut<[T]>>(from: &B, to: &mut B) {
    for (to, &from) in to.as_mut().iter_mut().zip(from.as_ref()) {
        *to = from;
    }
}

/// Not finite if any entry is not: one test instead of many. If the sum overflows, the entries are tested one by one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn sum<T: Real>(values: &[T]) -> T {
    // of many, several sums side by side: one would wait for each addition
    let (chunks, rest) = values.as_chunks::<8>();
    if chunks.len() < 4 {
        return values.iter().copied().reduce(|sum, x| sum + x).unwrap_or(T::ZERO);
    }
    let mut sums = [T::ZERO; 8];
    for chunk in chunks {
        for (sum, &x) in sums.iter_mut().zip(chunk) {
            *sum += x;
        }
    }
    sums.iter().chain(rest).copied().reduce(|sum, x| sum + x).unwrap_or(T::ZERO)
}

/// Refuses NaN and infinity, naming the first.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn finite<T: Real>(values: &[T], quantity: Quantity, names: &[&str]) -> Result<(), Cause> {
    if sum(values).is_finite() { Ok(()) } else { offender(values, quantity, names) }
}

#[cold]
#[inline(never)]
fn offender<T: Real>(values: &[T], quantity: Quantity, names: &[&str]) -> Result<(), Cause> {
    match values.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(index) => Err(Cause::NonFinite { quantity, name: Name::of(names, index) }),
    }
}

impl<S: System> PartialEq for State<S> {
    fn eq(&self, o: &Self) -> bool {
        self.t == o.t
            && self.q == o.q
            && self.v == o.v
            && self.z == o.z
            && self.a == o.a
            && self.zdot == o.zdot
            && self.lambda == o.lambda
            && self.modes == o.modes
    }
}
