ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        mode m: Real = 1.0;
        coord y: Real;
        kinetic other = 0.5 * sq(der(y));
        constraint c: y == m * x;
        event hit when x < 0.0 { m = 2.0; }
    }
}

fn main() {}
