//! The reset of the covariance, against differences of x ⊕ (d + ε) ⊖ (x ⊕ d) that are written here once more.

use ode_control::Ekf;
use ode_model::integrators::{Geodesic, RungeKutta4, Vary};
use ode_model::linalg::SMatrix;
use ode_model::solve::Projection;
use ode_model::variation::Fixed;
use ode_model::{Block, Nominal, Sensitive, Solvable, Start, State, StepMap, s2, so3};

use crate::derivatives::spread;
use crate::models::{Bob, Tumbler};

/// Entries of q, v, z side by side, where the first ones are tangent.
trait Moves<const N: usize>: Solvable<Real = f64> + Sensitive {
    fn plus(&self, x: &State<Self>, d: [f64; N]) -> State<Self>;
    fn minus(&self, y: &State<Self>, x: &State<Self>) -> [f64; N];
}

/// The frame that goes from one quaternion by the step to another without spin, and a velocity of the other in it.
fn carried(from: [f64; 4], to: [f64; 4], v: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let step = s2::local(&from, &to);
    (step, s2::rates(&s2::retract(&from, &step), &s2::velocity(&to, &v)))
}

fn part<const N: usize>(block: &[f64], first: usize) -> [f64; N] {
    std::array::from_fn(|i| block[first + i])
}

impl Moves<19> for Tumbler {
    fn plus(&self, x: &State<Self>, d: [f64; 19]) -> State<Self> {
        let (mut y, q) = (x.clone(), x.q.as_ref());
        let body = so3::product(&part(q, 0), &so3::exp(&part(&d, 0)));
        let world = so3::product(&so3::exp(&part(&d, 3)), &part(q, 4));
        let sphere = s2::retract(&part(q, 8), &part(&d, 6));
        y.q.as_mut().copy_from_slice(&[&body[..], &world, &sphere, &[q[12] + d[8]]].concat());
        (0..9).for_each(|i| y.v.as_mut()[i] += d[9 + i]);
        y.z.as_mut()[0] += d[18];
        y
    }

    fn minus(&self, y: &State<Self>, x: &State<Self>) -> [f64; 19] {
        let (from, to) = (x.q.as_ref(), y.q.as_ref());
        let body = so3::log(&so3::product(&so3::conjugate(&part(from, 0)), &part(to, 0)));
        let world = so3::log(&so3::product(&part(to, 4), &so3::conjugate(&part(from, 4))));
        let mut v: [f64; 9] = part(y.v.as_ref(), 0);
        let (sphere, turned) = carried(part(from, 8), part(to, 8), part(&v, 6));
        v[6..8].copy_from_slice(&turned);
        let v: Vec<f64> = v.iter().zip(x.v.as_ref()).map(|(y, x)| y - x).collect();
        let rest = [&body[..], &world, &sphere, &[to[12] - from[12]], &v, &[y.z.as_ref()[0] - x.z.as_ref()[0]]];
        rest.concat().try_into().expect("nineteen")
    }
}

impl Moves<4> for Bob {
    fn plus(&self, x: &State<Self>, d: [f64; 4]) -> State<Self> {
        let mut y = x.clone();
        y.q.as_mut().iter_mut().chain(y.v.as_mut()).zip(d).for_each(|(x, d)| *x += d);
        y
    }

    fn minus(&self, y: &State<Self>, x: &State<Self>) -> [f64; 4] {
        let to = y.q.as_ref().iter().chain(y.v.as_ref());
        let from = x.q.as_ref().iter().chain(x.v.as_ref());
        let all: Vec<f64> = to.zip(from).map(|(y, x)| y - x).collect();
        all.try_into().expect("four")
    }
}

/// P with the reset is Γ P Γᵀ of that without.
fn check<S: Moves<N>, M: Vary<S> + Copy, const N: usize, const R: usize>(
    (model, x): (&S, &State<S>),
    method: M,
    (outputs, z): ([&str; R], [f64; R]),
    how: Option<Projection<f64>>,
) {
    let corrected = |reset: bool, how: Option<Projection<f64>>| {
        let mut ekf = Ekf::new(model, method, x, spread::<N>(0.2)).expect("a filter");
        if let Some(how) = how {
            ekf = ekf.project(how).expect("a projection");
        }
        if !reset {
            ekf = ekf.without_reset();
        }
        let sensor = ekf.sensor(outputs).expect("a sensor");
        ekf.update(&sensor, z, &(SMatrix::identity() * 0.05)).expect("a correction");
        (ekf.state().clone(), *ekf.covariance())
    };
    let ((end, turned), (_, still)) = (corrected(true, how), corrected(false, how));
    let d = model.minus(&corrected(false, None).0, x);
    let mut map = StepMap::<_, _, Fixed<0>>::sized(model, method, &[]).expect("a map");
    if let Some(how) = how {
        map = map.project(how).expect("a projection");
    }
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    let mut moved = |d: [f64; N]| {
        let mut y = model.plus(x, d);
        map.admit(&mut y, &u).expect("a state");
        SMatrix::<f64, N, 1>::from(model.minus(&y, &end))
    };
    assert!(moved(d).amax() < 1e-12, "it is the correction");
    let columns: [_; N] = std::array::from_fn(|k| {
        let mut at = |by: f64| moved(std::array::from_fn(|i| if i == k { d[i] + by } else { d[i] }));
        (8.0 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3
    });
    let gamma = SMatrix::<f64, N, N>::from_columns(&columns);
    let wanted = gamma * still * gamma.transpose();
    let off = (turned - wanted).amax() / wanted.amax();
    assert!(off < 1e-8, "{off:e}: {turned} {wanted}");
    assert!((turned - still).amax() > 1e-2 * wanted.amax(), "it shows");
}

#[test]
fn on_rotations_and_the_sphere() {
    let model = Tumbler::default();
    let mut x = State::neutral(&model);
    x.v.as_mut().copy_from_slice(&[0.4, -0.8, 0.5, 0.7, 0.2, -0.6, 0.9, -0.5, 0.3]);
    let outputs = ["s.x", "s.y", "m.x", "m.y", "m.z", "speed.x", "speed.y", "rate"];
    check((&model, &x), RungeKutta4, (outputs, [0.5, -0.4, 0.1, 0.5, 0.9, -0.6, 0.8, 0.1]), None);
}

#[test]
fn with_the_projection_of_a_constrained_state() {
    let model = Bob::default();
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let seen = (["angle", "acceleration.x"], [1.1, -3.0]);
    check((&model, &x), Geodesic, seen, Some(Projection::to(1e-13)));
}
