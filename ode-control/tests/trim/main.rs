//! Operating points against closed forms.

mod found;
mod models;
mod refused;
