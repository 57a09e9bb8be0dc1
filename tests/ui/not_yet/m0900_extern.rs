ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        extern fn mu(s: Real) -> Real { value: crate::mu, gradient: crate::mu_grad }
        potential = mu(x);
    }
}

fn main() {}
