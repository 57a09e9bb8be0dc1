//! Operating points against closed forms.

mod car;
mod found;
mod models;
mod refused;
