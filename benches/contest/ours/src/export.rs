//! The C interface: `void name(const double *in, double *out)`.

/// Exports kernels of models, each with a workspace of its own, and `describe`, which prints what they are.
///
/// Inputs and outputs are structs of blocks of f64 in the order of C, so both are read and written in place. A model
/// stands behind a pointer that the compiler cannot follow: its parameters are read from memory, as the peers' are.
macro_rules! export {
    ($($feature:literal = $model:path { $($name:ident: $kernel:ident $(<$columns:literal>)?),* })*) => {
        $($(
            #[cfg(feature = $feature)]
            const _: () = {
                use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
                use $crate::kernels::Kernel;
                type Own = $crate::kernels::$kernel<$model $(, $columns)?>;
                static WORK: AtomicPtr<Own> = AtomicPtr::new(std::ptr::null_mut());

                #[unsafe(no_mangle)]
                extern "C" fn $name(x: &<Own as Kernel>::In, out: &mut <Own as Kernel>::Out) {
                    if WORK.load(Relaxed).is_null() {
                        WORK.store(Box::into_raw(Box::new(Own::new())), Relaxed);
                    }
                    // SAFETY: the box lives for ever, and the harness calls from one thread
                    unsafe { &mut *WORK.load(Relaxed) }.call(x, out);
                }
            };
        )*)*

        /// Prints a line for each kernel: see `describe::line`.
        #[unsafe(no_mangle)]
        extern "C" fn describe() {
            $($(
                #[cfg(feature = $feature)]
                {
                    type Own = $crate::kernels::$kernel<$model $(, $columns)?>;
                    println!("{}", $crate::describe::line::<Own>(stringify!($name), <$model>::IR));
                }
            )*)*
        }
    };
}
pub(crate) use export;
