ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord th: Angle;
        mass (x, th) = [[2.0, cos(th)], [sin(th), 1.0]];
    }
}

fn main() {}
