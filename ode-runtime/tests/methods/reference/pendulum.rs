//! The Cartesian pendulum of unit mass and length: closed forms, and what Project Chrono's timesteppers give.

use ode_runtime::integrators::{
    BackwardEuler, DormandPrince, First, GeneralizedAlpha, Geodesic, Multipliers, SemiExplicitEuler,
};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Simulation, State};

use super::{all_close, close, fixed};
use crate::common::plants::Pendulum;
use crate::common::{On, on};

/// Cartesian pendulum, m = L = 1, g = 9.81: closed form by elliptic functions, C = (x² + y² − 1)/2.
const PENDULUM: [f64; 4] = [-0.986_291_751_131_9, -0.165_010_853_125_5, -0.296_905_515_916_2, 1.774_643_641_112_7];
const PENDULUM_LAMBDA: f64 = -4.856_269_407_483;

#[test]
fn pendulum_by_error_control() {
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-13)).adaptive(1e-14).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    for (got, want) in x.q.iter().chain(&x.v).zip(PENDULUM) {
        close(*got, want, 1e-11);
    }
    close(x.lambda[0], PENDULUM_LAMBDA, 1e-11);
}

/// Errors of the position at t = 1 against the closed form, h = 0.02, 0.01, 0.005, 0.0025.
#[track_caller]
fn position_errors<M: Method<On<Pendulum>> + Copy>(method: M, errors: [f64; 4]) {
    for (h, want) in [0.02, 0.01, 0.005, 0.0025].into_iter().zip(errors) {
        let x = fixed(&on(Pendulum::standard()), method, h, 1.0);
        let error = (x.q[0] - PENDULUM[0]).hypot(x.q[1] - PENDULUM[1]);
        assert!((error - want).abs() < 6e-4 * want, "h = {h}: error {error:e} is not {want:e}");
    }
}

#[test]
fn errors_of_index_3_methods_are_those_of_project_chrono() {
    // Printed with four digits.
    let newmark = [2.347e-3, 5.859e-4, 1.464e-4, 3.660e-5];
    position_errors(GeneralizedAlpha::newmark(0.5, 0.25), newmark);
    position_errors(GeneralizedAlpha::with_spectral_radius(1.0), newmark);
    position_errors(GeneralizedAlpha::hht(-0.2), [3.505e-3, 8.538e-4, 2.107e-4, 5.232e-5]);
    position_errors(GeneralizedAlpha::newmark(0.6, 0.3), [3.622e-2, 1.781e-2, 8.827e-3, 4.393e-3]);
    position_errors(BackwardEuler::default(), [2.670e-1, 1.477e-1, 7.810e-2, 4.022e-2]);
}

/// q, v and λ of the pendulum at t = 1 in steps of 0.01 as Project Chrono starts: its a₀ and λ₀ are zero, the forces of
/// the first step's average are those at t = 0 without λ.
fn started_like_project_chrono(method: GeneralizedAlpha<f64>) -> State<On<Pendulum>> {
    let pendulum = on(Pendulum::standard());
    let mut start = State::neutral(&pendulum);
    (start.q, start.a) = ([1.0, 0.0], [0.0, -9.81]);
    let mut method = GeneralizedAlpha { first: First::Zero, multipliers: Multipliers::OfScheme, ..method };
    // Nothing may damp round-off: converge further than usual.
    method.newton.tolerance = 1e-14;
    let mut run = Simulation::of(&pendulum, method).given_with_rates(start).fixed(0.01).expect("a start");
    run.advance_to(1.0).expect("steps");
    run.state().clone()
}

#[test]
fn a_start_given_by_hand_makes_the_steps_of_project_chrono() {
    // Project Chrono, Newton's tolerance 1e-12, 100 steps.
    for rule in [GeneralizedAlpha::newmark(0.5, 0.25), GeneralizedAlpha::trapezoidal(), GeneralizedAlpha::hht(0.0)] {
        let x = started_like_project_chrono(rule);
        all_close(&x.q, &[-0.984_631_040_206_06, -0.174_647_400_961_86], 1e-11);
        all_close(&x.v, &[-0.322_806_098_492_41, 1.822_009_489_047_9], 1e-11);
        // It oscillates, and so does round-off.
        close(x.lambda[0], -4.050_562_186_459_2, 1e-7);
    }
    let x = started_like_project_chrono(GeneralizedAlpha::newmark(0.6, 0.3));
    all_close(&x.q, &[-0.981_852_982_511_24, -0.189_643_667_792_48], 1e-11);
    all_close(&x.v, &[-0.342_630_584_952_35, 1.776_180_250_503_7], 1e-11);
    close(x.lambda[0], -5.173_407_466_369_1, 1e-9);
    let x = started_like_project_chrono(GeneralizedAlpha::hht(-0.2));
    all_close(&x.q, &[-0.985_221_664_296_11, -0.171_284_185_497_66], 1e-11);
    all_close(&x.v, &[-0.313_344_293_374_85, 1.805_243_939_573_3], 1e-11);
    close(x.lambda[0], -5.031_289_693_492_5, 1e-9);
    let x = started_like_project_chrono(GeneralizedAlpha::hht(-0.3));
    all_close(&x.q, &[-0.985_525_981_105_44, -0.169_524_454_183_32], 1e-11);
    close(x.lambda[0], -4.979_296_901_059_9, 1e-9);
}

#[test]
fn backward_euler_makes_the_steps_of_project_chrono() {
    // h = 0.01, 100 steps; it does not read the accelerations of its start.
    let pendulum = on(Pendulum::standard());
    let method = BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::default() };
    let x = fixed(&pendulum, method, 0.01, 1.0);
    all_close(&x.q, &[-0.951_218_363_122_14, -0.308_518_436_498_11], 1e-11);
    all_close(&x.v, &[-0.485_289_683_211_47, 1.457_969_753_188_5], 1e-11);
    close(x.lambda[0], -5.679_848_316_302, 1e-11);
}

#[test]
fn ten_seconds_by_error_control() {
    // Closed form, θ = 2 asin(k sn(K − ω t)); rates, λ and a by a 128-bit integration that agrees with it to 4e-28.
    // C = x² + y² − 1; the source writes M a = f − Gᵀλ.
    let pendulum = on(Pendulum { scale: 1.0, ..Pendulum::standard() });
    let mut run =
        Simulation::of(&pendulum, DormandPrince).project(Projection::to(1e-13)).adaptive(3e-14).expect("a start");
    run.advance_to(10.0).expect("steps");
    let x = run.state();
    all_close(&x.q, &[0.275_087_462_576_116_86, -0.961_419_205_099_125_06], 1e-11);
    all_close(&x.v, &[-4.175_598_100_951_728_8, -1.194_749_054_560_475_3], 1e-11);
    all_close(&x.a, &[-7.783_480_697_406_448_2, 17.392_940_311_880_948], 1e-11);
    all_close(&x.lambda, &[-14.147_283_603_033_625], 1e-11);
}

#[test]
fn newmark_and_hht_are_of_order_2_in_v_and_lambda() {
    // Runs of Project Chrono: Newmark(½, ¼) of order 2.00 in x, v and λ from a consistent start.
    let pendulum = on(Pendulum::standard());
    for method in [GeneralizedAlpha::with_spectral_radius(1.0), GeneralizedAlpha::newmark(0.5, 0.25)] {
        let errors = [0.005, 0.0025].map(|h| {
            let x = fixed(&pendulum, method, h, 1.0);
            [(x.v[0] - PENDULUM[2]).hypot(x.v[1] - PENDULUM[3]), (x.lambda[0] - PENDULUM_LAMBDA).abs()]
        });
        for (coarse, fine) in errors[0].iter().zip(errors[1]) {
            assert!(((coarse / fine).log2() - 2.0).abs() < 0.05, "{method:?}: {errors:?}");
        }
    }
    let at = |h| fixed(&pendulum, GeneralizedAlpha::hht(-0.3), h, 1.0);
    let error = |x: State<On<Pendulum>>| (x.q[0] - PENDULUM[0]).hypot(x.q[1] - PENDULUM[1]);
    close(error(at(0.02)), 3.706e-3, 6e-4);
    close(error(at(0.0025)), 5.512e-5, 6e-4);
}

#[test]
fn semi_explicit_euler_drifts_as_project_chronos() {
    // EulerSemiImplicit, h = 0.01, 100 steps. Its γ is a finite difference: six digits are the same.
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, SemiExplicitEuler::explicit()).fixed(0.01).expect("a start");
    let mut drift = 0.0_f64;
    while run.state().t < 1.0 {
        run.step_towards(1.0).expect("a step");
        drift = drift.max(run.drift().expect("finite").0);
    }
    all_close(&run.state().q, &[-1.016_063_266_009_8, -0.264_103_703_577_69], 5e-6);
    close(drift, 5.107e-2, 5e-4);
}

#[test]
fn euler_implicit_projected() {
    // Project Chrono, h = 0.01, 100 steps: constraints at the level of velocities, with G of the old position, then one
    // Newton iteration on the positions. It leaves C/h to the next velocity, where ours has none.
    let pendulum = on(Pendulum::standard());
    let once = Projection { tolerance: 1e-2, margin: 1e-12, iterations: 1, ..Projection::to(1e-2) };
    let mut run =
        Simulation::of(&pendulum, SemiExplicitEuler::implicit_velocity()).project(once).fixed(0.01).expect("a start");
    let mut drift = 0.0_f64;
    while run.state().t < 1.0 {
        run.step_towards(1.0).expect("a step");
        drift = drift.max(run.drift().expect("finite").0);
    }
    close(drift, 4.466e-7, 2e-3);
    all_close(&run.state().q, &[-0.977_494_817_474_85, -0.210_959_481_421_04], 3e-5);
}

#[test]
fn a_step_of_euler_implicit_projected_is_that_of_project_chrono() {
    // Project Chrono, h = 0.01, 100 steps. Its velocities obey C + h G v = 0 with G of the old position, its positions
    // one iteration after. It leaves out ∂(Gᵀλ)/∂q: with λ = 0 at the beginning of each step there is none here either.
    let pendulum = on(Pendulum::standard());
    let once = Projection { tolerance: 1e-2, margin: 1e-12, iterations: 1, ..Projection::to(1e-2) };
    let mut x = State::neutral(&pendulum);
    (x.q, x.a) = ([1.0, 0.0], [0.0, -9.81]);
    let mut drift = 0.0_f64;
    for step in 1..=100 {
        x.lambda = [0.0];
        let setup = Simulation::of(&pendulum, BackwardEuler::linearized()).project(once).given_with_rates(x);
        let mut run = setup.fixed(0.01).expect("a start");
        run.step_towards(0.01 * f64::from(step)).expect("a step");
        drift = drift.max(run.drift().expect("finite").0);
        x = run.state().clone();
    }
    // C of four digits
    close(drift, 4.466e-7, 2e-5);
    all_close(&x.q, &[-0.977_494_817_474_85, -0.210_959_481_421_04], 1e-13);
}
