ode_model::model! {
#[model(order = 1)]
pub struct Part0 {
    param p35: Real = 1.38;
    param p30: Real = 1.44;
    param p27: Real [m] = 1.35;
    param p25: Real [1/s] = 1.29;
    param p23: Real [J] = 0.92;
    param p21: Real [m/s] = 0.81;
    param p18: Real [J] = 0.94;
    param p16: Real = 1.10;
    param p15: Real [J] = 0.62;
    param p11: Real [m] = 1.11;
    param p9: Real [m] = 0.56;
    param p7: Real [s] = 1.30;
    param p3: Real [m^2*kg/s] = 1.31;
    coord x1: Angle;
    dissipation = 0.5 * p3 * sq(der(x1));
    coord x4: [Angle; 2];
    for i in 0..2 { dissipation = 0.5 * p3 * sq(der(x4[i])); }
    state z5: Real [m];
    input u6: Real [m];
    let f10 = frame(vec3(1.34m, p9 * (t / p7), p9 * x1), exp_so3(vec3(sqrt(1.3 + sq((t / p7))), sin(x1), { let y8 = x4[0]; y8 * 1.16 + sin(y8) })));
    let f12 = f10 * frame(vec3((f10.inv().origin.x + 1.44m), f10.inv().origin.x * x1, p11 * 1.36), rot_y((x1 + 0.4 * cos(x1))));
    mode m13: Real = 1.0;
    dissipation = 0.5 * p3 * sq(der(x4[1]));
    force force14 on x4[0] = p15 * exp(-0.2 * sq(sin(p16)));
    torque torque17 on f12 = f12.vec(vec3((p18 - p15 * 1.02), p15 * (x4[1] + (t / p7)), p18));
    constraint again20: 0.8 * (p9 * (f10.inv().origin.x / p11) - f10.inv().origin.x * x4[0]) == 2.0 * (f10.inv().origin.x) with { redundant };
    constraint hold19: f10.inv().origin.x == 0.4 * (p9 * (f10.inv().origin.x / p11) - f10.inv().origin.x * x4[0]);
    fix x1 = p16 * sin(tan(0.7 * cos(0.62)));
    der(z5) = p21;
    output out22: Real [J] = ((p23 * 0.55 - p15) - p23 * { let y24 = (t / p7); y24 * (der(x4[1]) / p25) + sin(y24) });
    output out26: Real [m] = p27 * { let y28 = signum(x4[0]) * (f12.inv().origin.x / p11); y28 * { let y29 = PI / 4.0; y29 * p30 + sin(y29) } + sin(y28) };
    output acc31 = der(x4[1]);
    output gyro32 = f12.vec(f12.rate);
    output reaction33 = x1.reaction;
    output place34: Vec3 [m] = vec3(f12.inv().origin.x, p27 * smooth_step(p35, 1.7), p11 * cos((u6 / p27)));
    init z5 = p9 * p30;
    #[port] output hub: Frame3 = f12;
    #[port] output port: Real = x4[0];
    output signal: Real [J] = p18 * asin(0.6 * sin(1.04));
}
}
ode_model::model! {
#[model(order = 1)]
pub struct Model {
    param p25: Real [1/s] = 0.50;
    param p23: Real [J] = 1.29;
    param p21: Real [N] = 1.32;
    param p20: Real [m] = 1.03;
    param p18: Real [m/s^2] = 1.07;
    param p17: Real [J] = 0.15;
    param p15: Real [J] = 0.36;
    param p12: Real [s] = 1.00;
    param p11: Real [m] = 1.42;
    param p10: Real = 0.58;
    param p4: Real [m^2*kg/s] = 0.20;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.60 * a }
    coord (q2, w3): SO3;
    dissipation = 0.5 * w3.dot(diag(p4, p4, p4) * w3);
    coord d5: S2;
    dissipation = 0.5 * p4 * der(d5).dot(der(d5));
    input u7: Real [m];
    input u8: Real;
    sub kid9: Part0 with { p35: 1.2 * p10, p27: 1.2 * p11 };
    bind kid9.u6 = u7 * smooth_max(u8, (t / p12), 0.4);
    guess kid9.x1 = recip(1.2 + sq(p10));
    guess kid9.x4[1] = atan(0.66);
    let f13 = kid9.hub * frame(vec3(norm(kid9.hub.origin), 0.94m, norm_eps(kid9.hub.origin, p11)), q2);
    mode m14: Real = 1.0;
    potential v16 = p15;
    potential  = (p17 * (p10 + m14) + (p17 * q2.rotate(vec3(0.3, -0.4, 0.7)).z + p17 * p10));
    gravity = vec3(0.2 * p18, 0.0, -p18);
    force force19 on f13.at(vec3(f13.inv().origin.x, p20 * (t / p12), f13.inv().origin.x)) = f13.vec(vec3(((p21 + p21) - p21), p21 * cos(kid9.port), p21 * cos(u8)));
    torque torque22 on kid9.hub = kid9.hub.vec(vec3(p15, p23 * atan(kid9.port), ((p23 - p23) + p15 * d5.z)));
    output out24: Real [m] = (f13.inv().origin.x * sin((der(d5).x / p25)) - u7 * hypot((f13.inv().origin.x / p20), 0.42));
    output out26: Real = (((0.5 * (f13.inv().origin.x / p20)).powi(3) - 0.5 * f1(0.43, p10)) + sin(cosh(sin(u8))));
    output acc27 = der(d5.z * (1.4 + sin(f1(0.16, log_so3(q2).y))));
    limit limit28: f13.inv().origin.x * (0.21 + 0.74) in -1.5..=2.0;
    init d5 = unit(vec3(0.6, f1(0.93, p10), 0.7));
    for i in 0..2 { for j in 0..3 { let s29[i][j] = match j { 0 => (p10), _ => sin(s29[i][j - 1]) + i * (hypot(log_so3(q2).y, 0.24)) }; } }
    cost = s29[1][2] * s29[0][1];
    output out30 = match m14 { 0 => (cos(q2.rotate(vec3(0.3, -0.4, 0.7)).z)), 1 | -1 => (f1(atan(d5.z), recip(1.2 + sq((der(d5).x / p25))))), _ => (exp(-0.2 * sq(log_so3(q2).y))) };
    coord x31: Real;
    constraint gives32: 1.5 * x31 == q2.rotate(vec3(0.3, -0.4, 0.7)).z * (1.4 + sin(atan(p10)));
    potential = 0.5 * p23 * sq(x31) * (1.2 + sin(log_so3(q2).y));
}
}
