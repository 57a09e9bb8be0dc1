//! Schemes of collocation: the points of an interval, and their weights.

/// The polynomials by which motion and inputs go on in an interval: equations hold at its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scheme {
    /// The ends of the interval, order 2: Lobatto IIIA with two stages. Inputs are continuous.
    Trapezoidal,
    /// The ends and the middle, order 4: Lobatto IIIA with three stages, the separated form of Hermite and Simpson's
    /// formulas. Inputs are continuous.
    HermiteSimpson,
    /// Radau IIA with three stages, order 5. Inputs are a parabola in each interval, and may jump between them. The one
    /// for constraints.
    Radau,
}

/// The largest number of points.
const MOST: usize = 3;

/// The points c of a scheme, its weights A, and A².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tableau {
    pub(super) points: usize,
    pub(super) c: [f64; MOST],
    pub(super) a: [[f64; MOST]; MOST],
    pub(super) square: [[f64; MOST]; MOST],
}

impl Tableau {
    fn of(points: usize, c: [f64; MOST], a: [[f64; MOST]; MOST]) -> Self {
        let square = |i: usize, j: usize| (0..points).map(|k| a[i][k] * a[k][j]).sum();
        let square = core::array::from_fn(|i| core::array::from_fn(|j| square(i, j)));
        Self { points, c, a, square }
    }

    /// Whether the first point is the beginning: it shares its inputs with the end of the interval before.
    pub(super) fn continuous(&self) -> bool {
        self.c[0] == 0.0
    }

    /// The number of points whose inputs an interval chooses.
    pub(super) fn chosen(&self) -> usize {
        self.points - usize::from(self.continuous())
    }

    /// What each point counts in an integral over the interval, per length.
    pub(super) fn weights(&self) -> [f64; MOST] {
        self.a[self.points - 1]
    }
}

impl Scheme {
    /// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, tables IV.5.6 and IV.5.7.
    pub(super) fn tableau(self) -> Tableau {
        let root = 6.0_f64.sqrt();
        match self {
            Self::Trapezoidal => Tableau::of(2, [0.0, 1.0, 0.0], [[0.0; 3], [0.5, 0.5, 0.0], [0.0; 3]]),
            Self::HermiteSimpson => {
                let middle = [5.0 / 24.0, 1.0 / 3.0, -1.0 / 24.0];
                Tableau::of(3, [0.0, 0.5, 1.0], [[0.0; 3], middle, [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]])
            }
            Self::Radau => {
                let first = [(88.0 - 7.0 * root) / 360.0, (296.0 - 169.0 * root) / 1800.0, (-2.0 + 3.0 * root) / 225.0];
                let second =
                    [(296.0 + 169.0 * root) / 1800.0, (88.0 + 7.0 * root) / 360.0, (-2.0 - 3.0 * root) / 225.0];
                let last = [(16.0 - root) / 36.0, (16.0 + root) / 36.0, 1.0 / 9.0];
                Tableau::of(3, [(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0], [first, second, last])
            }
        }
    }
}
