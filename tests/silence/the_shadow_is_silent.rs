#![deny(warnings)]

// The expansion names a `cfg` of rust-analyzer, which cargo does not know: nobody hears of it.

ode_model::model! {
    pub struct P<T> {
        /// rest position
        param rest: Real [m] = 0.5;
        param k: Real [N/m] = 1.0;
        coord x: Real [m];
        fn beyond(x: Real [m]) -> Real [m] {
            let x = x - rest;
            if x > 0.0 { x } else { 0.0 }
        }
        mass x = 1.0kg;
        potential = 0.5 * k * sq(beyond(x));
    }
}

pub fn main() {
    // Nor of one inside a function.
    ode_model::model! {
        struct Inner {
            coord x: Real;
            mass x = 1.0;
        }
    }
    assert!(Inner::builder().build().is_ok());
    assert!(P::<f64>::builder().build().is_ok());
}
