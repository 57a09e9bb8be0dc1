//! `if`, kinks and singular points: the branch taken is differentiated, and the other one has no influence.

use ode_model::prelude::*;

use crate::{begin, close, near};

/// One model in both flavours: real branches over f64, selection over any scalar.
macro_rules! both {
    ($concrete:ident, $generic:ident, { $($body:tt)* }) => {
        model! { pub struct $concrete { $($body)* } }
        model! { pub struct $generic<T> { $($body)* } }
    };
}

both!(Root, RootGeneric, {
    coord x: Real;
    kinetic = 0.5 * sq(der(x));
    #[allow(nonsmooth)]
    force pull on x = if x > 0.0 { x.sqrt() } else { 0.0 };
    init x = 0.5;
});
both!(Sloped, SlopedGeneric, {
    coord x, y: Real;
    kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
    #[allow(nonsmooth)]
    let root = if x > 0.0 { sqrt(x) } else { 0.0 };
    fn slow(x: Real) -> Real { if x > 1.0 { sqrt(x - 1.0) } else if x > 0.0 { ln(x) } else { 0.0 } }
    potential = root * y + sq(root) * slow(x);
    constraint edge: y == 2.0 + root;
    cost height = slow(x) * root;
    output slope: Real = slow(x - 0.5) * y;
    guess x = 0.0;
    guess y = 2.0;
});
both!(Many, ManyGeneric, {
    param c: Real = 0.5;
    coord x: [Real; 24];
    for i in 0..24 {
        kinetic = 0.5 * sq(der(x[i]));
        #[allow(nonsmooth)]
        potential = if x[0] > c { sin(x[i] * x[0] * (i + 1)) * exp(x[i]) }
            else { cos(x[i] + x[0]) * tanh(x[i] * (i + 2)) };
    }
});
both!(Contact, ContactGeneric, {
    param n: Real = 1.5;
    param k: Real = 2.0;
    coord x: Real;
    kinetic = 0.5 * sq(der(x));
    #[allow(nonsmooth)]
    force suction on x = -sqrt(max(x, 0.0));
    #[allow(nonsmooth)]
    force hertz on x = k * max(-x, 0.0).powf(n);
});
both!(OneLarge, OneLargeGeneric, {
    coord th: [Real; 10];
    for i in 0..10 { kinetic = 0.5 * sq(der(th[i])); }
    fn p(a: Real, b: Real, c: Real) -> Real { sin(a * b) + cos(a * c) + sin(b * c) * cos(c + 2.0 * a) + sin(a + b * c) }
    potential = if t < 0.5 {
        p(th[0], th[1], th[2]) * p(th[3], th[4], th[5]) * p(th[6], th[7], th[8])
    } else {
        cos(th[0] - 2.0 * th[9])
    };
});
both!(Nested, NestedGeneric, {
    param a: Real = 0.5;
    coord x, y: Real;
    kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
    fn pieces(x: Real) -> Real {
        if x < -1.0 { ln(-x) } else if x < 0.0 { let s = sq(x); s * s - 1.0 }
        else if x <= 1.0 && a > 0.0 { x } else { 1.0 / x }
    }
    potential = if y > 0.0 { if x > y { pieces(x) * y } else { pieces(y) } } else { pieces(x) };
    force timed on x = if t < 1.0 || t >= 2.0 { 0.0 } else { sqrt(t - 1.0) };
    init x = 0.3;
    guess y = 0.0;
});
both!(Distance, DistanceGeneric, {
    param k: Real = 4.0;
    coord d: Vec2;
    coord e: Vec3;
    kinetic = 0.5 * der(d).dot(der(d)) + 0.5 * der(e).dot(der(e));
    #[allow(vanishing_norm)]
    potential cone = k * norm(d);
    #[allow(vanishing_norm)]
    potential bowl = 0.5 * k * sq(norm(e));
    #[allow(vanishing_norm)]
    potential again = norm(e).powi(2) * k;
    output root: Real = sq(sqrt(k * d.x + 3.0));
});
both!(Smooth, SmoothGeneric, {
    param e: Real = 0.1;
    coord x, y: Real;
    kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
    potential = smooth_abs(x, e) + smooth_max(x, y, e) - smooth_min(x, sq(y), e) + smooth_step(x - y, e)
        + softplus(x, e);
    force friction on x = -smooth_sign(der(x), e);
    output values: [Real; 6] =
        [smooth_abs(x, e), smooth_max(x, y, e), smooth_min(x, y, e), smooth_step(x, e), smooth_sign(x, e),
            softplus(x, e)];
    output eps: Real = norm_eps(vec2(x, y), e);
    init x = 0.05;
    guess y = 0.0;
});
both!(Kinks, KinksGeneric, {
    param f: Real = 2.0;
    coord x, y: Real;
    kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
    #[allow(nonsmooth)]
    force dry on x = -f * signum(der(x)) + abs(y) + min(x, y) * max(x, 0.5) + clamp(x - y, -0.25, 0.75);
    init x = 0.3; init y = 0.2;
});
both!(Elementary, ElementaryGeneric, {
    param p: Real = 0.4;
    coord x, y: Real;
    kinetic = 0.5 * (1.0 + sq(x)) * sq(der(x)) + 0.5 * cosh(p * y) * sq(der(y));
    potential = sin(x) * cos(y) + tan(0.3 * x) + asin(0.3 * sin(x)) + acos(0.2 * cos(y)) + atan(x * y)
        + atan2(x + 9.0, y)
        + sinh(x) + cosh(y) + tanh(x - y) + exp(p * x) + ln(4.0 + x) + sqrt(5.0 + y) + recip(6.0 + x)
        + hypot(x, 3.0) + x.powi(3) + (4.0 + y).powf(1.5) + (5.0 + x).powi(-2) + PI * x / TAU;
});

#[test]
fn a_root_behind_a_condition_has_no_slope_on_the_other_side() {
    // CasADi once gave NaN here.
    let (model, generic) = (Root::default(), RootGeneric::<f64>::default());
    for (x, slope) in [(-0.5, 0.0), (-1e-300, 0.0), (0.0, 0.0), (0.25, -1.0)] {
        let (mut s, mut g) = (begin(&model), begin(&generic));
        s.q.set_x(x);
        g.q.set_x(x);
        assert_eq!(model.stiffness(s.at(&[].into()), s.rates())[(0, 0)], slope);
        assert_eq!(generic.stiffness(g.at(&[].into()), g.rates())[(0, 0)], slope);
    }
    let mut run = Simulation::of(&model, BackwardEuler::default()).fixed(0.01).expect("a start");
    run.advance_to(0.1).expect("steps");
}

#[test]
fn gradients_do_not_look_at_the_other_side_either() {
    // The same roots where reverse differentiation meets them: in a potential, a constraint, a cost.
    let (model, generic) = (Sloped::default(), SlopedGeneric::<f64>::default());
    for (x, slope) in [(-0.5, 0.0), (-1e-300, 0.0), (0.0, 0.0), (4.0, 0.25)] {
        let (mut s, mut g) = (begin(&model), begin(&generic));
        s.q = [x, 3.0].into();
        s.lambda.set_edge(5.0);
        (g.q, g.lambda) = ([x, 3.0].into(), [5.0].into());
        let u = sloped::U::default();
        let f = model.force(s.at(&u));
        // V = √x y + x √(x − 1) for x > 1
        let inner = if x > 1.0 { (x - 1.0).sqrt() + 0.5 * x / (x - 1.0).sqrt() } else { 0.0 };
        close(f.x(), -slope * 3.0 - inner);
        close(f.y(), -x.max(0.0).sqrt());
        assert_eq!(f.array(), generic.force(g.at(&sloped_generic::U::default())).array());
        let jacobian = model.constraint_jacobian(s.at(&u));
        assert_eq!((jacobian[(0, 0)], jacobian[(0, 1)]), (-slope, 1.0));
        let k = model.stiffness(s.at(&u), s.rates());
        assert!(k.iter().all(|k| k.is_finite()), "x = {x}: {k}");
        assert_eq!(k[(1, 0)], slope);
        assert_eq!(k, generic.stiffness(g.at(&sloped_generic::U::default()), g.rates()));
        assert!(model.cost_gradient(s.at(&u)).iter().all(|c| c.is_finite()));
        assert!(model.output_by_position(s.at(&u), s.rates()).iter().all(|y| y.is_finite()));
    }
}

#[test]
fn a_condition_is_handed_from_one_function_to_the_next() {
    // Its kernels are cut into several functions, all of which ask whether x₀ > c.
    let (model, generic) = (Many::default(), ManyGeneric::<f64>::default());
    let tangent = Many::IR.split("\n\n").find(|kernel| kernel.starts_with("tangent")).expect("a tangent");
    assert!(tangent.lines().count() > 300, "large enough to be cut");
    for sign in [1.0, -1.0] {
        let (mut s, mut g) = (begin(&model), begin(&generic));
        for i in 0..24 {
            s.q.array_mut()[i] = sign * (0.6 + 0.01 * i as f64);
        }
        g.q = s.q.array().into();
        let f = model.force(s.at(&many::U::default()));
        assert_eq!(f.array(), generic.force(g.at(&many_generic::U::default())).array());
        let (x0, x) = (s.q.array()[0], s.q.array()[23]);
        let want = if sign > 0.0 {
            -x.exp() * ((24.0 * x * x0).sin() + 24.0 * x0 * (24.0 * x * x0).cos())
        } else {
            (x + x0).sin() * (25.0 * x).tanh() - 25.0 * (x + x0).cos() / (25.0 * x).cosh().powi(2)
        };
        close(f.array()[23], want);
        let k = model.stiffness(s.at(&many::U::default()), s.rates());
        let l = generic.stiffness(g.at(&many_generic::U::default()), g.rates());
        assert!((k - l).norm() <= 1e-13 * k.norm());
    }
}

#[test]
fn branches_nest() {
    let pieces = |x: f64, a: f64| {
        if x < -1.0 {
            (-1.0 / -x, (-x).ln())
        } else if x < 0.0 {
            (4.0 * x.powi(3), x.powi(4) - 1.0)
        } else if x <= 1.0 && a > 0.0 {
            (1.0, x)
        } else {
            (-1.0 / (x * x), 1.0 / x)
        }
    };
    for a in [0.5, -0.5] {
        let model = Nested::builder().a(a).build().expect("a model");
        let generic = NestedGeneric::builder().a(a).build().expect("a model");
        for x in [-2.0, -0.5, 0.4, 3.0] {
            for y in [-1.0, 0.5, 2.0] {
                let (mut s, mut g) = (begin(&model), begin(&generic));
                s.q = [x, y].into();
                g.q = [x, y].into();
                let ((fx, fy), value) = match y > 0.0 {
                    true if x > y => ((-pieces(x, a).0 * y, -pieces(x, a).1), pieces(x, a).1 * y),
                    true => ((0.0, -pieces(y, a).0), pieces(y, a).1),
                    false => ((-pieces(x, a).0, 0.0), pieces(x, a).1),
                };
                for (t, push) in [(0.5, 0.0), (1.25, 0.5), (2.0, 0.0)] {
                    (s.t, g.t) = (t, t);
                    let (f, h) = (model.force(s.at(&[].into())), generic.force(g.at(&[].into())));
                    close(f.x(), fx + push);
                    close(f.y(), fy);
                    assert_eq!(f.array(), h.array());
                }
                close(model.energy(s.at(&[].into())).potential, value);
            }
        }
    }
}

#[test]
fn a_norm_has_no_slope_at_zero_and_its_square_is_exact_there() {
    // 0/0 at the tip of the cone, as CasADi once had it.
    let (model, generic) = (Distance::default(), DistanceGeneric::<f64>::default());
    let (s, g) = (begin(&model), begin(&generic));
    assert_eq!(model.force(s.at(&[].into())).array(), [0.0; 5]);
    assert_eq!(generic.force(g.at(&[].into())).array(), [0.0; 5]);
    let (k, h) = (model.stiffness(s.at(&[].into()), s.rates()), generic.stiffness(g.at(&[].into()), g.rates()));
    assert!(k.iter().all(|x| x.is_finite()));
    assert_eq!(k, h);
    for i in 2..5 {
        assert_eq!(k[(i, i)], 4.0 + 8.0, "a square of a norm is a sum of squares");
    }
    let mut s = s;
    s.q.set_d([3e-200, 4e-200]);
    let [x, y] = model.force(s.at(&[].into())).d();
    assert!(x.is_finite() && y.is_finite());
    s.q.set_d([-10.0, 0.0]);
    assert_eq!(model.outputs(s.at(&[].into()), s.rates()).root(), -37.0, "sq(sqrt(x)) is x");
}

#[test]
fn smooth_functions_are_what_the_guide_says() {
    let model = Smooth::default();
    let mut s = begin(&model);
    let e = 0.1f64;
    for (x, y) in [(0.03, 0.07), (-0.05, 0.2), (2.0, 1.0)] {
        s.q = [x, y].into();
        let out = model.outputs(s.at(&[].into()), s.rates());
        let r = (x / e + 1.0).clamp(0.0, 2.0) / 2.0;
        let want = [
            x.hypot(e),
            0.5 * (x + y + (x - y).hypot(e)),
            0.5 * (x + y - (x - y).hypot(e)),
            r.powi(3) * (r * (6.0 * r - 15.0) + 10.0),
            (x / e).tanh(),
            e * (1.0 + (x / e).exp()).ln(),
        ];
        for (got, want) in out.values().iter().zip(want) {
            near(*got, want, 1e-13);
        }
        near(out.eps(), x.hypot(y).hypot(e), 1e-13);
    }
    // far out, where exp overflows
    s.q = [1000.0, -1000.0].into();
    let far = model.outputs(s.at(&[].into()), s.rates()).values();
    assert_eq!((far[3], far[4], far[5]), (1.0, 1.0, 1000.0));
    assert!(model.stiffness(s.at(&[].into()), s.rates()).iter().all(|k| k.is_finite()));
    s.q = [-1000.0, 1000.0].into();
    assert!(model.stiffness(s.at(&[].into()), s.rates()).iter().all(|k| k.is_finite()));
    assert!(model.force(s.at(&[].into())).array().iter().all(|f| f.is_finite()));
}

#[test]
fn kinks_take_the_branch_on_the_right() {
    let model = Kinks::default();
    let mut s = begin(&model);
    s.v.set_x(-1.0);
    close(model.force(s.at(&[].into())).x(), 2.0 + 0.2 + 0.2 * 0.5 + 0.1);
    s.v.set_x(1.0);
    close(model.force(s.at(&[].into())).x(), -2.0 + 0.2 + 0.2 * 0.5 + 0.1);
    s.q = [3.0, -1.0].into();
    close(model.force(s.at(&[].into())).x(), -2.0 + 1.0 - 3.0 + 0.75);
    let k = model.stiffness(s.at(&[].into()), s.rates());
    close(k[(0, 0)], 1.0);
    close(k[(0, 1)], 1.0 - 3.0);
    s.q = [3.0, 0.0].into();
    close(model.stiffness(s.at(&[].into()), s.rates())[(0, 1)], -1.0 - 3.0);
}

#[test]
fn elementary_functions_have_their_values() {
    let model = Elementary::default();
    let mut s = begin(&model);
    let (x, y) = (0.3f64, -0.4f64);
    s.q = [x, y].into();
    let want = x.sin() * y.cos()
        + (0.3 * x).tan()
        + (0.3 * x.sin()).asin()
        + (0.2 * y.cos()).acos()
        + (x * y).atan()
        + (x + 9.0).atan2(y)
        + x.sinh()
        + y.cosh()
        + (x - y).tanh()
        + (0.4 * x).exp()
        + (4.0 + x).ln()
        + (5.0 + y).sqrt()
        + (6.0 + x).recip()
        + x.hypot(3.0)
        + x.powi(3)
        + (4.0 + y).powf(1.5)
        + (5.0 + x).powi(-2)
        + x / 2.0;
    close(model.energy(s.at(&[].into())).potential, want);
}

#[test]
fn a_contact_that_is_open_has_no_slope() {
    let model = Contact::default();
    let u = contact::U::default();
    let mut state = begin(&model);
    // closed: f = 2 (−x)^1.5; open: f = −√x. Each alone is not finite on the other side.
    state.q.set_x(-1.0);
    close(model.stiffness(state.at(&u), state.rates())[(0, 0)], 3.0);
    state.q.set_x(1.0);
    close(model.stiffness(state.at(&u), state.rates())[(0, 0)], 0.5);
    let p = model.residual_by_parameter(state.at(&u), state.rates());
    assert!(p.iter().all(|x| *x == 0.0), "{p}");
}
