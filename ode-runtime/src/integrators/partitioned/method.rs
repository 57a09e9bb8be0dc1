//! The role of a method by a partitioned step.

/// Implements [`Method`](crate::Method) by a partitioned step with the shares `self.shares()`.
macro_rules! partitioned {
    ($method:ident) => {
        impl<S: Solvable + Linearize> Method<S> for $method<S::Real> {
            type Memory = $crate::integrators::foresight::Foresight<S>;
            type Scratch = Partitioned<S>;

            fn name(&self) -> $crate::error::MethodName {
                $crate::error::MethodName::new(stringify!($method))
            }

            fn scratch(&self, system: &S) -> Partitioned<S> {
                Partitioned::new(system)
            }

            fn check(&self) -> Result<(), Cause> {
                self.newton.check()
            }

            fn restart<U: Inputs<S>>(
                &self,
                cx: &mut Context<'_, S, U>,
                x: &mut State<S>,
                _h: S::Real,
                w: &mut Partitioned<S>,
                _acceleration: &mut Acceleration<S>,
            ) -> Result<Self::Memory, Cause> {
                w.restart(cx, x)?;
                Ok($crate::integrators::foresight::Foresight::none(cx.system))
            }

            fn attempt<U: Inputs<S>>(
                &self,
                cx: &mut Context<'_, S, U>,
                x: &State<S>,
                m: &Self::Memory,
                h: S::Real,
                w: &mut Partitioned<S>,
                next: &mut Proposal<S>,
            ) -> Result<(), Cause> {
                w.attempt(cx, &self.newton, self.shares(), x, m, h)?;
                next.x.copy_from(&w.next);
                Ok(())
            }

            fn remember(&self, _x: &State<S>, next: &State<S>, m: &mut Self::Memory, w: &mut Partitioned<S>) {
                w.remember(next, m);
            }
        }

        #[cfg(feature = "std")]
        $crate::integrators::with_momenta::vary_without_memory!(
            $method,
            Partitioned<S>,
            |cx, method, x, h, made, w, chain, at| { w.vary(cx, method.shares(), (x, made), h, chain, at) }
        );
    };
}
pub(crate) use partitioned;
