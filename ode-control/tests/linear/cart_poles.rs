//! The cart-pole of the reference problem, in two sets of coordinates.
//!
//! Values: exact rational arithmetic of SymPy, matrix exponentials of mpmath at 60 digits.

use ode_model::prelude::*;

model! {
    /// A pole hinged on a cart, with friction in both; it stands at th = π.
    pub struct CartPole {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        param c_th: Real [N*m*s] = 0.001;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N];
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x)) + 0.5 * c_th * sq(der(th));
        force drive on x = u;
        output angle = th;
        output push = der(der(x)) + 0.5 * u / m_c;
    }
}

model! {
    /// The same in points: the cart, and the tip of the pole on a rod.
    pub struct Points {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        param c_th: Real [N*m*s] = 0.001;
        coord xc: Real [m];
        coord p: Vec2 [m];
        input u: Real [N];
        let w = ((p.x - xc) * der(p.y) - p.y * (der(p.x) - der(xc))) / sq(l);
        kinetic = 0.5 * m_c * sq(der(xc)) + 0.5 * m_p * der(p).dot(der(p));
        potential = m_p * g * p.y;
        dissipation = 0.5 * c_x * sq(der(xc)) + 0.5 * c_th * sq(w);
        force drive on xc = u;
        constraint rod: sq(p.x - xc) + sq(p.y) == sq(l);
        output pull = rod.lambda;
        output height = p.y;
        init xc = 0.0;
        guess p = vec2(0.0, l);
    }
}

/// x, th, der(x), der(th)
pub const A: [[f64; 4]; 4] =
    [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.981, -0.05, -0.002], [0.0, 21.582, -0.1, -0.044]];
pub const B: [f64; 4] = [0.0, 0.0, 1.0, 2.0];

/// Zero-order hold over 0.02 s.
pub const HELD_A: [[f64; 4]; 4] = [
    [1.0, 0.000196218199123122044, 0.019990002945278423, 9.07912748519456299e-7],
    [0.0, 1.00431810833056041, -0.0000200018551603590259, 0.0200199779533260306],
    [0.0, 0.0196297874622566799, 0.999000409061461227, 0.000156198245071630342],
    [0.0, 0.43205154236877008, -0.00200099770257458511, 1.00343726930432439],
];
pub const HELD_B: [f64; 4] =
    [0.000199941094431539258, 0.000400037103207180518, 0.0199918187707754619, 0.0400199540514917022];

pub fn upright() -> (CartPole, State<CartPole>) {
    let model = CartPole::default();
    let mut x = State::neutral(&model);
    x.q.set_th(std::f64::consts::PI);
    (model, x)
}

pub fn upright_points() -> (Points, State<Points>) {
    let model = Points::default();
    let mut x = State::neutral(&model);
    x.q.set_p([0.0, model.l]);
    (model, x)
}
