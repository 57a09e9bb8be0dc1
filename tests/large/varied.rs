//! Derivatives of models with sets, and of their steps and runs, are those of the same models written out.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{
    Block, Dual, Nominal, Observable, Optimizable, Pattern, Scalar as _, Sensitive, Solvable, Start, State, StepHessian,
};

use super::{Found, compare, found, weight};

model! {
    /// Beads on bent wires, warm ones on springs between them, and one that is moved.
    #[model(emit(partials))]
    pub struct Beads<T> {
        set beads: const 3;
        set springs: (beads, beads) = [(0, 1), (2, 1)];
        set warm: beads = [(2), (0)];
        param m[beads]: Real [kg] = 0.5;
        param place[beads]: Real [m];
        param k[springs]: Real [N/m] = 30.0;
        param rest: Real [m] = 0.4;
        param l: Real [m] = 0.4;
        param c: Real [N*s/m] = 0.2;
        param g: Real [m/s^2] = 9.81;
        param tau: Real [s] = 3.0;
        param soft: Real [N/m] = 14.0;
        param w: Real [1/s] = 4.0;
        param grow: Real [1/J] = 0.01;
        input push: Real [N] = 0.3;
        coord s[beads]: Real [m];
        coord r[beads]: Vec2 [m];
        coord cart: Real [m];
        state heat[warm]: Real [J];
        mass cart = 0.7kg;
        potential = 0.5 * soft * sq(cart);
        guess cart = 0.2 * l;
        for i in beads {
            kinetic = 0.5 * m[i] * (1.0 + 0.5 * sq(s[i] / l)) * sq(der(s[i])) + 0.5 * m[i] * dot(der(r[i]), der(r[i]));
            potential = m[i] * g * r[i].y + 0.5 * soft * sq(s[i] - cart);
            dissipation = 0.5 * c * dot(der(r[i]), der(r[i]));
            force push on s[i] = push;
            constraint rod: dot(r[i], r[i]) == l * l * (1.0 + 0.1 * sin(w * t));
            guess s[i] = place[i] + 0.1 * l;
            guess der(s[i]) = place[i] * w;
            guess r[i] = vec2(0.8 * l + 0.1 * place[i], -0.6 * l);
        }
        for e @ (i, j) in springs {
            potential = 0.5 * k[e] * sq(norm(r[j] + vec2(s[j], l) - r[i]) - rest);
        }
        for e @ i in warm {
            der(heat[e]) = c * dot(der(r[i]), der(r[i])) - heat[e] / tau;
            force glow on s[i] = c * grow * heat[e] * der(s[i]);
            init heat[e] = 0.2 * soft * sq(place[i]);
            guess r[i] = vec2(0.6 * l, -0.8 * l);
        }
        constraint centre: sum(beads, |i| m[i] * s[i] * (1.0 + s[i] / l)) / 1.0kg + 0.3 * cart
            == l * (1.0 + 0.1 * sin(w * t)) + sum(springs, |e @ (i, j)| 2.0e-3m / 1.0N * k[e] * (s[j] - s[i]));
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param m: [Real; 3] [kg] = [0.5; 3];
        param place: [Real; 3] [m] = [0.0; 3];
        param k: [Real; 2] [N/m] = [30.0; 2];
        param rest: Real [m] = 0.4;
        param l: Real [m] = 0.4;
        param c: Real [N*s/m] = 0.2;
        param g: Real [m/s^2] = 9.81;
        param tau: Real [s] = 3.0;
        param soft: Real [N/m] = 14.0;
        param w: Real [1/s] = 4.0;
        param grow: Real [1/J] = 0.01;
        input push: Real [N] = 0.3;
        coord s: [Real; 3] [m];
        coord r: [Vec2; 3] [m];
        coord cart: Real [m];
        state heat: [Real; 2] [J];
        mass cart = 0.7kg;
        potential = 0.5 * soft * sq(cart);
        guess cart = 0.2 * l;
        for i in 0..3 {
            kinetic = 0.5 * m[i] * (1.0 + 0.5 * sq(s[i] / l)) * sq(der(s[i])) + 0.5 * m[i] * dot(der(r[i]), der(r[i]));
            potential = m[i] * g * r[i].y + 0.5 * soft * sq(s[i] - cart);
            dissipation = 0.5 * c * dot(der(r[i]), der(r[i]));
            force push on s[i] = push;
            constraint rod: dot(r[i], r[i]) == l * l * (1.0 + 0.1 * sin(w * t));
            guess s[i] = place[i] + 0.1 * l;
            guess der(s[i]) = place[i] * w;
        }
        constraint centre: (m[0] * s[0] * (1.0 + s[0] / l) + m[1] * s[1] * (1.0 + s[1] / l)
            + m[2] * s[2] * (1.0 + s[2] / l)) / 1.0kg + 0.3 * cart
            == l * (1.0 + 0.1 * sin(w * t)) + 2.0e-3m / 1.0N * (k[0] * (s[1] - s[0]) + k[1] * (s[1] - s[2]));
        guess r[0] = vec2(0.6 * l, -0.8 * l);
        guess r[1] = vec2(0.8 * l + 0.1 * place[1], -0.6 * l);
        guess r[2] = vec2(0.6 * l, -0.8 * l);
        potential = 0.5 * k[0] * sq(norm(r[1] + vec2(s[1], l) - r[0]) - rest);
        potential = 0.5 * k[1] * sq(norm(r[1] + vec2(s[1], l) - r[2]) - rest);
        der(heat[0]) = c * dot(der(r[2]), der(r[2])) - heat[0] / tau;
        der(heat[1]) = c * dot(der(r[0]), der(r[0])) - heat[1] / tau;
        force glow_0 on s[2] = c * grow * heat[0] * der(s[2]);
        force glow_1 on s[0] = c * grow * heat[1] * der(s[0]);
        init heat[0] = 0.2 * soft * sq(place[2]);
        init heat[1] = 0.2 * soft * sq(place[0]);
    }
}

model! {
    /// Rotors in a row, joined end to end by balls.
    #[model(emit(partials))]
    pub struct Rotors {
        set links: const 2;
        set joints: (links, links) = chain;
        param inertia[links]: Vec3 = vec3(0.3, 0.35, 0.2);
        param arm: Real = 0.5;
        param tilt: Real = 0.4;
        input u: Real = 0.4;
        coord (q, w)[links]: SO3;
        coord (x, v)[links]: Vec3;
        for i in links {
            kinetic = 0.5 * (inertia[i].x * sq(w[i].x) + inertia[i].y * sq(w[i].y) + inertia[i].z * sq(w[i].z));
            mass x[i] = 0.8;
            potential = 0.4 * q[i].rotate(vec3(0.3, 0.2, 1.0)).z + 0.1 * x[i].z;
            torque drive on q[i] = vec3(0.1 * u, 0.0, u);
            guess q[i] = rot_x(tilt);
            guess w[i] = vec3(0.6, -0.4, 1.1);
            guess x[i] = vec3(arm * tilt, 0.0, 0.1);
        }
        for (i, j) in joints {
            constraint ball: x[i] + q[i].rotate(vec3(arm, 0.0, 0.0)) == x[j] + q[j].rotate(vec3(-arm, 0.0, 0.0));
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct WrittenRotors {
        param inertia: [Vec3; 2] = [vec3(0.3, 0.35, 0.2); 2];
        param arm: Real = 0.5;
        param tilt: Real = 0.4;
        input u: Real = 0.4;
        coord (q, w): [SO3; 2];
        coord (x, v): [Vec3; 2];
        for i in 0..2 {
            kinetic = 0.5 * (inertia[i].x * sq(w[i].x) + inertia[i].y * sq(w[i].y) + inertia[i].z * sq(w[i].z));
            mass x[i] = 0.8;
            potential = 0.4 * q[i].rotate(vec3(0.3, 0.2, 1.0)).z + 0.1 * x[i].z;
            torque drive on q[i] = vec3(0.1 * u, 0.0, u);
            guess q[i] = rot_x(tilt);
            guess w[i] = vec3(0.6, -0.4, 1.1);
            guess x[i] = vec3(arm * tilt, 0.0, 0.1);
        }
        constraint ball: x[0] + q[0].rotate(vec3(arm, 0.0, 0.0)) == x[1] + q[1].rotate(vec3(-arm, 0.0, 0.0));
    }
}

model! {
    /// Bobs that begin between two places, which may be the same.
    #[model(emit(partials))]
    pub struct Bobs {
        set places: const 2;
        set bobs: (places, places) = [(0, 0), (0, 1)];
        param p[places]: Real = 0.3;
        coord y[bobs]: Real;
        for b @ (i, j) in bobs {
            mass y[b] = 1.0;
            guess y[b] = p[i] + 2.0 * p[j];
            force pull on y[b] = -sq(p[i]) * p[j] * y[b];
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct WrittenBobs {
        param p: [Real; 2] = [0.3; 2];
        coord y: [Real; 2];
        mass y[0] = 1.0;
        mass y[1] = 1.0;
        guess y[0] = 3.0 * p[0];
        guess y[1] = p[0] + 2.0 * p[1];
        force pull_0 on y[0] = -sq(p[0]) * p[0] * y[0];
        force pull_1 on y[1] = -sq(p[0]) * p[1] * y[1];
    }
}

model! {
    /// Muscles that are driven one by one.
    #[model(emit(partials))]
    pub struct Muscles {
        set nodes: const 3;
        set muscles: (nodes, nodes) = [(0, 1), (2, 1)];
        param p[nodes]: Vec2 = vec2(0.1, 0.2);
        param strength: Real = 5.0;
        param p_max: Real = 3.0;
        input gust[nodes]: Vec2 = vec2(0.3, -0.1);
        input calm: Real = 0.5;
        input pull[muscles]: Real = 0.2;
        coord x[nodes]: Vec2;
        for i in nodes {
            mass x[i] = 0.3;
            guess x[i] = p[i];
            force wind on x[i] = (1.0 - calm) * sq(gust[i].x) * gust[i] - 0.3 * der(x[i]);
            cost rest = strength * dot(x[i] - p[i], x[i]) + sq(gust[i].y);
            residual slow = der(x[i]) * calm;
        }
        cost hush = sq(calm) / strength;
        residual still = calm * strength;
        limit wind: calm - 0.1 in 0.0..=strength;
        for e @ (i, j) in muscles {
            limit long: dot(x[j], x[j] - x[i]) + 0.1 * pull[e] in 0.1..=sq(strength);
            limit slack: dot(x[j], x[i]) in -p_max..=1.0;
            cost effort = sq(pull[e]) * x[i].x;
            force own on x[i] = strength * sin(pull[e]) * (x[j] - x[i]);
            force other on x[j] = strength * sin(pull[e]) * (x[i] - x[j]) + 0.1 * gust[i].x * gust[j];
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct WrittenMuscles {
        param p: [Vec2; 3] = [vec2(0.1, 0.2); 3];
        param strength: Real = 5.0;
        param p_max: Real = 3.0;
        input gust: [Vec2; 3] = [vec2(0.3, -0.1); 3];
        input calm: Real = 0.5;
        input pull: [Real; 2] = [0.2; 2];
        coord x: [Vec2; 3];
        for i in 0..3 {
            mass x[i] = 0.3;
            guess x[i] = p[i];
            force wind on x[i] = (1.0 - calm) * sq(gust[i].x) * gust[i] - 0.3 * der(x[i]);
        }
        cost hush = sq(calm) / strength;
        cost rest = strength * (dot(x[0] - p[0], x[0]) + dot(x[1] - p[1], x[1]) + dot(x[2] - p[2], x[2]))
            + sq(gust[0].y) + sq(gust[1].y) + sq(gust[2].y);
        cost effort = sq(pull[0]) * x[0].x + sq(pull[1]) * x[2].x;
        residual still = calm * strength;
        residual slow_0 = der(x[0]) * calm;
        residual slow_1 = der(x[1]) * calm;
        residual slow_2 = der(x[2]) * calm;
        limit wind: calm - 0.1 in 0.0..=strength;
        limit long_0: dot(x[1], x[1] - x[0]) + 0.1 * pull[0] in 0.1..=sq(strength);
        limit slack_0: dot(x[1], x[0]) in -p_max..=1.0;
        limit long_1: dot(x[1], x[1] - x[2]) + 0.1 * pull[1] in 0.1..=sq(strength);
        limit slack_1: dot(x[1], x[2]) in -p_max..=1.0;
        force own_0 on x[0] = strength * sin(pull[0]) * (x[1] - x[0]);
        force other_0 on x[1] = strength * sin(pull[0]) * (x[0] - x[1]) + 0.1 * gust[0].x * gust[1];
        force own_1 on x[2] = strength * sin(pull[1]) * (x[1] - x[2]);
        force other_1 on x[1] = strength * sin(pull[1]) * (x[2] - x[1]) + 0.1 * gust[2].x * gust[1];
    }
}

const PLACES: [f64; 3] = [0.1, -0.05, 0.2];

/// All nonzeros of a matrix at their places.
fn dense(pattern: Pattern<'_>, values: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; pattern.rows * pattern.cols];
    assert_eq!(pattern.nnz(), values.len());
    pattern.visit(values, |row, column, value| all[row * pattern.cols + column] = value);
    all
}

/// Every derivative at a point without symmetry.
pub(super) fn blocks<S: Solvable<Real = f64> + Optimizable>(model: &S) -> Found {
    let (layout, of) = (model.layout(), model.partial_patterns());
    let mut state = State::neutral(model);
    model.guess(&mut state.q, &mut state.v, &mut state.z);
    let (nv, nz, nc, nu) = (layout.v.len(), layout.z.len(), layout.constraints.len(), layout.u.len());
    let (q, mut step) = (state.q.clone(), S::V::zeros(nv));
    let fill = |block: &mut [f64], from: usize| {
        block.iter_mut().enumerate().for_each(|(k, x)| *x += weight(from + k));
    };
    fill(step.as_mut(), 3);
    model.retract(&q, &step, &mut state.q);
    fill(state.v.as_mut(), 11);
    fill(state.z.as_mut(), 23);
    fill(state.a.as_mut(), 31);
    fill(state.zdot.as_mut(), 47);
    fill(state.lambda.as_mut(), 53);
    state.t = 0.4;
    model.initial_modes(&mut state.modes);
    let mut u = S::U::zeros(nu);
    fill(u.as_mut(), 61);
    let (at, rates) = (state.at(&u), state.rates());
    let mut partials = S::Partials::zeros(of.states.nnz());
    model.partials(at, rates, &mut partials);
    let mut by_parameter = S::PartialsByParameter::zeros(of.parameters.nnz());
    model.partials_by_parameter(at, rates, &mut by_parameter);
    let mut momenta = S::MomentumPartials::zeros(of.momenta.nnz());
    model.momentum_partials(at, &mut momenta);
    let mut momenta_by_parameter = S::MomentumPartialsByParameter::zeros(of.momenta_by_parameter.nnz());
    model.momentum_partials_by_parameter(at, &mut momenta_by_parameter);
    let mut starts = S::StartPartials::zeros(of.starts.nnz());
    let mut starts_by_parameter = S::StartPartialsByParameter::zeros(of.starts_by_parameter.nnz());
    model.start_partials(at, &mut starts, &mut starts_by_parameter);
    let mut events = S::EventPartials::zeros(of.events.nnz());
    let mut events_by_parameter = S::EventPartialsByParameter::zeros(of.events_by_parameter.nnz());
    model.event_partials(at, &mut events, &mut events_by_parameter);
    let (pattern, bounds) = (model.limit_pattern(), model.limit_bounds());
    let (mut limits, mut by_limits) = (S::H::zeros(pattern.rows), S::LimitPartials::zeros(pattern.nnz()));
    model.limit_partials(at, &mut limits, &mut by_limits);
    assert_eq!(limits.as_ref(), model.limits(at).as_ref());
    let squares = model.square_pattern();
    let (mut rows, mut by_rows) = (S::Squares::zeros(squares.rows), S::SquarePartials::zeros(squares.nnz()));
    model.square_partials(at, &mut rows, &mut by_rows);
    let mut costs = S::Costs::zeros(of.costs.rows);
    let mut by_costs = S::CostByState::zeros(of.costs.nnz());
    let mut costs_by_parameter = S::CostByParameter::zeros(of.costs_by_parameter.nnz());
    model.cost_partials(at, &mut costs, &mut by_costs, &mut costs_by_parameter);
    let columns = 3 * nv + nz + nc + nu + 1;
    let (mut w, mut d) = (S::Rows::zeros(nv + nz + 3 * nc), S::Columns::zeros(columns));
    fill(w.as_mut(), 5);
    fill(d.as_mut(), 7);
    let (mut states, mut parameters) = (S::Columns::zeros(columns), model.parameter_block());
    model.pull_back(at, rates, &w, &mut states, &mut parameters);
    let (pulled, pulled_parameters) = (states.as_ref().to_vec(), parameters.as_ref().to_vec());
    model.curvature(at, rates, &w, &d, &mut states, &mut parameters).expect("second derivatives");
    vec![
        ("partials", dense(of.states, partials.as_ref())),
        ("by parameters", dense(of.parameters, by_parameter.as_ref())),
        ("momenta", dense(of.momenta, momenta.as_ref())),
        ("momenta by parameters", dense(of.momenta_by_parameter, momenta_by_parameter.as_ref())),
        ("limits", limits.as_ref().to_vec()),
        ("bounds", [bounds.low.as_ref(), bounds.high.as_ref()].concat()),
        ("limits by all", dense(pattern, by_limits.as_ref())),
        ("squares", rows.as_ref().to_vec()),
        ("squares by all", dense(squares, by_rows.as_ref())),
        ("costs", costs.as_ref().to_vec()),
        ("costs by all", dense(of.costs, by_costs.as_ref())),
        ("costs by parameters", dense(of.costs_by_parameter, costs_by_parameter.as_ref())),
        ("events", dense(of.events, events.as_ref())),
        ("events by parameters", dense(of.events_by_parameter, events_by_parameter.as_ref())),
        ("start by the state", dense(of.starts, starts.as_ref())),
        ("start by parameters", dense(of.starts_by_parameter, starts_by_parameter.as_ref())),
        ("pulled back", pulled),
        ("pulled back, parameters", pulled_parameters),
        ("curvature", states.as_ref().to_vec()),
        ("curvature, parameters", parameters.as_ref().to_vec()),
    ]
}

#[test]
fn second_derivatives_of_steps_are_those_written_out() {
    let (sets, written) = beads();
    macro_rules! hessian {
        ($model:expr, $method:expr) => {{
            let model = $model;
            let x: State<_> = Start::default().solve(model, &Nominal).expect("a start");
            let dual = model.cast::<Dual<f64>>();
            let mut second = StepHessian::of(&dual, $method).expect("second derivatives");
            let costate: Vec<f64> = (0..model.layout().state_directions()).map(weight).collect();
            let hessian = second.hessian(&x, [0.3], 0.01, &costate).expect("a Hessian");
            let (rows, columns) = hessian.shape();
            vec![("Hessian", (0..rows * columns).map(|k| hessian[(k / columns, k % columns)]).collect::<Vec<f64>>())]
        }};
    }
    let alpha = || GeneralizedAlpha::with_spectral_radius(Dual::from_f64(0.8));
    compare("generalised-α", &hessian!(&written, alpha()), &hessian!(&sets, alpha()));
    let linearised = BackwardEuler::linearized;
    compare("linearised", &hessian!(&written, linearised()), &hessian!(&sets, linearised()));
}

fn beads() -> (Beads<f64>, Written<f64>) {
    let beads = Beads::builder().place(PLACES).build().expect("beads");
    (beads, Written::builder().place(PLACES).build().expect("beads"))
}

fn rotors() -> (Rotors, WrittenRotors) {
    (Rotors::builder().build().expect("rotors"), WrittenRotors::default())
}

#[test]
fn derivatives_of_members_are_those_written_out() {
    let ((sets, written), (rotors, written_rotors)) = (beads(), rotors());
    compare("beads", &blocks(&written), &blocks(&sets));
    assert_eq!(rotors.turnings(), written_rotors.turnings());
    compare("rotors", &blocks(&written_rotors), &blocks(&rotors));
    let bobs = Bobs::builder().build().expect("bobs");
    compare("bobs", &blocks(&WrittenBobs::default()), &blocks(&bobs));
    let muscles = Muscles::builder().build().expect("muscles");
    compare("muscles", &blocks(&WrittenMuscles::default()), &blocks(&muscles));
    assert_eq!(muscles.limit_bounds().names, ["wind", "long[0]", "slack[0]", "long[1]", "slack[1]"]);
    assert_eq!(muscles.cost_names(), ["hush", "rest", "effort"]);
    assert_eq!(muscles.square_names()[..3], ["still", "slow[0]", "slow[0]"]);
}

#[test]
fn steps_and_runs_of_members_vary_as_those_written_out() {
    let ((sets, written), (rotors, written_rotors)) = (beads(), rotors());
    let (muscles, written_muscles) = (Muscles::builder().build().expect("muscles"), WrittenMuscles::default());
    let projected = Some(Projection::to(1e-12));
    macro_rules! each {
        ($($method:expr, $how:expr;)*) => {$(
            compare(stringify!($method), &found(&written, $method, $how), &found(&sets, $method, $how));
            compare(stringify!($method), &found(&written_muscles, $method, $how), &found(&muscles, $method, $how));
            compare(stringify!($method), &found(&written_rotors, $method, $how), &found(&rotors, $method, $how));
        )*};
    }
    each! {
        RungeKutta4, projected;
        BackwardEuler::default(), None;
        BackwardEuler::linearized(), None;
        GeneralizedAlpha::with_spectral_radius(0.8), None;
        StormerVerlet::default(), None;
    }
}
