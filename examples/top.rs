//! A spinning top in steady precession: unit quaternion, body rates, momenta that are conserved.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Heavy symmetric top about a fixed point: quaternion attitude, body rate.
    pub struct Top<T> {
        param m: Real [kg] = 0.5;
        /// pivot to centre of mass
        param l: Real [m] = 0.1;
        param g: Real [m/s^2] = 9.81;
        /// transverse and axial inertia about the pivot
        param: Real [kg*m^2] { ja = 5.0e-3; jc = 8.0e-4; }
        param drag: Real [N*m*s] = 0.0;

        /// attitude (unit quaternion, nq = 4) and body angular velocity (nv = 3)
        coord (q, w): SO3;

        let axis = q.rotate(vec3(0.0, 0.0, 1.0));
        let j = diag(ja, ja, jc);

        kinetic = 0.5 * w.dot(j * w);
        potential = m * g * l * axis.z;
        dissipation = 0.5 * drag * w.dot(w);

        init q = exp_so3(vec3(0.3, 0.0, 0.0));
        init w = vec3(0.0, 0.0, 150.0);

        show shaft = line(vec3(0.0, 0.0, 0.0), 1.4 * l * axis);
        // the spin is too quick for the eye: the wheel is drawn as it precesses
        let heading = rot_z(atan2(axis.y, axis.x)) * rot_y(acos(axis.z));
        show wheel = disc(frame(l * axis, heading), 0.6 * l);
        show tip = point(1.4 * l * axis) with { color: crimson };

        output tip: Vec3 [m] = l * axis;
        /// spatial angular momentum about the vertical (conserved if drag == 0)
        output l_z: Real [kg*m^2/s] = q.rotate(j * w).z;
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let top = Top::<f64>::default();
    let (nutation, spin) = (0.3_f64, 150.0_f64);
    // slow steady precession: ja Ω² cos θ − jc ω₃ Ω + m g l = 0
    let (a, b, c) = (top.ja * nutation.cos(), top.jc * spin, top.m * top.g * top.l);
    let precession = (b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);

    let mut start = State::neutral(&top);
    start.q = [(0.5 * nutation).cos(), (0.5 * nutation).sin(), 0.0, 0.0].into();
    start.v = [0.0, precession * nutation.sin(), spin].into();
    let mut run = Simulation::of(&top, Geodesic).given(start).adaptive(1e-9)?;
    let momenta = |s: &State<Top<f64>>| {
        let energy = top.energy(s.point());
        [top.outputs(s.point(), s.rates()).l_z(), top.jc * s.v.w()[2], energy.kinetic + energy.potential]
    };
    let before = momenta(run.state());
    let mut wobble = 0.0_f64;
    let (mut film, mut table) = (Film::of(&top), Table::of(&top));
    let around = std::f64::consts::TAU / precession;
    run.run(10.0, around / 60.0, |seen| {
        wobble = wobble.max(((seen.outputs().tip()[2] / top.l).acos() - nutation).abs());
        // once around, so that the film has no end
        if film.len() <= 60 {
            film.record(seen);
            table.record(seen);
        }
    })?;
    film.svg().speed(0.3).width(480.0).trace("tip")?.write(gallery::file("top.svg"))?;
    Plot::over_time(&table, &["tip.x", "tip.y", "tip.z"])?.write(gallery::file("top_tip.svg"))?;
    let after = momenta(run.state());
    println!("precession {precession:.6} rad/s; nutation within {wobble:.1e} rad; {} steps", run.statistics().taken);
    println!("p_phi, p_psi, energy: {before:?} -> {after:?}");
    assert!(wobble < 1e-6);
    for (before, after) in before.into_iter().zip(after) {
        assert!((before - after).abs() < 1e-7 * before.abs());
    }
    Ok(())
}
