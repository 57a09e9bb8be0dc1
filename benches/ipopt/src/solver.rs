//! IPOPT by its C interface (`IpStdCInterface.h`), for the programmes of `Nlp`.

use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice::{from_raw_parts, from_raw_parts_mut};

use ode_model::control::{Nlp, NlpEntry, OptimalControl, PlanError, Transcription};

type Bool = c_int;
type Objective = extern "C" fn(c_int, *const f64, Bool, *mut f64, *mut c_void) -> Bool;
type Gradient = extern "C" fn(c_int, *const f64, Bool, *mut f64, *mut c_void) -> Bool;
type Constraints = extern "C" fn(c_int, *const f64, Bool, c_int, *mut f64, *mut c_void) -> Bool;
type Jacobian =
    extern "C" fn(c_int, *const f64, Bool, c_int, c_int, *mut c_int, *mut c_int, *mut f64, *mut c_void) -> Bool;
type Hessian = extern "C" fn(
    c_int,
    *const f64,
    Bool,
    f64,
    c_int,
    *const f64,
    Bool,
    c_int,
    *mut c_int,
    *mut c_int,
    *mut f64,
    *mut c_void,
) -> Bool;
type Progress = extern "C" fn(c_int, c_int, f64, f64, f64, f64, f64, f64, f64, f64, c_int, *mut c_void) -> Bool;

#[link(name = "ipopt")]
unsafe extern "C" {
    fn CreateIpoptProblem(
        n: c_int,
        low: *const f64,
        high: *const f64,
        m: c_int,
        row_low: *const f64,
        row_high: *const f64,
        jacobian: c_int,
        hessian: c_int,
        style: c_int,
        f: Objective,
        g: Constraints,
        by_f: Gradient,
        by_g: Jacobian,
        h: Hessian,
    ) -> *mut c_void;
    fn FreeIpoptProblem(problem: *mut c_void);
    fn AddIpoptStrOption(problem: *mut c_void, name: *const c_char, value: *const c_char) -> Bool;
    fn AddIpoptNumOption(problem: *mut c_void, name: *const c_char, value: f64) -> Bool;
    fn AddIpoptIntOption(problem: *mut c_void, name: *const c_char, value: c_int) -> Bool;
    fn SetIntermediateCallback(problem: *mut c_void, progress: Progress) -> Bool;
    fn IpoptSolve(
        problem: *mut c_void,
        x: *mut f64,
        g: *mut f64,
        objective: *mut f64,
        multipliers: *mut f64,
        below: *mut f64,
        above: *mut f64,
        data: *mut c_void,
    ) -> c_int;
}

/// What the callbacks share: the programme, the number of the last iteration, and why the last evaluation failed.
struct Shared<'n, 'p, T: Transcription<N, U>, const N: usize, const U: usize> {
    nlp: &'n mut Nlp<'p, T, N, U>,
    iterations: c_int,
    error: Option<PlanError>,
}

/// What IPOPT found.
#[derive(Debug)]
pub struct Found {
    /// `ApplicationReturnStatus`: 0 for success
    pub status: i32,
    pub iterations: i32,
    pub objective: f64,
    pub variables: Vec<f64>,
    pub multipliers: Vec<f64>,
    /// why the last evaluation that failed did so
    pub error: Option<PlanError>,
}

/// The optimum near the guess of a problem, to a tolerance, without scaling. Bounds are widened by a share of them, as
/// IPOPT does by itself; 0 leaves them.
pub fn solve<'p, T: Transcription<N, U>, const N: usize, const U: usize>(
    problem: &'p OptimalControl<'_, T::System>,
    transcription: T,
    (tolerance, relaxed): (f64, f64),
) -> Result<(Found, Nlp<'p, T, N, U>), PlanError> {
    let mut nlp = Nlp::<_, N, U>::of(problem, transcription)?;
    let mut variables = nlp.guess();
    let mut multipliers = vec![0.0; nlp.rows().len()];
    let nonzeros =
        (nlp.jacobian(&variables)?.nnz() as c_int, nlp.hessian(&variables, 1.0, &multipliers)?.nnz() as c_int);
    let bounds = |of: fn(&NlpEntry) -> f64, entries: &[NlpEntry]| entries.iter().map(of).collect::<Vec<_>>();
    let [low, high] = [|e: &NlpEntry| e.low, |e: &NlpEntry| e.high].map(|of| bounds(of, nlp.variables()));
    let [row_low, row_high] = [|e: &NlpEntry| e.low, |e: &NlpEntry| e.high].map(|of| bounds(of, nlp.rows()));
    let (n, m) = (low.len() as c_int, row_low.len() as c_int);
    let mut shared = Shared { nlp: &mut nlp, iterations: 0, error: None };
    let data: *mut Shared<'_, '_, T, N, U> = &mut shared;
    let mut objective = f64::NAN;
    // SAFETY: arrays have the lengths n and m that are told, and live as long as the call; callbacks get `data` back,
    // from this thread and during the call only.
    let status = unsafe {
        let problem = CreateIpoptProblem(
            n,
            low.as_ptr(),
            high.as_ptr(),
            m,
            row_low.as_ptr(),
            row_high.as_ptr(),
            nonzeros.0,
            nonzeros.1,
            0,
            objective_of::<T, N, U>,
            constraints_of::<T, N, U>,
            gradient_of::<T, N, U>,
            jacobian_of::<T, N, U>,
            hessian_of::<T, N, U>,
        );
        assert!(!problem.is_null(), "IPOPT refuses the programme");
        let text = |text: &str| CString::new(text).expect("no zero in a name");
        AddIpoptNumOption(problem, text("tol").as_ptr(), tolerance);
        AddIpoptNumOption(problem, text("bound_relax_factor").as_ptr(), relaxed);
        AddIpoptIntOption(problem, text("print_level").as_ptr(), 0);
        AddIpoptStrOption(problem, text("sb").as_ptr(), text("yes").as_ptr());
        AddIpoptStrOption(problem, text("nlp_scaling_method").as_ptr(), text("none").as_ptr());
        SetIntermediateCallback(problem, progress::<T, N, U>);
        let none = std::ptr::null_mut();
        let (w, y) = (variables.as_mut_ptr(), multipliers.as_mut_ptr());
        let status = IpoptSolve(problem, w, none, &mut objective, y, none, none, data.cast());
        FreeIpoptProblem(problem);
        status
    };
    let Shared { iterations, error, .. } = shared;
    Ok((Found { status, iterations, objective, variables, multipliers, error }, nlp))
}

/// Evaluates, so that neither an error nor a panic leaves a callback: IPOPT is told that there is no value.
fn evaluate<T: Transcription<N, U>, const N: usize, const U: usize>(
    data: *mut c_void,
    evaluate: impl FnOnce(&mut Nlp<'_, T, N, U>) -> Result<(), PlanError>,
) -> Bool {
    // SAFETY: it is the `data` of `solve`, which nothing else uses meanwhile.
    let shared = unsafe { &mut *data.cast::<Shared<'_, '_, T, N, U>>() };
    match catch_unwind(AssertUnwindSafe(|| evaluate(shared.nlp))) {
        Ok(Ok(())) => 1,
        Ok(Err(error)) => {
            shared.error = Some(error);
            0
        }
        Err(_) => 0,
    }
}

/// An array of IPOPT's, to read.
fn read<'a>(values: *const f64, length: c_int) -> &'a [f64] {
    // SAFETY: IPOPT tells the length with the array, which lives during the callback.
    unsafe { from_raw_parts(values, length as usize) }
}

/// An array of IPOPT's, to write.
fn write<'a, V>(values: *mut V, length: c_int) -> &'a mut [V] {
    // SAFETY: as in `read`; nothing else refers to it.
    unsafe { from_raw_parts_mut(values, length as usize) }
}

extern "C" fn objective_of<T: Transcription<N, U>, const N: usize, const U: usize>(
    n: c_int,
    w: *const f64,
    _: Bool,
    out: *mut f64,
    data: *mut c_void,
) -> Bool {
    evaluate::<T, N, U>(data, |nlp| {
        write(out, 1)[0] = nlp.objective(read(w, n))?;
        Ok(())
    })
}

extern "C" fn gradient_of<T: Transcription<N, U>, const N: usize, const U: usize>(
    n: c_int,
    w: *const f64,
    _: Bool,
    out: *mut f64,
    data: *mut c_void,
) -> Bool {
    evaluate::<T, N, U>(data, |nlp| nlp.gradient(read(w, n), write(out, n)))
}

extern "C" fn constraints_of<T: Transcription<N, U>, const N: usize, const U: usize>(
    n: c_int,
    w: *const f64,
    _: Bool,
    m: c_int,
    out: *mut f64,
    data: *mut c_void,
) -> Bool {
    evaluate::<T, N, U>(data, |nlp| nlp.constraints(read(w, n), write(out, m)))
}

#[allow(clippy::too_many_arguments, reason = "the interface is IPOPT's")]
extern "C" fn jacobian_of<T: Transcription<N, U>, const N: usize, const U: usize>(
    n: c_int,
    w: *const f64,
    _: Bool,
    m: c_int,
    nonzeros: c_int,
    rows: *mut c_int,
    columns: *mut c_int,
    out: *mut f64,
    data: *mut c_void,
) -> Bool {
    evaluate::<T, N, U>(data, |nlp| {
        // without values the pattern is asked for
        if out.is_null() {
            let guess = nlp.guess();
            pattern(nlp.jacobian(&guess)?.iter().map(|(_, place)| place), (rows, columns), nonzeros);
        } else {
            write(out, nonzeros).copy_from_slice(nlp.jacobian(read(w, n))?.data());
        }
        debug_assert_eq!(m as usize, nlp.rows().len());
        Ok(())
    })
}

#[allow(clippy::too_many_arguments, reason = "the interface is IPOPT's")]
extern "C" fn hessian_of<T: Transcription<N, U>, const N: usize, const U: usize>(
    n: c_int,
    w: *const f64,
    _: Bool,
    factor: f64,
    m: c_int,
    y: *const f64,
    _: Bool,
    nonzeros: c_int,
    rows: *mut c_int,
    columns: *mut c_int,
    out: *mut f64,
    data: *mut c_void,
) -> Bool {
    evaluate::<T, N, U>(data, |nlp| {
        if out.is_null() {
            let (guess, y) = (nlp.guess(), vec![0.0; nlp.rows().len()]);
            pattern(nlp.hessian(&guess, 1.0, &y)?.iter().map(|(_, place)| place), (rows, columns), nonzeros);
        } else {
            write(out, nonzeros).copy_from_slice(nlp.hessian(read(w, n), factor, read(y, m))?.data());
        }
        Ok(())
    })
}

fn pattern(places: impl Iterator<Item = (usize, usize)>, (rows, columns): (*mut c_int, *mut c_int), count: c_int) {
    let (rows, columns) = (write(rows, count), write(columns, count));
    for ((row, column), (r, c)) in rows.iter_mut().zip(columns).zip(places) {
        (*row, *column) = (r as c_int, c as c_int);
    }
}

#[allow(clippy::too_many_arguments, reason = "the interface is IPOPT's")]
extern "C" fn progress<T: Transcription<N, U>, const N: usize, const U: usize>(
    _: c_int,
    iteration: c_int,
    _: f64,
    _: f64,
    _: f64,
    _: f64,
    _: f64,
    _: f64,
    _: f64,
    _: f64,
    _: c_int,
    data: *mut c_void,
) -> Bool {
    // SAFETY: as in `evaluate`.
    unsafe { (*data.cast::<Shared<'_, '_, T, N, U>>()).iterations = iteration };
    1
}
