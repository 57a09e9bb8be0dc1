//! The cart-pole of the snapshots.

use ode_model::model;

model! {
    /// Cart-pole: a pole hinged on a cart driven by a horizontal force.
    #[model(derive(Clone, Debug))]
    pub struct CartPole<T> {
        /// cart mass
        param m_c: Real [kg] = 1.0;
        /// pole tip mass
        param m_p: Real [kg] = 0.1;
        /// pole length
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        /// rail friction
        param c_x: Real [N*s/m] = 0.05;
        /// hinge friction
        param c_th: Real [N*m*s] = 0.001;

        /// cart position
        coord x: Real [m];
        /// pole angle, 0 = hanging down
        coord th: Angle;
        /// force on the cart
        input u: Real [N] in -10.0..=10.0;

        let tip = vec2(x + l * sin(th), -l * cos(th));

        kinetic cart = 0.5 * m_c * sq(der(x));
        kinetic pole = 0.5 * m_p * der(tip).dot(der(tip));
        potential gravity_pole = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x)) + 0.5 * c_th * sq(der(th));
        force drive on x = u;

        init x = 0.0;
        init th = 0.1;
        init der(x) = 0.0;
        init der(th) = 0.0;

        output tip_pos: Vec2 [m] = tip;
        /// rail end stops, for optimizers: h(x) in [lo, hi]
        limit rail: x in -2.4..=2.4;

        param w_x: Real [1/m^2] = 1.0;
        param w_th: Real = 10.0;
        param w_u: Real [1/N^2] = 0.01;
        cost stage = w_x * sq(x) + w_th * sq(smooth_abs(th - PI, 0.01)) + w_u * sq(u);
    }
}
