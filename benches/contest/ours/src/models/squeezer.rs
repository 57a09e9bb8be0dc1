//! Andrews' squeezing mechanism, its coordinates in the order of the test sets.

use ode_model::model;

model! {
    /// Data: Hairer & Wanner, Solving ODEs II, VII.7.
    #[model(prepared)]
    pub struct Squeezer<T> {
        param m: [Real; 7] [kg] = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498];
        param i: [Real; 7] [kg*m^2] = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
        param a: Vec2 [m] = vec2(-69.34e-3, -2.27e-3);
        param b: Vec2 [m] = vec2(-36.35e-3, 32.73e-3);
        param c: Vec2 [m] = vec2(14.0e-3, 72.0e-3);
        param c0: Real [N/m] = 4530.0;
        param: Real [m] {
            d = 28.0e-3; da = 11.5e-3; e = 20.0e-3; ea = 14.21e-3;
            rr = 7.0e-3; ra = 0.92e-3; zf = 20.0e-3; fa = 14.21e-3;
            zt = 40.0e-3; ss = 35.0e-3; sa = 18.74e-3; sb = 10.43e-3;
            sc = 18.0e-3; sd = 20.0e-3; ta = 23.08e-3; tb = 9.16e-3;
            uu = 40.0e-3; ua = 12.28e-3; ub = 4.49e-3; l0 = 77.85e-3;
        }
        input mom: Real [N*m] = 0.033;
        coord beta, theta, gamma, phi, delta, omega, eps: Angle;

        kinetic k1 = 0.5 * (m[0] * sq(ra) + i[0]) * sq(der(beta));
        kinetic k3 = 0.5 * (m[2] * (sq(sa) + sq(sb)) + i[2]) * sq(der(gamma));
        kinetic k5 = 0.5 * (m[4] * (sq(ta) + sq(tb)) + i[4]) * sq(der(delta));
        kinetic k7 = 0.5 * (m[6] * (sq(ua) + sq(ub)) + i[6]) * sq(der(eps));
        let crank = rr * vec2(cos(beta), sin(beta));
        let f2 = frame2(crank - da * vec2(cos(beta + theta), sin(beta + theta)), beta + theta);
        let f4 = frame2(a + zt * vec2(cos(delta), sin(delta))
            + (e - ea) * vec2(sin(phi + delta), -cos(phi + delta)), phi + delta);
        let f6 = frame2(a + uu * vec2(sin(eps), -cos(eps))
            + (zf - fa) * vec2(cos(omega + eps), sin(omega + eps)), omega + eps);
        body k2 on f2 { mass: m[1], inertia: i[1] }
        body k4 on f4 { mass: m[3], inertia: i[3] }
        body k6 on f6 { mass: m[5], inertia: i[5] }

        let p_d = b + vec2(sd * cos(gamma) + sc * sin(gamma), sd * sin(gamma) - sc * cos(gamma));
        spring s on (c, p_d) { k: c0, rest: l0 }
        force drive on beta = mom;

        let p = crank - d * vec2(cos(beta + theta), sin(beta + theta));
        constraint loop3: b + ss * vec2(sin(gamma), -cos(gamma)) == p;
        constraint loop4: a + zt * vec2(cos(delta), sin(delta)) + e * vec2(sin(phi + delta), -cos(phi + delta)) == p;
        constraint loop6: a + uu * vec2(sin(eps), -cos(eps)) + zf * vec2(cos(omega + eps), sin(omega + eps)) == p;
    }
}
