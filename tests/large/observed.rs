//! Models with sets, asked for more than their motion: outputs, tables, derivatives by inputs and parameters.

use ode_model::integrators::GeneralizedAlpha;
use ode_model::{Differentiable, Dual, FamilyError, Observable, Parametric, Simulation, State, System, Table, model};

model! {
    /// A net of springs and rods, some nodes of it held.
    pub struct Net<T> {
        set nodes;
        set springs: (nodes, nodes);
        set rods: (nodes, nodes);
        set held: nodes;
        param m[nodes]: Real [kg];
        param p[nodes]: Vec3 [m];
        param k[springs]: Real [N/m];
        param rest: Real [mm] = 300.0;
        param l[rods]: Real [m];
        param shift: Vec3 [m] = vec3(0.0, 0.0, 0.0);
        param g: Real [m/s^2] = 9.81;
        param drag: Real [N*s/m] = 0.1;
        input wind: Vec3 [m/s];
        input pull: Real [N] in -1.0..=2.0 = 0.7;
        coord (x, v)[nodes]: Vec3 [m];
        coord (s, speed): Real [m];
        mass s = 2.0kg;
        force pulled on s = pull;
        for i in nodes {
            require m[i] > 0.0, "a node has mass";
            mass x[i] = m[i];
            potential = m[i] * g * x[i].z;
            force air on x[i] = drag * (wind - v[i]);
            guess x[i] = p[i];
            /// above the ground
            output height: Real [m] = x[i].z + s;
        }
        for e @ (i, j) in springs {
            let length = norm(x[j] - x[i]);
            potential = 0.5 * k[e] * sq(length - rest);
            output stretch: Real [m] = length - rest;
            output tension: Vec3 [N] = k[e] * (length - rest) / length * (x[j] - x[i]);
        }
        for e @ (i, j) in rods {
            constraint rod: norm(x[j] - x[i]) == l[e];
            output press: Real [N] = -rod.lambda;
        }
        for h @ i in held {
            fix x[i] = p[i] + shift;
        }
        /// of all nodes
        output weight: Real [N] = sum(nodes, |i| m[i] * g);
        output momentum: Vec3 [kg*m/s] = sum(nodes, |i| m[i] * v[i]);
        output stored: Real [J] = sum(springs, |e @ (i, j)| 0.5 * k[e] * sq(norm(x[j] - x[i]) - rest));
        output forward: Real [m/s] = speed;
    }
}

model! {
    /// Masses with names that mean more elsewhere, and "quoted" words: \(m\).
    pub struct Named {
        /// the "nodes", \(n\)
        set nodes;
        set marked: nodes;
        set pairs: (nodes, nodes);
        param m[nodes]: Real [kg];
        param k[pairs]: Real [N/m];
        param g: Real [m/s^2] = 9.81;
        param params: Real = 2.0;
        param fields: Real = 3.0;
        param topology: Real = 1.0;
        coord p[nodes]: Vec3 [m];
        for i in nodes {
            let weight: Real [N] = m[i] * g;
            mass p[i] = m[i] * topology;
            potential = weight * p[i].z;
            output { high: Real [m] = p[i].z; }
        }
        for e @ (i, j) in pairs {
            spring held on (p[i], p[j]) { k: k[e], rest: 0.5m }
        }
        /// of those that are marked, "all" of them
        output load: Real [kg] = sum(marked, |i| m[i] * params / fields);
    }
}

#[test]
fn names_and_words_of_a_user_are_kept() {
    let builder = |marked: &[usize]| {
        let pairs = Named::builder().nodes(3).pairs([[0, 1]]).k([2.0]);
        pairs.m([1.0, 2.0, 3.0]).marked(marked.iter().copied()).build()
    };
    let load = |named: &Named| {
        let state = State::neutral(named);
        named.load(&named.outputs(state.at(&named::U::default()), state.rates()))[0]
    };
    assert_eq!(builder(&[0, 2]).map(|named| load(&named)), Ok(4.0 * 2.0 / 3.0));
    assert_eq!(builder(&[]).map(|named| load(&named)), Ok(0.0));
    let missing = builder(&[7]).expect_err("three nodes").to_string();
    assert_eq!(missing, "Named: marked[0] names member 7, but there are 3");
}

const PLACES: [[f64; 3]; 5] =
    [[0.3, 0.1, -0.4], [0.6, -0.1, -0.5], [0.9, 0.05, -0.5], [0.1, 0.7, -0.3], [0.0, 0.4, -0.4]];
const SPRINGS: [[usize; 2]; 3] = [[0, 1], [3, 1], [2, 4]];
const STIFFNESS: [f64; 3] = [40.0, 50.0, 60.0];
const MASSES: [f64; 5] = [0.2, 0.3, 0.25, 0.15, 0.4];

fn builder() -> net::Builder<f64> {
    Net::builder().nodes(5).springs(SPRINGS).rods([[1, 2]]).held([4]).m(MASSES).p(PLACES).k(STIFFNESS).l([0.35])
}

fn net() -> Net {
    builder().build().expect("a net")
}

/// A state, rates and inputs without symmetry.
fn point<S: System<Real = f64>>(model: &S) -> (State<S>, S::U) {
    let mut state = State::neutral(model);
    let mut u = <S::U as ode_model::runtime::Block<f64>>::zeros(model.layout().u.len());
    let mut next = 0.3_f64;
    let mut fill = |block: &mut [f64], scale: f64| {
        for x in block {
            next = (next * 7.31 + 0.173).fract();
            *x += scale * (next - 0.5);
        }
    };
    state.t = 0.4;
    for (k, place) in PLACES.iter().flatten().enumerate() {
        state.q.as_mut()[k] = *place;
    }
    fill(state.q.as_mut(), 0.1);
    fill(state.v.as_mut(), 2.0);
    fill(state.a.as_mut(), 3.0);
    fill(state.lambda.as_mut(), 4.0);
    fill(u.as_mut(), 1.0);
    (state, u)
}

#[test]
fn outputs_are_those_of_the_text() {
    let net = net();
    let (state, u) = point(&net);
    let y = net.outputs(state.at(&u), state.rates());
    let (x, v) = (net.x(&state.q), net.v(&state.v));
    let near =
        |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-14 * (1.0 + wanted.abs()), "{found} {wanted}");
    for (height, x) in net.height(&y).iter().zip(x) {
        near(*height, x[2] + net.s(&state.q)[0]);
    }
    let mut stored = 0.0;
    for (e, [i, j]) in SPRINGS.into_iter().enumerate() {
        let d: Vec<f64> = x[j].iter().zip(x[i]).map(|(b, a)| b - a).collect();
        let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
        near(net.stretch(&y)[e], length - 0.3);
        for (found, d) in net.tension(&y)[e].iter().zip(&d) {
            near(*found, STIFFNESS[e] * (length - 0.3) / length * d);
        }
        stored += 0.5 * STIFFNESS[e] * (length - 0.3).powi(2);
    }
    near(net.stored(&y)[0], stored);
    near(net.press(&y)[0], -state.lambda[0]);
    near(net.weight(&y)[0], 9.81 * MASSES.iter().sum::<f64>());
    for (k, found) in net.momentum(&y).iter().enumerate() {
        near(*found, MASSES.iter().zip(v).map(|(m, v)| m * v[k]).sum());
    }
    near(net.forward(&y)[0], state.v[15]);
    assert_eq!(net.layout().outputs.len(), y.len());
    assert_eq!(y.len(), 5 + 3 + 9 + 1 + 1 + 3 + 1 + 1);
}

#[test]
fn names_and_units_are_those_of_members() {
    let net = net();
    let layout = net.layout();
    let shown = [
        "forward",
        "height[0]",
        "height[1]",
        "height[2]",
        "height[3]",
        "height[4]",
        "stretch[0]",
        "stretch[1]",
        "stretch[2]",
        "tension[0].x",
        "tension[0].y",
        "tension[0].z",
        "tension[1].x",
        "tension[1].y",
        "tension[1].z",
        "tension[2].x",
        "tension[2].y",
        "tension[2].z",
        "press[0]",
        "weight",
        "momentum.x",
        "momentum.y",
        "momentum.z",
        "stored",
    ];
    assert_eq!(layout.outputs, shown);
    assert_eq!(layout.constraints, ["rod[0]", "fix x[4].x", "fix x[4].y", "fix x[4].z"]);
    assert_eq!(layout.multipliers, ["rod[0].lambda", "fix_x_4.lambda.x", "fix_x_4.lambda.y", "fix_x_4.lambda.z"]);
    let units = net.units();
    assert_eq!((units.time, units.energy, units.power), ("s", "J", "W"));
    assert_eq!((units.q.len(), units.q[0], units.v[0], units.a[15]), (16, "m", "m/s", "m/s^2"));
    assert_eq!((units.y[0], units.y[9], units.y[19], units.y[23]), ("m/s", "N", "N", "J"));
    assert_eq!(units.u, ["m/s", "m/s", "m/s", "N"]);
    assert_eq!(units.multipliers[0], "N");
    let bounds = net.input_bounds();
    assert_eq!((bounds.low.as_ref()[3], bounds.high.as_ref()[3]), (-1.0, 2.0));
    let names = net.derivatives().parameter_names;
    assert_eq!((names[0], names[5], names[19], names[20], names[23]), ("m[0]", "p[0].x", "p[4].z", "k[0]", "rest"));
    assert_eq!(net.parameter_units()[23], ("mm", 1e-3));
}

#[test]
fn a_run_is_recorded() {
    let net = net();
    let mut table = Table::of(&net);
    let mut run = Simulation::of(&net, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-3).expect("a start");
    run.run(0.02, 0.005, |seen| table.record(seen)).expect("a run");
    let column = |name: &str| table.column(name).expect("a column").collect::<Vec<f64>>();
    let last = column("t").len() - 1;
    let state = run.state();
    let stored = column("stored")[last];
    assert_eq!(column("x[2].y")[last], net.x(&state.q)[2][1]);
    let y = net.outputs(state.at(&net::U::default()), state.rates());
    assert!((stored - net.stored(&y)[0]).abs() < 1e-15);
}

type Dualled = Net<Dual<f64>>;

/// A column of each derivative by dual numbers: `seed` names what moves.
fn moved(
    net: &Net,
    at: &(State<Net>, net::U<f64>),
    seed: (&str, usize),
) -> (State<Dualled>, net::U<Dual<f64>>, Dualled) {
    let (state, u) = at;
    let mut model = net.cast::<Dual<f64>>();
    let lift = |from: &[f64], to: &mut [Dual<f64>], of: &str| {
        for (k, (from, to)) in from.iter().zip(to).enumerate() {
            *to = Dual { re: *from, eps: if seed == (of, k) { 1.0 } else { 0.0 } };
        }
    };
    let mut p = model.parameter_block();
    lift(&net.parameter_block(), &mut p, "p");
    model = set(&model, &p);
    let mut lifted = State::<Dualled>::neutral(&model);
    lifted.t = Dual { re: state.t, eps: 0.0 };
    lift(&state.q, &mut lifted.q, "q");
    lift(&state.v, &mut lifted.v, "v");
    lift(&state.a, &mut lifted.a, "a");
    lift(&state.lambda, &mut lifted.lambda, "lambda");
    let mut inputs = net::U::<Dual<f64>>::default();
    lift(u.as_ref(), inputs.as_mut(), "u");
    (lifted, inputs, model)
}

/// Parameters of dual numbers; what `with` does for real ones.
fn set(model: &Dualled, p: &[Dual<f64>]) -> Dualled {
    let mut p = p.iter().copied();
    let mut next = || p.next().expect("a number");
    let mut model = model.clone();
    model.m.iter_mut().for_each(|m| *m = next());
    model.p.iter_mut().for_each(|p| *p = [next(), next(), next()]);
    model.k.iter_mut().for_each(|k| *k = next());
    model.rest = next();
    model.l.iter_mut().for_each(|l| *l = next());
    model.shift = [next(), next(), next()];
    model.g = next();
    model.drag = next();
    model
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let net = net();
    let at = point(&net);
    let (state, u) = &at;
    let of = net.derivatives();
    let zeros = |pattern: ode_model::Pattern<'_>| vec![0.0; pattern.nnz()];
    let mut b = zeros(of.force_by_input);
    let (mut by_p, mut phi_by_p) = (zeros(of.residual_by_parameter), zeros(of.constraint_by_parameter));
    let mut jacobian = zeros(of.output_jacobian);
    net.force_by_input(state.at(u), state.rates(), &mut b);
    net.residual_by_parameter(state.at(u), state.rates(), &mut by_p, &mut phi_by_p);
    net.output_jacobian(state.at(u), state.rates(), &mut jacobian);
    let dense = |pattern: ode_model::Pattern<'_>, values: &[f64]| {
        let mut all = vec![vec![0.0; pattern.cols]; pattern.rows];
        for ((row, column), value) in pattern.entries().zip(values) {
            all[row][column] = *value;
        }
        all
    };
    let (b, by_p, phi_by_p) = (
        dense(of.force_by_input, &b),
        dense(of.residual_by_parameter, &by_p),
        dense(of.constraint_by_parameter, &phi_by_p),
    );
    let jacobian = dense(of.output_jacobian, &jacobian);
    let (nv, nc, nu, np) = (16, 4, 4, of.parameter_names.len());
    assert_eq!((by_p.len(), by_p[0].len(), jacobian[0].len()), (nv, np, 3 * nv + nc + nu + np));
    let near = |found: f64, wanted: f64, what: &str| {
        assert!((found - wanted).abs() < 1e-12 * (1.0 + wanted.abs()), "{what}: {found} {wanted}");
    };
    let groups = [("q", nv), ("v", nv), ("a", nv), ("lambda", nc), ("u", nu), ("p", np)];
    let mut column = 0;
    let mut nonzeros = 0;
    for (name, count) in groups {
        for k in 0..count {
            let (lifted, inputs, model) = moved(&net, &at, (name, k));
            let y = model.outputs(lifted.at(&inputs), lifted.rates());
            for (row, y) in y.iter().enumerate() {
                near(jacobian[row][column], y.eps, &format!("output {row} by {name} {k}"));
                nonzeros += usize::from(y.eps != 0.0);
            }
            let mut out = ode_model::Residual::<Dualled>::zeros(&model.layout());
            model.residual(lifted.at(&inputs), lifted.rates(), &mut out);
            for row in 0..nv {
                match name {
                    "u" => near(b[row][k], -out.r[row].eps, &format!("B {row} {k}")),
                    "p" => near(by_p[row][k], out.r[row].eps, &format!("P {row} {k}")),
                    _ => {}
                }
            }
            if name == "p" {
                (0..nc).for_each(|row| near(phi_by_p[row][k], out.phi[row].eps, &format!("phi {row} by {k}")));
            }
            column += 1;
        }
    }
    assert!(nonzeros > 60, "{nonzeros}");
}

#[test]
fn parameters_have_names() {
    let mut net = net();
    net.set_parameter("k[1]", 70.0).expect("a parameter");
    net.set_parameters(&[("rest", 250.0), ("p[3].y", 0.8)]).expect("parameters");
    assert_eq!((net.k[1], net.rest, net.p[3][1], net.parameter("rest")), (70.0, 0.25, 0.8, Ok(250.0)));
    let unknown = net.set_parameter("k[7]", 1.0).expect_err("three springs").to_string();
    assert!(unknown.contains("`k[7]`"), "{unknown}");
    let refused = net.set_parameter("m[3]", -1.0).expect_err("no mass").to_string();
    assert_eq!(refused, "Net: param m[3] = -1 kg: a node has mass");
    let refused: FamilyError = builder().m([0.2, 0.3, 0.0, 0.4, 0.4]).build().expect_err("no mass");
    assert_eq!(refused.to_string(), "Net: param m[2] = 0 kg: a node has mass");
}
