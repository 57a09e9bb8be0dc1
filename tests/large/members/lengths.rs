//! Sets whose length or members the model says: `const N`, `const 4`, `= chain`, `= [0]`.

use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha};
use ode_model::{Differentiable, Dual, FamilyError, Parametric, Pictured, System, Table, model};

use crate::alike::{alike, alike_named, called, events, point, same, tangent_of_duals};

/// Warm masses on springs between a wagon and a wall, with these generics and sets.
macro_rules! chain {
    ($name:ident [$($generics:tt)*] $($sets:tt)*) => {
        model! {
            /// A chain.
            struct $name<$($generics)*> {
                $($sets)*
                set ends: joints;
                param p[joints]: Vec3 [m];
                param m[joints]: Real [kg] = 0.2;
                param k[rods]: Real [N/m] = 30.0;
                param rest: Real [m] = 0.1;
                param g: Real [m/s^2] = 9.81;
                param c: Real [N*s/m] = 0.1;
                param soft: Real [N/m] = 3.0;
                param stiff: Real [N*m] = 0.02;
                param air: Real [K] = 290.0;
                param h: Real [W/K] = 0.3;
                param cap: Real [J/K] = 2.0;
                input push: Real [N] = 0.4;
                coord (x, v)[joints]: Vec3 [m];
                coord (s, speed): Real [m];
                state temp[joints]: Real [K];
                mass s = 1.5kg;
                force drive on s = push;
                guess s = 0.05;
                for i in joints {
                    mass x[i] = m[i];
                    potential = g * m[i] * x[i].z;
                    guess x[i] = p[i];
                    init temp[i] = air;
                    require m[i] > 0.0kg, "each joint has a mass";
                    der(temp[i]) = h * (air - temp[i]) / cap;
                    output height: Real [m] = x[i].z + s;
                }
                for e @ (i, j) in rods {
                    let length = norm(x[j] - x[i]);
                    potential = 0.5 * k[e] * sq(length - rest);
                    dissipation = c * sq(der(length));
                    der(temp[i]) = h * (temp[j] - temp[i]) / cap;
                    der(temp[j]) = h * (temp[i] - temp[j]) / cap;
                    output pull: Real [N] = k[e] * (length - rest);
                }
                for (a, b, c) in bends {
                    potential = 0.5 * stiff * sq(norm(x[a] - 2.0 * x[b] + x[c]) / rest);
                }
                for i in ends {
                    constraint hook: x[i].y == s;
                    potential = 0.5 * soft * sq(x[i].x - s);
                }
                for i in wall {
                    fix x[i];
                    output load: Vec3 [N] = x[i].reaction;
                }
                output com: Vec3 [m] = sum(joints, |i| m[i] * x[i]) / sum(joints, |i| m[i]);
            }
        }
    };
}

chain! { Named [T, const N: usize]
    set joints: const N;
    set rods: (joints, joints) = chain;
    set bends: (joints, joints, joints) = chain;
    set wall: joints = [0];
}
chain! { First [const N: usize, T]
    set joints: const N;
    set rods: (joints, joints);
    set bends: (joints, joints, joints);
    set wall: joints;
}
chain! { Literal [T]
    set joints: const 4;
    set rods: (joints, joints) = [(0, 1), (1, 2), (2, 3)];
    set bends: (joints, joints, joints) = [(0, 1, 2), (1, 2, 3)];
    set wall: joints = [0];
}
chain! { Given [T]
    set joints;
    set rods: (joints, joints);
    set bends: (joints, joints, joints);
    set wall: joints;
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param p: [Vec3; 4] [m];
        param m: [Real; 4] [kg] = [0.2, 0.2, 0.2, 0.2];
        param k: [Real; 3] [N/m] = [30.0, 30.0, 30.0];
        param rest: Real [m] = 0.1;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 0.1;
        param soft: Real [N/m] = 3.0;
        param stiff: Real [N*m] = 0.02;
        param air: Real [K] = 290.0;
        param h: Real [W/K] = 0.3;
        param cap: Real [J/K] = 2.0;
        input push: Real [N] = 0.4;
        coord (x, v): [Vec3; 4] [m];
        coord (s, speed): Real [m];
        state temp: [Real; 4] [K];
        mass s = 1.5kg;
        force drive on s = push;
        guess s = 0.05;
        for i in 0..4 {
            mass x[i] = m[i];
            potential = g * m[i] * x[i].z;
            guess x[i] = p[i];
            init temp[i] = air;
        }
        for i in 0..3 {
            let length = norm(x[i + 1] - x[i]);
            potential = 0.5 * k[i] * sq(length - rest);
            dissipation = c * sq(der(length));
        }
        for i in 0..2 {
            potential = 0.5 * stiff * sq(norm(x[i] - 2.0 * x[i + 1] + x[i + 2]) / rest);
        }
        constraint hook: x[3].y == s;
        fix x[0];
        potential = 0.5 * soft * sq(x[3].x - s);
        der(temp[0]) = h * (air - 2.0 * temp[0] + temp[1]) / cap;
        der(temp[1]) = h * (air - 3.0 * temp[1] + temp[0] + temp[2]) / cap;
        der(temp[2]) = h * (air - 3.0 * temp[2] + temp[1] + temp[3]) / cap;
        der(temp[3]) = h * (air - 2.0 * temp[3] + temp[2]) / cap;
        output height: [Real; 4] [m] = [x[0].z + s, x[1].z + s, x[2].z + s, x[3].z + s];
        output pull_0: Real [N] = k[0] * (norm(x[1] - x[0]) - rest);
        output pull_1: Real [N] = k[1] * (norm(x[2] - x[1]) - rest);
        output pull_2: Real [N] = k[2] * (norm(x[3] - x[2]) - rest);
        output load: Vec3 [N] = x[0].reaction;
        let all = m[0] + m[1] + m[2] + m[3];
        output com: Vec3 [m] = (m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3] * x[3]) / all;
    }
}

const PLACES: [[f64; 3]; 4] = [[0.0, 0.1, 0.0], [0.12, 0.07, 0.1], [0.23, 0.05, -0.02], [0.35, 0.05, 0.05]];
const RODS: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 3]];
const BENDS: [[usize; 3]; 2] = [[0, 1, 2], [1, 2, 3]];

fn named() -> Named<f64, 4> {
    Named::<f64, 4>::builder().ends([3]).p(PLACES).build().expect("a chain")
}

fn given() -> Given {
    Given::builder().joints(4).rods(RODS).bends(BENDS).wall([0]).ends([3]).p(PLACES).build().expect("a chain")
}

#[test]
fn lengths_of_the_model_are_those_of_the_builder_and_those_written_out() {
    let (named, given) = (named(), given());
    assert_eq!((named.joints(), named.rods(), named.bends(), named.wall()), (4, &RODS[..], &BENDS[..], &[0][..]));
    let first = First::<4, f64>::builder().rods(RODS).bends(BENDS).wall([0]).ends([3]).p(PLACES).build();
    let literal = Literal::builder().ends([3]).p(PLACES).build().expect("a chain");
    let written = Written::builder().p(PLACES).build().expect("a chain");
    assert_eq!(named.layout().constraints, given.layout().constraints);
    assert_eq!(named.layout().outputs, given.layout().outputs);
    alike(&named, &given);
    alike(&first.expect("a chain"), &given);
    alike(&literal, &given);
    alike(&named, &written);
    moves_alike!(&named, &written, [
        "backward Euler" BackwardEuler::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Dormand–Prince" DormandPrince, true;
    ]);
}

/// The weighted tangent, times a direction, is what dual numbers through the residual say.
#[test]
fn tangents_over_a_length_are_those_of_dual_numbers() {
    let chain = named();
    let slopes = tangent_of_duals(&chain, &chain.cast::<Dual<f64>>());
    assert!(slopes.iter().all(|slope| *slope != 0.0));
}

#[test]
fn another_length_is_an_error_and_members_may_be_others() {
    let build = |joints: usize| Named::<f64, 4>::builder().joints(joints).ends([3]).p(PLACES).build().map(|_| ());
    assert_eq!(build(4), Ok(()));
    for found in [0, 3, 5, usize::MAX] {
        let refused = build(found).expect_err("another length");
        assert_eq!(refused, FamilyError::Fixed { model: "Named", set: "joints", found, expected: 4 });
    }
    let refused = Named::<f64, 4>::builder().joints(20).ends([3]).p(PLACES).build().expect_err("another length");
    assert_eq!(refused.to_string(), "Named: the set joints was given 20 members, but the model has 4");
    // a length of nothing is an empty set, and one beyond 32 bits no set
    let empty = Named::<f64, 0>::builder().wall([]).ends([]).p([]).build().expect_err("no joints");
    assert_eq!(empty, FamilyError::Empty { model: "Named", set: "joints" });
    let given = Given::builder().joints(0).rods([]).bends([]).wall([]).ends([]).p([]).build().expect_err("no joints");
    assert_eq!(given, FamilyError::Empty { model: "Given", set: "joints" });
    let many = Named::<f64, { usize::MAX }>::builder().ends([]).p([]).build().expect_err("too many");
    assert_eq!(many, FamilyError::TooLarge { model: "Named" });
    let many = Given::builder().joints(usize::MAX).rods([]).bends([]).wall([]).ends([]).p([]).build();
    assert_eq!(many.expect_err("too many"), FamilyError::TooLarge { model: "Given" });
    // parameters of members have the length too, and a set that is joined beyond it says which member
    let short = Named::<f64, 5>::builder().ends([3]).p(PLACES).build().expect_err("four places");
    let param = FamilyError::Length { model: "Named", param: "p", found: 4, set: "joints", expected: 5 };
    assert_eq!(short, param);
    let beyond = Named::<f64, 4>::builder().ends([4]).p(PLACES).build().expect_err("no such joint");
    assert_eq!(beyond, FamilyError::Missing { model: "Named", set: "ends", member: 0, index: 4, count: 4 });
    // members of the model are those where none are given
    let other = Named::<f64, 4>::builder().rods([[3, 0]]).wall([1, 2]).ends([3]).p(PLACES).build().expect("a chain");
    assert_eq!((other.rods(), other.wall(), other.bends()), (&[[3, 0]][..], &[1, 2][..], &BENDS[..]));
    // too short for a pair or three in a row
    let alone = Named::<f64, 1>::builder().ends([0]).wall([]).p([[0.0; 3]]).build().expect("one joint");
    assert_eq!((alone.joints(), alone.rods().len(), alone.bends().len()), (1, 0, 0));
    let two = Named::<f64, 2>::builder().ends([1]).p([[0.0; 3], [0.1, 0.0, 0.0]]).build().expect("two joints");
    assert_eq!((two.rods(), two.bends().len()), (&[[0, 1]][..], 0));
}

#[test]
fn members_over_a_length_have_names_and_are_recorded() {
    let mut chain = named();
    chain.set_parameter("k[2]", 45.0).expect("a rod");
    assert_eq!((chain.k[2], chain.parameter("m[3]")), (45.0, Ok(0.2)));
    assert!(chain.set_parameter("k[3]", 45.0).is_err());
    chain.m[1] = 0.3;
    let mut table = Table::of(&chain);
    let mut run = ode_model::Simulation::of(&chain, BackwardEuler::default()).fixed(1e-3).expect("a start");
    run.run(0.05, 0.01, |seen| table.record(seen)).expect("a run");
    let last = |name: &str| table.column(name).expect("a column").last();
    assert_eq!(last("x[3].z"), Some(chain.x(&run.state().q)[3][2]));
}

model! {
    /// A weight on a spring.
    pub struct Weight<T> {
        param m: Real [kg] = 0.3;
        param k: Real [N/m] = 4.0;
        coord y: Real [m];
        mass y = m;
        potential = 0.5 * k * sq(y);
        guess y = 0.1;
    }
}

model! {
    /// A mass that links share: their number is one in expressions.
    #[model(emit(partials))]
    pub struct Shared<const N: usize, T, const PINS: usize> {
        set links: const N;
        set pins: const PINS;
        set held: (links, pins) = [(0, 0), (2, 1)];
        param whole: Real [kg] = 1.2;
        param soft: Real [N/m] = 1.1;
        param fast: Real [m/s] = 0.1;
        param k[links]: Real [N/m] = 5.0;
        param p[links]: Real [m];
        coord (x, v)[links]: Real [m];
        coord s: Real [m];
        sub weight[links]: Weight<T> with { m: 0.25 * N * whole };
        let share = whole / N;
        mass s = share * PINS;
        guess s = 0.2;
        potential = 0.5 * PINS * N * soft * sq(s);
        for i in links {
            mass x[i] = share;
            potential = 0.5 * k[i] * sq(x[i] - p[i] / N);
            guess x[i] = p[i] / N;
            event crosses when v[i] > fast * N { v[i] = v[i] / N; }
            output of: Real [kg] = whole / N;
        }
        for (i, pin) in held { potential = N * soft * sq(x[i] - s); }
        constraint mean: sum(links, |i| x[i]) / N == s / PINS + 0.1m;
        output mean: Real [m] = sum(links, |i| x[i] * N) / (N * N);
        output count: Real = N;
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Three<T> {
        param whole: Real [kg] = 1.2;
        param soft: Real [N/m] = 1.1;
        param fast: Real [m/s] = 0.1;
        param k: [Real; 3] [N/m] = [5.0; 3];
        param p: [Real; 3] [m];
        param weight_k: [Real; 3] [N/m] = [4.0; 3];
        coord (x, v): [Real; 3] [m];
        coord s: Real [m];
        coord weight_y: [Real; 3] [m];
        let share = whole / 3.0;
        mass s = 2.0 * share;
        guess s = 0.2;
        potential = 3.0 * soft * sq(s);
        for i in 0..3 {
            mass weight_y[i] = 0.75 * whole;
            potential = 0.5 * weight_k[i] * sq(weight_y[i]);
            guess weight_y[i] = 0.1;
            mass x[i] = share;
            potential = 0.5 * k[i] * sq(x[i] - p[i] / 3.0);
            guess x[i] = p[i] / 3.0;
            event crosses when v[i] > 3.0 * fast { v[i] = v[i] / 3.0; }
        }
        potential = 3.0 * soft * sq(x[0] - s) + 3.0 * soft * sq(x[2] - s);
        constraint mean: (x[0] + x[1] + x[2]) / 3.0 == 0.5 * s + 0.1m;
        let each = [share, share, share];
        output count: Real = 3.0;
        output of: [Real; 3] [kg] = each;
        output mean: Real [m] = (x[0] + x[1] + x[2]) / 3.0;
    }
}

#[test]
fn a_length_is_a_number_in_expressions() {
    let p = [0.3, 0.9, -0.2];
    let shared = Shared::<3, f64, 2>::builder().p(p).build().expect("links");
    let three = Three::builder().p(p).build().expect("links");
    alike_named(&shared, &three, |name| called(&["weight_y"], name));
    moves_alike!(&shared, &three);
    same("events", &events(&shared, &[]), &events(&three, &[]));
    let slopes = tangent_of_duals(&shared, &shared.cast::<Dual<f64>>());
    assert!(slopes.iter().all(|slope| *slope != 0.0));
    // it is no parameter
    let names: Vec<&str> = shared.derivatives().parameter_names.to_vec();
    assert_eq!((names.len(), names[0]), (12, "whole"));
    let five = Shared::<5, f64, 2>::builder().p([0.0; 5]).build().expect("links");
    let (state, u) = point(&five);
    let y = five.outputs(state.at(&u), state.rates());
    assert_eq!((five.count(&y)[0], five.of(&y)[4]), (5.0, 1.2 / 5.0));
}

model! {
    /// Masses on a string over f64, with a length that has a default.
    pub struct Row<const N: usize = 3, const PINS: usize = 2> {
        set masses: const N;
        set pins: const PINS;
        set springs: (masses, masses) = chain;
        set held: (masses, pins) = [(0, 0), (2, 1)];
        param place[pins]: Real = 0.5;
        coord y[masses]: Real;
        for i in masses { mass y[i] = 1.0; guess y[i] = 0.1; }
        for (i, j) in springs { potential = sq(y[j] - y[i]); show link = line(vec2(0.0, y[i]), vec2(1.0, y[j])); }
        for (i, pin) in held { potential = 10.0 * sq(y[i] - place[pin]); }
    }
}

model! {
    /// A length with the name of the struct, and one with that of the inputs' type.
    struct P<const P: usize, const U: usize> {
        set masses: const P;
        set posts: const U;
        set held: (masses, posts) = [(0, 0)];
        input push: Real;
        coord y[masses]: Real;
        param place[posts]: Real = 0.5;
        for i in masses { mass y[i] = 1.0; guess y[i] = 0.1; force drive on y[i] = push; }
        for (i, post) in held { potential = 10.0 * sq(y[i] - place[post]); }
    }
}

#[test]
fn lengths_may_have_the_names_of_types() {
    let two = P::<2, 1>::builder().build().expect("two masses");
    assert_eq!((two.masses(), two.posts()), (2, 1));
}

#[test]
fn several_lengths_and_their_defaults() {
    let row: Row = Row::builder().build().expect("a row");
    assert_eq!((row.masses(), row.pins(), row.place.len(), row.held().len()), (3, 2, 2, 2));
    assert!(row.figures().iter().map(|figure| figure.name).eq(["link[0]", "link[1]"]));
    let short = Row::<2, 2>::builder().build().expect_err("no third mass");
    assert_eq!(short, FamilyError::Missing { model: "Row", set: "held", member: 1, index: 2, count: 2 });
    // thousands of members are the same code
    let long = Row::<5000, 2>::builder().build().expect("a row");
    assert_eq!((long.springs().len(), long.springs()[4998], long.layout().v.len()), (4999, [4998, 4999], 5000));
    let mut run = ode_model::Simulation::of(&long, BackwardEuler::default()).fixed(0.01).expect("a start");
    run.advance_to(0.05).expect("a run");
    assert!(run.state().q[0] > 0.1 && (run.state().q[4000] - 0.1).abs() < 1e-9);
}
