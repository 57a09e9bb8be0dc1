//! What is brought to rest, or to a steady motion.

use ode_model::prelude::*;

model! {
    /// A cart with friction and an arm with two motors, one of them weak.
    pub(crate) struct Crane {
        param m: Real [kg] = 2.0;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 3.0;
        coord x: Real [m];
        coord th: Angle;
        input push: Real [N] in -10.0..=10.0;
        input strong: Real [N*m] in -20.0..=20.0;
        input weak: Real [N*m] in -1.0..=1.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * m * der(tip).dot(der(tip));
        potential = m * g * tip.y;
        dissipation = 0.5 * c * sq(der(x));
        force wheel on x = push;
        force first on th = strong;
        force second on th = weak;
        output height: Real [m] = tip.y;
        guess x = 0.0;
        guess th = 0.2;
    }
}

model! {
    /// The quadrotor of the examples.
    pub(crate) struct Quadrotor {
        param m: Real [kg] = 1.0;
        param j: SymMat3 [kg*m^2] = diag(0.01, 0.01, 0.02);
        param g: Real [m/s^2] = 9.81;
        param hub: [Vec3; 4] [m] = [
            vec3(0.2, 0.0, 0.0), vec3(0.0, 0.2, 0.0), vec3(-0.2, 0.0, 0.0), vec3(0.0, -0.2, 0.0),
        ];
        param spin: [Real; 4] = [1.0, -1.0, 1.0, -1.0];
        param kappa: Real [m] = 0.016;
        param tau_m: Real [s] = 0.05;
        param c_lin: Real [N*s/m] = 0.1;
        coord r: Vec3 [m];
        coord (q, w): SO3;
        state f: [Real; 4] [N];
        input cmd: [Real; 4] [N] in 0.0..=8.0;
        let b = frame(r, q);
        body hull on b { mass: m, inertia: j }
        gravity = vec3(0.0, 0.0, -g);
        for i in 0..4 {
            der(f[i]) = (cmd[i] - f[i]) / tau_m;
            force thrust on b.at(hub[i]) = b.vec(vec3(0.0, 0.0, f[i]));
            torque react on b = b.vec(vec3(0.0, 0.0, spin[i] * kappa * f[i]));
        }
        force drag on r = -c_lin * der(r);
        guess f = [2.0, 3.0, 2.0, 3.0];
    }
}

model! {
    /// A rod on a shaft that turns, in points: two rows, one of them twice.
    pub(crate) struct Whirl {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param g: Real [m/s^2] = 9.81;
        coord turn: Angle;
        coord s, y: Real [m];
        input drive: Real [N*m];
        // s is the distance from the shaft, which turns with it
        kinetic = 0.5 * m * (sq(der(s)) + sq(der(y)) + sq(s * der(turn)));
        potential = m * g * y;
        force motor on turn = drive;
        constraint rod: s * s + y * y == sq(l);
        constraint again: 2.0 * (s * s + y * y) == 2.0 * sq(l) with { redundant };
        guess turn = 0.0;
        guess s = 0.3;
        guess y = -0.9;
    }
}

model! {
    /// A motor with its current, that follows the voltage at once.
    pub(crate) struct Motor {
        param r: Real [ohm] = 2.0;
        param k: Real [N*m/A] = 0.1;
        param c: Real [N*m*s] = 0.01;
        param j: Real [kg*m^2] = 0.002;
        coord th: Angle;
        algebraic i: Real [A];
        input v: Real [V] in -12.0..=12.0;
        kinetic = 0.5 * j * sq(der(th));
        dissipation = 0.5 * c * sq(der(th));
        force drive on th = k * i;
        constraint circuit: v == r * i + k * der(th);
    }
}

model! {
    /// A bead in honey between two springs.
    #[model(order = 1)]
    pub(crate) struct Bead {
        param c: Real [N*s/m] = 2.0;
        param k: Real [N/m] = 4.0;
        param k3: Real [N/m^3] = 1.0;
        coord x: Real [m];
        input f: Real [N];
        dissipation = 0.5 * c * sq(der(x));
        potential = 0.5 * k * sq(x) + 0.25 * k3 * sq(sq(x));
        force push on x = f;
        guess x = 0.4;
    }
}

model! {
    /// A stiff spring and a soft one, each with a load.
    pub(crate) struct Press {
        param stiff: Real [N/m] = 1e9;
        param soft: Real [N/m] = 1e6;
        coord x, y: Real [m];
        input fx: Real [N];
        input fy: Real [N];
        kinetic = 0.5kg * (sq(der(x)) + sq(der(y)));
        potential = 0.5 * stiff * sq(x) + 0.5 * soft * sq(y);
        force first on x = fx;
        force second on y = fy;
    }
}

model! {
    /// A car on two wheels: velocities in its own axes. It has a motor with bounds and one without, in units of `unit`.
    pub(crate) struct Car {
        param m: Real [kg] = 1000.0;
        param iz: Real [kg*m^2] = 1500.0;
        param a: Real [m] = 1.2;
        param b: Real [m] = 1.4;
        param cf: Real [N] = 5e4;
        param cr: Real [N] = 6e4;
        param drag: Real [kg/m] = 0.4;
        param unit: Real = 1.0;
        coord psi: Angle;
        state vx, vy: Real [m/s];
        input steer: Angle in -0.5..=0.5;
        input motor: Real [N] in -5000.0..=5000.0;
        input drive: Real [N];
        kinetic = 0.5 * iz * sq(der(psi));
        let ff = -cf * (atan2(vy + a * der(psi), vx) - steer);
        let fr = -cr * atan2(vy - b * der(psi), vx);
        force yaw on psi = a * ff * cos(steer) - b * fr;
        der(vx) = vy * der(psi) + (motor + unit * drive - ff * sin(steer) - drag * sq(vx)) / m;
        der(vy) = -vx * der(psi) + (ff * cos(steer) + fr) / m;
        output speed: Real [m/s] = vx;
        output lateral: Real [m/s^2] = vx * der(psi);
        guess vx = 20.0;
    }
}
