//! Random models and what is asked of them.
//!
//! | module | noun |
//! | --- | --- |
//! | `random` | a model of a seed, as text |
//! | `oracle` | what the text says, by dual numbers through its energies, constraints and laws as written |
//! | `interpreter` | what the compiler made of it: the kernels of its program, run to the bit |
//! | `compare` | where the two differ |
//! | `texts` | models in files of Rust |

pub mod compare;
pub mod examine;
pub mod interpreter;
pub mod jet;
pub mod oracle;
pub mod outside;
pub mod random;
pub mod texts;
