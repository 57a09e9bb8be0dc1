//! Second derivatives of explicit steps: motions over dual numbers with all their columns, there and back.
//!
//! The columns of a motion over dual numbers are its second derivatives along the directions that vary. The sweep back
//! multiplies them with covectors, and A and B are what the end of the way there varies by.

use std::vec::Vec;

use crate::error::Cause;
use crate::integrators::ExplicitForm;
use crate::model::input::Lent;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::{Moment, State};
use crate::numbers::dual::Dual;
use crate::numbers::scalar::Scalar;
use crate::numbers::wide::Wide;
use crate::solve::add;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::{Solvable, Solved};
use crate::variation::{LinearMotion, MotionColumns, charts, retract_back};

/// ∂(a, ż, λ)/∂(q, v, z, u), a column each.
type Columns<S> = Solved<Vec<<S as crate::System>::V>, Vec<<S as crate::System>::Z>, Vec<<S as crate::System>::L>>;

/// An evaluation of a motion.
#[derive(Clone, Debug)]
struct Stage<S: Solvable> {
    a: S::V,
    zdot: S::Z,
    columns: Columns<S>,
    /// covectors of a and ż
    by_a: S::V,
    by_rates: S::Z,
}

/// Room for the steps of a method.
pub(super) struct Staged<S: Solvable + Sensitive> {
    form: ExplicitForm,
    motion: LinearMotion<S>,
    stages: Vec<Stage<S>>,
    /// where the next evaluation is, and the end
    at: State<S>,
    step: S::V,
    /// of (q, v, z, u), and of h if that varies too
    covector: Vec<S::Real>,
    /// (A, B) of the last step, and ∂x⁺/∂h, by rows
    slopes: Vec<f64>,
    /// the number of (q, v, z, u)
    count: usize,
}

impl<T: Wide<Lane = f64>, S: Solvable<Real = Dual<f64, T>> + Sensitive> Staged<S> {
    /// Room; none where states move otherwise than by sums, or follow from others.
    pub(super) fn of(system: &S, form: Option<ExplicitForm>) -> Option<Self> {
        let layout = system.layout();
        let form = form.filter(|form| system.turnings().is_empty() || form.is_once())?;
        if layout.first_order() || layout.algebraic > 0 {
            return None;
        }
        let (nv, nz) = (layout.v.len(), layout.z.len());
        let count = MotionColumns::of(&layout, 0).with_inputs;
        let (v, z) = (S::V::zeros(nv), S::Z::zeros(nz));
        let columns = Solved {
            a: std::vec![v.clone(); count],
            zdot: std::vec![z.clone(); count],
            lambda: std::vec![S::L::zeros(layout.constraints.len()); count],
        };
        let stage = Stage { a: v.clone(), zdot: z.clone(), columns, by_a: v.clone(), by_rates: z };
        Some(Self {
            motion: LinearMotion::new(system),
            stages: std::vec![stage; form.evaluations()],
            at: State::neutral(system),
            step: v,
            covector: std::vec![Dual::ZERO; count],
            slopes: std::vec![0.0; layout.state_directions() * count],
            count,
            form,
        })
    }

    /// Makes h one of the entries, the last one, or none of them.
    pub(super) fn vary_length(&mut self, varies: bool) {
        let (rows, size) = (self.slopes.len() / self.covector.len().max(1), self.count + usize::from(varies));
        self.covector = std::vec![Dual::ZERO; size];
        self.slopes = std::vec![0.0; rows * size];
    }

    /// ∂x⁺/∂(x, u) of the last step, by rows; and by h, if it varies.
    pub(super) fn slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// The covector of the beginning of the step `h`, where the lanes of `x` and `u` vary by the entries from `first`
    /// on; `costate` is that of the end. Its derivatives are columns of the Hessian.
    pub(super) fn pull_back(
        &mut self,
        system: &S,
        (x, u): (&State<S>, &S::U),
        (length, first): (f64, usize),
        costate: &[f64],
    ) -> Result<&[S::Real], Cause> {
        let mut h = S::Real::from_f64(length);
        let lane = self.count.checked_sub(first).filter(|lane| *lane < T::LANES && self.covector.len() > self.count);
        lane.into_iter().for_each(|lane| h.eps.set_lane(lane, 1.0));
        for i in 0..self.stages.len() {
            self.place(system, x, h, i);
            let Self { motion, stages, at, .. } = self;
            let mut cx = Context { system, inputs: &Lent(u), work: &mut Work::default() };
            let moment = Moment { t: at.t, q: &at.q, v: &at.v, z: &at.z, modes: &at.modes };
            let stage = &mut stages[i];
            motion.linearize(&mut cx, moment, &mut stage.columns)?;
            stage.a.clone_from(&motion.a);
            stage.zdot.clone_from(&motion.zdot);
        }
        self.place(system, x, h, self.stages.len());
        self.at.check(&system.layout())?;
        self.read(system, first);
        self.sweep(system, (&x.v, h), costate);
        Ok(&self.covector)
    }

    /// Writes where an evaluation is.
    fn place(&mut self, system: &S, x: &State<S>, h: S::Real, row: usize) {
        let Self { form, stages, at, step, .. } = self;
        let real = |value: f64| S::Real::from_f64(value);
        at.copy_from(x);
        // most methods begin with an evaluation at the start itself
        if form.begins(row) {
            return step.as_mut().fill(Dual::ZERO);
        }
        at.t += h * real(form.times[row]);
        step.as_mut().fill(Dual::ZERO);
        add(step.as_mut(), h * real(form.times[row]), x.v.as_ref());
        let weights = form.positions[row].iter().zip(&form.velocities[row]);
        for (stage, (&position, &velocity)) in stages.iter().zip(weights) {
            if position != 0.0 {
                add(step.as_mut(), h * h * real(position), stage.a.as_ref());
            }
            if velocity != 0.0 {
                add(at.v.as_mut(), h * real(velocity), stage.a.as_ref());
                add(at.z.as_mut(), h * real(velocity), stage.zdot.as_ref());
            }
        }
        system.retract(&x.q, step, &mut at.q);
    }

    /// Reads the columns of A and B that vary.
    fn read(&mut self, system: &S, first: usize) {
        let Self { at, step, covector, slopes, .. } = self;
        let count = covector.len();
        let nv = step.as_ref().len();
        // q ⊕ step, where q varies by its own directions and the step as it does
        let (mut own, mut by, mut moved) = (S::V::zeros(nv), S::V::zeros(nv), S::V::zeros(nv));
        for (lane, entry) in own.as_mut().iter_mut().skip(first).take(T::LANES).enumerate() {
            entry.eps.set_lane(lane, 1.0);
        }
        by.as_mut().iter_mut().zip(step.as_ref()).for_each(|(by, step)| by.eps = step.eps);
        charts::retract(system, step, (&own, &by), &mut moved, None);
        let all = moved.as_ref().iter().chain(at.v.as_ref()).chain(at.z.as_ref());
        for (r, entry) in all.map(|x| x.eps).enumerate() {
            entry.write(&mut slopes[r * count + first..(r + 1) * count]);
        }
    }

    /// Takes the covector of the end back.
    fn sweep(&mut self, system: &S, (v, h): (&S::V, S::Real), costate: &[f64]) {
        let Self { form, stages, covector, step, count, .. } = self;
        let nv = step.as_ref().len();
        let real = |value: f64| S::Real::from_f64(value);
        let (by_q, rest) = costate.split_at(nv.min(costate.len()));
        let (by_v, by_z) = rest.split_at(nv.min(rest.len()));
        let (mut end, mut q, mut along) = (S::V::zeros(nv), S::V::zeros(nv), S::V::zeros(nv));
        end.as_mut().iter_mut().zip(by_q).for_each(|(to, &value)| *to = real(value));
        retract_back(system, step, (&end, None), (&mut q, &mut along));
        let (q, along) = (q.as_ref(), along.as_ref());
        covector.fill(Dual::ZERO);
        let (by_positions, rest) = covector.split_at_mut(nv);
        let (by_velocities, others) = rest.split_at_mut(nv);
        by_positions.iter_mut().zip(q).for_each(|(to, &q)| *to = q);
        by_velocities.iter_mut().zip(by_v.iter().zip(along)).for_each(|(to, (&v, &q))| *to = real(v) + h * q);
        others.iter_mut().zip(by_z).for_each(|(to, &z)| *to = real(z));
        let end = stages.len();
        if let Some(length) = covector.get_mut(*count) {
            let own = along.iter().copied().chain(by_v.iter().chain(by_z).map(|&w| real(w)));
            *length =
                own.enumerate().fold(Dual::ZERO, |sum, (c, w)| sum + w * lengthened(form, stages, (v, h), end, c));
        }
        for (j, stage) in stages.iter_mut().enumerate() {
            let (position, velocity) = (h * h * real(form.positions[end][j]), h * real(form.velocities[end][j]));
            let by_a = stage.by_a.as_mut().iter_mut().zip(along.iter().zip(by_v));
            by_a.for_each(|(to, (&q, v))| *to = position * q + velocity * real(*v));
            stage.by_rates.as_mut().iter_mut().zip(by_z).for_each(|(to, z)| *to = velocity * real(*z));
        }
        for j in (0..end).rev() {
            let (before, stage) = stages.split_at_mut(j);
            let Stage { columns, by_a, by_rates, .. } = &stage[0];
            let time = h * real(form.times[j]);
            let (positions, velocities) = (&form.positions[j], &form.velocities[j]);
            for (c, (a, zdot)) in columns.a.iter().zip(&columns.zdot).enumerate() {
                if a.as_ref().iter().chain(zdot.as_ref()).all(|x| *x == Dual::ZERO) {
                    continue;
                }
                let slope = dot(a.as_ref(), by_a.as_ref()) + dot(zdot.as_ref(), by_rates.as_ref());
                covector[c] += slope;
                if let Some(length) = covector.get_mut(*count) {
                    *length += slope * lengthened(form, before, (v, h), j, c);
                }
                if c < nv {
                    covector[nv + c] += time * slope;
                }
                // what evaluations before have moved
                for ((earlier, &position), &velocity) in before.iter_mut().zip(positions).zip(velocities) {
                    let place = match c {
                        _ if c < nv => Some((c, h * h, position)),
                        _ if c < 2 * nv => Some((c - nv, h, velocity)),
                        _ => None,
                    };
                    match place.filter(|(.., weight)| *weight != 0.0) {
                        Some((row, h, weight)) => earlier.by_a.as_mut()[row] += h * real(weight) * slope,
                        None if c < 2 * nv => {}
                        None => {
                            let rate = earlier.by_rates.as_mut().get_mut(c - 2 * nv);
                            rate.into_iter().for_each(|rate| *rate += h * real(velocity) * slope);
                        }
                    }
                }
            }
        }
    }
}

/// What a longer step moves an entry of (q, v, z, u) by, where an evaluation is that comes after these.
fn lengthened<T: Wide<Lane = f64>, S: Solvable<Real = Dual<f64, T>>>(
    form: &ExplicitForm,
    before: &[Stage<S>],
    (v, h): (&S::V, S::Real),
    row: usize,
    entry: usize,
) -> S::Real {
    let (nv, real) = (v.as_ref().len(), |value: f64| S::Real::from_f64(value));
    let weighed = |weights: &[f64], of: &dyn Fn(&Stage<S>) -> S::Real| {
        before.iter().zip(weights).fold(Dual::ZERO, |sum, (stage, &weight)| sum + real(weight) * of(stage))
    };
    let (positions, velocities) = (&form.positions[row], &form.velocities[row]);
    match entry {
        i if i < nv => {
            let twice = weighed(positions, &|stage| stage.a.as_ref()[i]);
            real(form.times[row]) * v.as_ref()[i] + real(2.0) * h * twice
        }
        i if i < 2 * nv => weighed(velocities, &|stage| stage.a.as_ref()[i - nv]),
        i => weighed(velocities, &|stage| stage.zdot.as_ref().get(i - 2 * nv).copied().unwrap_or(Dual::ZERO)),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn dot<T: Scalar>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
}
