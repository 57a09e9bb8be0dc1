ode_model::model! {
pub struct Model<T> {
    param p29: Real = 1.00;
    param p28: Real = 0.63;
    param p23: Real = 1.42;
    param p21: Real = 1.03;
    param p20: Real = 0.58;
    param p18: Real = 0.57;
    param p15: Real = 1.40;
    param p13: Real = 0.91;
    param p12: Real = 0.71;
    param p9: Real = 0.97;
    param p6: Real = 1.43;
    param p3: Real = 1.05;
    coord (q1, w2): SO3<World>;
    kinetic = 0.5 * w2.dot(diag(p3, p3, p3) * w2);
    coord (x4, v5): Vec3;
    mass x4 = p6;
    coord (c7, w8): SO2;
    kinetic = 0.5 * p3 * sq(w8);
    algebraic y10: Real;
    let f11 = frame(vec3(p9 * 0.65, (p9 + x4.y), (x4.x + c7.rotate(vec2(p9, p9)).y)), q1);
    potential  = p12 * sin((if c7.angle < p13 { 0.55 } else { 0.38 }));
    let r14 = x4;
    kinetic = 0.5 * p6 * der(r14).dot(der(r14));
    gravity = vec3(0.2 * p15, 0.0, -p15);
    torque torque16 on f11 = vec3(p12 * { let y17 = t; y17 * c7.angle + sin(y17) }, p12, p18 * exp(-0.2 * sq(t)));
    guess x4 = vec3(p9, p9, p9);
    fix x4;
    constraint law19: y10 + 0.4 * p20 * tanh(y10) == p21;
    output out22: Real = norm_eps(f11.origin, p23);
    output out24: Real = p18;
    output acc25 = der2((x4.x + 0.3 * 0.35));
    limit limit26: x4.z * sin(w8) in -1.5..=2.0;
    cost = sq((1.1 + sq(sin(cos((log_so3(q1 * rot_x(0.3)).y + PI / 4.0))))).powf(1.5));
    residual fit27 = vec2(x4.z * sin(t), (f11.inv().origin.x - 0.27));
    require p13 > 0.01, "it is positive";
    guess x4 = vec3(p28 * p13, 1.19, p28 * p29);
}
}
