//! A slider-crank whose three bodies have coordinates of their own: 9 of them, held by 8 rows.

use ode_model::model;

model! {
    /// Crank, rod and slider in absolute coordinates: the centre of mass and the angle of each. It begins at 0.5 rad,
    /// with 20 rad/s.
    pub struct SliderCrank {
        param: Real [kg] { m1 = 0.2; m2 = 0.4; m3 = 0.3; }
        param: Real [m] { l1 = 0.15; l2 = 0.35; }
        param j3: Real [kg*m^2] = 1.0e-3;
        param g: Real [m/s^2] = 9.81;
        coord r1, r2, r3: Vec2 [m];
        coord a1, a2, a3: Angle;
        body crank on frame2(r1, a1) { mass: m1, inertia: m1 * sq(l1) / 12.0 }
        body rod on frame2(r2, a2) { mass: m2, inertia: m2 * sq(l2) / 12.0 }
        body slider on frame2(r3, a3) { mass: m3, inertia: j3 }
        gravity = vec2(0.0, -g);
        let half1 = 0.5 * l1 * vec2(cos(a1), sin(a1));
        let half2 = 0.5 * l2 * vec2(cos(a2), sin(a2));
        constraint pivot: r1 - half1 == vec2(0.0, 0.0);
        constraint pin: r1 + half1 == r2 - half2;
        constraint wrist: r2 + half2 == r3;
        constraint rail: r3.y == 0.0;
        constraint level: a3 == 0.0;
        init a1 = 0.5;
        init der(a1) = 20.0;
        guess r1 = vec2(0.07, 0.04);
        guess r2 = vec2(0.3, 0.04);
        guess r3 = vec2(0.47, 0.0);
        guess a2 = -0.2;
        guess a3 = 0.0;
    }
}
