//! Variations of accelerations, steps and runs, against differences and dual numbers.

#![allow(unreachable_pub, reason = "models are public as users write them")]

mod accelerations;
mod adjoints;
mod asked;
mod blocks;
mod costs;
mod duals;
mod events;
mod given;
mod gradients;
mod hessians;
mod impacts;
mod inputs;
mod maps;
mod not_finite;
mod observed;
mod perturb;
mod planted;
mod random;
mod redundant;
mod runs;
mod sampled;
mod squeezer;
mod starts;
mod stepping;
mod steps;
mod together;

use ode_model_variation as models;
