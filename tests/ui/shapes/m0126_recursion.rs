ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        fn f(a: Real) -> Real { f(a) }
        potential = f(x);
    }
}

fn main() {}
