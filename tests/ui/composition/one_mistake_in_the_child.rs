use ode_model::model;

model! {
    pub struct Wheel {
        param j: Real = 1.0;
        input drive: Real;
        coord th: Angle;
        kinetic = 0.5 * j * sq(der(th));
        force turn on th = drve;
        output rim: Real = th;
    }
}

model! {
    pub struct Cart {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        sub wheel: [Wheel; 2] with { j: 2.0 };
        bind wheel[0].drive = 0.1;
        bind wheel[1].drive = wheel[0].rim;
        constraint rolls: wheel[0].rim == x;
    }
}

fn main() {
    let cart = Cart::default();
    println!("{:?} {:?}", cart.wheel, cart::Q::<f64>::default().x());
}
