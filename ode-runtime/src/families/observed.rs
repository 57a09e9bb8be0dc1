//! Derivatives by inputs and parameters, and the patterns of all derivatives: gather, evaluate, place.

use std::vec::Vec;

use crate::families::columns::Columns;
use crate::families::composite::{Composite, Element, OnParts};
use crate::families::derived::{
    ALL, CONSTRAINT_BY_PARAMETER, Derived, Entries, FORCE_BY_INPUT, Link, OUTPUT_JACOBIAN, Placed,
    RESIDUAL_BY_PARAMETER,
};
use crate::families::gather::{add_at, members};
use crate::families::names;
use crate::families::placing::{Member, Of};
use crate::families::spec::Outputs;
use crate::model::differentiable::{Derivatives, Differentiable};
use crate::model::layout::Block;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;

/// Rows (r, s).
const EQUATIONS: &[Of] = &[Of::Velocities, Of::States];

/// The columns of derivatives of outputs.
const OUTPUTS_BY: &[Of] = {
    use Of::{Inputs, Parameters, Rows, States, Velocities};
    &[Velocities, Velocities, States, Velocities, States, Rows, Inputs, Parameters]
};

/// The patterns of a system.
fn patterns<S: Composite>(system: &S) -> Derived {
    let topology = system.topology();
    let mut links = Links { system, of: Vec::new() };
    S::each_part(&mut links);
    let links = links.of;
    let entries = topology.parts.iter().map(|_| Default::default()).collect();
    let mut collected = Collected { system, links: &links, entries };
    S::each_part(&mut collected);
    let layout = topology.layout();
    let (nv, nz, nc) = (layout.v.len(), layout.z.len(), layout.constraints.len());
    let (nu, ny) = (layout.u.len(), layout.outputs.len());
    let mut parameter_names = Vec::new();
    for param in &topology.params {
        names::extend(&mut parameter_names, param.names.iter().copied(), names::alone(param.members));
    }
    let np = parameter_names.len();
    let sizes = [(nv + nz, nu), (nv + nz, np), (nc, np), (ny, 3 * nv + 2 * nz + nc + nu + np)];
    Derived { of: Placed::of(sizes, collected.entries), links, parameter_names }
}

/// The patterns of a system, made now if nobody asked before.
pub(super) fn derived<S: Composite>(system: &S) -> &Derived {
    system.topology().derived.get_or_init(|| patterns(system))
}

/// The outputs that read each sum.
struct Links<'a, S> {
    system: &'a S,
    of: Vec<Vec<Link>>,
}

impl<S: Composite> OnParts<S> for Links<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let Some(part) = self.system.topology().parts.get(number) else { return };
        if part.spec.form.shown == Outputs::Sum {
            self.of.resize(self.of.len() + part.spec.outputs(), Vec::new());
        }
        if part.spec.form.shown == Outputs::OfSums {
            let element = E::of(self.system, part.tuple(0));
            let of = element.derivatives();
            let first = of.output_jacobian.cols - self.of.len();
            for (nonzero, (row, column)) in of.output_jacobian.entries().enumerate() {
                if let Some(links) = column.checked_sub(first).and_then(|sum| self.of.get_mut(sum)) {
                    links.push(Link { row: part.output(0, row), nonzero });
                }
            }
        }
    }
}

/// (row, column) of each nonzero of each part.
struct Collected<'a, S> {
    system: &'a S,
    links: &'a [Vec<Link>],
    entries: Vec<Entries<ALL>>,
}

impl<S: Composite> OnParts<S> for Collected<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let topology = self.system.topology();
        let Some(part) = topology.parts.get(number).filter(|part| part.spec.members > 0) else { return };
        let Some(entries) = self.entries.get_mut(number) else { return };
        let element = E::of(self.system, part.tuple(0));
        let (of, shown) = (element.derivatives(), part.spec.form.shown);
        let direct = of.output_jacobian.cols - if shown == Outputs::OfSums { self.links.len() } else { 0 };
        for member in 0..part.spec.members {
            let member = Member { topology, part, number: member };
            let mut add = |k: usize, pattern, rows, columns| entries[k].extend(member.entries(pattern, rows, columns));
            add(FORCE_BY_INPUT, of.force_by_input, EQUATIONS, &[Of::Inputs]);
            add(RESIDUAL_BY_PARAMETER, of.residual_by_parameter, EQUATIONS, &[Of::Parameters]);
            add(CONSTRAINT_BY_PARAMETER, of.constraint_by_parameter, &[Of::Rows], &[Of::Parameters]);
            let columns = member.places(OUTPUTS_BY);
            for (row, at) in of.output_jacobian.entries().filter(|&(_, at)| at < direct) {
                let (row, column) = (part.output(member.number, row), columns[at] as u32);
                match shown {
                    Outputs::Sum => {
                        let rows = self.links.get(row).into_iter().flatten().map(|link| (link.row as u32, column));
                        entries[OUTPUT_JACOBIAN].extend(rows);
                    }
                    Outputs::Each | Outputs::OfSums => entries[OUTPUT_JACOBIAN].push((row as u32, column)),
                }
            }
        }
    }
}

/// [`Differentiable::derivatives`] of the whole.
pub fn derivatives<S: Composite>(system: &S) -> Derivatives<'_> {
    let Derived { of: Placed { columns, .. }, parameter_names, .. } = derived(system);
    let [force_by_input, residual_by_parameter, constraint_by_parameter, output_jacobian] =
        columns.each_ref().map(Columns::pattern);
    Derivatives { force_by_input, residual_by_parameter, constraint_by_parameter, output_jacobian, parameter_names }
}

/// An evaluation of each element, whose nonzeros are added at their places.
trait Evaluation {
    /// which derivatives
    const OF: &'static [usize];
    /// Evaluates an element; `patterns` are its own.
    fn of<E: Differentiable>(element: &E, at: At<'_, E>, rates: Rates<'_, E>, place: &mut dyn FnMut(usize, &[E::Real]));
}

struct Evaluated<'a, S: Composite, V> {
    system: &'a S,
    at: At<'a, S>,
    rates: Rates<'a, S>,
    out: Vec<&'a mut [S::Real]>,
    evaluation: core::marker::PhantomData<V>,
}

impl<S: Composite, V: Evaluation> OnParts<S> for Evaluated<'_, S, V> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let (topology, rates, t, out) = (self.system.topology(), self.rates, self.at.t, &mut self.out);
        let Some(places) = derived(self.system).of.places.get(number) else { return };
        members::<S, E>(self.system, number, self.at, |part, member, tuple, element, local| {
            local.take_rates(topology, part, (member, tuple), rates);
            V::of(element, local.at(t), local.rates(), &mut |k, from| {
                if let (Some(of), Some(out)) = (V::OF.get(k), out.get_mut(k)) {
                    add_at(&places[*of], member, from, out);
                }
            });
        });
    }
}

fn evaluate<'a, S: Composite, V: Evaluation>(
    system: &'a S,
    at: At<'a, S>,
    rates: Rates<'a, S>,
    _: V,
    mut out: Vec<&'a mut [S::Real]>,
) {
    out.iter_mut().for_each(|out| out.fill(S::Real::ZERO));
    let evaluation = core::marker::PhantomData::<V>;
    S::each_part(&mut Evaluated { system, at, rates, out, evaluation });
}

struct ForceByInput;

impl Evaluation for ForceByInput {
    const OF: &'static [usize] = &[FORCE_BY_INPUT];

    fn of<E: Differentiable>(
        element: &E,
        at: At<'_, E>,
        rates: Rates<'_, E>,
        place: &mut dyn FnMut(usize, &[E::Real]),
    ) {
        let mut own = E::ForceByInput::zeros(element.derivatives().force_by_input.nnz());
        element.force_by_input(at, rates, &mut own);
        place(0, own.as_ref());
    }
}

/// [`Differentiable::force_by_input`] of the whole.
pub fn force_by_input<S: Composite>(system: &S, at: At<'_, S>, rates: Rates<'_, S>, out: &mut Vec<S::Real>) {
    evaluate(system, at, rates, ForceByInput, std::vec![out.as_mut_slice()]);
}

struct ByParameter;

impl Evaluation for ByParameter {
    const OF: &'static [usize] = &[RESIDUAL_BY_PARAMETER, CONSTRAINT_BY_PARAMETER];

    fn of<E: Differentiable>(
        element: &E,
        at: At<'_, E>,
        rates: Rates<'_, E>,
        place: &mut dyn FnMut(usize, &[E::Real]),
    ) {
        let of = element.derivatives();
        let mut r = E::ResidualByParameter::zeros(of.residual_by_parameter.nnz());
        let mut phi = E::ConstraintByParameter::zeros(of.constraint_by_parameter.nnz());
        element.residual_by_parameter(at, rates, &mut r, &mut phi);
        place(0, r.as_ref());
        place(1, phi.as_ref());
    }
}

/// [`Differentiable::residual_by_parameter`] of the whole.
pub fn residual_by_parameter<S: Composite>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    r: &mut Vec<S::Real>,
    phi: &mut Vec<S::Real>,
) {
    evaluate(system, at, rates, ByParameter, std::vec![r.as_mut_slice(), phi.as_mut_slice()]);
}
