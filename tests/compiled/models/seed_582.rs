ode_model::model! {
#[model(emit(linearized, jvp), prepared)]
pub struct Model {
    param rows28: Mat2 = [[0.8, -0.4], [0.3, 1.1]];
    param p27: Real [m/s] = 0.43;
    param p26: Real [1/s] = 0.19;
    param rows25: Mat2 = [[0.8, -0.4], [0.3, 1.1]];
    param p24: Real [s] = 0.61;
    param p23: Real [m] = 1.04;
    param p21: Real [m] = 0.81;
    param p19: Real [J] = 1.07;
    param p17: Real [s] = 1.10;
    param p16: Real [s^2/kg] = 0.61;
    param p14: Real [N] = 0.98;
    param p12: Real [m^2*kg/s] = 0.34;
    param p11: Real = 1.03;
    param p7: Real [m^2*kg] = 0.95;
    param p4: Real [m] = 0.20;
    param p3: Real [kg] = 0.25;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }
    extern fn rise(x: Real) -> Real { table: ode_model_generator::external::RISE }
    coord (x1, v2): Vec2 [m];
    kinetic = 0.5 * p3 * (1.2 + sq(sin(acos(0.5 * cos((x1.y / p4)))))) * v2.dot(v2);
    coord x5: Angle;
    kinetic = 0.5 * p7 * sq(der(x5));
    input u8: Real [m] in -2.0..=3.0;
    input u9: Real [m];
    mode m10: Real = 1.0;
    dissipation = 0.5 * p12 * sq(der((x5 + 0.3 * cosh(sin(cosh(sin(p11)))))));
    force force13 on x1 = vec2(p14, p14 * sin((x1.x / p4)));
    constraint hold15: x1.y == 0.4 * x1.y with { compliance: p16, relax: 0.7 * p17 };
    output out18: Real [J] = p19;
    output out20: Real [m] = p4 * sin(smooth_max(x5, (x1.x / p21), 0.4));
    output acc22 = der2(x1.x);
    guess x1 = vec2(p21 * p11, p23 * p11);
    guess x5 = recip(1.2 + sq(p11));
    show line = line(vec2((u8 * (t / p24) + x1.x * (x1.x / p4)), u8 * sin(0.49)), rows25.transpose() * x1);
    show path = polyline([rows25.transpose() * x1, vec2((u8 * (t / p24) + x1.x * (x1.x / p4)), u8 * sin(0.49))], x1) with { color: teal };
    show pull = arrow(vec2((u8 * (t / p24) + x1.x * (x1.x / p4)), u8 * sin(0.49)), x1);
    show text = text(rows25.transpose() * x1, p19);
    show cage = box(frame2(vec2((u8 * (t / p24) + x1.x * (x1.x / p4)), u8 * sin(0.49)), (smooth_abs((der(x5) / p26), 0.3) + abs(x5))), rows28.transpose() * x1);
    show wheel = disc(frame2(vec2((u8 * (t / p24) + x1.x * (x1.x / p4)), u8 * sin(0.49)), (smooth_abs((der(x5) / p26), 0.3) + abs(x5))), p21);
    show ring = circle(vec2((u8 * (t / p24) + x1.x * (x1.x / p4)), u8 * sin(0.49)), p21);
}
}
