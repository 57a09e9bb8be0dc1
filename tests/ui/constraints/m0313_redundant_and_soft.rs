ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        constraint a: x == 1.0 with { redundant, compliance: 1.0e-6 };
    }
}

fn main() {}
