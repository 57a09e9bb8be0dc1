//! What members and their ensemble have in common.

use crate::integrators::WideMethod;
use crate::integrators::method::Method;
use crate::model::system::System;
use crate::numbers::wide::Wide;
use crate::solve::wide_model::WideModel;

/// A number of one member.
pub(super) type Lane<S> = <<S as System>::Real as Wide>::Lane;
/// Inputs of one member.
pub(super) type Inputs<S> = <<S as WideModel>::Single as System>::U;

/// A method that makes the steps of the members of an ensemble, together and alone.
pub trait Together<S: WideModel>: WideMethod<S::Real, Wide: Method<S>> + Method<S::Single> {}

impl<S: WideModel, M: WideMethod<S::Real, Wide: Method<S>> + Method<S::Single>> Together<S> for M {}
