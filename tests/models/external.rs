//! External functions and tables, in every form: values against closed forms, and the calls where the model has
//! them.

use std::cell::Cell;

use ode_model::prelude::*;
use ode_model::{Block, Rates, Sensitive, Solvable, StepMap};

use crate::{begin, close, near};

/// What the models call, as f64 functions and over any scalar.
mod tyre {
    use ode_model::Scalar;

    pub fn mu(slip: f64) -> f64 {
        (2.0 * slip).tanh()
    }
    pub fn mu_gradient(slip: f64) -> f64 {
        2.0 - 2.0 * mu(slip).powi(2)
    }
    pub fn mu_hessian(slip: f64) -> [[f64; 1]; 1] {
        [[-4.0 * mu(slip) * mu_gradient(slip)]]
    }
    pub fn mu_of<T: Scalar>(slip: T) -> T {
        (T::from_f64(2.0) * slip).tanh()
    }
    pub fn mu_of_gradient<T: Scalar>(slip: T) -> [T; 1] {
        let mu = mu_of(slip);
        [T::from_f64(2.0) * (T::ONE - mu * mu)]
    }

    /// x² y + sin(y z)
    pub fn well<T: Scalar>(x: T, y: T, z: T) -> T {
        x * x * y + (y * z).sin()
    }
    pub fn well_gradient<T: Scalar>(x: T, y: T, z: T) -> [T; 3] {
        let cos = (y * z).cos();
        [T::from_f64(2.0) * x * y, x * x + z * cos, y * cos]
    }
    pub fn well_hessian<T: Scalar>(x: T, y: T, z: T) -> [[T; 3]; 3] {
        let (sin, cos, two) = ((y * z).sin(), (y * z).cos(), T::from_f64(2.0));
        let mixed = cos - y * z * sin;
        [[two * y, two * x, T::ZERO], [two * x, -(z * z * sin), mixed], [T::ZERO, mixed, -(y * y * sin)]]
    }
}

/// Newton metres over radians a second.
const TORQUE: [[f64; 2]; 5] = [[-50.0, -4.0], [0.0, 0.0], [20.0, 5.0], [60.0, 6.0], [100.0, 1.0]];

macro_rules! rolling {
    ($name:ident $(<$t:ident>)?, { $($source:tt)* }) => {
        model! {
            pub struct $name $(<$t>)? {
                param m: Real [kg] = 10.0;
                param r: Real [m] = 0.1;
                param j: Real [kg*m^2] = 0.01;
                param g: Real [m/s^2] = 9.81;
                coord x: Real [m];
                coord th: Angle;
                extern fn grip(slip: Real [m/s]) -> Real { $($source)* }
                let slip = r * der(th) - der(x);
                kinetic = 0.5 * m * sq(der(x)) + 0.5 * j * sq(der(th));
                force traction on x - r * th = grip(slip) * m * g;
                output grip_now: Real = grip(slip);
                output rate: Real [1/s] = grip(0.5) * der(x) / r;
                cost wear = sq(grip(slip));
            }
        }
    };
}

rolling!(Plain, { value: tyre::mu, gradient: tyre::mu_gradient });
rolling!(PlainAll, { value: tyre::mu, gradient: tyre::mu_gradient, hessian: tyre::mu_hessian });
rolling!(PlainDual, { dual: tyre::mu_of });
rolling!(Over<T>, { value: tyre::mu_of, gradient: tyre::mu_of_gradient });
rolling!(OverDual<T>, { dual: crate::external::tyre::mu_of::<_> });

macro_rules! basin {
    ($name:ident $(<$t:ident>)?, { $($source:tt)* }) => {
        model! {
            pub struct $name $(<$t>)? {
                param k: Real = 0.7;
                coord x, y, z: Real;
                extern fn well(x: Real, y: Real, z: Real) -> Real { $($source)* }
                kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y)) + 0.5 * sq(der(z));
                potential = k * well(x, y, z);
                constraint bowl: z == 0.2 * well(x, y, 1.0) + x;
                force drag on y = -der(well(x, k * y, z));
                output rise: Real = der(well(x, y, z));
                init x = 0.3;
                guess y = 0.2;
                guess z = 0.0;
            }
        }
    };
}

basin!(Basin, { value: tyre::well::<f64>, gradient: tyre::well_gradient, hessian: tyre::well_hessian });
basin!(BasinDual<T>, { dual: tyre::well });
basin!(BasinOver<T>, { value: tyre::well, gradient: tyre::well_gradient, hessian: tyre::well_hessian });

macro_rules! tables {
    ($name:ident $(<$t:ident>)?) => {
        model! {
            pub struct $name $(<$t>)? {
                param j: Real [kg*m^2] = 0.02;
                param stiff: Real [N*m] = 3.0;
                param w_1: Real [rad/s] = 1.0;
                coord th: Angle;
                extern fn torque(rate: Real [rad/s]) -> Real [N*m] { table: TORQUE }
                kinetic = 0.5 * j * sq(der(th));
                potential = stiff * pchip(TORQUE, 10.0 * th);
                force motor on th = torque(-der(th));
                output same: Real = pchip(TORQUE, der(th) / w_1) + pchip(TORQUE, 10.0 * th);
            }
        }
    };
}

tables!(Motor);
tables!(MotorOver<T>);

/// Inertia that a function gives: its third derivatives are in K.
mod bodies {
    use ode_model::Scalar;

    pub fn inertia<T: Scalar>(th: T) -> T {
        T::ONE + T::from_f64(0.3) * th.cos()
    }
}

model! {
    pub struct Crank {
        coord th: Angle;
        extern fn inertia(th: Real) -> Real { dual: bodies::inertia }
        kinetic = 0.5 * inertia(th) * sq(der(th));
        output lift: Real = der2(inertia(th));
    }
}
model! {
    pub struct CrankWritten {
        coord th: Angle;
        kinetic = 0.5 * (1.0 + 0.3 * cos(th)) * sq(der(th));
        output lift: Real = der2(0.3 * cos(th));
    }
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn counted(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    x.sqrt()
}
fn counted_gradient(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    0.5 / x.sqrt()
}

model! {
    pub struct Guarded {
        coord x, y: Real;
        extern fn root(x: Real) -> Real { value: counted, gradient: counted_gradient }
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        force pull on x = if x > 0.0 { root(x) * y + root(x) } else { 0.0 };
        output height: Real = if y > 0.0 { 2.0 * root(y) } else { -1.0 };
    }
}

/// v after a linearised step, by v before it.
fn linearized<S>(plant: &S) -> Result<[[f64; 2]; 2], RunError>
where
    S: Solvable<Real = f64> + Sensitive,
{
    let mut x = State::neutral(plant);
    x.v.as_mut().copy_from_slice(&[0.3, 5.0]);
    let mut map = StepMap::of(plant, BackwardEuler::linearized(), &[])?;
    let step = map.step(&x, S::U::zeros(0), 0.01)?;
    Ok(std::array::from_fn(|row| std::array::from_fn(|column| step.a().entry(2 + row, 2 + column))))
}

/// A linearised step varies by second derivatives of a force.
#[test]
fn linearised_steps_ask_for_second_derivatives() {
    let error = linearized(&Plain::default()).expect_err("it has none");
    let RunError::Step(StepError { cause: Cause::NotDifferentiable { .. }, .. }) = error else { panic!("{error}") };
    assert!(error.to_string().contains("(an `extern fn` has them by `dual: path`)"), "{error}");
    let (all, dual) = (linearized(&PlainAll::default()), linearized(&PlainDual::default()));
    let (all, dual) = (all.expect("it has them"), dual.expect("it has them"));
    all.iter().flatten().zip(dual.iter().flatten()).for_each(|(x, y)| close(*x, *y));
}

#[test]
fn a_function_from_outside_is_a_force_like_any_other() {
    let plant = Plain::default();
    let u = plain::U::default();
    let mut x = begin(&plant);
    x.v = [0.3, 5.0].into();
    let slip: f64 = 0.1 * 5.0 - 0.3;
    let pull = (2.0 * slip).tanh() * 10.0 * 9.81;
    let f = plant.force(x.at(&u));
    close(f.x(), pull);
    close(f.th(), -0.1 * pull);
    // D = −∂f/∂v for a constant mass
    let slope = 2.0 * (1.0 - (2.0 * slip).tanh().powi(2)) * 10.0 * 9.81;
    let damping = plant.damping(x.at(&u), x.rates());
    close(damping[(0, 0)], slope);
    close(damping[(0, 1)], -0.1 * slope);
    close(plant.outputs(x.at(&u), x.rates()).rate(), 1.0_f64.tanh() * 0.3 / 0.1);
    let all = PlainAll::default();
    let y = begin(&all);
    close(all.damping(y.at(&plain_all::U::default()), y.rates())[(0, 0)], 2.0 * 10.0 * 9.81);
}

/// Three spellings of one function are one model.
#[test]
fn gradients_by_hand_and_by_dual_numbers_agree() {
    let (hand, dual, over) = (Basin::default(), BasinDual::<f64>::default(), BasinOver::<f64>::default());
    let q = [0.3, -0.4, 0.9];
    let v = [0.2, 0.1, -0.7];
    let (mut a, mut b, mut c) = (begin(&hand), begin(&dual), begin(&over));
    (a.q, b.q, c.q) = (q.into(), q.into(), q.into());
    (a.v, b.v, c.v) = (v.into(), v.into(), v.into());
    let (ua, ub, uc) = (basin::U::default(), basin_dual::U::default(), basin_over::U::default());
    let k = hand.stiffness(a.at(&ua), a.rates());
    let others = [dual.stiffness(b.at(&ub), b.rates()), over.stiffness(c.at(&uc), c.rates())];
    for other in others {
        assert!((k - other).amax() < 1e-14, "{k} {other}");
    }
    // V = k (x² y + sin(y z)), without the drag: K_xx = 2 k y, K_xy = 2 k x
    assert!((k[(0, 0)] - 2.0 * 0.7 * -0.4).abs() < 1e-14, "{k}");
}

#[test]
fn a_table_is_a_function_with_its_slopes() {
    let plant = Motor::default();
    let u = motor::U::default();
    let mut x = begin(&plant);
    x.q.set_th(3.0);
    x.v = [-20.0].into();
    // at the point (20, 5) the slope is the harmonic mean of Fritsch and Butland: secants 1/4 and 1/40, widths 20 and
    // 40
    let slope = (2.0 * 40.0 + 20.0 + 40.0 + 2.0 * 20.0) / ((2.0 * 40.0 + 20.0) / 0.25 + (40.0 + 2.0 * 20.0) / 0.025);
    close(plant.damping(x.at(&u), x.rates())[(0, 0)], slope);
    let curve = ode_model::Pchip::new(TORQUE);
    close(plant.force(x.at(&u)).th(), 5.0 - 3.0 * 10.0 * curve.derivative(30.0, 1));
    close(plant.stiffness(x.at(&u), x.rates())[(0, 0)], 3.0 * 100.0 * curve.derivative(30.0, 2));
    // beyond the last point the end tangent goes on
    x.v = [-200.0].into();
    let end = curve.derivative(100.0, 1);
    close(plant.force(x.at(&u)).th() + 3.0 * 10.0 * curve.derivative(30.0, 1), 1.0 + 100.0 * end);
}

#[test]
fn inertia_from_outside_is_that_of_the_formula() {
    let (external, written) = (Crank::default(), CrankWritten::default());
    let (mut x, mut y) = (begin(&external), begin(&written));
    (x.q, y.q) = ([0.7].into(), [0.7].into());
    (x.v, y.v) = ([-1.3].into(), [-1.3].into());
    let (a, b) = ([2.1].into(), [2.1].into());
    let (u, w) = (crank::U::default(), crank_written::U::default());
    let (none, nothing) = (crank::Lambda::default(), crank_written::Lambda::default());
    let (y0, z0) = (crank::Z::default(), crank_written::Z::default());
    let (r, s) = (Rates { a: &a, zdot: &y0, lambda: &none }, Rates { a: &b, zdot: &z0, lambda: &nothing });
    close(external.mass(x.at(&u))[(0, 0)], written.mass(y.at(&w))[(0, 0)]);
    near(external.outputs(x.at(&u), r).lift(), written.outputs(y.at(&w), s).lift(), 1e-14);
    near(external.stiffness(x.at(&u), r)[(0, 0)], written.stiffness(y.at(&w), s)[(0, 0)], 1e-14);
}

/// A branch that is not taken calls nothing.
#[test]
fn calls_stay_in_their_branch() {
    let plant = Guarded::default();
    let u = guarded::U::default();
    let mut x = begin(&plant);
    x.q = [-1.0, 2.0].into();
    CALLS.set(0);
    assert_eq!(plant.force(x.at(&u)).x(), 0.0);
    assert_eq!(plant.stiffness(x.at(&u), x.rates())[(0, 0)], 0.0);
    assert_eq!(CALLS.get(), 0);
    x.q = [4.0, -2.0].into();
    close(plant.force(x.at(&u)).x(), 2.0 * -2.0 + 2.0);
    assert_eq!(CALLS.get(), 1);
    assert_eq!(plant.outputs(x.at(&u), x.rates()).height(), -1.0);
    assert_eq!(CALLS.get(), 1);
}

fn wrong_gradient<T: ode_model::Scalar>(slip: T) -> T {
    tyre::mu_of_gradient(slip)[0] + T::from_f64(1e-9)
}

model! {
    #[model(no_selftest)]
    pub struct Wrong<T> {
        coord x: Real;
        extern fn grip(slip: Real) -> Real { value: tyre::mu_of, gradient: wrong_gradient }
        kinetic = 0.5 * sq(der(x));
        force drag on x = -grip(der(x));
    }
}

#[test]
fn the_self_test_notices_a_wrong_gradient() {
    let found = ode_model::selftest::check::<Wrong<f64>, Wrong<ode_model::Dual<f64>>>();
    let mismatch = found.expect_err("the gradient is off by 1e-9");
    assert_eq!(mismatch.block, "D");
}
