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
#[model(freeze(p23, p16, p14, p12, p11, p10), order = 1)]
pub struct Model {
    param p23: Real [J] = 0.37;
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
    for i in 0..3 { let s21[i] = if i == 0 { f1(1.19, (kid9[0].hub.at(vec3(p12, -p12, 0.5 * p12)).z / p12)) } else { (asin(0.6 * sin(kid9[0].port))) * s21[i - 1] + 0.3 * i }; }
    potential v22 = p23 * sin(s21[2]) * s21[1];
}
}
