//! Random models, as `ode_model_generator::random` writes them:
//! `BLESS=1 cargo test -p ode-model-compiled --test sample`.

pub mod seed_190 {
ode_model::model! {
#[model(emit(jvp, vjp))]
pub struct Model {
    param p26: Real [m/s] = 1.25;
    param p25: Real = 0.78;
    param p22: Real [J] = 0.29;
    param p20: Real [s] = 0.30;
    param p19: Real [N] = 0.28;
    param p18: Real [N] = 0.97;
    param p17: Real [m/s] = 0.42;
    param p15: Real [N] = 1.01;
    param p13: Real [m/s^2] = 0.43;
    param p11: Real [m^2*kg] = 0.93;
    param p10: Real [m^2*kg] = 0.40;
    param p7: Real [s] = 0.81;
    param p6: Real [m] = 0.78;
    param p5: Real [m] = 0.89;
    param p4: Real [m] = 0.15;
    param p3: Real [kg] = 0.35;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.41 * a }
    extern fn rise(x: Real) -> Real { table: ode_model_generator::external::RISE }
    coord x2: [Real; 3] [m];
    for i in 0..3 { kinetic = 0.5 * p3 * sq(der(x2[i])); }
    mass (x2[0], x2[1]) = [[p3, 0.3 * p3], [0.3 * p3, p3]];
    let f8 = frame(vec3(p4 * (x2[2] / p6), x2[0], x2[0] * (t / p7)), rot_y(((x2[0] / p4) + 0.4 * ((x2[0] / p5) + (x2[1] / p6)))));
    body body9 on f8 { mass: p3, inertia: p10 * diag(1.0, 0.8, 1.3), com: vec3(0.2 * p4, -p4, 0.1 * p4) }
    let f12 = frame(vec3(x2[1] * (f8.inv().origin.x / p4), p4, p4), rot_x(((x2[2] / p4) + 0.4 * sin(0.35))));
    gravity = vec3(0.2 * p13, 0.0, -p13);
    force force14 on f8.inv().origin.x * (1.4 + sin((0.5 * (x2[1] / p5)).powi(3))) = (p15 - (p15 - p15 * 1.34));
    force force16 on f12.origin = vec3((p15 * (der(x2[0]) / p17) - (p15 - p18)), p19 * hypot((t / p7), 0.52), p15 * sin((t / p20)));
    output out21: Real [J] = p22;
    output gyro23 = f12.vec(f12.rate);
    output place24: Vec3 [m] = vec3(x2[0] * (1.33 + (x2[1] / p6)), (x2[2] * 0.56 - x2[1]), x2[2] * p25 / (1.5 + sq(p25)));
    init der(x2[0]) = (p17 - p26);
}
}
}

pub mod seed_258 {
ode_model::model! {
#[model(order = 1)]
pub struct Model {
    param p28: Real = 0.91;
    param p27: Real = 0.67;
    param p26: Real = 0.26;
    param p23: Real = 1.30;
    param p19: Real = 0.50;
    param p18: Real = 0.71;
    param p17: Real = 0.16;
    param p16: Real = 0.66;
    param p14: Real = 0.57;
    param p9: Real = 0.22;
    param p6: Real = 0.63;
    param p3: Real = 1.31;
    coord d1: S2;
    dissipation = 0.5 * p3 * der(d1).dot(der(d1));
    coord (x4, v5): Vec3;
    dissipation = 0.5 * p6 * v5.dot(v5);
    state z7: Real;
    state z8: Real;
    potential v10 = p9 * sin(cos(x4.x));
    potential  = p9;
    force force11 on (d1.dot(vec3(0.2, -0.7, 0.4)) + 0.3 * asin(0.6 * sin((x4.x + x4.x)))) = p9;
    force force12 on d1.z = p9 * (1.1 + sq(sin(sin(d1.z)))).powf(1.5);
    constraint again15: 0.8 * sqrt(1.3 + sq(asin(0.6 * sin(p14)))) == 2.0 * ((d1.z + 0.3 * max(PI / 4.0, d1.z) * tan(0.7 * cos(d1.z)))) with { redundant };
    constraint hold13: (d1.z + 0.3 * max(PI / 4.0, d1.z) * tan(0.7 * cos(d1.z))) == 0.4 * sqrt(1.3 + sq(asin(0.6 * sin(p14))));
    fix x4 along vec3(p14, p14, p14) = p16 * p14;
    der(z7) = (p17 * sin(x4.x) + p18);
    der(z8) = p19 * (1.1 + sq(sin(sin(x4.z)))).powf(-0.5);
    output pull20 = 2.0 * hold13.lambda;
    output reaction21 = x4.reaction;
    limit limit22: p16 * acos(0.5 * cos(d1.dot(vec3(0.2, -0.7, 0.4)))) in -1.5..=2.0;
    cost = sq(sin((1.1 + sq(sin((d1.dot(vec3(0.2, -0.7, 0.4)) - 0.5 * p23)))).powf(-0.5)));
    residual fit24 = vec2(x4.y, ((p16 + 0.53) - x4.x));
    event event25 when d1.z < (recip(1.2 + sq(sin(p14)))) { stop; }
    guess x4 = vec3((p16 + p26), p26 * p27, p28);
}
}
}

pub mod seed_269 {
ode_model::model! {
pub struct Part0 {
    param p23: Real = 1.09;
    param p19: Real = 0.27;
    param p16: Real = 0.34;
    param p14: Real = 0.68;
    param p13: Real = 1.00;
    param p11: Real = 0.27;
    param p8: Real = 1.19;
    param p4: Real = 1.38;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.47 * a }
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }
    coord (d2, w3): [S2; 2];
    kinetic = 0.5 * p4 * (1.2 + sq(sin({ let y5 = d2[0].dot(vec3(0.2, -0.7, 0.4)); y5 * 1.09 + sin(y5) }))) * w3[0].dot(w3[0]);
    kinetic = 0.5 * p4 * w3[1].dot(w3[1]);
    coord (x6, v7): Real;
    kinetic = 0.5 * p8 * sq(v7);
    state z9: Vec2;
    input u10: Real;
    potential v12 = p11 * hypot((1.1 + sq(sin(d2[1].dot(vec3(0.2, -0.7, 0.4))))).powf(1.5), 0.33);
    let r15 = vec3(p13 * acos(0.5 * cos(t)), p14 * atan2(d2[1].dot(vec3(0.2, -0.7, 0.4)), 1.4 + sq(d2[1].z)), 0.93);
    kinetic = 0.5 * p8 * der(r15).dot(der(r15));
    dissipation = 0.5 * p16 * sq(der(d2[0].z));
    constraint hold17: d2[0].dot(vec3(0.2, -0.7, 0.4)) == 0.4 * (if !((0.5 * x6).powi(2) > 0.4) || sin(d2[0].dot(vec3(0.2, -0.7, 0.4))) > 0.5 { { let y18 = d2[1].z; y18 * x6 + sin(y18) } } else { atan(d2[0].dot(vec3(0.2, -0.7, 0.4))) });
    der(z9) = vec2(v7, p19 * cos(z9.x));
    output out20: Real = u10 * ((d2[1].z + z9.y) + (0.4 * tanh(w3[1].x)).sinh());
    output out21: Real = z9.y * hypot(grip(z9.y), 0.46);
    output acc22 = der2(d2[0].z);
    init z9.y = p13 * p23;
    #[port] output port: Real = x6;
    output signal: Real = p11 * d2[1].dot(vec3(0.2, -0.7, 0.4)) / (1.5 + sq(d2[0].z));
}
}
ode_model::model! {
pub struct Model {
    param p10: Real = 1.20;
    param p9: Real = 0.20;
    param p5: Real = 1.05;
    param p4: Real = 0.56;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.43 * a }
    coord (x2, v3): Angle;
    kinetic = 0.5 * p4 * (1.2 + sq(sin((p5 + x2)))) * sq(v3);
    input u6: Real in -2.0..=3.0;
    input u7: Real;
    sub kid8: Part0 with { p16: 1.2 * p5, p14: 0.83 };
    bind kid8.u10 = sin((p5 + x2));
    guess kid8.x6 = 1.31;
    let r11 = vec2(p10 * tan(0.7 * cos(t)), p10);
    kinetic = 0.5 * p9 * der(r11).dot(der(r11));
    guess x2 = p5;
    fix x2;
    constraint again13: 0.8 * sqrt(1.3 + sq(sqrt(1.3 + sq(t)))) == 2.0 * (kid8.port) with { redundant };
    constraint hold12: kid8.port == 0.4 * sqrt(1.3 + sq(sqrt(1.3 + sq(t))));
    output acc14 = der2(kid8.port * (1.4 + sin(sqrt(1.3 + sq(x2)))));
}
}
}

pub mod seed_272 {
ode_model::model! {
#[model(branch_free)]
pub struct Model {
    param p33: Real [span/beat] = 0.53;
    param p32: Real [span/beat] = 0.66;
    param p31: Real [m] = 0.60;
    param p30: Real [span/beat] = -(-0.29);
    param p28: Real = 0.62;
    param p25: Real = 0.21;
    param p24: Real [s/m^2/kg] = 0.87;
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
    constraint roll23: w9[1].z * (1.3 + sin((f13.angle + p25))) == (atan(smooth_step(1.39, 1.7))) * w5.y with { compliance: p24 };
    constraint hold26: f13.inv().origin.y == 0.4 * (1.44span + p14 * 0.38);
    output pull27 = 2.0 * roll23.lambda;
    event event29 when (q4.rotate(vec3(0.3, -0.4, 0.7)).z + 0.3 * tan(0.7 * cos((f13.angle + p28)))) <= (cos(cosh(sin(q4.rotate(vec3(0.3, -0.4, 0.7)).z)))) { der(x1) = (p30 * (b8.origin.z / p31) - (p32 + p33)); stop; }
    guess x1 = p10 * p28;
}
}
}

pub mod seed_328 {
ode_model::model! {
pub struct Model {
    param p16: Real [span] = 0.60;
    param p15: Real [m] = 1.24;
    param p14: Real = 0.40;
    param p12: Real [m] = 0.95;
    param p11: Real [span/beat] = -(-0.22);
    param p10: Real [span/beat] = 0.74;
    param p9: Real [beat] = 0.30;
    param p8: Real [m/s^2] = 0.22;
    param p7: Real [kg/s] = 0.99;
    param p3: Real [heft] = -(-0.50);
    unit span = 0.37 [m];
    unit heft = 2.4 [kg];
    unit beat = 0.6 [s];
    unit toil = 1.5 [heft*span^2/beat^3];
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::external::hill, gradient: ode_model_generator::external::hill_gradient, hessian: ode_model_generator::external::hill_hessian }
    coord (x1, v2): Vec3 [m];
    kinetic = 0.5 * p3 * v2.dot(v2);
    coord (x4, v5): Vec2 [m];
    kinetic = 0.5 * p3 * v5.dot(v5);
    mode m6: Real = 1.0;
    dissipation = 0.5 * p7 * sq(der(x1.y));
    gravity = vec2(0.1 * p8, -p8);
    cost = sq((cosh(sin(sqrt(1.3 + sq((t / p9))))) + (if sin((v5.y / p10)) > 0.1 && sin((v2.z / p11)) < 0.8 { recip(1.2 + sq((v2.x / p10))) } else { pchip(ode_model_generator::external::CURVE, 0.24) })));
    event event13 when x4.x * (1.4 + sin(tanh((x4.y / p12)))) <= (norm(x4)) { m6 = m6 + 1.0; }
    init x1 = vec3(p12 * p14, p15 * p14, 0.73span);
    init x4 = vec2(p15 * p14, p16 * p14);
}
}
}

pub mod seed_523 {
ode_model::model! {
pub struct Part0 {
    param p24: Real [J] = 0.51;
    param p23: Real [s^2/m^2/kg] = 1.02;
    param p21: Real [s] = 0.81;
    param p18: Real = 0.98;
    param p17: Real [J] = 1.25;
    param p15: Real [s] = 0.89;
    param p12: Real [kg] = 1.42;
    param p11: Real [J] = 0.50;
    param p9: Real [m] = 1.20;
    param p4: Real [m^2*kg] = 0.68;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.48 * a }
    extern fn rise(x: Real) -> Real { table: ode_model_generator::external::RISE }
    coord (x2, v3): Real;
    kinetic = 0.5 * p4 * sq(v3);
    coord (x5, v6): Angle;
    kinetic = 0.5 * p4 * sq(v6);
    input u7: Real [J];
    let f8 = frame2(vec2(p9, p9 * x2), (x2 + 0.4 * (x2 + 0.25)));
    mode m10: Real = 1.0;
    potential  = p11 * sin(tan(0.7 * cos(1.03)));
    potential  = p11;
    let r14 = vec2(norm_eps(f8.at(vec2(p9, -0.5 * p9)), p9), f8.inv().origin.y * { let y13 = f8.angle; y13 * 0.21 + sin(y13) });
    kinetic = 0.5 * p12 * der(r14).dot(der(r14));
    force force16 on (x2 + 0.3 * cos((0.4 * tanh((t / p15))).sinh())) = p17 * asin(0.6 * sin(exp(-0.2 * sq(1.33))));
    constraint hold19: (x5 + 0.3 * softplus(signum(1.21) * p18, 0.6)) == 0.4 * { let y20 = p18; y20 * (t / p21) + sin(y20) } / (1.5 + sq(smooth_sign(x5, 0.8)));
    constraint hold22: f8.angle * (1.4 + sin(hypot(x5, 0.90))) == 0.4 * sin(rise(0.86)) with { compliance: p23 };
    guess x5 = sin(p18);
    #[port] output plate: Frame2 = f8;
    #[port] output port: Real = x2;
    output signal: Real [J] = p24 * softplus(p18, 0.6);
}
}
ode_model::model! {
pub struct Model {
    param p17: Real [A/s] = 1.09;
    param p15: Real [m^2*kg/s] = 0.62;
    param p13: Real [J] = 0.58;
    param p12: Real [J] = 0.85;
    param p11: Real [m] = 0.37;
    param p10: Real [J] = 0.54;
    param p9: Real [s^2/m^2/kg] = 0.67;
    param p4: Real = 0.92;
    param p3: Real [m^2*kg] = 1.19;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }
    coord d1: S2;
    kinetic = 0.5 * p3 * (1.2 + sq(sin(smooth_max(p4, p4, 0.4)))) * der(d1).dot(der(d1));
    state z5: Real [A];
    input u6: Real [J];
    input u7: Real [m];
    sub kid8: Part0 with { p23: 1.2 * p9 };
    bind kid8.u7 = (u6 * (u6 / p10) - u6 * d1.z);
    potential  = p12 * atan(grip(d1.z));
    potential v14 = p13;
    dissipation = 0.5 * p15 * sq(der(kid8.port));
    force force16 on kid8.port * (1.4 + sin(sin(d1.dot(vec3(0.2, -0.7, 0.4))))) = u6;
    der(z5) = (p17 * sin(1.40) - p17);
    output out18: Real [m] = u7;
    require p4 > 0.01, "it is positive";
}
}
}

pub mod seed_650 {
ode_model::model! {
pub struct Model {
    param p31: Real = 1.40;
    param p28: Real = 0.46;
    param p25: Real = 0.50;
    param rows23: Mat2 = [[0.8, -0.4], [0.3, 1.1]];
    param p21: Real = 0.40;
    param p20: Real = 1.07;
    param p19: Real = 1.16;
    param p16: Real = 0.50;
    param p15: Real = 0.64;
    param p13: Real = 0.21;
    param p11: Real = 0.84;
    param p10: Real = 0.53;
    param p8: Real = 0.62;
    param p6: Real = 0.67;
    param p3: Real = 0.40;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }
    coord (x1, v2): Vec2;
    kinetic = 0.5 * p3 * v2.dot(v2);
    state z4: Real;
    state z5: Vec2;
    let f7 = frame2(x1, (x1.x + 0.4 * tan(0.7 * cos(p6))));
    body body9 on f7 { mass: p3, inertia: p10 }
    potential v12 = p11;
    spring spring14 on (x1, vec2(p8, (p8 + p13)) + vec2(3.0 * p13, -2.5 * p13)) { k: p15, damping: p16 }
    force force17 on f7.angle * (1.4 + sin(recip(1.2 + sq(1.15)))) = p11 * grip((0.4 * tanh(z5.x)).sinh());
    constraint hold18: x1.x == 0.4 * p8 * (p6 + p6) with { compliance: p19, relax: 0.7 * p20 };
    der(z4) = p21 * { let y22 = sin(x1.y); y22 * cos(v2.y) + sin(y22) };
    der(z5) = rows23.transpose() * v2;
    output out24: Real = (tanh(tanh(p25)) + grip((x1.y + v2.y)));
    output pull26 = 2.0 * hold18.lambda;
    output place27: Vec3 = vec3(norm_eps(f7.at(vec2(p8, -0.5 * p8)), p28), x1.y * grip(1.11), x1.x * max(0.31, z5.x));
    limit limit29: norm_eps(f7.at(vec2(p8, -0.5 * p8)), p13);
    event event30 when f7.angle * (1.4 + sin(sin(x1.y))) < (atan2(sin(p25), 1.4 + sq((x1.y + z5.x)))) { z4 = p31 * (0.4 * tanh(f7.angle)).sinh(); }
    guess x1 = vec2(p28, p28 * p25);
    init z4 = p31;
    init z5.y = p28 * p6;
}
}
}

pub mod seed_653 {
ode_model::model! {
#[model(order = 1)]
pub struct Part0 {
    param p22: Real [J] = 1.11;
    param p21: Real = 0.23;
    param p18: Real [m/s] = 0.49;
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
    constraint hold17: x4[0] * (1.4 + sin((1.1 + sq(sin(p16))).powf(0.7))) == 0.4 * sin(atan(p16));
    guess x4[1] = p16;
    fix x4[1];
    der(z5) = p18 * sin(sin(p16));
    output acc19 = der(x4[1]);
    output pull20 = 2.0 * hold17.lambda;
    guess x1 = hypot(p16, 0.58);
    guess x4[1] = tanh(p21);
    #[port] output hub: Frame3 = f12;
    #[port] output port: Real = (x1 + 0.3 * tan(0.7 * cos(exp(-0.2 * sq(x1)))));
    output signal: Real [J] = ((p22 + p22) + p15 * p21);
}
}
ode_model::model! {
#[model(freeze(p18, p15, p12, p11, p10, p4), order = 1)]
pub struct Model {
    param p18: Real [m^2*kg/s] = 1.43;
    param p16: Real = 1.38;
    param p15: Real [J] = 1.06;
    param p14: Real [J] = 0.70;
    param p12: Real [m] = 1.29;
    param p11: Real [s] = 0.15;
    param p10: Real = 1.34;
    param p4: Real [m^2*kg/s] = 0.20;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.60 * a }
    coord (q2, w3): SO3;
    dissipation = 0.5 * w3.dot(diag(p4, p4, p4) * w3);
    coord d5: S2;
    dissipation = 0.5 * p4 * der(d5).dot(der(d5));
    input u7: Real [m];
    input u8: Real;
    sub kid9: [Part0; 2] with { p21: 1.2 * p10, p16: 1.2 * p10 };
    bind kid9[0].u6 = u7 * (0.5 * (t / p11)).powi(2);
    bind kid9[1].u6 = u7 * cos(0.41);
    guess kid9[1].x4[0] = { let y13 = PI / 4.0; y13 * p10 + sin(y13) };
    potential v17 = (p14 * ln(1.5 + sq(d5.dot(vec3(0.2, -0.7, 0.4)))) - p15 * softplus(p16, 0.6));
    dissipation = 0.5 * p18 * sq(der(q2.rotate(vec3(0.3, -0.4, 0.7)).z * (1.4 + sin(smooth_min(kid9[0].port, p16, 0.2)))));
    output out19: Real [J] = kid9[0].signal * hypot({ let y20 = p16; y20 * 0.41 + sin(y20) }, 0.88);
    cost = sq(tan(0.7 * cos(recip(1.2 + sq(f1(u8, p10))))));
}
}
}

pub mod seed_99 {
ode_model::model! {
pub struct Part0<T> {
    param p18: Real [J] = 1.42;
    param p17: Real = 0.19;
    param p16: Real [A] = 1.13;
    param p15: Real [m/s] = 1.26;
    param p14: Real [A/s] = 0.73;
    param p12: Real [m] = 1.11;
    param p11: Real [m] = 0.78;
    param p10: Real [m] = 0.57;
    param p9: Real [kg] = 0.83;
    param p7: Real [J] = 1.01;
    param p3: Real [m^2*kg] = 0.95;
    extern fn blend(a: Real, b: Real) -> Real { dual: ode_model_generator::external::blend }
    coord (d1, w2): S2;
    kinetic = 0.5 * p3 * w2.dot(w2);
    state z4: Real [A];
    state z5: Real [m];
    input u6: Real [J];
    potential v8 = p7;
    let r13 = vec2(p10, (p11 + (p10 + p12)));
    kinetic = 0.5 * p9 * der(r13).dot(der(r13));
    der(z4) = p14 * tanh((d1.dot(vec3(0.2, -0.7, 0.4)) - 0.5 * d1.z));
    der(z5) = p15 * ln(1.5 + sq(atan(PI / 4.0)));
    init z4 = p16;
    init d1 = unit(vec3(0.6, blend(p17, p17), 0.7));
    #[port] output port: Real = d1.z * (1.4 + sin(sin(d1.dot(vec3(0.2, -0.7, 0.4)))));
    output signal: Real [J] = p18;
}
}
ode_model::model! {
pub struct Model<T> {
    param p15: Real [1/beat] = 1.15;
    param p14: Real = 0.50;
    param p12: Real [span/beat] = 0.96;
    param p11: Real [span^2*heft/beat^2] = -(-0.18);
    param p9: Real [m/s^2] = 1.14;
    param p8: Real [span^2*heft/beat^2] = 1.34;
    param p7: Real [J] = 1.30;
    param p6: Real [A] = 0.27;
    param p5: Real = 1.38;
    param p2: Real [m^2*kg] = 0.48;
    unit span = 0.37 [m];
    unit heft = 2.4 [kg];
    unit beat = 0.6 [s];
    unit toil = 1.5 [heft*span^2/beat^3];
    coord x1: [Angle; 3];
    for i in 0..3 { kinetic = 0.5 * p2 * sq(der(x1[i])); }
    state z3: Real [m];
    sub kid4: [Part0<T>; 2] with { p18: 0.83, p17: 1.2 * p5, p16: 1.2 * p6, p15: 0.83 };
    bind kid4[0].u6 = p7;
    bind kid4[1].u6 = (p7 * kid4[0].port + (p8 + p7));
    potential  = p7 * sin(sin(kid4[0].port));
    gravity = vec2(0.1 * p9, -p9);
    force force10 on x1[2] = (kid4[1].signal * atan(p5) - kid4[1].signal * sqrt(1.3 + sq((kid4[0].signal / p11))));
    der(z3) = p12;
    cost = sq(cos(asin(0.6 * sin(atan(0.85)))));
    require p5 > 0.01, "it is positive";
    event event13 when x1[2] < (sin(atan2(1.04, 1.4 + sq(p14)))) { x1[0] = clamp(sin((der(x1[0]) / p15)), -0.4, 0.9); der(x1[2]) = der(x1[0]) * recip(1.2 + sq((kid4[1].signal / p8))); }
    init x1[2] = sin(p14);
}
}
}

pub mod seed_216 {
ode_model::model! {
#[model(order = 1)]
pub struct Model<T> {
    param p30: Real = 0.92;
    param p27: Real = 1.28;
    param p25: Real = 0.45;
    param p21: Real = 0.81;
    param p19: Real = 0.48;
    param p18: Real = 1.05;
    param p17: Real = 1.13;
    param j12: SymMat3 = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.07], [-0.05, 0.07, 1.1]];
    param p11: Real = 0.43;
    param p10: Real = 0.80;
    param p7: Real = 0.91;
    param p4: Real = 1.29;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.24 * a }
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::external::hill, gradient: ode_model_generator::external::hill_gradient, hessian: ode_model_generator::external::hill_hessian }
    extern fn rise(x: Real) -> Real { table: ode_model_generator::external::RISE }
    coord (q2, w3): SO3;
    dissipation = 0.5 * w3.dot(diag(p4, p4, p4) * w3);
    coord (x5, v6): Vec3;
    mass x5 = p7;
    coord (q8, w9): [SO3; 2];
    dissipation = 0.5 * w9[0].dot(diag(p10, p10, p11) * w9[0]);
    dissipation = 0.5 * w9[1].dot(j12 * w9[1]);
    algebraic y13: Real;
    input u14: Real;
    input u15: Real;
    mode m16: Real = 1.0;
    potential v20 = (p17 * sqrt(1.3 + sq(p18)) + (p19 * log_so3(q2).y + (p17 + p17)));
    gravity = vec3(0.2 * p21, 0.0, -p21);
    constraint hold22: q8[1].rotate(vec3(0.3, -0.4, 0.7)).z == 0.4 * cos(cos(x5.z));
    constraint hold23: x5.x * (1.4 + sin((0.5 * q2.rotate(vec3(0.3, -0.4, 0.7)).z).powi(3))) == 0.4 * x5.x * tanh(log_so3(q8[0]).y);
    constraint law24: y13 + 0.4 * p25 * tanh(y13) == p25 * sqrt(1.3 + sq(0.25));
    output out26: Real = ln(1.5 + sq(((log_so3(q8[1] * rot_x(0.3)).y + p27) - 0.5 * cosh(sin(t)))));
    output out28: Real = x5.z;
    output pull29 = 2.0 * hold22.lambda;
    guess q2 = rot_y({ let y31 = p30; y31 * 0.21 + sin(y31) });
}
}
}

pub mod seed_335 {
ode_model::model! {
pub struct Model<T> {
    param p19: Real = 0.64;
    param p13: Real = 1.38;
    param p12: Real = 1.23;
    param p11: Real = 1.03;
    param p9: Real = 1.11;
    param p8: Real = 0.49;
    param p7: Real = 0.73;
    param p5: Real = 0.62;
    param p4: Real = 0.75;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.57 * a }
    coord (q2, w3): SO3<World>;
    kinetic = 0.5 * w3.dot(diag(p4, p5, p4) * w3);
    coord x6: [Angle; 2];
    for i in 0..2 { kinetic = 0.5 * p7 * sq(der(x6[i])); }
    mass (x6[0], x6[1]) = [[p7, 0.3 * p7], [0.3 * p7, p7]];
    potential  = (p8 + p8 * f1(x6[0], q2.rotate(vec3(0.3, -0.4, 0.7)).z));
    gravity = vec3(0.2 * p9, 0.0, -p9);
    torque torque10 on q2 = vec3(p8, p11 * t * 0.85, p12);
    fix x6[1] = p13 * sin(p13 / (1.5 + sq(p13)));
    constraint hold14: (q2.rotate(vec3(0.3, -0.4, 0.7)).z + 0.3 * acos(0.5 * cos(hypot(q2.rotate(vec3(0.3, -0.4, 0.7)).z, 1.31)))) == 0.4 * (if atan(log_so3(q2).y) >= 0.3 { { let y15 = t; y15 * 0.80 + sin(y15) } } else { f1(x6[1], x6[1]) });
    output acc16 = der2(x6[0]);
    output reaction17 = x6[1].reaction;
    output place18: Vec3 = vec3((p19 * 0.48 - p19 * der(x6[0])), 0.30, p19);
    event event20 when (x6[0] + 0.3 * (if (0.5 * x6[0]).powi(3) > 0.1 && sin(p13) < 0.8 { asin(0.6 * sin(q2.rotate(vec3(0.3, -0.4, 0.7)).z)) } else { asin(0.6 * sin(x6[1])) })) <= (tan(0.7 * cos(atan2(w3.y, 1.4 + sq(w3.y))))) { x6[0] = ln(1.5 + sq(atan2(x6[0], 1.4 + sq(0.20)))); der(x6[1]) = der(x6[1]) * f1(t, 1.03); }
    guess x6[1] = recip(1.2 + sq(0.31));
    guess q2 = rot_y(sin(p13));
}
}
}

pub mod seed_363 {
ode_model::model! {
pub struct Model<T> {
    param p29: Real = 1.00;
    param p28: Real = 0.63;
    param p23: Real = 1.42;
    param p21: Real = 1.03;
    param p20: Real = 0.58;
    param p18: Real = 0.57;
    param p15: Real = 1.40;
    param p13: Real = 0.91;
    param p12: Real = 0.71;
    param p9: Real = 0.97;
    param p6: Real = 1.43;
    param p3: Real = 1.05;
    coord (q1, w2): SO3<World>;
    kinetic = 0.5 * w2.dot(diag(p3, p3, p3) * w2);
    coord (x4, v5): Vec3;
    mass x4 = p6;
    coord (c7, w8): SO2;
    kinetic = 0.5 * p3 * sq(w8);
    algebraic y10: Real;
    let f11 = frame(vec3(p9 * 0.65, (p9 + x4.y), (x4.x + c7.rotate(vec2(p9, p9)).y)), q1);
    potential  = p12 * sin((if c7.angle < p13 { 0.55 } else { 0.38 }));
    let r14 = x4;
    kinetic = 0.5 * p6 * der(r14).dot(der(r14));
    gravity = vec3(0.2 * p15, 0.0, -p15);
    torque torque16 on f11 = vec3(p12 * { let y17 = t; y17 * c7.angle + sin(y17) }, p12, p18 * exp(-0.2 * sq(t)));
    guess x4 = vec3(p9, p9, p9);
    fix x4;
    constraint law19: y10 + 0.4 * p20 * tanh(y10) == p21;
    output out22: Real = norm_eps(f11.origin, p23);
    output out24: Real = p18;
    output acc25 = der2((x4.x + 0.3 * 0.35));
    limit limit26: x4.z * sin(w8) in -1.5..=2.0;
    cost = sq((1.1 + sq(sin(cos((log_so3(q1 * rot_x(0.3)).y + PI / 4.0))))).powf(1.5));
    residual fit27 = vec2(x4.z * sin(t), (f11.inv().origin.x - 0.27));
    require p13 > 0.01, "it is positive";
    guess x4 = vec3(p28 * p13, 1.19, p28 * p29);
}
}
}

pub mod seed_514 {
ode_model::model! {
#[model(freeze(p15, p6), order = 1, emit(jvp, vjp))]
pub struct Model<T> {
    param p20: Real = 0.40;
    param p17: Real [1/s] = 0.16;
    param p15: Real = 0.77;
    param p14: Real [J] = 0.38;
    param p12: Real [m] = 1.24;
    param p11: Real [J] = 0.50;
    param p6: Real [m^2*kg/s] = 0.89;
    param p3: Real [kg/s] = 0.59;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }
    coord (x1, v2): Vec3 [m];
    mass x1 = p3;
    coord d4: S2;
    dissipation = 0.5 * p6 * der(d4).dot(der(d4));
    state z7: Real;
    input u8: Real [J] in -2.0..=3.0;
    input u9: Real [J];
    mode m10: Real = 1.0;
    potential v13 = (p11 * (0.4 * tanh((x1.z / p12))).sinh() - p11 * sin(m10));
    potential v16 = ((p14 * m10 + p14) + (p14 * p15 - p14 * d4.z));
    dissipation = 0.5 * p6 * sq(der(d4.dot(vec3(0.2, -0.7, 0.4))));
    der(z7) = p17;
    output out18: Real = tan(0.7 * cos(asin(0.6 * sin(asin(0.6 * sin(0.86))))));
    output out19: Real = atan(cos(exp(-0.2 * sq((u8 / p11)))));
    init x1 = vec3(p12 * p20, 0.29m, p12);
}
}
}
