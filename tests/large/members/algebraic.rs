//! Algebraic variables of members, against the same model written out.

use ode_model::integrators::{GeneralizedAlpha, RungeKutta4};
use ode_model::{Cause, Differentiable, Dual, Nominal, Simulation, Solvable, Start, State, System, model};

use crate::alike::{alike, dense, point, same, tangent_of_duals};

model! {
    /// Masses in a fluid under pressure, some of them pulled together by currents.
    pub struct Coils<T> {
        set nodes;
        set coils: (nodes, nodes);
        set fed: nodes;
        param p[nodes]: Vec2;
        param r[coils]: Real = 1.5;
        param pull: Real = 4.0;
        param drag: Real = 0.3;
        param tau: Real = 2.0;
        param leak: Real = 0.2;
        input feed: Real = 0.7;
        algebraic current[coils]: Real;
        algebraic press[nodes]: Vec2;
        state heat[coils]: Real;
        coord (x, v)[nodes]: Vec2;
        algebraic level: Real;
        state spent: Real;
        der(spent) = level - spent / tau;
        guess level = 0.5;
        for e @ (i, j) in coils {
            let drop = dot(x[j] - x[i], press[j] - press[i]);
            constraint law: r[e] * current[e] + exp(0.3 * current[e]) == drop + heat[e] + feed;
            force own on x[i] = pull * current[e] * (x[j] - x[i]);
            force other on x[j] = pull * current[e] * (x[i] - x[j]);
            der(heat[e]) = sq(current[e]) - heat[e] / tau + 0.1 * press[i].x;
            init heat[e] = 0.4;
            guess current[e] = 0.2 * norm(p[j] - p[i]);
            output volts: Real = r[e] * current[e];
        }
        for i in nodes {
            mass x[i] = 0.3;
            guess x[i] = p[i];
            guess press[i] = 0.8 * p[i];
            constraint pressure: press[i] + leak * vec2(sq(press[i].y), press[i].x * level)
                == x[i] + 0.1 * level * v[i];
            force push on x[i] = -drag * press[i] - drag * v[i];
        }
        constraint balance: level + 0.3 * level * level * level == feed + 0.2 * spent;
        for i in fed {
            der(spent) = press[i].x * feed;
            force glow on x[i].y = 0.2 * level * spent;
        }
        output all: Real = sum(coils, |e @ (i, j)| current[e] * press[j].y) + level;
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param p: [Vec2; 3];
        param r: [Real; 2] = [1.5; 2];
        param pull: Real = 4.0;
        param drag: Real = 0.3;
        param tau: Real = 2.0;
        param leak: Real = 0.2;
        input feed: Real = 0.7;
        algebraic current: [Real; 2];
        algebraic press: [Vec2; 3];
        state heat: [Real; 2];
        coord (x, v): [Vec2; 3];
        algebraic level: Real;
        state spent: Real;
        der(spent) = level - spent / tau + press[2].x * feed + press[0].x * feed;
        guess level = 0.5;
        constraint law_0: r[0] * current[0] + exp(0.3 * current[0])
            == dot(x[1] - x[0], press[1] - press[0]) + heat[0] + feed;
        constraint law_1: r[1] * current[1] + exp(0.3 * current[1])
            == dot(x[1] - x[2], press[1] - press[2]) + heat[1] + feed;
        force own_0 on x[0] = pull * current[0] * (x[1] - x[0]);
        force other_0 on x[1] = pull * current[0] * (x[0] - x[1]);
        force own_1 on x[2] = pull * current[1] * (x[1] - x[2]);
        force other_1 on x[1] = pull * current[1] * (x[2] - x[1]);
        der(heat[0]) = sq(current[0]) - heat[0] / tau + 0.1 * press[0].x;
        der(heat[1]) = sq(current[1]) - heat[1] / tau + 0.1 * press[2].x;
        init heat = [0.4, 0.4];
        guess current[0] = 0.2 * norm(p[1] - p[0]);
        guess current[1] = 0.2 * norm(p[1] - p[2]);
        for i in 0..3 {
            mass x[i] = 0.3;
            guess x[i] = p[i];
            guess press[i] = 0.8 * p[i];
            constraint pressure: press[i] + leak * vec2(sq(press[i].y), press[i].x * level)
                == x[i] + 0.1 * level * v[i];
            force push on x[i] = -drag * press[i] - drag * v[i];
        }
        constraint balance: level + 0.3 * level * level * level == feed + 0.2 * spent;
        force glow_0 on x[2].y = 0.2 * level * spent;
        force glow_1 on x[0].y = 0.2 * level * spent;
        output volts: [Real; 2] = [r[0] * current[0], r[1] * current[1]];
        output all: Real = current[0] * press[1].y + current[1] * press[1].y + level;
    }
}

model! {
    /// Diodes between a source and capacitors: equations that may have no solution.
    pub struct Roots {
        set cells;
        param c[cells]: Real = 0.5;
        param first[cells]: Real = 1.0;
        state u[cells]: Real;
        algebraic y[cells]: Real;
        for i in cells {
            init u[i] = first[i];
            guess y[i] = 1.0;
            constraint root: sq(y[i]) == u[i];
            der(u[i]) = -c[i] * y[i];
        }
    }
}

const PLACES: [[f64; 2]; 3] = [[0.0, 0.1], [0.6, 0.3], [0.5, -0.4]];

fn coils() -> Coils {
    let builder = Coils::builder().nodes(3).coils([[0, 1], [2, 1]]).fed([2, 0]).p(PLACES);
    builder.r([1.5, 2.0]).build().expect("coils")
}

/// F and ∂F/∂y.
pub(crate) fn laws<S: Solvable<Real = f64>>(model: &S, x: &State<S>, u: &S::U) -> (Vec<f64>, Vec<f64>) {
    let pattern = model.layout().algebraic_jacobian;
    let (mut values, mut jacobian) = (vec![0.0; pattern.rows], vec![0.0; pattern.nnz()]);
    model.algebraic(x.at(u), &mut values, &mut jacobian);
    (values, dense(pattern, &jacobian))
}

#[test]
fn algebraic_variables_of_members_are_those_written_out() {
    let (coils, written) = (coils(), Written::builder().p(PLACES).r([1.5, 2.0]).build().expect("coils"));
    let layout = coils.layout();
    let names = ["heat[0]", "heat[1]", "spent", "current[0]", "current[1]", "press[0].x", "press[0].y", "press[1].x"];
    assert_eq!((&layout.z[..8], layout.z[11], layout.algebraic), (&names[..], "level", 9));
    assert!(layout.constraints.is_empty());
    alike(&coils, &written);
    let ((x, u), (y, w)) = (point(&coils), point(&written));
    let (found, wanted) = (laws(&coils, &x, &u), laws(&written, &y, &w));
    same("F", &found.0, &wanted.0);
    same("its Jacobian", &found.1, &wanted.1);
    moves_alike!(&coils, &written);
    // where a run begins the equations hold
    let start = Start::default().solve(&coils, &Nominal).expect("a start");
    let (values, _) = laws(&coils, &start, &coils::U::default());
    assert!(values.iter().all(|value| value.abs() < 1e-12), "{values:?}");
    assert_eq!((coils.current(&start.z).len(), coils.press(&start.z)[2][1]), (2, start.z[10]));
}

/// The weighted tangent, times a direction, is what dual numbers through the residual say.
#[test]
fn tangents_with_algebraic_variables_are_those_of_dual_numbers() {
    let coils = coils();
    let slopes = tangent_of_duals(&coils, &coils.cast::<Dual<f64>>());
    let nv = coils.layout().v.len();
    assert!(slopes[nv..].iter().all(|slope| *slope != 0.0));
    assert_eq!(coils.derivatives().force_by_input.rows, slopes.len());
}

#[test]
fn many_equations_are_solved_and_those_without_a_solution_are_named() {
    let n = 1500;
    let first = |i: usize| 1.0 + 0.2 * (i as f64).sin();
    let roots = Roots::builder().cells(n).first((0..n).map(first)).build().expect("cells");
    assert_eq!(roots.layout().algebraic_jacobian.nnz(), n);
    // (√u)̇ = −c/2
    let end = |i: usize| (first(i).sqrt() - 0.25).powi(2);
    let mut explicit = Simulation::of(&roots, RungeKutta4).fixed(0.1).expect("a start");
    explicit.advance_to(1.0).expect("a run");
    let implicit = GeneralizedAlpha::with_spectral_radius(0.9);
    let mut implicit = Simulation::of(&roots, implicit).fixed(0.01).expect("a start");
    implicit.advance_to(1.0).expect("a run");
    for i in 0..n {
        let (u, y) = (roots.u(&explicit.state().z)[i], roots.y(&explicit.state().z)[i]);
        assert!((u - end(i)).abs() < 1e-7 && (y * y - u).abs() < 1e-14, "{i}: {u} {y}");
        assert!((roots.u(&implicit.state().z)[i] - end(i)).abs() < 1e-5);
    }
    let mut roots = roots;
    roots.first[1234] = -1.0;
    let error = Simulation::of(&roots, RungeKutta4).fixed(0.1).expect_err("no root");
    let (Cause::Algebraic { name, .. } | Cause::Singular { name, .. }) = error.cause else { panic!("{error}") };
    assert_eq!(name.as_str(), "y[1234]");
}
