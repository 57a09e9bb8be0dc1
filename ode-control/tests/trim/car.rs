//! Steady turns of a car, whose inputs have units of very different size.

use ode_control::{OperatingPoint, Trim};

use crate::models::Car;

type Done = Result<(), Box<dyn std::error::Error>>;

/// The tyres share the lateral force by their levers: F_f cos δ = m a_y b/(a + b), F_r = m a_y a/(a + b).
fn is_steady(car: &Car, speed: f64, lateral: f64, [vy, steer, drive]: [f64; 3]) {
    let Car { m, a, b, cf, cr, drag, .. } = *car;
    let yaw = lateral / speed;
    let rear = m * lateral * a / (a + b);
    let front = m * lateral * b / (a + b) / steer.cos();
    let close = |x: f64, y: f64, what: &str| assert!((x - y).abs() < 1e-8 * (1.0 + y.abs()), "{what}: {x} not {y}");
    close(vy, b * yaw - speed * (rear / cr).tan(), "vy");
    close(steer, ((vy + a * yaw) / speed).atan() + front / cf, "steer");
    close(drive, front * steer.sin() + drag * speed * speed - m * vy * yaw, "drive");
}

#[test]
fn a_car_turns_at_any_speed() -> Done {
    let car = Car::default();
    for k in 0..4 {
        let speed = 5.0 + 20.0 * (0.618 * f64::from(k)).fract();
        let lateral = 8.0 * (0.755 * f64::from(k)).fract() - 4.0;
        for motor in ["motor", "drive"] {
            let turn = Trim::of(&car).free("steer")?.free(motor)?.free("der(psi)")?;
            let OperatingPoint { state, inputs, .. } = turn.hold("speed", speed)?.hold("lateral", lateral)?.solve()?;
            is_steady(&car, speed, lateral, [state.z.vy(), inputs.steer(), inputs.motor() + inputs.drive()]);
        }
    }
    Ok(())
}

#[test]
fn a_guess_that_nearly_is_one_is_not_left() -> Done {
    let car = Car::default();
    let turn = Trim::of(&car).free("steer")?.free("motor")?;
    let OperatingPoint { state, inputs, .. } = turn.hold("vx", 20.0)?.hold("der(psi)", 1e-6)?.solve()?;
    is_steady(&car, 20.0, 20.0 * 1e-6, [state.z.vy(), inputs.steer(), inputs.motor()]);
    Ok(())
}

/// Where the speed may change too, there are many points, and the nearest is the same in all units.
#[test]
fn the_unit_of_an_input_is_of_no_account() -> Done {
    for (yaw, drag) in [(1e-6, 0.4), (0.01, 0.4), (0.1, 0.4), (0.1, 0.0)] {
        let point = |unit: f64| -> Result<[f64; 4], Box<dyn std::error::Error>> {
            let car = Car { unit, drag, ..Car::default() };
            let point = Trim::of(&car)
                .free("steer")?
                .free("drive")?
                .hold("der(psi)", yaw)?
                .between("vx", 5.0, 40.0)?
                .solve()?;
            Ok([point.state.z.vx(), point.state.z.vy(), point.inputs.steer(), unit * point.inputs.drive()])
        };
        let newtons = point(1.0)?;
        for unit in [1e3, 1e6, 1e-3] {
            let other = point(unit)?;
            for (x, y) in newtons.iter().zip(other) {
                assert!(
                    (x - y).abs() < 1e-9 * (1.0 + x.abs()),
                    "yaw {yaw} drag {drag} unit {unit}: {newtons:?} {other:?}"
                );
            }
        }
    }
    Ok(())
}
