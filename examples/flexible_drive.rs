//! Bode's plot of a drive with a flexible shaft: at the antiresonance the motor stands still, at the resonance both
//! inertias swing against each other.

use std::f64::consts::TAU;

use ode_control::Linearizer;
use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Motor and load on a shaft that twists.
    pub struct Drive {
        /// inertias of motor and load
        param j_m: Real [kg*m^2] = 0.002;
        param j_l: Real [kg*m^2] = 0.006;
        /// stiffness and damping of the shaft
        param k: Real [N*m/rad] = 60.0;
        param c: Real [N*m*s/rad] = 0.012;
        coord motor, load: Angle;
        input torque: Real [N*m];
        kinetic = 0.5 * j_m * sq(der(motor)) + 0.5 * j_l * sq(der(load));
        potential = 0.5 * k * sq(load - motor);
        dissipation = 0.5 * c * sq(der(load) - der(motor));
        force drive on motor = torque;
        output motor_speed: Real [rad/s] = der(motor);
        output load_speed: Real [rad/s] = der(load);
        let rotor = frame2(vec2(-0.3m, 0.0), motor);
        let disc = frame2(vec2(0.3m, 0.0), load);
        show shaft = line(vec2(-0.3m, 0.0), vec2(0.3m, 0.0)) with { color: silver };
        show motor_rim = circle(rotor, 0.12m);
        show load_rim = circle(disc, 0.2m);
    }
}

/// The largest speed of the motor under a torque of this amplitude and frequency, after transients.
fn swing(drive: &Drive, torque: f64, frequency: f64) -> Result<(f64, Film), Box<dyn std::error::Error>> {
    // transients decay in a quarter of a second
    let (settled, period) = (4.0, TAU / frequency);
    // a cosine from the start on leaves the mean of the speed at zero
    let setup = Simulation::of(drive, DormandPrince8).input_fn(|at, u| u.set_torque(torque * (frequency * at.t).cos()));
    let mut run = setup.adaptive(1e-9)?;
    run.advance_to(settled)?;
    let (mut largest, mut film) = (0.0_f64, Film::of(drive));
    run.run(settled + period, period / 48.0, |seen| {
        largest = largest.max(seen.v.motor().abs());
        film.record(seen);
    })?;
    Ok((largest, film))
}

fn close(x: f64, y: f64, to: f64) -> bool {
    (x - y).abs() < to * y.abs()
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let drive = Drive::default();
    let system = Linearizer::of(&drive).at(&State::neutral(&drive), [0.0])?.system;
    let (poles, speed) = (system.poles()?, system.transfer("motor_speed", "torque")?);
    let (zeros, driven) = (speed.zeros()?, system.transfer("load_speed", "torque")?);

    // the load on the shaft alone, and both on it; the damper in the shaft does not change these natural frequencies
    let antiresonance = (drive.k / drive.j_l).sqrt();
    let resonance = (drive.k * (1.0 / drive.j_m + 1.0 / drive.j_l)).sqrt();
    println!("antiresonance {antiresonance:.3} rad/s, resonance {resonance:.3} rad/s; poles:");
    poles.iter().for_each(|pole| println!("  {pole}"));
    for pole in &poles[2..] {
        assert!(close(pole.frequency(), resonance, 1e-12));
        assert!(close(pole.damping_ratio(), drive.c / (2.0 * drive.k) * resonance, 1e-12));
    }
    // the first zero hides the angle that both turn by; the load has no antiresonance, only the zero of the damper
    assert!(zeros[1..].iter().all(|zero| close(zero.re.hypot(zero.im), antiresonance, 1e-12)));
    assert!(close(driven.zeros()?[1].re, -drive.k / drive.c, 1e-9));

    let (from, to, count) = (10.0, 2000.0, 600);
    let bodes = [("motor_speed", speed.bode(from, to, count)?), ("load_speed", driven.bode(from, to, count)?)];
    for (column, axis) in [("magnitude", "magnitude [dB]"), ("phase", "phase [deg]")] {
        let plot = Plot::new().log_across().across("frequency [rad/s]").upward(axis);
        let plot = bodes.iter().try_fold(plot, |plot, (name, bode)| plot.columns(name, bode, "frequency", column))?;
        plot.write(gallery::file(&format!("flexible_drive_{column}.svg")))?;
    }
    // the curves are least and most there, to the distance of two of their points
    let (near, [motor, load]) = ((to / from).ln() / (count - 1) as f64, bodes.each_ref().map(|(_, bode)| bode));
    let least = motor.rows().filter(|row| row[0] < resonance).min_by(|x, y| x[1].total_cmp(&y[1]));
    let most = load.rows().filter(|row| row[0] > antiresonance).max_by(|x, y| x[1].total_cmp(&y[1]));
    assert!(least.is_some_and(|row| close(row[0], antiresonance, near)));
    assert!(most.is_some_and(|row| close(row[0], resonance, near)));
    // one inertia or both behind an integrator: −90° below, +90° between, −90° above
    for (frequency, quarter) in [(from, -90.0), ((antiresonance * resonance).sqrt(), 90.0), (to, -90.0)] {
        let row = motor.rows().min_by(|x, y| (x[0] - frequency).abs().total_cmp(&(y[0] - frequency).abs()));
        assert!(row.is_some_and(|row| (row[2] - quarter).abs() < 6.0), "{row:?}");
    }

    // the run of the model swings as the response says
    for (name, torque, frequency) in
        [("flexible_drive", 15.0, antiresonance), ("flexible_drive_resonance", 1.0, resonance)]
    {
        let (found, film) = swing(&drive, torque, frequency)?;
        let response = speed.at(frequency)?;
        let wanted = torque * response.re.hypot(response.im);
        println!("at {frequency:.0} rad/s the motor swings with {found:.4} rad/s, as the response says: {wanted:.4}");
        // to what the largest of 48 samples may be short of
        assert!(close(found, wanted, 3e-3));
        film.svg().speed(0.02).width(480.0).write(gallery::file(&format!("{name}.svg")))?;
    }
    Ok(())
}
