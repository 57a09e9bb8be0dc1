//! Rows that depend on others, beside the same model without them.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{Block, Context, Proposal, Sensitive, Solvable, StepMap, Work};

use crate::blocks::Near;
use crate::models::{Single, Twice};
use crate::perturb::{Entry, Given};
use crate::stepping::{forward, newton};

/// Rows that depend on others change nothing but their multipliers, of which only the forces are determined.
fn redundant<M>(method: M, how: Option<&Projection<f64>>)
where
    M: Vary<Single<f64>> + Vary<Twice<f64>> + Copy,
{
    fn of<S, M>(model: &S, method: M, how: Option<&Projection<f64>>) -> (State<S>, Vec<(Entry, Vec<f64>)>)
    where
        S: Solvable<Real = f64> + Sensitive,
        M: Vary<S>,
    {
        let x = Start::default().solve(model, &Nominal).expect("a start");
        forward(model, &method, (&Given { own: S::U::zeros(0), gain: 0.0 }, how), &x)
    }
    let ((end, single), (_, twice)) = (of(&Single::default(), method, how), of(&Twice::default(), method, how));
    for ((entry, one), (_, two)) in single.iter().zip(&twice) {
        let force = two[6] + 3.0 * two[7];
        let two = [&two[..6], &[force]].concat();
        let near = Near { share: 1e-12, round_off: 1e-15 };
        assert_eq!(near.mistake_of(&Single::<f64>::default(), &end, &two, one), None, "{entry:?}");
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

model! {
    /// A bead on a line, held twice off x = 0: there both rows say the same.
    pub struct Bead<T> {
        param m: Real = 1.3;
        param k: Real = 2.0;
        param c: Real = 0.4;
        coord x: Real;
        coord y: Real;
        coord w: Real;
        kinetic = 0.5 * m * (sq(der(x)) + sq(der(y)) + 2.0 * sq(der(w)));
        potential = 0.5 * k * (sq(w) + w * y);
        dissipation = 0.5 * c * sq(der(w));
        constraint line: y == 0.0;
        constraint twice: w * x + y == 0.0;
        init x = -2.0;
        guess y = 0.0;
        guess w = 0.0;
        init der(x) = 100.0;
    }
}

/// A step to x = 0, whose rows are dependent, forward and backward.
#[test]
fn rows_that_depend_on_others_for_an_instant_are_taken_back() {
    fn check<M: Vary<Bead<f64>> + Copy>(method: M) {
        let (bead, h) = (Bead::<f64>::default(), 0.02);
        let mut x = Start::default().solve(&bead, &Nominal).expect("a start");
        let mut map = StepMap::of(&bead, method, &["m", "k", "c"]).expect("a map");
        let step = map.step(&x, [], h).expect("a step");
        assert_eq!(step.end.q.as_ref(), [0.0; 3]);
        let (a, p) = (step.a().labelled(), step.p().labelled());

        let mut work = Work::default();
        let mut cx = Context { system: &bead, inputs: &Nominal, work: &mut work };
        let (mut w, mut next) = (method.scratch(&bead), Proposal::new(&bead));
        let m = method.restart(&mut cx, &mut x, h, &mut w, &mut next.acceleration).expect("a start");
        next.attempt(&method, &mut cx, (&x, &m), h, &mut w).expect("a step");
        for row in 0..6 {
            let mut adjoint = Adjoint::new(&bead, Vec::new(), true);
            let (q, v) = (adjoint.state.q.as_mut(), adjoint.state.v.as_mut());
            q.iter_mut().chain(v).enumerate().for_each(|(i, x)| *x = f64::from(u8::from(i == row)));
            let made = Attempted { proposed: &next.x, end: &next.x, scratch: &mut w, projection: None };
            adjoint.back(&method, &mut cx, ((&x, &m), h), made).expect("a sweep");
            adjoint.begin(&method, &mut cx, &x).expect("a sweep");
            let Covector { q, v, .. } = &adjoint.state;
            let found = q.as_ref().iter().chain(v.as_ref()).chain(adjoint.totals().parameters.as_ref());
            let wanted = a.row(row).iter().chain(p.row(row).iter()).copied().collect::<Vec<_>>();
            let found: Vec<f64> = found.copied().collect();
            let near = Near { share: 1e-12, round_off: 1e-15 };
            let x = if row < 3 { step.end.q.as_ref() } else { step.end.v.as_ref() };
            // by q, by v and by parameters
            for own in [0..3, 3..6, 6..9] {
                assert_eq!(near.mistake(x, &found[own.clone()], &wanted[own.clone()]), None, "{row} {own:?}");
            }
        }
    }
    check(BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() });
    check(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) });
}
