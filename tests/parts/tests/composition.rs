//! Models made of models: flattened into one graph, equal to what a person would have written flat.

#![allow(unreachable_pub, reason = "models are public as users write them")]

use ode_model::prelude::*;
use ode_model::{BuildError, Solvable};
use ode_model_parts::Oscillator;

model! {
    /// Two masses in a row, each held by the one before.
    pub struct Row<T> {
        param travel: Real [m] = 0.01;
        param rate: Real [rad/s] = 1.5;
        param stiff: Real [N/m] = 3.0;
        sub first: Oscillator<T> with { m: 3.0 };
        sub second: Oscillator<T> with { k: 2.0 * stiff };
        bind first.base = travel * sin(rate * t);
        bind second.base = first.x;
        force back on first.x = second.pull;
        init second.x = 0.2;
        output gap: Real [m] = second.x - first.x;
    }
}

model! {
    /// [`Row`] as a person writes it.
    pub struct FlatRow<T> {
        param travel: Real [m] = 0.01;
        param rate: Real [rad/s] = 1.5;
        param stiff: Real [N/m] = 3.0;
        param first_m: Real [kg] = 3.0;
        param first_k: Real [N/m] = 4.0;
        param second_m: Real [kg] = 1.0;
        coord first_x, second_x: Real [m];
        kinetic first = 0.5 * first_m * sq(der(first_x));
        force first_spring on first_x = first_k * (travel * sin(rate * t) - first_x);
        kinetic second = 0.5 * second_m * sq(der(second_x));
        force second_spring on second_x = 2.0 * stiff * (first_x - second_x);
        force back on first_x = 2.0 * stiff * (second_x - first_x);
        init first_x = 0.1;
        init second_x = 0.2;
        output first_pull: Real [N] = first_k * (first_x - travel * sin(rate * t));
        output second_pull: Real [N] = 2.0 * stiff * (second_x - first_x);
        output gap: Real [m] = second_x - first_x;
    }
}

/// The text of a composed model with the names of a flat one.
fn flat(equations: &str, subs: &[&str]) -> String {
    let mut text = equations.to_owned();
    for sub in subs {
        text = text.replace(&format!("{sub}."), &format!("{}_", sub.replace('[', "_").replace(']', "")));
    }
    text
}

#[test]
fn a_composed_model_is_the_flat_one() {
    let (composed, written) = (Row::<f64>::EQUATIONS, FlatRow::<f64>::EQUATIONS);
    assert_eq!(flat(composed, &["first", "second"]), written.replacen("FlatRow", "Row", 1));
    // `2.0 * stiff` is also worked out once, for the field `second.k`
    assert_eq!(Row::<f64>::OPS, FlatRow::<f64>::OPS + 1);

    let parameters = [0.03, 1.7, 2.5, 2.0, 5.0, 0.5];
    let (a, b) = (Row::from_parameters(&parameters), FlatRow::from_parameters(&parameters));
    let (mut x, mut y) = (begin(&a), begin(&b));
    (x.t, x.q, x.v) = (0.4, [0.3, -0.2].into(), [1.0, 0.5].into());
    (y.t, y.q, y.v) = (0.4, [0.3, -0.2].into(), [1.0, 0.5].into());
    let (fa, fb) = (a.force(x.at(&row::U::default())), b.force(y.at(&flat_row::U::default())));
    assert_eq!(fa.array(), fb.array());
}

#[test]
fn parameters_of_subs_are_fields_of_their_own_type() {
    let row = Row::<f64>::default();
    let first: &Oscillator = &row.first;
    assert_eq!((first.m, first.k), (3.0, 4.0), "`with` overrides a default");
    assert_eq!(row.second.k, 6.0, "and gives what follows from other parameters");
    assert_eq!(row.parameters(), [0.01, 1.5, 3.0, 3.0, 4.0, 1.0]);
    assert_eq!(Row::from_parameters(&row.parameters()).parameters(), row.parameters());

    let row = Row::builder().stiff(5.0).first(Oscillator { m: 7.0, k: 8.0 }).build().expect("a model");
    assert_eq!((row.first.m, row.first.k, row.second.k), (7.0, 8.0, 10.0));
    assert_eq!(format!("{row}").lines().filter(|l| l.contains("first.m = 7.0 [kg]")).count(), 1);

    let broken = Row::builder().first(Oscillator { m: f64::NAN, k: 8.0 }).build();
    assert!(matches!(broken, Err(BuildError::NotFinite { param: "first.m", .. })), "{broken:?}");
}

#[test]
fn names_are_those_of_subs() {
    use ode_model::{Differentiable, System};
    let row = Row::<f64>::default();
    assert_eq!(row.layout().q, ["first.x", "second.x"]);
    let derivatives = row.derivatives();
    assert_eq!(derivatives.parameter_names[3..], ["first.m", "first.k", "second.m"]);
    assert_eq!(row.layout().outputs, ["first.pull", "second.pull", "gap"]);
    let x = begin(&row);
    assert_eq!((x.q.first_x(), x.q.second_x()), (0.1, 0.2), "a start of a sub holds unless it is overridden");
}

fn begin<S: Solvable<Real = f64>>(model: &S) -> State<S> {
    let mut x = State::neutral(model);
    model.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// Parts of one crate in modules of their own, seen by path; the text of a sub brings that of its subs.
mod parts {
    pub(crate) mod small {
        ode_model::model! {
            /// A point on a line, moved by a force.
            pub(crate) struct Point {
                param m: Real [kg] = 2.0;
                input f: Real [N];
                coord x: Real [m];
                kinetic = 0.5 * m * sq(der(x));
                force push on x = f;
                #[port]
                output at: Real [m] = x;
                guess x = 0.5;
            }
        }
    }

    ode_model::model! {
        /// Two points that are one by a constraint.
        pub(crate) struct Pair {
            param m: Real [kg] = 5.0;
            param share: Real = 0.25;
            require share < 1.0, "something is left";
            input f: Real [N];
            sub a: small::Point with { m: share * m };
            sub b: self::small::Point with { m: (1.0 - share) * m };
            bind a.f = f;
            bind b.f = 0.0;
            constraint weld: a.at == b.at;
            guess b.x = 0.7;
        }
    }
}

model! {
    /// Three pairs and what moves them.
    struct Train {
        param mass: Real [kg] = 10.0;
        input f: [Real; 3] [N];
        sub pair: [parts::Pair; 3] with { m: mass };
        for i in 0..3 {
            let doubled = 2.0 * f[i];
            bind pair[i].f = doubled;
        }
        for i in 1..3 {
            constraint link: pair[i].a.at - pair[i - 1].b.x == 1.0m;
        }
        init pair[0].a.x = 0.0;
        init der(pair[0].a.x) = 0.0;
        output pull: Real [N] = -link[1].lambda;
        output inner: Real [N] = pair[2].weld.lambda;
    }
}

#[test]
fn arrays_and_subs_of_subs() {
    let train = Train::default();
    assert_eq!(train.pair.iter().map(|p| (p.m, p.a.m, p.b.m)).collect::<Vec<_>>(), [(10.0, 2.5, 7.5); 3]);
    // the masses follow from one parameter and three shares
    assert_eq!(train.parameters(), [10.0, 0.25, 0.25, 0.25]);
    // 30 kg pulled by 2·3 N at the first pair: a = 0.2 m/s², and the links carry 20 kg and 10 kg of it
    let input = Constant([3.0, 0.0, 0.0]);
    let run =
        Simulation::of(&train, Geodesic).inputs(input).project(Projection::to(1e-12)).fixed(1e-2).expect("a start");
    let x = run.state();
    assert!(x.a.array().iter().all(|a| (a - 0.2).abs() < 1e-12), "{:?}", x.a);
    assert!((x.lambda.link_1() - 4.0).abs() < 1e-11 && (x.lambda.link_2() - 2.0).abs() < 1e-11, "{:?}", x.lambda);
    // Φ = a − b, so the 7.5 kg at the end are moved by −λ
    assert!((x.lambda.pair_2_weld() + 1.5).abs() < 1e-11, "{:?}", x.lambda);
    assert!((x.q.pair_2_b_x() - 2.0).abs() < 1e-11, "{:?}", x.q);
}

#[test]
fn a_requirement_of_a_sub_is_the_models_too() {
    let unequal = parts::Pair { share: 2.0, ..parts::Pair::default() };
    let pairs = [parts::Pair::default(), unequal, parts::Pair::default()];
    let refused = Train::builder().pair(pairs).build().expect_err("one share is too large");
    assert_eq!(refused.to_string(), "Train: param pair[1].share = 2: something is left");
}
