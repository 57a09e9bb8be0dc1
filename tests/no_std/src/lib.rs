//! Shows that the runtime, the facade and a generated model need neither a standard library nor a heap.
//!
//! A crate without `std` must define the panic handler, and `std` defines one too: if anything below this crate links
//! `std`, rustc refuses the second with `error[E0152]: found duplicate lang item panic_impl` and names the crate that
//! brought it in. If anything links `alloc`, rustc refuses with `no global memory allocator found`. The proof is
//! therefore that this crate builds, on an ordinary host and without another target installed; that it can fail is
//! shown by the feature `std`, with which it must not build. Nothing here is run.
#![no_std]

use core::panic::PanicInfo;

use ode_control::{Along, Ekf, Feedback, FilterError, Mpc, MpcError, MpcKnot, NonlinearMpc, Ukf};
use ode_model::integrators::{GeneralizedAlpha, Geodesic};
use ode_model::linalg::{SMatrix, SVector};
use ode_model::solve::Projection;
use ode_model::variation::Fixed;
use ode_model::{BuildError, Nominal, RunError, Simulation, Start, StartError, State, StepError, StepMap, model};

model! {
    /// A bob on a rod, in Cartesian coordinates.
    #[model(prepared)]
    pub struct Pendulum<T> {
        /// bob mass
        param m: Real [kg] = 1.0;
        /// rod length
        param l: Real [m] = 1.0;
        /// gravitational acceleration
        param g: Real [m/s^2] = 9.81;
        require m > 0.0, "the bob mass must be positive";

        coord r: Vec2 [m];
        /// a push from the side
        input push: Real [N];

        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * g * r.y;
        force push on r.x = push;
        constraint rod: r.dot(r) == sq(l);
        /// what a camera sees
        output side: Real [m] = r.x;

        init r.x = 0.5 * l;
        guess r.y = -l;
    }
}

/// What can go wrong on a device.
#[derive(Debug)]
pub enum Failure {
    /// the parameters
    Build(BuildError),
    /// the start
    Start(StartError),
    /// a step
    Step(StepError),
}

/// An explicit run under error control, on the stack of the caller.
pub fn explicit(seconds: f64) -> Result<[f64; 2], Failure> {
    let pendulum = Pendulum::<f64>::builder().l(0.7).build().map_err(Failure::Build)?;
    let setup = Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-8));
    let mut run = setup.adaptive(1e-6).map_err(Failure::Start)?;
    run.advance_to(seconds).map_err(Failure::Step)?;
    Ok(run.state().q.r())
}

/// An implicit run at a fixed step in single precision.
pub fn implicit(seconds: f32) -> Result<[f32; 2], Failure> {
    let pendulum = Pendulum::<f32>::default();
    let setup = Simulation::of(&pendulum, GeneralizedAlpha::with_spectral_radius(0.8));
    let mut run = setup.fixed(1e-3).map_err(Failure::Start)?;
    run.advance_to(seconds).map_err(Failure::Step)?;
    Ok(run.state().q.r())
}

/// How many columns the derivatives of a step have, by the state, the input and the length of the rod.
const COLUMNS: usize = pendulum::LAYOUT.state_directions() + pendulum::LAYOUT.u.len() + 1;

/// Derivatives of steps that are projected: the covariance of a state after them, as an estimator has it.
pub fn estimate(steps: usize) -> Result<SMatrix<f64, 4, 4>, RunError> {
    let pendulum = Pendulum::<f64>::default();
    let mut x = Start::default().solve(&pendulum, &Nominal)?;
    let mut map = StepMap::<_, _, Fixed<COLUMNS>>::sized(&pendulum, Geodesic, &["l"])?;
    map = map.project(Projection::to(1e-10))?;
    let mut covariance = SMatrix::<f64, 4, 4>::identity() * 1e-4;
    for _ in 0..steps {
        let step = map.step(&x, [0.1], 1e-2)?;
        let (a, l) = (step.a().fixed::<4, 4>()?, step.p().fixed::<4, 1>()?);
        covariance = a * covariance * a.transpose() + l * l.transpose() * 1e-6;
        x = step.end.clone();
    }
    Ok(covariance)
}

/// Those of an implicit step in single precision.
pub fn linearized() -> Result<SMatrix<f32, 4, 1>, RunError> {
    let pendulum = Pendulum::<f32>::default();
    let x = Start::default().solve(&pendulum, &Nominal)?;
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut map = StepMap::<_, _, Fixed<COLUMNS>>::sized(&pendulum, method, &["l"])?;
    Ok(map.step(&x, [0.1], 1e-3)?.b().fixed()?)
}

/// Filters of the state from the side that is seen, one of them in single precision.
pub fn filtered(seen: &[Option<f64>]) -> Result<([f64; 2], f32), FilterError> {
    let (double, single) = (Pendulum::<f64>::default(), Pendulum::<f32>::default());
    let (x, x_single) = (Start::default().solve(&double, &Nominal)?, Start::default().solve(&single, &Nominal)?);
    let mut ekf = Ekf::new(&double, Geodesic, &x, SMatrix::<f64, 4, 4>::identity() * 1e-2)?;
    ekf = ekf.project(Projection::to(1e-10))?;
    let mut ukf = Ukf::new(&single, Geodesic, &x_single, SMatrix::<f32, 4, 4>::identity() * 1e-2)?;
    let (side, same) = (ekf.sensor(["side"])?, ukf.sensor(["side"])?);
    let mut nis = 0.0;
    for &z in seen {
        ekf.predict([0.1], 1e-2, &(SMatrix::identity() * 1e-6))?;
        ukf.predict([0.1], 1e-2, &(SMatrix::identity() * 1e-6))?;
        ekf.update_if(&side, [z], &SMatrix::<f64, 1, 1>::new(1e-4), |e| e.nis < 9.0)?;
        nis = ukf.update(&same, [z.map(|z| z as f32)], &SMatrix::<f32, 1, 1>::new(1e-4))?.nis;
    }
    Ok((ekf.state().q.r(), nis))
}

/// A gain found at a desk, applied to an estimate within the bounds of the motor.
pub fn controlled(gain: &SMatrix<f32, 1, 4>, estimate: &State<Pendulum<f32>>) -> Result<f32, RunError> {
    let pendulum = Pendulum::<f32>::default();
    let hanging = Start::default().solve(&pendulum, &Nominal)?;
    let feedback = Feedback::sized(&pendulum, &hanging, [0.0], gain)?;
    Ok(feedback.at(estimate).push())
}

/// The best push of a plan within its bounds, on storage that is lent.
pub fn planned(
    knots: &mut [MpcKnot<f32, 4, 1, 0>],
    (a, b): (&SMatrix<f32, 4, 4>, &SMatrix<f32, 4, 1>),
    x: &SVector<f32, 4>,
) -> Result<f32, MpcError> {
    let mut mpc = Mpc::new(["r.x", "r.y", "der(r.x)", "der(r.y)"], ["push"], [], knots)?;
    mpc.model(a, b);
    mpc.weights(&SMatrix::identity(), &SMatrix::identity(), &SMatrix::identity());
    mpc.bound("push", -1.0, 1.0)?;
    mpc.solve(x)?;
    Ok(mpc.first()[0])
}

/// The best push of a nonlinear plan in single precision, on storage that is lent.
pub fn planned_along(
    knots: &mut [MpcKnot<f32, 4, 1, 0>],
    along: &mut [Along<Pendulum<f32>>],
    x: &State<Pendulum<f32>>,
) -> Result<f32, MpcError> {
    let pendulum = Pendulum::<f32>::default();
    let mut mpc = NonlinearMpc::<_, _, 4, 1, 0, 5, _, _>::of(&pendulum, Geodesic, 0.02, (knots, along))?;
    mpc.weights(&SMatrix::identity(), &SMatrix::identity(), &SMatrix::identity());
    mpc.bound("push", -1.0, 1.0)?;
    let push = mpc.control(x)?.push();
    mpc.advance()?;
    Ok(push)
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
