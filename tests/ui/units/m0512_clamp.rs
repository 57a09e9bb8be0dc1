ode_model::model! {
    pub struct P<T> {
        param m: Real = 1.0;
        coord x: Real;
        kinetic = 0.5 * m * sq(der(x));
        force a on x = clamp(0.0, x, 1.0);
        force b on x = x.clamp(1.0, -1.0);
    }
}

fn main() {}
