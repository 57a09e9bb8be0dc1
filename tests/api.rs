//! What a user calls on a generated model: construction, blocks, matrices, outputs, starts, inputs, recording, and
//! every error.

#![allow(unreachable_pub, reason = "models are public as users write them")]

use ode_model::linalg::SMatrix;
use ode_model::prelude::*;
use ode_model::{Cause, Entry, Level, Nominal, Quantity, Ranges, Scalar};

#[path = "models/help.rs"]
mod help;

use help::{begin, close};

#[path = "models/asked.rs"]
mod asked;

model! {
    /// A cart with a pole, a length without default and a limit.
    #[model(derive(PartialEq))]
    pub struct Plant<T> {
        /// cart mass
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        /// pole length
        param l: Real [m];
        param g: Real [m/s^2] = 9.81;
        param c: [Real; 2] [N*s/m] = [0.05, 0.1];
        require m_c > 0.0, "the cart needs a mass";
        require l > 0.0 && l < 10.0 * m_c / m_p * 1.0m;

        coord x: Real [m];
        coord th: Angle;
        coord (r, rate): Vec2 [m];
        input u: Real [N] in -10.0..=10.0 = 1.5;
        input wind: Vec2 [N];

        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip)) + 0.5 * m_c * rate.dot(rate);
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c[0] * sq(der(x)) + 0.5 * c[1] * rate.dot(rate);
        force drive on x = u;
        force blow on r = wind;

        init th = 0.1;
        init r = vec2(1.0, 2.0);
        output tip_pos: Vec2 [m] = tip;
        output accel: Real [m/s^2] = der2(x);
        output effort: Real [W] = u * der(x);
        limit rail: x in -2.4..=2.4;
        limit speed: rate.x + rate.y in 0.0..=l * 1.0Hz;
        param w: Real [1/N^2] = 0.01;
        cost stage = sq(th - PI) + w * sq(u);
        cost last = sq(der(th)) * 1.0s * 1.0s;
        guess x = 0.0;
    }
}
model! {
    /// A bob on a rod.
    pub struct Pendulum {
        param m: Real [kg] = 3.0;
        param l: Real [m] = 0.7;
        param g: Real [m/s^2] = 9.81;
        param x0: Real [m] = 0.0;
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;
        constraint rod: r.dot(r) == sq(l);
        init r.x = x0;
        guess r.y = -l;
        output tension: Real [N] = -2.0 * l * rod.lambda;
        output off: Real [N] = rod.lambda * norm_eps(r, 1.0e-9);
    }
}
model! {
    /// A mass that a wall of a function's domain stops, and that may have no inertia.
    pub struct Fragile {
        param m: Real = 1.0;
        param j: Real = 1.0;
        coord x, spin: Real;
        input push: Real = -1.0;
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * j * sq(der(spin));
        potential = -0.001 * sqrt(x);
        force f on x = push;
        init x = 0.1;
        guess spin = 0.0;
    }
}
model! {
    /// Two constraints that agree for one value of a parameter only.
    pub struct Twice {
        param gap: Real = 0.0;
        param slope: Real = 1.0;
        coord r: Vec2;
        kinetic = 0.5 * der(r).dot(der(r));
        constraint circle: r.dot(r) == 1.0;
        constraint line: slope * r.y == gap;
        guess r = vec2(0.9, 0.1);
    }
}

fn plant() -> Plant<f64> {
    Plant::builder().l(0.5).build().expect("a model")
}

#[test]
fn a_builder_names_what_it_refuses() {
    let text = |error: BuildError| error.to_string();
    let missing = Plant::<f64>::builder().m_c(2.0).build().expect_err("l is missing");
    assert_eq!(missing, BuildError::Missing { model: "Plant", param: "l" });
    assert_eq!(text(missing), "Plant: param l has no default and was not set");
    let nan = Plant::<f64>::builder().l(f64::NAN).build().expect_err("NaN");
    assert!(matches!(nan, BuildError::NotFinite { param: "l", value, .. } if value.is_nan()));
    assert_eq!(text(nan), "Plant: param l = NaN is not finite");
    let infinite = Plant::<f64>::builder().l(1.0).c([0.0, f64::INFINITY]).build().expect_err("infinite");
    assert_eq!(text(infinite), "Plant: param c[1] = inf is not finite");
    let negative = Plant::<f64>::builder().l(1.0).m_c(-1.0).build().expect_err("negative");
    let BuildError::Required { model: "Plant", param: "m_c", value: -1.0, message: "the cart needs a mass", .. } =
        negative
    else {
        panic!("{negative:?}")
    };
    assert_eq!(text(negative), "Plant: param m_c = -1 kg: the cart needs a mass");
    let long = text(Plant::<f64>::builder().l(1e3).build().expect_err("too long"));
    assert_eq!(long, "Plant: param m_c = 1 kg: l > 0.0 && l < 10.0 * m_c / m_p * 1.0m");
    // a changed field is checked on request
    let mut model = plant();
    model.m_c = 0.0;
    assert!(model.check().is_err());
    // and an error is an error
    let _: Box<dyn std::error::Error> = Box::new(model.check().expect_err("no mass"));
}

#[test]
fn blocks_have_names_and_indices_of_their_own() {
    let mut x = begin(&plant());
    assert_eq!((plant::NQ, plant::NV, plant::NU, plant::NC, plant::NP, plant::NY, plant::NH), (4, 4, 3, 0, 7, 4, 2));
    assert_eq!(x.q.array(), [0.0, 0.1, 1.0, 2.0]);
    assert_eq!((x.q.x(), x.q.th(), x.q.r()), (0.0, 0.1, [1.0, 2.0]));
    x.q.set_r([3.0, 4.0]);
    x.q[plant::Q::X] = 7.0;
    assert_eq!(x.q, plant::Q::from([7.0, 0.1, 3.0, 4.0]));
    assert_eq!((x.q[plant::Q::R_Y], plant::Q::R_Y.position()), (4.0, 3));
    assert!(plant::Q::X < plant::Q::R_Y && plant::Q::X == Entry::new(0));
    assert_eq!(format!("{:?}", plant::Q::R_Y), "Entry(3)");
    fn of_any<T: Scalar>(q: &plant::Q<T>) -> T {
        q[plant::Q::R_Y]
    }
    assert_eq!(of_any(&x.q), 4.0);
    x.v.set_rate([0.5, -0.5]);
    assert_eq!(x.v[plant::V::RATE_Y], -0.5);
    x.v.array_mut()[1] = 9.0;
    assert_eq!(x.v.th(), 9.0);
    assert_eq!(plant::U::<f64>::default().array(), [1.5, 0.0, 0.0]);
    assert_eq!(plant::LAYOUT.q, ["x", "th", "r.x", "r.y"]);
    assert_eq!(plant::LAYOUT.v, ["der(x)", "der(th)", "rate.x", "rate.y"]);
    assert_eq!(plant::LAYOUT.u, ["u", "wind.x", "wind.y"]);
    assert_eq!(plant().parameters(), [1.0, 0.1, 0.5, 9.81, 0.05, 0.1, 0.01]);
    assert_eq!(Plant::from_parameters(&plant().parameters()), plant());
    let block = x.q;
    assert_eq!(block, x.q, "blocks are Copy");
}

#[test]
fn a_model_prints_its_parameters_and_equations() {
    let text = plant().to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Plant: A cart with a pole, a length without default and a limit.");
    assert_eq!(lines[1..4], ["  m_c = 1.0 [kg]", "  m_p = 0.1 [kg]", "  l = 0.5 [m]"]);
    assert!(lines.contains(&"  c = [0.05, 0.1] [N*s/m]"), "{text}");
    let long = format!("{:#}", plant());
    assert!(long.starts_with(&text) && long.ends_with(Plant::<f64>::EQUATIONS), "{long}");
    assert!(Plant::<f64>::OPS > 50 && Plant::<f64>::IR.contains("tangent"));
    assert_eq!(Plant::<f32>::EQUATIONS, Plant::<f64>::EQUATIONS);
}

#[test]
fn matrices_are_those_of_the_textbook() {
    let model = plant();
    let mut x = begin(&model);
    x.v = [0.3, 2.0, 0.0, 1.0].into();
    let u = plant::U::from([2.0, 3.0, 4.0]);
    let (s, c) = 0.1f64.sin_cos();
    let at = x.at(&u);
    let mass: SMatrix<f64, 4, 4> = model.mass(at);
    close(mass[(0, 0)], 1.1);
    close(mass[(0, 1)], 0.05 * c);
    close(mass[(1, 1)], 0.025);
    assert_eq!(mass, mass.transpose());
    let f = model.force(at);
    close(f.x(), 2.0 - 0.05 * 0.3 + 0.05 * s * 4.0);
    close(f.th(), -0.1 * 9.81 * 0.5 * s);
    assert_eq!(f.rate(), [3.0, 4.0 - 0.1]);
    // K of the whole residual holds ∂(M a)/∂q
    x.a = [0.7, -0.4, 0.0, 0.0].into();
    let at = x.at(&u);
    let k = model.stiffness(at, x.rates());
    close(k[(0, 1)], -0.05 * s * -0.4 - 0.05 * c * 4.0);
    close(k[(1, 1)], -0.05 * s * 0.7 + 0.1 * 9.81 * 0.5 * c);
    close(model.force_by_position(at)[(0, 1)], 0.05 * c * 4.0);
    let d = model.damping(at, x.rates());
    close(d[(0, 1)], -2.0 * 0.05 * s * 2.0);
    close(d[(3, 3)], 0.1);
    assert_eq!(model.force_by_velocity(at), -d);
    let b = model.force_by_input(at, x.rates());
    assert_eq!((b.nrows(), b.ncols(), b[(0, 0)], b[(2, 1)], b[(3, 2)], b[(3, 1)]), (4, 3, 1.0, 1.0, 1.0, 0.0));
    // ∂r/∂l of the pole's row: (2 m_p l ẍ… ) by the derivation M = m_p l², m_p l cos θ, V = −m_p g l cos θ
    let p = model.residual_by_parameter(at, x.rates());
    close(p[(1, 2)], 0.1 * c * 0.7 + 2.0 * 0.1 * 0.5 * -0.4 + 0.1 * 9.81 * s);
    close(p[(0, 4)], 0.3);
}

#[test]
fn energies_and_powers_balance() {
    let model = plant();
    let mut x = begin(&model);
    x.v = [0.3, 2.0, 0.5, 1.0].into();
    let u = plant::U::from([2.0, 3.0, 4.0]);
    let (s, c) = 0.1f64.sin_cos();
    let energy = model.energy(x.at(&u));
    let pole = (0.3 + 0.5 * c * 2.0f64).powi(2) + (0.5 * s * 2.0f64).powi(2);
    close(energy.kinetic, 0.5 * 0.09 + 0.05 * pole + 0.5 * 1.25);
    close(energy.potential, -0.1 * 9.81 * 0.5 * c);
    close(energy.dissipation, 0.05 * 0.09 + 0.1 * 1.25);
    let [drive, blow] = model.power(x.at(&u));
    close(drive, 0.6);
    close(blow, 5.5);
    // d(T + V)/dt along a run is what the forces bring minus what friction takes
    let mut run = Simulation::of(&model, Geodesic).inputs(Constant(u)).given(x).adaptive(1e-10).expect("a start");
    let (mut brought, mut last) = (0.0, 0.0);
    run.run(0.5, 1e-3, |x| {
        let rate = model.power(x.at(&u)).iter().sum::<f64>() - model.energy(x.at(&u)).dissipation;
        brought += 0.5e-3 * if x.t == 0.0 { 0.0 } else { rate + last };
        last = rate;
    })
    .expect("steps");
    let end = model.energy(run.state().at(&u));
    assert!((end.kinetic + end.potential - energy.kinetic - energy.potential - brought).abs() < 1e-5);
}

#[test]
fn outputs_come_with_their_derivatives() {
    let model = plant();
    let mut x = begin(&model);
    x.v = [0.3, 2.0, 0.5, 1.0].into();
    x.a = [0.7, -0.4, 0.0, 0.0].into();
    let u = plant::U::from([2.0, 3.0, 4.0]);
    let (s, c) = 0.1f64.sin_cos();
    let (at, rates) = (x.at(&u), x.rates());
    let y = model.outputs(at, rates);
    assert_eq!((y.tip_pos(), y.accel(), y.effort()), ([0.5 * s, -0.5 * c], 0.7, 0.6));
    let by = (model.output_by_position(at, rates), model.output_by_velocity(at, rates));
    close(by.0[(0, 0)], 1.0);
    close(by.0[(0, 1)], 0.5 * c);
    close(by.0[(1, 1)], 0.5 * s);
    close(by.1[(3, 0)], 2.0);
    assert_eq!(model.output_by_acceleration(at, rates)[(2, 0)], 1.0);
    assert_eq!(model.output_by_input(at, rates)[(3, 0)], 0.3);
    close(model.output_by_parameter(at, rates)[(1, 2)], -c);
    let names: Vec<&str> = model.layout().outputs.to_vec();
    assert_eq!(names, ["tip_pos.x", "tip_pos.y", "accel", "effort"]);
}

#[test]
fn limits_bounds_and_costs_are_data_for_optimisers() {
    let model = plant();
    let mut x = begin(&model);
    x.v = [0.0, 2.0, 0.5, 0.25].into();
    let u = plant::U::from([2.0, 0.0, 0.0]);
    let h = model.limits(x.at(&u));
    assert_eq!((h.rail(), h.speed()), (0.0, 0.75));
    let limits = model.limit_bounds();
    let Ranges { low, high, .. } = limits;
    assert_eq!((low.rail(), high.rail(), low.speed(), high.speed()), (-2.4, 2.4, 0.0, 0.5));
    let jacobian = model.limit_jacobian(x.at(&u));
    assert_eq!((jacobian.nrows(), jacobian.ncols()), (2, 4 + 4 + 3));
    assert_eq!((jacobian[(0, 0)], jacobian[(1, 6)], jacobian[(1, 7)], jacobian[(1, 0)]), (1.0, 1.0, 1.0, 0.0));
    let inputs = model.input_bounds();
    let Ranges { low, high, .. } = inputs;
    assert_eq!((low.u(), high.u()), (-10.0, 10.0));
    assert_eq!((low.wind(), high.wind()), ([-f64::INFINITY; 2], [f64::INFINITY; 2]));
    // by name, in the order of the blocks
    let (free, bounded) = ((-f64::INFINITY, f64::INFINITY), |name| inputs.of(name).expect("an input"));
    assert_eq!((bounded("u"), bounded("wind.y")), ((-10.0, 10.0), free));
    assert_eq!(inputs.iter().map(|(name, ..)| name).collect::<Vec<_>>(), ["u", "wind.x", "wind.y"]);
    assert_eq!(limits.iter().collect::<Vec<_>>(), [("rail", -2.4, 2.4), ("speed", 0.0, 0.5)]);
    assert_eq!(limits.of("speed").expect("a limit"), (0.0, 0.5));
    let error = limits.of("sped").expect_err("misspelt");
    assert_eq!(error.to_string(), "there is no limit `sped`; did you mean `speed`?");
    let [stage, last] = model.costs(x.at(&u));
    close(stage, (0.1 - std::f64::consts::PI).powi(2) + 0.04);
    close(last, 4.0);
    let gradient = model.cost_gradient(x.at(&u));
    close(gradient[(0, 1)], 2.0 * (0.1 - std::f64::consts::PI));
    close(gradient[(0, 8)], 0.04);
    close(gradient[(1, 5)], 4.0);
}

#[test]
fn a_hanging_pendulum_pulls_its_rod_with_its_weight() {
    // the sign of λ: M a = f + Gᵀ λ with Φ = r·r − l², so the rod pulls with −2 l λ = m g
    let model = Pendulum::default();
    let x = Start::default().solve(&model, &Nominal).expect("consistent");
    close(x.q.r()[1], -0.7);
    close(-2.0 * 0.7 * x.lambda.rod(), 3.0 * 9.81);
    let y = model.outputs(x.at(&pendulum::U::default()), x.rates());
    close(y.tension(), 3.0 * 9.81);
    let by = model.output_by_multiplier(x.at(&pendulum::U::default()), x.rates());
    close(by[(0, 0)], -1.4);
    for (method, tolerance) in [(0.8, 1e-12), (0.0, 1e-12)] {
        let method = GeneralizedAlpha::with_spectral_radius(method);
        let mut run = Simulation::of(&model, method).fixed(0.01).expect("a start");
        run.advance_to(0.2).expect("steps");
        assert!((-1.4 * run.state().lambda.rod() / (3.0 * 9.81) - 1.0).abs() < tolerance);
    }
}

#[test]
fn starts_that_contradict_themselves_name_the_row() {
    let model = Pendulum::builder().x0(0.9).build().expect("a model");
    let error = Simulation::of(&model, Geodesic).fixed(1e-3).expect_err("the rod is too short");
    let Cause::Contradiction { level: Level::Position, rows, .. } = error.cause else { panic!("{error:?}") };
    assert!(rows.contains("rod") && rows.contains("init r.x"), "{error}");
    assert!(error.to_string().starts_with("start at t = 0: no consistent positions"), "{error}");

    let parallel = Twice::builder().gap(2.0).build().expect("a model");
    let error = Start::default().solve(&parallel, &Nominal).expect_err("no common point");
    assert!(error.to_string().contains("`circle`") || error.to_string().contains("`line`"), "{error}");
    let dependent = Twice::builder().slope(0.0).build().expect("a model");
    let error = Start::default().solve(&dependent, &Nominal).expect_err("line restricts nothing");
    let Cause::Dependent { rows, .. } = error.cause else { panic!("{error}") };
    assert_eq!(rows.as_str(), "`line`");
}

#[test]
fn a_start_may_be_given_by_hand() {
    let model = Pendulum::default();
    let mut near = State::neutral(&model);
    near.q = [0.5, -0.4].into();
    near.v = [1.0, 0.0].into();
    // as it is: off the circle, and stays so without projection for an explicit method
    let run = Simulation::of(&model, SemiExplicitEuler::explicit()).given(near.clone()).fixed(1e-3).expect("a start");
    assert_eq!(run.state().q, near.q);
    // or made consistent: init r.x still holds
    let near = Start::default().solve_from(&model, &Nominal, near).expect("consistent");
    close(near.q.r()[0], 0.0);
    close(near.q.r()[1].abs(), 0.7);
    let late = Start::at(2.5).solve(&model, &Nominal).expect("consistent");
    assert_eq!(late.t, 2.5);
    let mut nan = State::neutral(&model);
    nan.q.set_r([0.0, f64::NAN]);
    let error = Simulation::of(&model, Geodesic).given(nan).fixed(1e-3).expect_err("NaN");
    assert_eq!(error.to_string(), "start at t = 0: coordinate `r.y` is not finite");
}

#[test]
fn inputs_are_nominal_constant_functions_or_sampled() {
    let model = plant();
    let speed = |run: &State<Plant<f64>>| run.v.rate();
    // nominal: u = 1.5, no wind
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-10).expect("a start");
    run.advance_to(0.1).expect("steps");
    assert_eq!(speed(run.state()), [0.0, 0.0]);
    assert!(run.state().v.x() > 0.1);
    // a constant: ẏ = 4/0.1 (1 − exp(−0.1 t))
    let mut run = Simulation::of(&model, Geodesic).inputs(Constant([0.0, 0.0, 4.0])).adaptive(1e-10).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert!((speed(run.state())[1] - 40.0 * (1.0 - (-0.1f64).exp())).abs() < 1e-8);
    // a function of time and state begins from the nominal values
    let function = input_fn(|at: Moment<'_, Plant<f64>>, u: &mut plant::U| {
        assert_eq!(u.u(), 1.5);
        u.set_wind([at.t, -at.v.rate()[1] + 1.0]);
    });
    let mut run = Simulation::of(&model, Geodesic).inputs(function).adaptive(1e-10).expect("a start");
    run.advance_to(1.0).expect("steps");
    let wind = run.state().clone();
    // a setup knows the types of its closure
    let setup = Simulation::of(&model, Geodesic).input_fn(|at, u| u.set_wind([at.t, -at.v.rate()[1] + 1.0]));
    let mut run = setup.adaptive(1e-10).expect("a start");
    run.advance_to(1.0).expect("steps");
    assert_eq!(*run.state(), wind);
    assert_eq!(run.now().inputs().wind(), [1.0, 1.0 - wind.v.rate()[1]]);
    assert!((speed(run.state())[1] - (1.0 - (-1.1f64).exp()) / 1.1).abs() < 1e-8);
    // a controller remembers, and the run lands on each of its instants
    let mut instants = Vec::new();
    let setup = Simulation::of(&model, Geodesic).sampled(0.25, |x, u| {
        instants.push(x.t);
        u.set_wind([instants.len() as f64, 0.0]);
    });
    let mut run = setup.adaptive(1e-10).expect("a start");
    run.advance_to(1.0).expect("steps");
    let mut want = 0.0;
    for step in 1..=4 {
        let rest = f64::from(step) / 0.1;
        want = rest + (want - rest) * (-0.025f64).exp();
    }
    assert!((speed(run.state())[0] - want).abs() < 1e-8, "{:?} is not {want}", speed(run.state()));
    assert_eq!(instants, [0.0, 0.25, 0.5, 0.75, 1.0]);
}

#[test]
fn runs_are_recorded_under_the_models_names() {
    let model = Pendulum::builder().x0(0.3).build().expect("a model");
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-9)).adaptive(1e-8).expect("a start");
    let mut table = Table::new(&model.layout());
    run.run(1.0, 0.25, |x| table.push(x)).expect("steps");
    assert_eq!(
        table.names().collect::<Vec<_>>(),
        ["t", "r.x", "r.y", "v.x", "v.y", "der(v.x)", "der(v.y)", "rod.lambda"]
    );
    assert_eq!(table.column("t").expect("a column").collect::<Vec<_>>(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    let mut csv = Vec::new();
    table.write_csv(&mut csv).expect("written");
    let text = String::from_utf8(csv).expect("a text");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("t,r.x,r.y,v.x,v.y,der(v.x),der(v.y),rod.lambda"));
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().expect("a number")).collect()).collect();
    assert_eq!(rows.len(), 5);
    let read: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    assert_eq!(read, table.rows().collect::<Vec<_>>(), "numbers read back as they were");
    // a coordinate without a name for its velocity, and one with
    let table = Table::new(&plant::LAYOUT);
    let columns: Vec<&str> = table.names().collect();
    assert_eq!(
        columns.join(" "),
        "t x th r.x r.y der(x) der(th) rate.x rate.y der(der(x)) der(der(th)) der(rate.x) der(rate.y)"
    );
}

/// Steps of 0.05 until one fails.
fn failure<S: ode_model::Solvable<Real = f64>, M: ode_model::Method<S>>(model: &S, method: M) -> Cause {
    let mut run = Simulation::of(model, method).fixed(0.05).expect("a start");
    run.advance_to(10.0).expect_err("x leaves the domain").cause
}

#[test]
fn stages_name_what_has_no_value() {
    let model = Fragile::default();
    let x = begin(&model);
    let mut rates = State::neutral(&model);
    let u = fragile::U::from([0.0]);
    let own = ode_model::Solvable::accelerations(&model, x.at(&u), &mut rates.a, &mut rates.zdot, &mut rates.lambda);
    assert!(own, "the model has a function of its own for them");
    let force = |cause: Cause| {
        let Cause::NonFinite { quantity: Quantity::Force, name } = cause else { panic!("{cause:?}") };
        assert_eq!(name.as_str(), "x");
    };
    force(failure(&model, ForwardEuler));
    force(failure(&model, ExplicitMidpoint));
    force(failure(&model, RungeKutta4));
    force(failure(&model, Geodesic));
    force(failure(&model, Fehlberg));
    // whose last stage is the end of the step
    force(failure(&model, BogackiShampine));
    force(failure(&model, DormandPrince));
}

#[test]
fn errors_on_the_way_name_the_quantity_and_leave_the_state() {
    // pushed against the edge of √x
    let model = Fragile::default();
    let mut run = Simulation::of(&model, SemiExplicitEuler::explicit()).fixed(0.05).expect("a start");
    let error = run.advance_to(10.0).expect_err("x leaves the domain");
    let Cause::NonFinite { quantity: Quantity::Force, name } = error.cause else { panic!("{error:?}") };
    assert_eq!(name.as_str(), "x");
    let reached = run.state().clone();
    assert!(reached.q.x() > 0.0 && reached.t == error.time);
    let again = run.advance_to(10.0).expect_err("still");
    assert_eq!((again, run.state()), (error, &reached));
    let text = error.to_string();
    assert!(text.contains("step of 5e-2 from t = ") && text.contains("force on `x`"), "{text}");

    // Newton's method meets the same edge, and adaptive steps stop before it
    let mut run = Simulation::of(&model, BackwardEuler::default()).fixed(0.05).expect("a start");
    let before = run.state().clone();
    let error = loop {
        let before = run.state().clone();
        if let Err(error) = run.step_towards(10.0) {
            assert_eq!(run.state(), &before);
            break error;
        }
    };
    assert!(before.t <= error.time && error.to_string().contains("`x`"), "{error}");

    // no inertia
    let massless = Fragile::builder().j(0.0).build().expect("nothing requires it");
    let error = Simulation::of(&massless, Geodesic).fixed(1e-3).expect_err("singular");
    assert_eq!(error.to_string(), "start at t = 0: acceleration of `spin` is undetermined: the matrix is singular");
    let error = Simulation::of(&massless, Geodesic).start(Start::at(f64::NAN)).fixed(1e-3).expect_err("no time");
    assert!(matches!(error.cause, Cause::Invalid { setting: "time", .. }), "{error}");

    // an input that is not a number
    let nan = Constant(fragile::U::from([f64::NAN]));
    let error = Simulation::of(&model, Geodesic).inputs(nan).fixed(1e-3).expect_err("NaN");
    assert_eq!(error.to_string(), "start at t = 0: input `push` is not finite");

    // settings
    let error = Simulation::of(&model, Geodesic).fixed(-1.0).expect_err("negative");
    assert!(error.to_string().contains("step size"), "{error}");
    let _: Box<dyn std::error::Error> = Box::new(error);
}
