ode_model::model! {
#[model(emit(linearized, jvp))]
pub struct Model<T> {
    param p22: Real = 0.71;
    param p20: Real = 0.79;
    param p18: Real = 0.31;
    param p15: Real = 1.25;
    param p12: Real = 1.28;
    param p11: Real = 0.84;
    param p10: Real = 0.24;
    param p8: Real = 1.21;
    param p6: Real = 1.23;
    param p3: Real = 0.36;
    coord (x1, v2): Vec2;
    kinetic = 0.5 * p3 * v2.dot(v2);
    coord x4: Angle;
    kinetic = 0.5 * p6 * sq(der(x4));
    let f7 = frame2(x1, (x1.y + 0.4 * (if x1.x < 1.16 { x1.y } else { x1.y })));
    body body9 on f7 { mass: p10, inertia: p11 }
    potential v13 = (p12 * tanh(0.34) - (p12 * f7.angle - p12 * 0.79));
    potential v14 = p12;
    let r16 = vec3(x1.y * (0.4 * tanh(x4)).sinh(), p8 * sin(p15), 1.43);
    kinetic = 0.5 * p3 * der(r16).dot(der(r16));
    spring spring17 on (x1, vec2((p8 + p8), 0.34) + vec2(3.0 * p8, -2.5 * p8)) { k: p18, rest: p8 }
    constraint roll19: v2.y * (1.3 + sin(hypot(x4, 0.90))) == (exp(-0.2 * sq(asin(0.6 * sin(f7.angle))))) * v2.x + p20 * (0.4 * tanh(p15)).sinh();
    output out21: Real = p22 * (0.5 * p15).powi(2) / (1.5 + sq(sin(f7.angle)));
    output acc23 = der2(f7.angle * (1.4 + sin(atan(0.32))));
    require p15 > 0.01, "it is positive";
    show line = line(vec2(p22 * (der(x4) - 0.5 * der(x4)), norm(x1)), acos(0.5 * cos((p15 + v2.x))) * f7.at(vec2(p8, -0.5 * p8)));
    show path = polyline([acos(0.5 * cos((p15 + v2.x))) * f7.at(vec2(p8, -0.5 * p8)), vec2(p22 * (der(x4) - 0.5 * der(x4)), norm(x1))], vec2(x1.y * sin(der(x4)), 0.94)) with { color: teal };
    show pull = arrow(vec2(p22 * (der(x4) - 0.5 * der(x4)), norm(x1)), vec2(x1.y * sin(der(x4)), 0.94));
    show text = text(acos(0.5 * cos((p15 + v2.x))) * f7.at(vec2(p8, -0.5 * p8)), p12 * { let y24 = 0.37; y24 * der(x4) + sin(y24) });
    show cage = box(frame2(vec2(p22 * (der(x4) - 0.5 * der(x4)), norm(x1)), asin(0.6 * sin(atan2(0.51, 1.4 + sq(v2.x))))), f7.at(vec2(p8, -0.5 * p8)));
    show wheel = disc(frame2(vec2(p22 * (der(x4) - 0.5 * der(x4)), norm(x1)), asin(0.6 * sin(atan2(0.51, 1.4 + sq(v2.x))))), p8);
    show ring = circle(vec2(p22 * (der(x4) - 0.5 * der(x4)), norm(x1)), p8);
}
}
