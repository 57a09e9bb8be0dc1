//! Small motions against closed forms.

use crate::common::equilibria::Linkage;
use crate::common::mechanisms::{Bars, Row, ShortRod, SliderCrank, Solenoid};
use crate::common::plants::{DoublePendulum, Oscillator, Pendulum};
use crate::common::rigid::{Rod, Top};
use crate::common::{On, on};
use ode_runtime::analysis::{Assembly, Eigenmodes, Held, Levels, LinearError, Linearization, Stability, Statics};
use ode_runtime::linalg::{Complex, DMatrix, eigenvalues, null_space};
use ode_runtime::{Linearize, Nominal, Quantity, Solvable, State};

const REST: f64 = 1e-9;

fn at_rest<S: Solvable<Real = f64> + Linearize>(system: &S, q: S::Q) -> State<S> {
    let x = State { q, ..State::neutral(system) };
    Assembly::default().solve(system, &Nominal, x).expect("assembled").0
}

fn modes<S: Solvable<Real = f64> + Linearize>(system: &S, q: S::Q) -> Eigenmodes<f64> {
    let x = at_rest(system, q);
    let all = Eigenmodes::of(system, &Nominal, &x, REST).expect("at rest");
    few(system, &x, &all);
    all
}

/// The lowest modes, one after the other, are those of all, where nothing is damped.
fn few<S: Solvable<Real = f64> + Linearize>(system: &S, x: &State<S>, all: &Eigenmodes<f64>) {
    let mut squares: Vec<f64> = all.modes.iter().map(|mode| -(mode.eigenvalue * mode.eigenvalue).re).collect();
    squares.dedup_by(|a, b| *a < 0.0 && (*a - *b).abs() < 1e-9 * b.abs());
    squares.sort_by(f64::total_cmp);
    let scale = squares.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    for count in 1..=squares.len() {
        let found = match Eigenmodes::lowest(system, &Nominal, x, REST, count) {
            Err(LinearError::Unsuited { .. }) => return,
            found => found.expect("modes"),
        };
        let mut got: Vec<f64> = found.modes.iter().map(|mode| -(mode.eigenvalue * mode.eigenvalue).re).collect();
        got.dedup_by(|a, b| *a < 0.0 && (*a - *b).abs() < 1e-9 * b.abs());
        got.sort_by(f64::total_cmp);
        assert_eq!(got.len(), count);
        got.iter().zip(&squares).for_each(|(got, want)| assert!((got - want).abs() < 1e-9 * scale, "{got} {want}"));
    }
    let more = Eigenmodes::lowest(system, &Nominal, x, REST, squares.len() + 1);
    assert_eq!(more, Err(LinearError::TooFew { modes: squares.len() }));
}

fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs().max(1.0), "{got} is not {want}");
}

#[test]
fn a_cartesian_pendulum_swings_at_the_root_of_g_over_l() {
    // All of its stiffness is ∂(Gᵀλ)/∂q.
    let found = modes(&on(Pendulum::standard()), [0.0, -1.0]);
    assert_eq!(found.names, ["x", "y"]);
    assert_eq!(found.modes.len(), 1);
    near(found.modes[0].frequency(), 9.81f64.sqrt(), 1e-14);
    assert_eq!(found.modes[0].damping(), 0.0);
    near(found.modes[0].shape[0].re.abs(), 1.0, 1e-14);
    assert!(found.modes[0].shape[1].re.abs() < 1e-15);
    // on its head it falls, and could rise, at that rate
    let found = modes(&on(Pendulum::standard()), [0.0, 1.0]);
    let values: Vec<_> = found.modes.iter().map(|mode| mode.eigenvalue).collect();
    assert_eq!(values.len(), 2);
    near(values[0].re, -9.81f64.sqrt(), 1e-14);
    near(values[1].re, 9.81f64.sqrt(), 1e-14);
    assert!(found.modes[1].damping() < 0.0);
}

#[test]
fn two_bars_hang_at_two_frequencies() {
    // det(K − ω² M) with M = (2.25, ½; ½, 1.25), K = (15, 5).
    let down = -std::f64::consts::FRAC_PI_2;
    let found = modes(&on(DoublePendulum), [down, down]);
    let root = (900.0f64 - 4.0 * 2.5625 * 75.0).sqrt();
    for (mode, square) in found.modes.iter().zip([(30.0 - root) / 5.125, (30.0 + root) / 5.125]) {
        near(mode.frequency(), square.sqrt(), 1e-13);
        // (K − ω² M) x = 0
        let [x, y] = [mode.shape[0].re, mode.shape[1].re];
        near((15.0 - square * 2.25) * x, square * 0.5 * y, 1e-12);
    }
    let product = |i: usize, j: usize| {
        let (a, b) = (&found.modes[i].shape, &found.modes[j].shape);
        2.25 * a[0].re * b[0].re + 0.5 * (a[0].re * b[1].re + a[1].re * b[0].re) + 1.25 * a[1].re * b[1].re
    };
    near(product(0, 0), 1.0, 1e-13);
    near(product(0, 1), 0.0, 1e-13);
}

#[test]
fn a_row_of_springs_has_the_frequencies_of_its_sines() {
    let found = modes(&on(Row), [0.0; 4]);
    for (j, mode) in found.modes.iter().enumerate() {
        let angle = std::f64::consts::PI * (j + 1) as f64 / 10.0;
        near(mode.frequency(), 2.0 * 25f64.sqrt() * angle.sin(), 1e-13);
        for i in 0..4 {
            let sine = |i: usize| (std::f64::consts::PI * ((i + 1) * (j + 1)) as f64 / 5.0).sin();
            near(mode.shape[i].re * sine(0), mode.shape[0].re * sine(i), 1e-12);
        }
    }
}

#[test]
fn a_damped_oscillator_shows_its_damping_ratio() {
    for (c, zeta) in [(4.0, 0.2), (10.0, 0.5), (0.0, 0.0)] {
        let found = modes(&on(Oscillator { m: 2.0, k: 50.0, c, w: 0.0, x: 0.0, v: 0.0 }), [0.0]);
        assert_eq!(found.modes.len(), 1);
        near(found.modes[0].frequency(), 5.0, 1e-13);
        near(found.modes[0].damping(), zeta, 1e-13);
        near(found.modes[0].eigenvalue.im, 5.0 * (1.0 - zeta * zeta).sqrt(), 1e-12);
    }
    // above critical damping it creeps, twice: −25/2 ± √(25²/4 − 25)
    let found = modes(&on(Oscillator { m: 2.0, k: 50.0, c: 50.0, w: 0.0, x: 0.0, v: 0.0 }), [0.0]);
    let root = (25.0f64 * 25.0 / 4.0 - 25.0).sqrt();
    for (mode, want) in found.modes.iter().zip([-12.5 + root, -12.5 - root]) {
        assert_eq!(mode.eigenvalue.im, 0.0);
        near(mode.eigenvalue.re, want, 1e-12);
    }
}

#[test]
fn a_rod_on_a_spherical_joint_is_two_pendulums_that_turn_freely() {
    // ω² = m g d/(J + m d²) about each level axis with d = ½, m = 2; nothing resists turning about the vertical.
    let found = modes(&on(Rod), [0.0, 0.0, -0.5, 0.0, 1.0, 0.0, 0.0]);
    let want = [0.0, (9.81f64 / (0.7 + 0.5)).sqrt(), (9.81f64 / (0.5 + 0.5)).sqrt()];
    assert_eq!(found.modes.len(), 3);
    for (mode, want) in found.modes.iter().zip(want) {
        near(mode.frequency(), want, 1e-12);
    }
    assert_eq!(found.names, ["v.x", "v.y", "v.z", "w.x", "w.y", "w.z"]);
    // the free turn is about the body's own vertical
    assert!(found.modes[0].shape[5].re.abs() > 0.1 && found.modes[0].shape[3].re.abs() < 1e-9);
}

#[test]
fn a_slider_crank_swings_about_its_equilibrium() {
    // One degree of freedom: m(θ) λ² + c x′² λ + V″ = 0 with m = 1.5 + 2 cos(θ − φ) φ′ + 4/3 φ′² + x′².
    let system = on(SliderCrank);
    for (start, stable) in [(0.5, false), (-0.8, true)] {
        let guess = State { q: SliderCrank::closed(start), ..State::neutral(&system) };
        let (x, _) = Statics::default().solve(&system, &Nominal, guess).expect("an equilibrium");
        let found = Eigenmodes::of(&system, &Nominal, &x, REST).expect("at rest");
        let [th, ph, _] = x.q;
        let rod = -th.cos() / (2.0 * ph.cos());
        let slide = -th.sin() - 2.0 * ph.sin() * rod;
        let mass = 1.5 + 2.0 * (th - ph).cos() * rod + 4.0 / 3.0 * rod * rod + slide * slide;
        let (v, h) = (SliderCrank::potential, 1e-3);
        let stiffness =
            (-v(th + 2.0 * h) + 16.0 * v(th + h) - 30.0 * v(th) + 16.0 * v(th - h) - v(th - 2.0 * h)) / (12.0 * h * h);
        assert_eq!(stiffness > 0.0, stable, "{stiffness} at {th}");
        let values: Vec<_> = found.modes.iter().map(|mode| mode.eigenvalue).collect();
        let (sum, product) = match values[..] {
            [z] => (2.0 * z.re, z.norm_sqr()),
            [a, b] => (a.re + b.re, a.re * b.re),
            _ => panic!("{values:?}"),
        };
        assert_eq!(values.len(), if stable { 1 } else { 2 });
        near(product, stiffness / mass, 1e-8);
        near(sum, -slide * slide / mass, 1e-10);
    }
}

#[test]
fn first_order_states_are_part_of_the_motion() {
    // At x = 2, i = 4: x″ = −8 x − x′ + 8 i and i′ = −10 i − 5 x′, so λ³ + 11 λ² + 58 λ + 80 = 0.
    let system = on(Solenoid);
    let x = State { q: [2.0], z: [4.0], ..State::neutral(&system) };
    let found = Eigenmodes::of(&system, &Nominal, &x, REST).expect("at rest");
    assert_eq!(found.names, ["x", "current"]);
    let mut product = 1.0;
    for mode in &found.modes {
        let z = mode.eigenvalue;
        near((z * z * z + z * z * 11.0 + z * 58.0 + 80.0).norm_sqr().sqrt(), 0.0, 1e-10);
        product *= if z.im > 0.0 { z.norm_sqr() } else { z.re };
        // λ i = −10 i − 5 λ x
        let (x, i) = (mode.shape[0], mode.shape[1]);
        near(((z + 10.0) * i).re, (z * x * -5.0).re, 1e-10);
    }
    near(product, -80.0, 1e-11);
}

#[test]
fn a_model_without_constraints_is_linearised_along_its_motion() {
    let system = on(Bars);
    let x = State { q: [0.4, -0.3], v: [1.0, -2.0], ..State::neutral(&system) };
    let settled = |q: [f64; 2], v: [f64; 2]| {
        let x = State { q, v, ..State::neutral(&system) };
        Assembly::default().solve(&system, &Nominal, x).expect("accelerations").0
    };
    let linear = Linearization::of(&system, &Nominal, &settled(x.q, x.v), REST).expect("regular");
    assert_eq!(linear.positions, 2);
    for c in 0..4 {
        let side = |sign: f64| {
            let (mut q, mut v) = (x.q, x.v);
            let delta: [f64; 4] = std::array::from_fn(|r| sign * 1e-5 * linear.shape[(r, c)]);
            (0..2).for_each(|i| (q[i], v[i]) = (q[i] + delta[i], v[i] + delta[2 + i]));
            settled(q, v)
        };
        let (low, high) = (side(-1.0), side(1.0));
        for i in 0..2 {
            // ẋ = A x holds for (δv, δa) as well
            let want = [(high.v[i] - low.v[i]) / 2e-5, (high.a[i] - low.a[i]) / 2e-5];
            for (level, want) in want.into_iter().enumerate() {
                let got: f64 = (0..4).map(|k| linear.shape[(2 * level + i, k)] * linear.a[(k, c)]).sum();
                near(got, want, 1e-8);
            }
        }
    }
}

#[test]
fn what_moves_with_constraints_or_rotations_is_named() {
    let system = on(Pendulum::standard());
    let x = State { q: [0.0, -1.0], v: [2.0, 0.0], ..State::neutral(&system) };
    let error = Eigenmodes::of(&system, &Nominal, &x, REST).expect_err("moving");
    assert!(matches!(error, LinearError::Moving { quantity: Quantity::Velocity, value: 2.0, .. }), "{error}");
    let off = at_rest(&system, [1.0, 0.0]);
    let error = Eigenmodes::of(&system, &Nominal, &off, REST).expect_err("falling");
    assert!(matches!(error, LinearError::Moving { quantity: Quantity::Acceleration, .. }), "{error}");
    let top: On<Top> = on(Top::free());
    let x = State { q: [1.0, 0.0, 0.0, 0.0], v: [0.0, 1.0, 0.0], ..State::neutral(&top) };
    assert!(
        matches!(Eigenmodes::of(&top, &Nominal, &x, REST), Err(LinearError::Moving { name, .. }) if name.as_str() == "w.y")
    );
}

#[test]
fn multipliers_of_another_state_are_refused() {
    // Without its tension the rod would hold the bob nowhere, at a frequency of zero.
    let system = on(Pendulum::standard());
    let x = State { q: [0.0, -1.0], ..State::neutral(&system) };
    let error = Eigenmodes::of(&system, &Nominal, &x, REST).expect_err("no tension");
    assert!(matches!(error, LinearError::Unbalanced { name, .. } if name.as_str() == "y"), "{error}");
    assert!(Eigenmodes::of(&system, &Nominal, &State { lambda: [-9.81], ..x }, REST).is_ok());
    // what a very stiff spring leaves of an equilibrium is no such force
    let mut q = [0.1, -1.0, 0.3, -2.0, 0.2, -3.0, 0.4, -4.1];
    for spring in [1.0, 1e3, 1e6, 1e9] {
        let (weights, soft) = ([1.0, 2.0, 0.5, 3.0], [0.5, 1.0, 0.3, 0.7]);
        let system = on(Linkage { weights, soft, places: [0.3, -0.4, 0.9, 0.1, 1.2, -0.8, 0.4, 0.2], spring });
        let x = State { q, ..State::neutral(&system) };
        let (x, found) = Statics::default().solve(&system, &Nominal, x).expect("near the last one");
        assert_eq!(found.stability, Stability::Stable, "{spring} {found:?}");
        let found = Eigenmodes::of(&system, &Nominal, &x, REST).expect("balanced");
        assert!(found.growth() <= 0.0 && found.modes.len() == 5);
        q = x.q;
    }
}

#[test]
fn modes_that_grow_are_told() {
    let standing = modes(&on(Pendulum::standard()), [0.0, 1.0]);
    near(standing.growth(), 9.81f64.sqrt(), 1e-14);
    assert_eq!(modes(&on(Pendulum::standard()), [0.0, -1.0]).growth(), 0.0);
    // nothing that moves, nothing that grows
    let system = on(ShortRod);
    let x = State { t: 0.3, q: [0.3, -0.63, 1.36], ..State::neutral(&system) };
    let x = Assembly::of(Levels::POSITION).solve(&system, &Nominal, x).expect("assembled").0;
    let (x, _) = Statics::default().solve(&system, &Nominal, x).expect("held");
    let none = Eigenmodes::of(&system, &Nominal, &x, REST).expect("held");
    assert!(none.modes.is_empty() && none.growth() == f64::NEG_INFINITY);
}

#[test]
fn null_spaces_leave_out_what_repeats() {
    let g = DMatrix::from_row_slice(3, 4, &[1.0_f64, 2.0, 0.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let z = null_space(&g);
    assert_eq!(z.shape(), (4, 2));
    assert!((g * &z).amax() < 1e-15);
    let unit = z.transpose() * &z;
    assert!((unit[(0, 0)] - 1.0).abs() < 1e-15 && unit[(0, 1)].abs() < 1e-15);
}

#[test]
fn eigenvalues_of_a_rotation_are_on_the_circle() {
    let a = DMatrix::from_row_slice(2, 2, &[0.6, -0.8, 0.8, 0.6]);
    for Complex { re, im } in eigenvalues(&a).expect("found") {
        near(re, 0.6, 1e-15);
        near(im.abs(), 0.8, 1e-15);
    }
}

#[test]
fn what_is_held_adds_neither_damping_nor_stiffness() {
    // The second bar alone swings with ω² = 5/1.25; the first stands, and would go on if it moved: a double zero.
    let held = Held::new(on(DoublePendulum), &["q1"]).expect("a name");
    let down = -std::f64::consts::FRAC_PI_2;
    let x = at_rest(&held, [down, down]);
    let found = Eigenmodes::of(&held, &Nominal, &x, REST).expect("at rest");
    let mut frequencies: Vec<_> = found.modes.iter().map(|mode| mode.frequency()).collect();
    frequencies.dedup();
    assert!(frequencies.iter().all(|&w| w.abs() < 1e-7 || (w - 2.0).abs() < 1e-12), "{frequencies:?}");
    assert!(frequencies.iter().any(|&w| w > 1.0) && found.modes.iter().all(|mode| mode.eigenvalue.re.abs() < 1e-7));
    // a search for the lowest leaves out what cannot move
    let few = Eigenmodes::lowest(&held, &Nominal, &x, REST, 1).expect("a mode");
    assert!((few.modes[0].frequency() - 2.0).abs() < 1e-12 && few.modes[0].shape[0].re == 0.0);
    let both = Eigenmodes::lowest(&held, &Nominal, &x, REST, 2);
    assert_eq!(both, Err(LinearError::TooFew { modes: 1 }));
}
