ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        mode gear: Real = 1.0;
        kinetic = 0.5 * sq(der(x));
        force f on x = match gear { 0..=3 => 1.0, _ => x };
    }
}

fn main() {}
