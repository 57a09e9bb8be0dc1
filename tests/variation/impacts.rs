//! Models with events.

use ode_model::prelude::*;

model! {
    /// A ball on the ground.
    pub struct Ball<T> {
        param e: Real = 0.8;
        param g: Real = 9.81;
        coord y: Real;
        kinetic = 0.5 * sq(der(y));
        potential = g * y;
        event bounce when y < 0.0 { der(y) = -e * der(y); }
        init y = 1.0;
        init der(y) = 0.5;
    }
}
model! {
    /// A pendulum at a wall.
    pub struct Pendulum<T> {
        param l: Real = 0.7;
        param g: Real = 9.81;
        param c: Real = 0.1;
        param e: Real = 0.85;
        param wall: Real = -0.2;
        coord th: Angle;
        kinetic = 0.5 * sq(l) * sq(der(th));
        potential = -g * l * cos(th);
        dissipation = 0.5 * c * sq(l) * sq(der(th));
        event hit when th < wall { der(th) = -e * der(th); }
        init th = 0.9;
        init der(th) = 0.3;
    }
}
model! {
    /// The same in the plane. The impact leaves a velocity along the rod, and `off` puts the bob off it: both are
    /// projected back.
    pub struct Rod<T> {
        param l: Real = 0.7;
        param g: Real = 9.81;
        param c: Real = 0.1;
        param e: Real = 0.85;
        param wall: Real = -0.2;
        param th0: Real = 0.9;
        param w0: Real = 0.3;
        param along: Real = 0.6;
        param off: Real = 0.05;
        coord r: Vec2;
        kinetic = 0.5 * der(r).dot(der(r));
        potential = g * r.y;
        dissipation = 0.5 * c * der(r).dot(der(r));
        constraint rod: r.dot(r) == sq(l);
        event hit when atan2(r.x, -r.y) < wall {
            r = (1.0 + off) * r;
            der(r) = -e * der(r) + along * der(r.x) * r;
        }
        init r.x = l * sin(th0);
        guess r.y = -l * cos(th0);
        init der(r.x) = l * w0 * cos(th0);
    }
}
model! {
    /// A bob that an event moves along and off its rod by k − 1, which is zero.
    pub struct Stretched<T> {
        param l: Real = 0.8;
        param k: Real = 1.0;
        coord r: Vec2;
        kinetic = 0.5 * (1.0 + 0.3 * sq(r.x)) * der(r).dot(der(r));
        potential = 9.81 * r.y;
        constraint rod: r.dot(r) == sq(l);
        event hit when r.x < 0.1 {
            r = k * r + (k - 1.0) * vec2(0.7, 0.2);
            der(r) = -0.8 * k * der(r);
        }
        init r.x = 0.3;
        guess r.y = -0.7;
        init der(r.x) = -0.9;
    }
}
model! {
    /// Everything that an impact may depend on: inertia that changes, a row that moves, states, inputs, time.
    pub struct Crash<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        param e: Real = 0.6;
        param k: Real = 0.3;
        coord r: Vec2;
        coord s: Real;
        state z: Real;
        input u: Real = 0.3;
        mode hits: Real = 0.0;
        kinetic = 0.5 * m * (1.0 + 0.4 * sq(r.x)) * der(r).dot(der(r)) + 0.3 * (1.0 + 0.2 * r.y) * sq(der(s))
            + 0.1 * der(s) * der(r.x);
        potential = m * 9.81 * r.y + sq(s);
        let from = r - vec2(0.1 * sin(2.0 * t), 0.0);
        constraint rod: from.dot(from) == sq(l) + 0.1 * k * s;
        force push on s = u + 0.1 * z;
        der(z) = s - z + u;
        event hit when r.x + 0.05 * der(s) + 0.1 * z < 0.1 * k + 0.02 * t {
            r = r + vec2(0.1 * k + 0.02 * t, 0.03 * z);
            der(r) = -e * der(r) + vec2(0.1 * u, k * der(s));
            der(s) = 0.5 * der(s) + 0.1 * der(r.x) * k;
            z = 0.4 * z + m * r.x + u * t;
            hits = hits + 1.0;
        }
        init r.x = 0.5;
        init s = 0.1;
        guess r.y = -0.6;
        init der(r.x) = -0.3;
        init der(s) = 0.2;
        init z = 0.2;
    }
}
model! {
    /// Bodies and points that an event turns.
    pub struct Turned<T> {
        param k: Real = 0.7;
        param e: Real = 0.5;
        coord (q, w): SO3;
        coord (ball, spin): SO3<World>;
        coord (d, rate): S2;
        kinetic = 0.5 * (0.3 * sq(w.x) + 0.35 * sq(w.y) + 0.2 * sq(w.z)) + 0.1 * spin.dot(spin)
            + 0.5 * rate.dot(rate);
        potential = 0.4 * q.rotate(vec3(0.0, 0.3, 1.0)).z + 0.3 * d.x + 0.2 * ball.rotate(d).y;
        event turn when d.z < 0.55 + 0.1 * k {
            q = q * rot_x(k * w.y) ;
            w = -e * w;
            ball = rot_z(k * d.x) * ball;
            spin = spin + k * vec3(d.y, 0.1, 0.0);
            d = unit(d + vec3(0.3 * k, 0.2 * w.x, 0.1));
        }
        event back when d.y > 0.5 {
            rate = -e * rate;
        }
        init q = rot_x(0.4);
        init w = vec3(0.3, -0.2, 0.6);
        init spin = vec3(0.5, 1.0, -0.7);
        init d = vec3(0.48, 0.36, 0.8);
        init rate = vec3(0.4, 0.2, -0.33);
    }
}
model! {
    /// A model of first order with a reset of a coordinate and a state.
    #[model(order = 1)]
    pub struct Creep<T> {
        param k: Real = 1.3;
        param tau: Real = 0.4;
        coord x, y: Real;
        state lag: Real;
        input u: Real = 0.2;
        mass (x, y) = [[2.0 + sq(x), 0.3], [0.3, 1.0]];
        potential = 0.5 * k * (sq(x - y) + sq(y));
        force pull on x = 0.1 * u + 0.2 * lag;
        der(lag) = (der(y) + x - lag) / tau;
        event jump when x < 0.5 + 0.1 * lag {
            x = x + 0.2 * k + 0.1 * t;
            y = 0.5 * y + 0.1 * u;
            lag = 0.3 * lag + 0.1 * der(x) * k;
        }
        init x = 0.8;
        init y = -0.4;
        init lag = 0.1;
    }
}
model! {
    /// Events that no derivative passes.
    pub struct Refused<T> {
        param top: Real = 1.0;
        coord x, y: Real;
        mode seen: Real = 0.0;
        kinetic = 0.5 * (sq(der(x)) + sq(der(y)));
        potential = x;
        event touch when x > top { der(y) = 0.5 * der(y); }
        event left when y < 0.5 { der(y) = 0.9 * der(y); }
        event right when y < 0.5 { der(x) = 0.9 * der(x); }
        event keep when y > 1.5 { seen = y * der(x); }
        init x = 0.0;
        init y = 1.0;
        init der(x) = 0.0;
        init der(y) = 0.0;
    }
}
model! {
    /// A rolling coin that is hit.
    pub struct Hit<T> {
        param m: Real = 0.5;
        param r: Real = 0.2;
        param e: Real = 0.6;
        coord p: Vec2;
        coord roll, yaw: Angle;
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.01 * sq(der(roll)) + 0.005 * (1.0 + sq(p.x)) * sq(der(yaw));
        constraint no_slip: der(p) == r * der(roll) * vec2(cos(yaw), sin(yaw));
        event hit when p.x + 0.1 * der(yaw) > 0.5 + 0.1 * r {
            der(p) = vec2(-e * der(p.x), 0.3 * m * der(p.y));
            der(yaw) = 0.5 * der(yaw) + 0.1 * p.y;
            yaw = yaw + 0.2 * e;
        }
        init p = vec2(0.3, -0.1);
        init roll = 0.2;
        init yaw = 0.4;
        init der(roll) = 5.0;
        init der(yaw) = 2.0;
    }
}
model! {
    /// A bob on a row that is written twice, at a wall.
    pub struct Both<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        param e: Real = 0.7;
        coord r: Vec2;
        kinetic = 0.5 * m * (1.0 + sq(r.x)) * sq(der(r.x)) + 0.5 * m * sq(der(r.y));
        potential = m * 9.81 * r.y;
        constraint rod: r.dot(r) == sq(l);
        constraint again: 3.0 * r.dot(r) == 3.0 * sq(l) with { redundant };
        event hit when r.x < 0.1 * l {
            der(r) = vec2(-e * der(r.x), 0.2);
        }
        init r.x = 0.5;
        guess r.y = -0.6;
        init der(r.x) = -0.7;
    }
}
model! {
    /// Events whose guards read a velocity, a state or time alone, at which each only touches zero or crosses.
    pub struct Touched<T> {
        coord x, far: Real;
        state z: Real;
        kinetic = 0.5 * (sq(der(x)) + sq(der(far)));
        potential = -0.5 * sq(x);
        der(z) = x;
        event speed when der(x) > 1.0 { far = 0.5 * far; }
        event level when z > 1.0 { far = 0.5 * far; }
        event clock when sin(t) > 1.0 { far = 0.5 * far; }
        event place when x > 1.0 { far = 0.5 * far; }
    }
}
model! {
    /// The same in a model of first order.
    #[model(order = 1)]
    pub struct Crept<T> {
        coord x, y: Real;
        dissipation = 0.5 * (sq(der(x)) + sq(der(y)));
        force pull on x = y;
        force push on y = -1.0;
        event top when x > 1.0 { y = y; }
    }
}
