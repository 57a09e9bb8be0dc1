ode_model::model! {
    pub struct Long {
        coord x: [Real; 130];
        for i in 0..130 {
            kinetic = 0.5 * sq(der(x[i]));
        }
    }
}

fn main() {}
