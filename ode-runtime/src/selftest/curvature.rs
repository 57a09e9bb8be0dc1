//! What products of the tangent with a vector vary by, against nested dual numbers through the plain residual.

use super::compare::{Mismatch, larger, vector_beside};
use super::point::{Point, Random, random_point};
use super::products::{PAIR_POINTS, Second};
use crate::error::Cause;
use crate::model::differentiable::FromParameters;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::system::Residual;
use crate::numbers::dual::Dual;

/// Checks [`Sensitive::curvature`] of `S`, if it has second derivatives, at random points against the same model `D`
/// over nested dual numbers.
///
/// # Errors
/// The first entry that differs by more than [`TOLERANCE`](super::TOLERANCE) of its block's largest.
pub fn check_curvature<S, D>() -> Result<(), Mismatch>
where
    S: Sensitive<Real = f64> + Default,
    D: FromParameters<Real = Second>,
{
    let (model, mut random) = (S::default(), Random(13));
    let (l, pattern) = (model.layout(), model.partial_patterns().states);
    let mut parameters = model.parameter_block();
    let names = model.derivatives().parameter_names;
    for _ in 0..PAIR_POINTS {
        let point = random_point(&model, &mut random);
        let (mut covector, mut d) = (S::Rows::zeros(pattern.rows), S::Columns::zeros(pattern.cols));
        random.fill(covector.as_mut(), 1.0);
        random.fill(d.as_mut(), 1.0);
        let mut states = S::Columns::zeros(pattern.cols);
        let (at, rates) = (point.at(), point.rates());
        if let Err(Cause::NotDifferentiable { .. }) =
            model.curvature(at, rates, &covector, &d, &mut states, &mut parameters)
        {
            return Ok(());
        }
        let mut partials = S::Partials::zeros(pattern.nnz());
        model.partials(at, rates, &mut partials);
        let terms = partials.as_ref().iter().fold(0.0, |terms, x| larger(terms, *x));
        let oracle = Oracle::<S> { model: &model, point: &point, covector: covector.as_ref(), d: d.as_ref() };
        let mut first = 0;
        for names in [l.directions, l.v, l.directions, l.z, l.constraints, l.u, &["t"]] {
            let own = states.as_ref().get(first..first + names.len()).unwrap_or_default();
            vector_beside(terms, "curvature", names, own, &|k| oracle.along::<D>(Some(first + k), None))?;
            first += names.len();
        }
        vector_beside(terms, "curvature by parameters", names, parameters.as_ref(), &|k| {
            oracle.along::<D>(None, Some(k))
        })?;
    }
    Ok(())
}

struct Oracle<'a, S: Sensitive> {
    model: &'a S,
    point: &'a Point<S>,
    covector: &'a [f64],
    d: &'a [f64],
}

impl<S: Sensitive<Real = f64>> Oracle<'_, S> {
    /// The derivative of wᵀ J d along the unit of a column, or of a parameter: d is followed from where the unit leads.
    fn along<D: FromParameters<Real = Second>>(&self, column: Option<usize>, parameter: Option<usize>) -> f64 {
        let (l, point) = (self.model.layout(), self.point);
        let unit = |own: bool| if own { 1.0 } else { 0.0 };
        let number = |x: f64, own: bool, d: f64| Dual::new(Dual::new(x, unit(own)), Dual::constant(d));
        let mut first = 0;
        let mut lift = |from: &[f64], to: &mut [Second], moves: bool| {
            for (k, (&x, to)) in (first..).zip(from.iter().zip(to)) {
                let d = self.d.get(k).copied().filter(|_| moves).unwrap_or(0.0);
                *to = number(x, column == Some(k), d);
            }
            first += from.len();
        };
        let mut at = Point::<D>::zeros(&l);
        let (zeros, mut ahead) = (S::V::zeros(l.v.len()), D::V::zeros(l.v.len()));
        lift(zeros.as_ref(), at.step.as_mut(), false);
        lift(point.v.as_ref(), at.v.as_mut(), true);
        lift(point.a.as_ref(), at.a.as_mut(), true);
        lift(point.z.as_ref(), at.z.as_mut(), true);
        lift(point.lambda.as_ref(), at.lambda.as_mut(), true);
        lift(point.u.as_ref(), at.u.as_mut(), false);
        lift(&[point.t], core::slice::from_mut(&mut at.t), false);
        let still = |from: &[f64], to: &mut [Second]| {
            from.iter().zip(to).for_each(|(&x, to)| *to = number(x, false, 0.0));
        };
        still(point.zdot.as_ref(), at.zdot.as_mut());
        still(point.modes.as_ref(), at.modes.as_mut());
        still(point.q.as_ref(), at.base.as_mut());
        for (ahead, &d) in ahead.as_mut().iter_mut().zip(self.d) {
            *ahead = number(0.0, false, d);
        }
        let own = self.model.parameter_block();
        let mut p = D::P::zeros(own.as_ref().len());
        for (k, (&x, to)) in own.as_ref().iter().zip(p.as_mut()).enumerate() {
            *to = number(x, parameter == Some(k), 0.0);
        }
        let model = D::from_parameters(&p);
        let mut from = at.base.clone();
        model.retract(&at.base, &at.step, &mut from);
        model.retract(&from, &ahead, &mut at.q);
        let mut residual = Residual::<D>::zeros(&l);
        model.residual(at.at(), at.rates(), &mut residual);
        let Residual { r, s, phi } = &residual;
        product([r.as_ref(), s.as_ref(), phi.as_ref()], self.covector)
    }
}

/// The second derivatives of rows times a covector.
fn product(rows: [&[Second]; 3], covector: &[f64]) -> f64 {
    rows.into_iter().flatten().zip(covector).map(|(row, w)| row.eps.eps * w).sum()
}
