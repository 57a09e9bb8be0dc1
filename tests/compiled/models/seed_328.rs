ode_model::model! {
pub struct Model {
    param p17: Real [span/beat] = 0.41;
    param p16: Real [span] = 0.60;
    param p15: Real [m] = 1.24;
    param p14: Real = 0.40;
    param p12: Real [m] = 0.95;
    param p11: Real [span/beat] = -(-0.22);
    param p10: Real [span/beat] = 0.74;
    param p9: Real [beat] = 0.30;
    param p8: Real [m/s^2] = 0.22;
    param p7: Real [kg/s] = 0.99;
    param p3: Real [heft] = -(-0.50);
    unit span = 0.37 [m];
    unit heft = 2.4 [kg];
    unit beat = 0.6 [s];
    unit toil = 1.5 [heft*span^2/beat^3];
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::external::hill, gradient: ode_model_generator::external::hill_gradient, hessian: ode_model_generator::external::hill_hessian }
    coord (x1, v2): Vec3 [m];
    kinetic = 0.5 * p3 * v2.dot(v2);
    coord (x4, v5): Vec2 [m];
    kinetic = 0.5 * p3 * v5.dot(v5);
    mode m6: Real = 1.0;
    dissipation = 0.5 * p7 * sq(der(x1.y));
    gravity = vec2(0.1 * p8, -p8);
    cost = sq((cosh(sin(sqrt(1.3 + sq((t / p9))))) + (if sin((v5.y / p10)) > 0.1 && sin((v2.z / p11)) < 0.8 { recip(1.2 + sq((v2.x / p10))) } else { pchip(ode_model_generator::external::CURVE, 0.24) })));
    event event13 when x4.x * (1.4 + sin(tanh((x4.y / p12)))) <= (norm(x4)) { m6 = m6 + 1.0; }
    init x1 = vec3(p12 * p14, p15 * p14, 0.73span);
    init x4 = vec2(p15 * p14, p16 * p14);
    output out18 = match m6 { 0 => (cosh(sin(1.23))), 1 | -1 => ((sin((v2.x / p11)) + (1.1 + sq(sin((t / p9)))).powf(0.7))), _ => ((0.5 * (v2.z / p17)).powi(2)) };
}
}
