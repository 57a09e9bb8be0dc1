//! A linear system with names on its states, inputs and outputs.

use core::fmt;

use ode_runtime::UnknownName;
use ode_runtime::linalg::{DMatrix, Labelled};

/// The linear system ẋ = A x + B u, y = C x + D u; of steps x⁺ = A x + B u.
///
/// x, u and y are differences from the point of the linearisation. Rows and columns have names: those of the states,
/// n of them, of the inputs, m, and of the outputs, p.
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

/// A matrix that does not fit the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// which matrix
    pub matrix: &'static str,
    /// its rows and columns
    pub found: (usize, usize),
    /// those it must have
    pub expected: (usize, usize),
}

impl Misfit {
    /// Refuses a matrix of another shape.
    pub(crate) fn check(matrix: &'static str, found: &DMatrix<f64>, expected: (usize, usize)) -> Result<(), Self> {
        let found = found.shape();
        if found == expected { Ok(()) } else { Err(Self { matrix, found, expected }) }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matrix, found: (r, c), expected: (rows, columns) } = self;
        write!(f, "{matrix} is {r} × {c}, where this system needs {rows} × {columns}")
    }
}

impl core::error::Error for Misfit {}

impl StateSpace {
    /// The system of these matrices, with the names of the rows of A, the columns of B and the rows of C; `step` is the
    /// time of a step of a discrete system.
    ///
    /// # Errors
    /// A matrix that does not fit the others.
    pub fn new(
        a: Labelled<f64>,
        b: Labelled<f64>,
        c: Labelled<f64>,
        d: Labelled<f64>,
        step: Option<f64>,
    ) -> Result<Self, Misfit> {
        let (n, m, p) = (a.nrows(), b.ncols(), c.nrows());
        Misfit::check("A", &a, (n, n))?;
        Misfit::check("B", &b, (n, m))?;
        Misfit::check("C", &c, (p, n))?;
        Misfit::check("D", &d, (p, m))?;
        Ok(Self { a, b, c, d, step })
    }

    /// The system whose outputs are its states.
    ///
    /// # Errors
    /// A matrix that does not fit the other.
    pub fn of_states(a: Labelled<f64>, b: Labelled<f64>, step: Option<f64>) -> Result<Self, Misfit> {
        let states = a.row_names();
        let c = Labelled::new(states, states, |r, c| if r == c { 1.0 } else { 0.0 });
        let d = Labelled::new(states, b.column_names(), |_, _| 0.0);
        Self::new(a, b, c, d, step)
    }

    /// The same with one state more, the integral of an output: named `integral of` it. Of a discrete system with steps
    /// of h it is the sum ξ⁺ = ξ + h y.
    ///
    /// # Errors
    /// An output that does not exist.
    pub fn with_integral(&self, output: &str) -> Result<Self, UnknownName> {
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
