ode_model::model! {
    pub struct P {
        coord r: Vec2;
        mass r = 1.0;
        constraint rod: r.dot(r) == 1.0;
        init r = vec2(1.0, 0.0);
        init der(r) = vec2(1.0, 0.0);
    }
}

fn main() {}
