mod m0900_a_const_generic {
    ode_model::model! {
        pub struct P<T, const N: usize> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
        }
    }
}

mod m0900_a_planar_motion {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord (n, w): SE2;
            potential = x;
        }
    }
}

mod m0900_an_attribute {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            #[cfg(test)]
            potential = sq(x);
        }
    }
}

mod m0900_an_option {
    ode_model::model! {
        #[model(parallel)]
        pub struct P {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
        }
    }
}

mod m0900_sum {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = sum(nodes, |i| x[i]);
        }
    }
}

fn main() {}
