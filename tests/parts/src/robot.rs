//! Parts of a walking machine in the plane.

use ode_model::prelude::*;

model! {
    /// A leg of two links, hung by its hip. Angles are against the vertical.
    pub struct Leg<T> {
        param m: [Real; 2] [kg] = [2.0, 1.0];
        param l: [Real; 2] [m] = [0.4, 0.4];
        /// damping of hip and knee
        param c: Real [N*m*s] = 0.5;
        param g: Real [m/s^2] = 9.81;
        require l[0] > 0.0, "links have a length";
        /// torques about hip and knee
        input drive: [Real; 2] [N*m];

        coord hip: Vec2 [m];
        coord (th, w): [Angle; 2];

        let along = vec2(sin(th[0]), -cos(th[0]));
        let below = vec2(sin(th[1]), -cos(th[1]));
        body thigh on frame2(hip + 0.5 * l[0] * along, th[0]) { mass: m[0], inertia: m[0] * sq(l[0]) / 12.0 }
        body shank on frame2(hip + l[0] * along + 0.5 * l[1] * below, th[1]) {
            mass: m[1], inertia: m[1] * sq(l[1]) / 12.0
        }
        gravity = vec2(0.0, -g);
        dissipation = 0.5 * c * (sq(w[0]) + sq(w[1] - w[0]));
        torque hip_drive on th[0] = drive[0];
        torque knee_drive on th[1] - th[0] = drive[1];

        init th = [0.4, -0.4];

        #[port]
        output foot: Vec2 [m] = hip + l[0] * along + l[1] * below;
        #[port]
        output knee: Vec2 [m] = hip + l[0] * along;
        guess hip = vec2(0.0, 0.0);
    }
}
