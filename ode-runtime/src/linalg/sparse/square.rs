//! Large square systems: for a consistent start, and for algebraic variables.

use core::fmt;
use std::cell::RefCell;
use std::sync::Arc;
use std::vec::Vec;

use crate::linalg::sparse::elimination::Elimination;
use crate::linalg::sparse::lu::Lu;
use crate::linalg::sparse::order::Massless;
use crate::linalg::sparse::plan::Plan;
use crate::linalg::{Factored, Singular, Square};
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;

/// The places of entries, and the plan of their pattern.
type Analysed = (Vec<(usize, usize)>, Arc<Plan>);

/// [`Square`] of a large model: the entries that are not zero, and the analysis of their pattern.
#[derive(Debug)]
pub struct SparseSquare<T> {
    size: usize,
    /// unknowns from here on are multipliers
    multipliers: usize,
    entries: Vec<(usize, usize, T)>,
    rhs: Vec<T>,
    room: Vec<T>,
    /// those of the last solution, and whether they are of the present entries
    factors: Option<SparseFactors<T>>,
    current: bool,
    analysed: RefCell<Option<Analysed>>,
}

impl<T: Real> SparseSquare<T> {
    /// A system of `size` rows, of which those from `multipliers` on have no entry on the diagonal.
    fn of(size: usize, multipliers: usize) -> Self {
        Self {
            size,
            multipliers,
            entries: Vec::new(),
            rhs: std::vec![T::ZERO; size],
            room: Vec::new(),
            factors: None,
            current: false,
            analysed: RefCell::default(),
        }
    }

    /// The plan of the pattern of the present entries.
    fn plan(&self) -> Arc<Plan> {
        let places = || self.entries.iter().map(|&(r, c, _)| (r, c));
        match &mut *self.analysed.borrow_mut() {
            Some((before, plan)) if before.iter().copied().eq(places()) => Arc::clone(plan),
            analysed => {
                let plan = Arc::new(Plan::new(self.size, self.multipliers, Massless::default(), places()));
                *analysed = Some((places().collect(), Arc::clone(&plan)));
                plan
            }
        }
    }

    /// The factors of the present entries, in the room of other ones of this pattern.
    fn decompose(&self, room: Option<SparseFactors<T>>) -> Result<SparseFactors<T>, Singular> {
        let (places, plan) = (|| self.entries.iter().map(|&(r, c, _)| (r, c)), self.plan());
        let room = room.filter(|room| Arc::ptr_eq(&room.elimination.plan, &plan));
        let mut elimination = match room {
            Some(SparseFactors { mut elimination, .. }) => {
                elimination.clear();
                elimination
            }
            None => Elimination::new(Arc::clone(&plan), false, &[]),
        };
        for &(r, c, value) in &self.entries {
            if let Some(place) = plan.place(r, c) {
                elimination.add(place, value);
            }
        }
        elimination.factorize(false);
        let Some(index) = elimination.unsound(T::PIVOT_TOLERANCE) else {
            return Ok(SparseFactors { elimination, exchanged: None });
        };
        let lu = if T::PLAIN { Lu::new(self.size, places()) } else { None };
        let mut lu = lu.ok_or(Singular { index })?;
        lu.factorize(self.entries.iter().map(|&(.., value)| value)).map_err(|_| Singular { index })?;
        Ok(SparseFactors { elimination, exchanged: Some(lu) })
    }
}

impl<T: Real> Square<T> for SparseSquare<T> {
    type Factors = SparseFactors<T>;
    const SPARSE: bool = true;

    fn new(layout: &Layout<'_>) -> Self {
        let conditions = layout.init_position.len().max(layout.init_velocity.len());
        Self::of(layout.v.len() + layout.constraints.len() + conditions, layout.v.len())
    }

    fn size(&self) -> usize {
        self.size
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.current = false;
    }

    fn set(&mut self, row: usize, column: usize, value: T) {
        if value != T::ZERO && row.max(column) < self.size {
            self.entries.push((row, column, value));
        }
        self.current = false;
    }

    fn room(&mut self, len: usize) -> (&mut [T], &mut [T]) {
        self.room.resize(len, T::ZERO);
        (&mut self.room, &mut self.rhs)
    }

    fn rhs(&mut self) -> &mut [T] {
        &mut self.rhs
    }

    fn factorize(&self) -> Result<SparseFactors<T>, Singular> {
        self.decompose(None)
    }

    fn solve(&mut self) -> Result<(), Singular> {
        let factors = match self.factors.take() {
            Some(factors) if self.current => factors,
            other => self.decompose(other)?,
        };
        factors.solve(&mut self.rhs);
        (self.factors, self.current) = (Some(factors), true);
        Ok(())
    }
}

/// The same of the algebraic variables of a model.
#[derive(Debug)]
pub struct SparseAlgebra<T>(SparseSquare<T>);

impl<T: Real> Square<T> for SparseAlgebra<T> {
    type Factors = SparseFactors<T>;
    const SPARSE: bool = true;

    fn new(layout: &Layout<'_>) -> Self {
        Self(SparseSquare::of(layout.algebraic, layout.algebraic))
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn set(&mut self, row: usize, column: usize, value: T) {
        self.0.set(row, column, value);
    }

    fn room(&mut self, len: usize) -> (&mut [T], &mut [T]) {
        self.0.room(len)
    }

    fn rhs(&mut self) -> &mut [T] {
        self.0.rhs()
    }

    fn factorize(&self) -> Result<SparseFactors<T>, Singular> {
        self.0.factorize()
    }

    fn solve(&mut self) -> Result<(), Singular> {
        self.0.solve()
    }
}

/// The factors of a [`SparseSquare`].
pub struct SparseFactors<T> {
    elimination: Elimination<T>,
    /// used instead, where pivots lost their digits
    exchanged: Option<Lu>,
}

impl<T: Real> Factored<T> for SparseFactors<T> {
    fn solve(&self, x: &mut [T]) {
        match &self.exchanged {
            Some(lu) => lu.solve([x], false),
            None => self.elimination.solve([x]),
        }
    }
}

impl<T> fmt::Debug for SparseFactors<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SparseFactors").finish_non_exhaustive()
    }
}
