//! Two things at once.

/// Both, side by side where there are threads; what the first gives.
#[cfg(feature = "rayon")]
pub(crate) fn both<R: Send>(one: impl FnOnce() -> R + Send, other: impl FnOnce() + Send) -> R {
    rayon::join(one, other).0
}

/// Both; what the first gives.
#[cfg(not(feature = "rayon"))]
pub(crate) fn both<R>(one: impl FnOnce() -> R, other: impl FnOnce()) -> R {
    let result = one();
    other();
    result
}
