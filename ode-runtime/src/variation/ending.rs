//! The equations at the end of an implicit step, linearised at their solution.
//!
//! The weighted tangent A of the step takes inputs as given. If they depend on the state, u = u(q, v, z), the unknowns
//! y change them by w = U E y, with E y = (π T y, ν y, σ y) what they change of the state, and the equations are
//!
//! ```text
//! A y + J w = −rows,   J = ∂rows/∂u
//! ```
//!
//! There are few inputs, so they are solved for first: with y = Y w + y₀, Y = −A⁻¹ J and y₀ = −A⁻¹ rows,
//!
//! ```text
//! (1 − U E Y) w = U E y₀
//! ```
//!
//! which is exact (Woodbury's identity), and needs nothing but A's factors.

use core::fmt;
use core::ops::Range;

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::gauss;
use crate::model::layout::Block;
use crate::model::linearize::Weights;
use crate::model::sensitive::Sensitive;
use crate::model::state::copy;
use crate::model::system::Residual;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::Tangent;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::abreast::{Abreast, groups};
use crate::variation::chain::{Ending, Solved, SolvedColumns};
use crate::variation::charts;
use crate::variation::columns::{RateSlices, StateSlices};
use crate::variation::controls::Controls;
use crate::variation::direction::Direction;
use crate::variation::jacobians::Jacobians;

/// A step's equations at their solution, and directions side by side.
pub(super) struct LinearEnding<S: Solvable + Sensitive> {
    tangent: Tangent<S>,
    jacobians: Jacobians<S>,
    abreast: Abreast<S>,
    /// 1 − U E Y, row by row, if inputs depend on the state
    feedback: Option<S::Feedback>,
    /// rows that are held
    held: Range<usize>,
    /// whether accelerations and rates vary apart from the unknowns
    moving: bool,
    direction: Direction<S>,
}

impl<S: Solvable + Sensitive> fmt::Debug for LinearEnding<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinearEnding").field("held", &self.held).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> LinearEnding<S> {
    pub(super) fn new(system: &S) -> Self {
        Self {
            tangent: Tangent::new(system),
            jacobians: Jacobians::zeros(system),
            abreast: Abreast::zeros(system),
            feedback: None,
            held: 0..0,
            moving: false,
            direction: Direction::zeros(system),
        }
    }

    /// Linearises and factorises, with inputs as given; `parameters` says whether a direction will have one.
    ///
    /// # Errors
    /// Why the equations cannot be solved there; [`Cause::NonFinite`] where a derivative is not finite.
    pub(super) fn linearize<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: &Ending<'_, S>,
        parameters: bool,
    ) -> Result<(), Cause> {
        let system = cx.system;
        let places = self.jacobians.places;
        copy(at.step, &mut self.tangent.step);
        let Self { tangent, jacobians, .. } = self;
        self.held = match at.level {
            // the fused call leaves out the rows of Φ̇
            Level::Velocity => {
                tangent.linearize(cx, at.level, at.weights, at.x)?;
                system.partials(at.x.at(&tangent.u), at.x.rates(), &mut jacobians.states);
                places.rates()
            }
            Level::Position | Level::Acceleration => {
                tangent.differentiate(cx, at.weights, at.x, &mut jacobians.states)?;
                places.laws()
            }
        };
        if parameters {
            system.partials_by_parameter(at.x.at(&tangent.u), at.x.rates(), &mut jacobians.parameters);
        }
        tangent.factorize(cx)?;
        self.jacobians.check_used(system, parameters, (&|row| row < self.held.end, &|_| true))?;
        self.feedback = None;
        Ok(())
    }

    /// 1 − U E Y, if inputs depend on the state.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] by an input by which a derivative is not finite.
    pub(super) fn close<U: Controls<S>>(&mut self, cx: &Context<'_, S, U>, at: &Ending<'_, S>) -> Result<(), Cause> {
        if !cx.inputs.depends_on_state() {
            return Ok(());
        }
        let places = self.jacobians.places;
        let nu = cx.system.layout().u.len();
        let mut matrix = S::Feedback::zeros(nu * nu);
        for group in groups(nu) {
            self.abreast.clear();
            for (lane, i) in group.clone().enumerate() {
                self.abreast.set(lane, places.u() + i, &[S::Real::ONE]);
            }
            self.abreast.add_first(self.held.end, cx.system, &self.jacobians, places.u()..places.t());
            self.unknowns(cx.system)?;
            for (lane, i) in group.enumerate() {
                self.respond(cx, at, lane);
                if !self.direction.u.as_ref().iter().all(|u| u.is_finite()) {
                    let name = Name::of(cx.system.layout().u, i);
                    return Err(Cause::NonFinite { quantity: Quantity::Derivative, name });
                }
                let column = matrix.as_mut().iter_mut().skip(i).step_by(nu.max(1));
                for (j, (entry, &u)) in column.zip(self.direction.u.as_ref()).enumerate() {
                    *entry = if i == j { S::Real::ONE - u } else { -u };
                }
            }
        }
        self.feedback = Some(matrix);
        Ok(())
    }

    /// U E y of the unknowns of a direction, as its u.
    fn respond<U: Controls<S>>(&mut self, cx: &Context<'_, S, U>, at: &Ending<'_, S>, lane: usize) {
        let (system, places) = (cx.system, self.jacobians.places);
        let Weights { velocity, position, state, .. } = at.weights;
        let d = &mut self.direction;
        let (rest, mut by, mut spin) = (S::V::zeros(d.q.as_ref().len()), d.q.clone(), d.q.clone());
        self.abreast.get(lane, places.a(), d.v.as_mut());
        self.abreast.get(lane, places.z(), d.z.as_mut());
        for (by, v) in by.as_mut().iter_mut().zip(d.v.as_mut()) {
            *by = position * *v;
            *v *= velocity;
        }
        d.z.as_mut().iter_mut().for_each(|z| *z *= state);
        spin.as_mut().fill(S::Real::ZERO);
        charts::retract(system, at.step, (&rest, &by), &mut d.q, Some(&mut spin));
        charts::align(system, S::Real::ONE, &at.x.v, &spin, &mut d.v);
        (d.t, d.parameter) = (S::Real::ZERO, None);
        cx.inputs.vary(system, at.x.moment(), None, d);
    }

    /// Takes directions to stand side by side: what varies of their states apart from the unknowns, of accelerations
    /// and of rates.
    pub(super) fn begin(&mut self, system: &S, x: StateSlices<'_, S>, rates: Option<RateSlices<'_, S>>) {
        let (places, layout) = (self.jacobians.places, system.layout());
        self.abreast.clear_first(self.held.end);
        self.abreast.put_states(places, x);
        self.moving = rates.is_some();
        let Some((a, rates)) = rates else { return };
        self.abreast.set_all(places.a(), a);
        for (lane, rates) in rates.iter().enumerate() {
            let rates = rates.as_ref().get(..layout.differential()).unwrap_or_default();
            self.abreast.add_rows(lane, places.s().start, rates);
        }
    }

    /// Adds to one of these directions what it changes beside the state.
    pub(super) fn put_beside(&mut self, system: &S, lane: usize, d: &Direction<S>) {
        self.abreast.put_beside(system, &self.jacobians, lane, d);
    }

    /// Adds to what the rows of a direction change by, from one of them on.
    pub(super) fn add_rows(&mut self, lane: usize, first: usize, x: &[S::Real]) {
        self.abreast.add_rows(lane, first, x);
    }

    /// The inputs there.
    pub(super) fn inputs(&self) -> &S::U {
        &self.tangent.u
    }

    /// Solves for the unknowns of `count` directions side by side.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an input that nothing determines: it depends on the state, and the state on it.
    pub(super) fn solve<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: &Ending<'_, S>,
        count: usize,
    ) -> Result<(), Cause> {
        let (system, layout) = (cx.system, cx.system.layout());
        let places = self.jacobians.places;
        let accelerations = if self.moving { places.a()..places.z() } else { 0..0 };
        for known in [0..places.a(), accelerations, places.z()..places.lambda(), places.u()..places.t() + 1] {
            self.abreast.add_first(self.held.end, system, &self.jacobians, known);
        }
        self.unknowns(system)?;
        let Some(mut matrix) = self.feedback.clone() else { return Ok(()) };
        for lane in 0..count {
            self.respond(cx, at, lane);
            self.abreast.set(lane, places.u(), self.direction.u.as_ref());
        }
        let (columns, _) = self.abreast.parts();
        let w = columns.get_mut(places.u()..places.t()).unwrap_or_default();
        gauss(matrix.as_mut(), w).map_err(|singular| Cause::Singular {
            unknown: Quantity::Input,
            name: Name::of(layout.u, singular.index),
        })?;
        self.abreast.add_first(self.held.end, system, &self.jacobians, places.u()..places.t());
        self.unknowns(system)
    }

    /// −A⁻¹ rows, in the columns of a, z and λ.
    fn unknowns(&mut self, system: &S) -> Result<(), Cause> {
        let layout = system.layout();
        let places = self.jacobians.places;
        let (columns, rows) = self.abreast.parts();
        let unknowns = columns.get_mut(places.a()..places.u()).unwrap_or_default();
        let (held, rows) = (rows.get(self.held.clone()).unwrap_or_default(), &*rows);
        let own = rows.iter().take(layout.v.len() + layout.z.len()).chain(held);
        for (y, &row) in unknowns.iter_mut().zip(own) {
            *y = -row;
        }
        let mut room = Residual::<S>::zeros(&layout);
        self.tangent.solve_lanes(system, unknowns, &mut room)
    }

    /// The unknowns of the directions.
    pub(super) fn read(&self, Solved { a, zdot, lambda }: SolvedColumns<'_, S>) {
        let places = self.jacobians.places;
        self.abreast.get_all(places.a(), a);
        self.abreast.get_all(places.z(), zdot);
        self.abreast.get_all(places.lambda(), lambda);
    }
}
