//! Optima of discrete problems that other programs have solved: IPOPT, fatrop, Crocoddyl.

mod swing_up;
