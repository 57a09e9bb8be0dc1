#![deny(deprecated)]

mod m0206_cubic {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            dissipation = smooth_abs(der(x), 0.1) * sq(der(x));
        }
    }
}

mod m0207_an_unused_param {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: Real = 1.0;
        }
    }
}

mod m0208_an_unused_input {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            input u: Real;
        }
    }
}

mod m0209_negative {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            dissipation = x * der(x);
        }
    }
}

mod m0306_at_the_origin {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord r: Vec2;
            mass r = 1.0;
            constraint rod: r.dot(r) == 1.0;
        }
    }
}

mod m0309_a_rate {
    ode_model::model! {
        pub struct P<T> {
            param r: Real [m] = 0.1;
            coord x: Real [m];
            coord phi: Angle;
            kinetic = 0.5kg * sq(der(x)) + 0.5kg * sq(r * der(phi));
            constraint roll: der(x) == r * der(phi);
        }
    }
}

mod m0401_a_kink {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            force fric on x = -abs(der(x));
        }
    }
}

mod m0402_a_vanishing_length {
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
}

mod m0602_out_of_reach {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord y, z: Real;
            mass (y, z) = 1.0;
            constraint rod: sq(x) + sq(y) == 1.0;
            init x = 0.9;
            init y = 0.1;
            guess z = 0.0;
        }
    }
}

mod m0607_no_start {
    ode_model::model! {
        pub struct P<T> {
            coord x, y: Real;
            mass (x, y) = 1.0;
            constraint rod: sq(x) + sq(y) == 1.0;
            init x = 0.6;
        }
    }
}

fn main() {}
