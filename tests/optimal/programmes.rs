//! Nonlinear programmes beside differences, and conditions of an optimum at plans.

use ode_model::control::{Nlp, NlpEntry, OptimalControl, Plan, PlanError, Transcription};
use sprs::CsMat;

/// The programme's derivatives beside central differences of what they are derivatives of.
///
/// # Errors
/// What is wrong with the problem.
///
/// # Panics
/// A derivative that differs.
pub fn differences<T: Transcription<N, U>, const N: usize, const U: usize>(
    problem: &OptimalControl<'_, T::System>,
    transcription: T,
) -> Result<(), PlanError> {
    let mut nlp = Nlp::<_, N, U>::of(problem, transcription)?;
    let wave = |i: usize| (1.3 * i as f64 + 0.7).sin();
    let at: Vec<f64> = nlp.guess().iter().enumerate().map(|(i, w)| w + 0.03 * wave(i)).collect();
    let (n, m) = (nlp.variables().len(), nlp.rows().len());
    let multipliers: Vec<f64> = (0..m).map(|i| 2.0 * wave(i + 5)).collect();

    let gradient = |nlp: &mut Nlp<'_, T, N, U>, w: &[f64]| {
        let mut out = vec![0.0; n];
        nlp.gradient(w, &mut out).map(|()| out)
    };
    let rows = |nlp: &mut Nlp<'_, T, N, U>, w: &[f64]| {
        let mut out = vec![0.0; m];
        nlp.constraints(w, &mut out).map(|()| out)
    };
    let slope = |nlp: &mut Nlp<'_, T, N, U>, w: &[f64], factor: f64| {
        let mut out: Vec<f64> = gradient(nlp, w)?.iter().map(|g| factor * g).collect();
        for (value, (row, column)) in nlp.jacobian(w)?.iter() {
            out[column] += multipliers[row] * value;
        }
        Ok::<_, PlanError>(out)
    };
    let first = gradient(&mut nlp, &at)?;
    let jacobian = nlp.jacobian(&at)?.clone();
    assert!(jacobian.is_csr() && jacobian.shape() == (m, n));
    let entry = |matrix: &CsMat<f64>, r: usize, c: usize| matrix.get(r, c).copied().unwrap_or(0.0);
    let most = |values: &[f64]| values.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    let scale = most(jacobian.data());
    let step = 1e-5;
    for factor in [0.0, 1.0, 0.3] {
        let hessian = nlp.hessian(&at, factor, &multipliers)?.clone();
        assert!(hessian.iter().all(|(_, (r, c))| c <= r), "a triangle");
        let second = most(hessian.data());
        for j in 0..n {
            let moved = |sign: f64| {
                let mut w = at.clone();
                w[j] += sign * step;
                w
            };
            let (more, less) = (moved(1.0), moved(-1.0));
            let name = nlp.variables()[j];
            let found = (nlp.objective(&more)? - nlp.objective(&less)?) / (2.0 * step);
            assert!((found - first[j]).abs() < 1e-7 * most(&first), "{name}: {found} {}", first[j]);
            let (up, down) = (rows(&mut nlp, &more)?, rows(&mut nlp, &less)?);
            for i in 0..m {
                let (found, wanted) = ((up[i] - down[i]) / (2.0 * step), entry(&jacobian, i, j));
                assert!((found - wanted).abs() < 1e-7 * scale, "{} by {name}: {found} {wanted}", nlp.rows()[i]);
            }
            let (up, down) = (slope(&mut nlp, &more, factor)?, slope(&mut nlp, &less, factor)?);
            for i in 0..n {
                let (found, wanted) = ((up[i] - down[i]) / (2.0 * step), entry(&hessian, i.max(j), i.min(j)));
                let other = nlp.variables()[i];
                assert!((found - wanted).abs() < 1e-6 * second, "{name}, {other}: {found} {wanted}");
            }
        }
    }
    Ok(())
}

/// What is left of the conditions of an optimum: of rows and bounds, and of the slope of the Lagrangian, projected on
/// the bounds; and of signs of multipliers.
///
/// # Errors
/// Numbers of another problem.
pub fn left<T: Transcription<N, U>, const N: usize, const U: usize>(
    nlp: &mut Nlp<'_, T, N, U>,
    plan: &Plan<T::System, N, U>,
) -> Result<f64, PlanError> {
    let (w, y) = (nlp.variables_of(plan)?, nlp.multipliers_of(plan)?);
    let mut slope = vec![0.0; w.len()];
    nlp.gradient(&w, &mut slope)?;
    for (value, (row, column)) in nlp.jacobian(&w)?.iter() {
        slope[column] += y[row] * value;
    }
    let mut rows = vec![0.0; y.len()];
    nlp.constraints(&w, &mut rows)?;
    let size = 1.0 + y.iter().map(|y| y.abs()).sum::<f64>() / y.len() as f64;
    let projected =
        |entry: &NlpEntry, value: f64, slope: f64| (value - (value - slope / size).clamp(entry.low, entry.high)).abs();
    let variables =
        nlp.variables().iter().zip(w.iter().zip(&slope)).map(|(own, (w, slope))| projected(own, *w, *slope));
    // rows are as variables of the slope −y
    let rows = nlp.rows().iter().zip(rows.iter().zip(&y)).map(|(own, (g, y))| projected(own, *g, -y));
    Ok(variables.chain(rows).fold(0.0, f64::max))
}
