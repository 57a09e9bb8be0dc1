//! One bound in an interior point: gap, slack and their multipliers, eliminated.

use ode_runtime::linalg::nalgebra::{RealField, convert};

use crate::mpc::problem::Slack;

/// A bound that y, how far a value is outside it, keeps as y + s = ε: the gap s with the multiplier μ, and of a soft
/// bound the slack ε with the multiplier π.
///
/// ```text
/// s μ = κ,   ε π = κ,   w₁ + w₂ ε = μ + π,   all of them positive; ε = 0 and no π of a hard bound
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Side<E> {
    /// s, μ, ε, π
    pub(super) now: [E; 4],
    /// their changes in a step
    pub(super) step: [E; 4],
}

/// What a step aims at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim<E> {
    /// κ
    pub(super) product: E,
    /// with the products of the changes that are stored, those of the predictor
    pub(super) corrected: bool,
}

/// dμ = `weight` dy + `constant`, and dε = `slack` (dy + `other`) of a soft bound.
struct Eliminated<E> {
    weight: E,
    constant: E,
    slack: E,
    other: E,
}

impl<E: RealField + Copy> Side<E> {
    pub(super) fn none() -> Self {
        Self { now: [E::zero(); 4], step: [E::zero(); 4] }
    }

    /// A beginning with the products `product`, where no gap is below `least`.
    pub(super) fn begin(y: E, slack: Option<Slack<E>>, product: E, least: E) -> Self {
        let Some(soft) = slack else {
            let gap = (-y).max(least);
            return Self { now: [gap, product / gap, E::zero(), E::zero()], step: [E::zero(); 4] };
        };
        // half of what the slack would bear at most; it is positive, and so is the other half
        let slack = y.max(E::zero()) + least;
        let gap = (slack - y).max(least);
        let half = (soft.linear + soft.quadratic * slack) * convert::<f64, E>(0.5);
        Self { now: [gap, half.min(product / gap), slack, half], step: [E::zero(); 4] }
    }

    /// What is left of s = ε − y, and of w₁ + w₂ ε = μ + π.
    fn left(&self, y: E, slack: Option<Slack<E>>) -> (E, E) {
        let [gap, force, eps, rest] = self.now;
        let soft = slack.map_or(E::zero(), |slack| slack.linear + slack.quadratic * eps - force - rest);
        (eps - y - gap, soft)
    }

    fn eliminated(&self, y: E, slack: Option<Slack<E>>, aim: Aim<E>) -> Eliminated<E> {
        let ([gap, force, eps, rest], step) = (self.now, self.step);
        let (apart, soft) = self.left(y, slack);
        let second = |a: E, b: E| if aim.corrected { a * b } else { E::zero() };
        let wanted = aim.product - gap * force - second(step[0], step[1]);
        let Some(slack) = slack else {
            let (weight, constant) = (force / gap, (wanted - force * apart) / gap);
            return Eliminated { weight, constant, slack: E::zero(), other: E::zero() };
        };
        let other = aim.product - eps * rest - second(step[2], step[3]);
        // dμ = θ dε + b, and dε from s dμ + μ ds = wanted
        let theta = slack.quadratic + rest / eps;
        let b = soft - other / eps;
        let divisor = gap * theta + force;
        let constant = wanted - gap * b - force * apart;
        Eliminated {
            weight: theta * force / divisor,
            constant: theta * constant / divisor + b,
            slack: force / divisor,
            other: constant / force,
        }
    }

    /// ω and k of dμ = ω dy + k, where the bound gives way by `give` dμ: so ω is never above 1/`give`, and a recursion
    /// keeps its digits. What that leaves unmet is met by the next steps.
    pub(super) fn terms(&self, y: E, slack: Option<Slack<E>>, aim: Aim<E>, give: E) -> (E, E) {
        let Eliminated { weight, constant, .. } = self.eliminated(y, slack, aim);
        let divisor = E::one() + weight * give;
        (weight / divisor, constant / divisor)
    }

    /// Stores the changes that follow from that of y.
    pub(super) fn change(&mut self, y: E, slack: Option<Slack<E>>, aim: Aim<E>, (dy, give): (E, E)) {
        let Eliminated { weight, constant, slack: by, other } = self.eliminated(y, slack, aim);
        let (apart, soft) = self.left(y, slack);
        let dy = dy - give * (weight * dy + constant) / (E::one() + weight * give);
        let force = weight * dy + constant;
        let eps = if slack.is_some() { by * (dy + other) } else { E::zero() };
        let rest = slack.map_or(E::zero(), |slack| slack.quadratic * eps - force + soft);
        self.step = [eps - dy + apart, force, eps, rest];
    }

    /// The longest part of the step, at most `most`, that leaves everything positive.
    pub(super) fn longest(&self, most: E) -> E {
        let pairs = self.now.iter().zip(&self.step);
        pairs.filter(|(_, step)| **step < E::zero()).fold(most, |most, (now, step)| {
            let part = -*now / *step;
            // NaN is no part, and stops everything
            if part < most || !part.is_finite() { part } else { most }
        })
    }

    /// Goes a part of the step.
    pub(super) fn advance(&mut self, part: E) {
        self.now.iter_mut().zip(&self.step).for_each(|(now, step)| *now += *step * part);
    }

    /// The sum of the products after a part of the step.
    pub(super) fn products(&self, part: E) -> E {
        let at = |k: usize| self.now[k] + self.step[k] * part;
        at(0) * at(1) + at(2) * at(3)
    }

    /// How far the equations of gap and slack are from holding: in units of the value, and of the multiplier.
    pub(super) fn residual(&self, y: E, slack: Option<Slack<E>>) -> (E, E) {
        let (apart, soft) = self.left(y, slack);
        (apart.abs(), soft.abs())
    }
}
