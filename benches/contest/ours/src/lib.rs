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

export::export! {
    "a_pend" = models::pendulum::Pendulum {
        a_pend_fd: Accelerations, a_pend_fdj: Derivatives<5>, a_pend_resj: Partials, a_pend_tan: Tangent
    }
    "b_cart2" = models::cart::Cart {
        b_cart2_fd: Accelerations, b_cart2_fdj: Derivatives<7>, b_cart2_resj: Partials, b_cart2_tan: Tangent
    }
    "c_chain5" = models::chain::Chain5 {
        c_chain5_fd: Accelerations, c_chain5_fdj: Derivatives<15>, c_chain5_resj: Partials, c_chain5_tan: Tangent
    }
    "c_chain10" = models::chain::Chain10 {
        c_chain10_fd: Accelerations, c_chain10_fdj: Derivatives<30>, c_chain10_resj: Partials, c_chain10_tan: Tangent
    }
    "d_andrews" = models::squeezer::Squeezer {
        d_andrews_fd: Accelerations, d_andrews_fdj: Derivatives<15>, d_andrews_resj: Partials, d_andrews_tan: Tangent
    }
    "e_arm" = models::arm::Arm {
        e_arm_fd: Accelerations, e_arm_fdj: Derivatives<21>, e_arm_resj: Partials, e_arm_tan: Tangent, e_arm_id: Torques
    }
    "f_quad" = models::quadrotor::Quadrotor { f_quad_fd: Accelerations, f_quad_fdj: Derivatives<17> }
}
