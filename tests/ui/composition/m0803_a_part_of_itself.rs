use ode_model::model;

model! {
    pub struct Leg {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        sub other: Leg;
    }
}

fn main() {
    println!("{:?}", Leg::default());
}
