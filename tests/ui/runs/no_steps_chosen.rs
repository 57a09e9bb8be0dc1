//! A setup makes no steps before these are chosen: the message says how.
use ode_model::prelude::*;

model! {
    pub struct Cart {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() -> Result<(), StepError> {
    let cart = Cart::default();
    let mut run = Simulation::of(&cart, Geodesic);
    run.advance_to(1.0)?;
    run.run(2.0, 0.1, |x| println!("{}", x.q.x()))?;
    println!("{}", run.state().q.x());
    Ok(())
}
