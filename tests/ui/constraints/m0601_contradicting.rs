ode_model::model! {
    pub struct P {
        param l: Real = 1.0;
        coord r: Vec2;
        mass r = 1.0;
        constraint rod: r.dot(r) == sq(l);
        init r = vec2(0.5, 0.0);
    }
}

fn main() {}
