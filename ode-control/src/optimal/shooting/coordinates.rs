//! Coordinates as functions of any numbers: q ⊕ θ and its reverse, as models have them.

use ode_runtime::{Optimizable, Scalar, so3};

use crate::optimal::turn::Turn;

/// What entries of q are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    /// cosine and sine of an angle
    Angle,
    /// a quaternion
    Rotation {
        world: bool,
    },
}

/// Coordinates one after another: what each is, and its first entries of q and of v.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    all: Vec<(Kind, usize, usize)>,
}

impl Coordinates {
    /// Those of a model; `None` where steps are of another kind, as on the sphere.
    pub(super) fn of<S: Optimizable<Real = f64>>(system: &S) -> Option<Self> {
        let (layout, mut turns) = (system.layout(), Turn::all(system).into_iter());
        let (mut all, mut q, mut v) = (Vec::new(), 0, 0);
        while q < layout.q.len() {
            let rotation = system.rotations().iter().find(|(first, _)| *first == q);
            let (kind, entries, rates) = match rotation {
                None => (Kind::Number, 1, 1),
                Some((_, 2)) => (Kind::Angle, 2, 1),
                Some((_, 4)) => {
                    let turn = turns.next().filter(|turn| turn.at == v)?;
                    (Kind::Rotation { world: turn.world() }, 4, 3)
                }
                Some(_) => return None,
            };
            all.push((kind, q, v));
            (q, v) = (q + entries, v + rates);
        }
        ((q, v) == (layout.q.len(), layout.v.len())).then_some(Self { all })
    }

    /// Where three numbers begin among q, and where they do among the velocities; `None` if others have the name too.
    pub(super) fn point(&self, named: impl Fn(usize) -> bool) -> Option<(usize, usize)> {
        let numbers = self.all.iter().filter(|(kind, _, v)| *kind == Kind::Number && named(*v));
        let found: Vec<(usize, usize)> = numbers.map(|&(_, q, v)| (q, v)).collect();
        <[_; 3]>::try_from(found).ok().map(|[first, ..]| first)
    }

    /// `out` = q ⊕ step.
    pub(super) fn retract<T: Scalar>(&self, q: &[T], step: &[T], out: &mut [T]) {
        for &(kind, at, v) in &self.all {
            match kind {
                Kind::Number => out[at] = q[at] + step[v],
                Kind::Angle => {
                    let (cosine, sine) = (step[v].cos(), step[v].sin());
                    out[at] = cosine * q[at] - sine * q[at + 1];
                    out[at + 1] = sine * q[at] + cosine * q[at + 1];
                }
                Kind::Rotation { world } => {
                    let (from, by) = (four(&q[at..]), three(&step[v..]));
                    let to = match world {
                        true => so3::normalize(&so3::product(&so3::exp(&by), &from)),
                        false => so3::retract(&from, &by),
                    };
                    out[at..at + 4].copy_from_slice(&to);
                }
            }
        }
    }

    /// The step with `from` ⊕ step = `to`, into `out`.
    pub(super) fn local<T: Scalar>(&self, from: &[T], to: &[T], out: &mut [T]) {
        for &(kind, at, v) in &self.all {
            match kind {
                Kind::Number => out[v] = to[at] - from[at],
                Kind::Angle => {
                    let ([c, s], [x, y]) = ([from[at], from[at + 1]], [to[at], to[at + 1]]);
                    out[v] = (c * y - s * x).atan2(c * x + s * y);
                }
                Kind::Rotation { world } => {
                    let (from, to) = (four(&from[at..]), four(&to[at..]));
                    let by = match world {
                        true => so3::log(&so3::product(&to, &so3::conjugate(&from))),
                        false => so3::local(&from, &to),
                    };
                    out[v..v + 3].copy_from_slice(&by);
                }
            }
        }
    }
}

/// The first three of some numbers.
pub(super) fn three<T: Scalar>(x: &[T]) -> [T; 3] {
    core::array::from_fn(|i| x[i])
}

/// The first four of some numbers.
pub(super) fn four<T: Scalar>(x: &[T]) -> [T; 4] {
    core::array::from_fn(|i| x[i])
}
