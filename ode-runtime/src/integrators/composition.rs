//! Compositions: a symmetric method of order 2 in steps of several sizes, some backward, so that errors cancel.
//!
//! # Scheme
//! A step h is made of the steps γ₁ h, γ₂ h, …, γₛ h of another method, with γ₁ + … + γₛ = 1 and γᵢ = γₛ₊₁₋ᵢ:
//!
//! | constructor | order | steps s | largest \|γ\| |
//! | --- | --- | --- | --- |
//! | [`Composition::triple_jump`] | 4 | 3 | 1.70 |
//! | [`Composition::suzuki`] | 4 | 5 | 0.66 |
//! | [`Composition::kahan_li_6`] | 6 | 9 | 0.80 |
//! | [`Composition::kahan_li_8`] | 8 | 17 | 0.61 |
//!
//! Of two compositions with the same order, the one with smaller γ has the smaller error constant and is stable for
//! larger steps.
//!
//! # Properties
//! The order above in q, v, z, a and λ, and the properties of the method that survive composition: symmetry, symplectic
//! steps, Φ = 0 and Φ̇ = 0, exactness on quadratic invariants. Some steps go backward in time. Dissipative and forced
//! motions keep the order, but damping grows in those steps, so use other methods for strong damping. Inputs are
//! evaluated at times before the step and within it. Orders above 2 need a symmetric method.
//!
//! # Needs
//! A symmetric method whose history is only a guess, and what that method needs:
//! [`StormerVerlet`](super::StormerVerlet) or [`ImplicitMidpoint`](super::ImplicitMidpoint).
//!
//! # Reference
//! E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., §II.4 and §V.3.2, (V.3.10)–(V.3.13); M.
//! Suzuki, Phys. Lett. A 146 (1990) 319–323; H. Yoshida, Phys. Lett. A 150 (1990) 262–268; W. Kahan, R.-C. Li,
//! Composition constants for raising the orders of unconventional schemes for ordinary differential equations, Math.
//! Comp. 66 (1997) 1089–1099.

use crate::error::{Cause, MethodName};
use crate::integrators::method::{Method, Proposal};
use crate::integrators::vary::{Stepped, Vary};
use crate::model::input::Inputs;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::Scalar;
use crate::solve::Acceleration;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::StateVariation;
use crate::variation::{Chain, Controls};

/// 1/(2 − 2^(1/3)), and 1 − 2 γ₁.
const TRIPLE_JUMP: [f64; 3] = [1.351_207_191_959_657_5, -1.702_414_383_919_315_3, 1.351_207_191_959_657_5];

/// 1/(4 − 4^(1/3)), and 1 − 4 γ₁.
const SUZUKI: [f64; 5] = [
    0.414_490_771_794_375_77,
    0.414_490_771_794_375_77,
    -0.657_963_087_177_503,
    0.414_490_771_794_375_77,
    0.414_490_771_794_375_77,
];

const KAHAN_LI_6: [f64; 9] = mirrored([
    0.392_161_444_007_314_1,
    0.332_599_136_789_359_43,
    -0.706_246_172_557_639_3,
    0.082_213_596_293_550_8,
    0.798_543_990_934_83,
]);

const KAHAN_LI_8: [f64; 17] = mirrored([
    0.130_202_483_088_890_07,
    0.561_162_981_775_108_4,
    -0.389_474_962_644_847_27,
    0.158_841_906_555_155_6,
    -0.395_903_894_133_237_57,
    0.184_539_640_978_315_7,
    0.258_374_387_686_322_04,
    0.295_011_723_609_310_3,
    -0.605_508_533_830_034_6,
]);

/// γ₁ … γₘ … γ₁ from γ₁ … γₘ.
const fn mirrored<const M: usize, const N: usize>(half: [f64; M]) -> [f64; N] {
    let mut all = [0.0; N];
    let mut i = 0;
    while i < M {
        all[i] = half[i];
        all[N - 1 - i] = half[i];
        i += 1;
    }
    all
}

/// A composition of steps of `method`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Composition<M> {
    /// a symmetric method of order 2
    pub method: M,
    /// γ: the steps as shares of the whole; they sum to 1
    pub shares: &'static [f64],
}

impl<M> Composition<M> {
    /// Order 4 in three steps.
    pub const fn triple_jump(method: M) -> Self {
        Self { method, shares: &TRIPLE_JUMP }
    }

    /// Order 4 in five steps, with the smaller error.
    pub const fn suzuki(method: M) -> Self {
        Self { method, shares: &SUZUKI }
    }

    /// Order 6 in nine steps.
    pub const fn kahan_li_6(method: M) -> Self {
        Self { method, shares: &KAHAN_LI_6 }
    }

    /// Order 8 in seventeen steps.
    pub const fn kahan_li_8(method: M) -> Self {
        Self { method, shares: &KAHAN_LI_8 }
    }
}

/// Scratch: the state between two steps, with the method's memory there, and the method's own scratch.
#[derive(Debug)]
pub struct Scratch<S: Solvable, H, W> {
    between: State<S>,
    memory: Option<H>,
    method: W,
}

impl<M> Composition<M> {
    /// Makes the steps; `ends` is called with where each began, its size, and what it left.
    fn parts<S: Solvable, U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, m): (&State<S>, &M::Memory),
        h: S::Real,
        w: &mut Scratch<S, M::Memory, M::Scratch>,
        next: &mut Proposal<S>,
        mut ends: impl FnMut(
            &mut Context<'_, S, U>,
            (&State<S>, &M::Memory),
            S::Real,
            &Proposal<S>,
            &mut M::Scratch,
        ) -> Result<(), Cause>,
    ) -> Result<(), Cause>
    where
        M: Method<S>,
    {
        let Scratch { between, memory, method } = w;
        between.copy_from(x);
        let memory = memory.get_or_insert_with(|| m.clone());
        memory.clone_from(m);
        for (step, &share) in self.shares.iter().enumerate() {
            if step > 0 {
                // The present rates and multipliers are the first guess of the next step.
                next.finish(&self.method, cx)?;
                next.commit(&self.method, (between, memory), method);
            }
            let h = S::Real::from_f64(share) * h;
            next.attempt(&self.method, cx, (between, memory), h, method)?;
            ends(cx, (between, memory), h, next, method)?;
        }
        next.x.t = x.t + h;
        Ok(())
    }
}

impl<S: Solvable, M: Method<S>> Method<S> for Composition<M> {
    type Memory = M::Memory;
    type Scratch = Scratch<S, M::Memory, M::Scratch>;

    const EVALUATES_START: bool = M::EVALUATES_START;

    fn name(&self) -> MethodName {
        let constructors = [
            ("Composition::triple_jump", &TRIPLE_JUMP as &[f64]),
            ("Composition::suzuki", &SUZUKI),
            ("Composition::kahan_li_6", &KAHAN_LI_6),
            ("Composition::kahan_li_8", &KAHAN_LI_8),
        ];
        let own = constructors.iter().find(|(_, shares)| *shares == self.shares);
        self.method.name().within(own.map_or("Composition", |(name, _)| name))
    }

    fn scratch(&self, system: &S) -> Self::Scratch {
        Scratch { between: State::neutral(system), memory: None, method: self.method.scratch(system) }
    }

    fn check(&self) -> Result<(), Cause> {
        let sum: f64 = self.shares.iter().sum();
        // written so that NaN is refused
        if !((sum - 1.0).abs() <= 1e-12) {
            return Err(Cause::Invalid { setting: "sum of the shares of a composition", value: sum });
        }
        self.method.check()
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        h: S::Real,
        w: &mut Self::Scratch,
        acceleration: &mut Acceleration<S>,
    ) -> Result<M::Memory, Cause> {
        let memory = self.method.restart(cx, x, h, &mut w.method, acceleration)?;
        // room for the steps, which allocate nothing
        w.memory.get_or_insert_with(|| memory.clone());
        Ok(memory)
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &M::Memory,
        h: S::Real,
        w: &mut Self::Scratch,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        self.parts(cx, (x, m), h, w, next, |_, _, _, _, _| Ok(()))
    }

    fn settles(&self) -> bool {
        self.method.settles()
    }

    fn remember(&self, _x: &State<S>, next: &State<S>, m: &mut M::Memory, w: &mut Self::Scratch) {
        let Scratch { between, memory, method } = w;
        if let Some(memory) = memory {
            m.clone_from(memory);
        }
        self.method.remember(between, next, m, method);
    }
}

/// The variations of its steps one after the other. They are made once more, since only the last of them is kept.
impl<S: Solvable + Sensitive, M: Vary<S>> Vary<S> for Composition<M> {
    type Varied<C: Chain<S>> = M::Varied<C>;

    fn begin<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        chain: &mut C,
        at: &mut StateVariation<S, C>,
    ) -> Result<M::Varied<C>, Cause> {
        self.method.begin(cx, x, chain, at)
    }

    fn vary<C: Chain<S>, U: Controls<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        (x, m): (&State<S>, &M::Memory),
        h: S::Real,
        (_made, w): (&State<S>, &mut Self::Scratch),
        chain: &mut C,
        (at, varied): (&StateVariation<S, C>, &M::Varied<C>),
    ) -> Result<Stepped<S, C, M::Varied<C>>, Cause> {
        let (mut next, mut last) = (Proposal::new(cx.system), None);
        self.parts(cx, (x, m), h, w, &mut next, |cx, from, h, next, w| {
            let at = last.as_ref().map_or((at, varied), |last: &Stepped<S, C, _>| (&last.x, &last.memory));
            last = Some(self.method.vary(cx, from, h, (&next.x, w), chain, at)?);
            Ok(())
        })?;
        last.ok_or(Cause::Invalid { setting: "sum of the shares of a composition", value: 0.0 })
    }
}
