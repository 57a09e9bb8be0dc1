//! Rotations among the coordinates of a model, as functions of steps: q = q₀ ⊕ θ.
//!
//! ```text
//! δq = T(θ) δθ + exp(−θ) δq₀,   θ̇ = T(θ)⁻¹ v     body rates; −θ in the place of θ where rates are spatial
//! ```
//!
//! All matrices are functions of θ alone, and the transposed ones are those of −θ.

use ode_runtime::linalg::SMatrix;
use ode_runtime::{Dual, Scalar, Sensitive, Turning, so3};

/// Three by three.
pub(super) type Three = SMatrix<f64, 3, 3>;

/// A rotation: the place of its first rate among the velocities, and whose axes its rates are about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) at: usize,
    world: bool,
}

impl Turn {
    /// The rotations of a model. Points of the sphere are none.
    pub(super) fn all<S: Sensitive>(system: &S) -> Vec<Self> {
        let of = |turning: &Turning| match *turning {
            Turning::Body(at) => Some(Self { at, world: false }),
            Turning::World(at) => Some(Self { at, world: true }),
            _ => None,
        };
        system.turnings().iter().filter_map(of).collect()
    }

    /// The points of the sphere, by their first rates. Their frames turn with the path that they took.
    pub(super) fn spheres<S: Sensitive>(system: &S) -> Vec<usize> {
        let of = |turning: &Turning| match *turning {
            Turning::Sphere(at) => Some(at),
            _ => None,
        };
        system.turnings().iter().filter_map(of).collect()
    }

    /// Whether its rates are about the axes of the world.
    pub(super) fn world(self) -> bool {
        self.world
    }

    /// Its entries of a block.
    pub(super) fn of(self, block: &[f64]) -> [f64; 3] {
        core::array::from_fn(|i| block.get(self.at + i).copied().unwrap_or(0.0))
    }

    /// θ as body rates have it.
    fn axis<T: Scalar>(self, step: &[T; 3]) -> [T; 3] {
        if self.world { back(step) } else { *step }
    }

    /// T(θ).
    pub(super) fn tangent(self, step: &[f64; 3]) -> Three {
        matrix(|unit| so3::tangent(&self.axis(step), unit))
    }

    /// exp(−θ).
    pub(super) fn carried(self, step: &[f64; 3]) -> Three {
        matrix(|unit| so3::rotate(&so3::exp(&back(&self.axis(step))), unit))
    }

    /// T(θ)⁻¹; NaN beyond half a turn.
    pub(super) fn rate(self, step: &[f64; 3]) -> Three {
        matrix(|unit| so3::step_rate(&self.axis(step), unit))
    }

    /// The derivative by θ of T(θ)ᵀ x.
    pub(super) fn bend_tangent(self, step: &[f64; 3], x: &[f64; 3]) -> Three {
        slopes(step, x, |step, x| so3::tangent(&back(&self.axis(step)), x))
    }

    /// That of exp(−θ)ᵀ x.
    pub(super) fn bend_carried(self, step: &[f64; 3], x: &[f64; 3]) -> Three {
        slopes(step, x, |step, x| so3::rotate(&so3::exp(&self.axis(step)), x))
    }

    /// That of T(θ)⁻ᵀ x.
    pub(super) fn bend_rate(self, step: &[f64; 3], x: &[f64; 3]) -> Three {
        slopes(step, x, |step, x| so3::step_rate(&back(&self.axis(step)), x))
    }

    /// The derivative by θ of T(θ)⁻¹ v.
    pub(super) fn vary_rate(self, step: &[f64; 3], v: &[f64; 3]) -> Three {
        slopes(step, v, |step, v| so3::step_rate(&self.axis(step), v))
    }

    /// The second derivatives by θ of xᵀ T(θ)⁻¹ v.
    pub(super) fn bend_twice(self, step: &[f64; 3], v: &[f64; 3], x: &[f64; 3]) -> Three {
        let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
        Three::from_fn(|r, c| {
            let twice = |i: usize| Dual::new(Dual::new(step[i], unit(i, r)), Dual::new(unit(i, c), 0.0));
            let fixed = |x: f64| Dual::constant(Dual::constant(x));
            let rate = so3::step_rate(&self.axis(&core::array::from_fn(twice)), &v.map(fixed));
            (0..3).map(|i| x[i] * rate[i].eps.eps).sum()
        })
    }
}

fn back<T: Scalar>(x: &[T; 3]) -> [T; 3] {
    x.map(|x| -x)
}

/// The matrix of a linear function.
fn matrix(of: impl Fn(&[f64; 3]) -> [f64; 3]) -> Three {
    let unit = |c: usize| core::array::from_fn(|i| f64::from(u8::from(i == c)));
    let columns: [[f64; 3]; 3] = core::array::from_fn(|c| of(&unit(c)));
    columns.into()
}

/// The derivative by θ of a function of θ and x.
fn slopes(step: &[f64; 3], x: &[f64; 3], of: impl Fn(&[Dual<f64>; 3], &[Dual<f64>; 3]) -> [Dual<f64>; 3]) -> Three {
    let seeded = |c: usize| core::array::from_fn(|i| Dual::new(step[i], f64::from(u8::from(i == c))));
    let columns: [[f64; 3]; 3] = core::array::from_fn(|c| of(&seeded(c), &x.map(Dual::constant)).map(|x| x.eps));
    columns.into()
}
