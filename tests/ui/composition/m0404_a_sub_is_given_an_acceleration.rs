use ode_model::model;

mod motors {
    ode_model::model! {
        pub(crate) struct Motor {
            param m: Real [kg] = 0.1;
            param k: Real [N*m/V] = 0.5;
            input v: Real [V];
            input load: Real [N*m];
            coord th: Angle;
            let torque = k * v - load;
            kinetic = 0.5 * m * sq(0.1m) * sq(der(th));
            force drive on th = torque;
            #[port]
            output angle: Angle = th;
            output tau: Real [N*m] = torque;
        }
    }
}

model! {
    pub struct Cart {
        param m: Real [kg] = 1.0;
        param r: Real [m] = 0.1;
        input volt: Real [V];
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        sub oscillator: ode_model_parts::Oscillator;
        let a = der2(x);
        bind oscillator.base = a * (1.0s * 1.0s);
    }
}

fn main() {
    let cart = Cart::default();
    println!("{} {:?}", cart.m, cart.oscillator);
}
