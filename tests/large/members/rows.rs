//! Constraints to which the members of sets add, against the same model written out.

use ode_model::integrators::{BackwardEuler, Bdf2, GeneralizedAlpha, RungeKutta4};
use ode_model::{Dual, Simulation, Start, System, model};

use crate::alike::{alike, tangent_of_duals};

model! {
    /// Masses on springs around a volume that breathes, with their centre on a cart, and a length of all springs.
    pub struct Bag<T> {
        set nodes;
        set springs: (nodes, nodes);
        set faces: (nodes, nodes, nodes);
        set pinned: nodes;
        param p[nodes]: Vec3 [m];
        param m[nodes]: Real [kg] = 0.2;
        param k: Real [N/m] = 30.0;
        param rest[springs]: Real [m] = 1.2;
        param long: Real [m] = 8.0;
        param slope: Real = 0.3;
        param v0: Real [m^3] = 0.2;
        param w: Real [1/s] = 3.0;
        param soft: Real [N/m] = 12.0;
        param g: Real [m/s^2] = 9.81;
        input wind: Real [N] = 0.2;
        coord (x, v)[nodes]: Vec3 [m];
        coord s: Real [m];
        mass s = 0.5kg;
        potential = 0.5 * soft * sq(s);
        guess s = 0.05m;
        for i in nodes {
            mass x[i] = m[i];
            potential = m[i] * g * x[i].z;
            force drag on x[i] = vec3(wind, 0.0, 0.0);
            guess x[i] = p[i];
        }
        for e @ (i, j) in springs {
            potential = 0.5 * k * sq(norm(x[j] - x[i]) - rest[e]);
        }
        let inside = sum(faces, |(i, j, k)| dot(x[i], cross(x[j], x[k])) / 6.0);
        /// of the tetrahedra between faces and the origin
        constraint volume: inside == v0 * (1.0 + 0.1 * sin(w * t));
        for i in pinned {
            constraint flat: x[i].z + 0.2 * s == p[i].z + 0.01m;
        }
        constraint centre: 2.0 * sum(nodes, |i| m[i] * (x[i] - p[i])) / 1.0kg
            - slope * (-sum(pinned, |i| vec3(s, x[i].y, 0.0m))) == vec3(s, 0.0m, s) + vec3(0.01m, 0.0m, 0.0m);
        // a row has its own name
        let length = sum(springs, |e @ (i, j)| norm(x[j] - x[i]) - rest[e]) + s;
        constraint length: length + sq(s) / long
            == sum(nodes, |i| slope * (x[i] - p[i])).y + 0.5 * sum(pinned, |i| x[i] - p[i])[0] + 0.02 * long;
        output all: Real [m^3] = inside;
        output pressure: Real [Pa] = volume.lambda;
        output carried: Real [N] = slope * norm(centre.lambda) + wind;
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param p: [Vec3; 4] [m];
        param m: [Real; 4] [kg] = [0.2, 0.2, 0.2, 0.2];
        param k: Real [N/m] = 30.0;
        param rest: [Real; 3] [m] = [1.2, 1.2, 1.2];
        param long: Real [m] = 8.0;
        param slope: Real = 0.3;
        param v0: Real [m^3] = 0.2;
        param w: Real [1/s] = 3.0;
        param soft: Real [N/m] = 12.0;
        param g: Real [m/s^2] = 9.81;
        input wind: Real [N] = 0.2;
        coord (x, v): [Vec3; 4] [m];
        coord s: Real [m];
        mass s = 0.5kg;
        potential = 0.5 * soft * sq(s);
        guess s = 0.05m;
        for i in 0..4 {
            mass x[i] = m[i];
            potential = m[i] * g * x[i].z;
            force drag on x[i] = vec3(wind, 0.0, 0.0);
            guess x[i] = p[i];
        }
        let l_0 = norm(x[1] - x[0]);
        let l_1 = norm(x[1] - x[2]);
        let l_2 = norm(x[3] - x[0]);
        potential = 0.5 * k * (sq(l_0 - rest[0]) + sq(l_1 - rest[1]) + sq(l_2 - rest[2]));
        constraint flat_0: x[2].z + 0.2 * s == p[2].z + 0.01m;
        constraint flat_1: x[0].z + 0.2 * s == p[0].z + 0.01m;
        let face_0 = dot(x[0], cross(x[1], x[2])) / 6.0;
        let face_1 = dot(x[0], cross(x[2], x[3])) / 6.0;
        let volume_of = face_0 + face_1 + dot(x[3], cross(x[2], x[1])) / 6.0;
        constraint volume: volume_of == v0 * (1.0 + 0.1 * sin(w * t));
        constraint centre: 2.0 * (m[0] * (x[0] - p[0]) + m[1] * (x[1] - p[1]) + m[2] * (x[2] - p[2])
            + m[3] * (x[3] - p[3])) / 1.0kg + slope * (vec3(s, x[2].y, 0.0m) + vec3(s, x[0].y, 0.0m))
            == vec3(s, 0.0m, s) + vec3(0.01m, 0.0m, 0.0m);
        constraint length: l_0 - rest[0] + l_1 - rest[1] + l_2 - rest[2] + s + sq(s) / long
            == slope * (x[0].y - p[0].y + x[1].y - p[1].y + x[2].y - p[2].y + x[3].y - p[3].y)
            + 0.5 * (x[2].x - p[2].x + x[0].x - p[0].x) + 0.02 * long;
        output pressure: Real [Pa] = volume.lambda;
        output carried: Real [N] = slope * norm(centre.lambda) + wind;
        output all: Real [m^3] = volume_of;
    }
}

model! {
    /// A closed net of threads with a gas inside, whose energy reads the volume.
    pub struct Filled<T> {
        set nodes;
        set threads: (nodes, nodes);
        set faces: (nodes, nodes, nodes);
        param p[nodes]: Vec3 [m];
        param m: Real [kg] = 0.01;
        param k: Real [N/m] = 50.0;
        param rest: Real [m] = 1.0;
        param c: Real [N*s/m] = 0.2;
        param heat: Real [J] = 30.0;
        param v0: Real [m^3] = 1.0;
        coord (x, v)[nodes]: Vec3 [m];
        coord volume: Real [m^3];
        let inside = sum(faces, |(i, j, k)| dot(x[i], cross(x[j], x[k])) / 6.0);
        constraint gas: volume == inside;
        potential = -heat * ln(volume / v0);
        guess volume = 0.5 * v0;
        for i in nodes {
            mass x[i] = m;
            force damp on x[i] = -c * v[i];
            guess x[i] = p[i];
        }
        for (i, j) in threads {
            potential = 0.5 * k * sq(norm(x[j] - x[i]) - rest);
        }
        output held: Real [m^3] = inside;
        output pressure: Real [Pa] = -gas.lambda;
    }
}

model! {
    /// A closed net of threads with a fluid inside.
    pub struct Balloon {
        set nodes;
        set threads: (nodes, nodes);
        set faces: (nodes, nodes, nodes);
        param p[nodes]: Vec3 [m];
        param m: Real [kg] = 0.01;
        param k: Real [N/m] = 50.0;
        param rest: Real [m] = 1.0;
        param c: Real [N*s/m] = 0.05;
        param v0: Real [m^3];
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = m;
            force damp on x[i] = -c * v[i];
            guess x[i] = p[i];
        }
        for (i, j) in threads {
            potential = 0.5 * k * sq(norm(x[j] - x[i]) - rest);
        }
        constraint volume: sum(faces, |(i, j, k)| dot(x[i], cross(x[j], x[k])) / 6.0) == v0;
    }
}

model! {
    /// Beads that are held by sums alone: no term stands beside them. Many factors stand behind one.
    pub struct Beads {
        set left: const 2;
        set right: const 2;
        param a: Real = 2.0;
        coord x[left]: Real;
        coord y[right]: Real;
        for i in left { mass x[i] = 1.0; force pull on x[i] = 1.0; guess x[i] = 0.1; }
        for i in right { mass y[i] = 3.0; guess y[i] = 0.1; }
        constraint level: sum(left, |i| x[i]) * a * a * a * a * a * a * a * a * a * a * a * a / 4096.0
            == -(-(-(-(-(-(-(-(-(-(-(-sum(right, |i| y[i]))))))))))));
    }
}

const PLACES: [[f64; 3]; 4] = [[0.9, 0.1, 0.0], [0.1, 1.1, 0.2], [-0.2, 0.1, 1.0], [0.4, -0.9, 0.3]];
const SPRINGS: [[usize; 2]; 3] = [[0, 1], [2, 1], [0, 3]];
const FACES: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 3], [3, 2, 1]];

fn bag() -> Bag {
    let builder = Bag::builder().nodes(4).springs(SPRINGS).faces(FACES).pinned([2, 0]).p(PLACES);
    builder.m([0.2, 0.3, 0.25, 0.4]).build().expect("a bag")
}

#[test]
fn constraints_over_sums_are_those_written_out() {
    let (bag, written) = (bag(), Written::builder().p(PLACES).m([0.2, 0.3, 0.25, 0.4]).build().expect("a bag"));
    let layout = bag.layout();
    let names = ["flat[0]", "flat[1]", "volume", "centre.x", "centre.y", "centre.z", "length"];
    assert_eq!(layout.constraints, names);
    // the row of the volume is that of all nodes
    assert_eq!(layout.jacobian.entries().filter(|&(row, _)| row == 2).count(), 12);
    alike(&bag, &written);
    moves_alike!(&bag, &written, [
        "backward Euler" BackwardEuler::default(), false;
        "linearly implicit Euler" BackwardEuler::linearized(), true;
        "BDF2" Bdf2::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Runge–Kutta 4" RungeKutta4, true;
    ]);
}

/// The weighted tangent, times a direction, is what dual numbers through the residual say.
#[test]
fn tangents_of_shared_rows_are_those_of_dual_numbers() {
    let bag = bag();
    let slopes = tangent_of_duals(&bag, &bag.cast::<Dual<f64>>());
    assert!(slopes.iter().all(|slope| *slope != 0.0));
}

model! {
    /// Wheels on a platform: what all of them roll adds up.
    pub struct Rolling<T> {
        set wheels;
        set pairs: (wheels, wheels) = chain;
        param r[wheels]: Real [m] = 0.3;
        param first[wheels]: Real;
        param k: Real [N*m] = 2.0;
        param slow: Real [1/s] = 0.4;
        param w: Real [1/s] = 3.0;
        param jerk: Real [m/s] = 0.2;
        input push: Real [N] = 0.5;
        coord (th, speed)[wheels]: Angle;
        coord s: Real [m];
        mass s = 0.7kg;
        force push on s = push;
        guess s = 0.1;
        for i in wheels {
            let inertia = 0.2kg * sq(r[i]);
            mass th[i] = inertia;
            guess th[i] = first[i];
        }
        for (i, j) in pairs { potential = 0.5 * k * sq(th[j] - th[i]); }
        constraint hold: sum(wheels, |i| th[i] * r[i]) == 0.2 * s;
        /// terms with velocities and terms without
        constraint roll: sum(pairs, |(i, j)| r[i] * cos(th[j]) * speed[i]) + slow * sum(wheels, |i| r[i] * sin(th[i]))
            == 0.5 * der(s) - jerk * sin(w * t);
        output grip: Real [W] = roll.lambda * jerk;
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Rolled<T> {
        param r: [Real; 3] [m] = [0.3; 3];
        param first: [Real; 3];
        param k: Real [N*m] = 2.0;
        param slow: Real [1/s] = 0.4;
        param w: Real [1/s] = 3.0;
        param jerk: Real [m/s] = 0.2;
        input push: Real [N] = 0.5;
        coord (th, speed): [Angle; 3];
        coord s: Real [m];
        mass s = 0.7kg;
        force push on s = push;
        guess s = 0.1;
        for i in 0..3 {
            mass th[i] = 0.2kg * sq(r[i]);
            guess th[i] = first[i];
        }
        potential = 0.5 * k * (sq(th[1] - th[0]) + sq(th[2] - th[1]));
        constraint hold: th[0] * r[0] + th[1] * r[1] + th[2] * r[2] == 0.2 * s;
        constraint roll: r[0] * cos(th[1]) * speed[0] + r[1] * cos(th[2]) * speed[1]
            + slow * (r[0] * sin(th[0]) + r[1] * sin(th[1]) + r[2] * sin(th[2]))
            == 0.5 * der(s) - jerk * sin(w * t);
        output grip: Real [W] = roll.lambda * jerk;
    }
}

#[test]
fn rows_over_sums_of_velocities_are_those_written_out() {
    let first = [0.2, -0.1, 0.15];
    let rolling = Rolling::builder().wheels(3).first(first).build().expect("wheels");
    let rolled = Rolled::builder().first(first).build().expect("wheels");
    assert_eq!(rolling.layout().constraints, rolled.layout().constraints);
    alike(&rolling, &rolled);
    moves_alike!(&rolling, &rolled, [
        "backward Euler" BackwardEuler::default(), false;
        "BDF2" Bdf2::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), true;
        "Runge–Kutta 4" RungeKutta4, true;
    ]);
    assert!(tangent_of_duals(&rolling, &rolling.cast::<Dual<f64>>()).iter().all(|slope| *slope != 0.0));
}

const CORNERS: [[usize; 3]; 8] =
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
const THREADS: [[usize; 2]; 12] =
    [[0, 2], [2, 1], [1, 3], [3, 0], [0, 4], [1, 4], [2, 4], [3, 4], [0, 5], [1, 5], [2, 5], [3, 5]];

/// An octahedron, of which no node begins where it rests.
fn octahedron() -> [[f64; 3]; 6] {
    let p = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    p.map(|[x, y, z]: [f64; 3]| [1.2 * x + 0.1 * y, 0.8 * y + 0.05 * z, z - 0.1 * x])
}

/// What reads a sum itself reads a coordinate that is held at it: a gas in a net.
#[test]
fn a_gas_fills_a_balloon() {
    let gas = Filled::builder().nodes(6).threads(THREADS).faces(CORNERS).p(octahedron()).build().expect("a gas");
    // 3 heat / l = 12 k (l − rest): the pressure heat / V with V = √2/3 l³ pulls twelve threads
    let edge = 0.5 * (1.0 + (1.0 + 30.0_f64 / 50.0).sqrt());
    let volume = 2.0_f64.sqrt() / 3.0 * edge.powi(3);
    macro_rules! rests {
        ($($method:expr),*) => {$(
            let mut run = Simulation::of(&gas, $method).fixed(0.01).expect("a start");
            let y = gas.outputs(run.state().at(&filled::U::default()), run.state().rates());
            assert!((gas.held(&y)[0] - gas.volume(&run.state().q)[0]).abs() < 1e-12);
            run.advance_to(20.0).expect("a run");
            let state = run.state();
            assert!((gas.volume(&state.q)[0] - volume).abs() < 1e-7 * volume, "{:?} {volume}", gas.volume(&state.q));
            for [i, j] in THREADS {
                let (a, b) = (gas.x(&state.q)[i], gas.x(&state.q)[j]);
                let length = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                assert!((length - edge).abs() < 1e-6, "{length} {edge}");
            }
            // the row has the pressure
            let y = gas.outputs(state.at(&filled::U::default()), state.rates());
            assert!((gas.pressure(&y)[0] - 30.0 / volume).abs() < 1e-5 * gas.pressure(&y)[0], "{y:?} {volume}");
        )*};
    }
    rests!(GeneralizedAlpha::with_spectral_radius(0.5), BackwardEuler::default());
    assert!(tangent_of_duals(&gas, &gas.cast::<Dual<f64>>()).iter().all(|slope| *slope != 0.0));
}

#[test]
fn a_balloon_keeps_its_volume() {
    let balloon = Balloon::builder().nodes(6).threads(THREADS).faces(CORNERS).v0(1.6).c(0.2);
    let balloon = balloon.p(octahedron()).build().expect("a balloon");
    let volume = |q: &[f64]| -> f64 {
        let x = balloon.x(q);
        let of = |[i, j, k]: [usize; 3]| {
            let ([a, b, c], [d, e, f]) = (x[j], x[k]);
            let cross = [b * f - c * e, c * d - a * f, a * e - b * d];
            x[i].iter().zip(cross).map(|(x, n)| x * n).sum::<f64>() / 6.0
        };
        CORNERS.into_iter().map(of).sum()
    };
    let start = Start::default().solve(&balloon, &ode_model::Nominal).expect("a start");
    assert!((volume(&start.q) - 1.6).abs() < 1e-12, "{}", volume(&start.q));
    let mut run = Simulation::of(&balloon, GeneralizedAlpha::with_spectral_radius(0.5)).fixed(0.01).expect("a start");
    for second in 1..=20 {
        run.advance_to(f64::from(second)).expect("a run");
        assert!((volume(&run.state().q) - 1.6).abs() < 1e-9, "{}", volume(&run.state().q));
    }
    // at rest it is a regular octahedron of edge l: V = √2/3 l³, and the threads pull against the pressure −λ
    let state = run.state();
    let edge = (1.6 * 3.0 / 2.0_f64.sqrt()).cbrt();
    for [i, j] in THREADS {
        let (a, b) = (balloon.x(&state.q)[i], balloon.x(&state.q)[j]);
        let length = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        assert!((length - edge).abs() < 1e-6, "{length} {edge}");
    }
    // virtual work: λ dV = Σ k (l − l0) dl of twelve threads
    let pressure = 12.0 * 50.0 * (edge - 1.0) / (2.0_f64.sqrt() * edge * edge);
    assert!((state.lambda[0] - pressure).abs() < 1e-5 * pressure, "{} {pressure}", state.lambda[0]);
}

#[test]
fn sums_on_both_sides_are_one_row() {
    let beads = Beads::builder().build().expect("beads");
    let start = Start::default().solve(&beads, &ode_model::Nominal).expect("a start");
    // Gauss: a = 1 − λ on the left and λ/3 on the right, 2 (1 + λ) = −2 λ/3
    assert_eq!(beads.layout().constraints, ["level"]);
    assert!((start.lambda[0] + 0.75).abs() < 1e-12, "{:?}", start.lambda);
    assert!((start.a[0] - 0.25).abs() < 1e-12 && (start.a[2] - 0.25).abs() < 1e-12, "{:?}", start.a);
}
