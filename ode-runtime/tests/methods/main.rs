//! What is claimed of single methods, and values that others publish.

#[path = "../common/mod.rs"]
mod common;

mod bdf2;
mod damping;
mod error_estimates;
mod errors_of_other_programs;
mod heavy_top;
mod leapfrog;
mod models_with_their_own_solves;
mod newton;
mod orders_on_rotations;
mod projection;
mod reference;
mod runge_kutta;
mod scheme_equations;
mod steps_off_the_grid;
mod strand;
mod symplectic;
mod turning_constraints;
