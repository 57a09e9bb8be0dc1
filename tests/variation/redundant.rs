//! Rows that depend on others, beside the same model without them.

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{Block, Nominal, Sensitive, Solvable, Start};

use crate::models::{Single, Twice};
use crate::perturb::{Entry, Given};
use crate::stepping::{forward, newton};

/// Rows that depend on others change nothing but their multipliers, of which only the forces are determined.
fn redundant<M>(method: M, how: Option<&Projection<f64>>)
where
    M: Vary<Single<f64>> + Vary<Twice<f64>> + Copy,
{
    fn of<S, M>(model: &S, method: M, how: Option<&Projection<f64>>) -> Vec<(Entry, Vec<f64>)>
    where
        S: Solvable<Real = f64> + Sensitive,
        M: Vary<S>,
    {
        let x = Start::default().solve(model, &Nominal).expect("a start");
        forward(model, &method, (&Given { own: S::U::zeros(0), gain: 0.0 }, how), &x).1
    }
    let (single, twice) = (of(&Single::default(), method, how), of(&Twice::default(), method, how));
    for ((entry, one), (_, two)) in single.iter().zip(&twice) {
        let scale = one.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        let force = two[6] + 3.0 * two[7];
        for (one, two) in one.iter().zip(two[..6].iter().chain([&force])) {
            assert!((one - two).abs() <= 1e-12 * scale, "{entry:?}: {two} instead of {one}");
        }
    }
}

#[test]
fn rows_that_depend_on_others_do_not_disturb() {
    redundant(RungeKutta4, None);
    redundant(Heun, Some(&Projection { margin: 1e-3, ..Projection::to(1e-13) }));
    redundant(BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() }, None);
    let multipliers = Multipliers::OfScheme;
    redundant(BackwardEuler { multipliers, ..BackwardEuler::linearized() }, None);
    redundant(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) }, None);
    redundant(StormerVerlet::default(), None);
}
