//! What a program solves for by itself, and its eliminations.

use std::marker::PhantomData;

use ode_codegen::phases::lower::Call;
use ode_runtime::linalg::{Decomposition, Elimination, certain, definite};
use ode_runtime::{At, Solvable};

use super::system::{Interpreted, copy};
use super::{Inputs, Outputs, Plant, run};

/// The eliminations of a program, as the types that the runtime's solvers are told of.
#[derive(Clone, Debug)]
pub struct Eliminated<P: Plant>(PhantomData<P>);

impl<P: Plant> Interpreted<P> {
    /// Whether what a call has solved for may be read.
    fn sound(&self, call: Call, out: &Outputs) -> bool {
        let checks = out.array("checks");
        if self.program().certain(call) { certain(checks) } else { definite(checks) }
    }
}

impl<P: Plant> Solvable for Interpreted<P> {
    type Saddle = P::Saddle;
    type Kkt = P::Kkt;
    type Assembly = P::Assembly;
    type Algebra = P::Algebra;
    const DIRECT: bool = P::DIRECT;

    fn accelerations(&self, at: At<'_, Self>, a: &mut Self::V, zdot: &mut Self::Z, lambda: &mut Self::L) -> bool {
        if self.program().get(Call::Accelerations).is_none() {
            return false;
        }
        let found = self.call(Call::Accelerations, &self.inputs(at));
        copy(found.array("accelerations"), a);
        copy(found.array("g"), zdot);
        copy(found.array("multipliers"), lambda);
        self.sound(Call::Accelerations, &found)
    }

    fn correction(&self, at: At<'_, Self>, b: &Self::L, step: &mut Self::V) -> bool {
        if self.program().get(Call::Correction).is_none() {
            return false;
        }
        let found = self.call(Call::Correction, &Inputs { rhs: b.as_ref().to_vec(), ..self.inputs(at) });
        copy(found.array("correction"), step);
        self.sound(Call::Correction, &found)
    }
}

impl<P: Plant> Eliminated<P> {
    fn factors(call: Call, inputs: &Inputs, factor: &mut Vec<f64>, checks: &mut Vec<f64>) {
        let out = run(&P::text().compiled.program[call], inputs, &|_, _| f64::NAN);
        *factor = out.array("factor").to_vec();
        *checks = out.array("checks").to_vec();
    }

    fn solution(call: Call, factor: &[f64], x: &mut [f64]) {
        let inputs = Inputs { factor: factor.to_vec(), rhs: x.to_vec(), ..Inputs::default() };
        x.copy_from_slice(run(&P::text().compiled.program[call], &inputs, &|_, _| f64::NAN).array("x"));
    }
}

impl<P: Plant> Elimination<f64> for Eliminated<P> {
    type Factor = Vec<f64>;
    type Checks = Vec<f64>;

    fn factorize(mass: &[f64], jacobian: &[f64], factor: &mut Vec<f64>, checks: &mut Vec<f64>) {
        let inputs = Inputs { mass: mass.to_vec(), jacobian: jacobian.to_vec(), ..Inputs::default() };
        Self::factors(Call::SaddleFactors, &inputs, factor, checks);
    }

    fn solve(factor: &Vec<f64>, x: &mut [f64]) {
        Self::solution(Call::SaddleSolution, factor, x);
    }
}

impl<P: Plant> Decomposition<f64> for Eliminated<P> {
    type Factor = Vec<f64>;
    type Checks = Vec<f64>;

    fn factorize(tangent: &[f64], factor: &mut Vec<f64>, checks: &mut Vec<f64>) {
        let inputs = Inputs { tangent: tangent.to_vec(), ..Inputs::default() };
        Self::factors(Call::KktFactors, &inputs, factor, checks);
    }

    fn solve(factor: &Vec<f64>, x: &mut [f64]) {
        Self::solution(Call::KktSolution, factor, x);
    }
}
