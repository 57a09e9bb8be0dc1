//! Consistent initial values.
//!
//! Positions: the smallest change of the guess that satisfies Φ = 0 and the exact conditions, by Newton steps of least
//! norm,
//!
//! ```text
//! [ I  Jᵀ ] [ δ ]   [ 0  ]
//! [ J −ε I ] [ μ ] = [ −c ]      c = (Φ, conditions), J = ∂c/∂q, rows of J scaled to 1
//! ```
//!
//! where ε keeps the matrix regular when conditions repeat what constraints say already; iterating removes its
//! influence from consistent rows, and rows that contradict each other keep a residual, which is reported by name.
//! Velocities: the same with Φ̇ = G v + Φₜ and the nonholonomic rows A v + b, which say nothing of positions.
//! Accelerations and multipliers: M a = f + Gᵀ λ, G a + γ = 0; of first-order models velocities and multipliers, D v =
//! f + Gᵀ λ, G v + γ = 0.

use crate::context::{Context, Work};
use crate::error::{Cause, Level, Name, Quantity, StartError};
use crate::input::Inputs;
use crate::linalg::{Field, Saddle, Square};
use crate::rotations::enter;
use crate::scalar::{Real, Scalar};
use crate::solve::{Acceleration, Dependence, LOOSE, NEAR, undetermined};
use crate::state::{State, copy, finite};
use crate::system::{Block, Conditions, Constraint, Layout, RowKind, Solvable};

/// How to find a consistent start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start<T> {
    /// time of the start
    pub time: T,
    /// what a row may be off, as a change of coordinates or velocities relative to 1 + their magnitude
    pub tolerance: T,
    /// Newton iterations allowed
    pub iterations: u32,
}

impl<T: Real> Default for Start<T> {
    fn default() -> Self {
        Self { time: T::ZERO, tolerance: T::PIVOT_TOLERANCE, iterations: 50 }
    }
}

impl<T: Real> Start<T> {
    /// A start at `time`.
    pub fn at(time: T) -> Self {
        Self { time, ..Self::default() }
    }

    /// Consistent values near the model's guess.
    ///
    /// # Errors
    /// [`Cause::Contradiction`] naming all constraints and conditions that contradict each other,
    /// [`Cause::Inconsistent`] or [`Cause::NotConverged`] naming the one that is off most, [`Cause::Dependent`] naming
    /// constraints that depend on each other, [`Cause::Singular`] naming the coordinate without inertia,
    /// [`Cause::NonFinite`], [`Cause::NotARotation`], [`Cause::Invalid`].
    pub fn solve<S: Solvable<Real = T>, U: Inputs<S>>(&self, system: &S, inputs: &U) -> Result<State<S>, StartError> {
        let mut x = State::neutral(system);
        system.guess(&mut x.q, &mut x.v, &mut x.z);
        self.solve_from(system, inputs, x)
    }

    /// Consistent values near q, v and z of `x`, with its modes; its rates and multipliers are not read. Where a
    /// rotation of `x` is one but for round-off, it is normalised.
    ///
    /// # Errors
    /// As [`Start::solve`].
    pub fn solve_from<S: Solvable<Real = T>, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        mut x: State<S>,
    ) -> Result<State<S>, StartError> {
        let mut work = Work::default();
        let cx = Context { system, inputs, work: &mut work };
        let run = || {
            self.assemble(system, &mut x)?;
            accelerate(cx, &mut x)
        };
        match run() {
            Ok(()) => Ok(x),
            Err(cause) => Err(StartError { time: self.time.to_f64(), cause }),
        }
    }

    /// Positions and velocities only.
    pub(crate) fn assemble<S: Solvable<Real = T>>(&self, system: &S, x: &mut State<S>) -> Result<(), Cause> {
        self.check()?;
        x.t = self.time;
        let layout = system.layout();
        enter(system, x.q.as_mut())?;
        finite(x.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(x.z.as_ref(), Quantity::State, layout.z)?;
        let mut assembly = Assembly::new(system, &layout);
        self.positions(system, &mut assembly, x)?;
        if layout.first_order() {
            // velocities follow from the equations
            return Ok(());
        }
        self.velocities(system, &mut assembly, x)
    }

    fn check(&self) -> Result<(), Cause> {
        if !self.time.is_finite() {
            return Err(Cause::Invalid { setting: "time", value: self.time.to_f64() });
        }
        if !(self.tolerance > T::ZERO && self.tolerance.is_finite()) {
            return Err(Cause::Invalid { setting: "start tolerance", value: self.tolerance.to_f64() });
        }
        Ok(())
    }

    fn positions<S: Solvable<Real = T>>(
        &self,
        system: &S,
        assembly: &mut Assembly<S>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let level = Level::Position;
        let mut off = assembly.linearize(system, level, x)?;
        let (mut q, mut stalled) = (x.q.clone(), false);
        for _ in 0..self.iterations {
            if off == T::ZERO {
                return Ok(());
            }
            assembly.solve(&system.layout())?;
            copy(&x.q, &mut q);
            // Away from the solution a full step may overshoot: halve it until the residual falls.
            let (mut factor, mut next) = (T::ONE, off);
            for _ in 0..12 {
                assembly.scaled(factor);
                system.retract(&q, &assembly.step, &mut x.q);
                next = assembly.linearize(system, level, x)?;
                if next < off || off <= self.tolerance {
                    break;
                }
                factor *= T::from_f64(0.5);
            }
            if !(next < off) {
                // At round-off, or where no direction helps: keep the better of the two.
                copy(&q, &mut x.q);
                off = assembly.linearize(system, level, x)?;
                stalled = true;
                break;
            }
            off = next;
        }
        assembly.judge(&system.layout(), level, self.tolerance, off, stalled, norm_of(x.q.as_ref()))
    }

    fn velocities<S: Solvable<Real = T>>(
        &self,
        system: &S,
        assembly: &mut Assembly<S>,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let level = Level::Velocity;
        let mut off = assembly.linearize(system, level, x)?;
        let mut v = x.v.clone();
        // Linear: one solve, and a few more to remove the regularisation.
        for _ in 0..8 {
            if off == T::ZERO {
                return Ok(());
            }
            assembly.solve(&system.layout())?;
            assembly.scaled(T::ONE);
            copy(&x.v, &mut v);
            crate::solve::add(x.v.as_mut(), T::ONE, assembly.step.as_ref());
            let next = assembly.linearize(system, level, x)?;
            if !(next < off) {
                copy(&v, &mut x.v);
                off = assembly.linearize(system, level, x)?;
                break;
            }
            off = next;
        }
        assembly.judge(&system.layout(), level, self.tolerance, off, true, norm_of(x.v.as_ref()))
    }
}

fn norm_of<T: Real>(values: &[T]) -> T {
    T::ONE + crate::solve::norm(values)
}

/// Accelerations, rates and multipliers of `x` in place.
pub(crate) fn accelerate<S: Solvable, U: Inputs<S>>(mut cx: Context<'_, S, U>, x: &mut State<S>) -> Result<(), Cause> {
    Acceleration::strict(cx.system).settle(&mut cx, x)?;
    finite(x.a.as_ref(), Quantity::Acceleration, cx.system.layout().directions)
}

/// Why a step from `x` has failed, where positions near it are the reason and not the method: rows that depend on each
/// other there, or, in models where they may, contradict each other. Newton's steps lead away from both.
#[cold]
pub(crate) fn explain<S: Solvable>(system: &S, x: &State<S>, h: S::Real, cause: Cause) -> Cause {
    let layout = system.layout();
    let unsolved = matches!(
        cause,
        Cause::Newton { .. }
            | Cause::Projection { .. }
            | Cause::StepTooSmall { .. }
            | Cause::Inconsistent { .. }
            | Cause::NotConverged { .. }
            | Cause::Singular { unknown: Quantity::Multiplier, .. }
    );
    let apart = S::Saddle::REDUNDANT && matches!(cause, Cause::Contradiction { .. });
    if !(unsolved || apart) || layout.constraints.is_empty() || !h.is_finite() {
        return cause;
    }
    let mut assembly = Assembly { free: true, ..Assembly::new(system, &layout) };
    let usual = assembly.usual(system, x, h);
    // Where it was, where drives are at the end of the step and beyond it, and where the motion leads.
    for (time, way) in [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0)] {
        let mut found = assembly.go(system, x, [time, way].map(|part| S::Real::from_f64(part) * h));
        if let (Ok(near), true) = (&mut found, S::Saddle::REDUNDANT && !layout.first_order()) {
            found = Start::at(near.t).velocities(system, &mut assembly, near).map(|()| near.clone());
        }
        let contradiction = match found {
            Err(contradiction @ Cause::Contradiction { .. }) if way == 0.0 => Some(contradiction),
            Err(_) => continue,
            Ok(_) => None,
        };
        let mut near = assembly.rows(&layout, NEAR);
        if let Some(dependent) = near.cause().filter(|_| near.rank().0 < usual) {
            return dependent;
        }
        if let Some(contradiction) = contradiction.filter(|_| unsolved && S::Saddle::REDUNDANT) {
            return contradiction;
        }
    }
    cause
}

/// The bordered matrix, and a second one as room for the conditions.
struct Assembly<S: Solvable> {
    /// whether conditions of the start have no say
    free: bool,
    matrix: S::Assembly,
    room: S::Assembly,
    constraint: Constraint<S>,
    u: S::U,
    step: S::V,
    full: S::V,
    /// index and residual of the row that is off most, against its scale
    worst: (usize, S::Real),
}

impl<S: Solvable> Assembly<S> {
    fn new(system: &S, layout: &Layout<'_>) -> Self {
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        Self {
            free: false,
            matrix: S::Assembly::new(layout),
            room: S::Assembly::new(layout),
            constraint: Constraint::zeros(layout),
            u,
            step: Block::zeros(layout.v.len()),
            full: Block::zeros(layout.v.len()),
            worst: (0, S::Real::ZERO),
        }
    }

    /// Sets up matrix and right-hand side at `x`; the largest residual against the scale of its row.
    fn linearize(&mut self, system: &S, level: Level, x: &State<S>) -> Result<S::Real, Cause> {
        let layout = system.layout();
        let (nv, nc, n) = (layout.v.len(), layout.constraints.len(), self.matrix.size());
        let at = x.at(&self.u);
        system.constraint(at, &mut self.constraint);
        let (np, nw) = (layout.init_position.len(), layout.init_velocity.len());
        let (position, rest) = self.room.entries().split_at_mut(np);
        let (position_jacobian, rest) = rest.split_at_mut(np * nv);
        let (velocity, rest) = rest.split_at_mut(nw);
        let (velocity_jacobian, _) = rest.split_at_mut(nw * nv);
        position_jacobian.fill(S::Real::ZERO);
        velocity_jacobian.fill(S::Real::ZERO);
        system.conditions(at, Conditions { position, position_jacobian, velocity, velocity_jacobian });

        let (rows, values, jacobian, names) = match level {
            Level::Position => (self.constraint.phi.as_ref(), position, position_jacobian, layout.init_position),
            Level::Velocity | Level::Acceleration => {
                (self.constraint.rate.as_ref(), velocity, velocity_jacobian, layout.init_velocity)
            }
        };
        let (values, jacobian) = if self.free { (&mut [][..], &mut [][..]) } else { (values, jacobian) };
        finite(rows, Quantity::Constraint, layout.constraints)?;
        finite(values, Quantity::Condition, names)?;

        let a = self.matrix.entries();
        a.fill(S::Real::ZERO);
        place(a, n, level, &layout, self.constraint.jacobian.as_ref());
        for (i, row) in jacobian.chunks_exact(nv.max(1)).enumerate() {
            for (to, &from) in a.iter_mut().skip((nv + nc + i) * n).zip(row) {
                *to = from;
            }
        }
        let count = nc + values.len();
        let rhs = self.matrix.rhs();
        rhs.fill(S::Real::ZERO);
        for (b, &c) in rhs.iter_mut().skip(nv).zip(rows.iter().chain(values.iter())) {
            *b = -c;
        }
        self.border(nv, count);
        let off = self.worst.1;
        Ok(off)
    }

    /// Scales rows, mirrors them, and fills the diagonal.
    fn border(&mut self, nv: usize, count: usize) {
        let n = self.matrix.size();
        // ε^(2/3) perturbs a step by as much, relatively, and leaves the repeated rows a pivot well above round-off.
        let epsilon = S::Real::PIVOT_TOLERANCE;
        self.worst = (0, S::Real::ZERO);
        for i in nv..n {
            let a = self.matrix.entries();
            a[i * n + i] = if i < nv + count { -epsilon } else { S::Real::ONE };
            let row = a.get(i * n..i * n + nv).unwrap_or(&[]);
            let scale = crate::solve::norm(row).equalizer();
            for j in 0..nv {
                let value = a[i * n + j] * scale;
                a[i * n + j] = value;
                a[j * n + i] = value;
            }
            let Some(b) = self.matrix.rhs().get_mut(i) else { continue };
            *b *= scale;
            if b.abs() > self.worst.1 {
                self.worst = (i - nv, b.abs());
            }
        }
        let a = self.matrix.entries();
        for i in 0..nv {
            a[i * n + i] = S::Real::ONE;
        }
    }

    /// The step of least norm into `full`.
    fn solve(&mut self, layout: &Layout<'_>) -> Result<(), Cause> {
        self.matrix.solve().map_err(|singular| undetermined(layout, 0, singular))?;
        for (to, &from) in self.full.as_mut().iter_mut().zip(self.matrix.rhs().iter()) {
            *to = from;
        }
        finite(self.full.as_ref(), Quantity::Coordinate, layout.directions)
    }

    /// `step` = factor · `full`.
    fn scaled(&mut self, factor: S::Real) {
        for (to, &from) in self.step.as_mut().iter_mut().zip(self.full.as_ref()) {
            *to = factor * from;
        }
    }

    /// Accepts, or names the row that is off most.
    fn judge(
        &mut self,
        layout: &Layout<'_>,
        level: Level,
        tolerance: S::Real,
        off: S::Real,
        stalled: bool,
        size: S::Real,
    ) -> Result<(), Cause> {
        if off <= tolerance * size {
            return Ok(());
        }
        if let Some(cause) = self.contradiction(layout, level) {
            return Err(cause);
        }
        let (index, nc) = (self.worst.0, layout.constraints.len());
        let conditions = match level {
            Level::Position => layout.init_position,
            Level::Velocity | Level::Acceleration => layout.init_velocity,
        };
        let (name, own) = match index.checked_sub(nc) {
            None => {
                let rows = match level {
                    Level::Position => self.constraint.phi.as_ref(),
                    Level::Velocity | Level::Acceleration => self.constraint.rate.as_ref(),
                };
                (Name::of(layout.constraints, index), rows.get(index).copied())
            }
            Some(i) => {
                let offset = match level {
                    Level::Position => 0,
                    Level::Velocity | Level::Acceleration => layout.init_position.len() * (1 + layout.v.len()),
                };
                (Name::of(conditions, i), self.room.entries().get(offset + i).copied())
            }
        };
        let residual = own.unwrap_or(off).to_f64();
        if stalled {
            Err(Cause::Inconsistent { level, name, residual })
        } else {
            Err(Cause::NotConverged { level, name, residual })
        }
    }
}

impl<S: Solvable> Assembly<S> {
    /// The consistent positions at which the motion from `x` is after `time` when it has gone on for the time `way`.
    fn go(&mut self, system: &S, x: &State<S>, [time, way]: [S::Real; 2]) -> Result<State<S>, Cause> {
        let mut near = x.clone();
        near.t += time;
        self.step.as_mut().fill(S::Real::ZERO);
        crate::solve::add(self.step.as_mut(), way, x.v.as_ref());
        system.retract(&x.q, &self.step, &mut near.q);
        Start::at(near.t).positions(system, self, &mut near).map(|()| near)
    }

    /// Which rows depend on each other at the last point.
    fn rows<'a>(&self, layout: &Layout<'a>, tolerance: f64) -> Dependence<'a, S> {
        Dependence::of_jacobian(*layout, self.constraint.jacobian.as_ref(), tolerance)
    }

    /// How many directions rows that may depend on others hold where nothing locks: before and after `x`, which may
    /// itself be where they hold less. Rows that may not are to hold one each.
    fn usual(&mut self, system: &S, x: &State<S>, h: S::Real) -> usize {
        if !S::Saddle::REDUNDANT {
            return usize::MAX;
        }
        let (layout, number) = (system.layout(), S::Real::from_f64);
        let far = number(0.05) * norm_of(x.q.as_ref()) / norm_of(x.v.as_ref());
        let mut most = None;
        for way in [S::Real::ZERO, number(-8.0) * h, number(8.0) * h, -far, far] {
            if self.go(system, x, [way, way]).is_ok() {
                most = most.max(Some(self.rows(&layout, LOOSE).rank().0));
            }
        }
        most.unwrap_or_else(|| {
            system.constraint(x.at(&self.u), &mut self.constraint);
            self.rows(&layout, NEAR).rank().0
        })
    }

    /// The refusal of rows and conditions of which no step changes what they are off.
    fn contradiction(&mut self, layout: &Layout<'_>, level: Level) -> Option<Cause> {
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        let (np, nw) = (layout.init_position.len(), layout.init_velocity.len());
        let (position, velocity) = self.room.entries().split_at(np * (1 + nv));
        let (mut conditions, rows, (values, jacobian)) = match level {
            Level::Position => (layout.init_position, &self.constraint.phi, position.split_at(np)),
            Level::Velocity | Level::Acceleration => {
                (layout.init_velocity, &self.constraint.rate, velocity.split_at(nw))
            }
        };
        if self.free {
            conditions = &[];
        }
        let restricts = |r: usize| level == Level::Velocity || layout.kind(r) == RowKind::Holonomic;
        let held = layout.jacobian.entries().zip(self.constraint.jacobian.as_ref());
        let held = held.filter(|((r, _), _)| restricts(*r)).map(|((r, c), &value)| (r, c, value));
        let given = jacobian.chunks_exact(nv.max(1)).take(conditions.len()).enumerate();
        let given = given.flat_map(|(i, row)| row.iter().enumerate().map(move |(c, &value)| (nc + i, c, value)));
        let off = |row: usize| match row.checked_sub(nc) {
            None => rows.as_ref().get(row).copied().unwrap_or(S::Real::ZERO),
            Some(i) => values.get(i).copied().unwrap_or(S::Real::ZERO),
        };
        Dependence::<S>::of(*layout, conditions, held.chain(given), NEAR).contradiction(level, off)
    }
}

/// Writes the nonzeros of G below the first nv rows; those of A restrict velocities only.
fn place<T: Real>(a: &mut [T], n: usize, level: Level, layout: &Layout<'_>, values: &[T]) {
    let nv = layout.v.len();
    for ((r, c), &value) in layout.jacobian.entries().zip(values) {
        let restricts = level == Level::Velocity || layout.kind(r) == RowKind::Holonomic;
        if let Some(slot) = a.get_mut((nv + r) * n + c).filter(|_| restricts) {
            *slot = value;
        }
    }
}
