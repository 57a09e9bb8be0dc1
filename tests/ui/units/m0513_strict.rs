ode_model::model! {
    #[model(units = strict)]
    pub struct P {
        param c_x: Real = 0.05;
        coord x: Real [m];
        coord th: Angle;
        mass x = 2kg;
        kinetic = 0.5 * 1.0kg * sq(1.0m) * sq(der(th));
        force f on x = -1.0kg / 1.0s * c_x * der(x);
    }
}

fn main() {}
