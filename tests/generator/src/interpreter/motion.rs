//! How positions move: the statements of each method, in order.

use ode_codegen::phases::lower::{Motion, Move, Program, Routine, Value};
use ode_runtime::{s2, so3, wrap};

use super::kernel::{Inputs, Run};

/// q̇ = N(q) v
pub fn qdot(program: &Program, q: &[f64], v: &[f64]) -> Vec<f64> {
    let inputs = Inputs { q: q.to_vec(), v: v.to_vec(), ..Inputs::default() };
    method(program, |m| &m.qdot, &inputs, q.len())
}

/// q ⊕ step
pub fn retract(program: &Program, q: &[f64], step: &[f64]) -> Vec<f64> {
    let inputs = Inputs { q: q.to_vec(), step: step.to_vec(), ..Inputs::default() };
    method(program, |m| &m.retract, &inputs, q.len())
}

/// The step between two points, of as many numbers as the model has velocities.
pub fn local(program: &Program, from: &[f64], to: &[f64]) -> Vec<f64> {
    let inputs = Inputs { from: from.to_vec(), to: to.to_vec(), ..Inputs::default() };
    method(program, |m| &m.local, &inputs, program.len("V"))
}

/// T(step)⁻¹ v
pub fn step_rate(program: &Program, step: &[f64], v: &[f64]) -> Vec<f64> {
    let inputs = Inputs { step: step.to_vec(), v: v.to_vec(), ..Inputs::default() };
    method(program, |m| &m.step_rate, &inputs, v.len())
}

/// v̇ along q₀ ⊕ step of a; a itself in models whose axes do not depend on the path.
pub fn velocity_rate(program: &Program, step: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let inputs = Inputs { step: step.to_vec(), v: v.to_vec(), a: a.to_vec(), ..Inputs::default() };
    let rates = method(program, |m| &m.velocity_rate, &inputs, a.len());
    rates.into_iter().zip(a).map(|(rate, &a)| if rate.is_nan() { a } else { rate }).collect()
}

/// T(step) of each rotation, row major.
pub fn turns(program: &Program, step: &[f64]) -> Vec<f64> {
    let inputs = Inputs { step: step.to_vec(), ..Inputs::default() };
    method(program, |m| &m.turns, &inputs, program.turns())
}

/// What a method writes. What it does not write is NaN.
fn method(program: &Program, of: impl Fn(&Motion) -> &Vec<Move>, inputs: &Inputs, len: usize) -> Vec<f64> {
    let mut out = vec![f64::NAN; len];
    let mut run = Run::new(inputs, &|_, _| f64::NAN);
    for statement in program.motions.iter().flat_map(of) {
        match statement {
            Move::Let(temp, expr) => {
                let value = run.value(expr);
                run.name(*temp, value);
            }
            Move::Write(places, value) => {
                let numbers = numbers(&mut run, value);
                assert_eq!(places.len(), numbers.len(), "as many numbers as places");
                places.iter().zip(numbers).for_each(|(&place, number)| out[place] = number);
            }
        }
    }
    out
}

fn numbers(run: &mut Run<'_>, value: &Value) -> Vec<f64> {
    match value {
        Value::Numbers(numbers) => numbers.iter().map(|x| run.value(x)).collect(),
        Value::Call(routine, arguments) => {
            let arguments: Vec<Vec<f64>> = arguments.iter().map(|a| numbers(run, a)).collect();
            called(*routine, &arguments.iter().map(Vec::as_slice).collect::<Vec<_>>())
        }
    }
}

/// What a function of the runtime gives.
fn called(routine: Routine, arguments: &[&[f64]]) -> Vec<f64> {
    use Routine as R;
    match (routine, arguments) {
        (R::Wrap, [angle]) => vec![wrap(angle[0])],
        (R::Product, [a, b]) => so3::product(&sized(a), &sized(b)).to_vec(),
        (R::Conjugate, [q]) => so3::conjugate(&sized(q)).to_vec(),
        (R::Normalize, [q]) => so3::normalize(&sized(q)).to_vec(),
        (R::Exp, [step]) => so3::exp(&sized(step)).to_vec(),
        (R::Log, [q]) => so3::log(&sized(q)).to_vec(),
        (R::Qdot, [q, rate]) => so3::qdot(&sized(q), &sized(rate)).to_vec(),
        (R::Retract, [q, step]) => so3::retract(&sized(q), &sized(step)).to_vec(),
        (R::Local, [from, to]) => so3::local(&sized(from), &sized(to)).to_vec(),
        (R::Tangent, [step, rate]) => so3::tangent(&sized(step), &sized(rate)).to_vec(),
        (R::StepRate, [step, rate]) => so3::step_rate(&sized(step), &sized(rate)).to_vec(),
        (R::SphereQdot, [q, rate]) => s2::qdot(&sized(q), &sized(rate)).to_vec(),
        (R::SphereRetract, [q, step]) => s2::retract(&sized(q), &sized(step)).to_vec(),
        (R::SphereLocal, [from, to]) => s2::local(&sized(from), &sized(to)).to_vec(),
        (R::SphereStepRate, [step, rate]) => s2::step_rate(&sized(step), &sized(rate)).to_vec(),
        (R::SphereVelocityRate, [step, v, a]) => s2::velocity_rate(&sized(step), &sized(v), &sized(a)).to_vec(),
        (routine, arguments) => unreachable!("{routine:?} of {} arguments", arguments.len()),
    }
}

fn sized<const N: usize>(numbers: &[f64]) -> [f64; N] {
    numbers.try_into().expect("as many numbers as the function takes")
}
