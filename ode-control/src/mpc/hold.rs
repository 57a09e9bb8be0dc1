//! Which bounds hold a plan, and what follows from that.

use ode_runtime::linalg::nalgebra::RealField;

use crate::mpc::problem::Slack;

/// One of the two bounds of an input or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Low,
    High,
}

/// Where a number is, relative to its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// between them, without a multiplier
    Free,
    /// at one of them, with a multiplier
    At(Bound),
    /// outside a soft one, with the multiplier that its slack has
    Beyond(Bound),
}

/// The bounds of a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range<E> {
    pub(super) low: E,
    pub(super) high: E,
    /// what it costs to leave them; hard bounds have none
    pub(super) slack: Option<Slack<E>>,
}

/// What counts as round-off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Little<E> {
    /// of a value
    pub(super) value: E,
    /// of a multiplier
    pub(super) multiplier: E,
}

impl Bound {
    pub(super) const BOTH: [Self; 2] = [Self::Low, Self::High];

    /// Of a multiplier here, in the derivative of the cost.
    pub(super) fn sign<E: RealField>(self) -> E {
        match self {
            Self::Low => -E::one(),
            Self::High => E::one(),
        }
    }
}

impl<E: RealField + Copy> Range<E> {
    /// The number of a bound.
    pub(super) fn of(&self, bound: Bound) -> E {
        match bound {
            Bound::Low => self.low,
            Bound::High => self.high,
        }
    }

    /// How far a value is outside a bound; negative inside.
    pub(super) fn beyond(&self, bound: Bound, value: E) -> E {
        bound.sign::<E>() * (value - self.of(bound))
    }

    /// Whether there is such a bound.
    pub(super) fn has(&self, bound: Bound) -> bool {
        self.of(bound).is_finite()
    }

    /// Whether there is one value only: an equation.
    pub(super) fn is_equation(&self) -> bool {
        self.low == self.high && self.slack.is_none()
    }

    /// How far a value is outside; zero inside.
    pub(super) fn outside(&self, value: E) -> E {
        let outside = |bound| if self.has(bound) { self.beyond(bound, value) } else { E::zero() };
        outside(Bound::Low).max(outside(Bound::High)).max(E::zero())
    }

    /// A hold of other bounds, where these are now.
    pub(super) fn kept(&self, hold: Hold) -> Hold {
        match hold {
            _ if self.is_equation() => Hold::At(Bound::High),
            Hold::At(bound) | Hold::Beyond(bound) if !self.has(bound) => Hold::Free,
            Hold::Beyond(bound) if self.slack.is_none() => Hold::At(bound),
            Hold::At(bound) if self.slack.is_some_and(|slack| slack.linear == E::zero()) => Hold::Beyond(bound),
            hold => hold,
        }
    }

    /// What should hold instead, from the value and the multiplier that the present hold has led to, and how wrong that
    /// is, in units of what is little; `None` if it is right.
    pub(super) fn next(&self, hold: Hold, value: E, multiplier: E, little: Little<E>) -> Option<(Hold, E)> {
        let (next, wrong) = match hold {
            _ if self.is_equation() => return None,
            Hold::Free => {
                let left = |&bound: &Bound| self.has(bound) && self.beyond(bound, value) > E::zero();
                let bound = Bound::BOTH.into_iter().find(left)?;
                (self.kept(Hold::At(bound)), self.beyond(bound, value) / little.value)
            }
            Hold::At(bound) => {
                let force = bound.sign::<E>() * multiplier;
                match self.slack {
                    _ if force < E::zero() => (Hold::Free, -force / little.multiplier),
                    Some(slack) => (Hold::Beyond(bound), (force - slack.linear) / little.multiplier),
                    None => return None,
                }
            }
            Hold::Beyond(bound) => {
                let free = self.slack.is_some_and(|slack| slack.linear == E::zero());
                (if free { Hold::Free } else { Hold::At(bound) }, -self.beyond(bound, value) / little.value)
            }
        };
        (wrong > E::one()).then_some((next, wrong))
    }
}
