ode_model::model! {
pub struct Model<T> {
    param p36: Real = 1.10;
    param p35: Real = 0.17;
    param p33: Real = 0.17;
    param p26: Real = 1.26;
    param p25: Real = 0.81;
    param p24: Real = 1.10;
    param p22: Real = 0.60;
    param p21: Real = 1.18;
    param p19: Real = 0.33;
    param p18: Real = 0.67;
    param p17: Real = 0.57;
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
    force force16 on f11.at(vec3(f11.inv().origin.x, x4.z * x4.z, 1.12)) = f11.vec(vec3(p17 * exp(-0.2 * sq(t)), p18 * (0.4 * tanh(y10)).sinh(), p19));
    constraint hold20: (c7.angle + 0.3 * exp(-0.2 * sq((x4.y + 0.59)))) == 0.4 * sin(acos(0.5 * cos(c7.angle))) with { compliance: p21, relax: 0.7 * p22 };
    constraint law23: y10 + 0.4 * p24 * tanh(y10) == ((p24 - p25) + p26);
    output out27: Real = cos((1.1 + sq(sin(cos(0.63)))).powf(0.7));
    output out28: Real = 1.01;
    output pull29 = 2.0 * hold20.lambda;
    output gyro30 = f11.vec(f11.rate);
    residual fit31 = (c7.rotate(vec2(p9, 0.3 * p9)) + vec2(0.27, x4.y * sin(x4.y)));
    for i in 0..3 { let s32[i] = if i == 0 { 1.19 * p33 } else { ((0.5 * c7.angle).powi(2)) * s32[i - 1] + 0.3 * i }; }
    potential v34 = p12 * sin(s32[2]) * s32[1];
    show line = line(vec3((recip(1.2 + sq(p35)) + (q1.rotate(vec3(0.3, -0.4, 0.7)).z - 0.5 * v5.x)), smooth_sign((v5.y - 0.5 * v5.y), 0.8), recip(1.2 + sq((x4.z + x4.z)))).cross(x4), (f11.origin + vec3(p36, p36 * cos(v5.y), f11.inv().origin.x * sin(p33))));
    show path = polyline([(f11.origin + vec3(p36, p36 * cos(v5.y), f11.inv().origin.x * sin(p33))), vec3((recip(1.2 + sq(p35)) + (q1.rotate(vec3(0.3, -0.4, 0.7)).z - 0.5 * v5.x)), smooth_sign((v5.y - 0.5 * v5.y), 0.8), recip(1.2 + sq((x4.z + x4.z)))).cross(x4)], vec3((c7.rotate(vec2(p9, p9)).y * 1.03 - norm_eps(c7.rotate(vec2(p9, 0.3 * p9)), p9)), (c7.rotate(vec2(p9, p9)).y + x4.z * x4.x), c7.rotate(vec2(p9, p9)).y * asin(0.6 * sin(v5.z)))) with { color: teal };
    show pull = arrow(vec3((recip(1.2 + sq(p35)) + (q1.rotate(vec3(0.3, -0.4, 0.7)).z - 0.5 * v5.x)), smooth_sign((v5.y - 0.5 * v5.y), 0.8), recip(1.2 + sq((x4.z + x4.z)))).cross(x4), vec3((c7.rotate(vec2(p9, p9)).y * 1.03 - norm_eps(c7.rotate(vec2(p9, 0.3 * p9)), p9)), (c7.rotate(vec2(p9, p9)).y + x4.z * x4.x), c7.rotate(vec2(p9, p9)).y * asin(0.6 * sin(v5.z))));
    show text = text((f11.origin + vec3(p36, p36 * cos(v5.y), f11.inv().origin.x * sin(p33))), p12 * cos(w8));
    show cage = box(f11, vec3(f11.inv().origin.x, (p36 - f11.inv().origin.x), x4.y * 0.34));
    show wheel = disc(f11, p9);
    show rod = cylinder(vec3((recip(1.2 + sq(p35)) + (q1.rotate(vec3(0.3, -0.4, 0.7)).z - 0.5 * v5.x)), smooth_sign((v5.y - 0.5 * v5.y), 0.8), recip(1.2 + sq((x4.z + x4.z)))).cross(x4), (f11.origin + vec3(p36, p36 * cos(v5.y), f11.inv().origin.x * sin(p33))), p9);
    show ball = sphere((f11.origin + vec3(p36, p36 * cos(v5.y), f11.inv().origin.x * sin(p33))), sq(p9) / p9);
}
}
