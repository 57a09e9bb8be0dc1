//! Random models, as `ode_model_generator::random` writes them:
//! `BLESS=1 cargo test -p ode-model-generator --test sample`.

pub mod seed_8 {
ode_model::model! {
pub struct Model {
    param p21: Real = 1.19;
    param p20: Real = 0.33;
    param p18: Real = 0.66;
    param p17: Real = 0.32;
    param p15: Real = 1.35;
    param p13: Real = 1.31;
    param p8: Real = 1.19;
    param j5: SymMat3 = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.07], [-0.05, 0.07, 1.1]];
    param p4: Real = 0.66;
    param p3: Real = 1.34;
    extern fn rise(x: Real) -> Real { table: ode_model_generator::outside::RISE }
    coord (q1, w2): SO3<World>;
    kinetic = 0.5 * w2.dot(j5 * w2);
    coord (x6, v7): Vec3;
    kinetic = 0.5 * p8 * v7.dot(v7);
    coord x9: Angle;
    kinetic = 0.5 * p4 * sq(der(x9));
    state z11: Real;
    state z12: Real;
    gravity = vec3(0.2 * p13, 0.0, -p13);
    force force14 on x9 = p15;
    force force16 on (x6.y + 0.3 * x6.y * atan2(x6.y, 1.4 + sq(x6.x))) = p17;
    der(z11) = ((w2.y * x6.x - p18 * q1.rate.x) - w2.y * (0.80 + x6.x));
    der(z12) = p18;
    output acc19 = der2(x6.y * (1.4 + sin(tanh(0.73))));
    require p20 > 0.01, "it is positive";
    init x9 = (p20 + p21);
}
}
}

pub mod seed_27 {
ode_model::model! {
pub struct Part0 {
    param p26: Real = 0.77;
    param p23: Real = 1.42;
    param p21: Real = 1.09;
    param p19: Real = 1.09;
    param p18: Real = 0.54;
    param p16: Real = 0.29;
    param p15: Real = 0.53;
    param p14: Real = 1.03;
    param p13: Real = 0.52;
    param p11: Real = 0.77;
    param p10: Real = 0.18;
    param p8: Real = 0.57;
    param p3: Real = 1.21;
    coord x1: Angle;
    kinetic = 0.5 * p3 * (1.2 + sq(sin((0.5 * x1).powi(2)))) * sq(der(x1));
    state z4: Real;
    state z5: Real;
    algebraic y6: Real;
    input u7: Real;
    potential v9 = p8;
    potential v12 = (p8 * cosh(sin(p10)) + p11 * cosh(sin(x1)));
    let r17 = vec3(((p14 + p14) + (p15 - p14)), p15 * 0.33 / (1.5 + sq(x1)), p16 * smooth_sign(t, 0.8));
    kinetic = 0.5 * p13 * der(r17).dot(der(r17));
    dissipation = 0.5 * p18 * sq(der((x1 + 0.3 * min(atan2(x1, 1.4 + sq(0.71)), (1.11 + x1)))));
    gravity = vec3(0.2 * p19, 0.0, -p19);
    force force20 on x1 * (1.4 + sin(sin(x1))) = u7 * cos(sin(u7));
    guess x1 = p10;
    fix x1;
    der(z4) = p21;
    der(z5) = p21;
    constraint law22: y6 + 0.4 * p23 * tanh(y6) == z4;
    output out24: Real = sin(hypot(tan(0.7 * cos(u7)), 1.21));
    output out25: Real = atan2(sin(cos(p26)), 1.4 + sq((1.1 + sq(sin(sin(p10)))).powf(0.7)));
    #[port] output port: Real = x1;
    output signal: Real = ((p11 - p8) + p8 * 0.94);
}
}
ode_model::model! {
pub struct Model {
    param p11: Real = 0.97;
    param p9: Real = 0.53;
    param p7: Real = 0.38;
    param p6: Real = 0.85;
    param p3: Real = 0.59;
    coord x1: Real;
    kinetic = 0.5 * p3 * sq(der(x1));
    state z4: [Real; 2];
    sub kid5: Part0 with { p26: 1.2 * p6, p23: 1.2 * p7 };
    gravity = vec3(0.0, 0.0, 0.0);
    bind kid5.u7 = smooth_abs((p6 - 0.5 * 1.12), 0.3);
    mode m8: Real = 1.0;
    potential v10 = p9 * recip(1.2 + sq(asin(0.6 * sin(m8))));
    der(z4[0]) = p11 * atan(tanh(x1));
    der(z4[1]) = (der(x1) * asin(0.6 * sin(z4[1])) - (der(x1) * 0.75 - p11));
    output out12: Real = (kid5.signal + kid5.signal);
    output acc13 = der2(kid5.port);
    cost = sq(cos(((der(x1) + kid5.signal) + tan(0.7 * cos(0.93)))));
}
}
}

pub mod seed_48 {
ode_model::model! {
pub struct Model {
    param p21: Real = 1.38;
    param p18: Real = 1.34;
    param p17: Real = 1.08;
    param p16: Real = 0.89;
    param p15: Real = 0.22;
    param p13: Real = 0.70;
    param p12: Real = 1.39;
    param p9: Real = 0.49;
    param p6: Real = 0.93;
    param p3: Real = 0.69;
    extern fn blend(a: Real, b: Real) -> Real { dual: ode_model_generator::outside::blend }
    coord (x1, v2): Angle;
    kinetic = 0.5 * p3 * sq(v2);
    coord (x4, v5): Real;
    kinetic = 0.5 * p6 * (1.2 + sq(sin(sin(x1)))) * sq(v5);
    coord (x7, v8): Angle;
    mass x7 = p9;
    input u10: Real;
    input u11: Real;
    dissipation = 0.5 * p12 * sq(der((x7 + 0.3 * tan(0.7 * cos(ln(1.5 + sq(x4)))))));
    gravity = vec2(0.1 * p13, -p13);
    force force14 on x4 = p15 * sin(atan2(p16, 1.4 + sq(x1)));
    guess x1 = p16;
    fix x1;
    fix x4 = p17 * sin(0.85 * p18);
    output acc19 = der2(x4);
    event event20 when x7 * (1.4 + sin(x1 * x1)) < (atan(1.39 * x4)) { x1 = sin((0.5 * x7).powi(2)); der(x7) = (v2 * v5 - (v8 + v2)); }
    guess x1 = (if p16 < 0.62 { p16 } else { p18 });
    guess x4 = (p17 - p21);
}
}
}

pub mod seed_50 {
ode_model::model! {
#[model(order = 1)]
pub struct Model {
    param p21: Real [m] = 0.55;
    param p20: Real [A/s] = 1.02;
    param p19: Real [N] = 1.40;
    param p17: Real [m] = 0.48;
    param p16: Real = 0.18;
    param p14: Real = 0.33;
    param p13: Real [J] = 0.60;
    param p12: Real [J] = 0.84;
    param p9: Real [m^2*kg/s] = 1.24;
    param p8: Real [m] = 1.25;
    param p3: Real [kg/s] = 1.14;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::outside::grip }
    coord x1: Real [m];
    dissipation = 0.5 * p3 * sq(der(x1));
    coord (x4, v5): Real [m];
    mass x4 = p3;
    coord (c6, w7): SO2;
    dissipation = 0.5 * p9 * sq(w7);
    state z10: Real [A];
    mode m11: Real = 1.0;
    potential v15 = (p12 * (0.5 * m11).powi(2) + p13 * (0.51 + p14));
    potential  = p12 * sin(asin(0.6 * sin(p14)));
    force force18 on c6.rotate(vec2(p8, p8)).y * (1.4 + sin((p16 + (c6.rotate(vec2(p8, p8)).y / p17)))) = p19 * signum(grip((c6.rotate(vec2(p8, p8)).y / p8))) * cos(p16);
    der(z10) = ((p20 - p20 * 0.17) - p20);
    init x4 = p21;
}
}
}

pub mod seed_101 {
ode_model::model! {
#[model(branch_free)]
pub struct Model {
    param p27: Real [A] = 0.94;
    param p26: Real [m/s] = 0.53;
    param p24: Real [s] = 0.67;
    param p23: Real [A/s] = 0.56;
    param p22: Real [m/s] = 1.18;
    param p20: Real = 1.43;
    param p18: Real [N] = 1.29;
    param p17: Real [N] = 1.19;
    param p16: Real [N] = 1.26;
    param p14: Real [m] = 1.06;
    param p13: Real [J] = 0.26;
    param p12: Real [J] = 0.65;
    param p11: Real [J] = 0.52;
    param p6: Real [kg] = 1.17;
    param p3: Real [kg] = 0.43;
    coord x1: Real [m];
    kinetic = 0.5 * p3 * sq(der(x1));
    coord (x4, v5): Vec3 [m];
    kinetic = 0.5 * p6 * v5.dot(v5);
    coord x7: Real [m];
    kinetic = 0.5 * p3 * sq(der(x7));
    state z9: Real [A];
    state z10: [Real; 2] [m];
    potential  = (((p11 - p12) + p11 * 0.75) - p13);
    force force15 on x4.x * (1.4 + sin(((x7 / p14) - 0.5 * 0.35))) = (p16 * (0.5 * (x4.y / p14)).powi(2) + ((p17 + p18) + p18));
    force force19 on x4.z = p16 * ln(1.5 + sq(exp(-0.2 * sq(p20))));
    force force21 on x4 = vec3(((p18 + p17) + p16), (p16 * (der(x7) / p22) - p17 * (z10[0] / p14)), p18);
    der(z9) = p23;
    der(z10[0]) = v5.x * { let y25 = (t / p24); y25 * (x1 / p14) + sin(y25) } / (1.5 + sq(cos((x7 / p14))));
    der(z10[1]) = der(x7);
    cost = sq(atan2((atan2((x1 / p14), 1.4 + sq((x4.z / p14))) + sin(0.73)), 1.4 + sq(max((0.5 * (v5.z / p26)).powi(3), ((z9 / p27) + (x4.x / p14))))));
    event event28 when (x4.x + 0.3 * (p14 * (t / p24) - x7)) > (p14 * sin((x7 / p14))) { der(x7) = p22; }
}
}
}

pub mod seed_119 {
ode_model::model! {
pub struct Model {
    param p17: Real = 1.10;
    param p15: Real [A] = 0.56;
    param p14: Real [A] = 1.30;
    param p11: Real [s] = 0.98;
    param p10: Real [J] = 0.23;
    param p8: Real [J] = 0.50;
    param p6: Real [m^2*kg/s] = 0.43;
    param p3: Real [m^2*kg] = 0.31;
    coord x1: Real;
    kinetic = 0.5 * p3 * (1.2 + sq(sin({ let y4 = x1; y4 * x1 + sin(y4) }))) * sq(der(x1));
    algebraic y5: Real [A];
    dissipation = 0.5 * p6 * sq(der(x1 * (1.4 + sin(sin(x1)))));
    force force7 on x1 = p8;
    force force9 on x1 * (1.4 + sin(cos(x1))) = (p10 - (p10 * (t / p11) - p8));
    constraint hold12: x1 == 0.4 * sin(sin(0.98)) with { relax: p11 };
    constraint law13: y5 + 0.4 * p14 * tanh(y5 / p14) == ((p15 + p15) - p14);
    output out16: Real = hypot((tanh(x1) - 0.5 * sin(x1)), 1.33);
    require p17 > 0.01, "it is positive";
}
}
}

pub mod seed_191 {
ode_model::model! {
pub struct Model {
    param p21: Real = 0.59;
    param p20: Real = 0.38;
    param p16: Real = 1.18;
    param p14: Real = 0.27;
    param p12: Real = 0.97;
    param p10: Real = 1.35;
    param p8: Real = 0.60;
    param p3: Real = 0.91;
    extern fn rise(x: Real) -> Real { table: ode_model_generator::outside::RISE }
    coord (x1, v2): Vec3;
    kinetic = 0.5 * p3 * v2.dot(v2);
    coord (x4, v5): Vec3;
    kinetic = 0.5 * p3 * v5.dot(v5);
    input u6: Real;
    input u7: Real in -2.0..=3.0;
    potential v9 = (p8 * sin(x4.z) + p8);
    potential  = p8;
    let r11 = vec2((x1.z + x4.y), p10 * asin(0.6 * sin(x1.z)));
    kinetic = 0.5 * p3 * der(r11).dot(der(r11));
    gravity = vec2(0.1 * p12, -p12);
    force force13 on x1.y = (p14 * sin(v5.x) + (p14 * t + (p14 + p14)));
    constraint roll15: v2.y * (1.3 + sin(recip(1.2 + sq(x1.x)))) == (atan2(tanh(x1.x), 1.4 + sq((0.4 * tanh(x1.y)).sinh()))) * v2.x + p16 * sin(1.05);
    output out17: Real = (p10 * ln(1.5 + sq(0.40)) - x4.x);
    output out18: Real = (u7 - u7 * atan(u6));
    output acc19 = der2(x4.y);
    guess x1 = vec3(p10 * p20, p21, (p10 + p10));
}
}
}

pub mod seed_12 {
ode_model::model! {
#[model(emit(jvp, vjp, hvp, hessian))]
pub struct Model<T> {
    param p18: Real = 0.39;
    param p17: Real [m/s] = 1.28;
    param p16: Real [1/s] = 0.26;
    param p15: Real [m^2*kg/s] = 0.39;
    param p13: Real [m] = 1.44;
    param p12: Real [m] = 0.28;
    param p11: Real [s] = 1.01;
    param p10: Real [m] = 0.17;
    param p9: Real [kg] = 0.43;
    param p8: Real [J] = 0.36;
    param p3: Real [m^2*kg] = 0.18;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::outside::grip }
    extern fn rise(x: Real) -> Real { table: ode_model_generator::outside::RISE }
    coord x1: Real;
    kinetic = 0.5 * p3 * sq(der(x1));
    state z4: Real;
    state z5: Real [m];
    input u6: Real [J];
    input u7: Real [J];
    potential  = p8;
    potential  = p8 * cos((x1 + x1));
    let r14 = vec3((p10 * 0.58 + p10 * x1), (p10 * (t / p11) - p12 * x1), ((p10 + p13) - p12 * (t / p11)));
    kinetic = 0.5 * p9 * der(r14).dot(der(r14));
    dissipation = 0.5 * p15 * sq(der(x1));
    der(z4) = ((der(x1) * (u7 / p8) - (p16 - p16)) - der(x1));
    der(z5) = (p17 * cos(1.12) - p17 * (p18 + (u7 / p8)));
    output acc19 = der2(x1);
    require p18 > 0.01, "it is positive";
}
}
}

pub mod seed_21 {
ode_model::model! {
pub struct Model<T> {
    param p24: Real = 1.36;
    param p22: Real = 0.25;
    param p20: Real = 0.72;
    param p17: Real = 0.22;
    param p16: Real = 0.79;
    param p15: Real = 0.61;
    param p13: Real = 1.29;
    param p12: Real = 0.94;
    param p11: Real = 0.23;
    param p8: Real = 0.80;
    param p4: Real = 0.41;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.15 * a }
    coord (x2, v3): Real;
    mass x2 = p4;
    state z5: Real;
    state z6: Real;
    algebraic y7: Real;
    potential v9 = p8;
    potential v10 = p8;
    dissipation = 0.5 * p11 * sq(der(x2));
    gravity = vec3(0.2 * p12, 0.0, -p12);
    der(z5) = p13 * atan((if z6 < y7 { y7 } else { 1.24 }));
    der(z6) = p13;
    constraint law14: y7 + 0.4 * p15 * tanh(y7) == p16 * sin(p17);
    output out18: Real = (sin(recip(1.2 + sq(x2))) - 0.5 * f1(sin(t), smooth_min(0.75, p17, 0.2)));
    output out19: Real = (x2 * (1.1 + sq(sin(z6))).powf(1.5) - x2 * tanh(p20));
    limit limit21: x2 * (z5 - 0.5 * v3);
    require p20 > 0.01, "it is positive";
    event event23 when (x2 + 0.3 * (p22 * x2 - x2 * x2)) < (x2) { der(x2) = p24 * acos(0.5 * cos(x2)); }
    guess x2 = p22 * p17;
}
}
}

pub mod seed_69 {
ode_model::model! {
pub struct Model<T> {
    param p16: Real = 0.72;
    param p15: Real = 1.09;
    param p14: Real = 1.03;
    param p13: Real = 1.21;
    param p11: Real = 0.27;
    param p10: Real = 0.93;
    param p7: Real = 0.28;
    param p4: Real = 1.41;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.08 * a }
    extern fn blend(a: Real, b: Real) -> Real { dual: ode_model_generator::outside::blend }
    coord x2: Real;
    kinetic = 0.5 * p4 * sq(der(x2));
    state z5: Real;
    state z6: [Real; 2];
    let r8 = vec2(x2 * hypot(1.18, 1.17), (x2 * x2 - p7 * x2));
    kinetic = 0.5 * p4 * der(r8).dot(der(r8));
    force force9 on (x2 + 0.3 * x2 * min(x2, x2)) = (((p10 - p10) - p10 * 0.61) - p11);
    force force12 on (x2 + 0.3 * x2) = p10;
    der(z5) = (p13 * sin(t) + ((p13 - p13) + p13));
    der(z6[0]) = p14 * tan(0.7 * cos(pchip(ode_model_generator::outside::CURVE, p15)));
    der(z6[1]) = p16;
    output out17: Real = (1.1 + sq(sin(f1(atan(t), cos(z6[1]))))).powf(0.7);
    output out18: Real = hypot(tanh(cos(t)), 1.42);
    cost = sq(tan(0.7 * cos(cosh(sin(sin(p15))))));
}
}
}

pub mod seed_89 {
ode_model::model! {
pub struct Model<T> {
    param p31: Real = 0.49;
    param p29: Real = 0.29;
    param p27: Real = 1.14;
    param p25: Real = 1.01;
    param p24: Real = 0.47;
    param p23: Real = 1.27;
    param p22: Real = 1.29;
    param p21: Real = 0.87;
    param p20: Real = 1.10;
    param p19: Real = 1.21;
    param p17: Real = 1.19;
    param p15: Real = 0.18;
    param p14: Real = 0.71;
    param p12: Real = 0.40;
    param p11: Real = 0.55;
    param p3: Real = 1.13;
    coord x1: Real;
    kinetic = 0.5 * p3 * sq(der(x1));
    coord x4: Real;
    kinetic = 0.5 * p3 * sq(der(x4));
    state z6: [Real; 2];
    state z7: [Real; 2];
    input u8: Real;
    input u9: Real;
    mode m10: Real = 1.0;
    potential  = p11;
    let r13 = vec2(x4, x4 * sin(t));
    kinetic = 0.5 * p12 * der(r13).dot(der(r13));
    dissipation = 0.5 * p14 * sq(der(x4));
    gravity = vec2(0.1 * p15, -p15);
    force force16 on x4 = p17;
    force force18 on x1 * (1.4 + sin(sin(x4))) = p19;
    guess x4 = p20;
    fix x4;
    der(z6[0]) = (p21 * sin(0.57) + (p21 - p22 * u8));
    der(z6[1]) = (p21 * tan(0.7 * cos(p23)) - p21 * der(x4) * z6[1]);
    der(z7[0]) = p24 * (if sqrt(1.3 + sq(t)) >= 0.3 { sqrt(1.3 + sq(1.29)) } else { atan(der(x4)) });
    der(z7[1]) = (p22 * (0.88 - 0.5 * p25) + (p22 * u9 - p21 * p25));
    output out26: Real = p27;
    output out28: Real = p27;
    residual fit30 = vec2(((p20 - u9) - x1 * der(x4)), u9 * cos(x1));
    guess x1 = p31;
}
}
}

pub mod seed_143 {
ode_model::model! {
pub struct Model<T> {
    param p22: Real [A] = 1.44;
    param p20: Real = 0.98;
    param p19: Real [1/s] = 0.64;
    param p18: Real [m/s^2] = 1.30;
    param p17: Real [kg/s] = 0.55;
    param p15: Real [kg] = 0.52;
    param p14: Real [J] = 1.38;
    param p10: Real [kg] = 0.15;
    param p5: Real [m^2*kg] = 1.13;
    param p4: Real [m] = 0.21;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.85 * a }
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::outside::grip }
    extern fn blend(a: Real, b: Real) -> Real { dual: ode_model_generator::outside::blend }
    coord (c2, w3): SO2;
    kinetic = 0.5 * p5 * sq(w3);
    coord x6: Angle;
    kinetic = 0.5 * p5 * sq(der(x6));
    coord (x8, v9): Vec3 [m];
    kinetic = 0.5 * p10 * (1.2 + sq(sin(exp(-0.2 * sq(0.81))))) * v9.dot(v9);
    state z11: Real;
    algebraic y12: Real [A];
    mode m13: Real = 1.0;
    potential  = p14;
    let r16 = x8;
    kinetic = 0.5 * p15 * der(r16).dot(der(r16));
    dissipation = 0.5 * p17 * sq(der(c2.rotate(vec2(p4, p4)).y));
    gravity = vec3(0.2 * p18, 0.0, -p18);
    der(z11) = der(x6) * (cosh(sin((w3 / p19))) - 0.5 * min(p20, (x8.z / p4)));
    constraint law21: y12 + 0.4 * p22 * tanh(y12 / p22) == ((p22 - p22) + (p22 - p22));
    guess x6 = cosh(sin(p20));
}
}
}
