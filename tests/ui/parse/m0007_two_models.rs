ode_model::model! {
    pub struct P {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    } pub struct Q { }
}

fn main() {}
