mod m0301_params {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param len: Real = 1.0;
            param m: Real = 1.0;
            constraint c2: len == m;
        }
    }
}

mod m0302_too_many {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord y: Real;
            mass y = 1.0;
            constraint a: x + sin(y) == 0.0;
            constraint b: sin(x) + y == 0.0;
            constraint c: cos(x) * y == 0.1;
        }
    }
}

mod m0303_twice_the_same {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord y: Real;
            mass y = 1.0;
            constraint a: x + y == 1.0;
            constraint b: 2.0 * x + 2.0 * y == 3.0;
        }
    }
}

mod m0304_squares {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            constraint c: sq(der(x)) == 1.0;
        }
    }
}

mod m0305_a_mode {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            mode m: Real = 1.0;
            coord y: Real;
            kinetic other = 0.5 * sq(der(y));
            constraint c: y == m * x;
            event hit when x < 0.0 { m = 2.0; }
        }
    }
}

mod m0305_a_state {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            state z: Real;
            der(z) = -z;
            kinetic = 0.5 * sq(der(x));
            constraint follow: x == z;
        }
    }
}

mod m0305_an_input {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            input u: Real;
            constraint drive: x == u;
        }
    }
}

mod m0307_a_stiffness {
    ode_model::model! {
        pub struct P<T> {
            param k: Real [N/m] = 1.0e6;
            coord x: Real [m];
            kinetic = 0.5kg * sq(der(x));
            constraint soft: x == 0.0 with { compliance: k };
        }
    }
}

mod m0308_twice {
    ode_model::model! {
        pub struct P<T> {
            coord x, y: Real;
            kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
            constraint driver: x == sin(t);
            init x = 0.0;
            fix x;
        }
    }
}

mod m0310_an_expression {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            fix 2.0 * x;
        }
    }
}

mod m0311_no_start {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            fix x;
        }
    }
}

mod m0312_a_state {
    ode_model::model! {
        pub struct P<T> {
            coord x, y: Real;
            kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
            fix x = 2.0 * y;
        }
    }
}

mod m0313_redundant_and_soft {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            constraint a: x == 1.0 with { redundant, compliance: 1.0e-6 };
        }
    }
}

mod m0601_a_state_twice {
    ode_model::model! {
        pub struct P<T> {
            state z: [Real; 2];
            der(z) = [1.0, -1.0];
            init z = [1.0, 2.0];
            init z[1] = 3.0;
        }
    }
}

mod m0601_contradicting {
    ode_model::model! {
        pub struct P {
            param l: Real = 1.0;
            coord r: Vec2;
            mass r = 1.0;
            constraint rod: r.dot(r) == sq(l);
            init r = vec2(0.5, 0.0);
        }
    }
}

mod m0601_twice {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            init x = 1.0;
            init x = 2.0;
        }
    }
}

mod m0601_velocities {
    ode_model::model! {
        pub struct P {
            coord r: Vec2;
            mass r = 1.0;
            constraint rod: r.dot(r) == 1.0;
            init r = vec2(1.0, 0.0);
            init der(r) = vec2(1.0, 0.0);
        }
    }
}

mod m0603_a_guess_on_the_sphere {
    use ode_model::model;

    model! {
        pub struct Pendulum<T> {
            coord (d, w): S2;
            kinetic = 0.5 * w.dot(w);
            guess w = vec3(1.0, 0.0, 0.0);
        }
    }
}

mod m0603_a_rotation {
    use ode_model::model;

    model! {
        pub struct Top<T> {
            coord (q, w): SO3;
            kinetic = 0.5 * w.dot(w);
            init der(q) = vec3(0.0, 0.0, 1.0);
        }
    }
}

mod m0604_a_param {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: Real = 1.0;
            guess k = 2.0;
            potential = k * x;
        }
    }
}

mod m0604_a_vector_for_a_rotation {
    use ode_model::model;

    model! {
        pub struct Top<T> {
            coord (q, w): SO3;
            kinetic = 0.5 * w.dot(w);
            init q = vec3(0.0, 0.0, 1.0);
        }
    }
}

mod m0604_no_unit_vector {
    use ode_model::model;

    model! {
        pub struct Pendulum<T> {
            coord d: S2;
            kinetic = 0.5 * der(d).dot(der(d));
            init d = vec3(1.0, 1.0, 0.0);
        }
    }
}

mod m0605_a_state {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord y: Real;
            mass y = 1.0;
            init x = y;
        }
    }
}

mod m0606_the_defaults {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: Real = -1.0;
            require k > 0.0, "k must be positive";
            potential = k * x;
        }
    }
}

fn main() {}
