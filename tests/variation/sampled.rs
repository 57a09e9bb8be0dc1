//! Controllers whose output is held from one sample instant to the next, taken back.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::variation::{Controls, Direction};
use ode_model::{By, Differentiable, Estimates, HeldInput, Inputs, Moment, Sensitive, Solvable, System};

use crate::blocks::Near;
use crate::costs::{Tracked, tracked};
use crate::gradients::{Ball, check};
use crate::models::{Bob, Cart, Mixed, bob, cart, mixed};
use crate::perturb::{derivative, tangent};
use crate::stepping::newton;

const PERIOD: f64 = 0.07;

fn cart_law(now: &State<Cart<f64>>, u: &mut cart::U<f64>) {
    u.set_u(0.4 * now.q.th().sin() - now.v.x() * now.v.th() + now.t.sin());
}

fn cart_derivative(now: Moment<'_, Cart<f64>>, d: &mut Direction<Cart<f64>>) {
    let by_state = 0.4 * now.q.th().cos() * d.q.th() - now.v.th() * d.v.x() - now.v.x() * d.v.th();
    d.u.set_u(by_state + now.t.cos() * d.t);
}

fn bob_law(now: &State<Bob<f64>>, u: &mut bob::U<f64>) {
    u.set_u(now.q.r()[0] * now.v.r()[0] + now.q.r()[1]);
}

fn bob_derivative(now: Moment<'_, Bob<f64>>, d: &mut Direction<Bob<f64>>) {
    let (dq, dv) = (d.q.as_ref(), d.v.as_ref());
    d.u.set_u(now.v.r()[0] * dq[0] + now.q.r()[0] * dv[0] + dq[1]);
}

#[test]
fn gradients_are_those_carried_forward() {
    fn carts<M: Vary<Cart<f64>> + Copy>(method: M) {
        let model = Cart::<f64>::default();
        let start = || Simulation::of(&model, method).sampled(PERIOD, cart_law).input_derivative(cart_derivative);
        check(|| start().fixed(0.02).expect("a start"), 0.5);
        // to a sample instant, and to a time before the first
        check(|| start().fixed(0.02).expect("a start"), 0.07);
        check(|| start().fixed(0.02).expect("a start"), 0.05);
    }
    fn bobs<M: Vary<Bob<f64>> + Copy>(method: M, how: Option<Projection<f64>>) {
        let model = Bob::<f64>::default();
        let start = || Simulation::of(&model, method).sampled(PERIOD, bob_law).input_derivative(bob_derivative);
        let start = || how.map_or_else(start, |how| start().project(how));
        check(|| start().fixed(0.02).expect("a start"), 0.5);
    }
    carts(DormandPrince);
    carts(Bdf2::default());
    carts(Leapfrog::once());
    carts(StormerVerlet::default());
    bobs(GeneralizedAlpha::with_spectral_radius(0.8), None);
    bobs(Heun, Some(Projection::to(1e-13)));
}

/// Gradients with a controller are those carried forward, and these are those of differences.
fn as_differences<S, M>(
    model: &S,
    method: M,
    law: impl Fn(&State<S>, &mut S::U) + Copy,
    derivative: impl Fn(Moment<'_, S>, &mut Direction<S>) + Copy,
) where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S> + Copy,
{
    let start = || Simulation::of(model, method).sampled(PERIOD, law).input_derivative(derivative);
    check(|| start().fixed(0.02).expect("a start"), 0.3);
    let mut run = start().fixed(0.02).expect("a start").vary(&By::new().parameters()).expect("a linearisation");
    run.advance_to(0.3).expect("steps");
    let p = model.parameter_block();
    for (k, name) in run.names().iter().enumerate() {
        let wanted = crate::perturb::derivative(1e-3 * p.as_ref()[k], |h| {
            let mut p = p.clone();
            p.as_mut()[k] += h;
            let moved = model.with_parameters(&p);
            let mut other = Simulation::of(&moved, method).sampled(PERIOD, law).fixed(0.02).expect("a start");
            other.advance_to(0.3).expect("steps");
            tangent(model, run.run().state(), other.state())
        });
        let found: Vec<f64> = run.jacobian().column(k).iter().copied().collect();
        let near = Near { share: 1e-8, ..Near::differences(1e-3 * p.as_ref()[k].abs()) };
        assert_eq!(near.mistake_of(model, run.run().state(), &found, &wanted), None, "{name}");
    }
}

/// What a controller reads may follow from its own output, or from the guess of a start: algebraic variables,
/// positions on constraints.
#[test]
fn what_jumps_with_the_output_was_sampled_before() {
    fn each<M: Vary<Tracked<f64>> + Vary<Mixed<f64>> + Vary<Bob<f64>> + Copy>(method: M) {
        let law = |now: &State<Bob<f64>>, u: &mut bob::U<f64>| u.set_u(now.q.r()[1] * now.q.r()[1] * now.v.r()[1]);
        as_differences(&Bob::default(), method, law, |now, d| {
            let ([_, y], [_, vy]) = (now.q.r(), now.v.r());
            d.u.set_u(2.0 * y * vy * d.q.as_ref()[1] + y * y * d.v.as_ref()[1]);
        });
        let law = |now: &State<Tracked<f64>>, u: &mut tracked::U<f64>| {
            u.set_u(0.5 * now.z.y() * now.z.y() - 0.4 * now.v.x() + now.z.z());
        };
        as_differences(&Tracked::default(), method, law, |now, d| {
            d.u.set_u(now.z.y() * d.z.y() - 0.4 * d.v.x() + d.z.z());
        });
        let law = |now: &State<Mixed<f64>>, u: &mut mixed::U<f64>| u.set_u(now.q.x() * now.q.th() - now.z.lag());
        as_differences(&Mixed::default(), method, law, |now, d| {
            d.u.set_u(now.q.th() * d.q.x() + now.q.x() * d.q.th() - d.z.lag());
        });
    }
    each(RungeKutta4);
    each(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) });
}

#[test]
fn events_may_come_between() {
    let model = Ball::<f64>::default();
    fn agree<M: Vary<Ball<f64>> + Estimates + Copy>(model: &Ball<f64>, method: M) {
        let start = || {
            let run =
                Simulation::of(model, method).sampled(PERIOD, |now, u| u.set_u(0.4 - now.v.r()[0] * now.q.r()[1]));
            run.input_derivative(|now, d| {
                let (by_v, by_q) = (d.v.as_ref()[0], d.q.as_ref()[1]);
                d.u.set_u(-by_v * now.q.r()[1] - now.v.r()[0] * by_q);
            })
        };
        check(|| start().fixed(0.02).expect("a start"), 0.9);
        check(|| start().adaptive(1e-6).expect("a start"), 0.9);
    }
    agree(&model, DormandPrince);
    agree(&model, GeneralizedAlpha::with_spectral_radius(0.8));
}

/// What is held where a run goes on is given.
#[test]
fn resumed_runs_go_on_with_what_is_held() {
    let model = Cart::<f64>::default();
    fn agree<M: Vary<Cart<f64>> + Copy>(model: &Cart<f64>, method: M) {
        let setup = || Simulation::of(model, method).sampled(PERIOD, cart_law).input_derivative(cart_derivative);
        // between two instants, and at one
        for begin in [0.11, 2.0 * PERIOD] {
            let mut run = setup().fixed(0.02).expect("a start");
            run.advance_to(begin).expect("steps");
            let point = run.checkpoint();
            check(|| setup().resume(point.clone()).fixed(0.02).expect("a checkpoint"), 0.4);
        }
    }
    agree(&model, DormandPrince);
    agree(&model, Bdf2::default());
}

/// A controller with two gains, which are its own numbers.
#[derive(Clone)]
struct Gains {
    gains: [f64; 2],
    held: Option<HeldInput<Cart<f64>>>,
}

impl Inputs<Cart<f64>> for Gains {
    fn evaluate(&self, model: &Cart<f64>, _: Moment<'_, Cart<f64>>, u: &mut cart::U<f64>) {
        match &self.held {
            Some(held) => u.clone_from(&held.output),
            None => model.nominal(u),
        }
    }

    fn next_sample(&self) -> Option<f64> {
        Some(self.held.as_ref().map_or(0.0, |held| held.first + held.taken as f64 * PERIOD))
    }

    fn sample(&mut self, _: &Cart<f64>, x: &State<Cart<f64>>) {
        let (first, taken) = self.held.as_ref().map_or((x.t, 0), |held| (held.first, held.taken));
        let u = self.gains[0] * x.q.th() + self.gains[1] * x.v.x() * x.v.x();
        self.held = Some(HeldInput { first, taken: taken + 1, output: [u].into() });
    }

    fn held(&self) -> Option<HeldInput<Cart<f64>>> {
        self.held.clone()
    }

    fn resume(&mut self, held: HeldInput<Cart<f64>>) {
        self.held = Some(held);
    }
}

impl Controls<Cart<f64>> for Gains {
    fn vary(&self, _: &Cart<f64>, at: Moment<'_, Cart<f64>>, own: Option<usize>, d: &mut Direction<Cart<f64>>) {
        let by_state = self.gains[0] * d.q.th() + 2.0 * self.gains[1] * at.v.x() * d.v.x();
        d.u.set_u(by_state + own.map_or(0.0, |own| [at.q.th(), at.v.x() * at.v.x()][own]));
    }

    fn names(&self, _: &ode_model::Layout<'_>) -> Vec<String> {
        ["gain[0]", "gain[1]"].map(String::from).to_vec()
    }
}

#[test]
fn a_controller_has_numbers_of_its_own() {
    fn agree<M: Vary<Cart<f64>> + Copy>(method: M) {
        let model = Cart::<f64>::default();
        let own = Gains { gains: [0.8, -0.3], held: None };
        let start = |own: &Gains| Simulation::of(&model, method).inputs(own.clone()).fixed(0.02).expect("a start");
        check(|| start(&own), 0.5);
        let mut run = start(&own).reversible(&By::new().input("gain").parameters(), 4).expect("room");
        run.advance_to(0.5).expect("steps");
        let found = run.gradient(|passed, by| {
            if !passed.is_last() {
                return 0.0;
            }
            by.q.set_th(1.0);
            passed.state.q.th()
        });
        let found = found.expect("a gradient").by;
        assert_eq!(run.names(), ["gain[0]", "gain[1]", "m", "mp", "l", "c"]);
        for (k, found) in found.iter().enumerate() {
            let wanted = derivative(1e-3, |h| {
                let (mut own, mut p) = (own.clone(), model.parameter_block());
                own.gains.iter_mut().chain(p.as_mut()).nth(k).into_iter().for_each(|x| *x += h);
                let moved = model.with_parameters(&p);
                let mut run = Simulation::of(&moved, method).inputs(own).fixed(0.02).expect("a start");
                run.advance_to(0.5).expect("steps");
                vec![run.state().q.th()]
            });
            let near = Near { share: 1e-8, ..Near::differences(1e-3) };
            assert_eq!(near.mistake(&[run.run().state().q.th()], &[*found], &wanted), None, "{k}");
        }
    }
    agree(RungeKutta4);
    agree(GeneralizedAlpha::with_spectral_radius(0.8));
}

/// A feedback that gets another offset at each knot, and moves between them.
#[derive(Clone, Copy, Default)]
struct Knotted {
    reached: u64,
    /// whether checkpoints keep the last output
    kept: bool,
}

impl Knotted {
    fn u(&self, q: &cart::Q<f64>, t: f64) -> f64 {
        t - q.x() + 0.1 * self.reached as f64
    }
}

impl Inputs<Cart<f64>> for Knotted {
    fn evaluate(&self, _: &Cart<f64>, at: Moment<'_, Cart<f64>>, u: &mut cart::U<f64>) {
        u.set_u(self.u(at.q, at.t));
    }

    fn next_sample(&self) -> Option<f64> {
        Some(self.reached as f64 * PERIOD)
    }

    fn sample(&mut self, _: &Cart<f64>, _: &State<Cart<f64>>) {
        self.reached += 1;
    }

    fn held(&self) -> Option<HeldInput<Cart<f64>>> {
        self.kept.then_some(HeldInput { first: 0.0, taken: self.reached, output: [0.0].into() })
    }

    fn holds(&self) -> bool {
        false
    }

    fn resume(&mut self, held: HeldInput<Cart<f64>>) {
        self.reached = held.taken;
    }
}

/// To land on instants is one thing, to hold an output between them another.
#[test]
fn inputs_may_move_between_their_instants() {
    fn agree<M: Vary<Cart<f64>> + Copy>(method: M, kept: bool) {
        let model = Cart::<f64>::default();
        let inputs = Knotted { reached: 0, kept };
        let start = || {
            let run = Simulation::of(&model, method).inputs(inputs);
            run.input_derivative(|_, d| d.u.set_u(d.t - d.q.x())).fixed(0.02).expect("a start")
        };
        if kept {
            check(start, 0.5);
        } else {
            let refused = start().reversible(&By::new(), 4).map(drop).expect_err("no way back").to_string();
            assert!(refused.contains("backwards, a run whose inputs have instants"), "{refused}");
        }
        let mut run = start().vary(&By::new().parameters()).expect("a linearisation");
        run.advance_to(0.5).expect("steps");
        let p = model.parameter_block();
        for (k, name) in run.names().iter().enumerate() {
            let wanted = derivative(1e-3 * p.as_ref()[k], |h| {
                let mut p = p;
                p.as_mut()[k] += h;
                let moved = model.with_parameters(&p);
                let mut other = Simulation::of(&moved, method).inputs(inputs).fixed(0.02).expect("a start");
                other.advance_to(0.5).expect("steps");
                tangent(&model, run.run().state(), other.state())
            });
            let found: Vec<f64> = run.jacobian().column(k).iter().copied().collect();
            let near = Near { share: 1e-8, ..Near::differences(1e-3 * p.as_ref()[k].abs()) };
            assert_eq!(near.mistake_of(&model, run.run().state(), &found, &wanted), None, "{name}");
        }
    }
    agree(RungeKutta4, true);
    agree(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) }, false);
}
