//! The map of one step, for controllers.

use ode_model::integrators::*;
use ode_model::linalg::{Labelled, SMatrix};
use ode_model::prelude::*;
use ode_model::solve::Metric;
use ode_model::variation::Fixed;
use ode_model::{Block, By, Constraint, Order, RunError, Sensitive, Solvable, StepMap, System};

use crate::blocks::Near;
use crate::models::*;
use crate::perturb::{Entry, Given, derivative, entries, tangent};

/// A model, its parameters' names, its own inputs and a consistent state of it.
fn posed<S: Solvable<Real = f64> + Sensitive>(model: &S) -> (Vec<&str>, S::U, State<S>) {
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    (model.derivatives().parameter_names.to_vec(), u, Start::default().solve(model, &Nominal).expect("a start"))
}

/// The matrices are those of differences of the step, and the step is that of a run.
fn check<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Copy>(model: &S, method: M, how: Option<Projection<f64>>) {
    let (names, u, x) = posed(model);
    let h = 0.03;
    let step = |model: &S, x: &State<S>, u: &S::U| {
        let mut map = StepMap::of(model, method, &names).expect("a map");
        if let Some(how) = how {
            map = map.project(how).expect("a projection");
        }
        let step = map.step(x, u.clone(), h).expect("a step");
        (step.end.clone(), [step.a(), step.b(), step.p()].map(|part| part.labelled()))
    };
    let (end, [a, b, p]) = step(model, &x, &u);
    let given = Simulation::of(model, method).given(x.clone());
    let given = match how {
        Some(how) => given.project(how),
        None => given,
    };
    let mut run = given.fixed(h).expect("a start");
    run.step_towards(h).expect("a step");
    assert_eq!(run.state(), &end, "{}", method.name());

    alone(model, (method, how), (&x, &u, h), [&a, &b]);

    let n = model.layout().state_directions();
    assert_eq!([a.shape(), b.shape(), p.shape()], [(n, n), (n, u.as_ref().len()), (n, names.len())]);
    let groups = {
        let (nv, nz) = (model.layout().v.len(), model.layout().z.len() - model.layout().algebraic);
        let moving = n - nv - nz;
        let (q, v, z) = (end.q.as_ref(), end.v.as_ref(), end.z.as_ref());
        [(0..nv, q), (nv..nv + moving, v), (2 * nv..2 * nv + nz, z)]
    };
    let mut column = 0;
    for entry in entries(model) {
        let (of, k): (&Labelled<f64>, usize) = match entry {
            Entry::Input(i) => (&b, i),
            Entry::Parameter(i) => (&p, i),
            Entry::Time => continue,
            _ => {
                column += 1;
                (&a, column - 1)
            }
        };
        let inputs = Given { own: u.clone(), gain: 0.0 };
        let wanted = derivative(entry.step(model), |by| {
            let (moved, x, inputs) = entry.moved(model, &x, &inputs, by);
            tangent(model, &end, &step(&moved, &x, &inputs.own).0)
        });
        let (near, mut row) = (Near::differences(entry.step(model)), 0);
        for (places, x) in groups.clone() {
            let found: Vec<f64> = (row..row + places.len()).map(|row| of[(row, k)]).collect();
            row += places.len();
            let mistake = near.mistake(x, &found, &wanted[places]);
            assert_eq!(mistake, None, "{} {} {entry:?}", model.layout().name, method.name());
        }
        assert_eq!(row, n);
    }
}

/// Without parameters the matrices are the same, for which models have functions of their own; and also where the step
/// is not made for its end.
fn alone<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Copy>(
    model: &S,
    (method, how): (M, Option<Projection<f64>>),
    (x, u, h): (&State<S>, &S::U, f64),
    wanted: [&Labelled<f64>; 2],
) {
    let mut map = StepMap::of(model, method, &[]).expect("a map");
    if let Some(how) = how {
        map = map.project(how).expect("a projection");
    }
    let step = map.step(x, u.clone(), h).expect("a step");
    let of_step = [step.a(), step.b()].map(|part| part.labelled());
    let jacobians = map.jacobians(x, u.clone(), h).expect("a step");
    let parts = [jacobians.a(), jacobians.b()];
    let [a, b] = [0, 1].map(|k| parts[k].labelled());
    for (k, (found, of_step)) in [a, b].iter().zip(&of_step).enumerate() {
        let (name, (rows, columns)) = (method.name(), wanted[k].shape());
        assert_eq!(found, of_step, "{} {name}", model.layout().name);
        assert_eq!(found.shape(), (rows, columns));
        let scale = wanted[0].iter().chain(wanted[k].iter()).fold(1.0_f64, |most, x| most.max(x.abs()));
        let mut column = vec![0.0; rows];
        for c in 0..columns {
            parts[k].read(c, &mut column);
            for (r, &entry) in column.iter().enumerate() {
                assert_eq!(entry, found[(r, c)]);
                let off = (entry - wanted[k][(r, c)]).abs();
                assert!(off <= 1e-11 * scale, "{} {name} {r} {c}: {entry} {}", model.layout().name, wanted[k][(r, c)]);
            }
        }
    }
}

/// Methods of each family, those that remember earlier steps among them.
fn every_family<S>(model: &S)
where
    S: Solvable<Real = f64> + Sensitive,
{
    let newton = Newton { tolerance: 1e-15, constraint: 1e-15, iterations: 30, ..Newton::default() };
    check(model, RungeKutta4, None);
    check(model, GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(0.8) }, None);
    check(model, Bdf2 { newton, ..Bdf2::default() }, None);
    check(model, BackwardEuler::linearized(), None);
    check(model, SemiExplicitEuler::explicit(), None);
}

#[test]
fn they_are_those_of_the_step() {
    every_family(&Cart::<f64>::default());
    every_family(&Bob::<f64>::default());
    every_family(&Coin::<f64>::default());
    every_family(&Soft::<f64>::default());
    every_family(&Top::<f64>::default());
    every_family(&Needle::<f64>::default());
    every_family(&Motor::<f64>::default());
    every_family(&Coupled::<f64>::default());
    every_family(&Mixed::<f64>::default());
    check(&Bob::<f64>::default(), StormerVerlet::default(), None);
    check(&Twice::<f64>::default(), RungeKutta4, None);
}

#[test]
fn projections_are_part_of_it() {
    let how = Projection { margin: 1e-3, ..Projection::to(1e-13) };
    check(&Bob::<f64>::default(), Heun, Some(how));
    check(&Coin::<f64>::default(), Heun, Some(how));
    check(&Bob::<f64>::default(), Heun, Some(Projection { metric: Metric::Weights, ..how }));
}

model! {
    /// A pole hinged on a cart, with friction in both.
    pub struct CartPole {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        param c_th: Real [N*m*s] = 0.001;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N];
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x)) + 0.5 * c_th * sq(der(th));
        force drive on x = u;
    }
}

/// At rest a step of high order is the zero-order hold of the linear system: e^(h A) and ∫ e^(s A) B ds with the exact
/// A = [0 1; …] and B of this cart-pole, evaluated with mpmath in 60 digits.
#[test]
fn at_rest_it_is_a_zero_order_hold() {
    let model = CartPole::default();
    let mut upright = State::neutral(&model);
    upright.q.set_th(std::f64::consts::PI);
    #[rustfmt::skip]
    let a = SMatrix::<f64, 4, 4>::from_row_slice(&[
        1.0, 0.00019621819912312205, 0.01999000294527842, 9.079127485194563e-07,
        0.0, 1.0043181083305603, -2.0001855160359027e-05, 0.02001997795332603,
        0.0, 0.01962978746225668, 0.9990004090614613, 0.00015619824507163033,
        0.0, 0.4320515423687701, -0.002000997702574585, 1.0034372693043243,
    ]);
    let b = [0.00019994109443153925, 0.0004000371032071805, 0.019991818770775462, 0.0400199540514917];
    let mut map = StepMap::of(&model, DormandPrince8, &[]).expect("a map");
    let step = map.step(&upright, [0.0], 0.02).expect("a step");
    assert!((step.a().fixed().expect("four by four") - a).amax() < 1e-14);
    assert!((step.b().fixed().expect("a column") - SMatrix::<f64, 4, 1>::from(b)).amax() < 1e-14);
}

const COLUMNS: usize = bob::LAYOUT.state_directions() + bob::LAYOUT.u.len() + 1;

#[test]
fn without_a_heap_it_is_the_same() {
    let model = Bob::<f64>::default();
    let (_, u, x) = posed(&model);
    let how = Projection::to(1e-10);
    let mut map = StepMap::of(&model, Heun, &["l"]).expect("a map").project(how).expect("a projection");
    let step = map.step(&x, u, 0.02).expect("a step");
    let mut sized = StepMap::<_, _, Fixed<COLUMNS>>::sized(&model, Heun, &["l"]).expect("a map");
    sized = sized.project(how).expect("a projection");
    let other = sized.step(&x, u, 0.02).expect("a step");
    assert_eq!(step.end, other.end);
    let a: SMatrix<f64, 4, 4> = other.a().fixed().expect("four by four");
    let (b, p) = (other.b().fixed::<4, 1>().expect("a column"), other.p().fixed::<4, 1>().expect("a column"));
    assert_eq!(step.a().labelled().fixed(), Ok(a));
    assert_eq!([step.b(), step.p()].map(|part| part.labelled().fixed()), [Ok(b), Ok(p)]);
    let error = other.a().fixed::<4, 3>().expect_err("it has four columns");
    assert_eq!(error.to_string(), "number of columns is 3, but must be 4");
}

/// Covectors of a, ż and λ of the end, and of the velocities of a model of first order, are taken back from there, also
/// where nothing else needs the end.
fn rates_are_pulled_back<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Copy>(model: &S, method: M) {
    let (_, u, x) = posed(model);
    let (h, weight) = (0.03, |k: usize| (1.7 * k as f64 + 0.3).sin() + 0.1);
    let weighed = |x: &State<S>| {
        let rates = x.a.as_ref().iter().chain(x.zdot.as_ref()).chain(x.lambda.as_ref());
        let velocities = x.v.as_ref().iter().filter(|_| model.layout().order == Order::First);
        velocities.chain(rates).enumerate().map(|(k, x)| weight(k) * x).sum::<f64>()
    };
    let mut map = StepMap::of(model, method, &[]).expect("a map");
    let mut adjoint = Adjoint::new(model, (0..u.as_ref().len()).collect(), false);
    let [_, velocities, _, a, zdot, lambda] = adjoint.state.blocks_mut();
    let velocities = velocities.iter_mut().filter(|_| model.layout().order == Order::First);
    let rates = a.iter_mut().chain(zdot).chain(lambda);
    velocities.chain(rates).enumerate().for_each(|(k, w)| *w = weight(k));
    map.pull_back(&x, u.clone(), h, &mut adjoint).expect("a covector");
    let [q, v, z, ..] = adjoint.state.blocks();
    for entry in entries(model) {
        let found = match entry {
            Entry::Position(i) => q[i],
            Entry::Velocity(i) => v[i],
            Entry::State(i) => z[i],
            _ => continue,
        };
        let inputs = Given { own: u.clone(), gain: 0.0 };
        let wanted = derivative(entry.step(model), |by| {
            let (model, x, _) = entry.moved(model, &x, &inputs, by);
            let mut map = StepMap::of(&model, method, &[]).expect("a map");
            vec![weighed(map.step(&x, u.clone(), h).expect("a step").end)]
        });
        let near = Near::differences(entry.step(model));
        let mistake = near.mistake(&[1.0], &[found], &wanted);
        assert_eq!(mistake, None, "{} {} {entry:?}", model.layout().name, method.name());
    }
}

#[test]
fn covectors_of_rates_are_pulled_back() {
    rates_are_pulled_back(&Cart::<f64>::default(), RungeKutta4);
    rates_are_pulled_back(&Cart::<f64>::default(), SemiExplicitEuler::explicit());
    rates_are_pulled_back(&Bob::<f64>::default(), Heun);
    rates_are_pulled_back(&Mixed::<f64>::default(), RungeKutta4);
    rates_are_pulled_back(&Mixed::<f64>::default(), SemiExplicitEuler::explicit());
}

#[test]
fn columns_that_are_not_asked_for_are_left_out() {
    let model = Bob::<f64>::default();
    let (_, u, x) = posed(&model);
    let mut map = StepMap::of(&model, Heun, &[]).expect("a map");
    let step = map.step(&x, u, 0.02).expect("a step");
    let mut states = StepMap::<_, _, Fixed<4>>::sized(&model, Heun, &[]).expect("a map");
    let own = states.step(&x, u, 0.02).expect("a step");
    assert_eq!((own.end, Ok(own.a().labelled())), (step.end, Ok::<_, Cause>(step.a().labelled())));
    assert_eq!([own.b().shape(), own.p().shape()], [(4, 0); 2]);
    let error = own.b().fixed::<4, 1>().expect_err("there is no column");
    assert_eq!(error.to_string(), "number of columns is 1, but must be 0");
    let mut alone = StepMap::<_, _, Fixed<0>>::sized(&model, Heun, &[]).expect("a map");
    let own = alone.step(&x, u, 0.02).expect("a step");
    assert_eq!((own.end, own.a().shape()), (step.end, (4, 0)));
}

#[test]
fn a_state_that_is_admitted_is_one_that_steps_begin_at() {
    let model = Bob::<f64>::default();
    let (_, u, x) = posed(&model);
    let how = Projection::to(1e-10);
    let mut map = StepMap::of(&model, Heun, &[]).expect("a map").project(how).expect("a projection");
    let mut moved = x.clone();
    moved.q.as_mut()[0] += 1e-3;
    moved.a.as_mut()[0] = 100.0;
    map.admit(&mut moved, &u).expect("a state");
    let mut constraint = Constraint::zeros(&model.layout());
    model.constraint(moved.at(&u), &mut constraint);
    assert!(constraint.phi.as_ref()[0].abs() < 1e-10 && constraint.rate.as_ref()[0].abs() < 1e-10);
    assert!((moved.q.as_ref()[0] - x.q.as_ref()[0]).abs() > 1e-5, "it is not where it was");
    let mut run = Simulation::of(&model, Heun).given(moved.clone()).inputs(Constant(u)).fixed(1e-9).expect("a start");
    run.step_towards(1e-9).expect("a step");
    assert!((run.state().a.as_ref()[0] - moved.a.as_ref()[0]).abs() < 1e-6, "a is that of the equations");
    moved.q.as_mut()[1] = f64::NAN;
    let error = map.admit(&mut moved, &u).expect_err("not a number");
    assert!(error.to_string().contains("is not finite"), "{error}");
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let model = Bob::<f64>::default();
    let (_, u, x) = posed(&model);
    let Err(RunError::Name(unknown)) = StepMap::of(&model, Heun, &["mass"]) else { panic!("it exists") };
    assert_eq!(unknown.to_string(), "there is no parameter `mass`; there are `m`, `l`, `a`");
    fn columns<const N: usize>(model: &Bob<f64>, parameters: &[&str]) -> String {
        StepMap::<_, _, Fixed<N>>::sized(model, Heun, parameters).expect_err("it does not fit").to_string()
    }
    let refused = |n, needed| format!("number of columns of a step's derivatives is {n}, but must be {needed}");
    assert_eq!(columns::<3>(&model, &[]), refused(3, 4));
    assert_eq!(columns::<7>(&model, &[]), refused(7, 5));
    assert_eq!(columns::<4>(&model, &["l"]), refused(4, 6));
    let bad = GeneralizedAlpha::with_spectral_radius(2.0);
    let Err(RunError::Evaluation(Cause::OutOfRange { .. } | Cause::Invalid { .. })) = StepMap::of(&model, bad, &[])
    else {
        panic!("it is in range")
    };

    let mut map = StepMap::of(&model, GeneralizedAlpha::with_spectral_radius(0.8), &[]).expect("a map");
    let step = map.step(&x, u, 0.01).expect("a step");
    assert_eq!(step.b().entry(0, usize::MAX), 0.0, "outside of the matrix");
    let before = step.a().labelled();
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(map.step(&x, u, h).expect_err("no step").cause, Cause::Invalid { setting: "step size", .. }));
    }
    let error = map.step(&x, [f64::NAN], 0.01).expect_err("no input");
    assert_eq!(error.to_string(), "step of 1e-2 from t = 0: input `u` is not finite");
    let mut far = x.clone();
    far.q.as_mut()[0] = f64::INFINITY;
    assert!(map.step(&far, u, 0.01).is_err());
    assert!(map.step(&x, u, 1e3).is_err(), "Newton's method does not get there");
    assert_eq!(map.step(&x, u, 0.01).expect("a step").a().labelled(), before, "failures leave no trace");
}

model! {
    /// √p has no derivative at zero.
    pub struct Rooted {
        param p: Real = 1.0;
        coord x: Real;
        input u: Real = 0.2;
        kinetic = 0.5 * sq(der(x));
        force push on x = u - 0.3 * x + sqrt(p);
        init x = 0.4;
    }
}

/// By what they are by.
#[test]
fn derivatives_that_are_not_finite_are_refused_by_name() {
    fn refused<M: Vary<Rooted> + Copy>(model: &Rooted, method: M) {
        let named = |cause: Cause| {
            assert_eq!(cause.to_string(), "derivative by `p` is not finite", "{}", method.name());
        };
        let x = Start::default().solve(model, &Nominal).expect("a start");
        let mut map = StepMap::of(model, method, &["p"]).expect("a map");
        named(map.step(&x, [0.2], 0.02).expect_err("√p").cause);
        assert!(StepMap::of(model, method, &[]).expect("a map").step(&x, [0.2], 0.02).is_ok());
        let run = || Simulation::of(model, method).given(x.clone()).fixed(0.02).expect("a start");
        let Err(RunError::Evaluation(cause)) = run().vary(&By::new().start().parameters()) else { panic!("√p") };
        named(cause);
        let mut run = run().reversible(&By::new().start().parameters(), 3).expect("room");
        run.advance_to(0.1).expect("steps");
        let error = run.gradient(|passed, by| {
            by.q.set_x(1.0);
            passed.state.q.x()
        });
        named(error.expect_err("√p").cause);
    }
    let model = Rooted { p: 0.0 };
    refused(&model, GeneralizedAlpha::with_spectral_radius(0.8));
    refused(&model, Bdf2::default());
    refused(&model, BackwardEuler::default());
    refused(&model, BackwardEuler::linearized());
    refused(&model, RungeKutta4);
}

/// How the frame of a point of the sphere turns with the way that it took, no derivative follows.
#[test]
fn two_weights_of_a_point_of_the_sphere_are_refused() {
    let model = Juggler::<f64>::default();
    let (_, u, x) = posed(&model);
    let how = Projection { metric: Metric::Weights, margin: 1e-3, ..Projection::to(1e-13) };
    let refused = |second: f64| {
        let mut weights = State::neutral(&model).v;
        weights.as_mut().fill(1.5);
        weights.as_mut()[4] = second;
        let map = StepMap::of(&model, ForwardEuler, &[]).expect("a map").project_weighted(how, weights);
        map.expect("weights").step(&x, u, 0.02).map(drop).map_err(|error| error.cause)
    };
    assert_eq!(refused(1.5), Ok(()));
    let what = "a projection with two weights of one point of the sphere";
    assert_eq!(refused(1.6), Err(Cause::NotDifferentiable { what }));
}

model! {
    /// An array of masses, and a place.
    pub struct Masses {
        param m: [Real; 3] = [1.0, 2.0, 3.0];
        param at: Vec2 = vec2(0.1, 0.2);
        param k: Real = 4.0;
        coord x: [Real; 3];
        kinetic = 0.5 * (m[0] * sq(der(x[0])) + m[1] * sq(der(x[1])) + m[2] * sq(der(x[2])));
        potential = 0.5 * k * (sq(x[0] - at.x) + sq(x[1] - x[0] - at.y) + sq(x[2] - x[1]));
        init x = [0.1, 0.3, -0.2];
    }
}

/// The name of an array or a vector means its entries, as in `By`.
#[test]
fn parameters_of_an_array_are_its_entries() {
    let model = Masses::default();
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let mut whole = StepMap::of(&model, Heun, &["k", "m", "at"]).expect("parameters");
    let whole = whole.step(&x, [], 0.1).expect("a step").p().labelled();
    let names = ["k", "m[0]", "m[1]", "m[2]", "at.x", "at.y"];
    assert_eq!(whole.column_names(), names);
    let mut each = StepMap::of(&model, Heun, &names).expect("parameters");
    assert_eq!(each.step(&x, [], 0.1).expect("a step").p().labelled(), whole);
    let mut sized = StepMap::<_, _, Fixed<9>>::sized(&model, Heun, &["m"]).expect("nine columns");
    let sized = sized.step(&x, [], 0.1).expect("a step").p().labelled();
    assert_eq!(sized.column(2), whole.column(3));
    let Err(RunError::Name(unknown)) = StepMap::of(&model, Heun, &["m", "mm"]) else { panic!("it exists") };
    assert_eq!(
        unknown.to_string(),
        "there is no parameter `mm`; there are `m[0]`, `m[1]`, `m[2]`, `at.x`, `at.y`, `k`"
    );
}
