//! Kernels of `ode-model` behind the C interface that the contest measures: see `kernels` for what they compute.

mod describe;
mod export;
#[allow(dead_code, reason = "a few models may not need all kernels")]
mod kernels;
mod models {
    #[cfg(feature = "e_arm")]
    pub(crate) mod arm;
    #[cfg(feature = "b_cart2")]
    pub(crate) mod cart;
    #[cfg(any(feature = "c_chain5", feature = "c_chain10"))]
    pub(crate) mod chain;
    #[cfg(feature = "a_pend")]
    pub(crate) mod pendulum;
    #[cfg(feature = "f_quad")]
    pub(crate) mod quadrotor;
    #[cfg(feature = "d_andrews")]
    pub(crate) mod squeezer;
}

use ode_model::F64x8;

export::export! {
    "a_pend" = models::pendulum::Pendulum<f64> {
        a_pend_fd: Accelerations, a_pend_fdj: Derivatives<5>, a_pend_resj: Partials, a_pend_tan: Tangent
    }
    "b_cart2" = models::cart::Cart<f64> {
        b_cart2_fd: Accelerations, b_cart2_fdj: Derivatives<7>, b_cart2_resj: Partials, b_cart2_tan: Tangent
    }
    "c_chain5" = models::chain::Chain5<f64> {
        c_chain5_fd: Accelerations, c_chain5_fdj: Derivatives<15>, c_chain5_resj: Partials, c_chain5_tan: Tangent
    }
    "c_chain10" = models::chain::Chain10<f64> {
        c_chain10_fd: Accelerations, c_chain10_fdj: Derivatives<30>, c_chain10_resj: Partials, c_chain10_tan: Tangent
    }
    "d_andrews" = models::squeezer::Squeezer<f64> {
        d_andrews_fd: Accelerations, d_andrews_fdj: Derivatives<15>, d_andrews_resj: Partials, d_andrews_tan: Tangent
    }
    "e_arm" = models::arm::Arm<f64> {
        e_arm_fd: Accelerations, e_arm_fdj: Derivatives<21>, e_arm_resj: Partials, e_arm_tan: Tangent, e_arm_id: Torques
    }
    "f_quad" = models::quadrotor::Quadrotor<f64> { f_quad_fd: Accelerations, f_quad_fdj: Derivatives<17> }
    "b_cart2" = models::cart::Cart<F64x8> { b_cart2_fd8: Accelerations, b_cart2_tan8: Tangent }
    "c_chain5" = models::chain::Chain5<F64x8> { c_chain5_fd8: Accelerations, c_chain5_tan8: Tangent }
    "c_chain10" = models::chain::Chain10<F64x8> { c_chain10_fd8: Accelerations, c_chain10_tan8: Tangent }
    "d_andrews" = models::squeezer::Squeezer<F64x8> { d_andrews_fd8: Accelerations, d_andrews_tan8: Tangent }
    "e_arm" = models::arm::Arm<F64x8> { e_arm_fd8: Accelerations, e_arm_tan8: Tangent }
}
