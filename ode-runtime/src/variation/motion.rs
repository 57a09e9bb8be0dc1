//! Accelerations, rates and multipliers of a state, linearised.
//!
//! M a = f + Gᵀ λ and G a + γ = 0 hold at every state, so along a direction
//!
//! ```text
//! [ M  −Gᵀ ] [ δa ]     [ ∂r ]
//! [ G   0  ] [ δλ ] = − [ ∂Φ̈ ]      δż = −∂s
//! ```
//!
//! with the derivatives of r, s = ż − g and Φ̈ = G a + γ at constant a and λ, and the factors that gave a and λ.
//! Algebraic variables and the multipliers of compliant rows follow from their own equations before.

use core::fmt;
use core::slice::from_mut;

use crate::error::{Cause, Name, Quantity};
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, finite};
use crate::model::system::{At, Rates};
use crate::solve::Acceleration;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::abreast::groups;
use crate::variation::chain::{Solved, SolvedColumns};
use crate::variation::columns::{StateSlices, part};
use crate::variation::direction::Direction;
use crate::variation::equations::Equations;
use crate::variation::jacobians::Jacobians;
use crate::variation::pull::Pulled;

/// The equations of motion at a state, and their linearisation: a, ż and λ, and what they change by along directions.
pub struct LinearMotion<S: Solvable + Sensitive> {
    /// accelerations, nv; velocities in first-order models
    pub a: S::V,
    /// rates, nz
    pub zdot: S::Z,
    /// multipliers, nc
    pub lambda: S::L,
    acceleration: Acceleration<S>,
    equations: Equations<S>,
    /// whether derivatives by parameters were asked for
    parameters: bool,
    /// whether the last evaluation succeeded
    evaluated: bool,
}

/// How many columns the derivatives of a motion have, from those by the state to those of one group more each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionColumns {
    /// by q, by v but in first-order models, and by z without algebraic variables
    pub states: usize,
    /// by u too
    pub with_inputs: usize,
    /// by t too
    pub with_time: usize,
    /// by parameters too
    pub with_parameters: usize,
}

impl MotionColumns {
    /// Those of a model with this number of parameters.
    pub const fn of(layout: &Layout<'_>, parameters: usize) -> Self {
        let states = layout.state_directions();
        let with_inputs = states + layout.u.len();
        Self { states, with_inputs, with_time: with_inputs + 1, with_parameters: with_inputs + 1 + parameters }
    }

    /// Refuses room for other numbers of columns.
    fn check(self, sizes: [usize; 3]) -> Result<(), Cause> {
        let Self { states, with_inputs, with_time, with_parameters } = self;
        let counts = [states, with_inputs, with_time, with_parameters];
        let [first, ..] = sizes;
        check_columns(counts.into_iter().find(|&count| count >= first).unwrap_or(with_parameters), sizes)
    }
}

/// Refuses room for another number of columns.
fn check_columns(needed: usize, sizes: [usize; 3]) -> Result<(), Cause> {
    match sizes.into_iter().find(|&size| size != needed) {
        None => Ok(()),
        Some(size) => {
            let (setting, value, needed) = ("number of columns of a motion's derivatives", size as f64, needed as f64);
            Err(Cause::OutOfRange { setting, value, low: needed, high: needed })
        }
    }
}

impl<S: Solvable + Sensitive> fmt::Debug for LinearMotion<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, zdot, lambda, .. } = self;
        f.debug_struct("LinearMotion").field("a", a).field("zdot", zdot).field("lambda", lambda).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> LinearMotion<S> {
    /// Storage in the shape of `system`; steps and evaluations allocate nothing.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            a: Block::zeros(layout.v.len()),
            zdot: Block::zeros(layout.z.len()),
            lambda: Block::zeros(layout.constraints.len()),
            acceleration: Acceleration::new(system),
            equations: Equations::new(system),
            parameters: false,
            evaluated: false,
        }
    }

    /// Solves for a, ż and λ at a state and linearises there; `parameters` says whether a direction will have one.
    ///
    /// # Errors
    /// As [`Acceleration::evaluate`]; [`Cause::NonFinite`] where a derivative is not finite.
    pub fn evaluate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        parameters: bool,
    ) -> Result<(), Cause> {
        self.evaluated = false;
        let Self { a, zdot, lambda, acceleration, equations, .. } = self;
        let system = cx.system;
        acceleration.assemble(cx, at, a, zdot, lambda)?;
        self.parameters = parameters;
        let (z, u) = acceleration.point();
        let Moment { t, q, v, modes, .. } = at;
        let v = if system.layout().first_order() { &*a } else { v };
        equations.evaluate(system, At { t, q, v, z, u, modes }, Rates { a, zdot, lambda }, parameters)?;
        self.evaluated = true;
        Ok(())
    }

    /// [`LinearMotion::evaluate`] and [`LinearMotion::derivatives`] by the state and the inputs in one. Many models
    /// have a function for it, which evaluates what they share once and takes a fraction of their time. Then it leaves
    /// no evaluation for directions and covectors. `out` has room for the columns [`MotionColumns::with_inputs`].
    ///
    /// # Errors
    /// Those of the two.
    pub fn linearize<U, V, Z, L>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        out: &mut Solved<V, Z, L>,
    ) -> Result<(), Cause>
    where
        U: Inputs<S>,
        V: AsMut<[S::V]>,
        Z: AsMut<[S::Z]>,
        L: AsMut<[S::L]>,
    {
        let count = MotionColumns::of(&cx.system.layout(), 0).with_inputs;
        let sizes = [out.a.as_mut().len(), out.zdot.as_mut().len(), out.lambda.as_mut().len()];
        check_columns(count, sizes)?;
        let columns = Solved { a: out.a.as_mut(), zdot: out.zdot.as_mut(), lambda: out.lambda.as_mut() };
        if self.straight(cx, at, columns) {
            return Ok(());
        }
        self.evaluate(cx, at, false)?;
        self.derivatives(cx.system, out)
    }

    /// a, ż and λ with their derivatives by the model's own function; false if it has none, or if it fails.
    pub(super) fn straight<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        columns: SolvedColumns<'_, S>,
    ) -> bool {
        self.evaluated = false;
        let Self { a, zdot, lambda, acceleration, .. } = self;
        acceleration.straight_partials(cx, at, (a, zdot, lambda), columns)
    }

    /// Refuses what needs an evaluation.
    fn evaluated(&self) -> Result<(), Cause> {
        let what = "a motion that no evaluation has succeeded for";
        if self.evaluated { Ok(()) } else { Err(Cause::NotDifferentiable { what }) }
    }

    /// The inputs of the last evaluation.
    pub(super) fn inputs(&self) -> &S::U {
        self.acceleration.point().1
    }

    /// The point of the last evaluation, of which `moment` was given.
    pub(super) fn at<'a>(&'a self, layout: &Layout<'_>, moment: Moment<'a, S>) -> At<'a, S> {
        let (z, u) = self.acceleration.point();
        let Moment { t, q, v, modes, .. } = moment;
        At { t, q, v: if layout.first_order() { &self.a } else { v }, z, u, modes }
    }

    /// What a, ż and λ change by along a direction, with the factors of the last evaluation. Algebraic variables are
    /// written to the direction.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an algebraic variable that its equations do not determine;
    /// [`Cause::WithoutParameters`] for a parameter if none were asked for, [`Cause::NoParameter`] for one that does
    /// not exist; [`Cause::NonFinite`] with an entry of the direction that is not finite; [`Cause::NotDifferentiable`]
    /// unless the last evaluation succeeded.
    pub fn along(
        &mut self,
        system: &S,
        direction: &mut Direction<S>,
        a: &mut S::V,
        zdot: &mut S::Z,
        lambda: &mut S::L,
    ) -> Result<(), Cause> {
        self.evaluated()?;
        let (layout, names) = (system.layout(), system.derivatives().parameter_names);
        if let Some(parameter) = direction.parameter {
            if parameter >= names.len() {
                return Err(Cause::NoParameter { number: parameter, count: names.len() });
            }
            if !self.parameters {
                return Err(Cause::WithoutParameters { name: Name::of(names, parameter) });
            }
        }
        let Direction { q, v, z, u, t, .. } = &*direction;
        let z = z.as_ref().get(..layout.differential()).unwrap_or_default();
        finite(q.as_ref(), Quantity::Derivative, layout.directions)?;
        if !layout.first_order() {
            finite(v.as_ref(), Quantity::Derivative, layout.v)?;
        }
        finite(z, Quantity::Derivative, layout.z)?;
        finite(u.as_ref(), Quantity::Derivative, layout.u)?;
        finite(&[*t], Quantity::Derivative, &["t"])?;
        self.equations.abreast.clear();
        self.equations.put(system, 0, direction);
        self.solve(system, 1)?;
        self.read(system, Solved { a: from_mut(a), zdot: from_mut(zdot), lambda: from_mut(lambda) });
        self.algebraic(system, 0, &mut direction.z);
        Ok(())
    }

    /// ∂(a, ż, λ)/∂(q, v, z, u, t, p) at the point of the last evaluation, a column for each number that may change:
    /// q in tangent coordinates, v but in first-order models, z without algebraic variables, u, t, and p if parameters
    /// were asked for. All columns are solved together. `out` has room for one of the numbers of [`MotionColumns`]:
    /// those by the state alone, or by the groups that follow too.
    ///
    /// # Errors
    /// [`Cause::NotDifferentiable`] unless the last evaluation succeeded; [`Cause::OutOfRange`] with the next number
    /// that there may be, for another one; [`Cause::Singular`] with an algebraic variable that its equations do not
    /// determine.
    pub fn derivatives<V, Z, L>(&mut self, system: &S, out: &mut Solved<V, Z, L>) -> Result<(), Cause>
    where
        V: AsMut<[S::V]>,
        Z: AsMut<[S::Z]>,
        L: AsMut<[S::L]>,
    {
        self.evaluated()?;
        let (layout, patterns) = (system.layout(), system.partial_patterns());
        let places = self.equations.jacobians.places;
        let velocities = if layout.first_order() { 0 } else { layout.v.len() };
        let states = [0..layout.v.len() + velocities, places.z()..places.z() + layout.differential()];
        let beside =
            [places.u()..patterns.states.cols, patterns.states.cols..patterns.states.cols + patterns.parameters.cols];
        let mut columns = states.into_iter().chain(beside).flatten();
        let sizes = [out.a.as_mut().len(), out.zdot.as_mut().len(), out.lambda.as_mut().len()];
        let count = sizes.into_iter().min().unwrap_or_default();
        let parameters = if self.parameters { patterns.parameters.cols } else { 0 };
        MotionColumns::of(&layout, parameters).check(sizes)?;
        for group in groups(count) {
            let Equations { jacobians, abreast, .. } = &mut self.equations;
            abreast.clear_rows();
            for (lane, column) in columns.by_ref().take(group.len()).enumerate() {
                match column.checked_sub(patterns.states.cols) {
                    None => abreast.add_column(lane, patterns.states, jacobians.states.as_ref(), column),
                    Some(own) => abreast.add_column(lane, patterns.parameters, jacobians.parameters.as_ref(), own),
                }
            }
            self.equations.settle(system, group.len())?;
            self.unknowns(system);
            let Solved { a, zdot, lambda } = out;
            let (a, zdot, lambda) = (part(a, &group), part(zdot, &group), part(lambda, &group));
            self.read(system, Solved { a, zdot, lambda });
        }
        Ok(())
    }

    /// Takes covectors of a, ż and λ back to (q, v, z, u, t, p) by one transposed solve: the transpose of
    /// [`LinearMotion::derivatives`]. `at` is the moment of the last evaluation.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an algebraic variable that its equations do not determine; [`Cause::NonFinite`] where a
    /// derivative or a covector is not finite; [`Cause::NotDifferentiable`] unless the last evaluation succeeded.
    pub fn vjp(
        &mut self,
        system: &S,
        at: Moment<'_, S>,
        by: &Solved<S::V, S::Z, S::L>,
        to: &mut Pulled<S>,
    ) -> Result<(), Cause> {
        self.evaluated()?;
        let layout = system.layout();
        let Self { a, zdot, lambda, acceleration, .. } = self;
        let (z, u) = acceleration.point();
        let (z, u) = (&z.clone(), &u.clone());
        let Moment { t, q, v, modes, .. } = at;
        let at = At { t, q, v: if layout.first_order() { &*a } else { v }, z, u, modes };
        let none = S::Z::zeros(layout.z.len());
        to.pull.motion(system, acceleration, (at, Rates { a, zdot, lambda }), by.clone(), &none)
    }

    /// Takes directions of states to stand side by side.
    pub(super) fn begin(&mut self, x: StateSlices<'_, S>) {
        let Equations { jacobians, abreast, .. } = &mut self.equations;
        abreast.clear_rows();
        abreast.put_states(jacobians.places, x);
    }

    /// Adds to one of these directions what it changes beside the state.
    pub(super) fn put_beside(&mut self, system: &S, lane: usize, direction: &Direction<S>) {
        let Equations { jacobians, abreast, .. } = &mut self.equations;
        abreast.put_beside(system, jacobians, lane, direction);
    }

    /// Solves for what `count` directions side by side change.
    pub(super) fn solve(&mut self, system: &S, count: usize) -> Result<(), Cause> {
        self.equations.follow(system, count)?;
        self.unknowns(system);
        Ok(())
    }

    /// a and λ that balance the rows.
    fn unknowns(&mut self, system: &S) {
        let layout = system.layout();
        let Self { acceleration, equations: Equations { jacobians, abreast, .. }, .. } = self;
        let places = jacobians.places;
        let (columns, rows) = abreast.parts();
        let (before, lambda) = columns.split_at_mut(places.lambda().min(columns.len()));
        let lambda = lambda.get_mut(..layout.constraints.len()).unwrap_or_default();
        let a = before.get_mut(places.a()..places.z()).unwrap_or_default();
        a.iter_mut().zip(rows.iter()).for_each(|(a, &row)| *a = -row);
        let held = rows.get(places.accelerations()).unwrap_or_default();
        for (row, (lambda, &held)) in lambda.iter_mut().zip(held).enumerate() {
            if layout.kind(row) != RowKind::Compliant {
                *lambda = -held;
            }
        }
        let (mut v, mut l) = (S::V::zeros(layout.v.len()), S::L::zeros(layout.constraints.len()));
        acceleration.solve_lanes(system, (a, lambda), (&mut v, &mut l));
        if layout.first_order() {
            // rates may read the velocities just found
            let (found, velocities) = (places.a()..places.z(), places.v()..places.a());
            columns.copy_within(found, velocities.start);
            abreast.add(system, jacobians, velocities);
        }
    }

    /// What the directions change.
    pub(super) fn read(&self, system: &S, Solved { a, zdot, lambda }: SolvedColumns<'_, S>) {
        let Equations { jacobians: Jacobians { places, .. }, abreast, .. } = &self.equations;
        abreast.get_all(places.a(), a);
        abreast.get_all(places.lambda(), lambda);
        for (lane, zdot) in zdot.iter_mut().enumerate() {
            abreast.read(lane, places.s().start, zdot.as_mut());
            zdot.as_mut().iter_mut().for_each(|rate| *rate = -*rate);
            system.layout().still(zdot.as_mut());
        }
    }

    /// Algebraic variables of a direction.
    pub(super) fn algebraic(&self, system: &S, lane: usize, z: &mut S::Z) {
        let (first, Equations { jacobians, abreast, .. }) = (system.layout().differential(), &self.equations);
        let own = z.as_mut().get_mut(first..).unwrap_or_default();
        abreast.get(lane, jacobians.places.z() + first, own);
    }
}
