//! The numbers of the explicit Runge–Kutta methods: what their docs claim, from the conditions on A, b and c alone.

use ode_runtime::Estimates;
use ode_runtime::integrators::{
    BogackiShampine, Chebyshev, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic,
    Heun, RungeKutta4, Tableau, Verner9,
};

/// A tableau as numbers.
#[derive(Clone, Debug)]
struct Numbers {
    name: &'static str,
    a: Vec<Vec<f64>>,
    b: Vec<f64>,
    c: Vec<f64>,
    embedded: Vec<f64>,
    dense: Vec<f64>,
    order: u32,
}

fn numbers<T: Tableau>() -> Numbers {
    Numbers {
        name: T::NAME,
        a: T::A.iter().map(|row| row.to_vec()).collect(),
        b: T::B.to_vec(),
        c: T::C.to_vec(),
        embedded: T::EMBEDDED.to_vec(),
        dense: T::DENSE.to_vec(),
        order: T::ORDER,
    }
}

fn all() -> Vec<Numbers> {
    vec![
        numbers::<ForwardEuler>(),
        numbers::<Heun>(),
        numbers::<ExplicitMidpoint>(),
        numbers::<BogackiShampine>(),
        numbers::<RungeKutta4>(),
        numbers::<Geodesic>(),
        numbers::<Fehlberg>(),
        numbers::<DormandPrince>(),
        numbers::<Chebyshev<6>>(),
        numbers::<Chebyshev<16>>(),
        numbers::<DormandPrince8>(),
        numbers::<Verner9>(),
    ]
}

/// A rooted tree: what grows from its root, in order, so that equal trees are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tree(Vec<Tree>);

impl Tree {
    fn order(&self) -> u32 {
        1 + self.0.iter().map(Self::order).sum::<u32>()
    }

    /// γ: the product of the orders of all its subtrees.
    fn density(&self) -> f64 {
        f64::from(self.order()) * self.0.iter().map(Self::density).product::<f64>()
    }

    /// What bᵢ is multiplied by: Π over the subtrees of Σⱼ aᵢⱼ of theirs.
    fn weights(&self, a: &[Vec<f64>]) -> Vec<f64> {
        let mut weights = vec![1.0; a.len()];
        for subtree in &self.0 {
            let inner = subtree.weights(a);
            for (weight, row) in weights.iter_mut().zip(a) {
                *weight *= dot(row, &inner);
            }
        }
        weights
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// All trees of one order: those of the order below with a leaf grafted on each node in turn.
fn trees(order: u32) -> Vec<Tree> {
    fn grafted(tree: &Tree) -> Vec<Tree> {
        let mut out = vec![Tree([tree.0.clone(), vec![Tree(vec![])]].concat())];
        for (i, subtree) in tree.0.iter().enumerate() {
            for new in grafted(subtree) {
                let mut children = tree.0.clone();
                children[i] = new;
                out.push(Tree(children));
            }
        }
        out.iter_mut().for_each(|tree| tree.0.sort());
        out
    }
    if order == 1 {
        return vec![Tree(vec![])];
    }
    let mut all: Vec<Tree> = trees(order - 1).iter().flat_map(grafted).collect();
    all.sort();
    all.dedup();
    all
}

/// The largest residual of the conditions of one order.
fn residual(weights: &[f64], a: &[Vec<f64>], order: u32) -> f64 {
    let off = |tree: &Tree| (dot(weights, &tree.weights(a)) - tree.density().recip()).abs();
    trees(order).iter().map(off).fold(0.0, f64::max)
}

/// The order to which the conditions hold; the next one must fail for all to see.
#[track_caller]
fn order(weights: &[f64], a: &[Vec<f64>]) -> u32 {
    // Sums of numbers as large as 68, of order 9, are right to that much of their round-off.
    let largest = a.iter().flatten().fold(1.0, |most: f64, a| most.max(a.abs()));
    let order = (1..=9).find(|&order| residual(weights, a, order) > 1e-13 * largest).map_or(9, |order| order - 1);
    assert!(residual(weights, a, order + 1) > 1e-6, "order {order}: {:e}", residual(weights, a, order + 1));
    order
}

#[test]
fn there_are_as_many_trees_as_there_should_be() {
    // 1, 1, 2, 4, 9, 20, 48: the number of rooted trees, OEIS A000081.
    assert_eq!([1, 2, 3, 4, 5, 6, 7].map(|order| trees(order).len()), [1, 1, 2, 4, 9, 20, 48]);
}

#[test]
fn order_conditions_hold_as_far_as_claimed_and_no_further() {
    for t in all() {
        assert_eq!(order(&t.b, &t.a), t.order, "{}", t.name);
        for (row, c) in t.a.iter().zip(&t.c) {
            assert!(
                (row.iter().sum::<f64>() - c).abs() < 1e-14 * row.iter().fold(1.0, |most: f64, a| most.max(a.abs())),
                "{}: {row:?} sums to c = {c}",
                t.name
            );
        }
    }
}

/// The order of the embedded weights, and what the method says of its estimate.
#[track_caller]
fn estimate<T: Tableau + Estimates>(embedded: u32) {
    let t = numbers::<T>();
    assert_eq!(order(&t.embedded, &t.a), embedded, "{}", t.name);
    assert_eq!(T::ERROR_ORDER, embedded.min(t.order) + 1, "{}", t.name);
}

#[test]
fn estimates_are_of_the_order_of_the_lower_method() {
    estimate::<Heun>(1);
    estimate::<ExplicitMidpoint>(1);
    estimate::<BogackiShampine>(2);
    estimate::<Geodesic>(3);
    estimate::<Fehlberg>(5);
    estimate::<DormandPrince>(4);
    estimate::<DormandPrince8>(5);
    estimate::<Verner9>(8);
    estimate::<Chebyshev<6>>(2);
    estimate::<Chebyshev<32>>(2);
}

/// 0.8 (y − y⁺) + 0.4 h (F + F⁺), in which y⁺ − y = h Σ bᵢ Fᵢ.
#[test]
fn the_estimate_of_chebyshev_is_that_of_its_authors() {
    for t in [numbers::<Chebyshev<3>>(), numbers::<Chebyshev<9>>(), numbers::<Chebyshev<32>>()] {
        let last = t.b.len() - 1;
        for (i, (b, embedded)) in t.b.iter().zip(&t.embedded).enumerate() {
            let ends = if i == 0 || i == last { 0.4 } else { 0.0 };
            assert!((b - embedded - (ends - 0.8 * b)).abs() < 1e-14, "{}: {i}", t.name);
        }
    }
}

#[test]
fn a_wrong_digit_is_noticed() {
    for t in all() {
        for i in 0..t.b.len() {
            let mut wrong = t.b.clone();
            wrong[i] += 1e-9;
            assert!(residual(&wrong, &t.a, 1) > 1e-13, "{}: b {i}", t.name);
            for j in 0..t.a[i].len() {
                let mut wrong = t.a.clone();
                wrong[i][j] += 1e-9;
                // A weight of zero hides its stage from b, but not from the rows.
                let row: f64 = wrong[i].iter().sum();
                assert!((row - t.c[i]).abs() > 1e-13, "{}: a {i} {j}", t.name);
            }
        }
    }
}

#[test]
fn stages_are_of_order_one() {
    // Σ aᵢⱼ cⱼ = cᵢ²/2 holds in no second stage of an explicit method.
    for t in all().iter().filter(|t| t.a.len() > 1) {
        assert!((dot(&t.a[1], &t.c) - 0.5 * t.c[1] * t.c[1]).abs() > 0.4 * t.c[1] * t.c[1], "{}", t.name);
    }
}

/// |R(z)|, stage by stage: as a polynomial in z it would lose the digits of one with many stages.
fn gain(t: &Numbers, [re, im]: [f64; 2]) -> f64 {
    let sum = |weights: &[f64], stages: &[[f64; 2]]| {
        let terms = weights.iter().zip(stages);
        let [x, y] = terms.fold([0.0, 0.0], |[x, y], (w, k)| [x + w * k[0], y + w * k[1]]);
        [1.0 + re * x - im * y, re * y + im * x]
    };
    let mut stages: Vec<[f64; 2]> = Vec::new();
    for row in &t.a {
        stages.push(sum(row, &stages));
    }
    let [x, y] = sum(&t.b, &stages);
    x.hypot(y)
}

/// How far |R| ≤ 1 along a direction, in steps of 1e-3.
fn reach(t: &Numbers, direction: [f64; 2]) -> f64 {
    let stable = |k: &u32| gain(t, direction.map(|x| x * 1e-3 * f64::from(*k))) <= 1.0 + 1e-13;
    1e-3 * f64::from((1..).take_while(stable).last().unwrap_or(0))
}

#[test]
fn stability_is_that_of_the_docs() {
    // negative axis, imaginary axis
    let claimed = [
        ("ForwardEuler", 2.0, 0.0),
        ("Heun", 2.0, 0.0),
        ("ExplicitMidpoint", 2.0, 0.0),
        ("BogackiShampine", 2.51, 1.73),
        ("RungeKutta4", 2.78, 2.82),
        ("Geodesic", 3.54, 3.46),
        ("Fehlberg", 3.02, 0.0),
        ("DormandPrince", 3.30, 0.99),
        // 0.59 (s² − 1) and more
        ("Chebyshev", 15.27, 0.0),
        ("Chebyshev", 133.64, 0.0),
    ];
    for (t, (name, negative, imaginary)) in all().iter().zip(claimed) {
        assert_eq!(t.name, name);
        for (claim, direction) in [(negative, [-1.0, 0.0]), (imaginary, [0.0, 1.0])] {
            let found = reach(t, direction);
            // What gains less than 1e-13 a step cannot be told from what is stable: Fehlberg's to 0.018.
            assert!((claim - 1e-9..claim + 0.02).contains(&found), "{name}: {found} along {direction:?}");
        }
    }
}

/// Springs with dampers c = τ k oscillate on the circle around −1/τ, here with h = r τ.
#[test]
fn chebyshev_holds_damped_springs() {
    let methods = [numbers::<Chebyshev<6>>(), numbers::<Chebyshev<8>>(), numbers::<Chebyshev<16>>()];
    for t in methods.iter().chain(&[numbers::<Chebyshev<32>>()]) {
        for (radius, angle) in (1..=24).flat_map(|r| (0..=180).map(move |angle| (r, angle))) {
            let (r, turn) = (0.1 * f64::from(radius), f64::from(angle).to_radians());
            let found = gain(t, [r * (turn.cos() - 1.0), r * turn.sin()]);
            assert!(found <= 1.0 + 1e-13, "{}: {found} at {r}, {angle}", t.name);
        }
    }
    let growth = gain(&numbers::<Chebyshev<5>>(), [0.0, 0.5]) - 1.0;
    assert!((2e-3..3e-3).contains(&growth), "{growth}");
}

/// The method with the end of the step as one more stage, and the weights of what is interpolated at θ.
fn interpolant(t: &Numbers, theta: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let (mut a, rest) = (t.a.clone(), 1.0 - theta);
    a.push(t.b.clone());
    let mut weights: Vec<f64> = t.b.iter().map(|b| theta * theta * (3.0 - 2.0 * theta) * b).collect();
    weights[0] += theta * rest * rest;
    weights.push(-(theta * theta * rest));
    for (weight, d) in weights.iter_mut().zip(&t.dense) {
        *weight += theta * theta * rest * rest * d;
    }
    (a, weights)
}

#[test]
fn what_is_interpolated_is_of_the_order_claimed() {
    for t in all() {
        let claimed = if t.dense.is_empty() { t.order.min(3) } else { 4 };
        // Σ bᵢ(θ) Φᵢ = θ^order/γ for every tree.
        let off = |theta: f64, order: u32| {
            let (a, weights) = interpolant(&t, theta);
            let off =
                |tree: &Tree| (dot(&weights, &tree.weights(&a)) - theta.powi(order as i32) / tree.density()).abs();
            trees(order).iter().map(off).fold(0.0, f64::max)
        };
        for theta in [0.1, 0.25, 0.5, 0.75, 0.9] {
            for order in 1..=claimed {
                assert!(off(theta, order) < 1e-13, "{}: order {order} at {theta}: {:e}", t.name, off(theta, order));
            }
        }
        assert!(off(0.5, claimed + 1) > 1e-4, "{}: {:e}", t.name, off(0.5, claimed + 1));
    }
}
