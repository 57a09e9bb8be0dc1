//! A model both ways, and points to evaluate it at.

use std::rc::Rc;

use ode_codegen::Compiled;
use ode_codegen::phases::chart::Chart;
use ode_codegen::phases::lower::Call;

use crate::external;
use crate::interpreter::{self, Inputs, Outputs};
use crate::jet::Jet;
use crate::oracle::{Hold, Oracle, Point, Row, Scalars};
use crate::random::Random;

/// A compiled model beside its text.
pub struct Case<'a> {
    /// what the compiler made of it
    pub compiled: &'a Compiled,
    pub(super) oracle: &'a Oracle<'a>,
    pub(super) q: Vec<usize>,
    pub(super) v: Vec<usize>,
    pub(super) z: Vec<usize>,
    pub(super) u: Vec<usize>,
    p: Vec<usize>,
    pub(super) modes: Vec<usize>,
    lambda: Vec<usize>,
    /// rows that are forces, in the compiler's order
    pub(super) rows: Vec<&'a Row>,
    /// rows of algebraic variables, in the compiler's order
    pub(super) laws: Vec<&'a Row>,
}

/// A direction in the compiler's order; q by tangent directions.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) q: Vec<f64>,
    /// spins of points of the sphere, which only increments of steps have
    pub(super) spins: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) z: Vec<f64>,
    pub(super) zdot: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) p: Vec<f64>,
    pub(super) t: f64,
}

impl<'a> Case<'a> {
    /// Pairs names.
    ///
    /// # Errors
    /// The kind of names that differ, and both lists.
    pub fn new(compiled: &'a Compiled, oracle: &'a Oracle<'a>) -> Result<Self, String> {
        let (names, own) = (&compiled.names, &oracle.names);
        let forces: Vec<&Row> = oracle.rows().iter().filter(|r| r.hold != Hold::Law).collect();
        let laws: Vec<&Row> = oracle.rows().iter().filter(|r| r.hold == Hold::Law).collect();
        let of = |rows: &[&Row]| rows.iter().map(|r| r.name.clone()).collect::<Vec<_>>();
        let lambda = pairs("rows", &names.constraints, &of(&forces))?;
        let ordered = pairs("laws", &compiled.model.flow.laws, &of(&laws))?;
        Ok(Self {
            q: pairs("q", &names.q, &own.q)?,
            v: pairs("v", &names.v, &own.v)?,
            z: pairs("z", &names.z, &own.z)?,
            u: pairs("u", &names.u, &own.u)?,
            p: pairs("p", &names.p, &own.p)?,
            modes: pairs("modes", &names.modes, &own.modes)?,
            rows: lambda.iter().map(|&i| forces[i]).collect(),
            laws: ordered.iter().map(|&i| laws[i]).collect(),
            lambda,
            compiled,
            oracle,
        })
    }

    /// Random inputs of kernels: numbers of both signs, parameters positive, rotations on their spheres.
    pub fn inputs(&self, random: &mut Random) -> Inputs {
        let model = &self.compiled.model;
        let mut list = |n: usize, low: f64, high: f64| -> Vec<f64> {
            (0..n)
                .map(|_| {
                    // away from zero, where lengths and quotients have their kinks, and no two alike, where those of
                    // `max` are
                    let x = 0.1 + 0.9 * random.between(low, high).abs();
                    if low < 0.0 && random.chance(1, 2) { -x } else { x }
                })
                .collect()
        };
        let (nq, nv, nz, nc) = (model.nq(), model.nv(), model.nz(), model.nc());
        let mut q = list(nq, -1.3, 1.3);
        for block in model.blocks().iter().filter(|b| b.chart != Chart::Line) {
            let size = q[block.positions()].iter().map(|x| x * x).sum::<f64>().sqrt();
            q[block.positions()].iter_mut().for_each(|x| *x /= size);
        }
        let turning = model.blocks().iter().filter(|b| b.chart.turns()).count();
        let rows = nv + nz + nc;
        let columns = 3 * nv + 2 * nz + nc + model.nu() + model.np();
        let mut zdot = list(nz, -1.3, 1.3);
        zdot[nz - model.na()..].fill(0.0);
        Inputs {
            t: list(1, 0.1, 1.5)[0],
            q,
            v: list(nv, -1.3, 1.3),
            a: list(nv, -1.3, 1.3),
            z: list(nz, -1.3, 1.3),
            zdot,
            modes: list(model.modes(), 0.1, 1.4).into_iter().map(chosen).collect(),
            u: list(model.nu(), -1.3, 1.3),
            lambda: list(nc, -1.3, 1.3),
            weights: list(4, 0.2, 1.5),
            turns: list(9 * turning, -1.0, 1.0),
            adjoint: list(rows, -1.3, 1.3),
            covector: list(rows + 2 * nc, -1.3, 1.3),
            direction: list(columns, -1.0, 1.0),
            vector: list(3 * nv + nz + nc + model.nu() + 1, -1.0, 1.0),
            p: list(model.np(), 0.5, 1.6),
            ..Inputs::default()
        }
    }

    /// What a call gives.
    pub fn run(&self, call: Call, inputs: &Inputs) -> Outputs {
        let externals = &self.compiled.model.externals;
        interpreter::call(&self.compiled.program, call, inputs, &|partial, x| external::value(externals, partial, x))
    }

    /// The point of the oracle at the same numbers.
    pub(super) fn point(&self, at: &Inputs) -> Point {
        let numbers = Scalars {
            t: Rc::new(vec![Jet::of(at.t)]),
            q: spread(&at.q, &self.q),
            v: spread(&at.v, &self.v),
            a: spread(&at.a, &self.v),
            z: spread(&at.z, &self.z),
            zdot: spread(&at.zdot, &self.z),
            modes: spread(&at.modes, &self.modes),
            u: spread(&at.u, &self.u),
            p: spread(&at.p, &self.p),
            lambda: spread(&at.lambda, &self.lambda),
        };
        Point::new(numbers, self.oracle.places.clone())
    }

    /// A point moved along a direction.
    pub(super) fn step(&self, at: &Point, step: &Step) -> Point {
        let q = match step.q.is_empty() {
            true => Rc::default(),
            false => Rc::new(at.rates_at(&at.at.q, &spread(&step.q, &self.v), &self.spins(&step.spins))),
        };
        at.along(&Scalars {
            t: if step.t == 0.0 { Rc::default() } else { Rc::new(vec![Jet::of(step.t)]) },
            q,
            v: spread(&step.v, &self.v),
            a: spread(&step.a, &self.v),
            z: spread(&step.z, &self.z),
            zdot: spread(&step.zdot, &self.z),
            modes: Rc::default(),
            u: spread(&step.u, &self.u),
            p: spread(&step.p, &self.p),
            lambda: spread(&step.lambda, &self.lambda),
        })
    }

    /// Spins in the oracle's order.
    fn spins(&self, spins: &[f64]) -> Vec<Jet> {
        let spheres = self.compiled.model.blocks().into_iter().filter(|b| b.chart == Chart::Direction);
        let mut own: Vec<(usize, f64)> = spheres.zip(spins).map(|(b, &spin)| (self.v[b.v], spin)).collect();
        own.sort_by_key(|(place, _)| *place);
        own.into_iter().map(|(_, spin)| Jet::of(spin)).collect()
    }

    /// Numbers by velocities, in the oracle's order.
    pub(super) fn velocities(&self, w: &[f64]) -> Vec<f64> {
        let mut own = vec![0.0; w.len()];
        self.v.iter().zip(w).for_each(|(&i, &x)| own[i] = x);
        own
    }

    /// For each position of the compiler its place among ours.
    pub(super) fn positions(&self) -> &[usize] {
        &self.q
    }

    /// For each parameter of the compiler its place among ours.
    pub(super) fn parameters(&self) -> &[usize] {
        &self.p
    }

    /// The values of the rows ż − g and −F.
    pub(super) fn state_rows(&self, at: &Point) -> Vec<Jet> {
        let rates = self.oracle.rates(at);
        let differential = self.z.len() - self.laws.len();
        let mut rows: Vec<Jet> = (0..differential)
            .map(|i| {
                let place = self.z[i];
                let rate = rates.iter().find(|(z, _)| *z == place).map(|(_, g)| g.clone());
                &at.at.zdot[place] - &rate.unwrap_or_else(|| Jet::of(f64::NAN))
            })
            .collect();
        rows.extend(self.laws.iter().map(|law| -self.oracle.row(law, at)));
        rows
    }

    /// What each row of forces makes zero.
    pub(super) fn law(&self, k: usize, at: &Point) -> Jet {
        let row = self.rows[k];
        if !row.soft {
            return self.oracle.row(row, at);
        }
        self.oracle.strain(row, at) + self.oracle.compliance(row, at) * at.at.lambda[self.lambda[k]].clone()
    }

    /// The first of Lagrange's rows weighed and summed, as many as there are velocities.
    pub(super) fn weighed(&self, at: &Point, w: &[f64]) -> Jet {
        match self.v.len() {
            0 => Jet::of(0.0),
            n => self.oracle.residual(at, &self.velocities(&w[..n])),
        }
    }

    /// Rows r and s weighed and summed.
    pub(super) fn dynamic(&self, at: &Point, w: &[f64]) -> Jet {
        let states = self.state_rows(at);
        let weighed = states.iter().zip(&w[self.v.len()..]).map(|(row, &w)| w * row);
        self.weighed(at, w) + weighed.sum::<Jet>()
    }

    /// All rows (r, s, Φ) weighed and summed.
    pub(super) fn sum(&self, at: &Point, w: &[f64]) -> Jet {
        let first = self.v.len() + self.z.len();
        let laws = w[first..].iter().enumerate().map(|(k, &w)| w * &self.law(k, at));
        self.dynamic(at, w) + laws.sum::<Jet>()
    }
}

/// A mode: one in two is a number that a `match` may name.
fn chosen(mode: f64) -> f64 {
    if ((1000.0 * mode) as u64).is_multiple_of(2) { mode.round() } else { mode }
}

/// eᵢ
pub(super) fn unit(n: usize, i: usize) -> Vec<f64> {
    (0..n).map(|k| f64::from(u8::from(k == i))).collect()
}

/// For each of the compiler's names its place among ours.
fn pairs(what: &str, names: &[String], own: &[String]) -> Result<Vec<usize>, String> {
    let place = |name: &String| own.iter().position(|n| n == name);
    let found: Option<Vec<usize>> = names.iter().map(place).collect();
    found.filter(|_| names.len() == own.len()).ok_or_else(|| format!("{what}: {names:?} are not {own:?}"))
}

/// Numbers of the compiler's order in ours; none for none.
fn spread(values: &[f64], places: &[usize]) -> Rc<Vec<Jet>> {
    if values.is_empty() {
        return Rc::default();
    }
    let mut own = vec![Jet::of(0.0); values.len()];
    places.iter().zip(values).for_each(|(&i, &x)| own[i] = Jet::of(x));
    Rc::new(own)
}
