//! A state at which the equations of a model are linearised.

use ode_runtime::linalg::DMatrix;
use ode_runtime::solve::Acceleration;
use ode_runtime::variation::{Direction, LinearMotion, Places};
use ode_runtime::{
    Block, Context, Layout, Level, Moment, Order, RowKind, Sensitive, Solvable, State, Turning, Work, input_fn,
};

use crate::consistency::held;
use crate::dense::dense;
use crate::linear::linearization_error::LinearizationError;

/// A consistent state with its inputs, its accelerations, and every derivative of the equations there.
pub(super) struct Point<'a, S: Solvable + Sensitive> {
    pub(super) system: &'a S,
    pub(super) places: Places,
    /// ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t)
    pub(super) partials: DMatrix<f64>,
    /// ∂y/∂(q, v, z, a, ż, λ, u)
    outputs: DMatrix<f64>,
    x: State<S>,
    motion: LinearMotion<S>,
}

/// What changes along a direction of the state or of the inputs.
pub(super) struct Change {
    /// the rates of (δq, δv, δz), an entry for each of [`Layout::state_directions`]
    pub(super) rates: Vec<f64>,
    /// (δq, δv, δz, δa, δż, δλ, δu): what outputs may read
    pub(super) all: Vec<f64>,
}

impl<'a, S: Solvable<Real = f64> + Sensitive> Point<'a, S> {
    /// At `x` with the inputs `u`.
    pub(super) fn of(system: &'a S, x: &State<S>, u: &S::U) -> Result<Self, LinearizationError> {
        let layout = system.layout();
        layout.fits_inputs(u.as_ref().len())?;
        x.check(&layout)?;
        let mut x = x.entered(system)?;
        let inputs = input_fn(|_: Moment<'_, S>, out: &mut S::U| out.clone_from(u));
        let mut cx = Context { system, inputs: &inputs, work: &mut Work::default() };
        held(system, &x, u, Level::Position)?;
        Acceleration::new(system).settle(&mut cx, &mut x)?;
        held(system, &x, u, Level::Velocity)?;
        let mut motion = LinearMotion::new(system);
        motion.evaluate(&mut cx, x.moment(), false)?;

        let pattern = system.partial_patterns().states;
        let mut values = S::Partials::zeros(pattern.nnz());
        system.partials(x.at(u), x.rates(), &mut values);
        let partials = dense(pattern, values.as_ref());
        let pattern = system.derivatives().output_jacobian;
        let mut values = S::OutputJacobian::zeros(pattern.nnz());
        system.output_jacobian(x.at(u), x.rates(), &mut values);
        let outputs = dense(pattern, values.as_ref());
        Ok(Self { places: Places::of(&layout), system, partials, outputs, x, motion })
    }

    /// What changes along a direction of states that the constraints allow, or of inputs.
    pub(super) fn along(&mut self, mut direction: Direction<S>) -> Result<Change, LinearizationError> {
        let layout = self.system.layout();
        let (mut a, mut zdot, mut lambda) = (self.x.a.clone(), self.x.zdot.clone(), self.x.lambda.clone());
        self.motion.along(self.system, &mut direction, &mut a, &mut zdot, &mut lambda)?;
        if layout.order == Order::First {
            // velocities were solved for, and there are no accelerations
            direction.v.clone_from(&a);
            a.as_mut().fill(0.0);
        }
        let Direction { q, v, z, u, .. } = &direction;
        let blocks = [q.as_ref(), v.as_ref(), z.as_ref(), a.as_ref(), zdot.as_ref(), lambda.as_ref(), u.as_ref()];
        let all = blocks.concat();
        let (mut qdot, mut vdot) = (v.as_ref().to_vec(), a.as_ref().to_vec());
        self.turn(q.as_ref(), &mut qdot, &mut vdot);
        let moving = if layout.order == Order::First { &[][..] } else { &vdot };
        let states = &zdot.as_ref()[..layout.z.len() - layout.algebraic];
        Ok(Change { rates: [&qdot, moving, states].concat(), all })
    }

    /// What the outputs change by with all that they may read.
    pub(super) fn outputs(&self, all: &[f64]) -> Vec<f64> {
        let mut outputs = vec![0.0; self.outputs.nrows()];
        for (column, by) in self.outputs.column_iter().zip(all).filter(|(_, by)| **by != 0.0) {
            outputs.iter_mut().zip(column.iter()).for_each(|(sum, x)| *sum += by * x);
        }
        outputs
    }

    /// What the rates of δq and δv have of δq beside those of the equations.
    pub(super) fn turn(&self, by: &[f64], qdot: &mut [f64], vdot: &mut [f64]) {
        turn(self.system.turnings(), self.x.v.as_ref(), by, (qdot, vdot));
    }
}

/// Adds to the rates of δq and δv what tangents of rotations and of the sphere turn by.
///
/// q' = q exp(δq) turns with the body rate ω + δω for δq̇ = δω − ω × δq, and q' = exp(δq) q with a spatial rate for δq̇
/// = δω + ω × δq. On the sphere the first two entries are those of ω = (v₁, v₂, 0). The third one is the spin of the
/// frame that goes along with q' against the frame without spin, in which variations are: it turns v.
fn turn(turnings: &[Turning], v: &[f64], by: &[f64], (qdot, vdot): (&mut [f64], &mut [f64])) {
    for turning in turnings {
        let (sign, at) = match *turning {
            Turning::Body(at) => (-1.0, at),
            Turning::World(at) => (1.0, at),
            Turning::Sphere(at) => {
                let spin = v[at + 1] * by[at] - v[at] * by[at + 1];
                vdot[at] -= spin * v[at + 1];
                vdot[at + 1] += spin * v[at];
                continue;
            }
            _ => continue,
        };
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            qdot[at + i] += sign * (v[at + j] * by[at + k] - v[at + k] * by[at + j]);
        }
    }
}

/// What a row restricts.
pub(super) fn kind_of(layout: &Layout<'_>, row: usize) -> RowKind {
    layout.kinds.get(row).copied().unwrap_or(RowKind::Holonomic)
}
