//! Tables against SciPy, their derivatives against differences, and external functions on dual numbers.

use ode_runtime::selftest::Differenced;
use ode_runtime::{Dual, External, Pchip, Scalar};

#[track_caller]
fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs().max(1.0), "{got:?} is not {want:?}");
}

const WINDING: Pchip<6> = Pchip::new([[0.0, 0.0], [1.0, 1.0], [3.0, 2.0], [4.0, 2.0], [6.0, -1.0], [7.0, 5.0]]);
const VALLEY: Pchip<3> = Pchip::new([[-1.0, 2.0], [0.5, 0.25], [2.0, 1.0]]);
const STRAIGHT: Pchip<2> = Pchip::new([[0.0, 1.0], [2.0, 4.0]]);
const FALLING: Pchip<5> = Pchip::new([[0.0, 0.0], [1.0, 3.0], [1.5, 2.9], [4.0, -6.0], [9.0, -6.5]]);

/// `scipy.interpolate.PchipInterpolator` of SciPy 1.17.1: x, p(x), p(x, 1), p(x, 2).
#[test]
fn tables_are_those_of_scipy() {
    fn agree<const N: usize>(curve: &Pchip<N>, slopes: [f64; N], knots: [f64; N], rows: &[[f64; 4]]) {
        for (x, slope) in knots.into_iter().zip(slopes) {
            near(curve.derivative(x, 1), slope, 1e-14);
        }
        for &[x, value, first, second] in rows {
            near(curve.derivative(x, 0), value, 1e-13);
            near(curve.derivative(x, 1), first, 1e-12);
            near(curve.derivative(x, 2), second, 1e-12);
        }
    }
    agree(
        &WINDING,
        [1.1666666666666667, 0.6923076923076923, 0.0, 0.0, 0.0, 8.5],
        [0.0, 1.0, 3.0, 4.0, 6.0, 7.0],
        &[
            [1.013, 1.009009581, 0.6937686923076922, 0.10938461538461547],
            [2.013, 1.680547504076923, 0.5723840769230769, -0.35215384615384604],
            [3.013, 2.0, 0.0, 0.0],
            [4.013, 1.99962139775, -0.05811974999999956, -4.4415000000000004],
            [5.013, 0.4707516477500002, -2.24961975, 0.05849999999999955],
            [6.013, -0.9984021895, 0.24522549999999813, 18.727000000000004],
        ],
    );
    agree(
        &VALLEY,
        [-2.0, 0.0, 1.333333333333333],
        [-1.0, 0.5, 2.0],
        &[
            [-0.5584285714285714, 1.194607799728323, -1.6189589024943312, 1.059174603174603],
            [0.2987142857142856, 0.28930774919382346, -0.3845643446712024, 1.821079365079365],
            [1.584428571428571, 0.5695942344545943, 0.7636442721088431, 1.1861587301587295],
        ],
    );
    agree(&STRAIGHT, [1.5, 1.5], [0.0, 2.0], &[[0.2987142857142857, 1.4480714285714287, 1.5, 0.0]]);
    agree(
        &FALLING,
        [5.133333333333334, 0.0, -0.315976331360947, -0.21736770691994572, 0.0],
        [0.0, 1.0, 1.5, 4.0, 9.0],
        &[
            [1.2987142857142857, 2.9582713912335086, -0.2493982994324359, -0.5337169907016065],
            [2.5844285714285715, -0.7229831998217489, -5.126523059832169, -1.0074961058303336],
            [5.155857142857143, -6.216317350151455, -0.15785815345210866, 0.049076264392324084],
        ],
    );
}

/// Value and slope go on without a jump, and no derivative is of another curve than the value.
#[test]
fn a_table_is_smooth_once_and_goes_on_as_its_tangents() {
    for knot in [0.0, 1.0, 3.0, 4.0, 6.0, 7.0] {
        for order in 0..2 {
            let (left, right) = (WINDING.derivative(knot - 1e-9, order), WINDING.derivative(knot + 1e-9, order));
            near(left, right, 1e-7);
        }
    }
    near(WINDING.derivative(-2.0, 0), -2.0 * 1.1666666666666667, 1e-15);
    near(WINDING.derivative(9.0, 0), 5.0 + 2.0 * 8.5, 1e-15);
    assert_eq!(WINDING.derivative(9.0, 1), 8.5);
    assert_eq!(WINDING.derivative(9.0, 2), 0.0);
    assert!(WINDING.derivative(f64::NAN, 0).is_nan());
    for k in 0..900 {
        let x = -1.0 + 0.01 * f64::from(k) + 0.0037;
        for order in 1..4 {
            let h = 1e-4;
            let difference = (WINDING.derivative(x + h, order - 1) - WINDING.derivative(x - h, order - 1)) / (2.0 * h);
            near(WINDING.derivative(x, order), difference, 1e-6);
        }
    }
}

#[test]
fn what_does_not_increase_is_no_table() {
    assert!(!Pchip::increasing(&[[0.0, 1.0], [0.0, 2.0]]));
    assert!(!Pchip::increasing(&[[1.0, 1.0]]));
    assert!(!Pchip::increasing(&[[0.0, 1.0], [f64::NAN, 2.0]]));
    assert!(!Pchip::increasing(&[[0.0, 1.0], [1.0, f64::INFINITY]]));
    assert!(Pchip::increasing(&[[-1.0, 1.0], [0.0, 1.0]]));
    assert!(Pchip::new([[0.0, 1.0], [0.0, 2.0]]).derivative(0.5, 0).is_nan());
    let empty: Pchip<0> = Pchip::new([]);
    assert!(empty.derivative(0.5, 0).is_nan());
}

/// x² y with its gradient; nothing beyond.
struct Known {
    wrong: bool,
}

impl External<2> for Known {
    fn partial(&self, [x, y]: [f64; 2], orders: [usize; 2]) -> f64 {
        match orders {
            [0, 0] => x * x * y,
            [1, 0] => 2.0 * x * y + if self.wrong { 0.01 } else { 0.0 },
            [0, 1] => x * x,
            _ => f64::NAN,
        }
    }
}

#[test]
fn a_dual_number_asks_for_one_order_more() {
    let x = [Dual::new(3.0, 1.0), Dual::new(2.0, -1.0)];
    let value = Dual::extend(x, &Known { wrong: false }, [0, 0]);
    assert_eq!((value.re, value.eps), (18.0, 12.0 - 9.0));
    // what does not move needs no derivative
    let still = Dual::extend(x.map(|x| Dual::constant(x.re)), &Known { wrong: false }, [1, 0]);
    assert_eq!((still.re, still.eps), (12.0, 0.0));
    assert_eq!(f32::extend([3.0_f32, 2.0], &Known { wrong: false }, [0, 1]), 9.0);
}

/// Second derivatives at a point where the first of what is inside vanishes.
#[test]
fn nested_dual_numbers_keep_what_starts_to_move() {
    let x = Dual::new(Dual::new(0.0, 1.0), Dual::new(1.0, 0.0));
    let y = (x * x).sin();
    assert_eq!(y.eps.eps, 2.0);
    let table = Dual::extend([x * x + Dual::constant(Dual::constant(2.0))], &WINDING, [0]);
    near(table.eps.eps, 2.0 * WINDING.derivative(2.0, 1), 1e-15);
}

#[test]
fn a_wrong_derivative_is_replaced_by_the_difference() {
    let at = [0.7, -1.3];
    for orders in [[1, 0], [0, 1]] {
        let known = Known { wrong: false };
        assert_eq!(Differenced(Known { wrong: false }).partial(at, orders), known.partial(at, orders));
    }
    let wrong = Known { wrong: true };
    let found = Differenced(Known { wrong: true }).partial(at, [1, 0]);
    assert!((found - wrong.partial(at, [1, 0])).abs() > 0.009);
    near(found, 2.0 * 0.7 * -1.3, 1e-9);
    // a kink beside the point, and a steep curve
    assert_eq!(Differenced(WINDING).partial([5.2], [1]), WINDING.derivative(5.2, 1));
    assert_eq!(Differenced(WINDING).partial([5.2], [2]), WINDING.derivative(5.2, 2));
}
