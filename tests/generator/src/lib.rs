//! Random models and what is asked of them.
//!
//! | module | noun |
//! | --- | --- |
//! | `random` | a model of a seed, as text |
//! | `oracle` | the meaning of the text, by dual numbers through its energies, constraints and laws as written |
//! | `assembly` | the blocks of a model with sets, added from those of its elements |
//! | `interpreter` | the result of the compiler: the kernels, motions and events of its program, run to the bit |
//! | `compare` | where the two differ |
//! | `texts` | models in files of Rust |
//!
//! # What is generated
//!
//! Each word that starts an item, and the forms of it that `random::kinds` lists. Of each, what a program computes of
//! it is compared:
//!
//! | items | compared |
//! | --- | --- |
//! | `param`, `unit`, `freeze`, `with` | defaults in SI, what subs are given, ∂/∂p |
//! | `coord` of all kinds, `state`, `algebraic`, `der(z)` | names, q̇, ż, ∂/∂(q, v, z, a, ż); q ⊕ θ, ⊖, T(θ) and its inverse |
//! | `kinetic`, `potential`, `dissipation`, `gravity`, `body`, `spring` | energies, r, f, M, Ṁ v, tangent |
//! | `mass`, `force`, `torque` | powers, and as above; J d, Jᵀ w, second derivatives where `emit` asks |
//! | `constraint`, `compliance`, `relax`, `redundant`, `fix` | Φ, Φ̇, Φ_t, G, γ, λ in r; what solves solve |
//! | `init`, `guess`, of subs too | where q, v and z start; exact conditions and their Jacobians |
//! | `input`, `limit` | bounds, values, Jacobians |
//! | `output`, `reaction`, `lambda`, `der2`, ports | values and Jacobians, of frames those of what reads them |
//! | `cost`, `residual`, `require` | values and Jacobians |
//! | `event`, `mode` | guards, their rates and directions, the state after; where modes begin |
//! | `let`, `fn`, `extern fn`, `pchip`, `for`, `if`, `sub`, `bind` | in all of these |
//! | `set`, `param p[s]`, `coord x[s]`, `for e @ (i, j) in s` | energies, forces, matrices, constraints and starts of elements, added, with those of the model written out |
//! | `set s: const n`, `= chain`, `= [..]` | what is read of them |
//! | `sub kid[s]`, `mode m[s]`, events in loops | as above; where modes begin, guards and states after events by the names of the model written out |
//!
//! One seed in eight gives a model with sets and members of these. The generator writes the same model out, without
//! sets, and that is compared with its text as every model is.
//!
//! Not generated: nominal values and vectors of `input`, groups (`param: Real { .. }`), `Vec<n>` and `Mat<r, c>`,
//! events that assign a vector, subs of other crates; with sets exact starts, algebraic variables and `require`, which
//! `tests/large` has.
//! Raw names, fragments of `macro_rules!` and mistakes have tests of their own.

pub mod assembly;
pub mod compare;
pub mod examine;
pub mod external;
pub mod interpreter;
pub mod jet;
pub mod oracle;
pub mod random;
pub mod texts;
