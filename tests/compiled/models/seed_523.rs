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
    param p26: Real [1/s] = 0.58;
    param p25: Real [m] = 0.69;
    param p23: Real [A] = 0.22;
    param p20: Real = 0.41;
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
    for i in 0..3 { let s19[i] = if i == 0 { sin(0.52) } else { (acos(0.5 * cos(p20))) * s19[i - 1] + 0.3 * i }; }
    potential v21 = p12 * sin(s19[2]) * s19[1];
    for i in 0..2 { for j in 0..3 { let s22[i][j] = match j { 0 => (d1.dot(vec3(0.2, -0.7, 0.4))), _ => sin(s22[i][j - 1]) + i * (sin(d1.z)) }; } }
    cost = s22[1][2] * s22[0][1];
    show line = line(kid8.plate.at(vec2(p11, -p11)), vec2((u7 * (z5 / p23) + u7 * kid8.plate.angle), u7));
    show path = polyline([vec2((u7 * (z5 / p23) + u7 * kid8.plate.angle), u7), kid8.plate.at(vec2(p11, -p11))], vec2(u7 * sin((kid8.signal / p13)), u7 * { let y24 = (kid8.signal / p10); y24 * p4 + sin(y24) })) with { color: teal };
    show pull = arrow(kid8.plate.at(vec2(p11, -p11)), vec2(u7 * sin((kid8.signal / p13)), u7 * { let y24 = (kid8.signal / p10); y24 * p4 + sin(y24) }));
    show text = text(vec2((u7 * (z5 / p23) + u7 * kid8.plate.angle), u7), u6 * atan(d1.z));
    show cage = box(frame2(kid8.plate.at(vec2(p11, -p11)), (1.1 + sq(sin(smooth_abs(0.36, 0.3)))).powf(1.5)), vec2(u7 * (der(d1).x / p26), u7));
    show wheel = disc(frame2(kid8.plate.at(vec2(p11, -p11)), (1.1 + sq(sin(smooth_abs(0.36, 0.3)))).powf(1.5)), p25);
    show ring = circle(kid8.plate.at(vec2(p11, -p11)), p25);
}
}
