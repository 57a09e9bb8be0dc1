//! What the kernels compute, each with the public calls that give it fastest.
//!
//! Their inputs are those of the peers but parameters, which are a model's own. Their outputs stand as the library
//! writes them: the harness knows by [`Kernel::places`] where each number of the peers' packing is.

use std::mem::offset_of;

use ode_model::linalg::Saddle;
use ode_model::variation::{LinearMotion, Places, Solved};
use ode_model::{
    At, Block, Context, Forward, Lent, Linearize, Moment, Rates, Residual, Scalar, Sensitive, Solvable, System,
    Weights, Wide, Work,
};

use crate::describe::{Place, matrix, vector};

/// All roles that kernels need, over one number or several side by side.
pub(crate) trait Model: Solvable<Real: Wide> + Sensitive + Linearize + Default {}
impl<S: Solvable<Real: Wide> + Sensitive + Linearize + Default> Model for S {}

/// A kernel with its model and workspaces.
pub(crate) trait Kernel {
    /// a number of each state side by side
    type Real: Wide;
    /// blocks of inputs, one behind the other
    type In;
    /// blocks of outputs
    type Out;
    fn new() -> Self;
    fn call(&mut self, x: &Self::In, out: &mut Self::Out);
    /// the calls of generated code in the model's listing, and how often each is made
    fn calls(&self) -> Vec<(&'static str, usize)>;
    fn places(&self) -> Vec<Place>;
}

/// A moment of a motion.
#[repr(C)]
pub(crate) struct Moving<S: System> {
    q: S::Q,
    v: S::V,
    z: S::Z,
    u: S::U,
}

/// A moment with accelerations and multipliers, of a model without states of first order.
#[repr(C)]
pub(crate) struct Accelerated<S: System> {
    q: S::Q,
    v: S::V,
    a: S::V,
    lambda: S::L,
    u: S::U,
}

/// The same with the weights of a tangent.
#[repr(C)]
pub(crate) struct Weighted<S: System> {
    at: Accelerated<S>,
    weights: [S::Real; 3],
}

/// What a model has beside the inputs of a kernel.
struct Rest<S: System> {
    model: S,
    modes: S::Modes,
    z: S::Z,
    zdot: S::Z,
}

impl<S: Model> Rest<S> {
    fn new() -> Self {
        let model = S::default();
        let layout = model.layout();
        let none = S::Z::zeros(layout.z.len());
        Self { modes: Block::zeros(layout.modes.len()), z: none.clone(), zdot: none, model }
    }

    fn accelerated<'a>(&'a self, x: &'a Accelerated<S>) -> (At<'a, S>, Rates<'a, S>) {
        let at = At { t: S::Real::ZERO, q: &x.q, v: &x.v, z: &self.z, u: &x.u, modes: &self.modes };
        (at, Rates { a: &x.a, zdot: &self.zdot, lambda: &x.lambda })
    }
}

/// `fd`: accelerations and multipliers.
pub(crate) struct Accelerations<S: Model> {
    rest: Rest<S>,
    forward: Forward<S>,
    saddle: S::Saddle,
}

#[repr(C)]
pub(crate) struct Motion<S: System> {
    a: S::V,
    zdot: S::Z,
    lambda: S::L,
}

impl<S: Model> Kernel for Accelerations<S> {
    type Real = S::Real;
    type In = Moving<S>;
    type Out = Motion<S>;

    fn new() -> Self {
        let rest = Rest::<S>::new();
        let layout = rest.model.layout();
        Self { forward: Forward::zeros(&layout), saddle: S::Saddle::new(&layout), rest }
    }

    #[inline(always)]
    fn call(&mut self, x: &Self::In, Motion { a, zdot, lambda }: &mut Self::Out) {
        let Self { rest: Rest { model, modes, .. }, forward, saddle } = self;
        let at = At { t: S::Real::ZERO, q: &x.q, v: &x.v, z: &x.z, u: &x.u, modes };
        if S::DIRECT && model.accelerations(at, a, zdot, lambda) {
            return;
        }
        model.forward(at, forward);
        let Forward { mass, force, jacobian, gamma, .. } = &*forward;
        if !saddle.quick(mass.as_ref(), jacobian.as_ref()) {
            saddle.factorize(&model.layout(), mass.as_ref(), jacobian.as_ref()).expect("a regular mass matrix");
        }
        saddle.accelerate(force.as_ref(), gamma.as_ref(), a.as_mut(), lambda.as_mut());
        zdot.clone_from(&forward.zdot);
    }

    fn calls(&self) -> Vec<(&'static str, usize)> {
        if S::DIRECT {
            vec![("accelerations", 1)]
        } else {
            vec![("forward", 1), ("saddle_factors", 1), ("saddle_solution", 1)]
        }
    }

    fn places(&self) -> Vec<Place> {
        let layout = self.rest.model.layout();
        let a = vector::<S::Real>("a", offset_of!(Motion<S>, a), layout.v.len());
        let zdot = vector::<S::Real>("zdot", offset_of!(Motion<S>, zdot), layout.z.len());
        let lambda = vector::<S::Real>("lambda", offset_of!(Motion<S>, lambda), layout.constraints.len());
        a.chain(zdot).chain(lambda).collect()
    }
}

/// `fdj`: the same with derivatives by q, v, z and u, C columns.
pub(crate) struct Derivatives<S: Model, const C: usize> {
    rest: Rest<S>,
    motion: LinearMotion<S>,
    work: Work,
}

#[repr(C)]
pub(crate) struct Columns<S: System, const C: usize> {
    at: Motion<S>,
    a: [S::V; C],
    zdot: [S::Z; C],
    lambda: [S::L; C],
}

impl<S: Model, const C: usize> Kernel for Derivatives<S, C> {
    type Real = S::Real;
    type In = Moving<S>;
    type Out = Columns<S, C>;

    fn new() -> Self {
        let rest = Rest::<S>::new();
        Self { motion: LinearMotion::new(&rest.model), work: Work::default(), rest }
    }

    #[inline(always)]
    fn call(&mut self, x: &Self::In, out: &mut Self::Out) {
        let Self { rest: Rest { model, modes, .. }, motion, work } = self;
        let mut cx = Context { system: &*model, inputs: &Lent(&x.u), work };
        let moment = Moment { t: S::Real::ZERO, q: &x.q, v: &x.v, z: &x.z, modes };
        let mut columns = Solved { a: &mut out.a[..], zdot: &mut out.zdot[..], lambda: &mut out.lambda[..] };
        motion.linearize(&mut cx, moment, &mut columns).expect("accelerations");
        out.at.a.clone_from(&motion.a);
        out.at.zdot.clone_from(&motion.zdot);
        out.at.lambda.clone_from(&motion.lambda);
    }

    fn calls(&self) -> Vec<(&'static str, usize)> {
        if S::DIRECT {
            vec![("acceleration_partials", 1), ("saddle_solution", C)]
        } else {
            vec![("forward", 1), ("saddle_factors", 1), ("saddle_solution", C + 1), ("partials", 1)]
        }
    }

    fn places(&self) -> Vec<Place> {
        let layout = self.rest.model.layout();
        let (nv, nz, nc) = (layout.v.len(), layout.z.len(), layout.constraints.len());
        let mut places = Vec::new();
        for (name, len, at, columns) in [
            ("a", nv, offset_of!(Columns<S, C>, at.a), offset_of!(Columns<S, C>, a)),
            ("zdot", nz, offset_of!(Columns<S, C>, at.zdot), offset_of!(Columns<S, C>, zdot)),
            ("lambda", nc, offset_of!(Columns<S, C>, at.lambda), offset_of!(Columns<S, C>, lambda)),
        ] {
            places.extend(vector::<S::Real>(name, at, len));
            places.extend(vector::<S::Real>(name, columns, len * C).enumerate().map(|(k, place)| {
                let name = format!("{name}.{}.{}", k % len, k / len);
                Place { name, ..place }
            }));
        }
        places
    }
}

/// `resj`: r, Φ and their partial derivatives, among them ∂r/∂q, ∂r/∂v, M and G.
pub(crate) struct Partials<S: Model> {
    rest: Rest<S>,
}

#[repr(C)]
pub(crate) struct Slopes<S: Sensitive> {
    residual: Residual<S>,
    partials: S::Partials,
}

impl<S: Model> Kernel for Partials<S> {
    type Real = S::Real;
    type In = Accelerated<S>;
    type Out = Slopes<S>;

    fn new() -> Self {
        Self { rest: Rest::new() }
    }

    #[inline(always)]
    fn call(&mut self, x: &Self::In, out: &mut Self::Out) {
        let (at, rates) = self.rest.accelerated(x);
        self.rest.model.residual_partials(at, rates, &mut out.residual, &mut out.partials);
    }

    fn calls(&self) -> Vec<(&'static str, usize)> {
        vec![("partials", 1)]
    }

    fn places(&self) -> Vec<Place> {
        let model = &self.rest.model;
        let places = Places::of(&model.layout());
        let (nv, rows) = (model.layout().v.len(), places.laws());
        let slopes =
            matrix::<S::Real>(model.partial_patterns().states, offset_of!(Slopes<S>, partials), |row, column| {
                let (group, own) = match column {
                    c if c < places.v() => ("q", c),
                    c if c < places.a() => ("v", c - places.v()),
                    c if c < places.z() => ("a", c - places.a()),
                    _ => return None,
                };
                match group {
                    _ if rows.contains(&row) && group == "q" => {
                        Some((format!("phi_q.{}.{own}", row - rows.start), true))
                    }
                    _ if row >= nv => None,
                    "a" => Some((format!("mass.{row}.{own}"), false)),
                    _ => Some((format!("r_{group}.{row}.{own}"), false)),
                }
            });
        residual::<S>(&self.rest, offset_of!(Slopes<S>, residual)).chain(slopes).collect()
    }
}

/// r and Φ.
fn residual<S: Model>(rest: &Rest<S>, offset: usize) -> impl Iterator<Item = Place> {
    let layout = rest.model.layout();
    let r = vector::<S::Real>("r", offset + offset_of!(Residual<S>, r), layout.v.len());
    r.chain(vector::<S::Real>("phi", offset + offset_of!(Residual<S>, phi), layout.constraints.len()))
}

/// `tan`: r, Φ and the weighted tangent, what an implicit step needs.
pub(crate) struct Tangent<S: Model> {
    rest: Rest<S>,
    step: S::V,
}

#[repr(C)]
pub(crate) struct Linear<S: Linearize> {
    residual: Residual<S>,
    tangent: S::Tangent,
}

impl<S: Model> Kernel for Tangent<S> {
    type Real = S::Real;
    type In = Weighted<S>;
    type Out = Linear<S>;

    fn new() -> Self {
        let rest = Rest::<S>::new();
        Self { step: Block::zeros(rest.model.layout().v.len()), rest }
    }

    #[inline(always)]
    fn call(&mut self, x: &Self::In, out: &mut Self::Out) {
        let (at, rates) = self.rest.accelerated(&x.at);
        let [of_rates, velocity, position] = x.weights;
        let weights = Weights { rates: of_rates, velocity, position, state: S::Real::ONE };
        self.rest.model.tangent(at, rates, weights, &self.step, &mut out.residual, &mut out.tangent);
    }

    fn calls(&self) -> Vec<(&'static str, usize)> {
        vec![("tangent", 1)]
    }

    fn places(&self) -> Vec<Place> {
        let layout = self.rest.model.layout();
        let nv = layout.v.len();
        let tangent = matrix::<S::Real>(layout.tangent, offset_of!(Linear<S>, tangent), |row, column| {
            Some((format!("tangent.{row}.{column}"), row >= nv))
        });
        residual::<S>(&self.rest, offset_of!(Linear<S>, residual)).chain(tangent).collect()
    }
}

/// `id`: r, which without inputs is what must act.
pub(crate) struct Torques<S: Model> {
    rest: Rest<S>,
}

impl<S: Model> Kernel for Torques<S> {
    type Real = S::Real;
    type In = Accelerated<S>;
    type Out = Residual<S>;

    fn new() -> Self {
        Self { rest: Rest::new() }
    }

    #[inline(always)]
    fn call(&mut self, x: &Self::In, out: &mut Self::Out) {
        let (at, rates) = self.rest.accelerated(x);
        self.rest.model.residual(at, rates, out);
    }

    fn calls(&self) -> Vec<(&'static str, usize)> {
        vec![("residual", 1)]
    }

    fn places(&self) -> Vec<Place> {
        residual::<S>(&self.rest, 0).collect()
    }
}
