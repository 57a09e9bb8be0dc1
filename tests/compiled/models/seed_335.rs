ode_model::model! {
pub struct Model<T> {
    param p19: Real = 0.64;
    param p13: Real = 1.38;
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
    fix x6[1] = p13 * sin(p13 / (1.5 + sq(p13)));
    constraint hold14: (q2.rotate(vec3(0.3, -0.4, 0.7)).z + 0.3 * acos(0.5 * cos(hypot(q2.rotate(vec3(0.3, -0.4, 0.7)).z, 1.31)))) == 0.4 * (if atan(log_so3(q2).y) >= 0.3 { { let y15 = t; y15 * 0.80 + sin(y15) } } else { f1(x6[1], x6[1]) });
    output acc16 = der2(x6[0]);
    output reaction17 = x6[1].reaction;
    output place18: Vec3 = vec3((p19 * 0.48 - p19 * der(x6[0])), 0.30, p19);
    event event20 when (x6[0] + 0.3 * (if (0.5 * x6[0]).powi(3) > 0.1 && sin(p13) < 0.8 { asin(0.6 * sin(q2.rotate(vec3(0.3, -0.4, 0.7)).z)) } else { asin(0.6 * sin(x6[1])) })) <= (tan(0.7 * cos(atan2(w3.y, 1.4 + sq(w3.y))))) { x6[0] = ln(1.5 + sq(atan2(x6[0], 1.4 + sq(0.20)))); der(x6[1]) = der(x6[1]) * f1(t, 1.03); }
    guess x6[1] = recip(1.2 + sq(0.31));
    guess q2 = rot_y(sin(p13));
}
}
