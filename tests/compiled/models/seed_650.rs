ode_model::model! {
pub struct Model {
    param p31: Real = 1.40;
    param p28: Real = 0.46;
    param p25: Real = 0.50;
    param rows23: Mat2 = [[0.8, -0.4], [0.3, 1.1]];
    param p21: Real = 0.40;
    param p20: Real = 1.07;
    param p19: Real = 1.16;
    param p16: Real = 0.50;
    param p15: Real = 0.64;
    param p13: Real = 0.21;
    param p11: Real = 0.84;
    param p10: Real = 0.53;
    param p8: Real = 0.62;
    param p6: Real = 0.67;
    param p3: Real = 0.40;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }
    coord (x1, v2): Vec2;
    kinetic = 0.5 * p3 * v2.dot(v2);
    state z4: Real;
    state z5: Vec2;
    let f7 = frame2(x1, (x1.x + 0.4 * tan(0.7 * cos(p6))));
    body body9 on f7 { mass: p3, inertia: p10 }
    potential v12 = p11;
    spring spring14 on (x1, vec2(p8, (p8 + p13)) + vec2(3.0 * p13, -2.5 * p13)) { k: p15, damping: p16 }
    force force17 on f7.angle * (1.4 + sin(recip(1.2 + sq(1.15)))) = p11 * grip((0.4 * tanh(z5.x)).sinh());
    constraint hold18: x1.x == 0.4 * p8 * (p6 + p6) with { compliance: p19, relax: 0.7 * p20 };
    der(z4) = p21 * { let y22 = sin(x1.y); y22 * cos(v2.y) + sin(y22) };
    der(z5) = rows23.transpose() * v2;
    output out24: Real = (tanh(tanh(p25)) + grip((x1.y + v2.y)));
    output pull26 = 2.0 * hold18.lambda;
    output place27: Vec3 = vec3(norm_eps(f7.at(vec2(p8, -0.5 * p8)), p28), x1.y * grip(1.11), x1.x * max(0.31, z5.x));
    limit limit29: norm_eps(f7.at(vec2(p8, -0.5 * p8)), p13);
    event event30 when f7.angle * (1.4 + sin(sin(x1.y))) < (atan2(sin(p25), 1.4 + sq((x1.y + z5.x)))) { z4 = p31 * (0.4 * tanh(f7.angle)).sinh(); }
    guess x1 = vec2(p28, p28 * p25);
    init z4 = p31;
    init z5.y = p28 * p6;
    for i in 0..2 { for j in 0..3 { let s32[i][j] = match j { 0 => (p6), _ => sin(s32[i][j - 1]) + i * (t * f7.angle) }; } }
    cost = s32[1][2] * s32[0][1];
    coord x33: Real;
    constraint gives34: 1.5 * x33 == f7.inv().origin.y;
    potential = 0.5 * p15 * sq(x33) * (1.2 + sin(f7.angle));
    dissipation = 0.5 * p16 * sq(der(x33));
}
}
