ode_model::model! {
#[model(freeze(p15, p6), order = 1, emit(jvp, vjp))]
pub struct Model<T> {
    param p21: Real [s] = 1.07;
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
    show line = line(vec2(x1.x, (0.55m - (0.46m - x1.y))), vec2(p12 * tan(0.7 * cos((t / p21))), (x1.x * (x1.x / p12) - x1.x * d4.dot(vec3(0.2, -0.7, 0.4)))));
    show path = polyline([vec2(p12 * tan(0.7 * cos((t / p21))), (x1.x * (x1.x / p12) - x1.x * d4.dot(vec3(0.2, -0.7, 0.4)))), vec2(x1.x, (0.55m - (0.46m - x1.y)))], vec2(x1.z, x1.y)) with { color: teal };
    show pull = arrow(vec2(x1.x, (0.55m - (0.46m - x1.y))), vec2(x1.z, x1.y));
    show text = text(vec2(p12 * tan(0.7 * cos((t / p21))), (x1.x * (x1.x / p12) - x1.x * d4.dot(vec3(0.2, -0.7, 0.4)))), u8);
    show cage = box(frame2(vec2(x1.x, (0.55m - (0.46m - x1.y))), (0.4 * tanh(sin(d4.z))).sinh()), vec2(0.74m, x1.z * 1.20));
    show wheel = disc(frame2(vec2(x1.x, (0.55m - (0.46m - x1.y))), (0.4 * tanh(sin(d4.z))).sinh()), p12);
    show ring = circle(vec2(x1.x, (0.55m - (0.46m - x1.y))), p12);
}
}
