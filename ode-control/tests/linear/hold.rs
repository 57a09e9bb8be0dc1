//! Zero-order holds. Values: SciPy 1.17, and mpmath at 40 digits.

use ode_control::StateSpace;

use crate::cart_poles::{HELD_A, HELD_B, upright};
use crate::drive::drive;
use crate::upright::off;

#[test]
fn a_zero_order_hold_has_the_digits_of_the_reference() {
    let (model, x) = upright();
    let system = StateSpace::of(&model, &x, [0.0]).expect("a linear system").discretized(0.02).expect("steps");
    assert!(off(&system.a, &HELD_A) < 1e-15 && off(&system.b, &HELD_B.map(|b| [b])) < 1e-15);
    let held = drive().discretized(0.05).expect("steps");
    let a = [
        [9.1893031884206666e-01, 7.1247964914960410e-02, 4.8330964661221582e-02, 1.2587167475701850e-03],
        [1.7870937176482393e-01, 8.2096864064753117e-01, 3.1467918689254619e-03, 4.6841878503488643e-02],
        [-3.0976980848275399e+00, 2.7110503675377671e+00, 9.0745675899813050e-01, 7.3055331826652289e-02],
        [6.8122999284363654e+00, -6.8374742633877705e+00, 1.8263832956663065e-01, 8.1641032447193929e-01],
    ];
    let b = [[2.4554290607432363e-03], [8.0496896911221965e-05], [9.6661929322443177e-02], [6.2935837378509238e-03]];
    assert!(off(&held.a, &a) < 1e-13 && off(&held.b, &b) < 1e-13);
    // exponents of about the largest norm that is not halved, and beyond; mpmath at 40 digits
    let held = drive().discretized(0.3).expect("steps");
    let (a, b) = (
        [
            [0.445073987290183304, 0.303219519312994936, 0.168884376727220132, 0.0965721779762187723],
            [0.804948880342425592, -0.0162261044975146941, 0.241430444940546931, 0.0378861790446033048],
            [3.00168907898184685, -4.35276409279960791, 0.41419895467327235, 0.300317676584461864],
            [-10.7343433992666956, 8.80289983974232013, 0.750794191461154659, -0.0103575046043531473],
        ],
        [[0.06292662334920544], [0.0528193060387722755], [0.337768753454440265], [0.482860889881093862]],
    );
    assert!(off(&held.a, &a) < 2e-14 * held.a.amax() && off(&held.b, &b) < 2e-14);
    let held = drive().discretized(2.0).expect("steps");
    let (a, b) = (
        [
            [-0.168224727512760286, 0.170310501635557017, -0.268545312679423226, -0.0936354989470337348],
            [0.380151721638583256, -0.355357880631045589, -0.234088747367584337, -0.140024234490948425],
            [4.21575642014571913, -2.06739391871033332, -0.113137402364402085, 0.168932239023083462],
            [-5.08560035264652889, 6.95831033158720358, 0.422330597557708654, -0.35071900707665412],
        ],
        [[0.249478556469300817], [0.243801539748115583], [-0.537090625358846452], [-0.468177494735168674]],
    );
    assert!(off(&held.a, &a) < 2e-14 * held.a.amax() && off(&held.b, &b) < 2e-14);
    // half the step twice, also where it is far beyond the time constants
    for h in [1e-9, 1e-3, 1.0, 100.0] {
        let (once, half) = (drive().discretized(h).expect("steps"), drive().discretized(0.5 * h).expect("steps"));
        assert!((&*once.a - &*half.a * &*half.a).amax() < 1e-11, "{h}");
        assert!((&*once.b - (&*half.a * &*half.b + &*half.b)).amax() < 1e-11, "{h}");
    }
}
