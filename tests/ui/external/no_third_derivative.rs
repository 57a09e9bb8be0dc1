//! Steps by a model of an external function can be made; sensitivities need its derivatives of higher order.
use ode_model::By;
use ode_model::prelude::*;

fn height(x: f64) -> f64 {
    x * x
}
fn slope(x: f64) -> [f64; 1] {
    [2.0 * x]
}
fn bend(_: f64) -> [[f64; 1]; 1] {
    [[2.0]]
}

model! {
    struct Bead {
        coord x, y: Real;
        extern fn height(x: Real) -> Real { value: height, gradient: slope, hessian: bend }
        kinetic = 0.5 * (sq(der(x)) + sq(der(y)));
        constraint wire: y == height(x);
    }
}

fn main() {
    let bead = Bead::default();
    let run = Simulation::of(&bead, Heun).fixed(0.01).unwrap();
    let _ = run.vary(&By::new().start());
    let run = Simulation::of(&bead, Heun).fixed(0.01).unwrap();
    let _ = run.reversible(&By::new().start(), 3);
}
