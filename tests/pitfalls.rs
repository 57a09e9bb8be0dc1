//! Mistakes that other packages have made, each a test of its own. The number in a comment is their ticket.

use ode_model::linalg::SMatrix;
use ode_model::prelude::*;
use ode_model::{Dual, selftest};

model! {
    /// A branch whose other side has no derivative.
    pub struct Branch<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        output y: Real = if x > 0.0 { sqrt(x) } else { 0.0 };
        init x = -1.0;
    }
}

/// casadi#1805
#[test]
fn the_gradient_of_a_branch_is_its_own() {
    let model = Branch::<f64>::default();
    let mut x = State::neutral(&model);
    let u = branch::U::default();
    x.q = [-1.0].into();
    assert_eq!(model.output_by_position(x.at(&u), x.rates())[(0, 0)], 0.0);
    x.q = [4.0].into();
    assert_eq!(model.output_by_position(x.at(&u), x.rates())[(0, 0)], 0.25);
}

model! {
    /// A squared length, as energy.
    pub struct Origin<T> {
        param k: Real = 3.0;
        coord r: Vec3;
        kinetic = 0.5 * der(r).dot(der(r));
        potential = 0.5 * k * sq(norm(r));
        #[allow(vanishing_norm)]
        output distance: Real = norm(r);
    }
}

/// casadi#3898
#[test]
fn the_square_of_a_norm_differentiates_at_zero() {
    let model = Origin::<f64>::default();
    let (x, u) = (State::neutral(&model), origin::U::default());
    assert_eq!(model.force(x.at(&u)).r(), [0.0; 3]);
    assert_eq!(model.stiffness(x.at(&u), x.rates()), SMatrix::<f64, 3, 3>::identity() * 3.0);
    assert_eq!(model.output_by_position(x.at(&u), x.rates()), SMatrix::<f64, 1, 3>::zeros());
}

model! {
    /// A hanging pendulum.
    pub struct Hanging<T> {
        param m: Real [kg] = 2.0;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 0.3;
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;
        dissipation = 0.5 * c * v.dot(v);
        constraint rod: r.dot(r) == sq(l);
        init r = vec2(0.0, -l);
        init v = vec2(0.0, 0.0);
    }
}

/// sympy#29830: −2 l λ is the tension, +m g at rest.
#[test]
fn the_multiplier_has_its_sign() {
    let model = Hanging::<f64>::default();
    let run = Simulation::of(&model, Geodesic).fixed(0.01).expect("a start");
    let tension = -2.0 * model.l * run.state().lambda.rod();
    assert!((tension - model.m * model.g).abs() < 1e-12);
}

/// drake#20727: ∂r/∂q holds −∂(Gᵀλ)/∂q = −2 λ 1.
#[test]
fn linearisation_knows_the_constraint_forces() {
    let model = Hanging::<f64>::default();
    let run = Simulation::of(&model, Geodesic).fixed(0.01).expect("a start");
    let (x, u) = (run.state(), hanging::U::default());
    let k = model.stiffness(x.at(&u), x.rates());
    assert!((k - SMatrix::<f64, 2, 2>::identity() * (-2.0 * x.lambda.rod())).amax() < 1e-12);
}

model! {
    /// A mass with a damper.
    pub struct Damped {
        param m: Real [kg] = 2.0;
        param c: Real [N*s/m] = 3.0;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        dissipation = 0.5 * c * sq(der(x));
        init der(x) = 1.0;
    }
}

/// sofa#4848: v⁺ = v / (1 + h c/m).
#[test]
fn damping_acts_once() {
    let model = Damped::default();
    let mut run = Simulation::of(&model, BackwardEuler::default()).fixed(0.1).expect("a start");
    run.advance_to(0.1).expect("a step");
    assert!((run.state().v.x() - 1.0 / (1.0 + 0.1 * 3.0 / 2.0)).abs() < 1e-14);
}

model! {
    /// A body on a ball joint, as a motion of space.
    pub struct Jointed<T> {
        param m: Real = 1.5;
        param j: SymMat3 = diag(0.1, 0.2, 0.3);
        param arm: Vec3 = vec3(0.3, 0.1, -0.2);
        coord (b, w): SE3;
        body plate on b { mass: m, inertia: j }
        gravity = vec3(0.0, 0.0, -9.81);
        force wind on b.at(arm) = vec3(1.0, 0.5, 0.2);
        constraint ball: b.at(arm) == vec3(0.0, 0.0, 0.0);
        guess b = frame(-arm, rot_z(0.0));
    }
}

/// pinocchio#2247, sofa#5936, #4115: forces and constraints in SE(3), every derivative against dual numbers.
#[test]
fn derivatives_with_constraints_in_se3_are_exact() {
    assert_eq!(selftest::check::<Jointed<f64>, Jointed<Dual<f64>>>(), Ok(()));
}

/// acados#1741, dojo#44: derivatives by parameters exist beside those of the implicit step.
#[test]
fn derivatives_by_parameters_exist() {
    let model = Damped::default();
    let (mut x, u) = (State::neutral(&model), damped::U::default());
    x.v = [2.0].into();
    x.a = [5.0].into();
    // r = m a + c v
    assert_eq!(model.residual_by_parameter(x.at(&u), x.rates()).as_slice(), [5.0, 2.0]);
}

/// acados#1259
#[test]
fn second_derivatives_nobody_asked_for_are_not_generated() {
    assert!(!Damped::IR.contains("hessian") && !Damped::IR.contains("hvp"));
}

/// acados#599, #918: a target without a heap and with single precision is built by `tests/no_std`; here it runs.
#[test]
fn single_precision_runs() {
    let model = Hanging::<f32>::default();
    let mut run = Simulation::of(&model, BackwardEuler::default()).fixed(0.01).expect("a start");
    run.advance_to(0.1).expect("a step");
    assert!((run.state().q.r()[1] + 0.5).abs() < 1e-5);
}

model! {
    pub struct Guessed { coord x: Real; kinetic = 0.5 * sq(der(x)); guess x = 2.0; }
}

/// mtk#5011, #3047
#[test]
fn a_guess_is_no_equation() {
    assert!(guessed::LAYOUT.init_position.is_empty());
    let model = Guessed::default();
    let run = Simulation::of(&model, Geodesic).fixed(0.1).expect("a start");
    assert_eq!(run.state().q.x(), 2.0);
}

/// multibody#59
#[test]
fn no_entry_of_a_rotation_matrix_is_a_state() {
    assert_eq!((jointed::NQ, jointed::NV), (7, 6));
}

model! {
    pub struct Root {
        coord depth: Real; kinetic = 0.5 * sq(der(depth)); force f on depth = -sqrt(depth); init depth = 0.01;
    }
}

/// acados, "x[3] is NaN": the name of what failed is in the message.
#[test]
fn messages_of_a_run_have_the_names_of_the_model() {
    let model = Root::default();
    let mut run = Simulation::of(&model, Geodesic).fixed(0.1).expect("a start");
    let error = run.advance_to(10.0).expect_err("a root of a negative number").to_string();
    assert!(error.contains("depth"), "{error}");
}

model! {
    #[model(units = off)]
    pub struct Unchecked { param m: Real [kg] = 1.0; coord x: Real [m]; kinetic = m * x * sq(der(x)); init x = 1.0; }
}

/// mtk#4614
#[test]
fn units_can_be_switched_off_and_left_in_place() {
    assert_eq!(Unchecked::default().m, 1.0);
}

model! {
    pub struct Sizes {
        param a: [[[Real; 4]; 3]; 3];
        param b: [[[Real; 3]; 4]; 3];
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        output last: [Real; 2] = [a[2][2][3], b[2][3][2]];
    }
}

/// openmodelica#15264
#[test]
fn arrays_of_arrays_keep_their_sizes_in_either_order() {
    let mut n = 0.0;
    let mut next = || {
        n += 1.0;
        n
    };
    let a = std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next())));
    let b = std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next())));
    let model = Sizes::builder().a(a).b(b).build().expect("all parameters");
    let (x, u) = (State::neutral(&model), sizes::U::default());
    assert_eq!(model.outputs(x.at(&u), x.rates()).last(), [36.0, 72.0]);
}

model! {
    /// Falls through a level and comes back.
    pub struct Thrown {
        param g: Real = 10.0;
        coord y: Real;
        mode up, down: Real = 0.0;
        mass y = 1.0;
        force weight on y = -g;
        event rises when y > 1.0 { up = up + 1.0; }
        event falls when y < 1.0 { down = down + 1.0; }
        init y = 0.0;
        init der(y) = 10.0;
    }
}

/// casadi#4393
#[test]
fn the_direction_of_a_crossing_is_respected() {
    let model = Thrown::default();
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-8).expect("a start");
    run.advance_to(0.5).expect("half way");
    assert_eq!(run.state().modes.array(), [1.0, 0.0]);
    run.advance_to(2.0).expect("the end");
    assert_eq!(run.state().modes.array(), [1.0, 1.0]);
}
