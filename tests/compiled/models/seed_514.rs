ode_model::model! {
#[model(freeze(p17, p11, p3), order = 1)]
pub struct Model<T> {
    param p30: Real [m] = 1.28;
    param p29: Real [m] = 1.15;
    param p28: Real = 1.32;
    param p27: Real [s] = 0.27;
    param p22: Real [s] = 1.20;
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
    for i in 0..3 { let s21[i] = if i == 0 { min(p15, (t / p22)) } else { (sin(1.36)) * s21[i - 1] + 0.3 * i }; }
    potential v23 = p14 * sin(s21[2]) * s21[1];
    for i in 0..2 { for j in 0..3 { let s24[i][j] = match j { 0 => (0.55), _ => sin(s24[i][j - 1]) + i * (cos((x1.z / p12))) }; } }
    cost = s24[1][2] * s24[0][1];
    output out26 = match m10 { 0 => ({ let y25 = p20; y25 * (x1.x / p12) + sin(y25) }), 1 | -1 => (asin(0.6 * sin(atan2((t / p22), 1.4 + sq(d4.z))))), _ => (acos(0.5 * cos((x1.x / p12)))) };
    show line = line(vec2(x1.x * tan(0.7 * cos(0.77)), (0.46m + x1.y * (t / p27))), vec2((x1.z + x1.z), (x1.x * p28 + p12)));
    show path = polyline([vec2((x1.z + x1.z), (x1.x * p28 + p12)), vec2(x1.x * tan(0.7 * cos(0.77)), (0.46m + x1.y * (t / p27)))], vec2((x1.y + x1.x * m10), (0.74m - x1.z * 1.20))) with { color: teal };
    show pull = arrow(vec2(x1.x * tan(0.7 * cos(0.77)), (0.46m + x1.y * (t / p27))), vec2((x1.y + x1.x * m10), (0.74m - x1.z * 1.20)));
    show text = text(vec2((x1.z + x1.z), (x1.x * p28 + p12)), u9 * sin((x1.x / p12)));
    show cage = box(frame2(vec2(x1.x * tan(0.7 * cos(0.77)), (0.46m + x1.y * (t / p27))), (grip((x1.y / p29)) + atan((der(d4).x / p17)))), vec2(norm(x1), p30 * (u8 / p14)));
    show wheel = disc(frame2(vec2(x1.x * tan(0.7 * cos(0.77)), (0.46m + x1.y * (t / p27))), (grip((x1.y / p29)) + atan((der(d4).x / p17)))), p12);
    show ring = circle(vec2(x1.x * tan(0.7 * cos(0.77)), (0.46m + x1.y * (t / p27))), p12);
}
}
