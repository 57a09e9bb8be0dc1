#![deny(deprecated)]

ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        coord r: Vec2;
        mass r = 1.0;
        potential = norm(r);
        init r = vec2(0.0, 0.0);
        guess x = 0.0;
    }
}

fn main() {}
