ode_model::model! {
#[model(freeze(p25, p22, p9, p8))]
pub struct Model<T> {
    param p25: Real = 0.86;
    param p23: Real = 1.37;
    param p22: Real = 0.98;
    param p20: Real = 1.42;
    param p15: Real = 0.29;
    param p14: Real = 0.70;
    param p12: Real = 1.23;
    param p11: Real = 1.03;
    param p9: Real = 1.11;
    param p8: Real = 0.49;
    param p7: Real = 0.73;
    param p5: Real = 0.62;
    param p4: Real = 0.75;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 0.57 * a }
    coord (q2, w3): SO3<World>;
    kinetic = 0.5 * w3.dot(diag(p4, p5, p4) * w3);
    coord x6: [Angle; 2];
    for i in 0..2 { kinetic = 0.5 * p7 * sq(der(x6[i])); }
    mass (x6[0], x6[1]) = [[p7, 0.3 * p7], [0.3 * p7, p7]];
    potential  = (p8 + p8 * f1(x6[0], q2.rotate(vec3(0.3, -0.4, 0.7)).z));
    gravity = vec3(0.2 * p9, 0.0, -p9);
    torque torque10 on q2 = vec3(p8, p11 * t * 0.85, p12);
    constraint hold13: q2.rotate(vec3(0.3, -0.4, 0.7)).z == 0.4 * sin((q2.rotate(vec3(0.3, -0.4, 0.7)).z + p14)) with { compliance: p15 };
    constraint hold16: (q2.rotate(vec3(0.3, -0.4, 0.7)).z + 0.3 * acos(0.5 * cos(hypot(q2.rotate(vec3(0.3, -0.4, 0.7)).z, 1.31)))) == 0.4 * (if atan(log_so3(q2).y) >= 0.3 { { let y17 = t; y17 * 0.80 + sin(y17) } } else { f1(x6[1], x6[1]) });
    output acc18 = der2(x6[0]);
    output place19: Vec3 = vec3(0.75, p20 * asin(0.6 * sin(t)), p20 * smooth_min(p14, t, 0.2));
    residual fit21 = vec2(p20 * ln(1.5 + sq(q2.rotate(vec3(0.3, -0.4, 0.7)).z)), p20);
    guess x6[0] = hypot(p14, 1.22);
    guess x6[1] = sin(p14);
    guess der(x6[0]) = p22 * 0.72;
    guess der(x6[1]) = p22 * p14;
    guess q2 = rot_y({ let y24 = p23; y24 * p25 + sin(y24) });
    for i in 0..3 { let s26[i] = if i == 0 { cosh(sin(x6[0])) } else { (exp(-0.2 * sq(x6[1]))) * s26[i - 1] + 0.3 * i }; }
    potential v27 = p8 * sin(s26[2]) * s26[1];
    for i in 0..2 { for j in 0..3 { let s28[i][j] = match j { 0 => (x6[1]), _ => sin(s28[i][j - 1]) + i * (recip(1.2 + sq(q2.rotate(vec3(0.3, -0.4, 0.7)).z))) }; } }
    cost = s28[1][2] * s28[0][1];
}
}
