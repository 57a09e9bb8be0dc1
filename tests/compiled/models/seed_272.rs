ode_model::model! {
#[model(prepared)]
pub struct Model {
    param p30: Real = 0.62;
    param p27: Real = 1.05;
    param p26: Real [span/beat] = -(-0.22);
    param p24: Real [span^2*heft/beat^2] = -(-1.44);
    param p22: Real [span/beat^2] = 0.39;
    param p21: Real [heft/beat] = 0.52;
    param p20: Real [heft/beat^2] = 0.56;
    param p18: Real [s] = 0.27;
    param p17: Real [m^2*kg/s] = 0.64;
    param p14: Real [span] = 0.51;
    param p10: Real [m] = 0.78;
    param j7: SymMat3 [m^2*kg] = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.07], [-0.05, 0.07, 1.1]];
    param p6: Real [span^2*heft] = 1.37;
    param p3: Real [kg] = 1.04;
    unit span = 0.37 [m];
    unit heft = 2.4 [kg];
    unit beat = 0.6 [s];
    unit toil = 1.5 [heft*span^2/beat^3];
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::external::hill, gradient: ode_model_generator::external::hill_gradient, hessian: ode_model_generator::external::hill_hessian }
    coord (x1, v2): Real [m];
    kinetic = 0.5 * p3 * sq(v2);
    coord (q4, w5): SO3<World>;
    kinetic = 0.5 * w5.dot(j7 * w5);
    coord (b8, w9): SE3 [m];
    kinetic = 0.5 * p3 * w9[0].dot(w9[0]);
    kinetic = 0.5 * w9[1].dot(diag(p6, p6, p6) * w9[1]);
    input u11: Real [m];
    input u12: Real;
    let f13 = frame2(vec2(x1, b8.origin.z * q4.rotate(vec3(0.3, -0.4, 0.7)).z), (log_so3(q4).y + 0.4 * sin(b8.vec(vec3(0.3, 0.9, -0.1)).x)));
    body body15 on f13 { mass: p3, inertia: p6 }
    let r16 = vec3(f13.inv().origin.y, x1, x1 * atan(log_so3(q4).y));
    kinetic = 0.5 * p3 * der(r16).dot(der(r16));
    dissipation = 0.5 * p17 * sq(der(q4.rotate(vec3(0.3, -0.4, 0.7)).z));
    spring spring19 on (b8.origin, vec3(b8.origin.z * 0.45, p10 * (t / p18), 0.81span) + vec3(3.0 * p14, 2.5 * p14, -2.8 * p14)) { k: p20, rest: p14, damping: p21 }
    gravity = vec2(0.1 * p22, -p22);
    torque torque23 on f13 = p24 * atan(0.74);
    constraint roll25: w9[0].x * (1.3 + sin(hill(p27, 0.38))) == (hypot((f13.angle + log_so3(q4).y), 0.21)) * v2 + p26 * sin(log_so3(q4).y);
    constraint roll28: w5.y * (1.3 + sin(sqrt(1.3 + sq(p27)))) == (asin(0.6 * sin(sin(0.71)))) * q4.rate.x;
    output out29: Real [J] = (p24 * tan(0.7 * cos(p30)) - p24);
    output acc31 = der2(f13.inv().origin.y * (1.4 + sin(atan2(0.29, 1.4 + sq(b8.vec(vec3(0.3, 0.9, -0.1)).x)))));
    output pull32 = 2.0 * roll25.lambda;
    output gyro33 = b8.vec(b8.rate);
    output place34: Vec3 [m] = vec3((p14 + (p14 + f13.inv().origin.y)), norm(b8.origin), u11 * hypot(p30, 0.87));
    limit limit35: x1 * (0.55 + b8.vec(vec3(0.3, 0.9, -0.1)).x) in -1.5..=2.0;
    require p30 > 0.01, "it is positive";
    guess der(x1) = p26 * p27;
}
}
