//! Models with everything inside, in a crate of edition 2018. Words that are keywords in some editions only are names
//! here, with `r#`. Each model's own test of its derivatives runs too.

use ode_model::model;

/// External functions.
pub mod outer {
    /// s²
    pub fn law(s: f64) -> f64 {
        s * s
    }
    /// its derivative
    pub fn law_grad(s: f64) -> [f64; 1] {
        [2.0 * s]
    }
    /// sin s
    pub fn dual<T: ode_model::Scalar>(s: T) -> T {
        s.sin()
    }
}

model! {
    /// A part.
    pub struct Part<T> {
        param r#gen: Real = 2.0;
        input r#try: Real;
        coord r#async: Real;
        kinetic = 0.5 * r#gen * sq(der(r#async));
        force r#await on r#async = r#try;
        residual r#yield = r#async;
        init r#async = 0.1;
        output r#type: Real = r#async;
    }
}

model! {
    /// Parts under names of words.
    pub struct Whole<T> {
        param m: Real = 1.0;
        sub r#dyn: Part<T> with { r#gen: 3.0 };
        sub pair: [Part<T>; 2];
        bind r#dyn.r#try = m;
        for i in 0..2 { bind pair[i].r#try = 2.0 * m; }
        constraint meet: pair[0].r#async == pair[1].r#async;
        residual gap = r#dyn.r#type - pair[0].r#async;
        init r#dyn.r#async = 0.3;
        guess pair[1].r#async = 0.1;
    }
}

model! {
    /// A model that is nothing but itself.
    #[model(emit(jvp, vjp, hvp, hessian), derive(PartialEq), order = 2)]
    pub struct Alone<T> {
        param m: Real = 1.0;
        param list: [Real; 3] = [1.0, 2.0, 3.0];
        coord y, w: Real;
        coord (turn, spin): SO3;
        state z: Real;
        algebraic a: Real;
        constraint law: a == sin(y);
        der(z) = m - z;
        input u: Real in -1.0..=1.0 = 0.5;
        mode on: Real = 1.0;
        kinetic = 0.5 * sq(der(y)) * m + 0.5 * sq(der(w)) + dot(spin, spin);
        force f on y = u * on - a * z;
        constraint c: y == w;
        require m > 0.0, "positive";
        event hit when y < 0.0 { der(y) = -der(y); on = 1.0 - on; }
        limit l: y in -1.0..=1.0;
        cost j = sq(y) + list[0] * list[1] * list[2];
        residual e = y;
        init y = 0.5;
        guess w = 0.5;
        output o: Real = c.lambda;
    }
}

model! {
    /// Over f64, with external functions.
    pub struct Plain {
        param m: Real = 1.0;
        coord y: Real;
        extern fn dual(s: Real) -> Real { dual: crate::outer::dual }
        extern fn law(s: Real) -> Real { value: crate::outer::law, gradient: crate::outer::law_grad }
        kinetic = 0.5 * sq(der(y)) * m;
        force f on y = dual(y) - law(y);
        init y = 0.5;
    }
}

macro_rules! chains {
    ($($(#[$doc:meta])* $vis:vis $name:ident: $n:literal, $ty:ty, $k:expr;)*) => {$(
        model! {
            $(#[$doc])*
            $vis struct $name {
                param k: $ty = $k;
                coord x: [Real; $n];
                for i in 0..$n { mass x[i] = 1.0 + $k * k; init x[i] = 0.1; }
                potential = $k * x[0] * k.powi($n);
            }
        }
    )*};
}
chains! {
    /// Two.
    pub Two: 2, Real, 1.0 + 2.0;
    /// Three.
    pub(crate) Three: 3, Real, -1.0;
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_as_written() {
        let whole = super::Whole::<f64>::builder().m(2.0).build().expect("a model");
        let row: &super::Part = &whole.r#dyn;
        assert_eq!(row.r#gen, 3.0);
        assert_eq!((super::Two::default().k, super::Three::default().k), (3.0, -1.0));
    }
}
