//! A pendulum as a point on a rod, against the one with an angle.

use ode_control::{Ekf, Ukf};
use ode_model::integrators::DormandPrince8;
use ode_model::linalg::{SMatrix, dense};
use ode_model::solve::Projection;
use ode_model::{Constraint, Simulation, State, System, model};

use crate::models::Pendulum;
use crate::pendulum::{H, NOISE, diagonal, samples};

model! {
    /// The same pendulum in Cartesian coordinates.
    pub struct Point {
        param l: Real = 0.8;
        param c: Real = 0.2;
        param g: Real = 9.81;
        coord r: Vec2;
        kinetic = 0.5 * der(r).dot(der(r));
        potential = g * r.y;
        dissipation = 0.5 * c * der(r).dot(der(r));
        constraint rod: norm(r) == l;
        guess r.x = 0.0;
        guess r.y = -l;
        output encoder = atan2(r.x, -r.y);
    }
}

/// ∂(r, ṙ)/∂(θ, ω)
fn tangent([th, om]: [f64; 2]) -> SMatrix<f64, 4, 2> {
    let (s, c) = (0.8 * th.sin(), 0.8 * th.cos());
    SMatrix::from_columns(&[[c, s, -om * s, om * c].into(), [0.0, 0.0, c, s].into()])
}

fn point(model: &Point, [th, om]: [f64; 2]) -> State<Point> {
    let mut x = State::neutral(model);
    let (s, c) = (0.8 * th.sin(), 0.8 * th.cos());
    x.q.as_mut().copy_from_slice(&[s, -c]);
    x.v.as_mut().copy_from_slice(&[om * c, om * s]);
    x
}

/// How far the estimates are off those of the minimal model, with noise of this size.
macro_rules! off {
    ($filter:ident, $size:expr) => {{
        let (angle, redundant, size) = (Pendulum::<f64>::default(), Point::default(), $size * $size);
        let p = diagonal::<Pendulum<f64>, 2>([0.01, 0.05]) * size;
        let (q, r) = (diagonal::<Pendulum<f64>, 2>([1e-6, 1e-4]) * size, SMatrix::<f64, 1, 1>::new(NOISE * size));
        let mut x = State::neutral(&angle);
        x.q.as_mut()[0] = 0.95;
        let mut truth = Simulation::of(&angle, DormandPrince8).given(x.clone()).fixed(H).expect("a start");
        x.q.as_mut()[0] += 0.05 * $size;
        let here = |x: &State<Pendulum<f64>>| [x.q.as_ref()[0], x.v.as_ref()[0]];
        let mut minimal = $filter::new(&angle, DormandPrince8, &x, p).expect("a filter");
        let (start, t) = (point(&redundant, here(&x)), tangent(here(&x)));
        let filter = $filter::new(&redundant, DormandPrince8, &start, t * p * t.transpose()).expect("a filter");
        let mut filter = filter.project(Projection::to(1e-13)).expect("a projection");
        let (one, other) = (minimal.sensor(["encoder"]).expect("a"), filter.sensor(["encoder"]).expect("a sensor"));
        let mut off = 0.0_f64;
        for [z, th, ..] in samples() {
            minimal.predict([], H, &q).expect("a step");
            let t = tangent(here(minimal.state()));
            filter.predict([], H, &(t * q * t.transpose())).expect("a step");
            truth.step_towards(10.0).expect("a step");
            let z = truth.state().q.as_ref()[0] + $size * (z - th);
            let a = minimal.update(&one, [z], &r).expect("a correction");
            let b = filter.update(&other, [z], &r).expect("a correction");
            let (x, wanted) = (filter.state(), point(&redundant, here(minimal.state())));
            let apart = x.q.as_ref().iter().zip(wanted.q.as_ref()).chain(x.v.as_ref().iter().zip(wanted.v.as_ref()));
            off = apart.map(|(a, b)| (a - b).abs()).fold(off, f64::max).max($size * (a.nis - b.nis).abs());
            // two degrees of freedom, though there are four directions: relative to their mean, 2
            let error = minimal.nees(truth.state()).expect("a number");
            let of_point = filter.nees(&point(&redundant, here(truth.state()))).expect("a number");
            off = off.max($size * (error - of_point).abs() / 2.0);
            let t = tangent(here(minimal.state()));
            let covariance = t * minimal.covariance() * t.transpose();
            off = off.max($size * (filter.covariance() - covariance).amax() / covariance.amax());
            let mut constraint = Constraint::zeros(&redundant.layout());
            redundant.constraint(x.point(), &mut constraint);
            assert!(constraint.phi.as_ref()[0].abs() < 1e-13 && constraint.rate.as_ref()[0].abs() < 1e-13);
            let g: SMatrix<f64, 1, 2> = dense(redundant.layout().jacobian, constraint.jacobian.as_ref());
            let positions = filter.covariance().fixed_view::<2, 2>(0, 0).into_owned();
            assert!((g * positions * g.transpose())[(0, 0)] < 1e-12 * positions.amax(), "it is along the rod");
        }
        off
    }};
}

/// What is added to coordinates and then projected differs from what is added to an angle by its square.
#[test]
fn it_has_the_estimates_of_the_minimal_one_to_second_order() {
    for (coarse, fine) in [(off!(Ekf, 0.1), off!(Ekf, 0.01)), (off!(Ukf, 0.1), off!(Ukf, 0.01))] {
        assert!(coarse < 1e-3 && fine < 0.012 * coarse, "{coarse:e} {fine:e}");
    }
}
