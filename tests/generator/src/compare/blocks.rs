//! Block after block: values, Jacobians by products from both sides, second derivatives.
//!
//! Lagrange's rows are weighed by random numbers and summed: the text gives such a sum by one derivative of its
//! energies, and a row that is wrong is wrong in the sum.

use ode_codegen::phases::chart::Chart;
use ode_codegen::phases::derive::Sparse;
use ode_codegen::phases::lower::Call;

use super::Report;
use super::case::{Case, Step, unit};
use crate::interpreter::Inputs;
use crate::jet::Jet;
use crate::oracle::{Hold, Point};
use crate::random::Random;

pub(super) fn reals(values: &[Jet]) -> Vec<f64> {
    values.iter().map(Jet::real).collect()
}

/// Slopes along the direction a point of plain numbers was moved in.
pub(super) fn slopes(values: &[Jet]) -> Vec<f64> {
    values.iter().map(|x| x.slope(0).real()).collect()
}

/// A d, for the values of a sparse matrix; with the sums of the magnitudes of its terms.
pub(super) fn product(pattern: &Sparse, values: &[f64], d: &[f64]) -> (Vec<f64>, f64) {
    let mut out = vec![0.0; pattern.rows];
    let mut size = 0.0_f64;
    for (&(r, c, _), value) in pattern.entries.iter().zip(values) {
        out[r] += value * d[c];
        size = size.max((value * d[c]).abs());
    }
    (out, size)
}

/// Σ w x, with the largest of its terms.
pub(super) fn weighed(x: &[f64], w: &[f64]) -> (f64, f64) {
    let terms = || x.iter().zip(w).map(|(x, w)| x * w);
    (terms().sum(), terms().fold(0.0, |m, t| m.max(t.abs())))
}

impl Case<'_> {
    /// Compares all kernels at one random point.
    pub fn compare(&self, random: &mut Random, report: &mut Report) {
        let Some((inputs, at)) = (0..20).find_map(|_| self.somewhere(random)) else { return report.undefined += 1 };
        self.energy(&inputs, &at, report);
        self.residual(&inputs, &at, report);
        self.forward(&inputs, report);
        self.constraint(&inputs, &at, report);
        self.tangent(&inputs, &at, report);
        self.sensitivities(&inputs, &at, random, report);
        self.partials(&inputs, &at, random, report);
        self.kinematics(&inputs, &at, random, report);
        self.motions(&inputs, &at, random, report);
        self.read(&inputs, &at, random, report);
        self.beginnings(&inputs, &at, report);
        self.starts(&inputs, report, random);
        self.events(&inputs, &at, report);
        self.changes(&inputs, &at, random, report);
        self.conditions_vary(&inputs, &at, random, report);
        self.products(&inputs, &at, random, report);
        self.solves(&inputs, random, report);
    }

    /// A random point where the energies of the text are numbers.
    pub(super) fn somewhere(&self, random: &mut Random) -> Option<(Inputs, Point)> {
        let inputs = self.inputs(random);
        let at = self.point(&inputs);
        let o = self.oracle;
        [o.kinetic(&at), o.potential(&at), o.dissipation(&at)]
            .iter()
            .all(|e| e.real().is_finite())
            .then_some((inputs, at))
    }

    fn energy(&self, inputs: &Inputs, at: &Point, report: &mut Report) {
        let out = self.run(Call::Energy, inputs);
        let o = self.oracle;
        let wanted = o.energies(at);
        report.block("energy", out.array("energy"), &reals(&wanted), 0.0);
        let powers = o.powers(at);
        let named: Vec<f64> = (self.compiled.model.forces.iter())
            .map(|f| powers.iter().find(|(name, _)| *name == f.name).map_or(f64::NAN, |(_, p)| p.real()))
            .collect();
        report.block("power", out.array("power"), &named, 0.0);
    }

    fn residual(&self, inputs: &Inputs, at: &Point, report: &mut Report) {
        let out = self.run(Call::Residual, inputs);
        let fused = self.run(Call::Tangent, inputs);
        let wanted = self.weighed(at, &inputs.adjoint).real();
        let states = reals(&self.state_rows(at));
        let laws: Vec<f64> = (0..self.rows.len()).map(|k| self.law(k, at).real()).collect();
        for out in [&out, &fused] {
            let (found, size) = weighed(out.array("r"), &inputs.adjoint);
            report.block("residual", &[found], &[wanted], size);
            report.block("state residual", out.array("s"), &states, 0.0);
            report.block("law residual", out.array("phi"), &laws, 0.0);
        }
    }

    /// M, f, g, G and γ, from r by its definition.
    fn forward(&self, inputs: &Inputs, report: &mut Report) {
        let (e, n) = (&self.compiled.equations, self.v.len());
        let out = self.run(Call::Forward, inputs);
        let mut still = inputs.clone();
        let first_order = self.compiled.model.header.options.order == ode_codegen::phases::model::Order::First;
        still.a = vec![0.0; n];
        still.lambda = vec![0.0; self.rows.len()];
        if first_order {
            still.v = vec![0.0; n];
        }
        let free = self.point(&still);
        for (k, row) in self.rows.iter().enumerate().filter(|(_, row)| row.soft) {
            let stiffness = self.oracle.compliance(row, &free).recip();
            still.lambda[k] = -(stiffness * self.oracle.strain(row, &free)).real();
        }
        let at = self.point(&still);
        let w = &inputs.adjoint[..n];
        let (found, size) = weighed(out.array("force"), w);
        report.block("force", &[found], &[-self.weighed(&at, w).real()], size);
        let mass = out.array("mass");
        let direction = &inputs.direction[..n];
        let mut found = vec![0.0; n];
        for (&(r, c, _), &value) in e.dynamics.mass.entries.iter().zip(mass) {
            found[r] += value * direction[c];
            if r != c {
                found[c] += value * direction[r];
            }
        }
        let (found, size) = weighed(&found, w);
        let step = match first_order {
            true => Step { v: direction.to_vec(), ..Step::default() },
            false => Step { a: direction.to_vec(), ..Step::default() },
        };
        let loaded = self.step(&at, &step);
        let wanted = self.weighed(&loaded, w).slope(0).real();
        report.block("mass times direction", &[found], &[wanted], size);
        let rows = self.state_rows(&self.point(inputs));
        let rates: Vec<f64> = rows.iter().zip(&inputs.zdot).map(|(s, zdot)| zdot - s.real()).collect();
        report.block("g", out.array("g"), &rates, 0.0);
        self.jacobian("jacobian", out.array("jacobian"), direction, &at, report);
        let gamma: Vec<f64> = (self.rows.iter())
            .map(|row| {
                if row.soft {
                    return (self.oracle.strain(row, &at) / self.oracle.compliance(row, &at)).real();
                }
                let (moving, depth) = (at.moving(), at.depth);
                match row.hold {
                    _ if first_order => self.oracle.row(row, moving).slope(depth).real(),
                    Hold::Position => self.oracle.row(row, moving.moving()).slope(depth + 1).slope(depth).real(),
                    _ => self.oracle.row(row, moving).slope(depth).real(),
                }
            })
            .collect();
        report.block("gamma", out.array("gamma"), &gamma, 0.0);
    }

    /// G d; rows that yield have none.
    fn jacobian(&self, block: &'static str, found: &[f64], d: &[f64], at: &Point, report: &mut Report) {
        let (found, size) = product(&self.compiled.equations.constraints.jacobian, found, d);
        let displaced = self.step(at, &Step { q: d.to_vec(), ..Step::default() });
        let pushed = self.step(at, &Step { v: d.to_vec(), ..Step::default() });
        let wanted = |row: &&crate::oracle::Row| {
            let moved = if row.hold == Hold::Position { &displaced } else { &pushed };
            if row.soft { 0.0 } else { self.oracle.row(row, moved).slope(0).real() }
        };
        let wanted: Vec<f64> = self.rows.iter().map(wanted).collect();
        report.block(block, &found, &wanted, size);
    }

    fn constraint(&self, inputs: &Inputs, at: &Point, report: &mut Report) {
        let out = self.run(Call::Constraint, inputs);
        let hard = |f: &dyn Fn(&crate::oracle::Row) -> f64| -> Vec<f64> {
            self.rows.iter().map(|row| if row.soft { 0.0 } else { f(row) }).collect()
        };
        let position = |row: &crate::oracle::Row| row.hold == Hold::Position;
        let phi = hard(&|row| if position(row) { self.oracle.row(row, at).real() } else { 0.0 });
        report.block("phi", out.array("phi"), &phi, 0.0);
        let rate = hard(&|row| match row.hold {
            Hold::Position => self.oracle.row_rate(row, at).real(),
            _ => self.oracle.row(row, at).real(),
        });
        report.block("phi rate", out.array("rate"), &rate, 0.0);
        let direction = &inputs.direction[..self.v.len()];
        self.jacobian("constraint jacobian", out.array("jacobian"), direction, at, report);
        let later = self.step(at, &Step { t: 1.0, ..Step::default() });
        let still = self.point(&Inputs { v: vec![0.0; self.v.len()], ..inputs.clone() });
        let by_time = hard(&|row| match row.hold {
            Hold::Position => self.oracle.row(row, &later).slope(0).real(),
            _ => self.oracle.row(row, &still).real(),
        });
        report.block("phi_t", self.run(Call::ConstraintByTime, inputs).array("out"), &by_time, 0.0);
    }

    /// The tangent along a direction: an entry that is wrong, missing or in another place changes the product.
    fn tangent(&self, inputs: &Inputs, at: &Point, report: &mut Report) {
        let pattern = &self.compiled.equations.tangent.matrix;
        let out = self.run(Call::Tangent, inputs);
        let d = &inputs.direction[..pattern.rows];
        let (found, _) = product(pattern, out.array("tangent"), d);
        let (found, size) = weighed(&found, &inputs.adjoint);
        let along = self.step(at, &self.weighted(inputs, d));
        let wanted = self.sum(&along, &inputs.adjoint).slope(0).real();
        report.block("tangent times direction", &[found], &[wanted], size);
        if self.compiled.program.get(Call::TangentAndDrift).is_none() {
            return;
        }
        let fused = self.run(Call::TangentAndDrift, inputs);
        let [drift, rows] = [["drift_r", "drift_s", "drift_phi"], ["r", "s", "phi"]]
            .map(|names| names.map(|name| fused.array(name)).concat());
        report.block("residual beside drift", &rows, &["r", "s", "phi"].map(|name| out.array(name)).concat(), 0.0);
        report.block("tangent beside drift", fused.array("tangent"), out.array("tangent"), 0.0);
        let moved: Vec<f64> = inputs.v.iter().map(|v| inputs.weights[2] * v).collect();
        let (q, spins) = self.turned(&inputs.turns, &moved);
        let wanted = self.sum(&self.step(at, &Step { q, spins, ..Step::default() }), &inputs.adjoint).slope(0).real();
        let (found, size) = weighed(&drift, &inputs.adjoint);
        report.block("drift", &[found], &[wanted], size);
    }

    /// The effect of an increment of a step's unknowns: ρ, ν, π and σ, and T for rotations.
    fn weighted(&self, inputs: &Inputs, d: &[f64]) -> Step {
        let (n, nz) = (self.v.len(), self.z.len());
        let [rho, nu, pi, sigma] = [0, 1, 2, 3].map(|i| inputs.weights[i]);
        let times = |x: &[f64], factor: f64| x.iter().map(|x| factor * x).collect::<Vec<_>>();
        let (velocities, states) = (&d[..n], &d[n..n + nz]);
        let (q, spins) = self.turned(&inputs.turns, &times(velocities, pi));
        Step {
            q,
            spins,
            v: times(velocities, nu),
            a: times(velocities, rho),
            z: times(states, sigma),
            zdot: times(states, rho),
            lambda: d[n + nz..].to_vec(),
            ..Step::default()
        }
    }

    /// Ṁ v, B, P and ∂Φ/∂p.
    fn sensitivities(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        let e = &self.compiled.equations;
        let w = &inputs.adjoint;
        if !e.momenta.rate.is_empty() {
            let out = self.run(Call::MomentumRate, inputs);
            let (found, size) = weighed(out.array("out"), w);
            let motion = self.step(at, &Step { q: inputs.v.clone(), t: 1.0, ..Step::default() });
            let loaded = self.step(&motion, &Step { a: inputs.v.clone(), ..Step::default() });
            let wanted = self.weighed(&loaded, w).slope(1).slope(0).real();
            report.block("momentum rate", &[found], &[wanted], size);
            let [fused, forward, constraint] =
                [Call::Canonical, Call::Forward, Call::Constraint].map(|call| self.run(call, inputs));
            let (parts, size) = weighed(forward.array("force"), w);
            report.block("canonical force", &[weighed(fused.array("force"), w).0], &[parts + wanted], size);
            for (array, from) in [("mass", &forward), ("g", &forward), ("jacobian", &forward), ("phi", &constraint)] {
                report.block("canonical", fused.array(array), from.array(array), 1.0);
            }
        }
        let mut direction = |n: usize| -> Vec<f64> { (0..n).map(|_| random.between(-1.0, 1.0)).collect() };
        let (u, p) = (direction(inputs.u.len()), direction(inputs.p.len()));
        let values = self.run(Call::ForceByInput, inputs);
        let (found, _) = product(&e.sensitivities.inputs, values.array("out"), &u);
        let (found, size) = weighed(&found, w);
        let wanted = self.dynamic(&self.step(at, &Step { u, ..Step::default() }), w).slope(0).real();
        report.block("input jacobian", &[found], &[-wanted], size);
        let values = self.run(Call::ResidualByParameter, inputs);
        let moved = self.step(at, &Step { p: p.clone(), ..Step::default() });
        let (found, _) = product(&e.sensitivities.parameters, values.array("r"), &p);
        let (found, size) = weighed(&found, w);
        report.block("parameter jacobian", &[found], &[self.dynamic(&moved, w).slope(0).real()], size);
        let (found, size) = product(&e.sensitivities.constraint_parameters, values.array("phi"), &p);
        let laws: Vec<Jet> = (0..self.rows.len()).map(|k| self.law(k, &moved)).collect();
        report.block("constraint parameter jacobian", &found, &slopes(&laws), size);
    }

    fn kinematics(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        let (e, n) = (&self.compiled.equations, self.v.len());
        let out = self.run(Call::Algebraic, inputs);
        let laws: Vec<f64> = self.laws.iter().map(|law| self.oracle.row(law, at).real()).collect();
        report.block("algebraic", out.array("values"), &laws, 0.0);
        let (na, nz) = (self.laws.len(), self.z.len());
        for j in 0..na {
            let moved = self.step(at, &Step { z: unit(nz, nz - na + j), ..Step::default() });
            let wanted: Vec<f64> = self.laws.iter().map(|law| self.oracle.row(law, &moved).slope(0).real()).collect();
            let (found, _) = product(&e.states.law_jacobian, out.array("jacobian"), &unit(na, j));
            report.block("algebraic jacobian", &found, &wanted, 0.0);
        }
        if self.compiled.model.blocks().iter().all(|b| b.chart == Chart::Line) {
            return;
        }
        let out = self.run(Call::Kinematics, inputs);
        let d: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let own = |jets: &[Jet]| -> Vec<f64> { self.positions().iter().map(|&i| jets[i].real()).collect() };
        let jets = |x: &[f64]| -> Vec<Jet> { self.velocities(x).iter().map(|&x| Jet::of(x)).collect() };
        let (found, size) = product(&e.kinematics.matrix, out.array("matrix"), &d);
        report.block("kinematics", &found, &own(&at.rates(&jets(&d))), size);
        let moved = self.step(at, &Step { q: d.clone(), ..Step::default() });
        let rates: Vec<Jet> = moved.rates(&jets(&inputs.v)).iter().map(|x| x.slope(0)).collect();
        let (found, size) = product(&e.kinematics.jacobian, out.array("jacobian"), &d);
        report.block("kinematic jacobian", &found, &own(&rates), size);
    }

    /// Outputs, limits, costs and residuals, and their Jacobians along two directions.
    fn read(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        let e = &self.compiled.equations;
        let outputs = |at: &Point| -> Vec<Jet> {
            let values = self.oracle.outputs(at);
            let find = |name: &String| values.iter().find(|(n, _)| n == name).map(|(_, x)| x.clone());
            self.compiled.names.y.iter().map(|name| find(name).unwrap_or_else(|| Jet::of(f64::NAN))).collect()
        };
        report.block("outputs", self.run(Call::Outputs, inputs).array("out"), &reals(&outputs(at)), 0.0);
        let values = self.run(Call::OutputJacobian, inputs);
        for _ in 0..2 {
            let d: Vec<f64> = (0..e.observed.outputs.jacobian.cols).map(|_| random.between(-1.0, 1.0)).collect();
            let (found, size) = product(&e.observed.outputs.jacobian, values.array("out"), &d);
            let moved = self.step(at, &self.everything(inputs, &d));
            report.block("output jacobian", &found, &slopes(&outputs(&moved)), size);
        }
        let found = self.run(Call::Picture, inputs);
        let mut found = found.array("out");
        let shown = self.oracle.picture(at);
        let owner = |name: &str| name.rfind('.').map(|end| name[..end].to_owned());
        for figure in self.compiled.model.observed.picture.iter().flatten() {
            let (own, rest) = found.split_at(figure.value.len());
            found = rest;
            // how bodies and springs look in a model or a sub that shows nothing, no text says
            if !shown.iter().any(|(name, _)| owner(name) == owner(&figure.name)) {
                continue;
            }
            let wanted = shown.iter().find(|(name, _)| *name == figure.name).cloned();
            report.block("picture", own, &reals(&wanted.map_or(Vec::new(), |(_, numbers)| numbers)), 0.0);
        }
        let (n, nz) = (self.v.len(), self.z.len());
        let kernels = [
            ("limits", Call::Limits, "jacobian", &e.observed.limits.jacobian),
            ("costs", Call::Costs, "gradient", &e.observed.costs.jacobian),
            ("residuals", Call::Fits, "jacobian", &e.observed.fits.jacobian),
        ];
        for (k, (name, kernel, array, pattern)) in kernels.into_iter().enumerate() {
            let out = self.run(kernel, inputs);
            report.block(name, out.array("out"), &reals(&self.oracle.lists(at)[k]), 0.0);
            let d: Vec<f64> = (0..pattern.cols).map(|_| random.between(-1.0, 1.0)).collect();
            let (found, size) = product(pattern, out.array(array), &d);
            let step = Step {
                q: d[..n].to_vec(),
                v: d[n..2 * n].to_vec(),
                z: d[2 * n..2 * n + nz].to_vec(),
                u: d[2 * n + nz..].to_vec(),
                ..Step::default()
            };
            let wanted = slopes(&self.oracle.lists(&self.step(at, &step))[k]);
            report.block(["limit jacobian", "cost gradient", "residuals jacobian"][k], &found, &wanted, size);
        }
        if self.compiled.program.get(Call::CostByParameter).is_some() {
            let pattern = &e.observed.costs_by_parameter;
            let p: Vec<f64> = (0..pattern.cols).map(|_| random.between(-1.0, 1.0)).collect();
            let (found, size) = product(pattern, self.run(Call::CostByParameter, inputs).array("out"), &p);
            let moved = self.step(at, &Step { p, ..Step::default() });
            report.block("costs by parameters", &found, &slopes(&self.oracle.lists(&moved)[1]), size);
        }
        let out = self.run(Call::Bounds, inputs);
        let bounds = self.oracle.bounds(at).map(|list| reals(&list));
        for (name, wanted) in ["input_lo", "input_hi", "limit_lo", "limit_hi"].into_iter().zip(bounds) {
            report.block("bounds", out.array(name), &wanted, 0.0);
        }
        let found = self.run(Call::Requires, inputs);
        let own = self.oracle.requires(at);
        // besides those in the text, each compliance requires its sign; requirements on frozen parameters are not
        // checked
        let freeze = self.oracle.frozen;
        if !freeze {
            report.block("requires", &found.array("holds")[..own.len().min(found.array("holds").len())], &own, 0.0);
        }
    }

    /// A direction by (q, v, z, a, ż, λ, u, p).
    fn everything(&self, inputs: &Inputs, d: &[f64]) -> Step {
        let mut rest = d;
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at(n);
            rest = tail;
            head.to_vec()
        };
        let (n, nz, nc) = (self.v.len(), self.z.len(), self.rows.len());
        Step {
            spins: Vec::new(),
            q: take(n),
            v: take(n),
            z: take(nz),
            a: take(n),
            zdot: take(nz),
            lambda: take(nc),
            u: take(inputs.u.len()),
            p: take(inputs.p.len()),
            t: 0.0,
        }
    }

    /// J d, Jᵀ w, and the second derivatives along q ⊕ δ.
    fn products(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        let w = &inputs.adjoint;
        let e: Vec<f64> = inputs.direction.iter().map(|_| random.between(-1.0, 1.0)).collect();
        for call in [Call::Jvp, Call::Vjp, Call::Hvp, Call::Hessian] {
            if self.compiled.program.get(call).is_none() {
                continue;
            }
            let out = self.run(call, inputs);
            let values = out.array("out");
            let [d, e] = [&inputs.direction, &e].map(|d| self.everything(inputs, d));
            let against = |values: &[f64]| values.iter().zip(self.flat(&e)).map(|(x, e)| x * e).sum::<f64>();
            let size = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            match call {
                Call::Jvp => {
                    let (found, size) = weighed(values, w);
                    let wanted = self.sum(&self.step(at, &d), w).slope(0).real();
                    report.block("jvp", &[found], &[wanted], size);
                }
                Call::Vjp => {
                    let wanted = self.sum(&self.step(at, &e), w).slope(0).real();
                    report.block("vjp", &[against(values)], &[wanted], size);
                }
                Call::Hvp => report.block("hvp", &[against(values)], &[self.second(at, &d, &e, w)], size),
                _ => {
                    let pattern = self.compiled.equations.products.hessian.as_ref().expect("a pattern");
                    let (x, y) = (self.flat(&d), self.flat(&e));
                    let mut found = 0.0;
                    for (&(r, c, _), value) in pattern.entries.iter().zip(values) {
                        found += value * x[r] * y[c];
                        if r != c {
                            found += value * x[c] * y[r];
                        }
                    }
                    report.block("hessian", &[found], &[self.second(at, &d, &e, w)], size);
                }
            }
        }
    }

    /// A direction as one list.
    fn flat(&self, d: &Step) -> Vec<f64> {
        [&d.q, &d.v, &d.z, &d.a, &d.zdot, &d.lambda, &d.u, &d.p].into_iter().flatten().copied().collect()
    }

    /// ½ (X_d X_e + X_e X_d) of the weighed rows.
    fn second(&self, at: &Point, d: &Step, e: &Step, w: &[f64]) -> f64 {
        let twice = |d: &Step, e: &Step| {
            let moved = self.step(&self.step(at, d), e);
            self.sum(&moved, w).slope(1).slope(0).real()
        };
        0.5 * (twice(d, e) + twice(e, d))
    }
}
