//! Products with derivatives, and second derivatives, against nested dual numbers through the plain residual.

use super::compare::{Mismatch, cancelled, larger, vector, vector_beside};
use super::point::{Point, Random, random_point};
use crate::model::differentiable::{Differentiable, FromParameters};
use crate::model::layout::Block;
use crate::model::system::{At, Rates, Residual, System};
use crate::numbers::dual::Dual;

/// A number with two directions.
pub(super) type Second = Dual<Dual<f64>>;

/// The number of random points at which all pairs of columns are tested.
pub const PAIR_POINTS: usize = 4;

/// A generated linear function of N numbers at a point, which gives M.
type Linear<S, const N: usize, const M: usize> = fn(&S, At<'_, S>, Rates<'_, S>, &[f64; N]) -> [f64; M];

/// A generated function of a point and weights on the rows.
type Weighted<S, const R: usize, const C: usize, X> = fn(&S, At<'_, S>, Rates<'_, S>, &[f64; R], X) -> [f64; C];

/// The generated products of a model, as far as it has them. Rows are those of r, s and Φ, columns (q, v, z, a, ż, λ,
/// u, p).
pub struct Products<S: System<Real = f64>, const R: usize, const C: usize> {
    /// J d
    pub jvp: Option<Linear<S, C, R>>,
    /// Jᵀ w
    pub vjp: Option<Linear<S, R, C>>,
    /// H d
    pub hvp: Option<Weighted<S, R, C, [f64; C]>>,
    /// a column of H
    pub hessian: Option<Weighted<S, R, C, usize>>,
}

/// Checks the products of `S` at random points against the same model `D` over nested dual numbers.
///
/// # Errors
/// The first entry that differs by more than [`TOLERANCE`](super::TOLERANCE) of its block's largest.
pub fn check_products<S, D, const R: usize, const C: usize>(products: &Products<S, R, C>) -> Result<(), Mismatch>
where
    S: Differentiable<Real = f64> + Default,
    D: FromParameters<Real = Second>,
{
    let (model, mut random) = (S::default(), Random(11));
    let parameters = model.parameter_block();
    for _ in 0..PAIR_POINTS {
        let point = random_point(&model, &mut random);
        let (mut weights, mut direction) = ([0.0; R], [0.0; C]);
        random.fill(&mut weights, 1.0);
        random.fill(&mut direction, 1.0);
        let oracle =
            Oracle::<S, D> { model: &model, parameters: &parameters, point: &point, marker: core::marker::PhantomData };
        oracle.compare(products, &weights, &direction)?;
    }
    Ok(())
}

struct Oracle<'a, S: Differentiable, D> {
    model: &'a S,
    parameters: &'a S::P,
    point: &'a Point<S>,
    marker: core::marker::PhantomData<D>,
}

impl<S, D> Oracle<'_, S, D>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Second>,
{
    fn compare<const R: usize, const C: usize>(
        &self,
        products: &Products<S, R, C>,
        weights: &[f64; R],
        direction: &[f64; C],
    ) -> Result<(), Mismatch> {
        let (model, at, rates) = (self.model, self.point.at(), self.point.rates());
        let (l, d) = (model.layout(), model.derivatives());
        let (mut rows, mut columns) = ([""; R], [""; C]);
        fill(&mut rows, &[l.directions, l.z, l.constraints]);
        fill(&mut columns, &[l.directions, l.v, l.z, l.directions, l.z, l.constraints, l.u, d.parameter_names]);
        let unit = |k: usize| core::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        let weighted = |rows: [Second; R], part: fn(Second) -> f64| -> f64 {
            rows.iter().zip(weights).map(|(row, w)| part(*row) * w).sum()
        };
        let first = |x: Second| x.eps.re;
        let second = |x: Second| x.eps.eps;
        if let Some(jvp) = products.jvp {
            let found: [Second; R] = self.rows(direction, &[0.0; C]);
            vector("J d", &rows, &jvp(model, at, rates, direction), &|i| first(found[i]))?;
        }
        if let Some(vjp) = products.vjp {
            let values = vjp(model, at, rates, weights);
            vector("J^T w", &columns, &values, &|k| weighted(self.rows(&unit(k), &[0.0; C]), first))?;
        }
        if let Some(hvp) = products.hvp {
            let values = hvp(model, at, rates, weights, *direction);
            vector("H d", &columns, &values, &|k| weighted(self.rows(&unit(k), direction), second))?;
        }
        if let Some(hessian) = products.hessian {
            // a column may hold nothing but what is left of terms that cancel
            let columns_of = |column| hessian(model, at, rates, weights, column);
            let largest = (0..C).flat_map(columns_of).fold(0.0, larger);
            for column in 0..C {
                let (values, terms) = (columns_of(column), cancelled(&[largest]));
                vector_beside(terms, "H", &columns, &values, &|k| {
                    weighted(self.rows(&unit(k), &unit(column)), second)
                })?;
            }
        }
        Ok(())
    }

    /// r, s and Φ with their derivatives along two directions.
    fn rows<const R: usize, const C: usize>(&self, one: &[f64; C], other: &[f64; C]) -> [Second; R] {
        let l = self.model.layout();
        let mut seeds = one.iter().zip(other).map(|(a, b)| (*a, *b));
        let mut lift = |from: &[f64], to: &mut [Second]| {
            for (x, y) in from.iter().zip(to) {
                let (a, b) = seeds.next().unwrap_or((0.0, 0.0));
                *y = Dual::new(Dual::new(*x, b), Dual::new(a, 0.0));
            }
        };
        let still = |from: &[f64], to: &mut [Second]| {
            for (x, y) in from.iter().zip(to) {
                *y = Dual::constant(Dual::constant(*x));
            }
        };
        let (nv, point) = (l.v.len(), self.point);
        let zeros: S::V = Block::zeros(nv);
        let mut p: D::P = Block::zeros(self.parameters.as_ref().len());
        let mut at = Point::<D> {
            t: Dual::constant(Dual::constant(point.t)),
            base: Block::zeros(l.q.len()),
            step: Block::zeros(nv),
            q: Block::zeros(l.q.len()),
            v: Block::zeros(nv),
            z: Block::zeros(l.z.len()),
            u: Block::zeros(l.u.len()),
            a: Block::zeros(nv),
            zdot: Block::zeros(l.z.len()),
            lambda: Block::zeros(l.constraints.len()),
            modes: Block::zeros(l.modes.len()),
        };
        still(point.q.as_ref(), at.base.as_mut());
        still(point.modes.as_ref(), at.modes.as_mut());
        lift(zeros.as_ref(), at.step.as_mut());
        lift(point.v.as_ref(), at.v.as_mut());
        lift(point.z.as_ref(), at.z.as_mut());
        lift(point.a.as_ref(), at.a.as_mut());
        lift(point.zdot.as_ref(), at.zdot.as_mut());
        lift(point.lambda.as_ref(), at.lambda.as_mut());
        lift(point.u.as_ref(), at.u.as_mut());
        lift(self.parameters.as_ref(), p.as_mut());
        let model = D::from_parameters(&p);
        // q ⊕ δ at δ = 0
        model.retract(&at.base, &at.step, &mut at.q);
        let mut residual = Residual::<D>::zeros(&l);
        model.residual(at.at(), at.rates(), &mut residual);
        let mut all = residual.r.as_ref().iter().chain(residual.s.as_ref()).chain(residual.phi.as_ref());
        core::array::from_fn(|_| all.next().copied().unwrap_or_default())
    }
}

/// Names of several groups, one after the other.
fn fill<'a>(names: &mut [&'a str], groups: &[&'a [&'a str]]) {
    for (name, from) in names.iter_mut().zip(groups.iter().flat_map(|g| g.iter())) {
        *name = from;
    }
}
