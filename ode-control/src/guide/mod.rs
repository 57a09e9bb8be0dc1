//! From a model to a controller, in a control engineer's words, page by page.
//!
//! | page | about |
//! | --- | --- |
//! | [`trim`] | operating points: what is held, what is free, steady motions |
//! | [`linear`] | A, B, C, D at any state; steps; poles, zeros, Bode; loops and series |
//! | [`lqr`] | regulators, integral action, gains along a trajectory, steady Kalman gains; gains on a device |
//! | [`mpc`] | model predictive control: the best inputs of a horizon, within bounds |
//! | [`filters`] | the state from measurements: extended and unscented Kalman filters |
//! | [`fits`] | parameters, starts and offsets from logs |
//! | [`optimal`] | optimal control: the motion that costs least, within bounds and limits |
//! | [`terms`] | what is called what in Drake, python-control, CasADi, acados, ModelingToolkit and MuJoCo |
//!
//! Whole programs are among the examples of the repository: `cart_pole_balanced` (operating point, steps, regulator,
//! filter), `cart_pole_swing_up` (optimal control, gains along the plan), `figure_of_eight` (nonlinear model predictive
//! control with a filter, on rotations), `flexible_drive` (Bode), `four_bar_tracked` (in motion with constraints, gains
//! along it), `franka_reaching` (optimal control by differential dynamic programming, an arm), `quadrotor_hover`
//! (regulator and filter on rotations), `quadrotor_waypoints` (optimal control on rotations, gains of the plan),
//! `slider_crank_turned` (optimal control by collocation, a closed loop) and `pendulum_fitted`.
//!
//! All quantities are SI, with angles in radians and frequencies in rad/s. Fitted parameters have their declared units,
//! and Bode's plot has decibels and degrees.

#[doc = include_str!("trim.md")]
pub mod trim {}

#[doc = include_str!("linear.md")]
pub mod linear {}

#[doc = include_str!("lqr.md")]
pub mod lqr {}

#[doc = include_str!("mpc.md")]
pub mod mpc {}

#[doc = include_str!("filters.md")]
pub mod filters {}

#[doc = include_str!("fits.md")]
pub mod fits {}

#[doc = include_str!("optimal.md")]
pub mod optimal {}

#[doc = include_str!("terms.md")]
pub mod terms {}
