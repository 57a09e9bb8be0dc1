//! A model of each kind, for tests of several packages.

use ode_model::prelude::*;

model! {
    /// M(q), damping, an input, and parameters everywhere.
    pub struct Cart<T> {
        param m: Real = 1.3;
        param mp: Real = 0.4;
        param l: Real = 0.7;
        param c: Real = 0.2;
        coord x: Real;
        coord th: Angle;
        input u: Real = 0.6;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * mp * der(tip).dot(der(tip));
        potential = mp * 9.81 * tip.y + 0.2 * sin(x) * t;
        dissipation = 0.5 * c * (sq(der(x)) + 0.3 * sq(der(th)));
        force motor on x = u * cos(th) - 0.05 * der(x).powi(3);
        init x = 0.3;
        init th = 1.1;
        init der(x) = 0.5;
        init der(th) = -0.8;
    }
}
model! {
    /// Index 3, with a moving pivot and a parameter in the row.
    pub struct Bob<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        param a: Real = 0.1;
        coord r: Vec2;
        input u: Real = 0.3;
        kinetic = 0.5 * m * (1.0 + 0.1 * sq(r.x)) * der(r).dot(der(r));
        potential = m * 9.81 * r.y;
        dissipation = 0.05 * der(r).dot(der(r));
        force push on r = vec2(u, 0.1 * der(r.x));
        let from = r - vec2(a * sin(2.0 * t), 0.0);
        constraint rod: from.dot(from) == sq(l);
        init r.x = 0.5;
        guess r.y = -0.6;
        init der(r.x) = 0.7;
        guess der(r.y) = 0.1;
    }
}
model! {
    /// Rolling, with a force that depends on velocities.
    pub struct Coin<T> {
        param m: Real = 0.5;
        param r: Real = 0.2;
        param ja: Real = 0.02;
        param jt: Real = 0.01;
        coord p: Vec2;
        coord roll, yaw: Angle;
        input u: Real = 0.02;
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.5 * ja * sq(der(roll)) + 0.5 * jt * sq(der(yaw));
        dissipation = 0.003 * (sq(der(roll)) + sq(der(yaw)));
        potential = 0.2 * sq(p.x);
        force steer on yaw = u;
        constraint no_slip: der(p) == r * der(roll) * vec2(cos(yaw), sin(yaw));
        init p = vec2(0.3, -0.1);
        init roll = 0.2;
        init yaw = 0.4;
        init der(roll) = 5.0;
        init der(yaw) = 2.0;
    }
}
model! {
    /// A compliant and relaxed row beside a rigid one.
    pub struct Soft<T> {
        param m: Real = 2.0;
        param e: Real = 5.0e-3;
        param tau: Real = 2.0e-2;
        param s: Real = 0.4;
        coord r: Vec2;
        coord y: Real;
        input u: Real = 0.3;
        kinetic = 0.5 * m * der(r).dot(der(r)) + 0.3 * sq(der(y));
        potential = 3.0 * r.y + 0.5 * sq(y);
        force push on y = u;
        constraint hold: r.x * r.y == 0.1 + 0.1 * y with { compliance: e, relax: tau };
        constraint line: r.y == s * r.x + 0.2 * sin(3.0 * t) + 0.1 * sq(y);
        init r.x = 0.4;
        init y = 0.2;
        init der(r.x) = -0.6;
        init der(y) = 0.3;
        guess r.y = 0.1;
    }
}
model! {
    /// The bob of [`Twice`] with its row once.
    pub struct Single<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        coord r: Vec2;
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * 9.81 * r.y;
        constraint rod: r.dot(r) == sq(l);
        init r.x = 0.5;
        guess r.y = -0.6;
        init der(r.x) = 0.7;
    }
}
model! {
    /// A row twice, once with another factor.
    pub struct Twice<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        coord r: Vec2;
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * 9.81 * r.y;
        constraint rod: r.dot(r) == sq(l);
        constraint again: 3.0 * r.dot(r) == 3.0 * sq(l) with { redundant };
        init r.x = 0.5;
        guess r.y = -0.6;
        init der(r.x) = 0.7;
    }
}
model! {
    /// A heavy body on a point, by a body rate, with a wheel that turns by a spatial rate, and an input to each.
    pub struct Top<T> {
        param m: Real = 1.1;
        param l: Real = 0.4;
        param c: Real = 0.05;
        coord (q, w): SO3;
        coord (ball, spin): SO3<World>;
        input u: Real = 0.1;
        let tip = q.rotate(vec3(0.0, 0.0, l));
        kinetic = 0.5 * (0.3 * sq(w.x) + 0.35 * sq(w.y) + 0.2 * sq(w.z)) + 0.1 * spin.dot(spin);
        potential = m * 9.81 * tip.z + 0.3 * tip.dot(ball.rotate(vec3(1.0, 0.0, 0.0)));
        dissipation = 0.5 * c * w.dot(w);
        input s: Real = 0.05;
        torque motor on q = vec3(0.0, 0.1 * u, u);
        torque drive on ball = vec3(s, -0.1 * s, 0.2 * u);
        init q = rot_x(0.4);
        init w = vec3(0.3, -0.2, 6.0);
        init spin = vec3(0.5, 1.0, -0.7);
    }
}
model! {
    /// A point of the sphere, on a spring, pushed and wound.
    pub struct Needle<T> {
        param m: Real = 1.1;
        param l: Real = 0.5;
        param k: Real = 2.0;
        coord (d, w): S2;
        coord x: Real;
        input u: Real = 0.3;
        input s: Real = -0.2;
        kinetic = 0.5 * m * sq(l) * w.dot(w) + 0.4 * sq(der(x));
        potential = m * 9.81 * l * d.z + 0.5 * k * sq(x - d.x);
        dissipation = 0.02 * w.dot(w);
        force push on x = u;
        force wind on d = vec3(0.3 * s, u, 0.0);
        init x = 0.2;
        init d = vec3(0.6, 0.0, 0.8);
        init w = vec3(0.4, 0.7, -0.3);
        guess der(x) = 0.3;
    }
}
model! {
    /// States that act and are acted on.
    pub struct Motor<T> {
        param j: Real = 0.3;
        param k: Real = 0.8;
        param r: Real = 1.5;
        param h: Real = 0.4;
        coord th: Angle;
        state i, heat: Real;
        input u: Real = 0.9;
        kinetic = 0.5 * j * sq(der(th));
        dissipation = 0.05 * sq(der(th));
        potential = 0.2 * cos(th);
        force drive on th = k * i * (1.0 - 0.1 * heat);
        der(i) = (u - r * (1.0 + 0.2 * heat) * i - k * der(th)) / h + 0.1 * t;
        der(heat) = r * sq(i) - 0.3 * heat + 0.05 * sin(th);
        init th = 0.3;
        init der(th) = 0.8;
        init i = 0.4;
        init heat = 0.2;
    }
}
model! {
    /// Algebraic variables, coupled.
    pub struct Coupled<T> {
        param k: Real = 2.0;
        algebraic f, g: Real;
        coord x: Real;
        state z: Real;
        algebraic w: [Real; 2];
        input u: Real = 0.5;
        kinetic = 0.5 * sq(der(x));
        force push on x = -f - 0.1 * der(x);
        constraint spring: f + 0.1 * f.powi(3) == k * x + 0.2 * g + u * sin(t);
        constraint mix: g - 0.3 * f == z;
        constraint pair: [w[0] + 0.5 * w[1], w[1] - 0.25 * w[0]] == [x + z, der(x)];
        der(z) = w[0] - z * w[1] - 0.5 * z;
        init x = 1.0;
        init z = 0.3;
        guess f = 1.0;
    }
}
model! {
    /// Everything at once, with inertia that moves: by positions, rotations, points on the sphere, and time.
    #[allow(large_model)]
    pub struct Juggler<T> {
        param m: Real = 0.9;
        param l: Real = 0.3;
        param k: Real = 2.0;
        param e: Real = 4.0e-2;
        param g: Real = 0.7;
        algebraic f: Real;
        coord (q, o): SO3;
        coord (d, w): S2;
        coord (ball, spin): SO3<World>;
        coord x, y, s: Real;
        state z: Real;
        input u: Real = 0.4;
        let tip = q.rotate(vec3(x, 0.2, l)) + d * (0.5 + 0.1 * s) + ball.rotate(vec3(0.0, 0.1, 0.0));
        kinetic = 0.5 * m * (1.0 + 0.2 * sin(3.0 * t)) * der(tip).dot(der(tip))
            + 0.5 * (0.3 * sq(o.x) + 0.35 * sq(o.y) + 0.2 * sq(o.z)) + 0.2 * w.dot(w) + 0.15 * spin.dot(spin)
            + 0.4 * (1.0 + 0.2 * sq(y)) * sq(der(x)) + 0.3 * sq(der(y)) + 0.25 * sq(der(s));
        potential = m * 9.81 * tip.z + 0.5 * k * (sq(x - d.x) + sq(y) + sq(s));
        dissipation = 0.03 * der(tip).dot(der(tip)) + 0.02 * sq(der(y));
        force push on x = u - f + 0.1 * z * der(y);
        torque motor on q = vec3(0.0, 0.1 * u, 0.2 * z);
        constraint law: f + 0.1 * f.powi(3) == z + 0.2 * der(x) + 0.1 * u;
        constraint roll: der(y) == (0.2 + 0.1 * x) * o.z + 0.8 * der(d).x + 0.1 * sin(t);
        constraint bar: s + 0.1 * sq(s) == g * x + 0.05 * sin(2.0 * t) + 0.2 * d.y;
        constraint soft: x + 0.3 * y == 0.2 + 0.1 * sin(t) with { compliance: e, relax: 2.0e-2 };
        der(z) = f - 0.5 * z + 0.1 * der(x) * u;
        init q = rot_x(0.4);
        init o = vec3(0.6, -0.4, 1.1);
        init d = vec3(0.6, 0.0, 0.8);
        init w = vec3(0.4, 0.7, -0.3);
        init spin = vec3(0.5, 1.0, -0.7);
        init x = 0.3;
        init y = 0.2;
        init der(x) = 0.5;
        init z = 0.3;
        guess s = 0.1;
    }
}
model! {
    /// A model of first order with a row and a state.
    #[model(order = 1)]
    pub struct Mixed<T> {
        param k: Real = 1.3;
        param tau: Real = 0.4;
        coord x, y: Real;
        coord th: Angle;
        state lag: Real;
        input u: Real = 0.2;
        mass (x, y) = [[2.0 + sq(x), 0.3 * cos(th)], [0.3 * cos(th), 1.0]];
        dissipation = 0.5 * sq(der(x) + 0.5 * der(y) - sin(t)) + 0.1 * (1.0 + sq(x)) * sq(der(th));
        potential = 0.5 * k * (sq(x - y) + sq(y)) - cos(th);
        force pull on x * y = 0.1 * u + 0.2 * lag;
        constraint drive: th - 0.2 * x == 0.1 * k * sin(2.0 * t);
        der(lag) = (der(y) + x - lag) / tau;
        init x = 0.8;
        init y = -0.4;
        init lag = 0.1;
        guess th = 0.1;
    }
}
model! {
    /// A start that constraints and conditions leave open, far from its guess.
    pub struct Loose<T> {
        param l: Real = 0.8;
        param k: Real = 0.4;
        coord r: Vec2;
        coord s: Real;
        coord (q, w): SO3;
        coord (d, rate): S2;
        state z: Real;
        kinetic = 0.5 * der(r).dot(der(r)) + 0.5 * sq(der(s)) + 0.5 * w.dot(w) + rate.dot(rate);
        potential = r.y + d.x;
        constraint rod: r.dot(r) == sq(l) + 0.1 * sin(t);
        constraint hinge: q.rotate(vec3(0.0, 0.0, 1.0)).x == 0.3 * s + 0.1 * r.x;
        constraint touch: d.x + 0.4 * d.y == 0.5 * r.y + k * s;
        constraint roll: der(s) + 0.2 * r.x * der(r.y) == 0.1 * k;
        der(z) = s - z;
        init r.x * s = 0.3 * k + 0.1;
        guess r = vec2(l, 0.5 * k);
        guess s = 0.3 + k;
        guess q = rot_x(k) * rot_z(0.3);
        guess d = unit(vec3(0.6, k, 0.8));
        guess der(r) = vec2(0.3, k);
        guess w = vec3(0.1, k, 0.2);
        init r.x * der(r.y) + der(s) = 0.2 * k;
        init z = k * l;
    }
}
