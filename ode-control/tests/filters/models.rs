//! The models that filters estimate.

use ode_model::model;

model! {
    /// Rotations about the axes of a body and of space, a direction, a coordinate and a state, all coupled.
    pub struct Tumbler {
        coord (q, w): SO3;
        coord (p, n): SO3<World>;
        coord d: S2;
        coord x: Real;
        state z: Real;
        input u: Real = 0.2;
        let a = frame(vec3(0.0, 0.0, 0.0), q);
        let b = frame(vec3(0.0, 0.0, 0.0), p);
        kinetic = 0.5 * w.dot(diag(1.0, 2.0, 3.0) * w) + 0.5 * n.dot(n) + 0.5 * der(d).dot(der(d)) + 0.5 * sq(der(x));
        potential = 2.0 * a.vec(vec3(1.0, 0.0, 0.0)).dot(d) + b.vec(vec3(0.0, 1.0, 0.0)).dot(d) + 0.5 * sq(x - d.z);
        force push on x = z + u;
        der(z) = u - z + sin(x);
        output s: Vec3 = a.inv().vec(d);
        output m: Vec3 = b.inv().vec(vec3(0.6, 0.0, 0.8));
        output speed: Vec3 = der(d);
        output acceleration = der2(x) + u * x + sin(t);
        output rate = der(z);
    }
}

model! {
    /// A bob on a rod in Cartesian coordinates, with a string gauge, an accelerometer, and a motor of index 1.
    pub struct Bob {
        param l: Real = 0.8;
        coord r: Vec2;
        input u: Real = 0.3;
        algebraic i: Real;
        constraint motor: i + 0.1 * i * i * i == u - der(r.x);
        kinetic = 0.5 * der(r).dot(der(r));
        potential = 9.81 * r.y;
        dissipation = 0.1 * der(r).dot(der(r));
        force push on r.x = i;
        constraint rod: r.dot(r) == sq(l);
        output angle = atan2(r.x, -r.y);
        output tension = rod.lambda;
        output acceleration: Vec2 = der2(r);
        output current = i;
        init r.x = 0.5;
        guess r.y = -0.6;
        init der(r.x) = 0.7;
        guess der(r.y) = 0.1;
    }
}

model! {
    /// Two carts between springs, one of them measured: everything is linear.
    pub struct Carts {
        coord x: Real;
        coord y: Real;
        state w: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x)) + 0.8 * sq(der(y));
        potential = 2.0 * sq(x) + 1.5 * sq(y - x);
        dissipation = 0.1 * sq(der(x)) + 0.05 * sq(der(y));
        force push on x = u + w;
        der(w) = -0.5 * w;
        output place = x;
        output pull = 3.0 * (y - x) - 0.1 * der(y) + u;
    }
}

model! {
    /// A pendulum with an encoder.
    pub struct Pendulum<T> {
        param l: Real = 0.8;
        param c: Real = 0.2;
        param g: Real = 9.81;
        coord th: Real;
        kinetic = 0.5 * sq(l * der(th));
        potential = -g * l * cos(th);
        dissipation = 0.5 * c * sq(l * der(th));
        output encoder = th;
        output rate = der(th);
        output bearing = atan2(sin(th), cos(th));
        init th = 0.6;
    }
}

model! {
    /// A body whose rate is what a gyroscope measures, less its bias.
    // its K is round-off alone, which a self-test does not bear
    #[model(order = 1, no_selftest)]
    pub struct Attitude<T> {
        param n: [Vec3; 2] = [vec3(0.0, 0.0, 1.0), vec3(0.5, 0.0, -sqrt(0.75))];
        coord (q, w): SO3;
        state b: Vec3;
        input gyro: Vec3;
        let body = frame(vec3(0.0, 0.0, 0.0), q);
        dissipation = 0.5 * w.dot(w);
        torque drive on body = body.vec(gyro - b);
        der(b) = vec3(0.0, 0.0, 0.0);
        output s1: Vec3 = body.inv().vec(n[0]);
        output s2: Vec3 = body.inv().vec(n[1]);
        output turn: Vec3 = w;
    }
}
