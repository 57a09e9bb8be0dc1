//! States and their differences along the directions of the model: x ⊕ d and y ⊖ x.
//!
//! Coordinates move by the model's own ⊕, velocities and first-order states by addition.

use ode_runtime::linalg::{Field, SMatrix, SVector};
use ode_runtime::{Block, Dual, Order, Real, Scalar, Sensitive, State, System, Turning, s2, so3};

/// The number of a model, as nalgebra knows it: `f32` or `f64`.
pub type RealOf<S> = <<S as System>::Real as Field>::Entry;

/// The differences y ⊖ x = (q ⊖ q₀, v − v₀, z − z₀), by their places among the directions of a state:
/// [`Layout::state_directions`](ode_runtime::Layout::state_directions). It is the d with x ⊕ d = y.
///
/// Entries of a velocity on the sphere are about the axes of a frame without spin, which x ⊕ d carries along; those of
/// y are turned into it.
#[derive(Debug)]
pub(crate) struct Deviation<S: Sensitive> {
    q: S::V,
    v: S::V,
    z: S::Z,
    /// none of the velocities may be chosen
    first_order: bool,
}

impl<S: Sensitive<Real: Real>> Deviation<S> {
    /// y ⊖ x.
    pub(crate) fn of(system: &S, y: &State<S>, x: &State<S>) -> Self {
        let layout = system.layout();
        let mut q = S::V::zeros(layout.v.len());
        system.local(&x.q, &y.q, &mut q);
        let (mut v, mut z) = (y.v.clone(), y.z.clone());
        for (place, first) in spheres(system) {
            let (angle, v) = (frame_angle(&four::<S>(place, &x.q), &four::<S>(place, &y.q)), v.as_mut());
            turn(angle, first, v);
        }
        v.as_mut().iter_mut().zip(x.v.as_ref()).for_each(|(v, &from)| *v -= from);
        z.as_mut().iter_mut().zip(x.z.as_ref()).for_each(|(z, &from)| *z -= from);
        Self { q, v, z, first_order: layout.order == Order::First }
    }

    /// The entry in a place; zero where there is none.
    pub(crate) fn entry(&self, place: usize) -> S::Real {
        let (q, v, z) = (self.q.as_ref(), self.v.as_ref(), self.z.as_ref());
        let moving = if self.first_order { &[] } else { v };
        let (after_q, after_v) = (place.wrapping_sub(q.len()), place.wrapping_sub(q.len() + moving.len()));
        let entry = q.get(place).or_else(|| moving.get(after_q)).or_else(|| z.get(after_v));
        entry.copied().unwrap_or(S::Real::ZERO)
    }
}

/// The points on the sphere: the first entries of their quaternions, and of their velocities.
fn spheres<S: Sensitive<Real: Real>>(system: &S) -> impl Iterator<Item = (usize, usize)> {
    let quaternions = system.rotations().iter().filter(|(_, count)| *count == 4);
    system.turnings().iter().zip(quaternions).filter_map(|(turning, &(place, _))| match *turning {
        Turning::Sphere(first) => Some((place, first)),
        _ => None,
    })
}

/// The quaternion in a place.
fn four<S: System>(place: usize, q: &S::Q) -> [S::Real; 4] {
    core::array::from_fn(|i| q.as_ref()[place + i])
}

/// By how much the frame of the point y, seen from that which x carries along, is turned about the point.
fn frame_angle<T: Scalar>(x: &[T; 4], y: &[T; 4]) -> T {
    let [w, _, _, z] = so3::product(&so3::conjugate(x), y);
    T::from_f64(2.0) * z.atan2(w)
}

/// Turns two entries of a velocity.
fn turn<T: Real>(angle: T, first: usize, v: &mut [T]) {
    let (sine, cosine) = (angle.sin(), angle.cos());
    (v[first], v[first + 1]) = (cosine * v[first] - sine * v[first + 1], sine * v[first] + cosine * v[first + 1]);
}

/// Gives the points on the sphere of a state the frames that `from` carries along to them. The state is the same one,
/// and what varies along its directions varies along those of `from`.
pub(crate) fn align<S: Sensitive<Real: Real>>(system: &S, from: &State<S>, x: &mut State<S>) {
    for (place, first) in spheres(system) {
        let own = four::<S>(place, &x.q);
        let angle = frame_angle(&four::<S>(place, &from.q), &own);
        turn(angle, first, x.v.as_mut());
        turn(angle, first, x.a.as_mut());
        let half = S::Real::from_f64(-0.5) * angle;
        let turned = so3::product(&own, &[half.cos(), S::Real::ZERO, S::Real::ZERO, half.sin()]);
        x.q.as_mut()[place..place + 4].copy_from_slice(&so3::normalize(&turned));
    }
}

/// The first entries of d as a step of q.
pub(crate) fn step_of<S: Sensitive<Real: Real>, const N: usize>(system: &S, d: &SVector<RealOf<S>, N>) -> S::V {
    let mut step = S::V::zeros(system.layout().v.len());
    step.as_mut().iter_mut().zip(d.iter()).for_each(|(step, &d)| *step = S::Real::from_entry(d));
    step
}

/// `out` = x ⊕ d, with the a, ż and λ of x.
pub(crate) fn plus<S: Sensitive<Real: Real>, const N: usize>(
    system: &S,
    x: &State<S>,
    d: &SVector<RealOf<S>, N>,
    out: &mut State<S>,
) {
    plus_with(system, x, |place| d.get(place).map_or(S::Real::ZERO, |&d| S::Real::from_entry(d)), out);
}

/// The same with the entries of d by their places.
pub(crate) fn plus_with<S: Sensitive<Real: Real>>(
    system: &S,
    x: &State<S>,
    d: impl Fn(usize) -> S::Real,
    out: &mut State<S>,
) {
    let layout = system.layout();
    let (nv, count) = (layout.v.len(), layout.state_directions());
    let moving = if layout.order == Order::First { 0 } else { nv };
    out.copy_from(x);
    let mut step = S::V::zeros(nv);
    step.as_mut().iter_mut().enumerate().for_each(|(place, step)| *step = d(place));
    system.retract(&x.q, &step, &mut out.q);
    let velocities = out.v.as_mut().iter_mut().take(moving);
    let states = out.z.as_mut().iter_mut();
    velocities.chain(states).zip(nv..count).for_each(|(x, place)| *x += d(place));
}

/// y ⊖ x, the d with x ⊕ d = y.
pub(crate) fn minus<S: Sensitive<Real: Real>, const N: usize>(
    system: &S,
    y: &State<S>,
    x: &State<S>,
) -> SVector<RealOf<S>, N> {
    let deviation = Deviation::of(system, y, x);
    SVector::from_fn(|place, _| deviation.entry(place).entry())
}

/// ∂(y ⊖ x)/∂y along y ⊕ d, where y ⊖ x is known: 1 but for rotations. The frames of points on the sphere are aligned.
pub(crate) fn by_difference<S: Sensitive<Real: Real>, const N: usize>(
    system: &S,
    (y, x): (&State<S>, &State<S>),
    difference: &SVector<RealOf<S>, N>,
) -> SMatrix<RealOf<S>, N, N> {
    let nv = system.layout().v.len();
    let (step, mut out) = (step_of(system, difference), SMatrix::identity());
    let (mut unit, mut rate) = (S::V::zeros(nv), S::V::zeros(nv));
    for c in 0..nv.min(N) {
        unit.as_mut().fill(S::Real::ZERO);
        unit.as_mut()[c] = S::Real::ONE;
        system.step_rate(&step, &unit, &mut rate);
        for (r, rate) in rate.as_ref().iter().enumerate().take(N) {
            out[(r, c)] = rate.entry();
        }
    }
    let moving = system.layout().order != Order::First;
    for (place, first) in spheres(system).filter(|_| moving) {
        let known = |q: &S::Q| four::<S>(place, q).map(Dual::constant);
        let (from, to, v) = (known(&x.q), known(&y.q), y.v.as_ref());
        for c in 0..2 {
            // the way around turns the frame
            let moved = core::array::from_fn(|i| Dual::new(S::Real::ZERO, S::Real::from_f64((i == c).into())));
            let spin = frame_angle(&from, &s2::retract(&to, &moved)).eps;
            out[(nv + first, first + c)] = (-(spin * v[first + 1])).entry();
            out[(nv + first + 1, first + c)] = (spin * v[first]).entry();
        }
    }
    out
}
