//! δ(a, ż, λ) at a state.

use ode_model::solve::Acceleration;
use ode_model::variation::{Direction, LinearMotion, MotionColumns, Pulled, Solved};
use ode_model::{Cause, Context, Nominal, Order, Sensitive, Solvable, Start, State, System, Work};

use crate::blocks::Near;
use crate::models::*;
use crate::perturb::{Entry, Given, derivative, entries};

/// a, ż, λ and the algebraic variables, with an entry moved by `h`.
fn moved<S>(model: &S, x: &State<S>, u: &Given<S::U>, entry: Entry, h: f64) -> Vec<f64>
where
    S: Solvable<Real = f64> + Sensitive,
{
    let l = model.layout();
    let (model, mut x, inputs) = entry.moved(model, x, u, h);
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &inputs, work: &mut work };
    Acceleration::new(&model).settle(&mut cx, &mut x).expect("an evaluation");
    let a = if l.order == Order::First { &x.v } else { &x.a };
    let z = &x.z.as_ref()[l.z.len() - l.algebraic..];
    [a.as_ref(), x.zdot.as_ref(), x.lambda.as_ref(), z].concat()
}

fn check<S: Solvable<Real = f64> + Sensitive>(model: &S) {
    let l = model.layout();
    let x = Start::default().solve(model, &Nominal).expect("a start");
    let mut work = Work::default();
    let mut cx = Context { system: model, inputs: &Nominal, work: &mut work };
    let mut motion = LinearMotion::new(model);
    motion.evaluate(&mut cx, x.moment(), true).expect("a linearisation");
    // all columns at once: the same numbers, by units
    let all: Vec<Entry> = entries(model);
    let n = all.len();
    let mut together =
        Solved { a: vec![x.a.clone(); n], zdot: vec![x.zdot.clone(); n], lambda: vec![x.lambda.clone(); n] };
    motion.derivatives(model, &mut together).expect("columns");
    // those by the state and the inputs in one with the accelerations
    let count = MotionColumns::of(&l, 0).with_inputs;
    let mut fused = Solved {
        a: vec![x.a.clone(); count],
        zdot: vec![x.zdot.clone(); count],
        lambda: vec![x.lambda.clone(); count],
    };
    let mut other = LinearMotion::new(model);
    other.linearize(&mut cx, x.moment(), &mut fused).expect("a linearisation");
    let found = fused.a.iter().zip(&fused.zdot).zip(&fused.lambda).map(|((a, zdot), lambda)| (a, zdot, lambda));
    let wanted = together.a.iter().zip(&together.zdot).zip(&together.lambda);
    let pairs = found.zip(wanted.map(|((a, zdot), lambda)| (a, zdot, lambda)));
    let accelerations = ((&other.a, &other.zdot, &other.lambda), (&motion.a, &motion.zdot, &motion.lambda));
    for (k, (found, wanted)) in pairs.chain([accelerations]).enumerate() {
        for (found, wanted) in [
            (found.0.as_ref(), wanted.0.as_ref()),
            (found.1.as_ref(), wanted.1.as_ref()),
            (found.2.as_ref(), wanted.2.as_ref()),
        ] {
            assert_eq!(Near::to(1e-12).mistake(&[], found, wanted), None, "{} column {k} of {count}", l.name);
        }
    }
    // time stands before parameters there
    let parameters = all.iter().filter(|entry| matches!(entry, Entry::Parameter(_))).count();
    let column = |k: usize| match all[k] {
        Entry::Time => k - parameters,
        Entry::Parameter(_) => k + 1,
        _ => k,
    };
    // and their transpose
    let mut by = Solved { a: x.a.clone(), zdot: x.zdot.clone(), lambda: x.lambda.clone() };
    let blocks = by.a.as_mut().iter_mut().chain(by.zdot.as_mut()).chain(by.lambda.as_mut());
    blocks.enumerate().for_each(|(i, w)| *w = (1.7 * i as f64 + 0.3).sin() + 0.1);
    let mut pulled = Pulled::new(model, true);
    motion.vjp(model, x.moment(), &by, &mut pulled).expect("covectors");
    let found = [pulled.q(), pulled.v(), pulled.z(), pulled.u(), &[pulled.t()], pulled.parameters().as_ref()];
    assert_eq!(found.iter().map(|block| block.len()).sum::<usize>(), n, "{}", l.name);
    let product = |x: &[f64], w: &[f64]| x.iter().zip(w).map(|(x, w)| x * w).sum::<f64>();
    let wanted: Vec<f64> = (together.a.iter().zip(&together.zdot).zip(&together.lambda))
        .map(|((a, zdot), lambda)| {
            product(a.as_ref(), by.a.as_ref())
                + product(zdot.as_ref(), by.zdot.as_ref())
                + product(lambda.as_ref(), by.lambda.as_ref())
        })
        .collect();
    let mut rest = &wanted[..];
    for (block, found) in found.into_iter().enumerate() {
        let (wanted, others) = rest.split_at(found.len());
        rest = others;
        assert_eq!(Near::to(1e-12).mistake(&[], found, wanted), None, "{} covector {block}", l.name);
    }
    let mut u = Given { own: Direction::zeros(model).u, gain: 0.0 };
    model.nominal(&mut u.own);
    for (k, entry) in all.iter().copied().enumerate() {
        let mut direction = Direction::zeros(model);
        match entry {
            Entry::Position(i) => direction.q.as_mut()[i] = 1.0,
            Entry::Velocity(i) => direction.v.as_mut()[i] = 1.0,
            Entry::State(i) => direction.z.as_mut()[i] = 1.0,
            Entry::Input(i) => direction.u.as_mut()[i] = 1.0,
            Entry::Parameter(i) => direction.parameter = Some(i),
            Entry::Time => direction.t = 1.0,
        }
        let (mut a, mut zdot, mut lambda) = (x.a.clone(), x.zdot.clone(), x.lambda.clone());
        motion.along(model, &mut direction, &mut a, &mut zdot, &mut lambda).expect("a variation");
        let k = column(k);
        let units = [together.a[k].as_ref(), together.zdot[k].as_ref(), together.lambda[k].as_ref()];
        for (unit, found) in units.into_iter().zip([a.as_ref(), zdot.as_ref(), lambda.as_ref()]) {
            assert_eq!(Near::to(1e-14).mistake(&[], unit, found), None, "{} {entry:?}", l.name);
        }
        let algebraic = l.z.len() - l.algebraic;
        let found = [a.as_ref(), zdot.as_ref(), lambda.as_ref(), &direction.z.as_ref()[algebraic..]];
        let of = [if l.order == Order::First { x.v.as_ref() } else { x.a.as_ref() }, x.zdot.as_ref()];
        let of = [of[0], of[1], x.lambda.as_ref(), &x.z.as_ref()[algebraic..]];
        let h = entry.step(model);
        let wanted = derivative(h, |h| moved(model, &x, &u, entry, h));
        let (near, mut rest) = (Near { share: 1e-8, ..Near::differences(h) }, &wanted[..]);
        for (block, (of, found)) in of.into_iter().zip(found).enumerate() {
            let (wanted, others) = rest.split_at(found.len());
            rest = others;
            assert_eq!(near.mistake(of, found, wanted), None, "{} {entry:?}, block {block}", l.name);
        }
    }
}

#[test]
fn accelerations_vary_as_their_differences() {
    check(&Cart::<f64>::default());
    check(&Bob::<f64>::default());
    check(&Coin::<f64>::default());
    check(&Soft::<f64>::default());
    check(&Top::<f64>::default());
    check(&Needle::<f64>::default());
    check(&Motor::<f64>::default());
    check(&Coupled::<f64>::default());
    check(&Mixed::<f64>::default());
    check(&Juggler::<f64>::default());
}

/// Whether the function of a model gives accelerations with their derivatives.
fn direct<S: Solvable<Real = f64> + Sensitive>(model: &S) -> bool {
    let l = model.layout();
    let x = Start::default().solve(model, &Nominal).expect("a start");
    let (mut a, mut zdot, mut lambda) = (x.a.clone(), x.zdot.clone(), x.lambda.clone());
    let n = MotionColumns::of(&l, 0).with_inputs;
    let (mut by_a, mut by_zdot, mut by_lambda) =
        (vec![x.a.clone(); n], vec![x.zdot.clone(); n], vec![x.lambda.clone(); n]);
    let mut u = Direction::zeros(model).u;
    model.nominal(&mut u);
    let columns = Solved { a: &mut by_a[..], zdot: &mut by_zdot[..], lambda: &mut by_lambda[..] };
    model.acceleration_partials(x.at(&u), &mut a, &mut zdot, &mut lambda, columns)
}

#[test]
fn most_models_have_a_function_for_accelerations_with_their_derivatives() {
    assert!(direct(&Cart::<f64>::default()) && direct(&Bob::<f64>::default()) && direct(&Coin::<f64>::default()));
    assert!(direct(&Top::<f64>::default()) && direct(&Needle::<f64>::default()));
    // compliant rows, algebraic variables
    assert!(!direct(&Soft::<f64>::default()) && !direct(&Coupled::<f64>::default()));
}

#[test]
fn room_for_other_numbers_of_columns_is_refused() {
    let model = Cart::<f64>::default();
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let mut motion = LinearMotion::new(&model);
    let room = |n: usize| Solved { a: vec![x.a; n], zdot: vec![x.zdot; n], lambda: vec![x.lambda; n] };
    let counts = MotionColumns::of(&model.layout(), 4);
    assert_eq!(counts, MotionColumns { states: 4, with_inputs: 5, with_time: 6, with_parameters: 10 });
    for (parameters, most) in [(false, 6), (true, 10)] {
        motion.evaluate(&mut cx, x.moment(), parameters).expect("a linearisation");
        for n in 0..12 {
            let fits = [4, 5, 6, most].contains(&n);
            match motion.derivatives(&model, &mut room(n)) {
                Ok(()) => assert!(fits, "{n} columns are none of these"),
                Err(Cause::OutOfRange { value, .. }) => assert!(!fits && value == n as f64, "{n} columns"),
                Err(other) => panic!("{n} columns: {other}"),
            }
        }
    }
    let mut uneven = room(4);
    uneven.lambda.pop();
    assert!(motion.derivatives(&model, &mut uneven).is_err(), "blocks of different sizes");
}
