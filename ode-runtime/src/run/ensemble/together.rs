//! What members and their ensemble have in common.

use crate::integrators::WideMethod;
use crate::integrators::method::Method;
use crate::keep::checkpoint::Checkpoint;
use crate::model::system::System;
use crate::numbers::wide::Wide;
use crate::solve::wide_model::WideModel;

/// A number of one member.
pub(super) type Lane<S> = <<S as System>::Real as Wide>::Lane;
/// Inputs of one member.
pub(super) type Inputs<S> = <<S as WideModel>::Single as System>::U;

/// Where a member is.
pub(super) type Point<S, M> = Checkpoint<<S as WideModel>::Single, <M as Method<<S as WideModel>::Single>>::Memory>;

/// Where all members are that run as one.
pub(super) type WidePoint<S, M> = Checkpoint<S, <<M as WideMethod<<S as System>::Real>>::Wide as Method<S>>::Memory>;

/// A method that makes the steps of the members of an ensemble, together and alone.
pub trait Together<S: WideModel>: WideMethod<S::Real, Wide: Method<S>> + Method<S::Single> {}

impl<S: WideModel, M: WideMethod<S::Real, Wide: Method<S>> + Method<S::Single>> Together<S> for M {}
