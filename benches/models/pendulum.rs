//! A pendulum in Cartesian coordinates.

use ode_model::model;

model! {
    /// A point on a circle about the origin, begun at rest at the height of the centre.
    pub struct Pendulum {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param g: Real [m/s^2] = 9.81;
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;
        constraint rod: 0.5 * r.dot(r) == 0.5 * sq(l);
        init r = vec2(l, 0.0);
        init v = vec2(0.0, 0.0);
    }
}
