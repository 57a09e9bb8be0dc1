ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord (n, w): SE2;
        potential = x;
    }
}

fn main() {}
