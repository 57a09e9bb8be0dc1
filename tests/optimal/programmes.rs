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

    // a point is evaluated once for all that is asked of it there
    let seen = |nlp: &mut Nlp<'_, T, N, U>, w: &[f64]| {
        let (mut gradient, mut rows, mut by_rows) = (vec![0.0; n], vec![0.0; m], vec![0.0; n]);
        nlp.gradient(w, &mut gradient)?;
        nlp.constraints(w, &mut rows)?;
        for (value, (row, column)) in nlp.jacobian(w)?.iter() {
            by_rows[column] += multipliers[row] * value;
        }
        Ok::<_, PlanError>(Seen { objective: nlp.objective(w)?, gradient, rows, by_rows })
    };
    let first = seen(&mut nlp, &at)?.gradient;
    let jacobian = nlp.jacobian(&at)?.clone();
    assert!(jacobian.is_csr() && jacobian.shape() == (m, n));
    let entry = |matrix: &CsMat<f64>, r: usize, c: usize| matrix.get(r, c).copied().unwrap_or(0.0);
    let most = |values: &[f64]| values.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    let scale = most(jacobian.data());
    let mut hessians = Vec::new();
    for factor in [0.0, 1.0, 0.3] {
        let hessian = nlp.hessian(&at, factor, &multipliers)?.clone();
        assert!(hessian.iter().all(|(_, (r, c))| c <= r), "a triangle");
        hessians.push((factor, most(hessian.data()), hessian));
    }
    let step = 1e-5;
    for j in 0..n {
        let mut moved = |by: f64| {
            let mut w = at.clone();
            w[j] += by;
            seen(&mut nlp, &w)
        };
        let (more, less) = (moved(step)?, moved(-step)?);
        let slope = |more: f64, less: f64| (more - less) / (2.0 * step);
        let (names, of_rows) = (nlp.variables(), nlp.rows());
        let name = names[j];
        let found = slope(more.objective, less.objective);
        assert!((found - first[j]).abs() < 1e-7 * most(&first), "{name}: {found} {}", first[j]);
        for i in 0..m {
            let (found, wanted) = (slope(more.rows[i], less.rows[i]), entry(&jacobian, i, j));
            assert!((found - wanted).abs() < 1e-7 * scale, "{} by {name}: {found} {wanted}", of_rows[i]);
        }
        for (factor, second, hessian) in &hessians {
            for i in 0..n {
                let of = |at: &Seen| factor * at.gradient[i] + at.by_rows[i];
                let (found, wanted) = (slope(of(&more), of(&less)), entry(hessian, i.max(j), i.min(j)));
                assert!((found - wanted).abs() < 1e-6 * second, "{name}, {}: {found} {wanted}", names[i]);
            }
        }
    }
    Ok(())
}

/// What a programme says of a point: its objective, what this varies by, its rows, and what rows vary by, weighed.
struct Seen {
    objective: f64,
    gradient: Vec<f64>,
    rows: Vec<f64>,
    by_rows: Vec<f64>,
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
