//! Derivatives against an independent oracle: dual numbers of another crate, carried through the undifferentiated
//! expressions. A wrong rule in any row of the table must be noticed.

mod oracle;

use num_dual::Dual64;
use ode_codegen::compile_with;
use ode_codegen::phases::chart::Chart;
use ode_codegen::phases::expr::{Graph, Node, RULES, Rules, Symbol};
use ode_codegen::phases::families::parts;
use ode_codegen::phases::model::{Hold, Level};
use ode_codegen::phases::parse::parse;

use oracle::{Dual, cross, moved, place, value};

/// What [`oracle::worst`] says of a model.
fn worst(rules: Rules, text: &str) -> f64 {
    oracle::worst(&compile_with(rules, text.parse().unwrap()).unwrap_or_else(|e| panic!("{e}")))
}

/// Every row of the table stands in r, where its derivative is K; the gradient of a length brings in the guarded
/// reciprocal.
const EVERY_FUNCTION: &str = "
    pub struct Every {
        param k: Real = 0.7;
        coord x, y: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        potential = k * norm(vec3(x, y, x * y));
        force f1 on x = sin(x) + cos(x * y) + tan(x) + asin(x) + acos(y) + atan(x);
        force f2 on x = sinh(x) + cosh(y) + tanh(x) + exp(y) + ln(x) + sqrt(x);
        force f3 on y = atan2(x, y) + hypot(x, y) + x.powf(y) + 1.0 / (x + y) + sq(x) - u * y;
        force f4 on y = norm(vec3(x, y, x * y)) * k * z;
        extern fn external(a: Real, b: Real) -> Real { dual: path }
        force f7 on x = external(x * y, der(y)) * external(y, x);
        potential store = external(sq(x), 0.5) * pchip(TABLE, x - y);
        force f5 on x = exp_so3(vec3(x, y, k)).rotate(vec3(1.0, 2.0, y)).x;
        force f6 on y = log_so3(exp_so3(vec3(x, y, k)) * rot_x(x)).y;
        state z: Real;
        der(z) = exp(z) * sin(x) - k * der(y) * sq(z) + u;
    }";

#[test]
fn every_derivative_agrees_with_dual_numbers() {
    let worst = worst(RULES, EVERY_FUNCTION);
    assert!(worst < 1e-12, "{worst:e}");
}

/// Loops whose elements are so large that vertices are eliminated: of tetrahedra with damping and a state, and hinges.
const LARGE_ELEMENTS: &str = "
    pub struct Solid {
        set nodes;
        set tets: (nodes, nodes, nodes, nodes);
        param mass[nodes]: Real;
        param mu, lag: Real;
        param shape[tets]: Mat3;
        param stiff[tets]: Real;
        input heat: Real;
        coord (x, v)[nodes]: Vec3;
        state warm[tets]: Real;
        for i in nodes { kinetic = 0.5 * mass[i] * v[i].dot(v[i]); }
        for e @ (a, b, c, d) in tets {
            let f1 = shape[e] * (x[b] - x[a]);
            let f2 = shape[e] * (x[c] - x[a]); let f3 = shape[e] * (x[d] - x[a]);
            let grown = exp(f1.dot(f2.cross(f3)));
            let rate = (v[b] - v[a]).dot(f1) + (v[c] - v[d]).dot(f2);
            potential = 0.5 * mu * (f1.dot(f1) + f2.dot(f2) * f3.dot(f3)) + mu * sq(grown - 1.0);
            force thrust on x[a] = warm[e] * heat * f1.cross(f2);
            dissipation = 0.5 * lag * sq(rate);
            der(warm[e]) = heat * sin(rate) * warm[e] - grown;
        }
        for e @ (i, j, k, l) in tets {
            let along = x[j] - x[i];
            let n1 = along.cross(x[k] - x[i]); let n2 = (x[l] - x[i]).cross(along);
            potential = 0.5 * stiff[e] * sq(atan2(n1.cross(n2).dot(along) / along.norm(), 2.0 + n1.dot(n2)));
        }
    }";

#[test]
fn derivatives_of_large_elements_agree_with_dual_numbers() {
    let (ast, mut errors) = parse(LARGE_ELEMENTS.parse().unwrap());
    let parts = parts(&ast, &mut errors, RULES).expect("a model");
    let mut large = 0;
    for element in &parts.elements {
        let e = &element.equations;
        let rows = e.dynamics.residual.iter().chain(&e.states.residual).copied().collect::<Vec<_>>();
        large += usize::from(e.graph.operations(&rows) > 150);
        let worst = oracle::worst(element);
        assert!(worst < 1e-12, "{worst:e}");
        // no structural zeros, in K and D either
        let of = |weight: u32, places: &[(usize, usize)]| {
            let at = |symbol| match symbol {
                Symbol::Weight(i) => f64::from(u8::from(i == weight)),
                symbol => value(0, symbol),
            };
            let values = e.graph.sample(&e.tangent.matrix.values(), &at);
            let n = element.model.nv();
            let own = e.tangent.matrix.entries.iter().zip(values).filter(|((r, c, _), _)| *r < n && *c < n);
            let own = own.filter(|(_, value)| value.abs() > 1e-14).map(|(&(r, c, _), _)| (r, c));
            assert_eq!(places, own.collect::<Vec<_>>());
        };
        of(2, &e.tangent.stiffness);
        of(1, &e.tangent.damping);
        let parameters = e.graph.sample(&e.sensitivities.parameters.values(), &|symbol| value(0, symbol));
        assert!(parameters.iter().all(|value| value.abs() > 1e-14));
    }
    assert_eq!(large, 2);
}

/// Two branches read the last of a chain of values, each of which reads the one before it twice.
fn branches_over_a_chain(links: usize) -> String {
    let chain: String = (0..links).map(|i| format!("let a{} = a{i} * sin(a{i});", i + 1)).collect();
    format!(
        "pub struct Chain {{ param k: Real = 1.0; coord x: Real; kinetic = 0.5 * sq(der(x)); let a0 = x; {chain}
         potential = k * ((if x < 0.7 {{ cos(a{links}) }} else {{ 0.0 }})
             + (if x < 0.9 {{ exp(a{links}) }} else {{ 0.0 }})); }}"
    )
}

/// The slope of a sum of branches is multiplied once at each link, not once for each branch and path.
#[test]
fn slopes_of_several_branches_do_not_double_at_each_link() {
    let ops = |links: usize| {
        let compiled = compile_with(RULES, branches_over_a_chain(links).parse().unwrap());
        compiled.unwrap_or_else(|e| panic!("{e}")).program.ops().total()
    };
    let (few, many) = (ops(5), ops(10));
    assert!(many < 3 * few, "{few} operations of 5 links, {many} of 10");
    assert!(worst(RULES, &branches_over_a_chain(5)) < 1e-9);
}

#[test]
fn a_wrong_rule_is_noticed_in_every_row() {
    fn off_by_a_thousandth(
        g: &mut Graph,
        x: [Node; 2],
        y: Node,
        wrt: usize,
        right: fn(&mut Graph, [Node; 2], Node, usize) -> Node,
    ) -> Node {
        let d = right(g, x, y, wrt);
        g.scale(1.001, d)
    }
    // a derivative is a plain function, so each wrong one names its right one
    macro_rules! wrong {
        ($($row:literal)*) => {
            [$((|g: &mut Graph, x: [Node; 2], y: Node, wrt: usize| {
                off_by_a_thousandth(g, x, y, wrt, RULES[$row].derivative)
            }) as fn(&mut Graph, [Node; 2], Node, usize) -> Node),*]
        };
    }
    let wrong = wrong!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
    assert_eq!(wrong.len(), RULES.len());
    for (row, derivative) in wrong.into_iter().enumerate() {
        let mut rules = RULES;
        rules[row].derivative = derivative;
        let worst = worst(rules, EVERY_FUNCTION);
        assert!(worst > 1e-7, "{:?} is wrong and nothing noticed ({worst:e})", RULES[row].function);
    }
}

/// v · r(a, λ = 0) = d/dt (T + V) + ∂R/∂v · v − Σ power, for T quadratic in v and nothing that depends on t.
///
/// This checks the derivation of the equations of motion itself: its right-hand side knows energies only.
fn energy_balance(text: &str) {
    let compiled = compile_with(RULES, text.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let (e, model) = (&compiled.equations, &compiled.model);
    for point in 0..32 {
        let v = |i: usize| value(point, Symbol::V(i as u32));
        let at = |s: Symbol| if matches!(s, Symbol::Lambda(_)) { 0.0 } else { value(point, s) };
        let moving = |s: Symbol| {
            let rate = match s {
                Symbol::Q(i) => value(point, Symbol::V(i)),
                Symbol::V(i) => value(point, Symbol::A(i)),
                _ => 0.0,
            };
            Dual(Dual64::new(at(s), rate))
        };
        let r = e.graph.sample(&e.dynamics.residual, &at);
        let left: f64 = r.iter().enumerate().map(|(i, r)| v(i) * r).sum();
        let energies = e.graph.evaluate_in::<Dual>(&e.energies.energy[..2], &moving);
        let loss: f64 = e.graph.sample(&e.energies.energy[2..], &at)[0];
        let power: f64 = e.graph.sample(&e.energies.power, &at).iter().sum();
        let right = energies[0].0.eps + energies[1].0.eps + loss - power;
        let scale = left.abs().max(energies[0].0.eps.abs()).max(energies[1].0.eps.abs()).max(1e-9);
        assert!((left - right).abs() < 1e-11 * scale, "{}: {left} against {right}", model.header.name);
    }
}

#[test]
fn power_balances_energy() {
    energy_balance(
        "pub struct CartPole {
            param m_c: Real = 1.0; param m_p: Real = 0.1; param l: Real = 0.5; param c: Real = 0.2;
            coord x: Real; coord th: Angle; input u: Real;
            let tip = vec2(x + l * sin(th), -l * cos(th));
            kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
            potential = m_p * 9.81 * tip.y;
            dissipation = 0.5 * c * sq(der(x));
            force drive on x = u;
        }",
    );
    // a kinetic energy that is no sum of squares of rates: Euler–Lagrange proper
    energy_balance(
        "pub struct Metric {
            coord x, y: Real;
            kinetic = 0.5 * (1.0 + sq(x)) * sq(der(x)) + x * y * der(x) * der(y) + (2.0 + y) * sq(der(y));
            potential = x * sq(y);
            force f on x * y = 0.3 * x;
        }",
    );
    energy_balance(
        "pub struct Spring {
            param m: Real = 1.0; param k: Real = 3.0;
            coord r, s: Vec2;
            kinetic = 0.5 * m * der(r).dot(der(r)) + 0.5 * m * der(s).dot(der(s));
            spring link on (r, s) { k: k, rest: 0.3, damping: 0.1 }
        }",
    );
}

/// r by the equations of Lagrange (of Poincaré and Hamel, for rotations: ± ω × p), every derivative but ∂T/∂v taken by
/// dual numbers, against the r that was derived:
///
/// ```text
/// d/dt(∂T/∂v) ± ω × ∂T/∂ω − Nᵀ∂T/∂q + Nᵀ∂V/∂q + ∂R/∂v − Σ e Nᵀ∂s/∂q − Σ λ Nᵀ∂Φ/∂q − Σ λ ∂ψ/∂v + Σ m a
/// ```
fn lagrange(text: &str) {
    let mut compiled = compile_with(RULES, text.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let model = &compiled.model;
    let g = &mut compiled.equations.graph;
    let (n, blocks) = (model.nv(), model.blocks());
    let rates: Vec<Symbol> = (0..n as u32).map(Symbol::V).collect();
    let kinetic: Vec<Node> = model.energies.kinetic.iter().map(|e| e.value).collect();
    let momenta: Vec<Vec<Node>> = kinetic.iter().map(|&t| g.gradient(t, &rates)).collect();
    for point in 0..8 {
        let at = |s: Symbol| place(&blocks, point, s);
        // N, by velocities: the positions each moves, and how
        let mut directions: Vec<Vec<(usize, f64)>> = Vec::new();
        for block in &blocks {
            let q: Vec<f64> = block.positions().map(|i| at(Symbol::Q(i as u32))).collect();
            directions
                .extend((0..block.velocities().len()).map(|k| block.positions().zip(moved(block, &q, k)).collect()));
        }
        let along = |node: Node, seed: &dyn Fn(Symbol) -> f64| {
            g.evaluate_in::<Dual>(&[node], &|s| Dual(Dual64::new(at(s), seed(s))))[0].0.eps
        };
        let moves = |s: Symbol, j: usize| match s {
            Symbol::Q(i) => directions[j].iter().find(|(q, _)| *q == i as usize).map_or(0.0, |(_, rate)| *rate),
            _ => 0.0,
        };
        let rate = |node: Node| {
            along(node, &|s| match s {
                Symbol::Time => 1.0,
                Symbol::Q(_) => (0..n).map(|j| moves(s, j) * at(Symbol::V(j as u32))).sum(),
                Symbol::V(i) => at(Symbol::A(i)),
                _ => 0.0,
            })
        };
        let number = |node: Node| g.sample(&[node], &at)[0];
        let derived = g.sample(&compiled.equations.dynamics.residual, &at);
        for i in 0..n {
            let slope = |node: Node| along(node, &|s| moves(s, i));
            let push = |node: Node| along(node, &|s| f64::from(u8::from(s == Symbol::V(i as u32))));
            let mut terms: Vec<f64> = momenta.iter().map(|p| rate(p[i])).collect();
            if let Some(block) = blocks.iter().find(|b| b.chart.is_rotation() && b.velocities().contains(&i)) {
                let sign = if block.chart == Chart::Rotation { 1.0 } else { -1.0 };
                let omega = [0, 1, 2].map(|k| at(Symbol::V((block.v + k) as u32)));
                let turned = |p: &Vec<Node>| cross(omega, [0, 1, 2].map(|k| number(p[block.v + k])))[i - block.v];
                terms.extend(momenta.iter().map(|p| sign * turned(p)));
            }
            terms.extend(kinetic.iter().map(|&t| -slope(t)));
            terms.extend(model.energies.potential.iter().map(|e| slope(e.value)));
            terms.extend(model.energies.dissipation.iter().map(|e| push(e.value)));
            for force in &model.forces {
                let by = |s: Node| if force.level == Level::Position { slope(s) } else { push(s) };
                terms.extend(force.on.iter().zip(&force.value).map(|(&s, &e)| -number(e) * by(s)));
            }
            for constraint in &model.constraints {
                let lambda = |k: usize| at(Symbol::Lambda((constraint.first + k) as u32));
                let by = |row: Node| if constraint.level == Hold::Position { slope(row) } else { push(row) };
                terms.extend(constraint.rows.iter().enumerate().map(|(k, &row)| -lambda(k) * by(row)));
            }
            let entries = model.mass.iter().filter(|m| m.row == i);
            terms.extend(entries.map(|m| number(m.value) * at(Symbol::A(m.col as u32))));
            let (sum, scale) = terms.iter().fold((0.0, 0.0_f64), |(s, m), t| (s + t, m + t.abs()));
            let name = &model.header.name;
            assert!((derived[i] - sum).abs() <= 1e-12 * scale, "{name}, row {i}: {} is not {sum}", derived[i]);
        }
    }
}

/// Revolute, prismatic and driven joints, a fork, centres of mass off the joints, a torque between bodies and a spring.
const BODIES: &str = "
    pub struct Bodies {
        param m: [Real; 4] = [1.0, 2.0, 0.5, 0.7];
        param j: SymMat3 = [[0.3, 0.02, -0.01], [0.02, 0.2, 0.03], [-0.01, 0.03, 0.4]];
        coord a, b, c, d: Angle; coord s: Real; coord x: Vec2; input u: Real;
        let base = frame(vec3(x.x, x.y, 0.1 * sin(2.0 * t)), rot_z(a));
        let arm = base * frame(vec3(0.3, 0.0, 0.1), rot_x(PI / 2.0) * rot_z(b));
        let slide = arm * frame(vec3(0.1, s, 0.2 * b), rot_y(c) * rot_x(0.3));
        let fork = arm * frame(vec3(0.0, 0.4, 0.0), exp_so3(vec3(d, 0.2 * d, a)));
        body b0 on base { mass: m[0], inertia: diag(0.1, 0.2, 0.3), com: vec3(0.1, 0.0, 0.05) }
        body b1 on arm { mass: m[1], inertia: j }
        body b2 on slide { mass: m[2], inertia: 2.0 * j, com: vec3(0.0, 0.2, 0.1) }
        body b3 on fork { mass: m[3], inertia: 0.0, com: vec3(0.0, 0.0, 0.3) }
        kinetic rotor = 0.5 * sq(der(b) + 5.0 * der(c)) + 0.5 * (1.0 + sq(s)) * sq(der(s));
        gravity = vec3(0.3, 0.0, -9.81);
        spring band on (slide.at(vec3(0.1, 0.0, 0.0)), vec3(1.0, 1.0, 1.0)) { k: 3.0, rest: 0.2, damping: 0.1 }
        torque drive on fork = fork.vec(vec3(u, 0.1, 0.2));
        torque back on arm = -fork.vec(vec3(u, 0.1, 0.2)) - 0.1 * arm.vec(arm.rate);
        force push on fork.at(vec3(0.1, 0.2, 0.3)) = fork.vec(vec3(0.0, u, 1.0));
        constraint pin: fork.at(vec3(0.5, 0.0, 0.0)).z == 0.1 * t;
    }";

#[test]
fn bodies_in_space_move_as_lagrange_says() {
    lagrange(BODIES);
    let worst = worst(RULES, BODIES);
    assert!(worst < 1e-12, "{worst:e}");
    // without what depends on time
    let still = BODIES.replace("0.1 * sin(2.0 * t)", "0.0").replace("0.1 * t", "0.1");
    assert_ne!(still, BODIES);
    energy_balance(&still);
}

#[test]
fn bodies_on_rotations_move_as_poincare_says() {
    lagrange(
        "pub struct Free {
            param m: Real = 1.3; param j: SymMat3 = [[0.3, 0.02, -0.01], [0.02, 0.2, 0.03], [-0.01, 0.03, 0.4]];
            coord r: Vec3; coord (q, w): SO3; coord (p, u): SO3<World>; coord a: Angle; input f: Real;
            let hull = frame(r, q);
            let mast = hull * frame(vec3(0.1, 0.0, 0.4), rot_y(a));
            let ball = mast * frame(vec3(0.0, 0.2, 0.3), p);
            body b0 on hull { mass: m, inertia: j, com: vec3(0.0, 0.1, 0.05) }
            body b1 on mast { mass: 0.5 * m, inertia: j }
            body b2 on ball { mass: 0.2, inertia: diag(0.1, 0.2, 0.25), com: vec3(0.1, 0.0, 0.0) }
            gravity = vec3(0.0, 0.1, -9.81);
            torque t0 on mast = mast.vec(vec3(f, 0.0, 1.0));
            torque t1 on p = vec3(0.1, f, 0.0);
            force f0 on ball.at(vec3(0.0, 0.0, 0.2)) = vec3(1.0, f, 0.0);
            coord (s, h): SE3; let hook = s * frame(vec3(0.1, 0.2, 0.0), rot_x(a));
            body b3 on s { mass: 0.7, inertia: j } body b4 on hook { mass: 0.3, inertia: j, com: vec3(0.0, 0.0, 0.1) }
            potential = 0.3 * log_so3(q.inv() * p).dot(vec3(1.0, 2.0, 3.0));
        }",
    );
}

/// M = ∂r/∂a, and half of v · M v is the kinetic energy where time moves nothing.
#[test]
fn the_mass_matrix_of_bodies_in_space_is_that_of_their_energy() {
    let mut compiled = compile_with(RULES, BODIES.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let e = &mut compiled.equations;
    let n = e.dynamics.residual.len();
    for j in 0..n {
        let one = e.graph.constant(1.0);
        let column = e.graph.jvp(&e.dynamics.residual, &[(Symbol::A(j as u32), one)]);
        for point in 0..8 {
            let at = |s: Symbol| value(point, s);
            for (i, by_residual) in e.graph.evaluate(&column, &at).into_iter().enumerate() {
                let entry = e.dynamics.mass.get(i.max(j), i.min(j)).map_or(0.0, |m| e.graph.evaluate(&[m], &at)[0]);
                assert!((entry - by_residual).abs() < 1e-12, "({i}, {j}): {entry} is not {by_residual}");
            }
        }
    }
}

#[test]
fn the_equations_of_every_example_are_lagranges() {
    let models = oracle::examples();
    for model in &models {
        lagrange(&model.to_string());
    }
    assert!(models.len() >= 17, "{} models", models.len());
}

#[test]
fn no_shortcut_is_taken_where_it_does_not_hold() {
    // sin θ φ̇ is not the rate of a position, and a heavy coordinate must not hide that
    lagrange(
        "pub struct Scales {
            coord x: Real; coord th, ph: Angle;
            kinetic planet = 0.5 * 5.97e24 * sq(der(x));
            kinetic toy = 0.5 * sq(der(th)) + 0.5 * sq(sin(th) * der(ph));
        }",
    );
    lagrange(
        "pub struct Everything {
            param m: Real = 1.3; param k: Real = 2.0;
            coord x, y: Real; coord r: Vec2; input u: Real;
            kinetic metric = 0.5 * (1.0 + sq(x) + t) * sq(der(x)) + 0.1 * sq(sq(der(y)));
            kinetic moving = 0.5 * m * sq(der(x + sin(3.0 * t) * y)) + 0.5 * der(r).dot(der(r));
            mass y = 0.3 + sq(x);
            potential = k * x * sq(y) + 0.2 * norm(r);
            dissipation = 0.1 * sq(der(x) * y) + 0.05 * sq(der(y));
            force pull on norm(r - vec2(x, y)) = -k * u;
            constraint rod: r.dot(r) == 1.0 + 0.1 * sin(t) + sq(x);
        }",
    );
}
