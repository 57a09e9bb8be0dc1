//! The rows of constraints that hold a start.

use ode_runtime::linalg::DMatrix;
use ode_runtime::variation::Places;
use ode_runtime::{Block, Constraint, Layout, Name, RowKind, Sensitive, State};

use crate::dense::dense;
use crate::matrix::operations::finite;

/// Singular values, relative to the largest, below which rows depend on others.
const DEPENDENT: f64 = 1e-9;

/// The rows that hold positions, or velocities.
pub(super) struct HeldRows<'a> {
    layout: Layout<'a>,
    rows: Vec<usize>,
}

/// What all rows change by.
pub(super) struct Changes {
    /// ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, …)
    states: DMatrix<f64>,
    /// the same by the parameters of the fit
    parameters: DMatrix<f64>,
    places: Places,
}

impl<'a> HeldRows<'a> {
    /// Those of Φ.
    pub(super) fn positions(layout: &Layout<'a>) -> Self {
        Self::of(layout, |kind| kind == RowKind::Holonomic)
    }

    /// Those of Φ̇ and ψ.
    pub(super) fn velocities(layout: &Layout<'a>) -> Self {
        Self::of(layout, |kind| kind != RowKind::Compliant)
    }

    fn of(layout: &Layout<'a>, has: impl Fn(RowKind) -> bool) -> Self {
        let kind = |row: &usize| layout.kinds.get(*row).copied().unwrap_or(RowKind::Holonomic);
        Self { layout: *layout, rows: (0..layout.constraints.len()).filter(|row| has(kind(row))).collect() }
    }

    /// Their values as a column.
    pub(super) fn values(&self, all: &[f64]) -> DMatrix<f64> {
        DMatrix::from_fn(self.rows.len(), 1, |row, _| all[self.rows[row]])
    }

    /// The row that is off most.
    pub(super) fn worst(&self, all: &[f64]) -> Name {
        let worst = self.rows.iter().max_by(|a, b| all[**a].abs().total_cmp(&all[**b].abs()));
        Name::new(worst.map_or("", |&row| self.layout.constraints[row]))
    }

    /// Their columns of G.
    pub(super) fn jacobian<S>(&self, found: &Constraint<S>, columns: &[usize]) -> DMatrix<f64>
    where
        S: Sensitive<Real = f64>,
    {
        let g = dense(self.layout.jacobian, found.jacobian.as_ref());
        DMatrix::from_fn(self.rows.len(), columns.len(), |row, k| g[(self.rows[row], columns[k])])
    }

    /// How many rows are independent.
    pub(super) fn rank(&self, of: &DMatrix<f64>) -> usize {
        if of.is_empty() || !finite(of) {
            return 0;
        }
        let values = of.singular_values();
        values.iter().filter(|&&s| s > DEPENDENT * values.max()).count()
    }

    /// A column that these rows do not determine.
    pub(super) fn undetermined(&self, of: &DMatrix<f64>) -> Option<usize> {
        (0..of.ncols()).find(|&k| self.rank(of) == self.rank(&of.clone().remove_column(k)))
    }

    /// What changes all rows at a state.
    pub(super) fn changes<S>(system: &S, x: &State<S>, parameters: &[usize]) -> Changes
    where
        S: Sensitive<Real = f64>,
    {
        let (patterns, u) = (system.partial_patterns(), nominal(system));
        let mut states = S::Partials::zeros(patterns.states.nnz());
        system.partials(x.at(&u), x.rates(), &mut states);
        let mut by = S::PartialsByParameter::zeros(patterns.parameters.nnz());
        system.partials_by_parameter(x.at(&u), x.rates(), &mut by);
        let by = dense(patterns.parameters, by.as_ref());
        Changes {
            states: dense(patterns.states, states.as_ref()),
            parameters: DMatrix::from_fn(by.nrows(), parameters.len(), |row, k| by[(row, parameters[k])]),
            places: Places::of(&system.layout()),
        }
    }

    /// What these rows change by with entries of their level that are free, and with all that is known in `tangent`,
    /// whose first columns are those of parameters.
    pub(super) fn changed(
        &self,
        of: &Changes,
        level: usize,
        free: &[usize],
        tangent: &DMatrix<f64>,
        parameters: usize,
    ) -> (DMatrix<f64>, DMatrix<f64>) {
        let nv = self.layout.v.len();
        let first = if level == 0 { of.places.laws().start } else { of.places.rates().start };
        let own = level * nv;
        let by_free =
            DMatrix::from_fn(self.rows.len(), free.len(), |r, k| of.states[(first + self.rows[r], own + free[k])]);
        let known = DMatrix::from_fn(self.rows.len(), tangent.ncols(), |r, k| {
            let row = first + self.rows[r];
            let direct = if k < parameters { of.parameters[(row, k)] } else { 0.0 };
            // entries that are free are zero so far
            direct + (0..own + nv).map(|i| of.states[(row, i)] * tangent[(i, k)]).sum::<f64>()
        });
        (by_free, known)
    }
}

/// Φ, Φ̇ and G of a state.
pub(super) fn constraint<S: Sensitive<Real = f64>>(system: &S, x: &State<S>) -> Constraint<S> {
    let mut found = Constraint::zeros(&system.layout());
    system.constraint(x.at(&nominal(system)), &mut found);
    found
}

/// The inputs without which no state is evaluated; constraints do not read them.
fn nominal<S: Sensitive<Real = f64>>(system: &S) -> S::U {
    let mut u = S::U::zeros(system.layout().u.len());
    system.nominal(&mut u);
    u
}

/// The least x with A x = −b.
pub(super) fn follow(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    if a.is_empty() {
        return DMatrix::zeros(a.ncols(), b.ncols());
    }
    if !finite(a) || !finite(b) {
        // the decomposition would not end
        return DMatrix::from_element(a.ncols(), b.ncols(), f64::NAN);
    }
    let svd = a.clone().svd(true, true);
    let least = DEPENDENT * svd.singular_values.max();
    svd.solve(b, least).map_or_else(|_| DMatrix::zeros(a.ncols(), b.ncols()), |x| -x)
}
