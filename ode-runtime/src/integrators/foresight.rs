//! What the first guesses of symplectic steps lacked of the solutions. It changes little from step to step, so it is
//! extrapolated to the next step by its differences.

use crate::model::history::{History, Parts};
use crate::model::state::copy;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::solve::{Change, norm};

/// The largest ratio of a step to the last one at which its guess still helps: round-off grows with the square.
const MOST: f64 = 12.0;

/// Differences kept.
const KEPT: usize = 4;

/// The second correction may be larger than an earlier step lets expect, by this factor.
const CAUTION: f64 = 4.0;

/// What is expected of it grows by this factor in each step that has no second correction.
const AGE: f64 = 1.25;

/// What the guess of the last step lacked, and that step.
#[derive(Debug)]
pub struct Foresight<S: Solvable> {
    /// what the last guess lacked, and the differences of that over the steps before, which were as large
    lacks: [Change<S>; KEPT],
    /// how many of them there are
    known: u64,
    /// how many of them predict the next one best; 0 where they are round-off
    best: u64,
    /// (vₐ − vᵦ)/h: the change of velocities by that of M
    pub(crate) turn: S::V,
    /// the second correction as a multiple of the first, in the last step that took two, and that step
    fall: [Option<S::Real>; 2],
    h: Option<S::Real>,
    /// whether the last step took the matrix of its own equations, and whether the next is to
    pub(crate) linearized: bool,
    pub(crate) linearize: bool,
    /// the time of the factors at the end of the last step, if the next step can begin with them
    pub(crate) arrived: Option<S::Real>,
}

impl<S: Solvable> Foresight<S> {
    pub(crate) fn none(system: &S) -> Self {
        let layout = system.layout();
        let lacks: [Change<S>; KEPT] = core::array::from_fn(|_| Change::zeros(&layout));
        Self {
            turn: lacks[0].v[0].clone(),
            lacks,
            known: 0,
            best: 0,
            fall: [None; 2],
            h: None,
            linearized: true,
            linearize: true,
            arrived: None,
        }
    }

    /// Whether it says something of a step of `h`.
    pub(crate) fn serves(&self, h: S::Real) -> bool {
        self.h.is_some_and(|last| (h / last).abs() <= S::Real::from_f64(MOST))
    }

    /// What the second correction of a step of `h` may be as a multiple of the first.
    pub(crate) fn ratio(&self, h: S::Real) -> Option<S::Real> {
        self.fall(h).map(|ratio| S::Real::from_f64(CAUTION) * ratio)
    }

    /// The known ratio of these corrections, scaled to a step of `h`: it is of the order of h or of h².
    fn fall(&self, h: S::Real) -> Option<S::Real> {
        let [Some(ratio), Some(last)] = self.fall else { return None };
        let scale = (h / last).abs();
        Some(ratio * scale * scale.max(S::Real::ONE))
    }

    /// Adds to the guess of a step of `h` what it is likely to lack.
    pub(crate) fn complete(&self, h: S::Real, guess: &mut Change<S>) {
        let scale = self.h.map_or(S::Real::ONE, |last| (h / last) * (h / last));
        let count = if self.continues(h) { self.best } else { self.best.min(1) };
        for (_, lack) in (0..count).zip(&self.lacks) {
            guess.add(scale, lack);
        }
    }

    /// Whether a step of `h` is as large as the last.
    pub(crate) fn continues(&self, h: S::Real) -> bool {
        self.h.is_some_and(|last| (h - last).abs() <= S::Real::from_f64(1e-3) * last.abs())
    }

    /// Learns from the end of a step of `h` that began at `guess`, completed by `last`, and of the first `ratio` of
    /// its corrections if there were two.
    pub(crate) fn learn(
        &mut self,
        last: Option<&Self>,
        h: S::Real,
        ratio: Option<S::Real>,
        guess: &Change<S>,
        end: &Change<S>,
    ) {
        let one = S::Real::ONE;
        let [lack, ..] = &mut self.lacks;
        lack.copy_from(end);
        lack.add(-one, guess);
        self.known = 1;
        let mut least = (0, size(lack));
        if let Some(last) = last {
            let scale = last.h.map_or(one, |last| (h / last) * (h / last));
            let continues = last.continues(h);
            let known = if continues { last.known } else { last.known.min(1) };
            for (_, (old, at)) in (0..known).zip(last.lacks.iter().zip(1..KEPT)) {
                let (before, after) = self.lacks.split_at_mut(at);
                let (Some(before), Some(after)) = (before.last(), after.first_mut()) else { break };
                after.copy_from(before);
                after.add(-scale, old);
                let off = size(after);
                if off < least.1 {
                    least = (at as u64, off);
                }
                self.known = if continues { at as u64 + 1 } else { 1 };
            }
        }
        // Unused differences are cleared of what earlier steps left there, because they are saved too.
        self.lacks.iter_mut().zip(0..).filter(|(_, at)| *at >= self.known).for_each(|(lack, _)| lack.clear());
        // If the last difference is the smallest, it is used too.
        self.best = if least.0 + 1 == self.known { self.known } else { least.0 };
        for ((turn, &a), &b) in self.turn.as_mut().iter_mut().zip(end.v[0].as_ref()).zip(end.v[1].as_ref()) {
            *turn = (a - b) / h;
        }
        // A ratio of one or more says nothing, and one that grew for ever would be saved as infinity.
        let known = last.and_then(|last| last.fall(h)).filter(|&fall| fall < one);
        let old = |share| known.map(|known| S::Real::from_f64(share) * known);
        // A ratio may be small by chance.
        let ratio = match ratio {
            Some(ratio) => Some(old(0.5).map_or(ratio, |old| old.max(ratio))),
            None => old(AGE),
        };
        self.fall = [ratio, Some(h)];
        self.h = Some(h);
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        for (to, from) in self.lacks.iter_mut().zip(&other.lacks) {
            to.copy_from(from);
        }
        copy(&other.turn, &mut self.turn);
        (self.known, self.best, self.fall, self.h) = (other.known, other.best, other.fall, other.h);
        (self.linearized, self.linearize) = (other.linearized, other.linearize);
        self.arrived = other.arrived;
    }
}

impl<S: Solvable> Clone for Foresight<S> {
    fn clone(&self) -> Self {
        let Self { lacks, known, best, turn, fall, h, linearized, linearize, arrived } = self;
        Self {
            lacks: lacks.clone(),
            known: *known,
            best: *best,
            turn: turn.clone(),
            fall: *fall,
            h: *h,
            linearized: *linearized,
            linearize: *linearize,
            arrived: *arrived,
        }
    }

    /// Without allocating.
    fn clone_from(&mut self, other: &Self) {
        self.copy_from(other);
    }
}

/// The largest change of a velocity.
fn size<S: Solvable>(change: &Change<S>) -> S::Real {
    change.v.iter().fold(S::Real::ZERO, |size, v| size.max(norm(v.as_ref())))
}

impl<S: Solvable> History<S::Real> for Foresight<S> {
    fn visit(&mut self, parts: &mut dyn Parts<S::Real>) {
        for Change { v: [first, last], z, impulse } in &mut self.lacks {
            parts.numbers("first velocity, guess off by", first.as_mut());
            parts.numbers("last velocity, guess off by", last.as_mut());
            parts.numbers("states, guess off by", z.as_mut());
            parts.numbers("impulse, guess off by", impulse.as_mut());
        }
        parts.count("differences known", &mut self.known);
        parts.count("differences that serve", &mut self.best);
        parts.numbers("change of velocities by inertia", self.turn.as_mut());
        let [ratio, step] = &mut self.fall;
        parts.optional("fall of corrections", ratio);
        parts.optional("step in which they fell", step);
        parts.optional("step before", &mut self.h);
        for (name, flag) in [("matrix of the last step", &mut self.linearized), ("of the next", &mut self.linearize)] {
            let mut count = u64::from(*flag);
            parts.count(name, &mut count);
            *flag = count != 0;
        }
        parts.optional("time of the factors", &mut self.arrived);
    }
}
