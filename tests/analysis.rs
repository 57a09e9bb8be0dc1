//! Sweeps over named parameters of a generated model, and services around a step on generated models.

use ode_model::analysis::{
    Assembly, Criterion, Eigenmodes, Equilibrium, Held, Levels, Linearization, Stability, Statics, SystemMatrix,
    inverse_dynamics,
};
use ode_model::linalg::{Complex, DMatrix, SMatrix, SVector};
use ode_model::prelude::*;
use ode_model::{Linearize, Nominal, Solvable, Sweep, SweepError};

model! {
    /// A mass on a spring with a damper and a push.
    pub struct Oscillator {
        param m: Real [kg] = 2.0;
        param k: Real [N/m] = 50.0;
        param damping: Real [N*s/m] = 1.0;
        coord x: Real [m];
        input push: Real [N] = 0.0;
        kinetic = 0.5 * m * sq(der(x));
        potential = 0.5 * k * sq(x);
        dissipation = 0.5 * damping * sq(der(x));
        force drive on x = push;
    }
}

fn frequency(model: &Oscillator) -> Result<[f64; 2], ode_model::analysis::LinearError> {
    let modes = Eigenmodes::of(model, &Nominal, &State::neutral(model), 1e-9)?;
    Ok([modes.modes[0].frequency(), modes.modes[0].damping()])
}

fn sweep() -> Sweep<Oscillator> {
    let sweep = Sweep::of(&Oscillator::builder().build().expect("defaults"));
    sweep.over("k", [50.0, 200.0]).and_then(|s| s.over("damping", [0.0, 2.0, 4.0])).expect("names")
}

#[test]
fn a_grid_is_swept_in_order() {
    let mut told = Vec::new();
    let table = sweep().run(["frequency", "zeta"], frequency, |done| told.push(done)).expect("modes");
    assert_eq!(table.names().collect::<Vec<_>>(), ["k", "damping", "frequency", "zeta"]);
    assert_eq!(told, [1, 2, 3, 4, 5, 6]);
    let points: Vec<_> = table.rows().map(|row| (row[0], row[1])).collect();
    assert_eq!(points, [(50.0, 0.0), (50.0, 2.0), (50.0, 4.0), (200.0, 0.0), (200.0, 2.0), (200.0, 4.0)]);
    for row in table.rows() {
        let (natural, zeta) = ((row[0] / 2.0).sqrt(), row[1] / (2.0 * (2.0 * row[0]).sqrt()));
        assert!((row[2] - natural).abs() < 1e-12 && (row[3] - zeta).abs() < 1e-12, "{row:?}");
    }
    let parallel = sweep().run_parallel(3, ["frequency", "zeta"], frequency, |_| {}).expect("modes");
    assert_eq!(parallel, table);
}

#[test]
fn parameters_vary_together() {
    let model = Oscillator::builder().build().expect("defaults");
    let sweep = Sweep::of(&model).together(&[("m", &[1.0, 2.0]), ("k", &[3.0, 4.0])]).expect("names");
    let pairs: Vec<_> = sweep.models().map(|model| (model.m, model.k, model.damping)).collect();
    assert_eq!(pairs, [(1.0, 3.0, 1.0), (2.0, 4.0, 1.0)]);
    let error = Sweep::of(&model).together(&[("m", &[1.0, 2.0]), ("k", &[3.0])]).expect_err("lengths");
    assert!(matches!(error, SweepError::Lengths { values: 1, expected: 2, .. }));
}

#[test]
fn mistakes_are_named() {
    let error = sweep().over("dampin", [1.0]).expect_err("no such parameter");
    assert_eq!(error.to_string(), "there is no parameter `dampin`; did you mean `damping`?");
    assert_eq!(sweep().over("k", [1.0]).expect_err("twice").to_string(), "parameter `k` is varied twice");
    let refuse = |model: &Oscillator| if model.k > 100.0 && model.damping > 1.0 { Err("too stiff") } else { Ok([0.0]) };
    let error = sweep().run(["none"], refuse, |_| {}).expect_err("refused");
    assert_eq!(error.to_string(), "at k = 200, damping = 2: too stiff");
    let error = sweep().run_parallel(2, ["none"], refuse, |_| {}).expect_err("refused");
    assert_eq!(error.error, "too stiff");
}

#[test]
fn a_linear_system_has_its_inputs() {
    let model = Oscillator::builder().build().expect("defaults");
    let linear = Linearization::with_inputs(&model, &Nominal, &State::neutral(&model), 1e-9).expect("regular");
    assert_eq!(linear.a, DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -25.0, -0.5]));
    assert_eq!(linear.b, DMatrix::from_row_slice(2, 1, &[0.0, 0.5]));
}

#[test]
fn results_are_matrices_of_nalgebra() {
    let model = Oscillator::default();
    let (x, u) = (State::neutral(&model), oscillator::U::default());
    let linear = Linearization::with_inputs(&model, &Nominal, &x, 1e-9).expect("regular");
    let modes = Eigenmodes::of(&model, &Nominal, &x, 1e-9).expect("at rest");
    // ẍ + ẋ/2 + 25 x = 0
    let (want, mode) = (Complex { re: -0.25, im: f64::sqrt(25.0 - 0.0625) }, &modes.modes[0]);
    let found = linear.a.complex_eigenvalues();
    assert!(found.iter().all(|z| (z.re - want.re).abs() < 1e-13 && (z.im.abs() - want.im).abs() < 1e-13), "{found}");
    assert!((mode.eigenvalue - want).norm_sqr() < 1e-24);
    // an entry a line of its own
    assert_eq!(format!("{}", linear.a).lines().count(), 6);

    let (m, k): (SMatrix<f64, 1, 1>, SMatrix<f64, 1, 1>) = (model.mass(x.at(&u)), model.stiffness(x.at(&u), x.rates()));
    assert_eq!(m.try_inverse().expect("inertia") * k, SMatrix::from([[25.0]]));
    let weights = ode_model::Weights { rates: 0.0, velocity: 0.0, position: 1.0, state: 0.0 };
    let step = SystemMatrix::assemble(&model, &Nominal, weights, &x).expect("finite");
    let compliance = step.compliance(&model).expect("stiff");
    assert_eq!((step.dense(&model) * compliance).trace(), 1.0);

    // blocks: what a motion takes, against M a − f
    let mut moving = x.clone();
    (moving.q, moving.v, moving.a) = ([0.1].into(), [2.0].into(), [-3.0].into());
    let force = SVector::from(inverse_dynamics(&model, &Nominal, &moving).expect("finite").array());
    let (q, v, a) = (moving.q.as_array(), moving.v.as_array(), moving.a.as_array());
    let damping = model.damping(x.at(&u), x.rates());
    assert!((force - m * SVector::from(*a) - damping * SVector::from(*v) - k * SVector::from(*q)).norm() < 1e-14);
}

model! {
    /// A disc that rolls on a line, on a radius that a second mass sets, which a yielding row holds; a spring pulls it
    /// back.
    pub struct Rolling {
        param m: Real [kg] = 2.0;
        param r: Real [m] = 0.5;
        param k: Real [N/m] = 30.0;
        param soft: Real [m/N] = 0.01;
        coord x, s: Real [m];
        coord th: Angle;
        kinetic = 0.5 * m * sq(der(x)) + 0.25 * m * sq(r) * sq(der(th)) + 0.5 * m * sq(der(s));
        potential = 0.5 * k * sq(x - 0.2m);
        constraint rolls: der(x) == (r + s) * der(th);
        constraint pin: s == 0.1m with { compliance: soft };
        guess x = 0.5;
        guess s = 0.0;
        guess th = 0.0;
    }
}

#[test]
fn rolling_and_yielding_rows_take_part() {
    let model = Rolling::builder().build().expect("defaults");
    let mut x = State::neutral(&model);
    x.q.as_mut().copy_from_slice(&[0.5, 0.1, 3.0]);
    let (rest, _) = Statics::default().solve(&model, &Nominal, x).expect("an equilibrium");
    // the spring is slack, the disc has rolled there, and the soft row holds the other mass
    assert!((rest.q.x() - 0.2).abs() < 1e-12 && (rest.q.s() - 0.1).abs() < 1e-12);
    assert!((rest.q.th() - (3.0 - 0.3 / 0.6)).abs() < 1e-12, "{:?}", rest.q);
    let (rest, _) = Assembly::of(Levels::ACCELERATION).solve(&model, &Nominal, rest).expect("accelerations");
    let modes = Eigenmodes::of(&model, &Nominal, &rest, 1e-9).expect("at rest");
    // rolling: k over m (1 + ½ r²/(r + s)²); the soft row is a spring of 1/soft; where the disc stands is free
    let mut frequencies = modes.frequencies();
    frequencies.sort_by(f64::total_cmp);
    let want = [0.0, (15.0 / (1.0 + 0.125 / 0.36f64)).sqrt(), 50.0f64.sqrt()];
    assert_eq!(frequencies.len(), 3, "{modes:?}");
    for (got, want) in frequencies.iter().zip(want) {
        assert!((got - want).abs() < 1e-6, "{frequencies:?}");
    }
}

fn held_is_exact<S: Solvable<Real = f64> + Linearize>(system: S, name: &str) -> State<Held<S>> {
    let held = Held::new(system, &[name]).expect("a name");
    let start = Start::default().solve(&held, &Nominal).expect("a start");
    let mut run =
        Simulation::of(&held, GeneralizedAlpha::with_spectral_radius(0.8)).given(start).fixed(0.01).expect("a run");
    run.advance_to(1.0).expect("steps");
    run.state().clone()
}

#[test]
fn generated_models_are_held_by_name() {
    let x = held_is_exact(Rolling::builder().build().expect("defaults"), "x");
    assert_eq!((x.q.x(), x.v.as_ref()[0]), (0.5, 0.0));
    // the disc cannot turn where it cannot move
    assert!(x.v.as_ref()[2].abs() < 1e-12);
}

model! {
    /// A bob on a rod in syrup, without inertia.
    #[model(order = 1)]
    pub struct Syrup {
        param m: Real [kg] = 1.5;
        param l: Real [m] = 0.8;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 7.0;
        coord r: Vec2 [m];
        mass r = c;
        potential = m * g * r.y;
        constraint rod: r.dot(r) == sq(l);
        guess r = vec2(0.5, -0.5);
    }
}

#[test]
fn what_has_no_inertia_creeps_to_rest() {
    let model = Syrup::default();
    let mut guess = State::neutral(&model);
    model.guess(&mut guess.q, &mut guess.v, &mut guess.z);
    let (x, done) = Assembly::default().solve(&model, &Nominal, guess).expect("assembled");
    assert!(done.position < 1e-13 && done.velocity < 1e-12);
    // it sinks along the circle with c v = m g sin θ
    let speed = x.v.as_ref().iter().map(|v| v * v).sum::<f64>().sqrt();
    assert!((speed - 1.5 * 9.81 / 7.0 * (x.q.r()[0] / 0.8)).abs() < 1e-12, "{x:?}");
    let (rest, _) = Statics::default().solve(&model, &Nominal, x).expect("an equilibrium");
    assert!(rest.q.r()[0].abs() < 1e-12 && (rest.q.r()[1] + 0.8).abs() < 1e-12);
    let modes = Eigenmodes::of(&model, &Nominal, &rest, 1e-9).expect("at rest");
    assert_eq!(modes.modes.len(), 1);
    let rate = modes.modes[0].eigenvalue;
    assert!((rate.re + 1.5 * 9.81 / (7.0 * 0.8)).abs() < 1e-12 && rate.im == 0.0, "{modes:?}");
}

model! {
    /// A mass on a spring whose force an equation gives.
    pub struct Yielding {
        param m: Real = 2.0;
        param k: Real = 50.0;
        algebraic f: Real;
        coord x: Real;
        kinetic = 0.5 * m * sq(der(x));
        force pull on x = -f;
        constraint law: f + 0.1 * f.powi(3) == k * x - 1.1;
    }
}

#[test]
fn algebraic_variables_are_solved_for() {
    let model = Yielding::default();
    let (rest, _) = Statics::default().solve(&model, &Nominal, State::neutral(&model)).expect("an equilibrium");
    assert!((rest.q.x() - 1.1 / 50.0).abs() < 1e-12 && rest.z.f().abs() < 1e-12);
    let modes = Eigenmodes::of(&model, &Nominal, &rest, 1e-9).expect("at rest");
    assert_eq!(modes.modes.len(), 1);
    assert!((modes.modes[0].frequency() - 5.0).abs() < 1e-12 && modes.modes[0].damping().abs() < 1e-12);
    // a shape has the variable with it: f = k x
    let (x, f) = (modes.modes[0].shape[0].re, modes.modes[0].shape[1].re);
    assert!((f - 50.0 * x).abs() < 1e-9 * f.abs(), "{modes:?}");
}

/// What is said of the equilibrium at `q` and `z`.
fn judged<S: Solvable<Real = f64> + Linearize>(system: &S, q: &[f64], z: &[f64]) -> Equilibrium<f64> {
    let mut x = State::neutral(system);
    x.q.as_mut().copy_from_slice(q);
    x.z.as_mut().copy_from_slice(z);
    let statics = Statics { residual: 1e-9, ..Statics::default() };
    statics.solve(system, &Nominal, x).expect("an equilibrium").1
}

#[test]
fn what_creeps_is_stable_where_it_hangs() {
    let syrup = Syrup::default();
    for (y, stability) in [(-0.8, Stability::Stable), (0.8, Stability::Unstable)] {
        let found = judged(&syrup, &[0.0, y], &[]);
        let evidence = found.evidence.expect("judged");
        assert_eq!((found.stability, evidence.by), (stability, Criterion::Stiffness));
        // m g/l
        assert!((evidence.least + y.signum() * 1.5 * 9.81 / 0.8).abs() < 1e-11, "{evidence:?}");
    }
    let x = State {
        q: {
            let mut q = State::neutral(&syrup).q;
            q.as_mut().copy_from_slice(&[0.0, 0.8]);
            q
        },
        ..State::neutral(&syrup)
    };
    let (x, found) = Statics::default().descend(&syrup, &Nominal, x).expect("below");
    assert!((x.q.r()[1] + 0.8).abs() < 1e-12 && found.stability == Stability::Stable);
}

#[test]
fn algebraic_variables_and_yielding_rows_add_their_stiffness() {
    // x = 1.1/50, f = 0: df/dx = 50
    let found = judged(&Yielding::default(), &[1.1 / 50.0], &[0.0]);
    assert_eq!(found.stability, Stability::Stable);
    assert!((found.evidence.expect("judged").least - 50.0).abs() < 1e-11, "{found:?}");
    // the spring of 30 seen by the disc, which turns by 1/0.6 of what it goes, and the soft row of 100
    let rolling = Rolling::builder().build().expect("defaults");
    let found = judged(&rolling, &[0.2, 0.1, 3.0], &[]);
    let evidence = found.evidence.expect("judged");
    assert_eq!((found.stability, evidence.positive, evidence.zero), (Stability::Stable, 2, 0));
    let want = 30.0 / (1.0 + 1.0 / 0.36);
    assert!((evidence.least - want).abs() < 1e-11, "{evidence:?}");
    assert_eq!(judged(&Rolling { k: -30.0, ..rolling.clone() }, &[0.2, 0.1, 3.0], &[]).stability, Stability::Unstable);
    assert_eq!(judged(&Rolling { k: 0.0, ..rolling.clone() }, &[0.2, 0.1, 3.0], &[]).stability, Stability::Indifferent);
    let mut x = State::neutral(&rolling);
    x.q.as_mut().copy_from_slice(&[0.9, 0.15, 3.0]);
    let (rest, found) = Statics::default().descend(&rolling, &Nominal, x).expect("the spring is slack");
    assert!((rest.q.x() - 0.2).abs() < 1e-10 && (rest.q.s() - 0.1).abs() < 1e-10, "{:?}", rest.q);
    assert_eq!(found.stability, Stability::Stable);
}

model! {
    /// A knife on a plane, on a spring to the origin: it may go where it points, and turn.
    pub struct Knife {
        param k: Real [N/m] = 3.0;
        param turn: Real [kg*m^2] = 0.2;
        coord x, y: Real [m];
        coord th: Angle;
        kinetic = 0.5kg * (sq(der(x)) + sq(der(y))) + 0.5 * turn * sq(der(th));
        potential = 0.5 * k * (sq(x) + sq(y));
        constraint blade: sin(th) * der(x) == cos(th) * der(y);
    }
}

#[test]
fn a_knife_is_indifferent_to_where_it_points() {
    // at the origin K is symmetric; beside it the blade's force turns with the blade: (k, k y; 0, 0)
    for (y, by) in [(0.0, Criterion::Stiffness), (0.7, Criterion::Motion)] {
        let found = judged(&Knife::default(), &[0.0, y, 0.0], &[]);
        let evidence = found.evidence.expect("judged");
        assert_eq!((found.stability, evidence.by), (Stability::Indifferent, by), "{found:?}");
    }
}

model! {
    /// An arm on a motor whose current follows its voltage.
    pub struct Motor {
        param pull: Real [N*m/A] = 0.5;
        param lag: Real [H] = 0.1;
        param inertia: Real [kg*m^2] = 0.2;
        param weight: Real [N*m] = 3.0;
        param damping: Real [N*m*s] = 0.01;
        coord th: Angle;
        state i: Real [A];
        kinetic = 0.5 * inertia * sq(der(th));
        potential = -(weight * cos(th));
        torque drive on th = pull * i - damping * der(th);
        der(i) = (-(2.0ohm * i) - pull * der(th)) / lag;
    }
}

#[test]
fn a_current_takes_part_in_the_judgement() {
    for (th, stability) in [(0.0, Stability::Stable), (std::f64::consts::PI, Stability::Unstable)] {
        let found = judged(&Motor::default(), &[th], &[0.0]);
        let evidence = found.evidence.expect("judged");
        assert_eq!((found.stability, evidence.by), (stability, Criterion::Motion), "{found:?}");
        // 0.2 λ² i-row eliminated: (0.2 λ² + 0.01 λ ± 3)(0.1 λ + 2) + 0.25 λ = 0 at the slowest
        let (re, k) = (-evidence.least, 3.0 * th.cos());
        if stability == Stability::Unstable {
            let rest = (0.2 * re * re + 0.01 * re + k) * (0.1 * re + 2.0) + 0.25 * re;
            assert!(rest.abs() < 1e-10, "{rest}");
        }
    }
    let found = judged(&Motor { pull: 0.0, ..Motor::default() }, &[0.0], &[0.0]);
    assert_eq!((found.stability, found.evidence.expect("judged").by), (Stability::Stable, Criterion::Stiffness));
}
