//! What one asks of a linear system, of a drive with a flexible shaft.
//!
//! Values: NumPy 2.3, SciPy 1.17 and python-control 0.10.2; frequency responses by mpmath at 30 digits.

use ode_control::{Misfit, StateSpace, SystemError, Transfer};
use ode_model::linalg::{Complex, DMatrix, Labelled};
use ode_model::prelude::*;

use crate::cart_poles::{HELD_A, HELD_B, upright};
use crate::upright::off;

model! {
    /// Two inertias with a spring between them, the first one held by another.
    pub struct Drive {
        param j1: Real = 0.5;
        param j2: Real = 0.2;
        param k0: Real = 4.0;
        param k: Real = 30.0;
        param d1: Real = 0.1;
        param c: Real = 0.02;
        coord a, b: Angle;
        input u: Real;
        kinetic = 0.5 * j1 * sq(der(a)) + 0.5 * j2 * sq(der(b));
        potential = 0.5 * k0 * sq(a) + 0.5 * k * sq(a - b);
        dissipation = 0.5 * d1 * sq(der(a)) + 0.5 * c * sq(der(a) - der(b));
        force motor on a = u;
        output motor_angle = a;
        output load_angle = b;
    }
}

fn drive() -> StateSpace {
    let model = Drive::default();
    StateSpace::of(&model, &State::neutral(&model), [0.0]).expect("a linear system")
}

fn matrix<const R: usize, const C: usize>(names: [&str; R], columns: [&str; C], of: [[f64; C]; R]) -> Labelled<f64> {
    Labelled::new(names, columns, |r, c| of[r][c])
}

fn transfers() -> [Transfer; 2] {
    ["motor_angle", "load_angle"].map(|output| drive().transfer(output, "u").expect("a transfer function"))
}

#[test]
fn poles_have_frequencies_and_damping() {
    let system = drive();
    let sampled = system.discretized(0.05).expect("steps");
    for system in [&system, &sampled] {
        let poles = system.poles().expect("poles");
        let wanted = [
            (2.3772451934431906, 0.02938686750074002),
            (2.3772451934431906, 0.02938686750074002),
            (14.571915529337424, 0.00687213772835173),
            (14.571915529337424, 0.00687213772835173),
        ];
        for (pole, (frequency, damping)) in poles.iter().zip(wanted) {
            assert!((pole.frequency() - frequency).abs() < 1e-11 * frequency, "{pole}");
            assert!((pole.damping_ratio() - damping).abs() < 1e-11, "{pole}");
            assert!((pole.time_constant() - 1.0 / (frequency * damping)).abs() < 1e-8, "{pole}");
            assert!(pole.is_stable());
        }
        assert!(poles[0].value.im > 0.0 && poles[1].value.im < 0.0);
    }
    let z = sampled.poles().expect("poles")[2].value;
    assert!((z - Complex { re: 0.7423950551287595, im: 0.6624843654232615 }).norm_sqr() < 1e-26);
    assert_eq!(
        system.poles().expect("poles")[0].to_string(),
        "-0.069860+2.376218i 1/s: 2.377245 rad/s, damping ratio 0.0294"
    );

    let (model, x) = upright();
    let poles = StateSpace::of(&model, &x, [0.0]).expect("a linear system").poles().expect("poles");
    let wanted = [0.0, -0.04545411031026034, 4.621455823182436, -4.670001712872176];
    for (pole, wanted) in poles.iter().zip(wanted) {
        assert!((pole.value.re - wanted).abs() < 1e-12 && pole.value.im == 0.0, "{pole}");
    }
    assert_eq!(poles.iter().map(|pole| pole.is_stable()).collect::<Vec<_>>(), [false, true, false, true]);
}

#[test]
fn a_zero_order_hold_has_the_digits_of_the_reference() {
    let (model, x) = upright();
    let system = StateSpace::of(&model, &x, [0.0]).expect("a linear system").discretized(0.02).expect("steps");
    assert!(off(&system.a, &HELD_A) < 1e-15 && off(&system.b, &HELD_B.map(|b| [b])) < 1e-15);
    let held = drive().discretized(0.05).expect("steps");
    let a = [
        [9.1893031884206666e-01, 7.1247964914960410e-02, 4.8330964661221582e-02, 1.2587167475701850e-03],
        [1.7870937176482393e-01, 8.2096864064753117e-01, 3.1467918689254619e-03, 4.6841878503488643e-02],
        [-3.0976980848275399e+00, 2.7110503675377671e+00, 9.0745675899813050e-01, 7.3055331826652289e-02],
        [6.8122999284363654e+00, -6.8374742633877705e+00, 1.8263832956663065e-01, 8.1641032447193929e-01],
    ];
    let b = [[2.4554290607432363e-03], [8.0496896911221965e-05], [9.6661929322443177e-02], [6.2935837378509238e-03]];
    assert!(off(&held.a, &a) < 1e-13 && off(&held.b, &b) < 1e-13);
    // exponents of about the largest norm that is not halved, and beyond; mpmath at 40 digits
    let held = drive().discretized(0.3).expect("steps");
    let (a, b) = (
        [
            [0.445073987290183304, 0.303219519312994936, 0.168884376727220132, 0.0965721779762187723],
            [0.804948880342425592, -0.0162261044975146941, 0.241430444940546931, 0.0378861790446033048],
            [3.00168907898184685, -4.35276409279960791, 0.41419895467327235, 0.300317676584461864],
            [-10.7343433992666956, 8.80289983974232013, 0.750794191461154659, -0.0103575046043531473],
        ],
        [[0.06292662334920544], [0.0528193060387722755], [0.337768753454440265], [0.482860889881093862]],
    );
    assert!(off(&held.a, &a) < 2e-14 * held.a.amax() && off(&held.b, &b) < 2e-14);
    let held = drive().discretized(2.0).expect("steps");
    let (a, b) = (
        [
            [-0.168224727512760286, 0.170310501635557017, -0.268545312679423226, -0.0936354989470337348],
            [0.380151721638583256, -0.355357880631045589, -0.234088747367584337, -0.140024234490948425],
            [4.21575642014571913, -2.06739391871033332, -0.113137402364402085, 0.168932239023083462],
            [-5.08560035264652889, 6.95831033158720358, 0.422330597557708654, -0.35071900707665412],
        ],
        [[0.249478556469300817], [0.243801539748115583], [-0.537090625358846452], [-0.468177494735168674]],
    );
    assert!(off(&held.a, &a) < 2e-14 * held.a.amax() && off(&held.b, &b) < 2e-14);
    // half the step twice, also where it is far beyond the time constants
    for h in [1e-9, 1e-3, 1.0, 100.0] {
        let (once, half) = (drive().discretized(h).expect("steps"), drive().discretized(0.5 * h).expect("steps"));
        assert!((&*once.a - &*half.a * &*half.a).amax() < 1e-11, "{h}");
        assert!((&*once.b - (&*half.a * &*half.b + &*half.b)).amax() < 1e-11, "{h}");
    }
}

#[test]
fn frequency_responses_are_those_of_the_reference() {
    let wanted = [
        (0.5, [(0.26139894554406983, -0.0034170561549228675), (0.26183533582033454, -0.0034229064624523763)]),
        (2.5, [(-1.7390474753921125, -1.0129931483433248), (-1.8147346031058137, -1.0569046989187499)]),
        (12.25, [(6.3913129407870834e-6, -0.00027246254452906729), (-0.033323455771104612, 0.00064510402247172932)]),
        (14.0, [(0.028638461518913988, -0.0055102937340272799), (-0.093987269682405016, 0.014236261661353161)]),
        (100.0, [(-0.00020138656514068308, -4.8917064359594512e-7), (3.0660855746443157e-6, 2.1501544199925539e-7)]),
    ];
    let transfers = transfers();
    for (frequency, values) in wanted {
        for (transfer, (re, im)) in transfers.iter().zip(values) {
            let found = transfer.at(frequency).expect("a response");
            assert!((found - Complex { re, im }).norm_sqr().sqrt() < 1e-13, "{frequency}: {found}");
        }
    }
    assert!((transfers[0].gain().expect("a gain") - 0.25).abs() < 1e-14);
    let sampled = drive().discretized(0.05).expect("steps").transfer("load_angle", "u").expect("a transfer function");
    let found = sampled.at(3.0).expect("a response");
    assert!((found - Complex { re: -0.4362380007136898, im: -0.02120383773484341 }).norm_sqr() < 1e-24, "{found}");
}

#[test]
fn a_bode_plot_has_a_continuous_phase() {
    // a phase of −360° and more, from nine frequencies, two of them beside poles of little damping
    let bode = transfers()[1].bode(0.1, 1000.0, 9).expect("a table");
    let magnitudes = [
        -12.025434073794174,
        -11.8823101776718532,
        -10.3126347867949907,
        -9.39106484148437379,
        -30.9651774525262257,
        -68.333553776186569,
        -110.247009178555574,
        -150.24976989201818,
        -188.858673085408471,
    ];
    let phases = [
        -0.143490516855478781,
        -0.461030665115182956,
        -1.73668243494709962,
        -174.25715793683842,
        -179.790969031712261,
        1.92300529410851976 - 360.0,
        4.01141505469468864 - 360.0,
        11.9663697104742205 - 360.0,
        33.7095505732240298 - 360.0,
    ];
    for (name, wanted) in [("magnitude", magnitudes), ("phase", phases)] {
        for (found, wanted) in bode.column(name).expect("a column").zip(wanted) {
            assert!((found - wanted).abs() < 1e-11, "{name}: {found} {wanted}");
        }
    }
    assert_eq!(
        bode.columns().iter().map(|column| column.to_string()).collect::<Vec<_>>(),
        ["frequency [rad/s]", "magnitude [dB]", "phase [deg]",]
    );

    // undamped: a pole falls, a zero rises
    let undamped = Drive { d1: 0.0, c: 0.0, ..Drive::default() };
    let system = StateSpace::of(&undamped, &State::neutral(&undamped), [0.0]).expect("a linear system");
    let phase = |output: &str| {
        let bode = system.transfer(output, "u").expect("a transfer function").bode(0.1, 1000.0, 50).expect("a table");
        bode.column("phase").expect("a column").last().expect("a row")
    };
    assert!((phase("motor_angle") + 180.0).abs() < 1e-6 && (phase("load_angle") + 360.0).abs() < 1e-6);
}

#[test]
fn zeros_are_those_of_the_rest_held_still() {
    let [motor, load] = transfers();
    let zeros = motor.zeros().expect("zeros");
    // j2 s² + c s + k
    let wanted = Complex { re: -0.05, im: (150.0_f64 - 0.05 * 0.05).sqrt() };
    assert!(zeros.len() == 2 && (zeros[0] - wanted).norm_sqr().sqrt() < 1e-11, "{zeros:?}");
    let zeros = load.zeros().expect("zeros");
    assert!(zeros.len() == 1 && (zeros[0] - Complex { re: -1500.0, im: 0.0 }).norm_sqr().sqrt() < 1e-7, "{zeros:?}");
    // an acceleration has two zeros at rest beside those of the angle
    let system = drive();
    let rates = (&*system.c * &*system.a * &*system.a, &*system.c * &*system.a * &*system.b);
    let c = Labelled::new(system.outputs(), system.states(), |r, c| rates.0[(r, c)]);
    let d = Labelled::new(system.outputs(), system.inputs(), |r, c| rates.1[(r, c)]);
    let acceleration = StateSpace::new(system.a, system.b, c, d, None).expect("a system");
    let acceleration = acceleration.transfer("motor_angle", "u").expect("a transfer function");
    let zeros = acceleration.zeros().expect("zeros");
    assert!(zeros.len() == 4 && zeros[1].norm_sqr() < 1e-12 && (zeros[2] - wanted).norm_sqr() < 1e-18, "{zeros:?}");
}

#[test]
fn gramians_are_those_of_the_reference() {
    let controllability = [
        [1.2396968036943818e+00, 1.2734832591125220e+00, 0.0, 5.1515981528118563e-03],
        [1.2734832591125222e+00, 1.3587856960593128e+00, -5.1515981528569097e-03, 0.0],
        [0.0, -5.1515981528449184e-03, 7.8901810405406509e+00, 5.0684834725361387e+00],
        [5.1515981528240332e-03, 0.0, 5.0684834725361361e+00, 1.2795880701833701e+01],
    ];
    let observability = [
        [5.1966448860670136e+00, 2.4627277011616201e-02, 1.2990683033674541e-01, 5.5557763085989795e-02],
        [2.4627277011616568e-02, 2.0562351312949891e+00, -4.9068303367411793e-03, 1.3706011986395258e-03],
        [1.2990683033674255e-01, -4.9068303367384020e-03, 6.4962062493838402e-01, 2.6002119648476879e-01],
        [5.5557763085992563e-02, 1.3706011986368710e-03, 2.6002119648476885e-01, 1.1771449058031848e-01],
    ];
    let of_steps = [
        [6.1902852209630155e-02, 6.3621002343686742e-02, 2.0955397869417081e-05, 2.4625571250769251e-04],
        [6.3621002343686742e-02, 6.7806991517968124e-02, -2.4653213697983567e-04, 1.4150947719138448e-08],
        [2.0955397866614361e-05, -2.4653213698480760e-04, 3.9211876011012003e-01, 2.5774962326222278e-01],
        [2.4625571250255990e-04, 1.4150947381694149e-08, 2.5774962326222345e-01, 6.2792287669224711e-01],
    ];
    let system = drive();
    assert!(off(&system.controllability_gramian().expect("a gramian"), &controllability) < 1e-11);
    assert!(off(&system.observability_gramian().expect("a gramian"), &observability) < 1e-11);
    let sampled = system.discretized(0.05).expect("steps");
    assert!(off(&sampled.controllability_gramian().expect("a gramian"), &of_steps) < 1e-11);
    let (model, x) = upright();
    let error = StateSpace::of(&model, &x, [0.0]).expect("a linear system").controllability_gramian();
    assert!(matches!(error, Err(SystemError::Unstable { .. })), "{error:?}");
}

#[test]
fn a_loop_closed_by_a_gain_has_its_poles() {
    // the gain of the continuous regulator of the reference, and the poles that it gives
    let (model, x) = upright();
    let system = StateSpace::of(&model, &x, [0.0]).expect("a linear system");
    let gain = DMatrix::from_row_slice(1, 4, &[-10.0, 72.3875371319888867, -11.6939502198218746, 14.7249886744716349]);
    let closed = system.closed(&gain).expect("a loop");
    let poles = closed.poles().expect("poles");
    let wanted = [(-1.33382100272123, 1.0237435456190753), (-7.591192561839468, 3.431153469466268)];
    for (pole, (re, im)) in poles.iter().step_by(2).zip(wanted) {
        assert!((pole.value.re - re).abs() < 1e-11 && (pole.value.im - im).abs() < 1e-11, "{pole}");
    }
    // the acceleration reads u = −K x + r
    let push = |column: &str| closed.c.at("push", column).expect("an entry");
    assert!((push("th") - (0.981 - 1.5 * 72.3875371319888867)).abs() < 1e-12 && push("x") == 15.0);
    assert_eq!(closed.d, system.d);
}

#[test]
fn systems_in_series_multiply() {
    let lag = StateSpace::of_states(matrix(["lag"], ["lag"], [[-7.0]]), matrix(["lag"], ["u"], [[7.0]]), None)
        .expect("a lag");
    let both = lag.then(&drive()).expect("a series");
    assert_eq!(both.states(), ["lag", "a", "b", "der(a)", "der(b)"]);
    let response =
        |system: &StateSpace, output| system.transfer(output, "u").expect("one").at(3.0).expect("a response");
    let product = response(&lag, "lag") * response(&drive(), "load_angle");
    assert!((response(&both, "load_angle") - product).norm_sqr() < 1e-28);

    let error = drive().then(&drive()).expect_err("two outputs, one input").to_string();
    assert_eq!(error, "B of the next system is 4 × 1, where this system needs 4 × 2");
    let sampled = drive().discretized(0.1).expect("steps");
    let error = lag.then(&sampled).expect_err("steps").to_string();
    assert_eq!(error, "the first system is continuous and the second has steps of 0.1 s");
}

model! {
    /// Two equal carts between springs, pushed apart, with a lag that nothing reads and one that nothing drives.
    pub struct Twins {
        param k: Real = 3.0;
        param m: Real = 1.0;
        coord x, y: Real;
        state heard: Real;
        state alone: Real;
        input u: Real;
        kinetic = 0.5 * m * (sq(der(x)) + sq(der(y)));
        potential = 0.5 * k * (sq(x) + sq(y) + sq(x - y));
        dissipation = 0.1 * (sq(der(x)) + sq(der(y)));
        force apart on x = u + alone;
        force other on y = -u + alone;
        der(heard) = x - 2.0 * heard;
        der(alone) = 0.4 * alone;
        output gap = x - y;
    }
}

#[test]
fn hidden_modes_are_named() {
    let model = Twins::default();
    let system = StateSpace::of(&model, &State::neutral(&model), [0.0]).expect("a linear system");
    // inputs do not reach x + y, which oscillates at √k, nor the state that grows by itself
    let reach = system.controllability().expect("a rank");
    assert_eq!((reach.rank, reach.order, reach.is_full()), (3, 6, false));
    let growing = reach.hidden.iter().find(|mode| mode.pole.value.im == 0.0).expect("a mode");
    assert!((growing.pole.value.re - 0.4).abs() < 1e-10);
    assert_eq!(growing.states, ["alone"]);
    assert_eq!(reach.lasting().collect::<Vec<_>>(), [growing]);
    let sum = reach.hidden.iter().find(|mode| mode.pole.value.im > 0.0).expect("a mode");
    assert!((sum.pole.frequency() - 3.0_f64.sqrt()).abs() < 1e-9);
    let mut states = sum.states.clone();
    states.sort();
    assert!(states.iter().all(|name| ["x", "y", "der(x)", "der(y)", "alone"].contains(&name.as_str())), "{states:?}");
    assert!(states.contains(&"x".to_owned()) && states.contains(&"y".to_owned()));

    // the gap shows neither x + y nor what listens or pushes both alike
    let reach = system.observability().expect("a rank");
    assert_eq!(reach.rank, 2);
    let listener = reach.hidden.iter().find(|mode| (mode.pole.value.re + 2.0).abs() < 1e-9).expect("a mode");
    assert_eq!(listener.states, ["heard"]);
    assert!(reach.hidden.iter().all(|mode| !mode.to_string().is_empty()));

    let system = drive();
    assert!(system.controllability().expect("a rank").is_full() && system.observability().expect("a rank").is_full());
}

#[test]
fn scales_do_not_matter() {
    // the upright cart-pole with the cart in nanometres and the torque in kilonewtons
    let (model, x) = upright();
    let system = StateSpace::of(&model, &x, [0.0]).expect("a linear system");
    let scale = [1e9, 1.0, 1e9, 1.0];
    let a = Labelled::new(system.states(), system.states(), |r, c| system.a[(r, c)] * scale[r] / scale[c]);
    let b = Labelled::new(system.states(), system.inputs(), |r, _| system.b[(r, 0)] * scale[r] * 1e3);
    let other = StateSpace::of_states(a, b, None).expect("a system");
    for system in [system, other] {
        assert!(system.controllability().expect("a rank").is_full());
    }
}

#[test]
fn what_has_no_answer_says_so() {
    let system = drive();
    let text = |error: SystemError| error.to_string();
    let error = system.transfer("load", "u").expect_err("a name");
    assert_eq!(text(error), "there is no output `load`; there are `motor_angle`, `load_angle`");
    let error = system.transfer("load_angle", "torque").expect_err("a name");
    assert_eq!(text(error), "there is no input `torque`; there is only `u`");
    assert_eq!(
        text(system.discretized(0.0).expect_err("a step")),
        "the step cannot be 0: it must be positive and finite"
    );
    assert!(matches!(system.discretized(f64::NAN), Err(SystemError::Step { .. })));
    let sampled = system.discretized(0.1).expect("steps");
    assert_eq!(
        text(sampled.discretized(0.1).expect_err("twice")),
        "the system has steps of 0.1 s already: ask the continuous system"
    );
    let (model, x) = upright();
    let unstable = StateSpace::of(&model, &x, [0.0]).expect("a linear system");
    let error = text(unstable.discretized(1e4).expect_err("e^46214"));
    assert!(error.ends_with("is not finite"), "{error}");
    assert_eq!(
        text(system.closed(&DMatrix::zeros(2, 4)).expect_err("a gain")),
        "K is 2 × 4, where this system needs 1 × 4"
    );
    assert!(matches!(
        system.closed(&DMatrix::from_element(1, 4, f64::NAN)),
        Err(SystemError::NonFinite { matrix: "A", .. })
    ));

    let transfer = system.transfer("load_angle", "u").expect("a transfer function");
    assert!(matches!(transfer.at(f64::INFINITY), Err(SystemError::Frequency { .. })));
    for (from, to) in [(0.0, 1.0), (-1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        assert!(matches!(transfer.bode(from, to, 5), Err(SystemError::Frequency { .. })), "{from} {to}");
    }
    assert_eq!(transfer.bode(1.0, 2.0, 0).expect("nothing").len(), 0);
    assert_eq!(transfer.bode(1.0, 2.0, 1).expect("a row").len(), 1);
    let integrator =
        StateSpace::of_states(matrix(["x"], ["x"], [[0.0]]), matrix(["x"], ["u"], [[1.0]]), None).expect("a system");
    let error = integrator.transfer("x", "u").expect("a transfer function").gain().expect_err("an integrator");
    assert_eq!(text(error), "the response at 0 rad/s is infinite: an undamped pole is there");
    let idle =
        StateSpace::of_states(matrix(["x"], ["x"], [[-1.0]]), matrix(["x"], ["u"], [[0.0]]), None).expect("a system");
    assert_eq!(idle.transfer("x", "u").expect("one").zeros(), Err(SystemError::Idle));
    assert_eq!(idle.controllability().expect("a rank").rank, 0);

    // matrices that do not fit, or are not finite
    let broken = StateSpace::of_states(matrix(["x"], ["x"], [[f64::NAN]]), matrix(["x"], ["u"], [[1.0]]), None);
    let error = broken.expect_err("NaN");
    assert_eq!(text(error), "the entry of A in row `x` and column `x` is not finite");
    let mut bent = system.clone();
    bent.b = matrix(["x"], ["u"], [[1.0]]);
    assert!(matches!(bent.poles(), Err(SystemError::Misfit(Misfit { matrix: "B", .. }))));
    let mut backwards = integrator.clone();
    backwards.step = Some(-1.0);
    assert!(matches!(backwards.poles(), Err(SystemError::Step { .. })));

    // nothing at all
    let none: [&str; 0] = [];
    let nothing =
        StateSpace::of_states(Labelled::new(none, none, |_, _| 0.0), Labelled::new(none, ["u"], |_, _| 0.0), None);
    let nothing = nothing.expect("a system");
    assert!(nothing.poles().expect("poles").is_empty() && nothing.controllability().expect("a rank").is_full());
    assert_eq!(nothing.discretized(0.1).expect("steps").b.shape(), (0, 1));
    assert!(nothing.observability_gramian().expect("a gramian").is_empty());
}

/// Numbers at the ends of their range have an answer, if only that there is none.
#[test]
fn no_number_is_too_large_or_small() {
    for (big, small) in [(1e300, 1e-300), (1.7e308, 5e-324), (1e160, 1.0), (1.0, 1e-200), (1e-300, 1e-310)] {
        for sign in [-1.0, 1.0] {
            let a = matrix(
                ["x", "v", "z"],
                ["x", "v", "z"],
                [[0.0, big, 0.0], [-big, sign * small, big], [small, 0.0, sign]],
            );
            let b = matrix(["x", "v", "z"], ["u", "w"], [[big, 0.0], [small, big], [0.0, small]]);
            for step in [None, Some(0.1)] {
                let system = StateSpace::of_states(a.clone(), b.clone(), step).expect("matrices that fit");
                let _ =
                    (system.poles(), system.discretized(0.1), system.discretized(1e300), system.discretized(1e-300));
                let _ = (system.controllability(), system.observability());
                let _ = (system.controllability_gramian(), system.observability_gramian());
                let transfer = system.transfer("x", "w").expect("a transfer function");
                let _ = (transfer.at(1.0), transfer.zeros(), transfer.bode(1e-300, 1e300, 7), transfer.gain());
                let _ = system.closed(&DMatrix::from_element(2, 3, big));
            }
        }
    }
}
