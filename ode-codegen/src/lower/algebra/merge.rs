//! Sums and products that have become equal are one.
//!
//! A factor that is taken out makes a product of a sum: of a stiffness both halves are the same products then.

use super::forms::{Form, Forms, Term};

/// The same outputs of forms that differ.
pub(super) fn merged(forms: &Forms) -> Forms {
    let mut merged = Forms::default();
    // of each form
    let mut terms = vec![None; forms.len()];
    for id in forms.order() {
        let at = |of: Term| terms[of.of.index()].map_or(of, |term: Term| term.signed(of.negative));
        let origin = forms.origins[id.index()];
        let term = match forms.form(id) {
            Form::Sum(all) => merged.sum(all.iter().copied().map(at).collect(), origin),
            Form::Product(factors) => {
                let factors = factors.iter().map(|&of| at(Term { of, negative: false }));
                let (factors, signs): (Vec<_>, Vec<_>) = factors.map(|term| (term.of, term.negative)).unzip();
                let negative = signs.into_iter().fold(false, |all, sign| all ^ sign);
                Term { of: merged.product(factors, origin), negative }
            }
            Form::Other(op, operands) => {
                let operands = operands.iter().copied().map(at).collect();
                Term { of: merged.id(Form::Other(*op, operands), origin), negative: false }
            }
        };
        terms[id.index()] = Some(term);
    }
    let at = |of: &Term| terms[of.of.index()].map_or(*of, |term| term.signed(of.negative));
    merged.outputs = forms.outputs.iter().map(at).collect();
    merged.set_apart(forms.apart.iter().map(at).collect());
    merged
}
