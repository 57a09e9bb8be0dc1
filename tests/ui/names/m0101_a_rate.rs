ode_model::model! {
    pub struct P<T> {
        coord th: Angle;
        kinetic = 0.5 * sq(th_dot);
        potential = v.th;
    }
}

fn main() {}
