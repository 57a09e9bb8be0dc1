//! From a model at a state to a linear system.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::{DMatrix, Labelled};
use ode_runtime::variation::{Columns, Direction};
use ode_runtime::{Layout, Order, Sensitive, Solvable, State, StepMap, UnknownName};

use crate::linear::linearization_error::LinearizationError;
use crate::linear::partition::{Choice, Partition};
use crate::linear::point::{Change, Point};
use crate::linear::state_space::StateSpace;

/// Makes linear systems of a model, at any of its states: at rest or moving, with constraints, rotations, states of
/// first order and algebraic variables.
///
/// Derivatives are the exact ones of the equations of motion, M a = f + Gᵀ λ and G a + γ = 0, with ∂(Gᵀλ)/∂q. Along a
/// motion A and B are those of that moment: ẋ = A(t) x + B(t) u for the difference from the motion.
///
/// The states are tangent coordinates δq, velocities δv and first-order states δz without algebraic variables; in
/// models of first order δq and δz. On rotations δq is the small rotation about the axes of the rates. Constraints
/// leave only some of them independent: those are the states, under their names. Without a [choice](Self::independent)
/// it is made by the pivots of G.
///
/// ```
/// use ode_control::Linearizer;
/// use ode_model::prelude::*;
///
/// model! {
///     /// A bob on a rod, in coordinates of points.
///     pub struct Pendulum {
///         param m: Real [kg] = 1.0;
///         param l: Real [m] = 0.5;
///         param g: Real [m/s^2] = 9.81;
///         coord r: Vec2 [m];
///         input push: Real [N];
///         kinetic = 0.5 * m * der(r).dot(der(r));
///         potential = m * g * r.y;
///         force drive on r = vec2(push, 0.0);
///         constraint rod: r.dot(r) == sq(l);
///         guess r = vec2(0.0, -l);
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let pendulum = Pendulum::default();
/// let mut hanging = State::neutral(&pendulum);
/// hanging.q.set_r([0.0, -0.5]);
/// let linear = Linearizer::of(&pendulum).independent(["r.x"])?.at(&hanging, [0.0])?.system;
///
/// // ẍ = −g/l x + u
/// assert_eq!(linear.states(), ["r.x", "der(r.x)"]);
/// assert!((linear.a.at("der(r.x)", "r.x")? + 9.81 / 0.5).abs() < 1e-12);
/// assert!((linear.b.at("der(r.x)", "push")? - 1.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Linearizer<'a, S> {
    system: &'a S,
    choice: Choice,
}

/// A linear system of a model, and where it stands in the model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinearModel {
    /// the linear system
    pub system: StateSpace,
    /// (δq, δv, δz) = `shape` x at the state: [`Layout::state_directions`] rows, a column for each state
    pub shape: Labelled<f64>,
    /// the place of each state among the rows of `shape`
    pub places: Vec<usize>,
}

impl StateSpace {
    /// The linear system of a model at a state, with inputs in the order of the model's text:
    /// [`Linearizer`] tells more.
    ///
    /// # Errors
    /// As [`Linearizer::at`].
    pub fn of<S: Solvable<Real = f64> + Sensitive>(
        system: &S,
        x: &State<S>,
        u: impl Into<S::U>,
    ) -> Result<Self, LinearizationError> {
        Linearizer::of(system).at(x, u).map(|linear| linear.system)
    }
}

impl<'a, S: Solvable<Real = f64> + Sensitive> Linearizer<'a, S> {
    /// Of a model.
    pub fn of(system: &'a S) -> Self {
        Self { system, choice: Choice::default() }
    }

    /// Coordinates that are to be states, such as `x`, `r.x` or `r`, and velocities `der(x)`. The others follow by the
    /// pivots of G. With the names of all states of a linear system, others along the motion have the same.
    ///
    /// With nonholonomic rows velocities have fewer degrees of freedom than coordinates; then that of a chosen
    /// coordinate is a state if the rows allow.
    ///
    /// # Errors
    /// The name that does not exist, with the most similar one.
    pub fn independent<N: AsRef<str>>(mut self, names: impl IntoIterator<Item = N>) -> Result<Self, UnknownName> {
        let layout = self.system.layout();
        names.into_iter().try_for_each(|name| self.choice.add(&layout, name.as_ref()))?;
        Ok(self)
    }

    /// The continuous system at `x` with the inputs `u`, a block or numbers in the order of the model's text.
    ///
    /// Accelerations, multipliers, algebraic variables and the velocities of first-order models are computed from the
    /// rest of the state.
    ///
    /// # Errors
    /// [`LinearizationError`] with the name of what is not finite, not consistent, not determined or cannot be chosen.
    pub fn at(&self, x: &State<S>, u: impl Into<S::U>) -> Result<LinearModel, LinearizationError> {
        let u = u.into();
        let mut point = Point::of(self.system, x, &u)?;
        let Partition { places, shape } = Partition::of(&point, &self.choice)?;
        let by_state = shape.column_iter().map(|column| self.direction(column.as_slice()));
        let by_state = by_state.map(|along| point.along(along)).collect::<Result<Vec<_>, _>>()?;
        let by_input = (0..u.as_ref().len()).map(|input| {
            let mut direction = Direction::zeros(self.system);
            direction.u.as_mut()[input] = 1.0;
            point.along(direction)
        });
        let by_input = by_input.collect::<Result<Vec<_>, _>>()?;

        let layout = self.system.layout();
        let names: Vec<&str> = layout.state_direction_names().collect();
        let states = places.iter().map(|&place| names[place]);
        let rates = |of: &[Change], r: usize, c: usize| of[c].rates[places[r]];
        let outputs = |of: &[Change]| of.iter().map(|change| point.outputs(&change.all)).collect::<Vec<_>>();
        let (seen, fed) = (outputs(&by_state), outputs(&by_input));
        let system = StateSpace {
            a: Labelled::new(states.clone(), states.clone(), |r, c| rates(&by_state, r, c)),
            b: Labelled::new(states.clone(), layout.u, |r, c| rates(&by_input, r, c)),
            c: Labelled::new(layout.outputs, states.clone(), |r, c| seen[c][r]),
            d: Labelled::new(layout.outputs, layout.u, |r, c| fed[c][r]),
            step: None,
        };
        system.check()?;
        let shape = Labelled::new(names.iter(), states, |r, c| shape[(r, c)]);
        Ok(LinearModel { system, shape, places })
    }

    /// The system of the step `h` of a map's method from `x`, with the inputs `u` held: A and B are the exact
    /// derivatives of that very step, its projection included. Outputs are those at the step's start.
    ///
    /// The states at the step's end are the same coordinates as at its start. A step of backward Euler or `Bdf2` leaves
    /// velocities off the constraints by O(h), dependent and independent ones: let its map project.
    ///
    /// # Errors
    /// As [`Linearizer::at`], and [`LinearizationError::Step`] of a step that failed.
    pub fn step<M: Vary<S>, K: Columns>(
        &self,
        map: &mut StepMap<'_, S, M, K>,
        x: &State<S>,
        u: impl Into<S::U>,
        h: f64,
    ) -> Result<LinearModel, LinearizationError> {
        let u = u.into();
        let LinearModel { system, shape, places } = self.at(x, u.clone())?;
        let made = map.step(x, u, h)?;
        let (a, b) = (made.a(), made.b());
        let n = a.shape().1;
        let whole = DMatrix::from_fn(places.len(), n, |r, c| a.entry(places[r], c)) * &*shape;
        let system = StateSpace {
            a: Labelled::new(system.states(), system.states(), |r, c| whole[(r, c)]),
            b: Labelled::new(system.states(), system.inputs(), |r, c| b.entry(places[r], c)),
            step: Some(h),
            ..system
        };
        system.check()?;
        Ok(LinearModel { system, shape, places })
    }

    /// A direction of states.
    fn direction(&self, column: &[f64]) -> Direction<S> {
        let Layout { v, order, .. } = self.system.layout();
        let mut direction = Direction::zeros(self.system);
        let (q, rest) = column.split_at(v.len());
        let (v, z) = if order == Order::First { (&[][..], rest) } else { rest.split_at(v.len()) };
        let blocks = [(direction.q.as_mut(), q), (direction.v.as_mut(), v), (direction.z.as_mut(), z)];
        for (block, values) in blocks {
            block.iter_mut().zip(values).for_each(|(x, &value)| *x = value);
        }
        direction
    }
}
