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
    param p17: Real = 0.33;
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
    for i in 0..3 { let s15[i] = if i == 0 { hypot(p5, 1.31) } else { (sin(p5)) * s15[i - 1] + 0.3 * i }; }
    potential v16 = p17 * sin(s15[2]) * s15[1];
}
}
