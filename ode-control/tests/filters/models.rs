//! Models with everything that a state can have.

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
