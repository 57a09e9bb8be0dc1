//! Models with sets: against the same models written out, block by block and in every method.

use ode_model::integrators::{
    BackwardEuler, Bdf2, DormandPrince, GeneralizedAlpha, Geodesic, ImplicitMidpoint, Leapfrog, RungeKutta4,
    SemiExplicitEuler, StormerVerlet,
};
use ode_model::linalg::sprs::CsMat;
use ode_model::solve::Projection;
use ode_model::{Dual, FamilyError, Linearize, Method, Residual, Simulation, Solvable, State, System, Weights, model};

model! {
    /// A wagon that pulls a net of springs and rods.
    pub struct Train<T> {
        set nodes;
        set springs: (nodes, nodes);
        set rods: (nodes, nodes);
        set hooks: nodes;
        param m[nodes]: Real [kg];
        param p[nodes]: Vec3 [m];
        param k[springs], c[springs]: Real [N/m];
        param l[rods]: Real [m];
        param r[hooks]: Real [m] = 0.5;
        param wagon: Real [kg] = 2.0;
        param g: Real [m/s^2] = 9.81;
        param lag: Real [s] = 1.0e-3;
        param buffer: Real [N/m] = 20.0;
        param drag: Real [N*s/m] = 0.05;
        input push: Real [N] = 0.7;
        input wind: Vec3 [m/s];
        let up = vec3(0.0, 0.0, g);
        fn weight(mass: Real [kg]) -> Vec3 [N] { mass * up }
        coord (s, speed): Real [m];
        coord (x, v)[nodes]: Vec3 [m];
        mass s = wagon;
        force pull on s = push;
        potential = 0.5 * buffer * sq(s);
        for i in nodes {
            kinetic = 0.5 * m[i] * v[i].dot(v[i]);
            potential = weight(m[i]).dot(x[i]);
            force air on x[i] = drag * (wind - v[i]);
            guess x[i] = p[i];
        }
        for e @ (i, j) in springs {
            let d = x[j] - x[i];
            potential stretch = 0.5 * k[e] * sq(norm(d) - 0.3m);
            dissipation = 0.5 * (c[e] * lag) * sq(der(norm(d)));
        }
        for e @ (i, j) in rods {
            constraint rod: norm(x[j] - x[i]) == l[e];
        }
        for h @ i in hooks {
            constraint hook: norm(x[i] - vec3(s, 0.0, 0.0)) == r[h];
        }
    }
}

/// The members of the train's sets.
const SPRINGS: [[usize; 2]; 4] = [[0, 1], [3, 1], [2, 4], [4, 0]];
const RODS: [[usize; 2]; 2] = [[1, 2], [4, 3]];
const PLACES: [[f64; 3]; 5] =
    [[0.3, 0.1, -0.4], [0.6, -0.1, -0.5], [0.9, 0.05, -0.5], [0.1, 0.7, -0.3], [0.0, 0.4, -0.4]];
const MASSES: [f64; 5] = [0.2, 0.3, 0.25, 0.15, 0.4];

fn train() -> Train {
    let apart = |&[i, j]: &[usize; 2]| {
        let square: f64 = PLACES[i].iter().zip(PLACES[j]).map(|(a, b)| (a - b) * (a - b)).sum();
        square.sqrt()
    };
    Train::builder()
        .nodes(5)
        .springs(SPRINGS)
        .rods(RODS)
        .hooks([0])
        .m(MASSES)
        .p(PLACES)
        .k([40.0, 50.0, 60.0, 70.0])
        .c([100.0, 200.0, 50.0, 10.0])
        .l(RODS.iter().map(apart))
        .build()
        .expect("a train")
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param l: [Real; 2] [m];
        param m: [Real; 5] [kg] = [0.2, 0.3, 0.25, 0.15, 0.4];
        param k: [Real; 4] [N/m] = [40.0, 50.0, 60.0, 70.0];
        param c: [Real; 4] [N/m] = [100.0, 200.0, 50.0, 10.0];
        param g: Real [m/s^2] = 9.81;
        param lag: Real [s] = 1.0e-3;
        param buffer: Real [N/m] = 20.0;
        param drag: Real [N*s/m] = 0.05;
        input push: Real [N] = 0.7;
        input wind: Vec3 [m/s];
        coord (s, speed): Real [m];
        coord (x, v): [Vec3; 5] [m];
        mass s = 2.0kg;
        force pull on s = push;
        potential = 0.5 * buffer * sq(s);
        for i in 0..5 {
            kinetic = 0.5 * m[i] * v[i].dot(v[i]);
            potential = m[i] * g * x[i].z;
            force air on x[i] = drag * (wind - v[i]);
        }
        guess s = 0.0;
        guess x[0] = vec3(0.3, 0.1, -0.4);
        guess x[1] = vec3(0.6, -0.1, -0.5);
        guess x[2] = vec3(0.9, 0.05, -0.5);
        guess x[3] = vec3(0.1, 0.7, -0.3);
        guess x[4] = vec3(0.0, 0.4, -0.4);
        potential = 0.5 * k[0] * sq(norm(x[1] - x[0]) - 0.3m);
        potential = 0.5 * k[1] * sq(norm(x[1] - x[3]) - 0.3m);
        potential = 0.5 * k[2] * sq(norm(x[4] - x[2]) - 0.3m);
        potential = 0.5 * k[3] * sq(norm(x[0] - x[4]) - 0.3m);
        dissipation = 0.5 * (c[0] * lag) * sq(der(norm(x[1] - x[0])));
        dissipation = 0.5 * (c[1] * lag) * sq(der(norm(x[1] - x[3])));
        dissipation = 0.5 * (c[2] * lag) * sq(der(norm(x[4] - x[2])));
        dissipation = 0.5 * (c[3] * lag) * sq(der(norm(x[0] - x[4])));
        constraint rod_0: norm(x[2] - x[1]) == l[0];
        constraint rod_1: norm(x[3] - x[4]) == l[1];
        constraint hook: norm(x[0] - vec3(s, 0.0, 0.0)) == 0.5m;
    }
}

model! {
    /// Rigid links, each held to the next by a ball joint, the first by a spring to the origin.
    pub struct Links<T> {
        set links;
        set joints: (links, links);
        set ends: links;
        param m[links]: Real = 0.3;
        param j: Vec3 = vec3(1.0e-3, 2.0e-2, 2.1e-2);
        param at[links]: Vec3;
        coord r[links]: Vec3;
        coord (att, w)[links]: SO3;
        gravity = vec3(0.0, 0.0, -9.81);
        for i in links {
            body b on frame(r[i], att[i]) { mass: m[i], inertia: diag(j) }
            force drag on r[i] = -0.02 * der(r[i]);
            guess r[i] = at[i];
        }
        for (a, b) in joints {
            let first = frame(r[a], att[a]).at(vec3(0.25, 0.0, 0.0));
            let second = frame(r[b], att[b]).at(vec3(-0.25, 0.0, 0.0));
            constraint ball: first == second;
        }
        for i in ends {
            constraint pivot: frame(r[i], att[i]).at(vec3(-0.25, 0.0, 0.0)) == vec3(0.0, 0.0, 0.0);
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Three {
        param m: Real = 0.3;
        param j: Vec3 = vec3(1.0e-3, 2.0e-2, 2.1e-2);
        coord r: [Vec3; 3];
        coord (att, w): [SO3; 3];
        gravity = vec3(0.0, 0.0, -9.81);
        for i in 0..3 {
            body b on frame(r[i], att[i]) { mass: m, inertia: diag(j) }
            force drag on r[i] = -0.02 * der(r[i]);
            guess r[i] = vec3(0.25 + 0.5 * i, 0.0, 0.0);
        }
        for i in 0..2 {
            constraint ball: frame(r[i], att[i]).at(vec3(0.25, 0.0, 0.0))
                == frame(r[i + 1], att[i + 1]).at(vec3(-0.25, 0.0, 0.0));
        }
        constraint pivot: frame(r[0], att[0]).at(vec3(-0.25, 0.0, 0.0)) == vec3(0.0, 0.0, 0.0);
    }
}

fn links(n: usize) -> Links {
    Links::builder()
        .links(n)
        .joints((1..n).map(|i| [i - 1, i]))
        .ends([0])
        .at((0..n).map(|i| [0.25 + 0.5 * i as f64, 0.0, 0.0]))
        .build()
        .expect("links")
}

fn end<S: Solvable<Real = f64>, M: Method<S>>(model: &S, method: M, projected: bool) -> State<S> {
    let mut setup = Simulation::of(model, method);
    if projected {
        setup = setup.project(Projection::to(1e-12));
    }
    let mut run = setup.fixed(1e-3).expect("a start");
    run.advance_to(0.05).expect("a run");
    run.state().clone()
}

/// Largest difference, relative to the numbers.
fn apart(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).map(|(f, w)| (f - w).abs() / (1.0 + w.abs())).fold(0.0, f64::max)
}

#[track_caller]
fn same(found: &CsMat<f64>, wanted: &CsMat<f64>, name: &str) {
    assert_eq!(found.shape(), wanted.shape(), "{name}");
    for r in 0..wanted.rows() {
        for c in 0..wanted.cols() {
            let at = |matrix: &CsMat<f64>| matrix.get(r, c).copied().unwrap_or(0.0);
            let (f, w) = (at(found), at(wanted));
            assert!((f - w).abs() < 1e-13 * (1.0 + w.abs()), "{name}[{r}, {c}]: {f} {w}");
        }
    }
}

/// Every method moves both alike, and every block is the same at the end.
macro_rules! agree {
    ($family:expr, $written:expr, $u:expr, [$($name:literal $method:expr, $projected:literal;)*]) => {{
        let (family, written) = (&$family, &$written);
        assert_eq!(family.layout().q, written.layout().q);
        assert_eq!(family.layout().v, written.layout().v);
        assert_eq!(family.layout().directions, written.layout().directions);
        assert_eq!(family.layout().steps, written.layout().steps);
        assert_eq!(family.rotations(), written.rotations());
        $(
            let (a, b) = (end(family, $method, $projected), end(written, $method, $projected));
            let off = apart(&a.q, b.q.as_array()).max(apart(&a.v, b.v.as_array()));
            assert!(off < 1e-11, "{}: {off:e}", $name);
            let off = apart(&a.lambda, b.lambda.as_array());
            assert!(off < 1e-9, "{}: multipliers {off:e}", $name);
        )*
        let mut b = end(written, RungeKutta4, true);
        b.a.as_mut().iter_mut().enumerate().for_each(|(k, a)| *a = 0.3 + 0.1 * (k as f64).sin());
        b.lambda.as_mut().iter_mut().enumerate().for_each(|(k, l)| *l = 2.0 * (k as f64).cos());
        let mut a = State::neutral(family);
        a.q.copy_from_slice(b.q.as_array());
        a.v.copy_from_slice(b.v.as_array());
        a.a.copy_from_slice(b.a.as_array());
        a.lambda.copy_from_slice(b.lambda.as_array());
        let (u, w) = $u;
        let ((at, rates), (there, others)) = ((a.at(&u), a.rates()), (b.at(&w), b.rates()));
        same(&family.mass(at), &written.mass(there), "M");
        same(&family.stiffness(at, rates), &written.stiffness(there, others), "K");
        same(&family.damping(at, rates), &written.damping(there, others), "D");
        same(&family.constraint_jacobian(at), &written.constraint_jacobian(there), "G");
        assert!(apart(&family.force(at), written.force(there).as_array()) < 1e-13);
        assert!(apart(&family.constraint_values(at), written.constraint_values(there).as_array()) < 1e-13);
        let (energy, other) = (family.energy(at), ode_model::Observable::energy(written, there));
        let numbers = |e: ode_model::Energy<f64>| [e.kinetic, e.potential, e.dissipation];
        let off = apart(&numbers(energy), &numbers(other));
        assert!(off < 1e-13, "energies {energy:?} {other:?}");
    }};
}

#[test]
fn a_train_moves_as_it_does_written_out() {
    let train = train();
    let written = Written::builder().l([train.l[0], train.l[1]]).build().expect("a train");
    let inputs = [0.7, 0.3, -0.2, 0.1];
    assert_eq!(train.layout().constraints, ["rod[0]", "rod[1]", "hook[0]"]);
    assert_eq!(train.layout().multipliers, ["rod[0].lambda", "rod[1].lambda", "hook[0].lambda"]);
    agree!(train, written, (inputs.into(), inputs.into()), [
        "backward Euler" BackwardEuler::default(), false;
        "linearly implicit Euler" BackwardEuler::linearized(), true;
        "BDF2" Bdf2::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "implicit midpoint" ImplicitMidpoint::default(), false;
        "Runge–Kutta 4" RungeKutta4, true;
        "Dormand–Prince" DormandPrince, true;
        "leapfrog" Leapfrog::default(), true;
        "semi-explicit Euler" SemiExplicitEuler::explicit(), true;
        "geodesic" Geodesic, false;
        "Störmer–Verlet" StormerVerlet::default(), false;
    ]);
}

#[test]
fn links_turn_as_they_do_written_out() {
    agree!(links(3), Three::default(), (Default::default(), Default::default()), [
        "backward Euler" BackwardEuler::default(), false;
        "BDF2" Bdf2::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Runge–Kutta 4" RungeKutta4, true;
        "semi-explicit Euler" SemiExplicitEuler::explicit(), true;
    ]);
}

/// K and D of the whole, times a direction, are what dual numbers through the undifferentiated residual say.
#[test]
fn tangents_agree_with_dual_numbers() {
    let train = train();
    let mut x = end(&train, RungeKutta4, true);
    x.a.iter_mut().enumerate().for_each(|(k, a)| *a = (k as f64).sin());
    x.lambda.iter_mut().enumerate().for_each(|(k, l)| *l = (k as f64).cos());
    let (u, n) = ([0.7, 0.3, -0.2, 0.1], x.q.len());
    let blocks = u.into();
    let (stiffness, damping) = (train.stiffness(x.at(&blocks), x.rates()), train.damping(x.at(&blocks), x.rates()));
    let dual = train.cast::<Dual<f64>>();
    let along: Vec<f64> = (0..n).map(|k| (1.3 * k as f64).cos()).collect();
    let number = |&value: &f64| Dual { re: value, eps: 0.0 };
    let seeded = |values: &[f64]| -> Vec<_> {
        values.iter().zip(&along).map(|(&value, &slope)| Dual { re: value, eps: slope }).collect()
    };
    for (name, matrix, moved) in [("K", &stiffness, true), ("D", &damping, false)] {
        let mut y = State::neutral(&dual);
        y.q = if moved { seeded(&x.q) } else { x.q.iter().map(number).collect() };
        y.v = if moved { x.v.iter().map(number).collect() } else { seeded(&x.v) };
        y.a = x.a.iter().map(number).collect();
        y.lambda = x.lambda.iter().map(number).collect();
        let mut out = Residual::zeros(&dual.layout());
        let inputs = u.map(|value| number(&value)).into();
        dual.residual(y.at(&inputs), y.rates(), &mut out);
        for (row, r) in out.r.iter().enumerate() {
            let wanted = r.eps;
            let found: f64 = (0..n).map(|c| matrix.get(row, c).copied().unwrap_or(0.0) * along[c]).sum();
            assert!((found - wanted).abs() < 1e-12 * (1.0 + wanted.abs()), "{name}[{row}]: {found} {wanted}");
        }
    }
}

#[test]
fn sets_that_make_no_model_are_refused_by_name() {
    let net = || Links::builder().links(3).ends([0]).at([[0.0; 3]; 3]);
    let text = |joints: &[[usize; 2]]| net().joints(joints.iter().copied()).build().expect_err("refused").to_string();
    assert_eq!(text(&[[0, 1], [1, 3]]), "Links: joints[1] names member 3, but there are 3");
    assert_eq!(text(&[[2, 2]]), "Links: joints[0] names member 2 twice");
    assert_eq!(text(&[[0, 1], [1, 2], [1, 0]]), "Links: joints[2] joins the same members as joints[0]");
    let refused = net().build().expect_err("refused");
    assert_eq!(refused, FamilyError::NotGiven { model: "Links", set: "joints" });
    let refused = Links::builder().links(0).ends([]).joints([]).at([]).build().expect_err("refused");
    assert_eq!(refused, FamilyError::Empty { model: "Links", set: "links" });
    let refused = Links::builder().links(2).ends([]).joints([]).at([[0.0; 3]; 3]).build().expect_err("refused");
    assert_eq!(refused.to_string(), "Links: at has 3 members, but links has 2");
    let refused = net().joints([]).m([0.1, f64::NAN, 0.1]).build().expect_err("refused");
    assert_eq!(refused.to_string(), "Links: param m[1] = NaN is not finite");
    // nothing is held or joined: that is a model
    assert!(Links::builder().links(2).ends([]).joints([]).at([[0.0; 3]; 2]).build().is_ok());
}

model! {
    /// Springs on a wheel; some of their ends are held.
    pub struct Pinned {
        set nodes;
        set springs: (nodes, nodes);
        set pinned: nodes;
        param p[nodes]: Vec3;
        param rest: Real = 1.0;
        coord x[nodes]: Vec3;
        coord turn: Angle;
        mass turn = 1.0;
        fix turn = 0.0;
        for i in nodes {
            mass x[i] = 1.0;
            guess x[i] = p[i];
        }
        for (i, j) in springs {
            potential = 0.5 * sq(norm(x[j] - x[i]) - rest);
            fix x[j].x = 0.3;
        }
        for i in pinned {
            fix x[i] along vec3(0.0, 1.0, 0.0) = 0.0;
        }
    }
}

#[test]
fn what_is_held_has_the_name_of_its_owner() {
    let p = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let pinned = Pinned::builder().nodes(3).springs([[1, 0], [0, 2]]).pinned([2]).p(p).build().expect("a model");
    assert_eq!(pinned.layout().constraints, ["fix turn", "fix x[0].x", "fix x[2].x", "fix x[2] along"]);
    let lambdas = ["fix_turn.lambda", "fix_x_0_x.lambda", "fix_x_2_x.lambda", "fix_x_2_along.lambda"];
    assert_eq!(pinned.layout().multipliers, lambdas);
}

/// No item asks for anything of `rest`.
#[test]
fn numbers_that_are_over_no_set_are_finite() {
    let make = || Pinned::builder().nodes(3).springs([[1, 0], [0, 2]]).pinned([2]).p([[0.0; 3]; 3]);
    let refused = make().rest(f64::NAN).build().expect_err("refused");
    assert_eq!(refused.to_string(), "Pinned: param rest = NaN is not finite");
    let mut changed = make().build().expect("a model");
    changed.rest = f64::INFINITY;
    assert_eq!(changed.check().expect_err("refused").to_string(), "Pinned: param rest = inf is not finite");
}

/// A long net: more blocks than one thread writes in one go.
fn net(n: usize) -> Train {
    let place = |i: usize| [0.3 * (i as f64).cos(), 0.2 * i as f64, 0.3 * (1.7 * i as f64).sin()];
    Train::builder()
        .nodes(n)
        .springs((1..n).map(|i| [i - 1, i]).chain((3..n).map(|i| [i, i - 3])))
        .rods((2..n).step_by(5).map(|i| [i - 2, i]))
        .hooks([0, n / 2])
        .m((0..n).map(|i| 0.1 + 0.01 * (i % 7) as f64))
        .p((0..n).map(place))
        .k((0..2 * n - 4).map(|e| 40.0 + (e % 13) as f64))
        .c(vec![20.0; 2 * n - 4])
        .l(vec![0.4; (2..n).step_by(5).len()])
        .build()
        .expect("a net")
}

model! {
    /// Points on rails, each with a number of its own.
    pub struct Rails {
        set points;
        set rails;
        set stands: (points, rails);
        param height[rails]: Real;
        coord y[points]: Real;
        for i in points { mass y[i] = 1.0; }
        for (i, r) in stands { potential = 0.5 * sq(y[i] - height[r]); }
    }
}

#[test]
fn tuples_of_different_sets_are_told_apart() {
    let rails = |stands: [[usize; 2]; 3]| Rails::builder().points(3).rails(3).stands(stands).height([0.0, 1.0, 2.0]);
    let built = rails([[1, 2], [2, 1], [0, 0]]).build();
    assert_eq!(built.map(|built| built.stands().len()), Ok::<_, FamilyError>(3));
    let refused = rails([[1, 2], [2, 1], [1, 2]]).build().expect_err("the same twice");
    assert_eq!(refused.to_string(), "Rails: stands[2] joins the same members as stands[0]");
}

/// The tangent and the residual are the same to the bit on one, two and four threads.
#[test]
fn threads_change_no_bit() {
    let net = net(1000);
    let layout = net.layout();
    let mut x = State::neutral(&net);
    net.guess(&mut x.q, &mut x.v, &mut x.z);
    x.v.iter_mut().enumerate().for_each(|(k, v)| *v = (k as f64).sin());
    x.lambda.iter_mut().enumerate().for_each(|(k, l)| *l = (k as f64).cos());
    let u = [0.7, 0.3, -0.2, 0.1].into();
    let weights = Weights { rates: 1.0, velocity: 1e-2, position: 1e-4, state: 0.0 };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut residual = Residual::zeros(&layout);
        let mut tangent = vec![0.0; layout.tangent.nnz()];
        let step = vec![0.0; layout.v.len()];
        pool.install(|| net.tangent(x.at(&u), x.rates(), weights, &step, &mut residual, &mut tangent));
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        [bits(&tangent), bits(&residual.r), bits(&residual.phi)]
    };
    let one = on(1);
    assert!(one.iter().flatten().filter(|bits| **bits != 0).count() > 50_000);
    assert!(on(2) == one && on(4) == one);
}
