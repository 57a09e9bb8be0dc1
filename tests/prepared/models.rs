//! Models with and without the option, of the same text.

use ode_model::prelude::*;

macro_rules! each {
    ($plain:ident, $prepared:ident, $generic:ident, { $($body:tt)* }) => {
        model! { #[model(derive(PartialEq))] pub(crate) struct $plain { $($body)* } }
        model! { #[model(prepared, derive(PartialEq))] pub(crate) struct $prepared { $($body)* } }
        model! { #[model(prepared)] pub(crate) struct $generic<T> { $($body)* } }
    };
}

each!(Links, PreparedLinks, PreparedLinksOver, {
    param m: [Real; 3] [kg] = [0.4, 0.43, 0.46];
    param l: [Real; 3] [m] = [0.5, 0.49, 0.48];
    param j: [Real; 3] [kg*m^2] = [0.008, 0.0085, 0.009];
    param g: Real [m/s^2] = 9.81;
    param c: Real [N*m*s] = 0.02;
    coord th: [Angle; 3];
    input u: Real [N*m];
    require l[0] > 0.0, "a link has a length";
    let e0 = vec2(sin(th[0]), -cos(th[0]));
    let e1 = vec2(sin(th[1]), -cos(th[1]));
    let e2 = vec2(sin(th[2]), -cos(th[2]));
    let p0 = l[0] * e0;
    let p1 = p0 + l[1] * e1;
    let centre = [0.5 * l[0] * e0, p0 + 0.5 * l[1] * e1, p1 + 0.5 * l[2] * e2];
    for i in 0..3 {
        kinetic = 0.5 * m[i] * der(centre[i]).dot(der(centre[i])) + 0.5 * j[i] * sq(der(th[i]));
        potential = m[i] * g * centre[i].y;
    }
    dissipation = 0.5 * c * sq(der(th[0])) + 0.5 * c * sq(der(th[1]) - der(th[0]));
    force drive on th[2] = u;
    output tip = p1 + l[2] * e2;
    output weight = g * (m[0] + m[1] + m[2]);
    init th = [0.3, 0.4, 0.5];
});

each!(Slotted, PreparedSlotted, PreparedSlottedOver, {
    param m: Real = 1.3;
    param l: Real = 0.7;
    param g: Real = 9.81;
    param d: Real = 0.05;
    param tilt: Angle = 0.2;
    param k: Real = 0.7;
    param tau: Real = 0.4;
    coord r: Vec2;
    state lag: Real;
    input u: Real;
    der(lag) = (u - lag) / tau;
    let down = vec2(sin(tilt), -cos(tilt));
    kinetic = 0.5 * m * der(r).dot(der(r));
    potential = -m * g * r.dot(down);
    dissipation = 0.5 * d * der(r).dot(der(r));
    // what is not taken has no value: the logarithm of a negative number
    #[allow(nonsmooth)]
    let gain = if k > 0.0 { ln(k) * m / g } else { k * k };
    #[allow(nonsmooth)]
    force push on r.x = if lag > 10.0 { sqrt(k) * lag } else { gain * lag } + lag;
    constraint rod: sq(l) == r.dot(r);
    event slow when der(r.y) < -0.5 * sqrt(g * l) { der(r) = 0.5 * der(r) / (1.0 + d * tau); }
    guess r = vec2(0.0, -l);
});

model! {
    pub(crate) struct Wheel {
        param: Real { mass = 2.0; r = 0.3; c = 0.1; }
        coord phi: Angle;
        kinetic = 0.25 * mass * sq(r) * sq(der(phi));
        dissipation = 0.5 * c * sq(r) * sq(der(phi));
    }
}

model! {
    #[model(prepared)]
    pub(crate) struct PreparedWheel {
        param: Real { mass = 2.0; r = 0.3; c = 0.1; }
        coord phi: Angle;
        kinetic = 0.25 * mass * sq(r) * sq(der(phi));
        dissipation = 0.5 * c * sq(r) * sq(der(phi));
    }
}

macro_rules! cart {
    ([$($option:tt)*] $name:ident of $wheel:ident) => {
        model! {
            #[model($($option)*)]
            pub(crate) struct $name {
                param size: Real = 0.2;
                param k: Real = 3.0;
                sub wheels: [$wheel; 2] with { r: 2.0 * size };
                potential = 0.5 * k * size * sq(wheels[0].phi - wheels[1].phi);
                potential = k * cos(wheels[0].phi) + k * wheels[1].phi;
            }
        }
    };
}
cart!([] Cart of Wheel);
cart!([prepared] PreparedCart of PreparedWheel);
cart!([units = off] PlainCartOfPrepared of PreparedWheel);
cart!([prepared] PreparedCartOfPlain of Wheel);
