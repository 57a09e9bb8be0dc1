//! The unknowns of an interval, and what each number at a point depends on.

use ode_runtime::{Order, RowKind, Sensitive};

use crate::optimal::collocation::scheme::Tableau;
use crate::optimal::turn::Turn;

/// The numbers of the unknowns at each point, and their order: a (of a first-order model v), rates of z (of algebraic
/// variables their values), λ, with constraints e = Gᵀμ and μ, and of rotations τ.
///
/// Positions follow from q̇ = v + e, the steps of rotations from θ̇ = v + e + τ. The equations of a point have the same
/// order: r, s, Φ, e − Gᵀμ, Φ̇ and that of τ.
#[derive(Clone, Debug)]
pub struct Sizes {
    pub(super) tableau: Tableau,
    /// the length of an interval
    pub(super) h: f64,
    /// which share of a free horizon that is
    pub(super) share: Option<f64>,
    /// the intervals before this one
    pub(super) number: usize,
    pub(super) first_order: bool,
    pub(super) nv: usize,
    pub(super) nz: usize,
    /// z with a rate
    pub(super) differential: usize,
    pub(super) nc: usize,
    pub(super) nu: usize,
    /// directions of the state
    pub(super) directions: usize,
    /// which rows hold a position, and its rate by a multiplier μ
    pub(super) holonomic: Vec<bool>,
    /// the places of rates of rotations, and then of points of the sphere, among the velocities
    turned: Vec<usize>,
}

/// What a number at a point is, by its flat column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Position(usize),
    Velocity(usize),
    Acceleration(usize),
    State(usize),
    Multiplier(usize),
    Input(usize),
    Time,
    Origin(usize),
}

impl Sizes {
    pub(super) fn of<S: Sensitive>(system: &S, tableau: Tableau, h: f64) -> Self {
        let layout = system.layout();
        let (nv, nz) = (layout.v.len(), layout.z.len());
        let rotations = Turn::all(system).into_iter().flat_map(|turn| turn.at..turn.at + 3);
        let spheres = Turn::spheres(system).into_iter().flat_map(|at| at..at + 2);
        Self {
            tableau,
            h,
            share: None,
            number: 0,
            first_order: layout.order == Order::First,
            nv,
            nz,
            differential: nz - layout.algebraic,
            nc: layout.constraints.len(),
            nu: layout.u.len(),
            directions: layout.state_directions(),
            holonomic: (0..layout.constraints.len()).map(|row| layout.kind(row) == RowKind::Holonomic).collect(),
            turned: rotations.chain(spheres).collect(),
        }
    }

    /// The numbers of velocities, states, rows and inputs.
    #[cfg(feature = "second-order")]
    pub(super) fn numbers(&self) -> [usize; 4] {
        [self.nv, self.nz, self.nc, self.nu]
    }

    /// Whether positions are held and their rates too.
    pub(super) fn stabilised(&self) -> bool {
        !self.first_order && self.holonomic.contains(&true)
    }

    /// The number of unknowns at a point.
    pub(super) fn block(&self) -> usize {
        self.turn() + self.turned.len()
    }

    /// The number of unknowns of an interval.
    pub(super) fn unknowns(&self) -> usize {
        self.tableau.points * self.block()
    }

    /// The unknowns that an interval begins with: the state, inputs that go on, and a free horizon.
    pub(super) fn begin(&self) -> usize {
        self.horizon() + usize::from(self.share.is_some())
    }

    /// The place of a free horizon among them.
    pub(super) fn horizon(&self) -> usize {
        self.directions + if self.tableau.continuous() { self.nu } else { 0 }
    }

    /// The inputs that an interval chooses.
    pub(super) fn inputs(&self) -> usize {
        self.tableau.chosen() * self.nu
    }

    pub(super) fn rate(&self) -> usize {
        self.nv
    }

    pub(super) fn lambda(&self) -> usize {
        self.nv + self.nz
    }

    pub(super) fn drift(&self) -> usize {
        self.lambda() + self.nc
    }

    pub(super) fn mu(&self) -> usize {
        self.drift() + if self.stabilised() { self.nv } else { 0 }
    }

    pub(super) fn turn(&self) -> usize {
        self.mu() + if self.stabilised() { self.nc } else { 0 }
    }

    /// Where each kind of unknown of a point begins, and their end.
    pub(super) fn kinds(&self) -> [usize; 7] {
        [0, self.rate(), self.lambda(), self.drift(), self.mu(), self.turn(), self.block()]
    }

    /// The velocity that τ belongs to, by its place.
    pub(super) fn turned(&self, i: usize) -> Option<usize> {
        self.turned.get(i).copied()
    }

    /// The number of columns of the derivatives of a model: (q, v, a, z, λ, u, t).
    pub(super) fn columns(&self) -> usize {
        3 * self.nv + self.nz + self.nc + self.nu + 1
    }

    /// The number of flat columns: those of a model with the steps of rotations, and then where these begin.
    pub(super) fn flat(&self) -> usize {
        self.columns() + self.turned.len()
    }

    #[cfg(feature = "second-order")]
    pub(super) fn multiplier_column(&self, i: usize) -> usize {
        3 * self.nv + self.nz + i
    }

    /// The column of a direction of (x, u), as costs and limits have them.
    pub(super) fn column(&self, direction: usize) -> usize {
        let moving = if self.first_order { self.nv } else { 2 * self.nv };
        match direction {
            i if i < moving => i,
            i if i < self.directions => 3 * self.nv + (i - moving),
            i => 3 * self.nv + self.nz + self.nc + (i - self.directions),
        }
    }

    /// The column of a column of costs and limits: (q, v, z, u).
    #[cfg(feature = "second-order")]
    pub(super) fn of_function(&self, column: usize) -> usize {
        let Self { nv, nz, nc, .. } = *self;
        match column {
            i if i < 2 * nv => i,
            i if i < 2 * nv + nz => i + nv,
            i => i + nv + nc,
        }
    }

    fn kind(&self, column: usize) -> Kind {
        let Self { nv, nz, nc, nu, .. } = *self;
        match column {
            i if i < nv => Kind::Position(i),
            i if i < 2 * nv => Kind::Velocity(i - nv),
            i if i < 3 * nv => Kind::Acceleration(i - 2 * nv),
            i if i < 3 * nv + nz => Kind::State(i - 3 * nv),
            i if i < 3 * nv + nz + nc => Kind::Multiplier(i - 3 * nv - nz),
            i if i < 3 * nv + nz + nc + nu => Kind::Input(i - 3 * nv - nz - nc),
            i if i < self.columns() => Kind::Time,
            i => Kind::Origin(self.turned.get(i - self.columns()).copied().unwrap_or(0)),
        }
    }

    /// Visits what a flat column at a point depends on: places among (unknowns, beginning, inputs), with the derivative
    /// where these are `numbers`.
    pub(super) fn visit(&self, point: usize, column: usize, numbers: &[f64], mut see: impl FnMut(usize, f64)) {
        self.weights(point, column, 0, &mut see);
        if let Some(share) = self.share {
            see(self.unknowns() + self.horizon(), share * self.by_length(point, column, numbers, 1));
        }
    }

    /// The derivative of a flat column by the length of the interval, of the first or the second order.
    pub(super) fn by_length(&self, point: usize, column: usize, numbers: &[f64], order: usize) -> f64 {
        if self.kind(column) == Kind::Time {
            return if order == 1 { self.number as f64 + self.tableau.c[point] } else { 0.0 };
        }
        let mut sum = 0.0;
        self.weights(point, column, order, &mut |place, weight| {
            if weight != 0.0 {
                sum += weight * numbers[place];
            }
        });
        sum
    }

    /// Visits the weights by which a flat column is a sum of places, differentiated `order` times by the length
    /// of the interval.
    pub(super) fn weights(&self, point: usize, column: usize, order: usize, see: &mut impl FnMut(usize, f64)) {
        let Self { tableau, h, nv, .. } = self;
        let (m, block) = (self.unknowns(), self.block());
        let (row, square) = (tableau.a[point], tableau.square[point]);
        // 1, h and h²
        let [one, length, area] = match order {
            0 => [1.0, *h, h * h],
            1 => [0.0, 1.0, 2.0 * h],
            _ => [0.0, 0.0, 2.0],
        };
        let mut sum = |offset: usize, weights: &[f64], factor: f64| {
            let all = weights.iter().take(tableau.points).enumerate().filter(|(_, weight)| **weight != 0.0);
            all.for_each(|(j, weight)| see(j * block + offset, weight * factor));
        };
        match self.kind(column) {
            Kind::Position(i) => {
                let turned = self.turned.iter().position(|turned| *turned == i);
                if let Some(own) = turned {
                    sum(self.turn() + own, &row, length);
                }
                if self.first_order {
                    sum(i, &row, length);
                } else {
                    sum(i, &square, area);
                    if self.stabilised() {
                        sum(self.drift() + i, &row, length);
                    }
                    see(m + nv + i, length * tableau.c[point]);
                }
                if turned.is_none() {
                    see(m + i, one);
                }
            }
            Kind::Origin(i) => see(m + i, one),
            Kind::Velocity(i) if self.first_order => see(point * block + i, one),
            Kind::Velocity(i) => {
                sum(i, &row, length);
                see(m + nv + i, one);
            }
            Kind::Acceleration(_) if self.first_order => {}
            Kind::Acceleration(i) => see(point * block + i, one),
            Kind::State(i) if i < self.differential => {
                sum(self.rate() + i, &row, length);
                see(m + self.directions - self.differential + i, one);
            }
            Kind::State(i) => see(point * block + self.rate() + i, one),
            Kind::Multiplier(i) => see(point * block + self.lambda() + i, one),
            Kind::Input(i) => match (tableau.continuous(), point) {
                (true, 0) => see(m + self.directions + i, one),
                (true, _) => see(m + self.begin() + (point - 1) * self.nu + i, one),
                (false, _) => see(m + self.begin() + point * self.nu + i, one),
            },
            Kind::Time => {}
        }
    }
}
