ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord r: Vec2;
        mass r = 1.0;
        potential = sin(r);
    }
}

fn main() {}
