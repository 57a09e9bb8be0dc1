//! The linear system with its constraints left in.

use ode_runtime::linalg::Labelled;
use ode_runtime::variation::Direction;
use ode_runtime::{Layout, Order, Sensitive, Solvable, State};

use crate::linear::linearization_error::LinearizationError;
use crate::linear::point::Point;

/// E ẋ = A x + B u, y = C x + D u with x = (δq, δv, δz, δλ): the equations of a model, linearised and not solved.
///
/// ```text
/// δq̇ = δv + …                             … of rotations: −ω × δq of body rates, ω × δq of spatial ones
/// ∂r/∂a δv̇ = −∂r/∂(q, v, z, λ, u) …        M δv̇; nothing in models of first order
/// δż = −∂s/∂(q, v, z, λ, u) …              0 on the left for algebraic variables
/// 0 = ∂Φ/∂q δq                            ψ of nonholonomic rows, Φ + τ Φ̇ + E λ of compliant ones
/// ```
///
/// Rows are named by the coordinate, velocity, state or constraint of the equation, columns by what is unknown. E is
/// singular with multipliers, so this is for tools that solve differential-algebraic equations. Constraints are those
/// of positions: along a motion E and A are functions of time, and their rates take part. Only at rest the system may
/// be frozen, for its poles; [`Linearizer`](crate::Linearizer) gives A and B that hold at any moment.
///
/// Where an output reads an acceleration or a rate, C and D have it by δq, δv, δz and δu, as solutions have it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Descriptor {
    /// E, a row for each equation, a column for each unknown
    pub e: Labelled<f64>,
    /// A, of the same shape
    pub a: Labelled<f64>,
    /// B, a row for each equation, a column for each input
    pub b: Labelled<f64>,
    /// C, a row for each output, a column for each unknown
    pub c: Labelled<f64>,
    /// D, a row for each output, a column for each input
    pub d: Labelled<f64>,
}

impl Descriptor {
    /// Of a model at a state, with inputs in the order of the model's text.
    ///
    /// # Errors
    /// As [`Linearizer::at`](crate::Linearizer::at).
    pub fn of<S: Solvable<Real = f64> + Sensitive>(
        system: &S,
        x: &State<S>,
        u: impl Into<S::U>,
    ) -> Result<Self, LinearizationError> {
        let mut point = Point::of(system, x, &u.into())?;
        let layout = system.layout();
        let Layout { steps, v, z, u, constraints, multipliers, outputs, .. } = layout;
        let (nv, nz, nc, places) = (v.len(), z.len(), constraints.len(), point.places);
        let rows: Vec<&str> = [steps, v, z, constraints].concat();
        let columns: Vec<&str> = [steps, v, z, multipliers].concat();

        // the column of the partial derivatives that an unknown is, and the row of an equation
        let column = |k: usize| if k < 2 * nv { k } else { k + nv };
        let row = |r: usize| if r < 2 * nv + nz { r - nv } else { places.laws().start + r - 2 * nv - nz };
        let differential = 2 * nv + nz - layout.algebraic;
        let turned: Vec<(Vec<f64>, Vec<f64>)> = (0..nv)
            .map(|k| {
                let (mut by, mut qdot, mut vdot) = (vec![0.0; nv], vec![0.0; nv], vec![0.0; nv]);
                by[k] = 1.0;
                point.turn(&by, &mut qdot, &mut vdot);
                (qdot, vdot)
            })
            .collect();
        let of = &point.partials;
        let inertia = |r: usize, c: usize| of[(r, places.a() + c)];
        let e = |r: usize, c: usize| match r {
            r if r < nv => unit(r == c),
            r if r < 2 * nv && (nv..2 * nv).contains(&c) => inertia(r - nv, c - nv),
            r if r >= 2 * nv && r < differential => unit(r == c),
            _ => 0.0,
        };
        let a = |r: usize, c: usize| match r {
            r if r < nv => unit(c == nv + r) + if c < nv { turned[c].0[r] } else { 0.0 },
            r if r < 2 * nv + nz => {
                let spin = |c: usize| (0..nv).map(|k| inertia(r - nv, k) * turned[c].1[k]).sum::<f64>();
                let spin = if r < 2 * nv && c < nv { spin(c) } else { 0.0 };
                spin - of[(row(r), column(c))]
            }
            r => of[(row(r), column(c))],
        };
        let b = |r: usize, c: usize| match r {
            r if r < nv => 0.0,
            r if r < 2 * nv + nz => -of[(row(r), places.u() + c)],
            r => of[(row(r), places.u() + c)],
        };
        let (e, a) = (Labelled::new(&rows, &columns, e), Labelled::new(&rows, &columns, a));
        let b = Labelled::new(&rows, u, b);

        // of an output's changes along an unknown, those by accelerations and rates, and by the unknown itself
        let mut read = |direction: Option<Direction<S>>, own: usize| {
            let mut all = vec![0.0; 3 * nv + 2 * nz + nc + u.len()];
            if let Some(direction) = direction {
                let (change, rates) = (point.along(direction)?, 2 * nv + nz..3 * nv + 2 * nz);
                all[rates.clone()].copy_from_slice(&change.all[rates]);
            }
            all[own] = 1.0;
            Ok(point.outputs(&all))
        };
        let moving = if layout.order == Order::First { nv } else { 2 * nv };
        let by_unknown = (0..columns.len()).map(|k| {
            let mut direction = Direction::zeros(system);
            let known = match k {
                k if k < nv => direction.q.as_mut().get_mut(k),
                k if k < moving => direction.v.as_mut().get_mut(k - nv),
                k if (2 * nv..differential).contains(&k) => direction.z.as_mut().get_mut(k - 2 * nv),
                _ => None,
            };
            let follows = known.map(|x| *x = 1.0).is_some();
            read(follows.then_some(direction), if k < 2 * nv + nz { k } else { k + nv + nz })
        });
        let by_unknown = by_unknown.collect::<Result<Vec<_>, LinearizationError>>()?;
        let by_input = (0..u.len()).map(|i| {
            let mut direction = Direction::zeros(system);
            direction.u.as_mut()[i] = 1.0;
            read(Some(direction), 3 * nv + 2 * nz + nc + i)
        });
        let by_input = by_input.collect::<Result<Vec<_>, LinearizationError>>()?;
        let c = Labelled::new(outputs, &columns, |r, c| by_unknown[c][r]);
        let d = Labelled::new(outputs, u, |r, c| by_input[c][r]);
        Ok(Self { e, a, b, c, d })
    }
}

fn unit(same: bool) -> f64 {
    if same { 1.0 } else { 0.0 }
}
