//! The descriptor form: neighbouring motions satisfy it, and at rest it is the reduced system.

use ode_control::{Descriptor, StateSpace};
use ode_model::integrators::DormandPrince8;
use ode_model::linalg::{Complex, DMatrix};
use ode_model::prelude::*;
use ode_model::{Block, Sensitive, Solvable, input_fn};

use crate::cart_poles::upright_points;
use crate::in_motion::{beside, passed, posed};
use crate::models::*;
use crate::perturb::tangent;

/// E ẋ = A x + B u of differences between a motion and those beside it.
fn check<S: Solvable<Real = f64> + Sensitive>(model: &S, by: usize) {
    let (x, u) = posed(model);
    let layout = model.layout();
    let (nv, nz) = (layout.v.len(), layout.z.len());
    let states = |x: &State<S>, u: &S::U| passed(model, x, u, 40 * by);
    let (reference, h, mid) = (states(&x, &u), 1e-3, 20 * by);
    let middle = &reference[mid];
    let found = Descriptor::of(model, middle, u.clone()).expect("a linear system");
    let linear = ode_control::Linearizer::of(model).at(&x, u.clone()).expect("a linear system");
    let (n, m) = linear.system.b.shape();
    for k in 0..n + m {
        // δ(q, v, z, λ) at the states about the middle one, by differences of fourth order
        let mut forced = DMatrix::zeros(m, 1);
        let motions = [h, -h, 2.0 * h, -2.0 * h].map(|h| match k.checked_sub(n) {
            None => states(&beside(model, &x, &linear, k, h), &u),
            Some(input) => {
                let mut other = u.clone();
                other.as_mut()[input] += h;
                forced[input] = 1.0;
                states(&x, &other)
            }
        });
        let change = |i: usize| {
            let all = motions.each_ref().map(|states| tangent(model, &reference[i], &states[i]));
            let entry = |j: usize| (8.0 * (all[0][j] - all[1][j]) - (all[2][j] - all[3][j])) / (12.0 * h);
            // (q, v, z, a, ż, λ)
            let places = (0..2 * nv + nz).chain(3 * nv + 2 * nz..all[0].len());
            DMatrix::from_iterator(found.e.ncols(), 1, places.map(entry))
        };
        let step = reference[mid + by].t - middle.t;
        let rate = (8.0 * (change(mid + by) - change(mid - by)) - (change(mid + 2 * by) - change(mid - 2 * by)))
            / (12.0 * step);
        let (now, left) = (change(mid), &*found.e * rate);
        let right = &*found.a * &now + &*found.b * forced;
        let scale = 1.0 + right.amax() + now.amax();
        let off = (&left - &right).amax();
        assert!(off < 1e-6 * scale, "{} {k}: {off:e} of {scale:e}{left}{right}", layout.name);
    }
}

#[test]
fn neighbouring_motions_satisfy_it() {
    check(&Cart::<f64>::default(), 1);
    check(&Bob::<f64>::default(), 1);
    check(&Coin::<f64>::default(), 1);
    check(&Soft::<f64>::default(), 1);
    check(&Top::<f64>::default(), 1);
    // in short steps, which leave the frame of a point on the sphere without spin
    check(&Needle::<f64>::default(), 5);
    check(&Motor::<f64>::default(), 1);
    check(&Coupled::<f64>::default(), 1);
    check(&Mixed::<f64>::default(), 1);
}

/// C (s E − A)⁻¹ B + D
fn response(of: [&DMatrix<f64>; 5], s: Complex<f64>) -> DMatrix<Complex<f64>> {
    let complex = |m: &DMatrix<f64>| m.map(|x| Complex { re: x, im: 0.0 });
    let [e, a, b, c, d] = of.map(complex);
    let x = (e * s - a).lu().solve(&b).expect("no pole");
    c * x + d
}

fn at_rest<S: Solvable<Real = f64> + Sensitive>(model: &S, x: &State<S>, u: &S::U) {
    let all = Descriptor::of(model, x, u.clone()).expect("a linear system");
    let own = StateSpace::of(model, x, u.clone()).expect("a linear system");
    let one = DMatrix::identity(own.a.nrows(), own.a.nrows());
    for s in [Complex { re: 0.3, im: 1.7 }, Complex { re: -0.2, im: 9.0 }] {
        let found = response([&all.e, &all.a, &all.b, &all.c, &all.d], s);
        let wanted = response([&one, &own.a, &own.b, &own.c, &own.d], s);
        assert!((&found - &wanted).camax() < 1e-10 * (1.0 + wanted.camax()), "{}{found}{wanted}", model.layout().name);
    }
}

model! {
    /// Outputs of every kind: accelerations, rates, multipliers, algebraic variables.
    pub struct Rig<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        coord r: Vec2;
        coord s: Real;
        state z: Real;
        algebraic f: Real;
        input u: Real = 0.0;
        kinetic = 0.5 * m * der(r).dot(der(r)) + 0.4 * sq(der(s)) + 0.1 * der(s) * der(r.x);
        potential = m * 9.81 * r.y + 2.0 * sq(s);
        dissipation = 0.1 * sq(der(s)) + 0.05 * der(r).dot(der(r));
        force push on r = vec2(0.3 * z, 0.0);
        force pull on s = u - 0.2 * f;
        constraint rod: (r - vec2(s, 0.0)).dot(r - vec2(s, 0.0)) == sq(l);
        constraint law: f == 0.5 * z + 0.2 * s + 0.3 * u;
        der(z) = u - 2.0 * z + r.x;
        guess r = vec2(0.0, -l);
        init r.x = 0.0;
        init s = 0.0;
        output along = der(der(s)) + 0.3 * s;
        output rate = der(z);
        output pull_of_rod = rod.lambda + 0.1 * r.x;
        output drawn = f + 0.5 * u;
    }
}

model! {
    /// A first-order model whose output reads a velocity.
    #[model(order = 1)]
    pub struct Slow<T> {
        coord x, y: Real;
        input u: Real = 0.0;
        dissipation = 0.5 * (sq(der(x)) + 2.0 * sq(der(y)) + sq(der(x) - der(y)));
        potential = 0.5 * (3.0 * sq(x) + sq(x - y));
        force pull on y = u;
        output speed = der(y) + 0.2 * x;
    }
}

#[test]
fn at_rest_it_is_the_reduced_system() {
    let (points, x) = upright_points();
    at_rest(&points, &x, &[0.0].into());
    let rig = Rig::<f64>::default();
    let (x, u) = posed(&rig);
    at_rest(&rig, &x, &u);
    let slow = Slow::<f64>::default();
    at_rest(&slow, &State::neutral(&slow), &[0.0].into());
}

/// Outputs along motions, against differences of outputs of states beside them.
#[test]
fn outputs_are_differences_of_outputs() {
    fn check<S: Solvable<Real = f64> + Sensitive>(model: &S, u: S::U) {
        let x = passed(model, &posed(model).0, &u, 1).pop().expect("a state");
        let linear = ode_control::Linearizer::of(model).at(&x, u.clone()).expect("a linear system");
        let (n, m) = linear.system.b.shape();
        let outputs = |x: &State<S>, u: &S::U| {
            let inputs = input_fn(|_, out: &mut S::U| out.clone_from(u));
            let run =
                Simulation::of(model, DormandPrince8).inputs(inputs).given(x.clone()).fixed(1.0).expect("a start");
            let mut y = S::Y::zeros(model.layout().outputs.len());
            model.outputs(run.state().at(u), run.state().rates(), &mut y);
            y.as_ref().to_vec()
        };
        for k in 0..n + m {
            let wanted = crate::perturb::derivative(1e-3, |h| match k.checked_sub(n) {
                None => outputs(&beside(model, &x, &linear, k, h), &u),
                Some(input) => {
                    let mut other = u.clone();
                    other.as_mut()[input] += h;
                    outputs(&x, &other)
                }
            });
            for (row, wanted) in wanted.into_iter().enumerate() {
                let found = if k < n { linear.system.c[(row, k)] } else { linear.system.d[(row, k - n)] };
                assert!((found - wanted).abs() < 1e-8 * (1.0 + wanted.abs()), "{row} {k}: {found} {wanted}");
            }
        }
    }
    check(&Rig::<f64>::default(), [0.4].into());
    check(&Slow::<f64>::default(), [0.4].into());
}
