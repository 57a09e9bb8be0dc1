ode_model::model! {
#[model(branch_free)]
pub struct Model {
    param p17: Real = 0.76;
    param p15: Real = 1.35;
    param p13: Real = 0.48;
    param p11: Real = 0.53;
    param p10: Real = 1.25;
    param p8: Real = 0.19;
    param p7: Real = 0.56;
    param p3: Real = 1.37;
    extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }
    coord (x1, v2): Vec3;
    kinetic = 0.5 * p3 * v2.dot(v2);
    state z4: Real;
    input u5: Real;
    input u6: Real;
    potential  = p7 * atan2(cos(x1.z), 1.4 + sq((1.19 + 1.22)));
    potential v9 = p8;
    let r12 = vec2(x1.y * grip(x1.z), (p10 - norm_eps(x1, p11)));
    kinetic = 0.5 * p3 * der(r12).dot(der(r12));
    gravity = vec3(0.2 * p13, 0.0, -p13);
    force force14 on x1.x * (1.4 + sin(tanh(t))) = (p15 * (0.4 * tanh(v2.x)).sinh() - (p15 * 1.29 + (p15 - p15)));
    force force16 on x1.x = p15;
    der(z4) = p17 * grip((0.5 * v2.x).powi(2));
    output out18: Real = atan2(sin(u6), 1.4 + sq((t - 0.5 * u6))) * tanh(tanh(v2.x));
    cost = sq((cosh(sin((0.4 * tanh(t)).sinh())) - 0.5 * (0.5 * sin(1.34)).powi(2)));
    event event19 when x1.x < (norm_eps(x1, p11)) { stop; }
}
}
