mod m0108_a_large_vector {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: Vec<5000>;
        }
    }
}

mod m0114_a_power {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param m: Real = 1.0;
            potential = 0.5 * m * x^2;
        }
    }
}

mod m0114_each_power {
    ode_model::model! {
        pub struct P<T> {
            coord x, y: Real;
            mass (x, y) = 1.0;
            potential = x^2 + y^2;
        }
    }
}

mod m0115_integers {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = 1/2 * x;
        }
    }
}

mod m0116_a_cast {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x as f64;
        }
    }
}

mod m0117_no_else {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = if x > 0.0 { x };
        }
    }
}

mod m0118_a_closure_alone {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            let f = |y| y * y;
        }
    }
}

mod m0119_a_remainder {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x % 2.0;
        }
    }
}

mod m0120_a_real_exponent {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x.powi(2.5);
        }
    }
}

mod m0121_equality {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = if x == 0.0 { 1.0 } else { x };
        }
    }
}

mod m0122_arguments {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = atan2(x);
        }
    }
}

mod m0123_a_condition {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x < 1.0;
        }
    }
}

mod m0124_two_operators {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x + * 2.0;
        }
    }
}

mod m0125_overflow {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = exp(1000.0) * x;
        }
    }
}

mod m0126_recursion {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            fn f(a: Real) -> Real { f(a) }
            potential = f(x);
        }
    }
}

mod m0130_a_coordinate {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = match x { 0 => 0.0, _ => 1.0 };
        }
    }
}

mod m0131_a_range {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            mode gear: Real = 1.0;
            kinetic = 0.5 * sq(der(x));
            force f on x = match gear { 0..=3 => 1.0, _ => x };
        }
    }
}

mod m0508_a_rotation_and_a_vector {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
            kinetic = 0.5 * sq(der(x));
            potential = (rot_x(x) * vec3(1.0, 2.0, 3.0)).x;
        }
    }
}

mod m0508_vector_and_scalar {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord r: Vec2;
            mass r = 1.0;
            param l: Real = 1.0;
            potential = norm(r - l);
        }
    }
}

mod m0509_a_force {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord r: Vec3;
            mass r = 1.0;
            force f on r = vec2(0.0, 1.0);
        }
    }
}

mod m0509_a_frame {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            let b = frame2(vec2(x, 0.0), 0.0);
            force f on b = vec2(0.0, 1.0);
        }
    }
}

mod m0509_a_number_as_inertia {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
            body hull on b { mass: 1.0, inertia: 0.5 }
        }
    }
}

mod m0509_a_reset {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            event hit when x < 0.0 { x = vec2(1.0, 2.0); }
        }
    }
}

mod m0509_a_sine_of_a_vector {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord r: Vec2;
            mass r = 1.0;
            potential = sin(r);
        }
    }
}

mod m0509_gravity_of_the_plane {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            let b = frame(vec3(x, 0.0, 0.0), rot_z(x));
            gravity = vec2(0.0, -9.81);
            body hull on b { mass: 1.0, inertia: diag(1.0, 1.0, 1.0) }
        }
    }
}

mod m0509_the_square_of_a_vector {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord r: Vec2;
            mass r = 1.0;
            potential = sq(r);
        }
    }
}

mod m0510_before_the_first_member {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            for i in 0..4 {
                let p[i] = p[i - 1] + x;
            }
            potential = p[3];
        }
    }
}

mod m0510_out_of_range {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param hub: [Real; 4] = [1.0, 2.0, 3.0, 4.0];
            potential = hub[4] * x;
        }
    }
}

mod m0511_branches {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            output y: Real = if x > 0.0 { vec2(1.0, 2.0) } else { 1.0 };
        }
    }
}

mod m0901_operations {
    ode_model::model! {
        #[model(max_ops = 10)]
        pub struct P<T> {
            param k: Real = 1.0;
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = k * (1.0 - cos(x)) + 0.25 * sq(sq(x));
        }
    }
}

mod m0905_unknowns {
    ode_model::model! {
        #[model(storage = dense)]
        pub struct P<T> {
            coord x: [Real; 130];
            for i in 0..130 {
                kinetic = 0.5 * sq(der(x[i]));
            }
        }
    }
}

mod needs_sparse {
    ode_model::model! {
        pub struct Long {
            coord x: [Real; 130];
            for i in 0..130 {
                kinetic = 0.5 * sq(der(x[i]));
            }
        }
    }
}

fn main() {}
