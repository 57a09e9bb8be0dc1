//! Two things at once.

/// Both, side by side where there are threads; what the first gives.
#[cfg(feature = "rayon")]
pub(crate) fn both<R: Send>(one: impl FnOnce() -> R + Send, other: impl FnOnce() + Send) -> R {
    // to hand work to the pool and wait for it takes some 10 µs, which one thread only loses
    if rayon::current_num_threads() > 1 {
        return rayon::join(one, other).0;
    }
    let result = one();
    other();
    result
}

/// Both; what the first gives.
#[cfg(not(feature = "rayon"))]
pub(crate) fn both<R>(one: impl FnOnce() -> R, other: impl FnOnce()) -> R {
    let result = one();
    other();
    result
}
