use ode_model::model;

model! {
    pub struct Wheel {
        coord th: Angle;
        kinetic = 0.5 * sq(der(th));
    }
}

model! {
    pub struct Cart<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        sub wheel: Wheel;
    }
}

model! {
    pub struct Wagon<T> {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        sub oscillator: ode_model_parts::Oscillator;
        bind oscillator.base = x;
    }
}

fn main() {
    println!("{:?} {:?}", Cart::<f64>::default(), Wagon::<f64>::default());
}
