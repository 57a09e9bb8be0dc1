//! Motions as plans tell them, and back.

use ode_runtime::linalg::SVector;
#[cfg(feature = "sprs")]
use ode_runtime::{Name, State};
use ode_runtime::{Optimizable, Solvable};

#[cfg(feature = "sprs")]
use crate::deviation::Deviation;
use crate::optimal::collocation::Collocation;
#[cfg(feature = "sprs")]
use crate::optimal::error::PlanError;
use crate::optimal::knot::Knot;
use crate::optimal::transcription::Told;

impl<S: Optimizable<Real = f64> + Solvable, C> Collocation<S, C> {
    /// States and inputs at the points of a motion.
    pub(super) fn told<const U: usize>(
        &self,
        system: &S,
        (knots, inputs): (&[Knot<S>], &[SVector<f64, U>]),
    ) -> Told<S> {
        let mut told = Told { inputs: Vec::new(), points: Vec::new(), instant: self.instant() };
        let mut equations = self.equations.clone();
        let begun = knots.iter().zip(inputs).skip(told.instant).enumerate();
        for (k, (x, u)) in begun {
            // before a search an interval may have no solution: then its points are where it begins
            if equations.solve(system, k, (x, u.as_slice())).is_err() {
                equations.rest(k, x);
            }
            let points = if k == 0 { 0 } else { self.own().start };
            for spot in &equations.spots[points..] {
                told.points.push(spot.x.clone());
                told.inputs.push(spot.u.clone());
            }
        }
        told
    }

    /// What an interval chooses, with the numbers of its points.
    #[cfg(feature = "sprs")]
    pub(super) fn names(&self, system: &S, k: usize) -> Vec<(Name, usize)> {
        let layout = system.layout();
        if k < self.instant() {
            return self.choices.names(&layout).map(|name| (Name::new(name), 0)).collect();
        }
        let points = 1..=self.equations.sizes.tableau.chosen();
        points.flat_map(|point| layout.u.iter().map(move |name| (Name::new(name), point))).collect()
    }

    /// The motion with these states and inputs.
    #[cfg(feature = "sprs")]
    pub(super) fn take<const U: usize>(
        &self,
        system: &S,
        (states, told): (&[State<S>], &[S::U]),
        (knots, inputs): (&mut [Knot<S>], &mut [SVector<f64, U>]),
    ) -> Result<(), PlanError> {
        let (sizes, instant) = (&self.equations.sizes, self.instant());
        let (nu, own, shared) = (sizes.nu, sizes.tableau.chosen(), usize::from(self.continuous()));
        let intervals = inputs.len() - instant;
        PlanError::lengths((states.len(), intervals + 1), (told.len(), own * intervals + shared))?;
        // the first state and the last one: there are at least two
        let horizon = sizes.share.map(|_| states[intervals].t - states[0].t);
        for (k, (x, knot)) in states.iter().zip(&mut knots[instant..]).enumerate() {
            if k + instant > 0 {
                knot.state.copy_from(x);
            }
            let inputs = told[k * own..].iter().take(shared).flat_map(|u| u.as_ref().iter().copied());
            knot.carried = inputs.chain(horizon).collect();
        }
        for (k, u) in inputs.iter_mut().skip(instant).enumerate() {
            let all = told[shared + k * own..].iter().flat_map(|u| u.as_ref()).take(own * nu);
            u.iter_mut().zip(all).for_each(|(u, told)| *u = *told);
        }
        if instant > 0 {
            let way = Deviation::of(system, &states[0], &knots[0].state);
            let free = self.choices.states.iter().map(|free| free.value + way.entry(free.direction));
            let all = told[0].as_ref().iter().copied().take(self.choices.inputs).chain(free).chain(horizon);
            inputs[0].iter_mut().zip(all).for_each(|(u, told)| *u = told);
        }
        Ok(())
    }
}
