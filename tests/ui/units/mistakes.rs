mod m0501_a_rate {
    ode_model::model! {
        pub struct P<T> {
            param tau: Real [s] = 0.1;
            input cmd: Real [N];
            state f: Real [N];
            der(f) = tau * (cmd - f);
        }
    }
}

mod m0501_a_sum {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            param len: Real [m] = 1.0;
            potential = m * 9.81 * x + len;
        }
    }
}

mod m0501_branches {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            output y = if x > 0.0 { x } else { m };
        }
    }
}

mod m0502_no_der {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            kinetic b = 0.5 * m * sq(x);
        }
    }
}

mod m0503_a_rotation {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            body hull on frame(vec3(x, 0.0, 0.0), rot_z(x)) { mass: m, inertia: diag(1.0, 1.0, 1.0) }
        }
    }
}

mod m0503_a_sine {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            potential = m * sin(x);
        }
    }
}

mod m0504_a_number {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            force f on x = 3.0;
        }
    }
}

mod m0504_a_torque_in_space {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            param f: Real [N] = 1.0;
            coord th: Angle;
            let b = frame(vec3(0.0, 0.0, 0.0), rot_z(th));
            body hull on b { mass: m, inertia: diag(1.0, 1.0, 1.0) }
            torque drive on b = vec3(0.0, 0.0, f);
        }
    }
}

mod m0505_two_units {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            constraint c2: x == m;
        }
    }
}

mod m0506_an_unknown_unit {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            param a: Real [furlong] = 1.0;
        }
    }
}

mod m0506_in_brackets {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real [m];
            mass x = 1.0kg;
            init x = 1.0 [m];
        }
    }
}

mod m0507_an_output {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            output tip: Real [N] = x;
        }
    }
}

mod m0512_a_bound {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            param lo: Real [m] = 1.0;
            input u: Real [N] in lo..=10.0;
            force f on x = u;
        }
    }
}

mod m0512_clamp {
    ode_model::model! {
        pub struct P<T> {
            param m: Real = 1.0;
            coord x: Real;
            kinetic = 0.5 * m * sq(der(x));
            force a on x = clamp(0.0, x, 1.0);
            force b on x = x.clamp(1.0, -1.0);
        }
    }
}

mod m0513_strict {
    ode_model::model! {
        #[model(units = strict)]
        pub struct P {
            param c_x: Real = 0.05;
            coord x: Real [m];
            coord th: Angle;
            mass x = 2kg;
            kinetic = 0.5 * 1.0kg * sq(1.0m) * sq(der(th));
            force f on x = -1.0kg / 1.0s * c_x * der(x);
        }
    }
}

mod m0514_a_comparison {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            potential = if x < m { 1.0N * x } else { 0.0 };
        }
    }
}

mod m0514_a_guard {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            event hit when x < m { der(x) = -der(x); }
        }
    }
}

mod m0515_a_reset {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            event hit when x < 0.0 { der(x) = -x; }
        }
    }
}

mod m0516_a_scaled_coordinate {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 1.0;
            coord x: Real [m];
            kinetic = 0.5 * m * sq(der(x));
            unit mm = 1.0e-3 [m];
            coord y: Real [mm];
            mass y = m;
        }
    }
}

mod body_on_a_mistake {
    ode_model::model! {
        pub struct P {
            param arm: Vec3 [m] = vec3(0.0, 0.0, 0.4);
            coord r: Vec3 [m];
            coord (q, w): SO3;
            let b = frame(r, q) * frame(arm * 1kg, rot_z(0.0));
            body hull on b { mass: 1.0kg, inertia: diag(0.1, 0.2, 0.3) * 1kg * 1m * 1m, com: arm }
        }
    }
}

fn main() {}
