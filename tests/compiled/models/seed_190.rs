ode_model::model! {
#[model(emit(jvp, vjp))]
pub struct Model {
    param p28: Real [m/s] = 0.51;
    param rows27: Mat3 = [[0.8, -0.4, 0.2], [0.3, 1.1, -0.1], [0.05, 0.6, 0.9]];
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
    show line = line(rows27 * f12.origin, vec3(p6, ((1.41m + p6) - (p4 + 1.03m)), (f12.inv().origin.x * (f8.inv().origin.x / p6) - x2[1])));
    show path = polyline([vec3(p6, ((1.41m + p6) - (p4 + 1.03m)), (f12.inv().origin.x * (f8.inv().origin.x / p6) - x2[1])), rows27 * f12.origin], vec3(x2[2], x2[1] * sin((t / p7)), p6 * smooth_max((der(x2[2]) / p28), (x2[0] / p6), 0.4))) with { color: teal };
    show pull = arrow(rows27 * f12.origin, vec3(x2[2], x2[1] * sin((t / p7)), p6 * smooth_max((der(x2[2]) / p28), (x2[0] / p6), 0.4)));
    show text = text(vec3(p6, ((1.41m + p6) - (p4 + 1.03m)), (f12.inv().origin.x * (f8.inv().origin.x / p6) - x2[1])), p22);
    show cage = box(f12, f12.origin);
    show wheel = disc(f12, p5);
    show rod = cylinder(rows27 * f12.origin, vec3(p6, ((1.41m + p6) - (p4 + 1.03m)), (f12.inv().origin.x * (f8.inv().origin.x / p6) - x2[1])), p5);
    show ball = sphere(vec3(p6, ((1.41m + p6) - (p4 + 1.03m)), (f12.inv().origin.x * (f8.inv().origin.x / p6) - x2[1])), sq(p5) / p5);
}
}
