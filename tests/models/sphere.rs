//! Coordinates that are points of the sphere.

use ode_model::model;

model! {
    /// A pendulum on a sphere.
    pub struct Spherical<T> {
        param m: Real [kg] = 0.8;
        param l: Real [m] = 1.3;
        param g: Real [m/s^2] = 9.81;
        coord d: S2;
        kinetic = 0.5 * m * sq(l) * der(d).dot(der(d));
        potential = m * g * l * d.z;
        init d = vec3(0.6, 0.0, -0.8);
        init der(d) = vec3(0.4, 1.5, 0.3);
        output direction: Vec3 = d;
        output velocity: Vec3 [1/s] = der(d);
        output acceleration: Vec3 [1/s^2] = der2(d);
        output spin: Real [kg*m^2/s] = m * sq(l) * d.cross(der(d)).z;
    }
}
model! {
    /// The same pendulum as a point on a rod.
    pub struct Rod {
        param m: Real [kg] = 0.8;
        param l: Real [m] = 1.3;
        param g: Real [m/s^2] = 9.81;
        coord r: Vec3 [m];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * g * r.z;
        constraint rod: r.dot(r) == sq(l);
        init r = vec3(0.6, 0.0, -0.8) * l;
        init der(r) = vec3(0.52, 1.95, 0.39);
    }
}
model! {
    /// Two pendulums, one below the other.
    pub struct Double {
        param: Real [kg] { m = 0.8; n = 0.5; }
        param: Real [m] { l = 1.3; k = 0.7; }
        param g: Real [m/s^2] = 9.81;
        coord d: [S2; 2];
        let p = l * d[0];
        let q = p + k * d[1];
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.5 * n * der(q).dot(der(q));
        potential = m * g * p.z + n * g * q.z;
        init d = [vec3(0.6, 0.0, -0.8), vec3(0.0, 0.6, 0.8)];
        init der(d[0]) = vec3(0.4, 1.5, 0.3);
        output end: Vec3 [m] = q;
        output power: Real [W] = der(q).dot(vec3(0.0, 0.0, 1.0)) * n * g;
    }
}
model! {
    /// An arm of two points on rods.
    pub struct Points {
        param: Real [kg] { m = 0.8; n = 0.5; }
        param: Real [m] { l = 1.3; k = 0.7; }
        param g: Real [m/s^2] = 9.81;
        coord p, q: Vec3 [m];
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.5 * n * der(q).dot(der(q));
        potential = m * g * p.z + n * g * q.z;
        constraint upper: p.dot(p) == sq(l);
        constraint lower: (q - p).dot(q - p) == sq(k);
        init p = vec3(0.6, 0.0, -0.8) * l;
        init q = vec3(0.6, 0.0, -0.8) * l + vec3(0.0, 0.6, 0.8) * k;
        init der(p) = vec3(0.52, 1.95, 0.39);
        init der(q) = vec3(0.52, 1.95, 0.39);
    }
}
model! {
    /// A pole that leans, as a part of another model.
    pub struct Pole<T> {
        param m: Real = 1.5;
        coord (d, rate): S2;
        kinetic = 0.5 * m * rate.dot(rate) * (1.0 + 0.2 * sq(d.x));
        potential = 2.0 * d.z + d.x * d.y;
        init d = vec3(0.0, 0.0, -1.0);
        init rate = vec3(0.3, 0.2, 0.0);
    }
}
model! {
    /// A pole that begins with another velocity than it would alone.
    pub struct Kicked {
        sub pole: Pole<f64>;
        init pole.rate = vec3(0.0, -0.5, 0.0);
    }
}
model! {
    /// Everything that a point of the sphere goes with: subs, frames, bodies, rows of both levels, forces, states,
    /// events.
    pub struct Everything<T> {
        param m: Real = 0.7;
        param c: Real = 0.4;
        sub pole: Pole<T>;
        coord s: Real;
        coord e: [S2; 2];
        state lag: Real;
        input pull: Real = 0.3;
        mode gear: Real = 1.0;
        let tip = vec3(s, 0.0, 0.0) + 0.9 * e[0] + 0.4 * pole.d;
        let ball = tip + 0.3 * e[1];
        kinetic ball = 0.5 * m * der(ball).dot(der(ball));
        body plate on frame(tip, rot_z(s)) { mass: 0.5, inertia: diag(0.1, 0.2, 0.25) }
        kinetic = 0.5 * sq(der(s)) + 0.1 * der(e[1]).dot(der(e[1])) + 0.3 * sq(e[0].x * der(e[0]).y);
        potential = 4.0 * e[0].dot(pole.d) + 2.0 * tip.z + e[0].x * e[1].y;
        dissipation = 0.5 * c * der(e[0]).dot(der(e[0]));
        force thrust on tip = vec3(0.1, pull, gear) * e[1].x + lag * e[0];
        constraint held: tip.z + 0.2 * e[1].x == 0.1 * sin(t);
        constraint rolls: der(e[1]).x - 0.2 * e[1].y * der(s) == 0.0;
        der(lag) = (der(e[0]).z + e[1].x - lag) / 0.5;
        event turned when e[0].x > 0.99 {
            e[0] = unit(e[0] + vec3(0.0, 0.5, 0.1));
            der(e[0]) = -0.5 * der(e[0]);
            pole.rate = 0.2 * pole.rate;
            gear = gear + 1.0;
        }
        limit high: e[0].z + 0.1 * pull;
        guess e = [vec3(0.0, 0.6, 0.8), vec3(0.0, 0.0, 1.0)];
        guess s = 0.0;
        init lag = 0.1;
        output top: Vec3 = tip;
        output turn: Vec3 = der(e[0]) + gear * e[1];
        output gain: Real = der2(e[0].x);
    }
}
model! {
    /// A needle in syrup that a field turns.
    #[model(order = 1)]
    pub struct Needle<T> {
        param c: Real [N*m*s] = 2.0;
        param b: Real [N*m] = 3.0;
        coord d: S2;
        dissipation = 0.5 * c * der(d).dot(der(d));
        potential = -b * d.dot(vec3(0.0, 0.6, 0.8));
        init d = vec3(1.0, 0.0, 0.0);
        output speed: Vec3 [1/s] = der(d);
    }
}
model! {
    /// Products with the derivatives, and second derivatives.
    #[model(emit(jvp, vjp, hvp, hessian))]
    pub struct Cart<T> {
        param m: Real = 0.7;
        coord s: Real;
        coord d: S2;
        let tip = vec3(s, 0.0, 0.0) + 0.9 * d;
        kinetic = 0.5 * sq(der(s)) + 0.5 * m * der(tip).dot(der(tip));
        potential = 2.0 * tip.z * (1.0 + 0.3 * d.x);
        force drag on tip = -0.2 * der(tip) * d.y;
        constraint held: tip.z + 0.2 * s == 0.1 * sin(t);
        guess d = vec3(0.0, 0.6, 0.8);
        guess s = 0.0;
    }
}
model! {
    /// Events that put a point elsewhere, and give it other velocities.
    pub struct Thrown {
        coord d: S2;
        kinetic = 0.5 * der(d).dot(der(d));
        init d = vec3(0.0, 0.0, 1.0);
        init der(d) = vec3(1.0, 0.0, 0.0);
        event jump when t > 0.5 {
            d = vec3(0.0, 1.0, 0.0);
            der(d) = vec3(0.2, 0.0, -0.7);
        }
        event slow when t > 0.75 {
            der(d) = -0.5 * der(d);
        }
        event lean when t > 1.0 {
            d = unit(d + 0.1 * vec3(1.0, 0.0, 0.0));
        }
        event over when t > 1.25 {
            d = -d;
        }
    }
}
