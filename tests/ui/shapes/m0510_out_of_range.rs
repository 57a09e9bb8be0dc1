ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        param hub: [Real; 4] = [1.0, 2.0, 3.0, 4.0];
        potential = hub[4] * x;
    }
}

fn main() {}
