//! Uniform links that hang on each other: absolute angles, 0 = hanging; torques and damping in the joints.

use ode_model::model;

model! {
    /// Five links.
    #[model(prepared)]
    pub struct Chain5<T> {
        param m: [Real; 5] [kg] = [0.4, 0.43, 0.46, 0.49, 0.52];
        param l: [Real; 5] [m] = [0.5, 0.49, 0.48, 0.47, 0.46];
        param j: [Real; 5] [kg*m^2] = [0.008, 0.0085, 0.009, 0.0095, 0.01];
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*m*s] = 0.02;
        coord th: [Angle; 5];
        input u: [Real; 5] [N*m];

        let e0 = vec2(sin(th[0]), -cos(th[0]));
        let e1 = vec2(sin(th[1]), -cos(th[1]));
        let e2 = vec2(sin(th[2]), -cos(th[2]));
        let e3 = vec2(sin(th[3]), -cos(th[3]));
        let e4 = vec2(sin(th[4]), -cos(th[4]));
        let p0 = l[0] * e0;
        let p1 = p0 + l[1] * e1;
        let p2 = p1 + l[2] * e2;
        let p3 = p2 + l[3] * e3;
        let centre = [
            0.5 * l[0] * e0,
            p0 + 0.5 * l[1] * e1,
            p1 + 0.5 * l[2] * e2,
            p2 + 0.5 * l[3] * e3,
            p3 + 0.5 * l[4] * e4,
        ];
        for i in 0..5 {
            kinetic = 0.5 * m[i] * der(centre[i]).dot(der(centre[i])) + 0.5 * j[i] * sq(der(th[i]));
            potential = m[i] * g * centre[i].y;
        }
        dissipation = 0.5 * c * sq(der(th[0]));
        for i in 1..5 {
            dissipation = 0.5 * c * sq(der(th[i]) - der(th[i - 1]));
            force motor on th[i - 1] = u[i - 1] - u[i];
        }
        force last on th[4] = u[4];
    }
}

model! {
    /// Ten links.
    #[model(prepared)]
    pub struct Chain10<T> {
        param m: [Real; 10] [kg] = [0.4, 0.43, 0.46, 0.49, 0.52, 0.55, 0.58, 0.61, 0.64, 0.67];
        param l: [Real; 10] [m] = [0.5, 0.49, 0.48, 0.47, 0.46, 0.45, 0.44, 0.43, 0.42, 0.41];
        param j: [Real; 10] [kg*m^2] = [0.008, 0.0085, 0.009, 0.0095, 0.01, 0.0105, 0.011, 0.0115, 0.012, 0.0125];
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*m*s] = 0.02;
        coord th: [Angle; 10];
        input u: [Real; 10] [N*m];

        let e0 = vec2(sin(th[0]), -cos(th[0]));
        let e1 = vec2(sin(th[1]), -cos(th[1]));
        let e2 = vec2(sin(th[2]), -cos(th[2]));
        let e3 = vec2(sin(th[3]), -cos(th[3]));
        let e4 = vec2(sin(th[4]), -cos(th[4]));
        let e5 = vec2(sin(th[5]), -cos(th[5]));
        let e6 = vec2(sin(th[6]), -cos(th[6]));
        let e7 = vec2(sin(th[7]), -cos(th[7]));
        let e8 = vec2(sin(th[8]), -cos(th[8]));
        let e9 = vec2(sin(th[9]), -cos(th[9]));
        let p0 = l[0] * e0;
        let p1 = p0 + l[1] * e1;
        let p2 = p1 + l[2] * e2;
        let p3 = p2 + l[3] * e3;
        let p4 = p3 + l[4] * e4;
        let p5 = p4 + l[5] * e5;
        let p6 = p5 + l[6] * e6;
        let p7 = p6 + l[7] * e7;
        let p8 = p7 + l[8] * e8;
        let centre = [
            0.5 * l[0] * e0,
            p0 + 0.5 * l[1] * e1,
            p1 + 0.5 * l[2] * e2,
            p2 + 0.5 * l[3] * e3,
            p3 + 0.5 * l[4] * e4,
            p4 + 0.5 * l[5] * e5,
            p5 + 0.5 * l[6] * e6,
            p6 + 0.5 * l[7] * e7,
            p7 + 0.5 * l[8] * e8,
            p8 + 0.5 * l[9] * e9,
        ];
        for i in 0..10 {
            kinetic = 0.5 * m[i] * der(centre[i]).dot(der(centre[i])) + 0.5 * j[i] * sq(der(th[i]));
            potential = m[i] * g * centre[i].y;
        }
        dissipation = 0.5 * c * sq(der(th[0]));
        for i in 1..10 {
            dissipation = 0.5 * c * sq(der(th[i]) - der(th[i - 1]));
            force motor on th[i - 1] = u[i - 1] - u[i];
        }
        force last on th[9] = u[9];
    }
}
