//! Systems made of systems.

use ode_runtime::linalg::{DMatrix, Labelled};

use crate::linear::misfit::Misfit;
use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;

impl StateSpace {
    /// The loop closed by u = −K x + r, with K m × n: A − B K, C − D K. The inputs of the closed loop are r.
    ///
    /// # Errors
    /// [`SystemError::Misfit`] of a gain that does not fit; [`SystemError::NonFinite`].
    pub fn closed(&self, gain: &DMatrix<f64>) -> Result<Self, SystemError> {
        self.check()?;
        Misfit::check("K", gain, (self.b.ncols(), self.a.nrows()))?;
        let (a, c) = (&*self.a - &*self.b * gain, &*self.c - &*self.d * gain);
        let a = Labelled::new(self.states(), self.states(), |row, column| a[(row, column)]);
        let c = Labelled::new(self.outputs(), self.states(), |row, column| c[(row, column)]);
        let system = Self { a, c, ..self.clone() };
        system.check()?;
        Ok(system)
    }

    /// The series of this system and the next one, whose inputs are this one's outputs, in their order. Its states are
    /// those of both.
    ///
    /// # Errors
    /// [`SystemError::Misfit`] of a next B that does not fit; [`SystemError::OtherStep`] of systems with different
    /// steps.
    pub fn then(&self, next: &Self) -> Result<Self, SystemError> {
        self.check()?;
        next.check()?;
        if self.step != next.step {
            return Err(SystemError::OtherStep { first: self.step, second: next.step });
        }
        Misfit::check("B of the next system", &next.b, (next.b.nrows(), self.c.nrows()))?;
        let n = self.a.nrows();
        let (driven, fed) = (&*next.b * &*self.c, &*next.b * &*self.d);
        let (shown, direct) = (&*next.d * &*self.c, &*next.d * &*self.d);
        let states: Vec<&String> = self.states().iter().chain(next.states()).collect();
        let a = Labelled::new(&states, &states, |r, c| match (r < n, c < n) {
            (true, true) => self.a[(r, c)],
            (true, false) => 0.0,
            (false, true) => driven[(r - n, c)],
            (false, false) => next.a[(r - n, c - n)],
        });
        let b = Labelled::new(&states, self.inputs(), |r, c| if r < n { self.b[(r, c)] } else { fed[(r - n, c)] });
        let c = Labelled::new(next.outputs(), &states, |r, c| if c < n { shown[(r, c)] } else { next.c[(r, c - n)] });
        let d = Labelled::new(next.outputs(), self.inputs(), |r, c| direct[(r, c)]);
        Ok(Self { a, b, c, d, step: self.step })
    }
}
