//! The numbers of an explicit Runge–Kutta method.

/// Room for one thing a stage: an array.
pub trait Stages<X>: AsRef<[X]> + AsMut<[X]> {
    /// Each from `make`.
    fn fill(make: impl FnMut() -> X) -> Self;
}

impl<X, const N: usize> Stages<X> for [X; N] {
    fn fill(mut make: impl FnMut() -> X) -> Self {
        core::array::from_fn(|_| make())
    }
}

/// An explicit Runge–Kutta method: implement it on a unit struct, which is then a [`Method`](crate::Method) for every
/// model.
///
/// ```
/// use ode_runtime::integrators::Tableau;
///
/// /// Three stages of order 3, by Ralston.
/// #[derive(Clone, Copy, Debug)]
/// struct Ralston;
///
/// impl Tableau for Ralston {
///     type Stages<X> = [X; 3];
///     const NAME: &'static str = "Ralston";
///     const A: &'static [&'static [f64]] = &[&[], &[0.5], &[0.0, 0.75]];
///     const B: &'static [f64] = &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0];
///     const C: &'static [f64] = &[0.0, 0.5, 0.75];
///     const ORDER: u32 = 3;
/// }
/// ```
///
/// Coefficients are constants, so the compiler knows which are zero. Shapes that do not fit, rows of A that do not sum
/// to c and weights that do not sum to one are compile errors. Methods with embedded weights also implement
/// [`Estimates`](crate::Estimates); the order of the estimate is one more than that of b̂, or of b if that is smaller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a method",
    label = "not a method",
    note = "a method is a value: `Geodesic`, `BackwardEuler::default()`, `GeneralizedAlpha::with_spectral_radius(0.8)`",
    note = "a table of numbers of your own becomes an explicit Runge–Kutta method by `Tableau`"
)]
pub trait Tableau: Copy + Sized {
    /// `[X; N]` of N stages.
    type Stages<X>: Stages<X>;
    /// The name in checkpoints: that of the type, as users write it.
    const NAME: &'static str;
    /// aᵢⱼ: row i has i entries.
    const A: &'static [&'static [f64]];
    /// bᵢ
    const B: &'static [f64];
    /// cᵢ
    const C: &'static [f64];
    /// b̂ᵢ, or nothing for a method without an estimate.
    const EMBEDDED: &'static [f64] = &[];
    /// dᵢ of the quartic θ²(1 − θ)² h Σ dᵢ kᵢ that is added to the cubic between steps; empty for the cubic alone.
    const DENSE: &'static [f64] = &[];
    /// The order of b.
    const ORDER: u32;
}

/// What follows from the numbers of `T`.
pub(super) struct Derived<T>(core::marker::PhantomData<T>);

impl<T: Tableau> Derived<T> {
    /// Whether the last stage is the end of the step.
    pub(super) const LAST_IS_END: bool = last_is_end::<T>();
    /// bᵢ − b̂ᵢ
    pub(super) const ERROR: Differences = differences::<T>();

    /// Whether the rate of stage `i` is part of the error, or of the proposal if there is no estimate.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn summed(i: usize) -> bool {
        if T::EMBEDDED.is_empty() { T::B[i] != 0.0 } else { T::B[i] != T::EMBEDDED[i] }
    }
}

/// bᵢ − b̂ᵢ of up to 32 stages.
pub(super) struct Differences {
    weights: [f64; MOST],
    stages: usize,
}

impl Differences {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn weights(&self) -> &[f64] {
        self.weights.split_at(self.stages).0
    }
}

const MOST: usize = 32;

const fn differences<T: Tableau>() -> Differences {
    let (mut weights, mut i) = ([0.0; MOST], 0);
    while i < T::EMBEDDED.len() {
        weights[i] = T::B[i] - T::EMBEDDED[i];
        i += 1;
    }
    Differences { weights, stages: i }
}

const fn last_is_end<T: Tableau>() -> bool {
    let last = T::B.len() - 1;
    let mut same = T::C[last] == 1.0 && T::B[last] == 0.0;
    let mut j = 0;
    while j < last {
        same = same && T::A[last][j] == T::B[j];
        j += 1;
    }
    same && last > 0
}

/// Checks a tableau at compile time.
pub(super) const fn sound<T: Tableau>() {
    let stages = T::B.len();
    assert!(stages > 0 && stages <= MOST, "a tableau has from 1 to 32 stages");
    assert!(T::A.len() == stages && T::C.len() == stages, "a row of A and an entry of c for each stage");
    assert!(T::EMBEDDED.is_empty() || T::EMBEDDED.len() == stages, "an embedded weight for each stage");
    assert!(T::DENSE.is_empty() || T::DENSE.len() == stages, "a weight of the quartic for each stage");
    assert!(size_of::<T::Stages<u8>>() == stages, "`Stages` is an array of as many as there are stages");
    let mut i = 0;
    while i < stages {
        assert!(T::A[i].len() == i, "row i of A has i entries");
        assert!(near(sum(T::A[i]), T::C[i]), "rows of A sum to c");
        i += 1;
    }
    assert!(near(sum(T::B), 1.0), "weights sum to one");
    assert!(T::EMBEDDED.is_empty() || near(sum(T::EMBEDDED), 1.0), "embedded weights sum to one");
}

const fn sum(numbers: &[f64]) -> f64 {
    let (mut sum, mut i) = (0.0, 0);
    while i < numbers.len() {
        sum += numbers[i];
        i += 1;
    }
    sum
}

/// The tolerance allows for rounding in sums of a dozen numbers, some of them large.
const fn near(a: f64, b: f64) -> bool {
    let d = a - b;
    d < 1e-13 && d > -1e-13
}
