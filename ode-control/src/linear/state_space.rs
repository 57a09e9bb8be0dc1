//! A linear system with names on its states, inputs and outputs.

use ode_runtime::linalg::Labelled;
use ode_runtime::{Name, UnknownName};

use crate::linear::misfit::Misfit;
use crate::linear::system_error::SystemError;

/// The linear system ẋ = A x + B u, y = C x + D u; of steps x⁺ = A x + B u.
///
/// x, u and y are differences from the point of the linearisation. Rows and columns have names: those of the states,
/// n of them, of the inputs, m, and of the outputs, p. Units are those of the model, SI.
///
/// [`Linearizer`](crate::Linearizer) makes it of a model, [`StateSpace::new`] of matrices.
///
/// ```
/// use ode_control::StateSpace;
/// use ode_runtime::linalg::Labelled;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // a mass of 2 kg on a spring of 8 N/m
/// let a = Labelled::new(["x", "v"], ["x", "v"], |r, c| [[0.0, 1.0], [-4.0, 0.0]][r][c]);
/// let b = Labelled::new(["x", "v"], ["f"], |r, _| [0.0, 0.5][r]);
/// let mass = StateSpace::of_states(a, b, None)?;
/// assert!((mass.poles()?[0].frequency() - 2.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateSpace {
    /// A, n × n
    pub a: Labelled<f64>,
    /// B, n × m
    pub b: Labelled<f64>,
    /// C, p × n
    pub c: Labelled<f64>,
    /// D, p × m
    pub d: Labelled<f64>,
    /// the time of a step; none of a continuous system
    pub step: Option<f64>,
}

impl StateSpace {
    /// The system of these matrices, with the names of the rows of A, the columns of B and the rows of C; `step` is the
    /// time of a step of a discrete system.
    ///
    /// # Errors
    /// [`SystemError`]: a matrix that does not fit the others, an entry that is not finite, a step that is not positive
    /// and finite.
    pub fn new(
        a: Labelled<f64>,
        b: Labelled<f64>,
        c: Labelled<f64>,
        d: Labelled<f64>,
        step: Option<f64>,
    ) -> Result<Self, SystemError> {
        let system = Self { a, b, c, d, step };
        system.check()?;
        Ok(system)
    }

    /// The system whose outputs are its states.
    ///
    /// # Errors
    /// As [`StateSpace::new`].
    pub fn of_states(a: Labelled<f64>, b: Labelled<f64>, step: Option<f64>) -> Result<Self, SystemError> {
        let states = a.row_names();
        let c = Labelled::new(states, states, |r, c| if r == c { 1.0 } else { 0.0 });
        let d = Labelled::new(states, b.column_names(), |_, _| 0.0);
        Self::new(a, b, c, d, step)
    }

    /// Names of the states, n.
    pub fn states(&self) -> &[String] {
        self.a.row_names()
    }

    /// Names of the inputs, m.
    pub fn inputs(&self) -> &[String] {
        self.b.column_names()
    }

    /// Names of the outputs, p.
    pub fn outputs(&self) -> &[String] {
        self.c.row_names()
    }

    /// Refuses matrices that do not fit each other, numbers that are not finite, and steps without a length: fields may
    /// have changed since the system was made.
    pub(crate) fn check(&self) -> Result<(), SystemError> {
        let Self { a, b, c, d, step } = self;
        let (n, m, p) = (a.nrows(), b.ncols(), c.nrows());
        for (matrix, of, expected) in [("A", a, (n, n)), ("B", b, (n, m)), ("C", c, (p, n)), ("D", d, (p, m))] {
            Misfit::check(matrix, of, expected)?;
            if let Some(k) = of.iter().position(|x| !x.is_finite()) {
                let row = Name::new(&of.row_names()[k % expected.0]);
                let column = Name::new(&of.column_names()[k / expected.0]);
                return Err(SystemError::NonFinite { matrix, row, column });
            }
        }
        match *step {
            Some(step) if !(step > 0.0 && step.is_finite()) => Err(SystemError::Step { value: step }),
            _ => Ok(()),
        }
    }

    /// The same with one state more, the integral of an output: named `integral of` it. Of a discrete system with steps
    /// of h it is the sum ξ⁺ = ξ + h y.
    ///
    /// # Errors
    /// [`SystemError::Name`] of an output that does not exist; matrices that do not fit or are not finite.
    pub fn with_integral(&self, output: &str) -> Result<Self, SystemError> {
        self.check()?;
        let Self { a, b, c, d, step } = self;
        let row = UnknownName::place("output", output, c.row_names())?;
        let (n, rate, kept) = (a.nrows(), step.unwrap_or(1.0), if step.is_some() { 1.0 } else { 0.0 });
        let own = std::format!("integral of {output}");
        let states: Vec<&str> = a.row_names().iter().map(String::as_str).chain([own.as_str()]).collect();
        let next = |r: usize, col: usize| match (r < n, col < n) {
            (true, true) => a[(r, col)],
            (true, false) => 0.0,
            (false, true) => rate * c[(row, col)],
            (false, false) => kept,
        };
        Ok(Self {
            a: Labelled::new(&states, &states, next),
            b: Labelled::new(
                &states,
                b.column_names(),
                |r, col| if r < n { b[(r, col)] } else { rate * d[(row, col)] },
            ),
            c: Labelled::new(c.row_names(), &states, |r, col| if col < n { c[(r, col)] } else { 0.0 }),
            d: d.clone(),
            step: *step,
        })
    }
}
