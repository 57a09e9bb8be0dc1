//! A free body with four thrusts, as states alone.

use ode_model::model;

model! {
    /// Position, quaternion, velocity in the world, rates of the body.
    #[model(prepared)]
    pub struct Quadrotor<T> {
        param: Real {
            m = 1.1; g = 9.81; jx = 0.012; jy = 0.014; jz = 0.021; l = 0.2; kt = 0.016; cd = 0.05; cw = 0.002;
        }
        state r: Vec3;
        state q: [Real; 4];
        state v: Vec3;
        state w: Vec3;
        input u: [Real; 4];
        for i in 0..3 {
            der(r[i]) = v[i];
        }
        der(q[0]) = 0.5 * (-q[1] * w.x - q[2] * w.y - q[3] * w.z);
        der(q[1]) = 0.5 * (q[0] * w.x + q[2] * w.z - q[3] * w.y);
        der(q[2]) = 0.5 * (q[0] * w.y - q[1] * w.z + q[3] * w.x);
        der(q[3]) = 0.5 * (q[0] * w.z + q[1] * w.y - q[2] * w.x);
        let tm = (u[0] + u[1] + u[2] + u[3]) / m;
        let cm = cd / m;
        der(v[0]) = tm * (2.0 * (q[1] * q[3] + q[0] * q[2])) - cm * v.x;
        der(v[1]) = tm * (2.0 * (q[2] * q[3] - q[0] * q[1])) - cm * v.y;
        der(v[2]) = tm * (q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]) - cm * v.z - g;
        der(w[0]) = (l * (u[1] - u[3]) - cw * w.x + (jy - jz) * w.y * w.z) / jx;
        der(w[1]) = (l * (u[2] - u[0]) - cw * w.y + (jz - jx) * w.z * w.x) / jy;
        der(w[2]) = (kt * (u[0] - u[1] + u[2] - u[3]) - cw * w.z + (jx - jy) * w.x * w.y) / jz;
    }
}
