//! A chain of twenty links, each with numbers of its own.

use ode_model::prelude::*;

model! {
    /// Bodies at the ends of rods, which turn with them: absolute angles, 0 = hanging.
    pub struct Chain {
        param m: [Real; 20] = [
            0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1,
            0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1,
        ];
        param l: [Real; 20] = [
            0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
            0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05,
        ];
        param inertia: [Real; 20] = [
            2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5,
            2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5,
        ];
        param c: [Real; 20] = [
            1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5,
            1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5, 1.0e-5,
        ];
        param k: [Real; 20] = [
            1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3,
            1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3, 1.0e-3,
        ];
        param g: Real = 9.81;
        coord th: [Angle; 20];

        let e0 = l[0] * vec2(sin(th[0]), -cos(th[0]));
        let e1 = e0 + l[1] * vec2(sin(th[1]), -cos(th[1]));
        let e2 = e1 + l[2] * vec2(sin(th[2]), -cos(th[2]));
        let e3 = e2 + l[3] * vec2(sin(th[3]), -cos(th[3]));
        let e4 = e3 + l[4] * vec2(sin(th[4]), -cos(th[4]));
        let e5 = e4 + l[5] * vec2(sin(th[5]), -cos(th[5]));
        let e6 = e5 + l[6] * vec2(sin(th[6]), -cos(th[6]));
        let e7 = e6 + l[7] * vec2(sin(th[7]), -cos(th[7]));
        let e8 = e7 + l[8] * vec2(sin(th[8]), -cos(th[8]));
        let e9 = e8 + l[9] * vec2(sin(th[9]), -cos(th[9]));
        let e10 = e9 + l[10] * vec2(sin(th[10]), -cos(th[10]));
        let e11 = e10 + l[11] * vec2(sin(th[11]), -cos(th[11]));
        let e12 = e11 + l[12] * vec2(sin(th[12]), -cos(th[12]));
        let e13 = e12 + l[13] * vec2(sin(th[13]), -cos(th[13]));
        let e14 = e13 + l[14] * vec2(sin(th[14]), -cos(th[14]));
        let e15 = e14 + l[15] * vec2(sin(th[15]), -cos(th[15]));
        let e16 = e15 + l[16] * vec2(sin(th[16]), -cos(th[16]));
        let e17 = e16 + l[17] * vec2(sin(th[17]), -cos(th[17]));
        let e18 = e17 + l[18] * vec2(sin(th[18]), -cos(th[18]));
        let e19 = e18 + l[19] * vec2(sin(th[19]), -cos(th[19]));
        let p = [
            e0, e1, e2, e3, e4, e5, e6, e7, e8, e9,
            e10, e11, e12, e13, e14, e15, e16, e17, e18, e19,
        ];
        for i in 0..20 {
            kinetic = 0.5 * m[i] * der(p[i]).dot(der(p[i])) + 0.5 * inertia[i] * sq(der(th[i]));
            potential = m[i] * g * p[i].y;
            init th[i] = 0.5 + 0.05 * i;
        }
        dissipation = 0.5 * c[0] * sq(der(th[0]));
        potential = 0.5 * k[0] * sq(th[0]);
        for i in 1..20 {
            dissipation = 0.5 * c[i] * sq(der(th[i]) - der(th[i - 1]));
            potential = 0.5 * k[i] * sq(th[i] - th[i - 1]);
        }
    }
}
