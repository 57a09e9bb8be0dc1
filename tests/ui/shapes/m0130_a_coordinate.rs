ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        potential = match x { 0 => 0.0, _ => 1.0 };
    }
}

fn main() {}
