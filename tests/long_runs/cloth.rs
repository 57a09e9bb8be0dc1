//! A stiff sheet of points on damped springs, pinned at two corners, that falls for a second.

use ode_runtime::Simulation;
use std::sync::LazyLock;

use ode_runtime::integrators::DormandPrince;

use crate::common::points::Points;

/// Points along a side.
const SIDE: usize = 10;

/// Springs of a point: to the right and up, of both diagonals, and over two points; with their stiffnesses.
const STIFFNESS: [(usize, isize, f64); 6] =
    [(1, 0, 1e5), (0, 1, 1e5), (1, 1, 4e4), (1, -1, 4e4), (2, 0, 50.0), (0, 2, 50.0)];

/// Between the points whose coordinates begin at `a` and at `b`.
struct Spring {
    a: usize,
    b: usize,
    stiffness: f64,
    length: f64,
}

fn springs() -> Vec<Spring> {
    let spacing = 1.0 / (SIDE - 1) as f64;
    let mut springs = Vec::new();
    for (row, column) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
        for (right, up, stiffness) in STIFFNESS {
            let Some(top) = row.checked_add_signed(up).filter(|&top| top < SIDE && column + right < SIDE) else {
                continue;
            };
            let length = spacing * ((right * right) as f64 + (up * up) as f64).sqrt();
            let (a, b) = (3 * (row * SIDE + column), 3 * (top * SIDE + column + right));
            springs.push(Spring { a, b, stiffness, length });
        }
    }
    springs
}

/// Written out in scalars: it is called often, and without optimisation.
fn forces(q: &[f64], v: &[f64], out: &mut [f64]) {
    static SPRINGS: LazyLock<Vec<Spring>> = LazyLock::new(springs);
    for f in out.chunks_mut(3) {
        f.copy_from_slice(&[0.0, 0.0, -9.81 * 0.3 / (SIDE * SIDE) as f64]);
    }
    let springs: &[Spring] = &SPRINGS;
    for &Spring { a, b, stiffness, length } in springs {
        let (x, y, z) = (q[b] - q[a], q[b + 1] - q[a + 1], q[b + 2] - q[a + 2]);
        let rate = x * (v[b] - v[a]) + y * (v[b + 1] - v[a + 1]) + z * (v[b + 2] - v[a + 2]);
        let now = (x * x + y * y + z * z).sqrt();
        let pull = stiffness * (now - length + 5e-4 * rate / now) / now;
        out[a] += pull * x;
        out[a + 1] += pull * y;
        out[a + 2] += pull * z;
        out[b] -= pull * x;
        out[b + 1] -= pull * y;
        out[b + 2] -= pull * z;
    }
    // the two corners of the last row
    for pinned in [SIDE * (SIDE - 1), SIDE * SIDE - 1] {
        out[3 * pinned..3 * pinned + 3].fill(0.0);
    }
}

/// Each entry to `relative` of the largest one wanted.
#[track_caller]
fn all_close(got: &[f64], want: &[f64], relative: f64) {
    assert_eq!(got.len(), want.len());
    let size = want.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let off = (got - want).abs();
        assert!(off <= relative * size, "entry {i}: {got:?} is not {want:?}, off by {off:e} of {size:e}");
    }
}

#[test]
fn a_stiff_sheet_falls_for_a_second() {
    let points = SIDE * SIDE;
    let at = |i: usize| i as f64 / (SIDE - 1) as f64;
    let q = (0..points).flat_map(|p| [at(p % SIDE), at(p / SIDE), 0.0]).collect();
    let sheet = Points::free(3, vec![0.3 / points as f64; 3 * points], q, vec![0.0; 3 * points], forces);
    // Near the limit of stability: steps of 1/26 000 end in infinity.
    let mut run = Simulation::of(&sheet, DormandPrince).given(sheet.start()).fixed(1.0 / 32_000.0).expect("a start");
    run.advance_to(1.0).expect("steps");

    let lines = include_str!("cloth_10.txt").lines().filter(|line| !line.starts_with('#'));
    let numbers: Vec<f64> = lines.flat_map(str::split_whitespace).map(|x| x.parse().expect("a number")).collect();
    let part = |from: usize| numbers.chunks(6).flat_map(|p| p[from..from + 3].to_vec()).collect::<Vec<f64>>();
    all_close(&run.state().q, &part(0), 1e-7);
    all_close(&run.state().v, &part(3), 1e-6);
}
