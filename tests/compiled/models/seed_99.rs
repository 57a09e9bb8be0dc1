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
    for i in 0..2 { for j in 0..3 { let s16[i][j] = match j { 0 => (x1[0]), _ => sin(s16[i][j - 1]) + i * ((x1[0] + kid4[0].port)) }; } }
    cost = s16[1][2] * s16[0][1];
}
}
