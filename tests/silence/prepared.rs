//! A struct of parameters beside the model.
#![deny(warnings, missing_docs, clippy::all, clippy::pedantic)]

use ode_model::model;

model! {
    /// With parameters that are prepared, derived and documented.
    #[model(prepared, derive(Copy, PartialEq, PartialOrd))]
    pub struct Rod<T> {
        /// mass
        param m: Real = 1.0;
        /// length, and the word of another item
        param prepared: Real = 0.5;
        param r#type: [Real; 2] = [1.0, 2.0];
        coord th: Angle;
        kinetic = 0.5 * m * sq(prepared) * sq(der(th));
        potential = r#type[0] * r#type[1] * cos(th);
    }
}

model! {
    /// Without parameters.
    #[model(prepared)]
    pub struct Bare<T> {
        coord th: Angle;
        kinetic = 0.5 * sq(der(th));
    }
}

pub fn main() {
    let mut rod = Rod::<f64>::default();
    rod.change(|p| p.prepared = 0.25);
    let copy = rod;
    assert!(copy == rod && (copy.r#type[1] - 2.0).abs() < 1.0e-15 && (*copy) <= (*rod));
    let _ = (Bare::<f64>::default(), BareParameters::<f64>::default());
}
