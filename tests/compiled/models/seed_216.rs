ode_model::model! {
#[model(order = 1)]
pub struct Model<T> {
    param p30: Real = 0.92;
    param p27: Real = 1.28;
    param p25: Real = 0.45;
    param p21: Real = 0.81;
    param p19: Real = 0.48;
    param p18: Real = 1.05;
    param p17: Real = 1.13;
    param j12: SymMat3 = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.07], [-0.05, 0.07, 1.1]];
    param p11: Real = 0.43;
    param p10: Real = 0.80;
    param p7: Real = 0.91;
    param p4: Real = 1.29;
    fn f1(a: Real, b: Real) -> Real { let c = a * b; sin(c) + 1.24 * a }
    extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::external::hill, gradient: ode_model_generator::external::hill_gradient, hessian: ode_model_generator::external::hill_hessian }
    extern fn rise(x: Real) -> Real { table: ode_model_generator::external::RISE }
    coord (q2, w3): SO3;
    dissipation = 0.5 * w3.dot(diag(p4, p4, p4) * w3);
    coord (x5, v6): Vec3;
    mass x5 = p7;
    coord (q8, w9): [SO3; 2];
    dissipation = 0.5 * w9[0].dot(diag(p10, p10, p11) * w9[0]);
    dissipation = 0.5 * w9[1].dot(j12 * w9[1]);
    algebraic y13: Real;
    input u14: Real;
    input u15: Real;
    mode m16: Real = 1.0;
    potential v20 = (p17 * sqrt(1.3 + sq(p18)) + (p19 * log_so3(q2).y + (p17 + p17)));
    gravity = vec3(0.2 * p21, 0.0, -p21);
    constraint hold22: q8[1].rotate(vec3(0.3, -0.4, 0.7)).z == 0.4 * cos(cos(x5.z));
    constraint hold23: x5.x * (1.4 + sin((0.5 * q2.rotate(vec3(0.3, -0.4, 0.7)).z).powi(3))) == 0.4 * x5.x * tanh(log_so3(q8[0]).y);
    constraint law24: y13 + 0.4 * p25 * tanh(y13) == p25 * sqrt(1.3 + sq(0.25));
    output out26: Real = ln(1.5 + sq(((log_so3(q8[1] * rot_x(0.3)).y + p27) - 0.5 * cosh(sin(t)))));
    output out28: Real = x5.z;
    output pull29 = 2.0 * hold22.lambda;
    guess q2 = rot_y({ let y31 = p30; y31 * 0.21 + sin(y31) });
    output out32 = match m16 { 0 => (0.32 * p18), 1 | -1 => (f1(clamp(v6.y, -0.4, 0.9), log_so3(q8[0]).y * p30)), _ => (v6.y / (1.5 + sq(log_so3(q8[0]).y))) };
}
}
