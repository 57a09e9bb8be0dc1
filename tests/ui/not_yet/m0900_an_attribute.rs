ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        #[cfg(test)]
        potential = sq(x);
    }
}

fn main() {}
