//! The interval without time at the beginning: it chooses what is free there.

use ode_runtime::linalg::{DMatrix, SMatrix, SVector};
use ode_runtime::{Optimizable, Solvable};

use crate::optimal::collocation::curvature::Curvature;
use crate::optimal::collocation::equations::Spot;
use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::collocation::{Collocation, add_symmetric};
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Evaluation, Place, allowed};
use crate::optimal::knot::Knot;
use crate::optimal::node::Node;
use crate::optimal::transcription::Wanted;
use crate::optimal::turn::Turn;
use crate::stages::Stage;

impl<S: Optimizable<Real = f64> + Solvable, C: Curvature<S>> Collocation<S, C> {
    /// Refuses what this transcription does not have, and a start or an end that breaks a limit, whatever the
    /// inputs are.
    pub(super) fn check(&self, on: &mut Evaluation<'_, S>, sizes: &Sizes) -> Result<(), PlanError> {
        let refused = |what, instead| Err(PlanError::Scheme { what, instead });
        if C::COSTS && !Turn::spheres(on.system).is_empty() {
            return refused("second derivatives of a motion with points of the sphere", "take `Collocation::of`");
        }
        if sizes.nc > 0 && sizes.tableau.continuous() {
            return refused("constraints with this scheme", "take `Scheme::Radau`");
        }
        if sizes.nc > 0 && on.posed.free.iter().any(|free| free.direction < sizes.directions - sizes.differential) {
            return refused("a free start of coordinates that constraints tie", "make states of first order free");
        }
        if on.posed.horizon.is_some() {
            if !C::COSTS {
                return refused("a free horizon without second derivatives", "take `Collocation::exact`");
            }
            on.refuse_time()?;
        }
        let Some((start, end)) = on.posed.states.first().zip(on.posed.states.last()) else { return Ok(()) };
        for (state, first) in [(start, true), (end, false)] {
            let values = on.evaluator.limits(on.system, (state, &on.nominal), |_, _, _| {}).to_vec();
            allowed(on, (state, Place { first, last: !first, inputs: false }), &values)?;
        }
        Ok(())
    }

    /// The interval without time.
    pub(super) fn start<const N: usize, const U: usize>(
        &mut self,
        on: &mut Evaluation<'_, S>,
        (x, u): (&Knot<S>, &SVector<f64, U>),
        node: &mut Node<N, U>,
        end: &mut Knot<S>,
    ) -> Result<(), PlanError> {
        self.choices.write(on.system, (x, u), end);
        let weights = &on.posed.terms.nodes[0];
        let input = self.first_inputs(on, u);
        // where nothing of the start is free but the horizon, limits hold at points only
        let chosen = self.continuous() || !self.choices.states.is_empty();
        let nh = if chosen { on.posed.limit_bounds.len() } else { 0 };
        node.clear(nh);
        let Node { cost, x: by_x, u: by_u, limits, limit_x, limit_u, .. } = &mut *node;
        let (at, choices, continuous) = ((&end.state, &input), &self.choices, self.continuous());
        let see = |direction: usize, slope: f64, by_x: &mut SVector<f64, N>, by_u: &mut SVector<f64, U>| match choices
            .place(direction)
        {
            Some(place) if continuous || direction < choices.directions => by_u[place] += slope,
            Some(_) => {}
            None => by_x[direction] += slope,
        };
        *cost = on.evaluator.costs(on.system, at, weights.both(), |i, slope| see(i, slope, by_x, by_u));
        if nh > 0 {
            let values = on.evaluator.limits(on.system, at, |row, i, slope| {
                see(i, slope, &mut limit_x[row], &mut limit_u[row]);
            });
            limits.copy_from_slice(values);
        }
        if !node.is_finite() {
            let name = on.evaluator.spoilt(on.system, weights.both());
            return Err(PlanError::NonFinite { node: 0, name });
        }
        Ok(())
    }

    pub(super) fn linearize_start<const N: usize, const U: usize>(
        &mut self,
        on: &mut Evaluation<'_, S>,
        (x, u): (&Knot<S>, &SVector<f64, U>),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let sizes = &self.equations.sizes;
        (stage.a, stage.b) = (SMatrix::zeros(), SMatrix::zeros());
        // a point that varies as its state and its inputs do
        let mut rates = DMatrix::zeros(sizes.columns(), N + U);
        for i in 0..sizes.horizon() {
            let place = self.choices.place(i);
            match place {
                Some(place) => stage.b[(i, place)] = 1.0,
                None => stage.a[(i, i)] = 1.0,
            }
            rates[(sizes.column(i), place.map_or(i, |place| N + place))] = 1.0;
        }
        if sizes.share.is_some() {
            stage.b[(sizes.horizon(), self.choices.count() - 1)] = 1.0;
        }
        let mut start = x.clone();
        self.choices.write(on.system, (x, u), &mut start);
        let spot = Spot::alone(start.state, self.first_inputs(on, u), on.system);
        self.weights = on.posed.terms.nodes[0].clone();
        let (weights, multipliers) = ((self.weights.both(), wanted.limits), vec![0.0; sizes.block()]);
        self.curvature.add(on, (sizes, &spot), (&rates, None), (weights, &multipliers), |r, c, value| {
            add_symmetric(stage, (r, c), value);
        })
    }

    /// The inputs of the start: those that are chosen there, or the nominal ones.
    fn first_inputs<const U: usize>(&self, on: &Evaluation<'_, S>, u: &SVector<f64, U>) -> S::U {
        let mut out = on.nominal.clone();
        out.as_mut().iter_mut().zip(u.iter().take(self.choices.inputs)).for_each(|(out, u)| *out = *u);
        out
    }
}
