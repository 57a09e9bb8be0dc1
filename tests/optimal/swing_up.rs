//! A cart-pole, and a cart with a double pendulum, swung up with the least ∫ u² dt.

use ode_model::control::{InteriorPoint, OptimalControl, Plan, PlanError};
use ode_model::prelude::*;
use ode_model::variation::Fixed;
use ode_model::{Dual, F64x8, StepHessian};

model! {
    #[model(derive(Clone, Debug))]
    pub struct CartPole<T> {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        param c_th: Real [N*m*s] = 0.001;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N] in -10.0..=10.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x)) + 0.5 * c_th * sq(der(th));
        force drive on x = u;
        limit rail: x in -2.4..=2.4;
        cost effort = sq(u / 1N);
        cost miss = 0.5 * (sq(x / 1m) + sq(th - 3.141592653589793) + sq(der(x) / 1m * 1s) + sq(der(th) * 1s));
    }
}

fn solved(intervals: usize) -> Result<Plan<CartPole<f64>, 4, 1>, PlanError> {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<F64x8>>();
    let mut up = State::neutral(&cart);
    up.q.set_th(std::f64::consts::PI);
    let problem = OptimalControl::<_, _, 4, 1>::of(&cart, RungeKutta4, 2.0, intervals)?
        .running("effort")?
        .start(&State::neutral(&cart))
        .end(&up);
    let linear = StepHessian::<_, _, Fixed<5>>::sized(&dual, RungeKutta4)?;
    let mut solver = InteriorPoint::of(&problem, linear)?;
    let found = solver.solve_with(|step| {
        println!("{step:?}");
        std::ops::ControlFlow::Continue(())
    });
    found
}

#[test]
fn a_cart_pole_is_swung_up() {
    for (intervals, cost) in [(50, 57.160_471_4), (100, 56.945_600_6), (200, 56.89)] {
        let plan = solved(intervals).expect("an optimum");
        println!("{intervals} {} {}", plan.cost, plan.iterations.len());
        assert!((plan.cost / cost - 1.0).abs() < 1e-8, "{intervals}: {}", plan.cost);
    }
}
