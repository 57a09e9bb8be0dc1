ode_model::model! {
    pub struct P<T> {
        param m: Real [kg] = 1.0;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        unit mm = 1.0e-3 [m];
        coord y: Real [mm];
        mass y = m;
    }
}

fn main() {}
