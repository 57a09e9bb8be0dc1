ode_model::model! {
    pub struct P<T> {
        coord x, y: Real;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        constraint driver: x == sin(t);
        init x = 0.0;
        fix x;
    }
}

fn main() {}
