//! A double pendulum on a cart.

use ode_model::model;

model! {
    /// Absolute angles, 0 = hanging; the kinetic energy in closed form.
    #[model(prepared)]
    pub struct Cart<T> {
        param: Real [kg] { mc = 1.0; m1 = 0.3; m2 = 0.2; }
        param: Real [m] { l1 = 0.5; lc1 = 0.25; lc2 = 0.2; }
        param: Real [kg*m^2] { j1 = 0.006; j2 = 0.003; }
        param g: Real [m/s^2] = 9.81;
        param d0: Real [N*s/m] = 0.1;
        param: Real [N*m*s] { d1 = 0.02; d2 = 0.01; }
        coord x: Real [m];
        coord th1, th2: Angle;
        input u: Real [N];
        let a1 = m1 * lc1 + m2 * l1;
        let a2 = m2 * lc2;
        let a12 = a2 * l1;
        kinetic = 0.5 * (mc + m1 + m2) * sq(der(x));
        kinetic = 0.5 * (m1 * sq(lc1) + m2 * sq(l1) + j1) * sq(der(th1)) + 0.5 * (a2 * lc2 + j2) * sq(der(th2));
        kinetic = a1 * cos(th1) * der(x) * der(th1) + a2 * cos(th2) * der(x) * der(th2);
        kinetic = a12 * (cos(th1) * cos(th2) + sin(th1) * sin(th2)) * der(th1) * der(th2);
        potential = -g * a1 * cos(th1) - g * a2 * cos(th2);
        dissipation = 0.5 * d0 * sq(der(x)) + 0.5 * d1 * sq(der(th1)) + 0.5 * d2 * sq(der(th2) - der(th1));
        force drive on x = u;
    }
}
