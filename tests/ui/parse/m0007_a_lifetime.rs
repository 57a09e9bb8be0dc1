ode_model::model! {
    pub struct P<'a> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
    }
}

fn main() {}
