//! Rotations among the coordinates: the neutral state, and the check of states that come from outside.
//!
//! [`System::rotations`] says which entries of q are a rotation: cosine and sine of an angle, or a unit quaternion.
//! Both are unit vectors, and (1, 0, …) is the identity. Zeros are not a rotation: such a body has axes of length zero,
//! no torque moves it, and everything seems at rest.
//!
//! Steps keep norms, so norms are checked only where a state comes from outside. Evaluations at a point take q as it
//! is.

use crate::error::{Cause, Name, Quantity};
use crate::model::history::Parts;
use crate::model::layout::Block;
use crate::model::state::{State, finite};
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};

/// The largest error of a norm that is corrected: four entries with five decimals are off by at most √4 · ½ · 10⁻⁵, and
/// `f32` numbers by less.
const NEAR: f64 = 1e-5;
/// The largest error, in ε, that is left as it is, to the bit: a step leaves about 2 ε.
const ROUND_OFF: f64 = 8.0;

impl<S: System> State<S> {
    /// Zeros in the shape of `system`, except identity rotations and initial modes.
    pub fn neutral(system: &S) -> Self {
        let layout = system.layout();
        let mut x = Self {
            t: Scalar::ZERO,
            q: Block::zeros(layout.q.len()),
            v: Block::zeros(layout.v.len()),
            z: Block::zeros(layout.z.len()),
            a: Block::zeros(layout.v.len()),
            zdot: Block::zeros(layout.z.len()),
            lambda: Block::zeros(layout.constraints.len()),
            modes: Block::zeros(layout.modes.len()),
        };
        for &(first, _) in system.rotations() {
            if let Some(entry) = x.q.as_mut().get_mut(first) {
                *entry = S::Real::ONE;
            }
        }
        system.initial_modes(&mut x.modes);
        x
    }
}

impl<S: System<Real: Real>> State<S> {
    /// A copy that may enter an analysis: of the model's size, with finite coordinates and unit rotations, of a sound
    /// model.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] of [`State::fits`], [`Cause::NonFinite`] and [`Cause::NotARotation`] with the coordinate,
    /// [`Cause::Parameters`] of [`System::check`].
    pub fn entered(&self, system: &S) -> Result<Self, Cause> {
        self.fits(&system.layout())?;
        let mut x = self.clone();
        enter(system, x.q.as_mut())?;
        Ok(x)
    }
}

/// Checks a model and its coordinates from outside: they must be finite, and their rotations are normalised, or refused
/// by name.
pub(crate) fn enter<S: System<Real: Real>>(system: &S, q: &mut [S::Real]) -> Result<(), Cause> {
    system.check()?;
    finite(q, Quantity::Coordinate, system.layout().q)?;
    let off = |norm: S::Real| (norm - S::Real::ONE).abs();
    for &(first, count) in system.rotations() {
        let norm = q.get(first..first.saturating_add(count)).map_or(S::Real::ONE, length);
        if !(off(norm) <= S::Real::from_f64(NEAR)) {
            return Err(Cause::NotARotation { name: name(system.layout().q, first), norm: norm.to_f64() });
        }
    }
    for &(first, count) in system.rotations() {
        let Some(rotation) = q.get_mut(first..first.saturating_add(count)) else { continue };
        let norm = length(rotation);
        let exact = off(norm).le(S::Real::from_f64(ROUND_OFF) * S::Real::EPSILON);
        let norm = S::Real::select(exact, S::Real::ONE, norm);
        rotation.iter_mut().for_each(|x| *x = *x / norm);
    }
    Ok(())
}

/// √Σx², also if squares overflow.
fn length<T: Real>(x: &[T]) -> T {
    x.iter().fold(T::ZERO, |norm, &x| norm.hypot(x))
}

/// The coordinate that contains an entry: `leg.q` for `leg.q.w`.
fn name(names: &[&str], first: usize) -> Name {
    let entry = names.get(first).copied().unwrap_or("");
    Name::new(entry.rsplit_once('.').map_or(entry, |(coordinate, _)| coordinate))
}

/// The same check for every state in a history.
pub(crate) struct Door<'a, S: ?Sized> {
    system: &'a S,
    found: Result<(), Cause>,
}

impl<'a, S: System<Real: Real>> Door<'a, S> {
    /// Lets `show` visit the parts.
    pub(crate) fn open(system: &'a S, show: impl FnOnce(&mut Self)) -> Result<(), Cause> {
        let mut door = Self { system, found: Ok(()) };
        show(&mut door);
        door.found
    }
}

impl<S: System<Real: Real>> Parts<S::Real> for Door<'_, S> {
    fn numbers(&mut self, name: &'static str, numbers: &mut [S::Real]) {
        if name == State::<S>::COORDINATES && self.found.is_ok() {
            self.found = enter(self.system, numbers);
        }
    }

    fn count(&mut self, _name: &'static str, _count: &mut u64) {}
}
