//! What data do not tell, by name.

use ode_control::{Doubt, Fit, Log};

use crate::pendulum::{GUESS, Pendulum, SIGMA, log};

#[test]
fn mass_cannot_be_told_from_damping() {
    let (model, log) = (Pendulum { m: 1.2, ..Pendulum::default() }, log(GUESS));
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).parameter("m").parameter("l").parameter("c");
    let fitted = fit.start_of("th").start_of("der(th)").solve().expect("a fit");
    assert!(fitted.ending.converged(), "{fitted}");
    let [Doubt::Confounded { names }] = &fitted.doubts[..] else { panic!("{fitted}") };
    assert!(names.len() == 2 && names.contains(&"m".to_owned()) && names.contains(&"c".to_owned()));
    let text = fitted.doubts[0].to_string();
    assert!(text == "`c` cannot be told from `m` by these data" || text == "`m` cannot be told from `c` by these data");
    // their ratio and the others are determined
    assert!((fitted.model.c / fitted.model.m - crate::pendulum::ESTIMATE[1]).abs() < 1e-7, "{fitted}");
    assert_eq!((fitted.deviation("m"), fitted.deviation("c")), (Ok(None), Ok(None)));
    let deviation = fitted.deviation("l").expect("a name").expect("a deviation");
    assert!((deviation / 0.001201605316850793 - 1.0).abs() < 1e-6, "{deviation}");
    assert!(fitted.to_string().contains(&text));
}

#[test]
fn nothing_depends_on_what_has_no_effect() {
    let times = [0.0, 0.5, 1.0, 1.5];
    let log = Log::new(&times).and_then(|log| log.with("angle", &[0.0; 4])).expect("a log");
    let model = Pendulum::default();
    let fit = Fit::of(&model).log(&log).measured("angle", SIGMA).parameter("l").offset("angle");
    let fitted = fit.solve().expect("a fit");
    assert_eq!(fitted.doubts, [Doubt::Unseen { name: "l".to_owned() }]);
    assert_eq!(fitted.doubts[0].to_string(), "nothing in the data depends on `l`");
    assert_eq!(fitted.deviation("l"), Ok(None));
    assert_eq!(fitted.deviation("offset of angle"), Ok(Some(0.5 * SIGMA)));
}
