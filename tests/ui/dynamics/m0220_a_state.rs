ode_model::model! {
    pub struct P<T> {
        param k: Real [N/m] = 2.0;
        coord x: Real [m];
        state rest: Real [m];
        der(rest) = x * 1.0Hz;
        kinetic = 0.5 * 1.0kg * sq(der(x));
        potential = 0.5 * k * sq(x - rest);
    }
}

fn main() {}
