mod m0807_a_vector {
    use ode_model::prelude::*;

    model! {
        pub struct Ball {
            coord p: Vec2;
            extern fn height(p: Vec2) -> Real { dual: crate::height }
            kinetic = 0.5 * der(p).dot(der(p));
            potential = height(p);
        }
    }
}

mod m0808_no_table {
    use ode_model::prelude::*;

    model! {
        pub struct Ball {
            param k: Real = 1.0;
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = k * pchip([[0.0, 1.0], [1.0, 2.0]], x) + pchip(k, x);
        }
    }
}

mod m0808_no_value {
    use ode_model::prelude::*;

    model! {
        pub struct Ball {
            coord x: Real;
            extern fn height(x: Real) -> Real { gradient: crate::slope }
            kinetic = 0.5 * sq(der(x));
            potential = height(x);
        }
    }
}

fn main() {}
