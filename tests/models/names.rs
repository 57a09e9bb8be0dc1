//! Names that generated code uses itself, names that Rust reserves, and the places a model can stand in.

use ode_model::prelude::*;

use crate::{begin, close};

/// Every name that generated code gives to a local, an argument or a method, given by the user to something else.
#[allow(non_snake_case, reason = "a user may write K for a stiffness")]
mod locals {
    ode_model::model! {
        pub struct Locals<T> {
            param w0, w1, r, out, at, rates, holds, lambda, mass, jacobian, factor, weights, spill, s0, f, model,
                values: Real = 1.0;
            param names, value, residual, K, D, M, convert, energy, power, forward, array, w_, position,
                check: Real = 1.0;
            param b, a, u: [Real; 2] = [1.0, 2.0];
            coord q, v, z, t_, x, out_, w3, layout, n: Real;
            kinetic = 0.5 * (w0 * sq(der(q)) + w1 * sq(der(v)) + sq(der(z)) + r * sq(der(t_)) + out * sq(der(x))
                + at * sq(der(out_)) + rates * sq(der(w3)) + holds * sq(der(layout)) + lambda * sq(der(n)));
            potential = mass * q * v * z + jacobian * sin(t_) * x * out_ * factor
                + weights * w3 * layout * n * spill * s0
                * f * model * values * names * value * residual * K * D * M * convert * energy * power * forward
                * array * w_ * position * check * a[0] * a[1] * b[0] * u[1];
            input i, h, c, w4: Real;
            force drive on q = i * h * c * w4;
            constraint phi: q + v == x * z;
            output y, w5, g: Real = phi.lambda + q * v;
            limit hh: x * w3 in 0.0..=1.0;
            cost stage = x * w3 * layout;
            require w0 > 0.0 && r > 0.0, "why";
            init q = 0.5;
            guess layout = 0.0;
            guess n = 0.0;
            guess out_ = 0.0;
            guess t_ = 0.0;
            guess v = 0.0;
            guess w3 = 0.0;
            guess x = 0.0;
            guess z = 0.0;
        }
    }
}

/// Words of Rust, where the user insists.
mod keywords {
    ode_model::model! {
        pub struct r#Type<T> {
            param r#type, r#loop: Real = 2.0;
            coord (r#move, r#dyn): Real;
            input r#in: Real;
            kinetic = 0.5 * r#type * sq(r#dyn);
            potential = r#loop * sq(r#move);
            force r#fn on r#move = r#in;
            output r#if: Real = r#move;
            limit r#else: r#move in 0.0..=1.0;
            cost r#for = sq(r#move);
            init r#move = 0.5;
        }
    }
    // whose module would be named by a keyword
    ode_model::model! { pub struct Box { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; } }
    ode_model::model! { pub struct Loop<T> { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; } }
    ode_model::model! { pub struct Crate { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; } }
}

/// The prelude's and the runtime's names, taken by the user's own module.
mod shadowed {
    #![allow(dead_code, reason = "they are here to be in the way")]
    type Result<T> = ::core::result::Result<T, String>;
    struct Option;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    trait Default {}
    trait From {}
    trait Into {}
    trait AsRef {}
    trait Scalar {}
    struct System;
    struct State;
    struct Block;
    mod core {}
    mod std {}
    mod ode_model {}
    ::ode_model::model! {
        pub struct Shadowed<T> {
            param k: Real = 1.0;
            param missing: Real;
            require k > 0.0;
            coord x: Real;
            input u: Real in -1.0..=1.0;
            kinetic = 0.5 * sq(der(x));
            potential = 0.5 * k * missing * sq(x);
            force f on x = u;
            constraint c: sin(x) == 0.5;
            output y: Real = x;
            limit h: x in -1.0..=1.0;
            cost j = sq(x);
            guess x = 0.5;
        }
    }
    ::ode_model::model! {
        pub struct ShadowedToo {
            param k: Real = 1.0;
            require k > 0.0;
            coord x: Real;
            input u: Real in -1.0..=1.0;
            kinetic = 0.5 * sq(der(x));
            potential = 0.5 * k * sq(x);
            force f on x = u;
            constraint c: sin(x) == 0.5;
            output y: Real = x;
            limit h: x in -1.0..=1.0;
            cost j = sq(x);
            guess x = 0.5;
        }
    }
}

/// Models called like blocks of generated modules, and scalars called like anything.
mod blocks {
    ode_model::model! { pub struct Q { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; } }
    ode_model::model! {
        pub struct Lambda<S> { param k: Real = 1.0; coord x: Real; kinetic = 0.5 * sq(der(x)); potential = k * x; }
    }
    ode_model::model! {
        pub struct Builder<Real> { param k: Real = 1.0; coord x: Real; kinetic = 0.5 * sq(der(x)); potential = k * x; }
    }
    ode_model::model! {
        pub struct Drop<Q> { param k: Real = 1.0; coord x: Real; kinetic = 0.5 * sq(der(x)); potential = k * x; }
    }
    ode_model::model! {
        pub struct Option { param k: Real = 1.0; coord x: Real; kinetic = 0.5 * sq(der(x)); potential = k * x; }
    }
}

/// Entries whose index constants would be the same.
mod indices {
    #![allow(non_snake_case, reason = "the point")]
    ode_model::model! {
        pub struct Indices<T> {
            coord r: Vec2;
            coord r_x, l, L: Real;
            kinetic = 0.5 * der(r).dot(der(r)) + 0.5 * (sq(der(r_x)) + sq(der(l)) + sq(der(L)));
        }
    }
}

/// Private and restricted models, letters of other alphabets, and two models side by side.
mod visibility {
    ode_model::model! { struct _Private { coord _x: Real; kinetic = 0.5 * sq(der(_x)); potential = _x; } }
    ode_model::model! { struct Hidden<T> { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; } }
    pub(crate) mod inner {
        ode_model::model! { pub(super) struct Above { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; } }
        ode_model::model! {
            pub(in crate::names) struct Far<T> { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; }
        }
        ode_model::model! {
            pub(crate) struct Größe<T> {
                param größe: Real = 1.0;
                coord θ, φ: Angle;
                kinetic = 0.5 * größe * (sq(der(θ)) + sq(der(φ)));
                potential = cos(θ);
                init θ = 0.5;
                guess φ = 0.0;
            }
        }
    }
    pub(super) fn weights() -> [f64; 3] {
        let (private, hidden, above) = (_Private {}, Hidden::<f64>::default(), inner::Above {});
        [
            private.force(crate::begin(&private).at(&_private::U::default()))._x(),
            hidden.force(crate::begin(&hidden).at(&hidden::U::default())).x(),
            above.force(crate::begin(&above).at(&inner::above::U::default())).x(),
        ]
    }
}

/// The facade under another name.
mod elsewhere {
    pub(crate) mod facade {
        pub(crate) use ode_model::runtime;
    }
    ode_model::model! {
        #[model(crate = crate::names::elsewhere::facade, no_selftest)]
        /// A model with "quotes", {braces}, back\slashes and `code`.
        #[allow(unused)]
        pub struct Elsewhere<T> {
            /// a parameter with {} and "quotes"
            param k: Real [N/m] = 1.0;
            coord x: Real [m];
            mass x = 1.0kg;
            potential = 0.5 * k * sq(x);
        }
    }
}

/// A family of models from one rule.
macro_rules! oscillators {
    ($($name:ident: $stiffness:expr;)*) => {$(
        model! {
            /// One of a family.
            pub struct $name {
                param k: Real = $stiffness;
                coord x: Real;
                kinetic = 0.5 * sq(der(x));
                potential = 0.5 * k * sq(x);
                init x = 1.0;
            }
        }
    )*};
}
oscillators! { Soft: 1.0; Hard: 2.0 * 50.0; }

#[test]
fn locals_of_generated_code_do_not_meet_the_users_names() {
    let model = locals::Locals::<f64>::default();
    let u = locals::locals::U::from([1.0, 2.0, 3.0, 4.0]);
    let mut x = begin(&model);
    x.q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].into();
    let f = model.force(x.at(&u));
    close(f.q(), 24.0 - 0.2 * 0.3);
    close(f.t_(), -(0.4f64.cos()) * 0.5 * 0.6);
    close(f.n(), -0.7 * 0.8 * 4.0);
    let y = model.outputs(x.at(&u), x.rates());
    close(y.w5(), 0.02);
}

#[test]
fn keywords_name_things() {
    let model = keywords::Type::builder().r#type(4.0).build().expect("a model");
    let mut x = begin(&model);
    x.q.set_move(0.5);
    let u = keywords::r#type::U::from([3.0]);
    close(model.force(x.at(&u)).r#dyn(), 3.0 - 2.0);
    close(x.q[keywords::r#type::Q::MOVE], 0.5);
    assert_eq!(keywords::r#type::LAYOUT.q, ["move"]);
    let block = keywords::Box {};
    close(block.force(begin(&block).at(&keywords::r#box::U::default())).x(), -1.0);
    let _ = (keywords::r#loop::NQ, keywords::crate_::NQ);
}

#[test]
fn names_of_the_users_module_are_not_looked_at() {
    let error = shadowed::Shadowed::<f64>::builder().build().expect_err("a parameter is missing");
    assert_eq!(error.to_string(), "Shadowed: param missing has no default and was not set");
    let model = shadowed::Shadowed::builder().missing(1.0).build().expect("a model");
    let run = Simulation::of(&model, Geodesic).fixed(0.1).expect("a start");
    close(run.state().q.x().sin(), 0.5);
    assert_eq!(shadowed::ShadowedToo::default().k, 1.0);
    assert_eq!(blocks::Lambda::<f64>::default().cast::<f32>().k, 1.0f32);
}

#[test]
fn index_constants_stay_apart() {
    use indices::indices::Q;
    let q = Q::from([1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!([q[Q::R_X], q[Q::R_Y], q[Q::R_X_], q[Q::L_], q[Q::L__]], [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((q.r_x(), q.l(), q.L()), (3.0, 4.0, 5.0));
}

#[test]
fn visibility_is_the_users() {
    assert_eq!(visibility::weights(), [-1.0; 3]);
    let far = visibility::inner::Far::<f64>::default();
    close(far.force(begin(&far).at(&visibility::inner::far::U::default())).x(), -1.0);
    let model = visibility::inner::Größe::<f64>::builder().größe(2.0).build().expect("a model");
    close(model.force(begin(&model).at(&visibility::inner::größe::U::default())).θ(), 0.5f64.sin());
}

#[test]
fn a_family_comes_from_one_rule() {
    assert_eq!((Soft::default().k, Hard::default().k), (1.0, 100.0));
    let text = elsewhere::Elsewhere::<f64>::default().to_string();
    assert!(text.starts_with("Elsewhere: A model with \"quotes\", {braces}, back\\slashes and `code`."), "{text}");
}

#[test]
#[allow(
    unnameable_test_items,
    reason = "rustc collects no tests inside functions, so these models are not self-tested"
)]
fn a_model_may_stand_in_a_function() {
    model! {
        /// Seen from here only.
        struct Inside<T> {
            param m: Real [kg] = 2.0;
            coord x: Real [m];
            input f: Real [N] = 4.0;
            kinetic = 0.5 * m * sq(der(x));
            force push on x = f;
        }
    }
    model! { struct InsideToo { coord x: Real; kinetic = 0.5 * sq(der(x)); potential = x; } }
    let model = Inside::<f64>::default();
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-9).expect("a start");
    run.advance_to(3.0).expect("steps");
    close(run.state().q.x(), 9.0);
    let u = inside::U::<f64>::default();
    // the input is that of the model, 4 N, at 6 m/s
    close(model.power(run.state().at(&u))[0], 24.0);
    assert_eq!(InsideToo {}.force(begin(&InsideToo {}).at(&inside_too::U::default())).x(), -1.0);
}
