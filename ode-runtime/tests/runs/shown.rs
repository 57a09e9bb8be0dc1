//! What observers see of events that a sample sets off.

use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::Geodesic;
use ode_runtime::{Crossing, Event, Scalar, Seen, Side, Simulation};

/// A mass that is pulled, with a clock, and a fuse that jumps with what pulls.
#[derive(Clone, Copy, Debug)]
struct Fused {
    clock: f64,
    fuse: f64,
}

impl Plant<1, 0, 0, 1> for Fused {
    const MODES: &'static [&'static str] = &["struck", "blown"];
    const EVENTS: &'static [Event<'static>] = &[
        Event { name: "clock", crossing: Crossing::Rising, stops: false },
        Event { name: "fuse", crossing: Crossing::Rising, stops: false },
    ];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], u: &[T; 1]) -> [T; 1] {
        *u
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [0.0], [])
    }
    fn guards<T: Scalar>(&self, t: T, _x: (&[T; 1], &[T; 1], &[T; 0]), u: &[T; 1], _modes: &[T], out: &mut [T]) {
        out[0] = t - T::from_f64(self.clock);
        out[1] = u[0] - T::from_f64(self.fuse);
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.3[event] = modes[event] + T::ONE;
    }
}
dense_system!(Fused, q 1 ["x"], z 0 [], c 0 [], u 1 ["pull"], mass 1, jacobian 0, n 1, tangent 1, saddle 1,
    assembly 1, init [], []);

#[test]
fn an_event_that_a_sample_sets_off_begins_after_the_sample() {
    // alone, and at the time of another event, whose state before is the one before both
    let cases = [
        (9.0, 2.5, "fuse", ([3.0, 3.0, 0.0, 0.0], [3.0, 3.0, 0.0, 1.0])),
        (0.5, 2.5, "clock", ([2.0, 2.0, 0.0, 0.0], [3.0, 3.0, 1.0, 1.0])),
    ];
    for (clock, fuse, name, (before, after)) in cases {
        for through in [false, true] {
            let fused = on(Fused { clock, fuse });
            let mut samples = 0.0;
            let setup = Simulation::of(&fused, Geodesic).sampled(0.25, |_, u| {
                samples += 1.0;
                u[0] = samples;
            });
            let mut run = setup.fixed(0.0625).expect("a start");
            let mut events = Vec::new();
            let see = |seen: &Seen<'_, On<Fused>>| {
                events.extend(seen.event().map(|(name, side)| {
                    let numbers = [seen.inputs()[0], seen.a[0], seen.modes[0], seen.modes[1]];
                    (name.as_str().to_owned(), side, numbers)
                }));
            };
            if through { run.run_through(1.0, 0.1, see) } else { run.run(1.0, 0.1, see) }.expect("a run");
            let wanted = [(name.to_owned(), Side::Before, before), (name.to_owned(), Side::After, after)];
            assert_eq!(events, wanted, "run_through: {through}");
        }
    }
}
