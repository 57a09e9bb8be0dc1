//! K numbers with bounds, the inputs or the rows of a stage, while a plan is sought.

use ode_runtime::linalg::SVector;
use ode_runtime::linalg::nalgebra::RealField;

use crate::mpc::hold::{Bound, Hold, Little, Range};
use crate::mpc::problem::Slack;
use crate::mpc::side::{Aim, Side};

/// Values, multipliers and what they mean for the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limited<E: RealField, const K: usize> {
    /// the numbers, where the plan is now
    pub(super) value: SVector<E, K>,
    /// sums of the sizes of what each is the sum of: round-off is relative to them
    pub(super) size: SVector<E, K>,
    /// in the derivative of the cost: positive at a highest value, negative at a lowest one
    pub(super) multiplier: SVector<E, K>,
    /// which bounds hold the plan
    pub(super) hold: [Hold; K],
    /// a weight for equations, large beside what it costs to change the number; zero of numbers that nothing changes,
    /// whose bounds do not count, and infinite of those that are eliminated
    pub(super) stiff: SVector<E, K>,
    /// in a step the multiplier becomes `slope` and `weight` times the change of the value
    pub(super) weight: SVector<E, K>,
    pub(super) slope: SVector<E, K>,
    /// of the interior point, at the lowest and the highest value
    sides: [[Side<E>; 2]; K],
}

/// The numbers with their bounds.
#[derive(Debug)]
pub(super) struct Bounded<'a, E: RealField, const K: usize> {
    pub(super) of: &'a mut Limited<E, K>,
    pub(super) low: &'a SVector<E, K>,
    pub(super) high: &'a SVector<E, K>,
    /// none where all are hard
    pub(super) slacks: Option<&'a [Option<Slack<E>>; K]>,
    /// the changes of the values in a step
    pub(super) by: SVector<E, K>,
}

/// What is done with numbers and their bounds, however many there are.
pub(super) trait Bounds<E> {
    /// Holds nothing.
    fn let_go(&mut self);
    /// Lets holds fit the bounds, and leaves no multiplier where nothing holds.
    fn fit(&mut self);
    /// How wrong the hold is that is most wrong, in units of what is little; zero if all are right.
    fn wrong(&self, little: Little<E>) -> E;
    /// Lets something else hold those numbers whose hold is at least so wrong, and counts them. `little` is relative.
    fn hold_again(&mut self, little: Little<E>, least: E) -> usize;
    /// How far held numbers are from their bounds, relative to what they are the sums of.
    fn unmet(&self) -> E;
    /// Gaps and multipliers to begin an interior point with.
    fn begin(&mut self, product: E, least: E);
    /// Weights and slopes of the eliminated sides.
    fn aim_inside(&mut self, aim: Aim<E>);
    /// Stores the changes of all sides.
    fn change(&mut self, aim: Aim<E>);
    /// The longest part of the step, at most `most`, that stays inside.
    fn longest(&self, most: E) -> E;
    /// The sum of the products after a part of the step, and how many there are.
    fn products(&self, part: E) -> (E, usize);
    /// Multipliers after a part of the step.
    fn advance(&mut self, part: E);
    /// How far gaps are from their values, relative ones, and multipliers from what slacks give them.
    fn residual(&self) -> (E, E);
    /// Holds what the interior point has come close to.
    fn hold_close(&mut self);
    /// The multipliers of the interior point.
    fn recall(&mut self);
}

impl<E: RealField + Copy, const K: usize> Limited<E, K> {
    pub(super) fn none() -> Self {
        let zero = SVector::zeros();
        let (hold, sides) = ([Hold::Free; K], [[Side::none(); 2]; K]);
        Self { value: zero, size: zero, multiplier: zero, hold, stiff: zero, weight: zero, slope: zero, sides }
    }

    /// Takes over what held another, one stage later.
    pub(super) fn follow(&mut self, later: &Self) {
        (self.hold, self.multiplier) = (later.hold, later.multiplier);
    }
}

impl<E: RealField + Copy, const K: usize> Bounded<'_, E, K> {
    pub(super) fn range(&self, i: usize) -> Range<E> {
        Range { low: self.low[i], high: self.high[i], slack: self.slacks.and_then(|slacks| slacks[i]) }
    }

    /// The sides of a number that an interior point has a gap to: not those of equations.
    fn sides(&self, i: usize) -> impl Iterator<Item = (usize, Bound)> + use<E, K> {
        let range = self.range(i);
        let apart = self.of.stiff[i] > E::zero() && !range.is_equation();
        Bound::BOTH.into_iter().enumerate().filter(move |(_, bound)| apart && range.has(*bound))
    }

    /// All of them.
    fn all_sides(&self) -> impl Iterator<Item = (usize, usize, Bound)> {
        (0..K).flat_map(|i| self.sides(i).map(move |(side, bound)| (i, side, bound)))
    }

    /// How far a number is outside.
    fn beyond(&self, i: usize, bound: Bound) -> E {
        self.range(i).beyond(bound, self.of.value[i])
    }

    /// What the round-off of a number is relative to.
    fn extent(&self, i: usize) -> E {
        let range = self.range(i);
        let bounds = Bound::BOTH.into_iter().filter(|&bound| range.has(bound)).map(|bound| range.of(bound).abs());
        bounds.fold(self.of.size[i], |sum, bound| sum + bound).max(E::default_epsilon())
    }

    /// What should hold a number instead.
    fn next(&self, i: usize, little: Little<E>) -> Option<(Hold, E)> {
        if self.of.stiff[i] <= E::zero() {
            return None;
        }
        let little = Little { value: little.value * self.extent(i), ..little };
        self.range(i).next(self.of.hold[i], self.of.value[i], self.of.multiplier[i], little)
    }

    /// The multiplier of both sides.
    fn net(&self, i: usize) -> E {
        self.sides(i).fold(E::zero(), |sum, (side, bound)| sum + bound.sign::<E>() * self.of.sides[i][side].now[1])
    }

    /// The multipliers after a step to the bounds that hold.
    pub(super) fn follow_holds(&mut self) {
        self.of.multiplier = self.of.slope + self.of.weight.component_mul(&self.by);
    }

    /// Weights and slopes by which a step goes to the bounds that hold.
    pub(super) fn aim_at_holds(&mut self) {
        for i in 0..K {
            let (range, value) = (self.range(i), self.of.value[i]);
            (self.of.weight[i], self.of.slope[i]) = match (self.of.hold[i], range.slack) {
                (Hold::At(bound), _) => {
                    let stiff = self.of.stiff[i];
                    (stiff, self.of.multiplier[i] + stiff * (value - range.of(bound)))
                }
                (Hold::Beyond(bound), Some(slack)) => {
                    let force = slack.linear + slack.quadratic * range.beyond(bound, value);
                    (slack.quadratic, bound.sign::<E>() * force)
                }
                _ => (E::zero(), E::zero()),
            };
        }
    }
}

impl<E: RealField + Copy, const K: usize> Bounds<E> for Bounded<'_, E, K> {
    fn let_go(&mut self) {
        self.of.hold = [Hold::Free; K];
        self.of.multiplier.fill(E::zero());
    }

    fn fit(&mut self) {
        for i in 0..K {
            let hold = self.range(i).kept(self.of.hold[i]);
            self.of.hold[i] = if self.of.stiff[i] > E::zero() { hold } else { Hold::Free };
            if self.of.hold[i] == Hold::Free {
                self.of.multiplier[i] = E::zero();
            }
        }
    }

    fn wrong(&self, little: Little<E>) -> E {
        (0..K).filter_map(|i| self.next(i, little)).fold(E::zero(), |most, (_, wrong)| most.max(wrong))
    }

    fn hold_again(&mut self, little: Little<E>, least: E) -> usize {
        let mut changed = 0;
        for i in 0..K {
            let Some((next, _)) = self.next(i, little).filter(|(_, wrong)| *wrong >= least) else { continue };
            changed += 1;
            self.of.hold[i] = next;
            if next == Hold::Free {
                self.of.multiplier[i] = E::zero();
            }
        }
        changed
    }

    fn unmet(&self) -> E {
        (0..K).fold(E::zero(), |sum, i| match self.of.hold[i] {
            Hold::At(bound) => sum + self.beyond(i, bound).abs() / self.extent(i),
            _ => sum,
        })
    }

    fn begin(&mut self, product: E, least: E) {
        for i in 0..K {
            let range = self.range(i);
            for (side, bound) in self.sides(i) {
                let least = least * (E::one() + range.of(bound).abs());
                self.of.sides[i][side] = Side::begin(self.beyond(i, bound), range.slack, product, least);
            }
            if range.is_equation() && self.of.stiff[i] > E::zero() {
                self.of.hold[i] = Hold::At(Bound::High);
            } else {
                (self.of.hold[i], self.of.multiplier[i]) = (Hold::Free, self.net(i));
            }
        }
    }

    fn aim_inside(&mut self, aim: Aim<E>) {
        for i in 0..K {
            let (range, give) = (self.range(i), E::one() / self.of.stiff[i]);
            let (mut weight, mut slope) = (E::zero(), self.of.multiplier[i]);
            for (side, bound) in self.sides(i) {
                let (more, constant) = self.of.sides[i][side].terms(self.beyond(i, bound), range.slack, aim, give);
                weight += more;
                slope += bound.sign::<E>() * constant;
            }
            // an input with one value is eliminated
            if range.is_equation() && self.of.stiff[i].is_finite() {
                weight = self.of.stiff[i];
                slope += weight * (self.of.value[i] - range.low);
            }
            (self.of.weight[i], self.of.slope[i]) = (weight, slope);
        }
    }

    fn change(&mut self, aim: Aim<E>) {
        for i in 0..K {
            let (slack, by, give) = (self.range(i).slack, self.by[i], E::one() / self.of.stiff[i]);
            for (side, bound) in self.sides(i) {
                let y = self.beyond(i, bound);
                self.of.sides[i][side].change(y, slack, aim, (bound.sign::<E>() * by, give));
            }
        }
    }

    fn longest(&self, most: E) -> E {
        self.all_sides().fold(most, |most, (i, side, _)| self.of.sides[i][side].longest(most))
    }

    fn products(&self, part: E) -> (E, usize) {
        self.all_sides().fold((E::zero(), 0), |(sum, count), (i, side, _)| {
            let own = if self.range(i).slack.is_some() { 2 } else { 1 };
            (sum + self.of.sides[i][side].products(part), count + own)
        })
    }

    fn advance(&mut self, part: E) {
        for i in 0..K {
            if self.range(i).is_equation() {
                let wanted = self.of.slope[i] + self.of.weight[i] * self.by[i];
                let own = &mut self.of.multiplier[i];
                *own += (wanted - *own) * part;
                continue;
            }
            for (side, _) in self.sides(i) {
                self.of.sides[i][side].advance(part);
            }
            self.of.multiplier[i] = self.net(i);
        }
    }

    fn residual(&self) -> (E, E) {
        let begin = (self.unmet(), E::zero());
        self.all_sides().fold(begin, |(gaps, forces), (i, side, bound)| {
            let (gap, force) = self.of.sides[i][side].residual(self.beyond(i, bound), self.range(i).slack);
            (gaps + gap / self.extent(i), forces + force)
        })
    }

    fn hold_close(&mut self) {
        for i in 0..K {
            let range = self.range(i);
            if range.is_equation() {
                continue;
            }
            let close = |(side, bound): (usize, Bound)| {
                let [gap, force, eps, rest] = self.of.sides[i][side].now;
                match range.slack {
                    // without w₁ both go to zero where the bound is kept
                    Some(slack) if slack.linear > E::zero() && eps > rest => Some(Hold::Beyond(bound)),
                    _ if force > gap => Some(range.kept(Hold::At(bound))),
                    _ => None,
                }
            };
            self.of.hold[i] = self.sides(i).find_map(close).unwrap_or(Hold::Free);
        }
    }

    fn recall(&mut self) {
        for i in 0..K {
            if !self.range(i).is_equation() {
                self.of.multiplier[i] = self.net(i);
            }
        }
    }
}
