//! Gramians. Values: SciPy 1.17.

use ode_control::{StateSpace, SystemError};
use ode_model::linalg::{DMatrix, Labelled};

use crate::cart_poles::upright;
use crate::drive::drive;
use crate::upright::off;

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

/// Of modes of their own, Wₖₖ = bₖ²/(1 − aₖ²) of steps and −bₖ²/(2 aₖ), in any units.
#[test]
fn each_entry_of_a_gramian_has_its_digits() {
    for (a, step) in [([0.5, 1.0 - 1e-6], Some(0.1)), ([-5.0, -0.01], None)] {
        for unit in [1.0, 1e-3, 1e-9, 1e-100] {
            let b = [1.0, unit];
            let names = ["x", "y"];
            let a_named = Labelled::new(names, names, |r, c| if r == c { a[r] } else { 0.0 });
            let b_named = Labelled::new(names, names, |r, c| if r == c { b[r] } else { 0.0 });
            let system = StateSpace::of_states(a_named, b_named, step).expect("matrices that fit");
            let w = system.controllability_gramian().expect("a gramian");
            for k in 0..2 {
                let wanted =
                    if step.is_some() { b[k] * b[k] / (1.0 - a[k] * a[k]) } else { -b[k] * b[k] / (2.0 * a[k]) };
                assert!((w[(k, k)] - wanted).abs() < 1e-9 * wanted, "{step:?} {unit}: {w}");
            }
        }
    }
}

#[test]
fn gramians_do_not_depend_on_units() {
    let system = drive();
    let scale = [1e6, 1.0, 1e-9, 1e3];
    let (states, a, b) = (system.states(), &system.a, &system.b);
    let scaled = StateSpace::of_states(
        Labelled::new(states, states, |r, c| a[(r, c)] * scale[r] / scale[c]),
        Labelled::new(states, system.inputs(), |r, c| b[(r, c)] * scale[r]),
        None,
    );
    let scaled = scaled.expect("matrices that fit").controllability_gramian().expect("a gramian");
    let w = system.controllability_gramian().expect("a gramian");
    let back = DMatrix::from_fn(4, 4, |r, c| scaled[(r, c)] / scale[r] / scale[c]);
    assert!((&back - &*w).amax() < 1e-11 * w.amax(), "{back}{w}");
}
