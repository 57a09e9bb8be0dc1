//! A point mass on a rod.

use ode_model::model;

model! {
    /// In Cartesian coordinates.
    #[model(prepared)]
    pub struct Pendulum<T> {
        param m: Real [kg] = 1.3;
        param g: Real [m/s^2] = 9.81;
        param l: Real [m] = 0.7;
        param d: Real [N*s/m] = 0.05;
        coord r: Vec2 [m];
        input u: Real [N];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * g * r.y;
        dissipation = 0.5 * d * der(r).dot(der(r));
        force push on r.x = u;
        constraint rod: sq(l) == r.dot(r);
        guess r = vec2(0.0, -l);
    }
}
