ode_model::model! {
    pub struct P<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        sub motor: DcMotor<T> with { r: 0.5 };
        bind motor.v = x;
        force d on x = motor.tau;
    }
}

fn main() {}
