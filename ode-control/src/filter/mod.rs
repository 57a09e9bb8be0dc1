//! Filters: the state of a model from what is measured of it, step by step.

mod covariance;
mod cycle;
mod error;
mod linearized;
mod manifold;
mod measurement;
mod sensor;
mod transform;
mod unscented;

pub use crate::deviation::RealOf;
pub use cycle::Filter;
pub use error::{Fault, FilterError};
pub use linearized::Linearized;
pub use measurement::{Innovation, Measurement};
pub use sensor::Sensor;
pub use transform::Transform;
pub use unscented::Unscented;

/// An extended Kalman filter of the error of a state, on the manifold of the model.
///
/// It predicts by a step of a method, as a run makes it, and that step's exact A; a measurement corrects it by the
/// exact H of the model's outputs. With P⁻ and x⁻ the prediction,
///
/// ```text
/// predict   x⁻ = step(x, u),                  P⁻ = A P Aᵀ + B Q_u Bᵀ + Q
/// update    e = z − y(x⁻),                    S = H P⁻ Hᵀ + R,   K = P⁻ Hᵀ S⁻¹
///           x = x⁻ ⊕ K e, projected           P = Γ ((1 − K H) P⁻ (1 − K H)ᵀ + K R Kᵀ) Γᵀ
/// ```
///
/// Γ is the derivative of x⁻ ⊕ d at d = K e, and of its projection: J. Solà, Quaternion kinematics for the
/// error-state Kalman filter, 2017, §6.3, where it is called the reset. Joseph's form: R. S. Bucy, P. D. Joseph,
/// Filtering for Stochastic Processes with Applications to Guidance, 1968.
///
/// ```
/// use ode_control::Ekf;
/// use ode_model::integrators::RungeKutta4;
/// use ode_model::linalg::SMatrix;
/// use ode_model::prelude::*;
///
/// model! {
///     pub struct Pendulum {
///         param l: Real [m] = 0.8;
///         coord th: Angle;
///         input push: Real [N*m];
///         kinetic = 0.5kg * sq(l * der(th));
///         param g: Real [m/s^2] = 9.81;
///         potential = -1.0kg * g * l * cos(th);
///         init th = 0.3;
///         force motor on th = push;
///         output encoder: Real [rad] = th;
///         output rate: Real [rad/s] = der(th);
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (model, h) = (Pendulum::default(), 0.01);
/// let mut truth = Simulation::of(&model, RungeKutta4).fixed(h)?;
/// let guess = State::neutral(&model);
/// // of `th` and `der(th)`
/// let mut ekf = Ekf::new(&model, RungeKutta4, &guess, SMatrix::from_diagonal(&[0.1, 1.0].into()))?;
/// let both = ekf.sensor(["encoder", "rate"])?;
/// let [q, r] = [[0.0, 1e-6], [1e-4, 1e-2]].map(|d| SMatrix::from_diagonal(&d.into()));
/// for k in 0..100 {
///     truth.step_towards(1.0)?;
///     ekf.predict([0.0], h, &q)?;
///     // the encoder is read each time, the rate now and then
///     let x = truth.state();
///     let rate = (k % 10 == 0).then(|| x.v.th());
///     let innovation = ekf.update_if(&both, [Some(x.q.th()), rate], &r, |e| e.nis < 13.8)?;
///     assert!(innovation.accepted);
/// }
/// assert!(ekf.nees(truth.state())? < 9.2);
/// assert!(ekf.sensor(["encodr"]).unwrap_err().to_string().contains("did you mean `encoder`?"));
/// # Ok(())
/// # }
/// ```
pub type Ekf<'a, S, M, K, const N: usize> = Filter<'a, S, M, K, Linearized, N>;

/// An unscented Kalman filter, on the manifold of the model: as [`Ekf`], with sigma points of the [`Unscented`]
/// transform in the place of A and H, and of (1 − K H) P (1 − K H)ᵀ.
pub type Ukf<'a, S, M, K, const N: usize> = Filter<'a, S, M, K, Unscented<S>, N>;
