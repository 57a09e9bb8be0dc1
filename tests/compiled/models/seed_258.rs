ode_model::model! {
#[model(order = 1)]
pub struct Model {
    param p28: Real = 0.91;
    param p27: Real = 0.67;
    param p26: Real = 0.26;
    param p23: Real = 1.30;
    param p19: Real = 0.50;
    param p18: Real = 0.71;
    param p17: Real = 0.16;
    param p16: Real = 0.66;
    param p14: Real = 0.57;
    param p9: Real = 0.22;
    param p6: Real = 0.63;
    param p3: Real = 1.31;
    coord d1: S2;
    dissipation = 0.5 * p3 * der(d1).dot(der(d1));
    coord (x4, v5): Vec3;
    dissipation = 0.5 * p6 * v5.dot(v5);
    state z7: Real;
    state z8: Real;
    potential v10 = p9 * sin(cos(x4.x));
    potential  = p9;
    force force11 on (d1.dot(vec3(0.2, -0.7, 0.4)) + 0.3 * asin(0.6 * sin((x4.x + x4.x)))) = p9;
    force force12 on d1.z = p9 * (1.1 + sq(sin(sin(d1.z)))).powf(1.5);
    constraint again15: 0.8 * sqrt(1.3 + sq(asin(0.6 * sin(p14)))) == 2.0 * ((d1.z + 0.3 * max(PI / 4.0, d1.z) * tan(0.7 * cos(d1.z)))) with { redundant };
    constraint hold13: (d1.z + 0.3 * max(PI / 4.0, d1.z) * tan(0.7 * cos(d1.z))) == 0.4 * sqrt(1.3 + sq(asin(0.6 * sin(p14))));
    fix x4 along vec3(p14, p14, p14) = p16 * p14;
    der(z7) = (p17 * sin(x4.x) + p18);
    der(z8) = p19 * (1.1 + sq(sin(sin(x4.z)))).powf(-0.5);
    output pull20 = 2.0 * hold13.lambda;
    output reaction21 = x4.reaction;
    limit limit22: p16 * acos(0.5 * cos(d1.dot(vec3(0.2, -0.7, 0.4)))) in -1.5..=2.0;
    cost = sq(sin((1.1 + sq(sin((d1.dot(vec3(0.2, -0.7, 0.4)) - 0.5 * p23)))).powf(-0.5)));
    residual fit24 = vec2(x4.y, ((p16 + 0.53) - x4.x));
    event event25 when d1.z < (recip(1.2 + sq(sin(p14)))) { stop; }
    guess x4 = vec3((p16 + p26), p26 * p27, p28);
}
}
