mod m0201_a_rotation {
    use ode_model::model;

    model! {
        pub struct Top<T> {
            coord (q, w): SO3;
            potential = q.rotate(vec3(0.0, 0.0, 1.0)).z;
        }
    }
}

mod m0201_no_coefficient {
    ode_model::model! {
        #[model(order = 1)]
        pub struct P<T> {
            coord x, y: Real;
            dissipation = 0.5 * sq(der(x));
            potential = sq(y);
        }
    }
}

mod m0201_no_inertia {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord s: Real;
        }
    }
}

mod m0202_a_velocity {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = sq(der(x));
        }
    }
}

mod m0203_a_mass_of_a_point {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            mass 2.0 * x = 1.0;
        }
    }
}

mod m0203_a_param {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: Real = 1.0;
            force f on k = 1.0;
        }
    }
}

mod m0203_a_velocity {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            force f on der(x) = 1.0;
        }
    }
}

mod m0204_linear {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            kinetic b = 3.0 * der(x);
        }
    }
}

mod m0205_an_inertia {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
            body hull on b { mass: 1.0, inertia: [[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }
        }
    }
}

mod m0205_not_symmetric {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord th: Angle;
            mass (x, th) = [[2.0, cos(th)], [sin(th), 1.0]];
        }
    }
}

mod m0210_two_fields {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            gravity = vec2(0.0, -9.81);
            gravity = vec2(0.0, -9.81);
        }
    }
}

mod m0211_an_unknown_field {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            spring s on (x, 0.0) { k: 1.0, rst: 1.0 }
        }
    }
}

mod m0211_no_inertia_in_space {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
            body hull on b { mass: 1.0 }
        }
    }
}

mod m0212_a_fixed_body {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            body b on frame2(vec2(1.0, 0.0), 0.0) { mass: 1.0, inertia: 1.0 }
        }
    }
}

mod m0213_no_coordinate {
    ode_model::model! {
        pub struct P {
            param k: Real = 1.0;
        }
    }
}

mod m0220_a_state {
    ode_model::model! {
        pub struct P<T> {
            param k: Real [N/m] = 2.0;
            coord x: Real [m];
            state rest: Real [m];
            der(rest) = x * 1.0Hz;
            kinetic = 0.5 * 1.0kg * sq(der(x));
            potential = 0.5 * k * sq(x - rest);
        }
    }
}

mod m0220_an_input {
    ode_model::model! {
        pub struct P<T> {
            param m: Real [kg] = 2.0;
            coord x: Real [m];
            input wheel: Real [m/s];
            kinetic = 0.5 * m * sq(der(x) + wheel);
        }
    }
}

mod m0221_a_coordinate {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            der(x) = 1.0;
        }
    }
}

mod m0222_twice {
    ode_model::model! {
        pub struct P<T> {
            state z: [Real; 2];
            for i in 0..2 { der(z[i]) = -z[i]; }
            der(z[1]) = 1.0;
        }
    }
}

mod m0223_no_rate {
    ode_model::model! {
        pub struct P<T> {
            state z: [Real; 2];
            der(z[0]) = -z[0];
        }
    }
}

mod m0224_a_force {
    ode_model::model! {
        #[model(order = 1)]
        pub struct P<T> {
            coord x: Real;
            dissipation = 0.5 * sq(der(x));
            force f on x = -der(x) * x;
        }
    }
}

mod m0224_an_acceleration {
    ode_model::model! {
        #[model(order = 1)]
        pub struct P<T> {
            coord x: Real;
            dissipation = 0.5 * sq(der(x));
            output a: Real = der2(x);
        }
    }
}

mod m0224_kinetic {
    ode_model::model! {
        #[model(order = 1)]
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
        }
    }
}

mod m0225_too_few {
    ode_model::model! {
        pub struct P<T> {
            state z: Real;
            algebraic f, g: Real;
            der(z) = f + g;
            constraint c: f == z;
        }
    }
}

mod m0230_a_product {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            event hit when x < 0.0 { 2.0 * der(x) = 1.0; }
        }
    }
}

mod m0230_an_input {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            input u: Real = 0.0;
            force f on x = u;
            event hit when x < 0.0 { u = 1.0; }
        }
    }
}

mod m0231_twice {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            event hit when x < 0.0 { der(x) = 1.0; x = 0.0; der(x) = -der(x); }
        }
    }
}

mod m0232_two_conditions {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            event hit when x < 0.0 && t > 1.0 { der(x) = 1.0; }
        }
    }
}

mod m0233_a_choice {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            event hit when x < 0.0 { if x > 1.0 { stop; } }
        }
    }
}

mod m0233_nothing {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            event hit when x < 0.0 {}
        }
    }
}

mod m0234_params {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: Real = 1.0;
            force f on x = k;
            event hit when k < 0.0 { stop; }
        }
    }
}

mod m0240_a_negative_moment {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
            body hull on b { mass: 1.0, inertia: diag(1.0, 1.0, -1.0) }
        }
    }
}

mod m0241_plane_and_space {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
            body hull on b { mass: 1.0, inertia: diag(1.0, 1.0, 1.0) }
            body mast on frame2(vec2(x, 0.0), x) { mass: 1.0, inertia: 1.0 }
        }
    }
}

mod m0242_an_indefinite_mass {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            coord y: Real;
            mass (x, y) = [[1.0, 1.0], [1.0, 0.5]];
        }
    }
}

mod m0243_one_left_over {
    ode_model::model! {
        pub struct P<T> {
            state z: Real;
            algebraic f, g: Real;
            der(z) = f + g;
            constraint c: f == z;
            constraint d: 2.0 * f == sin(z);
        }
    }
}

mod m0403_a_frame_of_an_input {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            input u: Real;
            body hull on frame(vec3(x, u, 0.0), rot_z(x)) { mass: 1.0, inertia: diag(1.0, 1.0, 1.0) }
        }
    }
}

mod m0403_an_input {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            input u: Real;
            force f on x = der(u);
        }
    }
}

mod m0404_a_multiplier {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            constraint rod: x == 1.0;
            force f on x = rod.lambda;
        }
    }
}

mod m0404_a_rate {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            state z: Real;
            kinetic = 0.5 * sq(der(x));
            der(z) = x - z;
            force f on x = der(z);
        }
    }
}

mod m0404_by_way_of_a_let {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            let a = der(der(x));
            force f on x = a;
        }
    }
}

mod m0404_in_a_force {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            force f on x = der2(x);
        }
    }
}

mod m0403_centre {
    ode_model::model! {
        pub struct P {
            coord r: Vec3;
            coord (q, w): SO3;
            input u: Real;
            let b = frame(r, q);
            body hull on b { mass: 1.0, inertia: diag(0.1, 0.2, 0.3), com: vec3(u, 0.0, 0.0) }
        }
    }
}

mod m0203_centre {
    ode_model::model! {
        pub struct P {
            coord r: Vec3;
            coord (q, w): SO3;
            let b = frame(r, q);
            body hull on b { mass: 1.0, inertia: diag(0.1, 0.2, 0.3), com: vec3(w.x, 0.0, 0.0) }
        }
    }
}

fn main() {}
