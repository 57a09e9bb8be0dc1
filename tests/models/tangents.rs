//! The stiffness that energies of a model without sets choose for Newton's iterations.

use ode_model::analysis::{Held, Statics};
use ode_model::integrators::{BackwardEuler, Bdf2, GeneralizedAlpha, Implicit, ImplicitMidpoint};
use ode_model::linalg::nalgebra::{Matrix5, SymmetricEigen, Vector5};
use ode_model::prelude::*;
use ode_model::solve::Newton;
use ode_model::{At, Linearize, Method, Rayleigh, Solvable, StepMap, Weights};

model! {
    /// Points on springs, a wheel that turns one of them, and one whose coordinates are coupled in a row.
    pub struct Positive<T> {
        param k: Real = 40.0;
        param c: Real = 0.3;
        coord r: Vec2;
        coord a, b: Real;
        coord (wheel, w): SO2;
        kinetic = 0.5 * dot(der(r), der(r)) + 0.5 * sq(der(a)) + 0.5 * sq(der(b)) + 0.1 * sq(w);
        potential = 9.81 * r.y + 0.5 * sq(a) + 0.5 * sq(b) + 3.0 * sq(r.x - 0.3);
        dissipation = 0.5 * c * (dot(der(r), der(r)) + sq(der(a)) + sq(der(b)));
        #[tangent(psd)]
        spring s on (r, vec2(0.0, 0.0)) { k: k, rest: 1.2 }
        #[tangent(psd)]
        potential = 0.4 * (r.x * a + a * b);
        #[tangent(psd)]
        potential = 0.7 * b * wheel.vec(vec2(1.0, 0.0)).x;
        init r = vec2(0.3, -0.5);
        init a = 0.2;
        init b = -0.3;
    }
}

model! {
    /// The same with the stiffness that they have.
    pub struct Exact<T> {
        param k: Real = 40.0;
        param c: Real = 0.3;
        coord r: Vec2;
        coord a, b: Real;
        coord (wheel, w): SO2;
        kinetic = 0.5 * dot(der(r), der(r)) + 0.5 * sq(der(a)) + 0.5 * sq(der(b)) + 0.1 * sq(w);
        potential = 9.81 * r.y + 0.5 * sq(a) + 0.5 * sq(b) + 3.0 * sq(r.x - 0.3);
        dissipation = 0.5 * c * (dot(der(r), der(r)) + sq(der(a)) + sq(der(b)));
        spring s on (r, vec2(0.0, 0.0)) { k: k, rest: 1.2 }
        potential = 0.4 * (r.x * a + a * b);
        potential = 0.7 * b * wheel.vec(vec2(1.0, 0.0)).x;
        init r = vec2(0.3, -0.5);
        init a = 0.2;
        init b = -0.3;
    }
}

/// ∇V of the energies with an attribute, by (r, a, b, turn).
fn hessians(x: &[f64]) -> [Matrix5<f64>; 3] {
    let (r, b, [cos, sin]) = ([x[0], x[1]], x[3], [x[4], x[5]]);
    let length = r[0].hypot(r[1]);
    let mut spring = Matrix5::zeros();
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (along, one) = (r[i] * r[j] / (length * length), f64::from(u8::from(i == j)));
        spring[(i, j)] = 40.0 * (along + (1.0 - 1.2 / length) * (one - along));
    }
    let (mut row, mut wheel) = (Matrix5::zeros(), Matrix5::zeros());
    for (i, j) in [(0, 2), (2, 0), (2, 3), (3, 2)] {
        row[(i, j)] = 0.4;
    }
    (wheel[(4, 4)], wheel[(3, 4)], wheel[(4, 3)]) = (-0.7 * cos * b, -0.7 * sin, -0.7 * sin);
    [spring, row, wheel]
}

/// Σ −λ v vᵀ over negative eigenvalues.
fn negative(matrix: &Matrix5<f64>) -> Matrix5<f64> {
    let of = SymmetricEigen::new(*matrix);
    let values = Vector5::from_fn(|k, _| (-of.eigenvalues[k]).max(0.0));
    of.eigenvectors * Matrix5::from_diagonal(&values) * of.eigenvectors.transpose()
}

#[test]
fn newtons_matrix_has_the_projection_of_each_energy_also_where_the_tangent_has_zeros() {
    let (system, weight) = (Positive::<f64>::default(), 0.37);
    let layout = system.layout();
    const { assert!(!Positive::<f64>::NEWTON_IS_EXACT && Exact::<f64>::NEWTON_IS_EXACT) };
    for (angle, r) in [(0.3_f64, [0.3, -0.5]), (2.0, [0.9, 1.3]), (-1.2, [-0.1, 0.05])] {
        let mut x = State::neutral(&system);
        x.q.as_mut().copy_from_slice(&[r[0], r[1], 0.2, -0.3, angle.cos(), angle.sin()]);
        let mut found = <Positive<f64> as Linearize>::Tangent::default();
        let weights = Weights { rates: 1.0, velocity: 2.0, position: weight, state: 3.0 };
        system.newton_stiffness(x.point(), weights, &mut found);
        // damping by β K has β of it
        let damped = Rayleigh::new(system.clone(), 0.0, 0.5).expect("a model of second order");
        let mut of_both = <Positive<f64> as Linearize>::Tangent::default();
        let u = Default::default();
        let at = At { t: x.t, q: &x.q, v: &x.v, z: &x.z, u: &u, modes: &x.modes };
        damped.newton_stiffness(at, weights, &mut of_both);
        for (both, one) in of_both.iter().zip(&found) {
            assert!((both - one * (weight + 1.0) / weight).abs() <= 1e-13 * both.abs());
        }
        let wanted: Matrix5<f64> = hessians(x.q.as_ref()).iter().map(negative).sum();
        let mut added = Matrix5::zeros();
        layout.tangent.entries().zip(found).for_each(|(place, found)| added[place] = found);
        assert!((added - weight * wanted).amax() < 1e-14 * 40.0, "{added} {wanted}");
        // zero in K, and not in the projection
        assert!(wanted[(0, 3)].abs() > 0.1);
    }
}

fn end<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M) -> Vec<f64> {
    let mut run = Simulation::of(system, method).fixed(0.02).expect("a start");
    run.advance_to(0.6).expect("steps");
    run.state().q.as_ref().to_vec()
}

fn apart(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).map(|(f, w)| (f - w).abs()).fold(0.0, f64::max)
}

#[test]
fn steps_and_their_derivatives_are_those_of_the_exact_tangent() {
    let newton = Newton { iterations: 200, tolerance: 1e-14, ..Newton::default() };
    let (exact, positive) = (Exact::<f64>::default(), Positive::<f64>::default());
    macro_rules! alike {
        ($($method:expr),*) => { $(
            assert!(apart(&end(&positive, $method), &end(&exact, $method)) < 1e-9);
            let start = Start::default().solve(&exact, &Nominal).expect("a start");
            let mut map = StepMap::of(&exact, $method, &["k", "c"]).expect("a map");
            let step = map.step(&start, [], 0.02).expect("a step");
            let wanted = [step.a(), step.p()].map(|part| part.labelled().into_matrix());
            let start = Start::default().solve(&positive, &Nominal).expect("a start");
            let mut map = StepMap::of(&positive, $method, &["k", "c"]).expect("a map");
            let step = map.step(&start, [], 0.02).expect("a step");
            for (found, wanted) in [step.a(), step.p()].map(|part| part.labelled().into_matrix()).iter().zip(&wanted) {
                assert!(apart(found.as_slice(), wanted.as_slice()) < 1e-9);
            }
        )* };
    }
    alike!(
        BackwardEuler { solve: Implicit::Newton(newton), ..BackwardEuler::default() },
        BackwardEuler::linearized(),
        Bdf2 { newton, ..Bdf2::default() },
        GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(0.8) },
        ImplicitMidpoint::default()
    );
    let method = Bdf2 { newton, ..Bdf2::default() };
    let wanted = end(&Held::new(exact, &["der(a)"]).expect("a velocity"), method);
    let found = end(&Held::new(positive, &["der(a)"]).expect("a velocity"), method);
    assert!(apart(&found, &wanted) < 1e-9);
    assert_eq!(found[2], 0.2);
}

#[test]
fn equilibria_and_their_stability_are_those_of_the_exact_tangent() {
    let how = Statics { iterations: 500, ..Statics::default() };
    let (exact, positive) = (Exact::<f64>::default(), Positive::<f64>::default());
    let start = Start::default().solve(&exact, &Nominal).expect("a start");
    let (x, wanted) = how.solve(&exact, &Nominal, start).expect("an equilibrium");
    let start = Start::default().solve(&positive, &Nominal).expect("a start");
    let (y, found) = how.solve(&positive, &Nominal, start).expect("an equilibrium");
    assert!(apart(y.q.as_ref(), x.q.as_ref()) < 1e-8, "{:?} {:?}", y.q, x.q);
    assert_eq!(found.stability, wanted.stability);
}
