#![deny(warnings)]

ode_model::model! {
    #[allow(nonsmooth)]
    pub struct P<T> {
        #[allow(unused)]
        param spare: Real [m] = 1.0;
        param m: Real [kg] = 1.0;
        param c: Real [N*s^3/m^3] = 1.0;
        coord x: Real [m];
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * (sq(der(x)) + v.dot(v));
        #[allow(nonlinear_dissipation)]
        dissipation = 0.25 * c * sq(sq(der(x)));
        #[allow(vanishing_norm)]
        potential = 1.0N * norm(r);
        force stop on x = 1.0N/1.0m * max(x, 0.0);
        init r = vec2(0.0, 0.0);
        guess x = 0.0;
        coord th: Angle;
        mass th = 1.0kg * sq(1.0m);
        #[allow(many_turns)]
        guess th = 10.0;
    }
}

pub fn main() {}
