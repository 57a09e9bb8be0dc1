//! Sums over sets in outputs beside the loops.

use ode_model::{Differentiable, Dual, State, System, model};

use crate::alike::{Numbers, alike, dense, point};

model! {
    /// A cloud of masses, with sums in expressions.
    pub struct Cloud<T> {
        set nodes;
        set springs: (nodes, nodes);
        param m[nodes]: Real [kg] = 0.3;
        param p[nodes]: Vec3 [m];
        param k[springs]: Real [N/m] = 2.0;
        param rest: Real [m] = 0.4;
        param g: Vec3 [m/s^2] = vec3(0.0, 0.0, 9.81);
        param soft: Real [N/m] = 0.5;
        input lift: Real [m];
        coord (x, v)[nodes]: Vec3 [m];
        coord (s, speed): Real [m];
        // a function of its own is not a sum over a set
        fn sum(a: Real [m], b: Real [m]) -> Real [m] { a + 2.0 * b }
        mass s = 2.0kg;
        guess s = rest;
        potential = soft * sq(sum(s, rest));
        for i in nodes {
            mass x[i] = m[i];
            potential = m[i] * g.dot(x[i]);
            guess x[i] = p[i];
        }
        for e @ (i, j) in springs {
            potential = 0.5 * k[e] * sq(norm(x[j] - x[i]) - rest);
        }
        output first: Real [m] = sum(s, lift);
        let heavy = sum(nodes, |i| m[i]);
        let moment = sum(nodes, |i| m[i] * x[i]);
        let pace = sum(nodes, |i| v[i].dot(v[i])) / sq(speed);
        let swift = pace / rest;
        /// the centre of mass
        output com: Vec3 [m] = moment / heavy + vec3(lift, s, 0.0m);
        output {
            stored: Real [J] = sum(springs, |e @ (i, j)| 0.5 * k[e] * sq(norm(x[j] - x[i]) - rest));
            many: Real = sum(nodes, |i| 1.0);
            moved: Real = swift * sum(springs, |(i, j)| dot(x[i], x[j])) / rest;
            pulled: Real [m] = sum(sum(nodes, |i| der(v[i].x) * 1.0s * 1.0s), rest);
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param m: [Real; 3] [kg] = [0.3, 0.3, 0.3];
        param p: [Vec3; 3] [m];
        param k: [Real; 2] [N/m] = [2.0, 2.0];
        param rest: Real [m] = 0.4;
        param g: Vec3 [m/s^2] = vec3(0.0, 0.0, 9.81);
        param soft: Real [N/m] = 0.5;
        input lift: Real [m];
        coord (x, v): [Vec3; 3] [m];
        coord (s, speed): Real [m];
        mass s = 2.0kg;
        guess s = rest;
        potential = soft * sq(s + 2.0 * rest);
        for i in 0..3 {
            mass x[i] = m[i];
            potential = m[i] * g.dot(x[i]);
            guess x[i] = p[i];
        }
        for i in 0..2 {
            potential = 0.5 * k[i] * sq(norm(x[i + 1] - x[i]) - rest);
        }
        let all = m[0] + m[1] + m[2];
        let swift = v[0].dot(v[0]) + v[1].dot(v[1]) + v[2].dot(v[2]);
        output first: Real [m] = s + 2.0 * lift;
        output com: Vec3 [m] = (m[0] * x[0] + m[1] * x[1] + m[2] * x[2]) / all + vec3(lift, s, 0.0m);
        output stored: Real [J] =
            0.5 * k[0] * sq(norm(x[1] - x[0]) - rest) + 0.5 * k[1] * sq(norm(x[2] - x[1]) - rest);
        output many: Real = 3.0;
        output moved: Real = swift * (dot(x[0], x[1]) + dot(x[1], x[2])) / sq(rest * speed);
        output pulled: Real [m] = (der(v[0].x) + der(v[1].x) + der(v[2].x)) * 1.0s * 1.0s + 2.0 * rest;
    }
}

const PLACES: [[f64; 3]; 3] = [[0.3, 0.4, 0.5], [0.1, -0.2, 0.6], [0.5, 0.3, 0.1]];

fn cloud() -> Cloud {
    Cloud::builder().nodes(3).springs([[0, 1], [1, 2]]).p(PLACES).build().expect("a cloud")
}

#[test]
fn sums_in_expressions_are_those_written_out() {
    let (cloud, written) = (cloud(), Written::builder().p(PLACES).build().expect("a cloud"));
    assert_eq!(cloud.layout().outputs, written.layout().outputs);
    alike(&cloud, &written);
    // nothing is added of an empty set
    let free = Cloud::builder().nodes(2).springs([]).p([[0.0; 3]; 2]).build().expect("a cloud");
    let (state, u) = point(&free);
    let y = free.outputs(state.at(&u), state.rates());
    assert_eq!((free.stored(&y)[0], free.many(&y)[0]), (0.0, 2.0));
}

/// The Jacobian of outputs times a direction is what dual numbers say.
#[test]
fn derivatives_of_sums_are_those_of_dual_numbers() {
    let cloud = cloud();
    let (state, u) = point(&cloud);
    let pattern = cloud.derivatives().output_jacobian;
    let mut jacobian = vec![0.0; pattern.nnz()];
    cloud.output_jacobian(state.at(&u), state.rates(), &mut jacobian);
    let jacobian = dense(pattern, &jacobian);
    let mut along = vec![0.0; pattern.cols];
    Numbers::new().add(&mut along, 1.0);
    let mut slopes = along.iter();
    let mut lift = |from: &[f64], to: &mut [Dual<f64>]| {
        for ((&re, to), &eps) in from.iter().zip(to).zip(slopes.by_ref()) {
            *to = Dual { re, eps };
        }
    };
    let dual = cloud.cast::<Dual<f64>>();
    let mut x = State::neutral(&dual);
    x.t = Dual { re: state.t, eps: 0.0 };
    lift(&state.q, &mut x.q);
    lift(&state.v, &mut x.v);
    lift(&state.a, &mut x.a);
    let mut w = cloud::U::<Dual<f64>>::default();
    lift(u.as_ref(), w.as_mut());
    let mut p = dual.parameter_block();
    lift(&cloud.parameter_block(), &mut p);
    let dual = dual.with_parameters(&p);
    let y = dual.outputs(x.at(&w), x.rates());
    for (row, y) in y.iter().enumerate() {
        let found: f64 = along.iter().zip(&jacobian[row * pattern.cols..]).map(|(d, j)| d * j).sum();
        assert!((found - y.eps).abs() < 1e-12 * (1.0 + y.eps.abs()), "{row}: {found} {}", y.eps);
        assert!(row == 5 || y.eps != 0.0, "{row}");
    }
}
