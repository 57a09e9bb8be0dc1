//! Steps along screws: a point and a rotation move together.

use ode_runtime::{Optimizable, Scalar, UnknownName, so3};

use crate::optimal::shooting::coordinates::{Coordinates, four, three};
use crate::optimal::shooting::own::{Known, OwnStep};
use crate::optimal::turn::Turn;

/// Semi-implicit Euler steps in body velocities: a point r and the rotation q of its body move along a screw,
///
/// ```text
/// b = Rᵀ ṙ,   b⁺ = b + h (Rᵀ r̈ − ω × b),   ω⁺ = ω + h ω̇,   (r, q)⁺ = (r, q) exp(h b⁺, h ω⁺)
/// ```
///
/// with the exponential of SE(3). These are the steps of a free-flyer in programs whose states have velocities of the
/// body, such as Crocoddyl's with a model of Pinocchio; here states keep ṙ⁺ = R⁺ b⁺. All other coordinates move as
/// those of the semi-explicit Euler method do.
#[derive(Clone, Debug)]
pub struct Screw {
    bodies: Vec<Body>,
}

#[derive(Clone, Copy, Debug)]
struct Body {
    /// first entries of the point, in q and in v
    point: (usize, usize),
    /// of the rotation
    rotation: (usize, usize),
    /// whether ω is about the axes of the world
    world: bool,
}

impl Screw {
    /// Of the bodies of a model, each by the names of the coordinates of its point, a `Vec3`, and of its rotation; of
    /// an `SE3`, its name twice.
    ///
    /// # Errors
    /// A name that is not that of one such coordinate: a list has several. A model with points on the sphere has none,
    /// since steps of one's own do not take it.
    pub fn of<'n, S: Optimizable<Real = f64>>(
        system: &S,
        bodies: impl IntoIterator<Item = (&'n str, &'n str)>,
    ) -> Result<Self, UnknownName> {
        let (layout, coordinates) = (system.layout(), Coordinates::of(system));
        let rotations = || system.rotations().iter().filter(|(_, count)| *count == 4).zip(Turn::all(system));
        let of = |(point, rotation): (&str, &str)| {
            let unknown = |name| UnknownName::new("coordinate of a body", name, layout.q.iter().copied());
            let found = coordinates.as_ref().and_then(|own| own.point(|place| layout.names_step(point, place)));
            let point = found.ok_or_else(|| unknown(point))?;
            let is_of = |entry: &str| entry.strip_prefix(rotation).is_some_and(|rest| rest.starts_with(['.', '[']));
            let mut turns =
                rotations().filter(|((place, _), _)| layout.q.get(*place).is_some_and(|entry| is_of(entry)));
            let found = turns.next().filter(|_| turns.next().is_none());
            let (&(place, _), turn) = found.ok_or_else(|| unknown(rotation))?;
            Ok(Body { point, rotation: (place, turn.at), world: turn.world() })
        };
        let bodies = bodies.into_iter().map(of).collect::<Result<_, UnknownName>>()?;
        Ok(Self { bodies })
    }
}

impl OwnStep for Screw {
    fn step<T: Scalar>(&self, from: Known<'_, T>, q: &mut [T], v: &mut [T]) {
        let h = T::from_f64(from.h);
        let scaled = |x: [T; 3]| x.map(|x| h * x);
        for &Body { point: (r, rate), rotation: (place, turn), world } in &self.bodies {
            // in the world, R ω before and after, where R is that of the beginning
            let quaternion = four(&from.q[place..]);
            let spin = |v: &[T]| if world { three(v) } else { so3::rotate(&quaternion, &three(v)) };
            let (omega, next) = (spin(&from.v[turn..]), scaled(spin(&v[turn..])));
            let (velocity, a) = (three(&from.v[rate..]), three(&from.a[rate..]));
            let across = so3::cross(&omega, &velocity);
            let along: [T; 3] = core::array::from_fn(|i| velocity[i] + h * (a[i] - across[i]));
            let step = so3::tangent(&next.map(|x| -x), &scaled(along));
            q[r..r + 3].iter_mut().zip(&from.q[r..]).zip(step).for_each(|((q, &from), step)| *q = from + step);
            v[rate..rate + 3].copy_from_slice(&so3::rotate(&so3::exp(&next), &along));
        }
    }
}
