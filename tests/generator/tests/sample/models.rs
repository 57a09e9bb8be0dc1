//! Random models, as `ode_model_generator::random` writes them:
//! `BLESS=1 cargo test -p ode-model-generator --test sample`.

pub mod seed_194 {
ode_model::model! {
#[model(freeze(p4), order = 1)]
pub struct Model {
    param p7: Real = 1.01;
    param p5: Real = 0.74;
    param p4: Real = 0.43;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.12 * a }
    extern fn rise(x: Real) -> Real { table: ode_model_generator::outside::RISE }
    coord (x2, v3): Angle;
    mass x2 = p4;
    dissipation = 0.5 * p4 * sq(der(x2 * (1.4 + sin(ln(1.5 + sq(x2))))));
    guess x2 = p5;
    fix x2;
    output out6: Real = p7;
    output place8: Vec3 = vec3(p7 * smooth_abs(1.21, 0.3), p7 * { let y9 = x2; y9 * v3 + sin(y9) }, 0.59);
    limit limit10: (p7 * 1.14 - p7 * x2) in -1.5..=2.0;
}
}
}

pub mod seed_557 {
ode_model::model! {
pub struct Model {
    param p34: Real = 0.84;
    param p33: Real = 0.93;
    param p28: Real = 1.33;
    param p27: Real = 0.60;
    param p26: Real = 1.28;
    param p24: Real = 1.25;
    param p22: Real = 0.69;
    param p20: Real = 0.60;
    param rows18: Mat3 = [[0.8, -0.4, 0.2], [0.3, 1.1, -0.1], [0.05, 0.6, 0.9]];
    param p17: Real = 1.39;
    param p16: Real = 0.19;
    param p14: Real = 1.32;
    param p13: Real = 0.61;
    param p12: Real = 0.65;
    param p6: Real = 0.62;
    param p3: Real = 1.34;
    coord x1: Real;
    kinetic = 0.5 * p3 * sq(der(x1));
    coord x4: Real;
    kinetic = 0.5 * p6 * sq(der(x4));
    coord (x7, v8): Real;
    mass x7 = p6;
    state z9: Real;
    let f10 = frame(vec3(x4 * 0.73, (1.33 + x1), 1.39), rot_x((x7 + 0.4 * sin(x1))));
    body body11 on f10 { mass: p12, inertia: [[p13, 0.1 * p13, 0.0], [0.1 * p13, 1.3 * p13, 0.05 * p13], [0.0, 0.05 * p13, p13]], com: vec3(0.2 * p14, -p14, 0.1 * p14) }
    mode m15: Real = 1.0;
    potential  = p16 * (1.1 + sq(sin((0.4 * tanh(x4)).sinh()))).powf(1.5);
    potential  = p17;
    let r19 = rows18.transpose() * f10.origin;
    kinetic = 0.5 * p12 * der(r19).dot(der(r19));
    dissipation = 0.5 * p20 * sq(der(x1));
    force force21 on x7 = p22 * cosh(sin(asin(0.6 * sin(z9))));
    torque torque23 on f10 = vec3(p16, p24 * cos(t), p17 * hypot(der(x1), 1.27));
    constraint hold25: f10.inv().origin.x == 0.4 * p14 * (if !(t > 0.4) || p26 > 0.5 { t } else { p26 }) with { relax: p27 };
    der(z9) = (p28 + p28 * sin(der(x1)));
    output acc29 = der2((x7 + 0.3 * (x4 * f10.inv().origin.x - p14)));
    output pull30 = 2.0 * hold25.lambda;
    output place31: Vec3 = (f10.origin + vec3(0.37, x4, f10.inv().origin.x * (0.4 * tanh(x7)).sinh()));
    limit limit32: 1.10;
    require p26 > 0.01, "it is positive";
    guess x4 = p14 * p33;
    guess x7 = p14 * p33;
    guess der(x7) = (p34 - p34);
}
}
}

pub mod seed_563 {
ode_model::model! {
pub struct Model {
    param p22: Real [m/s] = 1.18;
    param p17: Real [N] = 1.15;
    param p14: Real = 1.33;
    param p13: Real [m] = 0.72;
    param p12: Real [m] = 0.68;
    param p11: Real [J] = 1.23;
    param p6: Real [m] = 0.55;
    param p3: Real [kg] = 1.06;
    coord (x1, v2): Real [m];
    kinetic = 0.5 * p3 * sq(v2);
    coord (x4, v5): Real [m];
    kinetic = 0.5 * p3 * (1.2 + sq(sin(sin((x1 / p6))))) * sq(v5);
    coord (x7, v8): Vec2 [m];
    mass x7 = p3;
    input u9: Real [m] in -2.0..=3.0;
    input u10: Real [J];
    potential  = (p11 * ((x7.y / p6) + (x7.x / p12)) + p11);
    let r15 = vec3(p6, (x7.x + p13 * p14), (x7.x + x1));
    kinetic = 0.5 * p3 * der(r15).dot(der(r15));
    force force16 on (x7.x + 0.3 * p12 * sin((x7.x / p12))) = p17;
    fix x7 along vec2(p14, p14) = p12;
    constraint hold18: x1 * (1.4 + sin(sqrt(1.3 + sq((x7.y / p13))))) == 0.4 * ((p13 - x1) + x7.x * (x7.y / p6));
    output out19: Real [m] = norm_eps(x7, p6);
    output pull20 = 2.0 * hold18.lambda;
    output reaction21 = x7.reaction;
    guess der(x1) = p22;
}
}
}

pub mod seed_854 {
ode_model::model! {
#[model(order = 1)]
pub struct Model {
    param p27: Real = 0.81;
    param p25: Real = 1.22;
    param p24: Real = 0.49;
    param p20: Real = 0.42;
    param p19: Real = 0.80;
    param p17: Real = 0.20;
    param p15: Real = 0.40;
    param p13: Real = 0.82;
    param j7: SymMat3 = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.07], [-0.05, 0.07, 1.1]];
    param p6: Real = 0.53;
    param p5: Real = 1.02;
    param p4: Real = 0.31;
    param p3: Real = 1.37;
    coord (b1, w2): SE3;
    dissipation = 0.5 * p4 * w2[0].dot(w2[0]);
    dissipation = 0.5 * w2[1].dot(j7 * w2[1]);
    coord (x8, v9): Real;
    dissipation = 0.5 * p4 * sq(v9);
    input u10: Real;
    input u11: Real;
    mode m12: Real = 1.0;
    potential v14 = (p13 + p13 * (1.1 + sq(sin(PI / 4.0))).powf(1.5));
    dissipation = 0.5 * p4 * sq(der(x8));
    force force16 on (x8 + 0.3 * x8 * tan(0.7 * cos(p15))) = p17 * (cos(1.13) + sin(x8));
    force force18 on x8 = ((p19 * u11 - p17) - p20 * asin(0.6 * sin(u11)));
    constraint again22: 0.8 * 0.78 == 2.0 * (b1.origin.z * (1.4 + sin(cos(t)))) with { redundant };
    constraint hold21: b1.origin.z * (1.4 + sin(cos(t))) == 0.4 * 0.78;
    output out23: Real = (p24 * sin(1.38) - p25 * (0.5 * 0.48).powi(3));
    output out26: Real = x8 * sqrt(1.3 + sq(recip(1.2 + sq(p27))));
}
}
}

pub mod seed_1203 {
ode_model::model! {
#[model(branch_free)]
pub struct Model {
    param p25: Real = 0.23;
    param p23: Real [A] = 1.29;
    param p21: Real [1/s] = 0.47;
    param p20: Real [N] = 0.68;
    param p18: Real [N] = 0.86;
    param p16: Real [s] = 0.48;
    param p15: Real [m] = 0.34;
    param p13: Real [J] = 0.30;
    param p6: Real [kg] = 0.97;
    param p3: Real [m^2*kg] = 0.59;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.80 * a }
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::outside::grip }
    coord x2: [Angle; 2];
    for i in 0..2 { kinetic = 0.5 * p3 * sq(der(x2[i])); }
    coord (x4, v5): Vec3 [m];
    kinetic = 0.5 * p6 * v5.dot(v5);
    coord (x7, v8): Real [m];
    kinetic = 0.5 * p6 * sq(v8);
    state z9: [Real; 2];
    algebraic y10: Real [A];
    input u11: Real [J] in -2.0..=3.0;
    input u12: Real [m];
    potential v14 = p13;
    potential  = p13 * tanh(sin(0.40));
    force force17 on (x4.y + 0.3 * p15 * cosh(sin((t / p16)))) = p18 * tan(0.7 * cos(grip((t / p16))));
    force force19 on x4 = vec3(p18, p20, p18 * f1(z9[0], (x7 / p15)));
    der(z9[0]) = p21;
    der(z9[1]) = der(x2[1]);
    constraint law22: y10 + 0.4 * p23 * tanh(y10 / p23) == p23 * hypot((u12 / p15), 1.09);
    output out24: Real = (1.1 + sq(sin((0.5 * f1((x4.y / p15), p25)).powi(3)))).powf(-0.5);
    output acc26 = der2(x2[1]);
    residual fit27 = vec2(p15, norm(x4));
    guess x4 = vec3(0.72m, p15, (p15 + p15));
    init z9[0] = sqrt(1.3 + sq(p25));
}
}
}

pub mod seed_1205 {
ode_model::model! {
#[model(freeze(p11), emit(hessian))]
pub struct Model {
    param p20: Real = 1.04;
    param p17: Real = 0.37;
    param p16: Real = 1.42;
    param p14: Real = 0.71;
    param p13: Real = 0.56;
    param p12: Real = 0.48;
    param p11: Real = 1.19;
    param p8: Real = 0.58;
    param p5: Real = 0.98;
    param p4: Real = 0.45;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.24 * a }
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::outside::grip }
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::outside::hill, gradient: ode_model_generator::outside::hill_gradient, hessian: ode_model_generator::outside::hill_hessian }
    coord (c2, w3): SO2;
    kinetic = 0.5 * p5 * sq(w3);
    coord (x6, v7): Real;
    kinetic = 0.5 * p8 * sq(v7);
    input u9: Real in -2.0..=3.0;
    input u10: Real;
    potential  = p11 * (0.5 * (0.4 * tanh(c2.angle)).sinh()).powi(3);
    dissipation = 0.5 * p12 * sq(der(c2.rotate(vec2(p4, p4)).y * (1.4 + sin(cos(0.56)))));
    spring spring15 on (c2.rotate(vec2(p4, 0.3 * p4)), vec2(p4 * p13, p4 * p14) + vec2(3.0 * p4, -2.5 * p4)) { k: p16, rest: p4, damping: p17 }
    fix x6 = p4 * sin(acos(0.5 * cos(p14)));
    output reaction18 = x6.reaction;
    residual fit19 = clamp(cos(PI / 4.0), -0.4, 0.9) * c2.rotate(vec2(p4, 0.3 * p4));
}
}
}

pub mod seed_1310 {
ode_model::model! {
#[model(freeze(p9, p5, p2), order = 1)]
pub struct Model {
    param p11: Real = 0.81;
    param p9: Real [m] = 0.60;
    param p8: Real [m] = 1.08;
    param p6: Real [m] = 0.83;
    param p5: Real [N] = 1.26;
    param p2: Real [kg/s] = 0.96;
    coord x1: [Real; 2] [m];
    for i in 0..2 { dissipation = 0.5 * p2 * sq(der(x1[i])); }
    mode m3: Real = 1.0;
    force force4 on x1[1] = p5 * (hypot((x1[0] / p6), 0.80) + tan(0.7 * cos((x1[1] / p6))));
    output place7: Vec3 [m] = vec3(x1[1] * (1.1 + sq(sin(0.16))).powf(1.5), x1[1], x1[1] * pchip(ode_model_generator::outside::CURVE, (x1[0] / p6)));
    event event10 when (x1[1] + 0.3 * ((x1[0] - p8) - p9 * (x1[1] / p6))) > (x1[1]) { m3 = m3 + 1.0; stop; }
    init x1[1] = p9 * p11;
}
}
}

pub mod seed_210 {
ode_model::model! {
pub struct Model<T> {
    param p22: Real = 0.46;
    param p21: Real = 1.28;
    param p18: Real = 0.30;
    param p17: Real = 0.26;
    param p14: Real = 1.05;
    param p7: Real = 0.15;
    param p6: Real = 1.38;
    param p3: Real = 0.90;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.33 * a }
    extern fn blend(a: Real, b: Real) -> Real { dual: ode_model_generator::outside::blend }
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::outside::hill, gradient: ode_model_generator::outside::hill_gradient, hessian: ode_model_generator::outside::hill_hessian }
    coord x2: [Real; 2];
    for i in 0..2 { kinetic = 0.5 * p3 * sq(der(x2[i])); }
    mass (x2[0], x2[1]) = [[p3, 0.3 * p3], [0.3 * p3, p3]];
    coord (q4, w5): SO3<World>;
    kinetic = 0.5 * w5.dot(diag(p6, p7, p6) * w5);
    coord (x8, v9): Real;
    kinetic = 0.5 * p3 * sq(v9);
    state z10: [Real; 2];
    input u11: Real in -2.0..=3.0;
    input u12: Real in -2.0..=3.0;
    mode m13: Real = 1.0;
    let r15 = vec3(x2[1], x8, p14 * tan(0.7 * cos(q4.rotate(vec3(0.3, -0.4, 0.7)).z)));
    kinetic = 0.5 * p3 * der(r15).dot(der(r15));
    constraint hold16: (x2[1] + 0.3 * 1.14) == 0.4 * p17 * p18 * p18;
    constraint hold19: x8 == 0.4 * 0.31;
    der(z10[0]) = der(x2[1]);
    der(z10[1]) = der(x2[0]) * smooth_abs(tan(0.7 * cos(p18)), 0.3);
    output place20: Vec3 = vec3(1.34, ((1.44 + z10[1]) - (p14 + u11)), p14 * blend(p18, p18));
    guess x2[0] = p21;
    guess der(x8) = p22 * 0.81;
    init z10[0] = p14 * p18;
    init z10[1] = p14 * p18;
    guess q4 = rot_y((1.28 + p18));
}
}
}

pub mod seed_553 {
ode_model::model! {
pub struct Part0<T> {
    param p16: Real = 1.22;
    param p12: Real = 1.32;
    param p10: Real = 0.65;
    param p8: Real = 0.24;
    param p7: Real = 0.89;
    param p5: Real = 0.85;
    param p3: Real = 0.69;
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::outside::hill, gradient: ode_model_generator::outside::hill_gradient, hessian: ode_model_generator::outside::hill_hessian }
    coord x1: Real;
    kinetic = 0.5 * p3 * (1.2 + sq(sin(cos(x1)))) * sq(der(x1));
    input u4: Real;
    let f6 = frame2(vec2((p7 + p7), p7 * x1), (x1 + 0.4 * cosh(sin(p5))));
    potential v9 = p8 * sin(sqrt(1.3 + sq(f6.inv().origin.y)));
    let r11 = vec3(f6.inv().origin.y * sin(t), f6.inv().origin.y * 1.44 * x1, f6.inv().origin.y);
    kinetic = 0.5 * p10 * der(r11).dot(der(r11));
    dissipation = 0.5 * p12 * sq(der(f6.inv().origin.y));
    torque torque13 on f6 = (u4 - u4 * x1);
    init x1 = { let y14 = p5; y14 * p5 + sin(y14) };
    #[port] output plate: Frame2 = f6;
    #[port] output port: Real = (x1 + 0.3 * { let y15 = ln(1.5 + sq(x1)); y15 * x1 / (1.5 + sq(x1)) + sin(y15) });
    output signal: Real = (p8 * x1 - (p16 + p8));
}
}
ode_model::model! {
pub struct Model<T> {
    param p11: Real = 1.38;
    param p10: Real = 1.29;
    param p8: Real = 0.83;
    param p7: Real = 1.33;
    param p3: Real = 0.17;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.38 * a }
    coord x2: [Real; 2];
    for i in 0..2 { kinetic = 0.5 * p3 * sq(der(x2[i])); }
    state z4: Real;
    state z5: Real;
    sub kid6: Part0<T> with { p12: 0.83 };
    bind kid6.u4 = atan2((1.1 + sq(sin(x2[1]))).powf(1.5), 1.4 + sq(sin(0.16)));
    dissipation = 0.5 * p8 * sq(der((kid6.plate.angle + 0.3 * cos(atan2(kid6.port, 1.4 + sq(0.48))))));
    force force9 on kid6.plate.angle = kid6.signal;
    der(z4) = p10 * cosh(sin(cos(kid6.signal)));
    der(z5) = der(x2[1]) * sin(cos(1.43));
    init z5 = (p7 - p11);
}
}
}

pub mod seed_945 {
ode_model::model! {
pub struct Part0<T> {
    param p8: Real = 1.38;
    param p3: Real = 0.41;
    coord (x1, v2): Angle;
    mass x1 = p3;
    coord (q4, w5): SO3;
    kinetic = 0.5 * w5.dot(diag(p3, p3, p3) * w5);
    input u6: Real;
    force force7 on q4.rotate(vec3(0.3, -0.4, 0.7)).z * (1.4 + sin(tanh(x1))) = (p8 * cosh(sin(q4.rate.x)) + (p8 * 0.91 + p8));
    #[port] output port: Real = log_so3(q4 * rot_x(0.3)).y;
    output signal: Real = (p8 * t - p8 * log_so3(q4 * rot_x(0.3)).y);
}
}
ode_model::model! {
pub struct Model<T> {
    param p23: Real = 1.10;
    param p21: Real = 1.05;
    param p20: Real = 1.02;
    param p18: Real = 0.45;
    param p17: Real = 1.11;
    param p16: Real = 0.87;
    param p13: Real = 0.55;
    param p12: Real = 0.46;
    param p10: Real = 0.62;
    param p9: Real = 1.15;
    param j4: SymMat3 = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.07], [-0.05, 0.07, 1.1]];
    param p3: Real = 0.67;
    coord (q1, w2): SO3;
    kinetic = 0.5 * w2.dot(j4 * w2);
    coord x5: Angle;
    kinetic = 0.5 * p3 * sq(der(x5));
    coord (q7, w8): SO3;
    kinetic = 0.5 * w8.dot(diag(p9, p3, p10) * w8);
    sub kid11: [Part0<T>; 2] with { p8: 0.83 };
    bind kid11[0].u6 = sqrt(1.3 + sq(atan(x5)));
    guess kid11[0].x1 = p12 * p12;
    bind kid11[1].u6 = (tan(0.7 * cos(p12)) - 0.5 * sin(t));
    init kid11[1].q4 = rot_z(tanh(p12));
    gravity = vec2(0.1 * p13, -p13);
    force force14 on q7.rotate(vec3(0.3, -0.4, 0.7)).z = kid11[1].signal * (x5 + log_so3(q7).y) / (1.5 + sq(cos(log_so3(q7).y)));
    torque torque15 on q7 = vec3(kid11[1].signal, p16 * sin(q7.rate.x), (p17 + p18 * q7.rate.x));
    constraint roll19: w8.y * (1.3 + sin(clamp(p21, -0.4, 0.9))) == (atan2(smooth_step(q7.rotate(vec3(0.3, -0.4, 0.7)).z, 1.7), 1.4 + sq(asin(0.6 * sin(kid11[0].port))))) * q1.rate.x + p20 * sin(log_so3(q7).y);
    output out22: Real = p23;
    output acc24 = der2((log_so3(q1).y + 0.3 * (0.5 * cosh(sin(log_so3(q7).y))).powi(2)));
    output pull25 = 2.0 * roll19.lambda;
    limit limit26: p23 * smooth_step(1.11, 1.7) in -1.5..=2.0;
    cost = sq((sqrt(1.3 + sq(min(kid11[0].port, log_so3(q7).y))) + cos(hypot(1.10, 1.16))));
    guess der(x5) = p20 * p21;
}
}
}

pub mod seed_1018 {
ode_model::model! {
pub struct Part0<T> {
    param p21: Real = 0.43;
    param p20: Real = 0.84;
    param p19: Real = 1.17;
    param p17: Real = 0.15;
    param p15: Real = 1.17;
    param p14: Real = 1.35;
    param p13: Real = 1.08;
    param p10: Real = 1.01;
    param p3: Real = 0.20;
    coord x1: Real;
    kinetic = 0.5 * p3 * (1.2 + sq(sin(tan(0.7 * cos(0.19))))) * sq(der(x1));
    state z4: [Real; 2];
    algebraic y5: Real;
    input u6: Real;
    let f7 = frame(vec3(x1, 1.41, 1.34), rot_x((x1 + 0.4 * sin(x1))));
    mode m8: Real = 1.0;
    force force9 on x1 = p10 * { let y11 = sin(der(x1)); y11 * ln(1.5 + sq(y5)) + sin(y11) };
    force force12 on f7.inv().origin.x * (1.4 + sin(cosh(sin(x1)))) = p13;
    der(z4[0]) = p14 * (0.5 * atan2(p15, 1.4 + sq(u6))).powi(3);
    der(z4[1]) = (p14 * sin(t) - p14 * acos(0.5 * cos(m8)));
    constraint law16: y5 + 0.4 * p17 * tanh(y5) == p17 * sin(x1);
    output out18: Real = tan(0.7 * cos((0.5 * hypot(p15, 1.27)).powi(3)));
    guess der(x1) = (p19 - p20);
    init z4[0] = (p17 + p17);
    #[port] output hub: Frame3 = f7;
    #[port] output port: Real = x1;
    output signal: Real = p21;
}
}
ode_model::model! {
pub struct Model<T> {
    param p20: Real = 0.15;
    param p19: Real = 1.41;
    param p18: Real = 0.40;
    param p17: Real = 0.39;
    param p15: Real = 0.90;
    param p13: Real = 0.22;
    param p10: Real = 0.75;
    param p9: Real = 0.96;
    param p4: Real = 0.53;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.26 * a }
    coord x2: Real;
    kinetic = 0.5 * p4 * sq(der(x2));
    state z5: Vec2;
    input u6: Real in -2.0..=3.0;
    input u7: Real;
    sub kid8: Part0<T> with { p21: 0.83, p20: 0.83, p19: 0.83, p17: 1.2 * p9 };
    bind kid8.u6 = f1(abs(1.38), ln(1.5 + sq(u7)));
    mode m11: Real = 1.0;
    torque torque12 on kid8.hub = vec3(kid8.signal * atan(x2), (u6 * u7 + p13 * kid8.port), kid8.signal);
    constraint hold14: kid8.hub.at(vec3(p10, -p10, 0.5 * p10)).z == 0.4 * 0.78 with { compliance: p15 };
    constraint hold16: kid8.hub.at(vec3(p10, -p10, 0.5 * p10)).z * (1.4 + sin(cosh(sin(t)))) == 0.4 * (p17 * 0.53 - (1.44 + p17)) with { compliance: p15, relax: 0.7 * p18 };
    der(z5) = vec2(((der(x2) + p19) - (p20 - der(x2))), der(x2) * exp(-0.2 * sq(p9)));
    output out21: Real = sin(hypot(ln(1.5 + sq(1.09)), 0.43));
}
}
}

pub mod seed_1237 {
ode_model::model! {
pub struct Model<T> {
    param p19: Real [m] = 1.20;
    param p16: Real [1/s] = 0.29;
    param p15: Real [J] = 0.16;
    param p12: Real = 1.29;
    param p11: Real [J] = 0.85;
    param p8: Real [m^2*kg] = 1.16;
    param p5: Real [m^2*kg] = 1.18;
    param p4: Real [span^2*heft] = 0.33;
    unit span = 0.37 [m];
    unit heft = 2.4 [kg];
    unit beat = 0.6 [s];
    unit toil = 1.5 [heft*span^2/beat^3];
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.58 * a }
    coord (q2, w3): [SO3; 2];
    kinetic = 0.5 * w3[0].dot(diag(p4, p4, p4) * w3[0]);
    kinetic = 0.5 * w3[1].dot(diag(p4, p5, p5) * w3[1]);
    coord (x6, v7): Real;
    kinetic = 0.5 * p8 * sq(v7);
    input u9: Real;
    input u10: Real [J] in -2.0..=3.0;
    potential v13 = p11 * (if signum(x6) * q2[1].rotate(vec3(0.3, -0.4, 0.7)).z < cos(x6) { sin(0.24) } else { sin(p12) });
    output out14: Real [J] = p15 * (f1((v7 / p16), x6) - 0.5 * hypot(1.21, 0.58));
    output acc17 = der2(x6);
    limit limit18: p19;
    residual fit20 = vec2(1.13span, p19);
    init der(x6) = p16 * 0.24;
}
}
}

pub mod seed_1395 {
ode_model::model! {
pub struct Model<T> {
    param p25: Real = 0.40;
    param p24: Real = 0.80;
    param p22: Real = 0.72;
    param p20: Real = 0.31;
    param p19: Real = 0.17;
    param p17: Real = 1.22;
    param p15: Real = 0.83;
    param p13: Real = 1.05;
    param p11: Real = 0.39;
    param p9: Real = 0.22;
    param p3: Real = 0.31;
    coord (x1, v2): Vec2;
    kinetic = 0.5 * p3 * v2.dot(v2);
    state z4: [Real; 2];
    state z5: Real;
    input u6: Real;
    input u7: Real in -2.0..=3.0;
    let f8 = frame2((x1.x - 0.5 * x1.y) * x1, (x1.x + 0.4 * tanh(x1.x)));
    body body10 on f8 { mass: p3, inertia: p11 }
    mode m12: Real = 1.0;
    gravity = vec2(0.1 * p13, -p13);
    force force14 on f8.angle = p15;
    torque torque16 on f8 = p15 * cosh(sin(p17));
    constraint hold18: x1.y * (1.4 + sin(sin(p17))) == 0.4 * f8.inv().origin.y * tanh(f8.angle) with { compliance: p19 };
    der(z4[0]) = p20;
    der(z4[1]) = p20 * hypot((z4[1] + t), 0.30);
    der(z5) = p20 * sin((v2.y + 1.32));
    output out21: Real = (p15 - ((p15 - p15) + p15 * p22));
    output acc23 = der2(f8.inv().origin.y);
    require p22 > 0.01, "it is positive";
    guess x1 = vec2(p24, (p24 - p9));
    init z4[1] = (if p22 > 0.1 && p17 < 0.8 { p22 } else { p25 });
    init z5 = softplus(p17, 0.6);
}
}
}
