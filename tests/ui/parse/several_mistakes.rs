// One mistake is one message, all of them come at once, and the struct still has its shape.
ode_model::model! {
    pub struct P<T> {
        param k: Real [N/m] = 1.0;
        param len: Real [m] = 1.0;
        coord x: Real [m];
        constrain c4: x == 1.0;
        potential = 0.5 * k * sq(x - lenn);
        force f at x = 3.0;
        output y: Real [N] = len;
    }
}

fn length(p: &P<f64>) -> f64 {
    p.k * p.len
}

fn main() {
    let _ = length;
}
