//! The solver, kept from plan to plan.

use core::fmt;
use std::vec::Vec;

use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use ode_runtime::linalg::SVector;

use crate::mpc::clarabel::program::{Origin, Problem, Program, columns};
use crate::mpc::clarabel::sparse::Sparse;
use crate::mpc::controller::Mpc;
use crate::mpc::error::MpcError;
use crate::mpc::hold::{Bound, Hold};
use crate::mpc::interior::Inside;
use crate::mpc::knot::MpcKnot;
use crate::mpc::solve::Planned;

/// Clarabel, for the problems of an [`Mpc`]: a second opinion, by a program that knows nothing of stages. Afterwards
/// the controller has the plan.
///
/// The pattern of the problem is analysed once, and values are replaced, as long as bounds are where they were and
/// nothing that was zero is not. P. J. Goulart, Y. Chen, Clarabel: An interior-point solver for conic programs with
/// quadratic objectives, 2024.
pub struct Clarabel {
    settings: DefaultSettings<f64>,
    program: Program,
    built: Option<Built>,
}

/// A solver, and what it was made for.
struct Built {
    solver: DefaultSolver<f64>,
    p: Sparse,
    a: Sparse,
    origins: Vec<Origin>,
    equations: usize,
}

impl fmt::Debug for Clarabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clarabel").field("built", &self.built.is_some()).finish_non_exhaustive()
    }
}

impl Default for Clarabel {
    fn default() -> Self {
        Self::new(1e-9, 50)
    }
}

impl Clarabel {
    /// With this tolerance, of gap and feasibility, absolute and relative, and a bound of iterations; they are 1e-9 and
    /// 50 by default.
    pub fn new(tolerance: f64, iterations: u32) -> Self {
        let mut settings = DefaultSettings { verbose: false, max_iter: iterations, ..DefaultSettings::default() };
        // values could not be replaced otherwise
        (settings.presolve_enable, settings.input_sparse_dropzeros) = (false, false);
        (settings.tol_gap_abs, settings.tol_gap_rel, settings.tol_feas) = (tolerance, tolerance, tolerance);
        Self { settings, program: Program::default(), built: None }
    }

    /// Plans from the state `x`, as [`Mpc::solve`]: a plan that is not `exact`, by so many iterations.
    ///
    /// # Errors
    /// As [`Mpc::solve`].
    pub fn solve<const N: usize, const U: usize, const M: usize, B>(
        &mut self,
        mpc: &mut Mpc<f64, N, U, M, B>,
        x: &SVector<f64, N>,
    ) -> Result<Planned, MpcError>
    where
        B: AsRef<[MpcKnot<f64, N, U, M>]> + AsMut<[MpcKnot<f64, N, U, M>]>,
    {
        mpc.admit(x)?;
        let problem = Problem { knots: mpc.knots.as_ref(), last: &mpc.last, slacks: &mpc.slacks, start: x };
        self.program.write(&problem);
        let built = self.built.take().filter(|built| built.origins == self.program.origins);
        let built = built.and_then(|built| built.renewed(&self.program));
        let built = built.or_else(|| Built::of(&self.program, &self.settings));
        let Some(mut built) = built else { return Err(MpcError::Unconverged { iterations: 0, residual: f64::NAN }) };
        built.solver.solve();
        let solution = &built.solver.solution;
        let iterations = solution.iterations as usize;
        let solved = solution.status == SolverStatus::Solved;
        let infeasible =
            matches!(solution.status, SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible);
        let residual = solution.r_prim.max(solution.r_dual);
        mpc.planned = solved;
        if solved {
            read(mpc, x, &solution.x, &built.origins, (&solution.z, &solution.s));
        }
        self.built = Some(built);
        match (solved, infeasible) {
            (true, _) => Ok(Planned { exact: false, iterations, passes: 0 }),
            // which row it is
            (_, true) => mpc.doubt(Inside { iterations, residual, converged: false }, 0),
            _ => Err(MpcError::Unconverged { iterations, residual }),
        }
    }
}

impl Built {
    fn of(program: &Program, settings: &DefaultSettings<f64>) -> Option<Self> {
        let (unknowns, rows) = (program.q.len(), program.b.len());
        let (p, a) = (Sparse::of((unknowns, unknowns), &program.p), Sparse::of((rows, unknowns), &program.a));
        let cones =
            [SupportedConeT::ZeroConeT(program.equations), SupportedConeT::NonnegativeConeT(rows - program.equations)];
        let solver = DefaultSolver::new(&p.matrix, &program.q, &a.matrix, &program.b, &cones, settings.clone()).ok()?;
        Some(Self { solver, p, a, origins: program.origins.clone(), equations: program.equations })
    }

    /// With other values; `None` if they do not fit.
    fn renewed(mut self, program: &Program) -> Option<Self> {
        let fits = self.equations == program.equations && self.solver.solution.x.len() == program.q.len();
        let fits = fits && self.p.replace(&program.p) && self.a.replace(&program.a);
        let updated = fits
            && self.solver.update_P(&self.p.matrix.nzval).is_ok()
            && self.solver.update_A(&self.a.matrix.nzval).is_ok()
            && self.solver.update_q(&program.q).is_ok()
            && self.solver.update_b(&program.b).is_ok();
        updated.then_some(self)
    }
}

/// Writes a solution into the controller.
fn read<const N: usize, const U: usize, const M: usize, B>(
    mpc: &mut Mpc<f64, N, U, M, B>,
    x: &SVector<f64, N>,
    unknowns: &[f64],
    origins: &[Origin],
    (forces, gaps): (&[f64], &[f64]),
) where
    B: AsRef<[MpcKnot<f64, N, U, M>]> + AsMut<[MpcKnot<f64, N, U, M>]>,
{
    let knots = mpc.knots.as_mut();
    let count = knots.len();
    let mut state = *x;
    for (k, knot) in knots.iter_mut().enumerate() {
        let (u, next) = columns::<N, U>(k);
        knot.x = state;
        (knot.inputs.value, knot.inputs.multiplier) = (SVector::from_fn(|i, _| unknowns[u + i]), SVector::zeros());
        (knot.inputs.hold, knot.rows.hold, knot.rows.multiplier) = ([Hold::Free; U], [Hold::Free; M], SVector::zeros());
        knot.rows.value = knot.stage.rows.at(&knot.x, &knot.inputs.value);
        state = SVector::from_fn(|i, _| unknowns[next + i]);
    }
    let last = &mut mpc.last;
    (last.x, last.rows.hold, last.rows.multiplier) = (state, [Hold::Free; M], SVector::zeros());
    last.rows.value = last.end.rows.at(&state, &SVector::zeros());
    for ((origin, &force), &gap) in origins.iter().zip(forces).zip(gaps) {
        let held = |bound: Bound, hold: &mut Hold, multiplier: &mut f64| {
            *multiplier += bound.sign::<f64>() * force;
            if force.abs() > gap {
                *hold = Hold::At(bound);
            }
        };
        match *origin {
            Origin::Input { stage, input, bound } => {
                let of = &mut knots[stage].inputs;
                held(bound, &mut of.hold[input], &mut of.multiplier[input]);
            }
            Origin::Row { stage, row, bound } => {
                let of = if stage == count { &mut last.rows } else { &mut knots[stage].rows };
                held(bound, &mut of.hold[row], &mut of.multiplier[row]);
            }
            Origin::Flow | Origin::Slack => {}
        }
    }
}
