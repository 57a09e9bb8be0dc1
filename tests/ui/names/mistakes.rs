mod m0101_a_rate {
    ode_model::model! {
        pub struct P<T> {
            coord th: Angle;
            kinetic = 0.5 * sq(th_dot);
            potential = v.th;
        }
    }
}

mod m0101_a_similar_param {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param len: Real = 1.0;
            potential = lenn * x;
            potential b = len * x;
        }
    }
}

mod m0102_a_coordinate {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param x: Real = 1.0;
        }
    }
}

mod m0102_a_unit {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            unit m = 2.0 [kg];
        }
    }
}

mod m0102_two_constraints {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord y: Real;
            kinetic k2 = 0.5 * sq(der(y));
            constraint a: x == 1.0;
            constraint a: y == 1.0;
        }
    }
}

mod m0102_two_forces {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            force a on x = 1.0;
            force a on x = 2.0;
        }
    }
}

mod m0103_time {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord t: Real;
        }
    }
}

mod m0104_a_let_below {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = tip;
            let tip = 2.0 * x;
        }
    }
}

mod m0104_a_member_of_a_later_round {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            for i in 0..4 {
                let p[i] = p[i + 1] + x;
            }
            potential = p[3];
        }
    }
}

mod m0104_a_multiplier_below {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            let f = rod.lambda;
            constraint rod: x == 1.0;
            output y: Real = f;
        }
    }
}

mod m0105_a_keyword {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord type: Real;
        }
    }
}

mod m0106_energy {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            output energy: Real = x;
        }
    }
}

mod m0107_a_misspelt_type {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord y: Rael;
        }
    }
}

mod m0109_a_default_that_reads {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param a: Real = 1.0;
            param b: Real = 2.0 * a;
            potential = a * b * x;
        }
    }
}

mod m0110_a_state {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            require x > 0.0;
        }
    }
}

mod m0111_a_misspelt_function {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = sinn(x);
        }
    }
}

mod m0112_no_function {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = mu(x);
        }
    }
}

mod m0113_no_method {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord r: Vec2;
            mass r = 1.0;
            output y: Vec2 = r.normalise();
        }
    }
}

mod m0127_an_output {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            output y: Real = x;
            potential = y;
        }
    }
}

mod m0128_in_a_loop {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            for i in 0..2 { param k: Real = 1.0; potential = k * x; }
        }
    }
}

mod m0906_frozen {
    ode_model::model! {
        #[model(freeze(k, lenght))]
        pub struct P {
            param k: Real;
            param length: Real = 1.0;
            coord x: Real;
            kinetic = 0.5 * length * sq(der(x));
            potential = 0.5 * k * sq(x);
        }
    }
}

fn main() {}
