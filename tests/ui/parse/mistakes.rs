mod m0001_a_declaration {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            k: Real = 3.0;
        }
    }
}

mod m0001_a_misspelt_keyword {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            constrain c4: x == 1.0;
        }
    }
}

mod m0001_an_assignment {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            k = 3.0;
        }
    }
}

mod m0002_another_word {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            force g at x = 3.0;
        }
    }
}

mod m0003_one_sign {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            constraint rod: x = 1.0;
        }
    }
}

mod m0004_an_inequality {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            constraint floor: x >= 0.0;
        }
    }
}

mod m0005_three_names {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            coord (a, b, c): Angle;
        }
    }
}

mod m0006_at_the_end {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x
        }
    }
}

mod m0006_before_a_doc_comment {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x
            /// the damper
            dissipation = sq(der(x));
        }
    }
}

mod m0006_before_a_misspelt_item {
    ode_model::model! {
        pub struct P<T> {
            param m: Real = 1.0,
            coord x: Real;
            kinetic = 0.5 * m * sq(der(x))
            potental = x;
        }
    }
}

mod m0006_between_items {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = x
            dissipation = sq(der(x));
        }
    }
}

mod m0007_a_condition {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            limit rail: x <= 1.0;
        }
    }
}

mod m0007_a_half_range {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            limit rail: x in 0.0..1.0;
        }
    }
}

mod m0007_a_lifetime {
    ode_model::model! {
        pub struct P<'a> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
        }
    }
}

mod m0007_a_space_before_the_unit {
    ode_model::model! {
        pub struct P<T> {
            coord th: Angle;
            kinetic = 0.5 * sq(der(th));
            init th = 30.0 deg;
        }
    }
}

mod m0007_an_event_without_when {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            event hit if x < 0.0 { stop; }
        }
    }
}

mod m0007_an_init_with_two_signs {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            init x == 0.0;
        }
    }
}

mod m0007_braces_of_a_body {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            body b on x;
            potential = x;
        }
    }
}

mod m0007_no_body {
    ode_model::model! {
        pub struct P<T>;
    }
}

mod m0007_no_expression {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = ;
        }
    }
}

mod m0007_no_item {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            (x + 1.0);
        }
    }
}

mod m0007_no_struct {
    ode_model::model! {
        enum P { }
    }
}

mod m0007_two_models {
    ode_model::model! {
        pub struct P {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
        } pub struct Q { }
    }
}

mod m0008_brackets {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            potential = ((((((((((((((((((((((((((((((((((x))))))))))))))))))))))))))))))))));
        }
    }
}

mod m0009_a_range_of_a_param {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: Real in 0.0..=1.0 = 0.5;
        }
    }
}

mod m0704_a_const_generic {
    ode_model::model! {
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
            param k: [Real; N];
        }
    }
}

mod m0904_an_option {
    ode_model::model! {
        #[model(emmit(hessian), max_ops = 3)]
        pub struct P {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
        }
    }
}

mod m0904_an_order {
    ode_model::model! {
        #[model(order = 3)]
        pub struct P<T> {
            coord x: Real;
            kinetic = 0.5 * sq(der(x));
        }
    }
}

fn main() {}
