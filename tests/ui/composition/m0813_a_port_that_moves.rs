use ode_model::model;

model! {
    pub struct Slider {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        #[port]
        output rate: Real = der(x);
    }
}

fn main() {
    println!("{:?}", Slider::default());
}
