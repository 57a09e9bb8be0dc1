ode_model::model! {
pub struct Model {
    param p30: Real = 0.95;
    param p28: Real [m/s] = 0.90;
    param p27: Real [J] = 1.11;
    param p26: Real [J] = 0.79;
    param p24: Real [m/s] = 0.49;
    param p23: Real [s] = 1.04;
    param p22: Real [N] = 1.08;
    param p20: Real [m/s^2] = 1.21;
    param p19: Real [kg/s] = 0.34;
    param p17: Real [J] = 1.22;
    param p16: Real [m^2*kg] = 1.33;
    param p15: Real [kg] = 0.98;
    param p12: Real = 0.32;
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
    body body9 on f8 { mass: p3, inertia: p10 * diag(1.0, 0.8, 1.3) }
    let f13 = f8 * frame(vec3(acos(0.5 * cos(p12)), acos(0.5 * cos((f8.inv().origin.x / p4))), recip(1.2 + sq((f8.inv().origin.x / p6)))).cross(f8.origin), rot_z(((x2[0] / p6) + 0.4 * exp(-0.2 * sq(0.58)))));
    body body14 on f13 { mass: p15, inertia: [[p16, 0.1 * p11, 0.0], [0.1 * p11, 1.3 * p11, 0.05 * p16], [0.0, 0.05 * p16, p10]], com: vec3(0.2 * p4, -p4, 0.1 * p4) }
    potential v18 = p17;
    dissipation = 0.5 * p19 * sq(der((x2[0] + 0.3 * (0.28m + f8.inv().origin.x))));
    gravity = vec3(0.2 * p20, 0.0, -p20);
    force force21 on x2[0] = p22 * (if !((t / p23) > 0.4) || (der(x2[2]) / p24) > 0.5 { (der(x2[2]) / p24) } else { (f8.inv().origin.x / p6) }) / (1.5 + sq(((x2[0] / p5) - 0.5 * (f13.inv().origin.x / p4))));
    torque torque25 on f13 = vec3(p17, p26 * hypot(1.26, 0.77), p27 * signum((der(x2[2]) / p28)) * p12);
    output acc29 = der2(f8.inv().origin.x);
    cost = sq(smooth_abs(sin(sin(p12)), 0.3));
    init der(x2[2]) = p28 * p30;
    for i in 0..2 { for j in 0..3 { let s31[i][j] = match j { 0 => ((f13.inv().origin.x / p5)), _ => sin(s31[i][j - 1]) + i * (((f13.inv().origin.x / p6) + (f8.inv().origin.x / p5))) }; } }
    cost = s31[1][2] * s31[0][1];
}
}
