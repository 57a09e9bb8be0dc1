//! What is refused, by its text.

use ode_control::{Between, Fit, FitError, Log, LogError, Loss};
use ode_model::integrators::DormandPrince8;
use ode_model::model;

use crate::constrained::Points;
use crate::pendulum::{GUESS, Pendulum, log, model};

fn csv(text: &str) -> Result<Log, LogError> {
    Log::read_csv(text.as_bytes(), "time", &["angle"])
}

#[test]
fn logs_are_refused_by_name_and_line() {
    for (text, message) in [
        ("time,angel\n0,1\n", "there is no column `angle`; did you mean `angel`?"),
        ("t,angle\n0,1\n", "there is no column `time`; there are `t`, `angle`"),
        (
            "time,angle\n0,1\n\n0.2,1\n0.1,2\n",
            "line 5: time 0.1 is not later than 0.2 before it; sort the rows, and keep one each",
        ),
        ("time,angle\n0,1\n0,2\n", "line 3: time 0 is not later than 0 before it; sort the rows, and keep one each"),
        ("time,angle\n0,1\n0.1,1°\n", "line 3: `1°` in column `angle` is no number; leave a missing value empty"),
        ("time,angle\n0,1\nNaN,2\n", "line 3: there is no time in column `time`"),
        ("time,angle\n0,1\n,2\n", "line 3: there is no time in column `time`"),
        ("time,angle\n0,1\n1,inf\n", "line 3: column `angle` is infinite; leave a missing value empty"),
        ("time,angle\n", "the log has no rows"),
        ("time,angle,angle\n0,1,2\n", "two columns are named `angle`"),
        ("time,angle,time\n0,1,2\n", "two columns are named `time`"),
        ("", "there is no column `time`; there is none at all"),
    ] {
        assert_eq!(csv(text).expect_err(text).to_string(), message, "{text}");
    }
    let ragged = csv("time,angle\n0,1\n1\n").expect_err("a short line").to_string();
    assert!(ragged.starts_with("the log cannot be read: ") && ragged.contains("line: 3"), "{ragged}");
    let absent = Log::open_csv("no/such.csv", "t", &[]).expect_err("no file").to_string();
    assert!(absent.starts_with("the log cannot be read: no/such.csv: "), "{absent}");
    let short = Log::new(&[0.0, 1.0]).and_then(|log| log.with("angle", &[0.0]));
    assert_eq!(short.expect_err("one value").to_string(), "column `angle` has 1 values for 2 times");
    let again = Log::new(&[0.0]).and_then(|log| log.with("a", &[1.0])).and_then(|log| log.with("a", &[2.0]));
    assert_eq!(again.expect_err("twice").to_string(), "two columns are named `a`");
    let pair = Log::new(&[0.0]).and_then(|log| log.with("a", &[1.0])).and_then(|log| log.with("b", &[2.0]));
    let renamed = pair.and_then(|log| log.renamed("b", "a"));
    assert_eq!(renamed.expect_err("twice").to_string(), "two columns are named `a`");
    let late = Log::new(&[0.0, f64::NAN]).expect_err("no time").to_string();
    assert_eq!(late, "row 2: there is no time in column `t`");
    assert!(csv("time,angle\n0,\n1,NaN\n2,0.5\n").expect("a log").column("angle").expect("a column")[0].is_nan());
}

type Asked<'a> = Fit<'a, Pendulum, DormandPrince8>;

/// The message of a fit of the pendulum, to which something is added.
fn refused(ask: impl for<'a> FnOnce(Asked<'a>) -> Asked<'a>) -> String {
    let (model, log) = (model(GUESS), log(GUESS));
    ask(Fit::of(&model).log(&log)).solve().expect_err("refused").to_string()
}

fn bounds(fit: Asked<'_>) -> Asked<'_> {
    fit.measured("angle", 0.1).parameter("c").between("c", 0.0, 1.0)
}

#[test]
fn fits_are_refused_by_name() {
    let angle = |fit: Asked<'_>| -> String { format!("{:?}", fit) };
    assert!(angle(Fit::of(&Pendulum::default())).starts_with("Fit { logs: 0"));
    assert_eq!(refused(|fit| fit.parameter("l")), "the fit has no measured output");
    assert_eq!(refused(|fit| fit.measured("angle", 0.1)), "the fit has no unknown");
    assert_eq!(refused(|fit| bounds(fit).between("c", 0.0, 2.0)), "`c` is named twice");
    for tolerance in [1.0, -1e-6, f64::NAN] {
        let message = refused(|fit| bounds(fit).tolerance(tolerance));
        assert!(message.ends_with("it is a share, less than 1, as 1e-12"), "{message}");
    }
    for knee in [1e-200, 1e200, f64::NAN] {
        for loss in [Loss::Huber(knee), Loss::SoftL1(knee), Loss::Cauchy(knee)] {
            assert!(refused(|fit| bounds(fit).loss(loss)).starts_with("the knee of `loss` is"), "{loss:?}");
        }
    }
    let (model, log) = (model(GUESS), log(GUESS).beginning_with("th", 1.0));
    let twice = bounds(Fit::of(&model).log(&log)).solve().expect_err("refused").to_string();
    assert_eq!(twice, "`th` is named twice");
    assert_eq!(
        refused(|fit| fit.measured("angel", 0.1).parameter("l")),
        "there is no output or state `angel`; did you mean `angle`?"
    );
    assert_eq!(
        refused(|fit| fit.measured("th", 0.1).parameter("l")),
        "there is no column of the log `th`; there is only `angle`"
    );
    assert_eq!(
        refused(|fit| fit.measured("angle", 0.1).parameter("length")),
        "there is no parameter `length`; there are `m`, `l`, `c`, `g`"
    );
    assert_eq!(
        refused(|fit| fit.measured("angle", 0.1).start_of("thh")),
        "there is no entry of the start `thh`; did you mean `th`?"
    );
    assert_eq!(
        refused(|fit| fit.measured("angle", 0.1).offset("rate")),
        "there is no measured output `rate`; there is only `angle`"
    );
    assert_eq!(refused(|fit| fit.measured("angle", 0.1).parameter("l").parameter("l")), "`l` is named twice");
    assert_eq!(
        refused(|fit| fit.measured("angle", -0.1).parameter("l")),
        "the standard deviation of `angle` is -1e-1; it must be positive and finite"
    );
    assert_eq!(
        refused(|fit| fit.measured("angle", 0.1).parameter("l").between("l", 2.0, 3.0)),
        "`l` begins at 1, which is not between its bounds, 2 and 3"
    );
    assert_eq!(
        refused(|fit| fit.measured("angle", 0.1).parameter("l").between("c", 0.0, 1.0)),
        "there is no unknown of the fit `c`; there is only `l`"
    );
    assert_eq!(
        refused(|fit| fit.measured("angle", 0.1).parameter("l").inputs(&["f"], Between::Held)),
        "there is no input `f`; there is none at all"
    );
}

model! {
    /// A pendulum that two torques drive, with an output that is no number beyond a length of two.
    pub struct Driven {
        param l: Real = 1.0;
        coord th: Real;
        input u: Real;
        input w: Real;
        kinetic = 0.5 * sq(l * der(th));
        potential = -9.81 * l * cos(th);
        force motor on th = u + w;
        output root = sqrt(2.0 - l) + th;
        output angle = th;
        require l > 0.0;
    }
}

#[test]
fn runs_and_inputs_are_refused_where_they_fail() {
    let model = Driven::default();
    let text = "time,angle,root,u,w\n0,0.1,0.2,1,\n0.1,0.1,0.2,1,1\n";
    let log = Log::read_csv(text.as_bytes(), "time", &["angle", "root", "u", "w"]).expect("a log");
    let fit = || Fit::of(&model).log(&log).parameter("l");
    let refused = |fit: Fit<'_, Driven, DormandPrince8>| fit.solve().expect_err("refused").to_string();
    assert_eq!(
        refused(fit().measured("angle", 0.1).inputs(&["u", "w"], Between::Held)),
        "log 1, line 2: input `w` has no value; give all inputs of a row or none, and all in the first row"
    );
    let long = Driven { l: 3.0 };
    let fit_long = Fit::of(&long).log(&log).parameter("l").measured("root", 0.1);
    assert_eq!(refused(fit_long), "`root`, or what it changes by, is not finite at t = 0");
    // √0 has an infinite slope
    let steep = Driven { l: 2.0 };
    let fit_steep = Fit::of(&steep).log(&log).parameter("l").measured("root", 0.1);
    assert_eq!(refused(fit_steep), "`root`, or what it changes by, is not finite at t = 0");
    let late = log.clone().beginning_at(0.05);
    let fit = Fit::of(&model).log(&late).parameter("l").measured("angle", 0.1);
    assert_eq!(refused(fit), "log 1 begins at 0.05, after its first time 0; let it begin earlier");
    let one = Log::read_csv("time,angle\n0,1\n".as_bytes(), "time", &["angle"]).expect("a log");
    let fit = Fit::of(&model).log(&one).measured("angle", 0.1).parameter("l").start_of("th");
    assert_eq!(refused(fit), "1 measurements do not determine 2 unknowns; ask for fewer");
    let wrong = Driven { l: -1.0 };
    let fit = Fit::of(&wrong).log(&one).measured("angle", 0.1).parameter("l");
    assert!(refused(fit).contains("param l = -1"));
}

/// Lengths below zero are no model: a step that goes there is too long, and the fit goes on.
#[test]
fn a_step_into_what_is_no_model_is_made_shorter() {
    let truth = Driven { l: 0.05 };
    let times: Vec<f64> = (0..20).map(|k| 0.01 * f64::from(k)).collect();
    let exact: Vec<f64> = {
        let mut run = ode_model::Simulation::of(&truth, DormandPrince8)
            .given({
                let mut x = ode_model::State::neutral(&truth);
                x.q.as_mut()[0] = 0.5;
                x
            })
            .adaptive(1e-12)
            .expect("a run");
        let angle = |&t: &f64| {
            run.advance_to(t).expect("no failure");
            run.state().q.th()
        };
        times.iter().map(angle).collect()
    };
    let log = Log::new(&times).and_then(|log| log.with("angle", &exact)).expect("a log").beginning_with("th", 0.5);
    let model = Driven { l: 2.0 };
    let fit = Fit::of(&model).log(&log).measured("angle", 0.01).parameter("l");
    let fitted = fit.solve().expect("a fit");
    assert!((fitted.model.l - 0.05).abs() < 1e-7, "{fitted}{}", fitted.history);
    assert!(fitted.residual_evaluations > fitted.jacobian_evaluations);
}

#[test]
fn starts_that_constraints_do_not_determine_are_refused() {
    let model = Points::default();
    let plain = Log::read_csv("time,angle\n0,0.1\n1,0.1\n2,0.3\n".as_bytes(), "time", &["angle"]).expect("a log");
    let refused = |log: &Log, starts: &[&str]| {
        let fit = Fit::of(&model).log(log).measured("angle", 0.1);
        let fit = starts.iter().fold(fit, |fit, name| fit.start_of(name));
        fit.solve().expect_err("refused")
    };
    let error = refused(&plain, &["r.x"]);
    assert!(matches!(error, FitError::FreeStart { .. }));
    assert_eq!(
        error.to_string(),
        "the constraints leave the start of `der(r.x)` free: fit it, or give it with `Log::beginning_with`"
    );
    assert_eq!(
        refused(&plain, &["r.x", "r.y", "der(r.x)"]).to_string(),
        "the constraints determine the start of `r.y` by the others that are fitted or given"
    );
    assert_eq!(
        refused(&plain, &["r.y", "r.x", "der(r.x)"]).to_string(),
        "the constraints determine the start of `r.x` by the others that are fitted or given"
    );
    let nowhere = plain.clone().beginning_with("r.x", f64::NAN);
    assert_eq!(
        refused(&nowhere, &["r.x", "der(r.x)"]).to_string(),
        "the run of log 1 fails at the guess: coordinate `r.x` is not finite"
    );
    let far = plain.clone().beginning_with("r.x", 3.0);
    assert_eq!(
        refused(&far, &["r.x", "der(r.x)"]).to_string(),
        "no start satisfies constraint `rod` with the values that are fitted or given"
    );
}

/// A number that stands for a missing value, or a tiny deviation, makes no cost of infinity, which has no gradient.
#[test]
fn measurements_too_large_to_be_squared_are_refused() {
    let model = model(GUESS);
    let log = |value: &str| csv(&format!("time,angle\n0,0.1\n1,{value}\n2,0.1\n")).expect("a log");
    let refused = |log: &Log, deviation: f64| {
        let fit = Fit::of(&model).log(log).measured("angle", deviation).parameter("l");
        fit.solve().expect_err("refused").to_string()
    };
    let said = "log 1, line 3: `angle` is 1e200, 1e100 standard deviations or more; leave a missing value empty";
    assert_eq!(refused(&log("1e200"), 0.1), said);
    assert!(refused(&log("-0.2"), 1e-160).starts_with("log 1, line 2: `angle` is 1e-1, "));
}

/// Whether a start satisfies constraints depends on the size of the mechanism.
#[test]
fn a_small_mechanism_is_no_less_exact() {
    let model = Points { l: 1e-5, c: 1e-13, ..Points::default() };
    let plain = Log::read_csv("time,angle\n0,0.6\n1e-3,0.6\n2e-3,0.5\n".as_bytes(), "time", &["angle"]).expect("a log");
    let end = |x: f64| {
        let log = plain.clone().beginning_with("r.x", x).beginning_with("der(r.x)", 0.0);
        Fit::of(&model).log(&log).measured("angle", 0.1).parameter("c").evaluations(1).solve()
    };
    // a millionth longer than the rod
    assert!(matches!(end(1.000001e-5), Err(FitError::NoStart { .. })), "{:?}", end(1.000001e-5));
    assert!(end(0.6e-5).is_ok(), "{:?}", end(0.6e-5));
}
