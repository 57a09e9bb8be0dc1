//! Chains of point masses on rods: two coordinates and one constraint row a link.

use ode_model::prelude::*;

macro_rules! rods {
    ($($name:ident $links:literal)+) => {$(
        model! {
            #[model(no_selftest)]
            pub(crate) struct $name {
                param m: Real [kg] = 0.1;
                param l: Real [m] = 0.05;
                param g: Real [m/s^2] = 9.81;
                coord r: [Vec2; $links] [m];
                for i in 0..$links {
                    kinetic = 0.5 * m * der(r[i]).dot(der(r[i]));
                    potential = m * g * r[i].y;
                    // on an arc: the start makes the rods as long as they are
                    guess r[i] = l * (i + 1.0) * vec2(sin(0.5 + 0.02 * i), -cos(0.5 + 0.02 * i));
                }
                constraint first: r[0].dot(r[0]) == sq(l);
                for i in 1..$links {
                    constraint rod: (r[i] - r[i - 1]).dot(r[i] - r[i - 1]) == sq(l);
                }
            }
        }
    )+};
}

rods! { Rods5 5 Rods10 10 Rods20 20 Rods40 40 }
