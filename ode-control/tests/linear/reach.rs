//! How far inputs reach, in systems of which it is known.

use ode_control::{GainError, Kalman, StateSpace};
use ode_model::linalg::{DMatrix, Labelled};

/// A repeatable matrix of numbers between −1 and 1.
fn numbers(rows: usize, columns: usize, seed: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |r, c| (1.0 + 12.9898 * r as f64 + 78.233 * c as f64 + 3.7 * seed as f64).sin())
}

/// In turned coordinates inputs reach as far as they do where blocks of zeros show how far.
#[test]
fn turned_coordinates_change_no_rank() {
    for round in 0..300 {
        let (n, m) = (2 + round % 7, 1 + round % 3);
        let rank = 1 + round % (n - 1);
        let (mut a, mut b) = (numbers(n, n, round), numbers(n, m, round + 1000));
        a.view_mut((rank, 0), (n - rank, rank)).fill(0.0);
        b.rows_mut(rank, n - rank).fill(0.0);
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        let inputs: Vec<String> = (0..m).map(|i| format!("u{i}")).collect();
        let found = |a: &DMatrix<f64>, b: &DMatrix<f64>| {
            let a = Labelled::new(&names, &names, |r, c| a[(r, c)]);
            let b = Labelled::new(&names, &inputs, |r, c| b[(r, c)]);
            let system = StateSpace::of_states(a, b, None).expect("matrices that fit");
            system.controllability().expect("a rank").rank
        };
        let turn = numbers(n, n, round + 2000).qr().q();
        assert_eq!(found(&(&turn * &a * turn.transpose()), &(&turn * &b)), found(&a, &b), "{round}: {n} {m} {rank}");
        assert!(found(&a, &b) <= rank, "{round}: {n} {m} {rank}");
    }
}

/// Of two inertias on a shaft, the motor's speed does not tell where they are: as a continuous system and in steps.
#[test]
fn a_speed_does_not_show_the_place() {
    let a = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [-60.0, 60.0, 0.0, 0.0], [150.0, -150.0, 0.0, 0.0]];
    let states = ["motor", "load", "der(motor)", "der(load)"];
    let drive = StateSpace::new(
        Labelled::new(states, states, |r, c| a[r][c]),
        Labelled::new(states, ["torque"], |r, _| if r == 2 { 2.0 } else { 0.0 }),
        Labelled::new(["speed"], states, |_, c| if c == 2 { 1.0 } else { 0.0 }),
        Labelled::new(["speed"], ["torque"], |_, _| 0.0),
        None,
    )
    .expect("matrices that fit");
    let noise = |system: &StateSpace| {
        let kalman = states.iter().try_fold(Kalman::of(system), |kalman, state| kalman.state(state, 1.0));
        kalman.and_then(|kalman| kalman.output("speed", 0.1)).expect("names").solve()
    };
    assert_eq!(drive.observability().expect("a rank").rank, 3);
    assert!(
        matches!(noise(&drive), Err(GainError::Unobservable { .. } | GainError::NoStabilizing)),
        "{:?}",
        noise(&drive)
    );
    let steps = drive.discretized(0.01).expect("steps");
    assert_eq!(steps.observability().expect("a rank").rank, 3);
    assert!(
        matches!(noise(&steps), Err(GainError::Unobservable { .. } | GainError::NoStabilizing)),
        "{:?}",
        noise(&steps)
    );
}
