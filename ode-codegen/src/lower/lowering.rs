//! All that generated code does: each call's plan, made short and cut, and what is data beside the kernels.

use crate::derive::Equations;
use crate::expr::{Node, Op, Partial};
use crate::model::Model;

use super::algebra::{Rearranged, rearranged};
use super::charts::motions;
use super::event::{Event, events};
use super::kernels::{Call, Plan, whole};
use super::layout::{Layout, layout};
use super::motion::Motion;
use super::newton::{Newton, newton};
use super::pattern::{Pattern, patterns};
use super::pieces::cut;
use super::prepared::Prepared;
use super::program::{Called, Kernel, Ops};
use super::record::{Record, records};
use super::schedule::{Style, Target, schedule};

/// All that generated code does.
pub struct Program {
    /// in the order of [`Call::ALL`]
    kernels: Vec<Option<Kernel>>,
    /// where the nonzeros of its matrices are
    pub patterns: Vec<Pattern>,
    /// the arrays that a user meets
    pub records: Vec<Record>,
    /// how positions move
    pub motions: Vec<Motion>,
    /// the entries of q, v and z that have a starting value
    pub guessed: [Vec<usize>; 3],
    /// those among them that have an exact one
    pub exact: [Vec<usize>; 3],
    /// what events do
    pub events: Vec<Event>,
    /// of which kind its equations are
    pub layout: Layout,
    /// what is made of the values of [`Call::NewtonStiffness`]
    pub newton: Newton,
}

impl Program {
    /// The kernel of a call, if the model has it.
    pub fn get(&self, call: Call) -> Option<&Kernel> {
        self.kernels.get(call as usize)?.as_ref()
    }

    /// All kernels, in a fixed order.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter().flatten()
    }

    /// The pattern of this name.
    pub fn pattern(&self, name: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|p| p.name == name)
    }

    /// The record of this name.
    pub fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|r| r.name == name)
    }

    /// Number of scalars of the record of this name; zero where there is none.
    pub fn len(&self, record: &str) -> usize {
        self.record(record).map_or(0, |r| r.len)
    }

    /// Number of entries of all tangent maps; each has nine.
    pub fn turns(&self) -> usize {
        9 * self.motions.iter().filter(|m| !m.turns.is_empty()).count()
    }

    /// Whether what a call solves for is trusted only where its pivots have kept their digits: with rows of
    /// constraints, whose equations nobody looks at again.
    pub fn certain(&self, call: Call) -> bool {
        matches!(call, Call::Accelerations | Call::AccelerationPartials) && self[Call::Forward].len("jacobian") > 0
    }

    /// The external functions that any kernel calls, in a fixed order.
    pub fn calls(&self) -> Vec<Called> {
        let calls: std::collections::BTreeSet<&Called> = self.kernels().flat_map(|k| &k.calls).collect();
        calls.into_iter().cloned().collect()
    }

    /// The kernels that rustc compiles in any case.
    pub fn counted(&self) -> impl Iterator<Item = &Kernel> {
        Call::ALL.iter().filter(|call| !call.is_for_few()).filter_map(|&call| self.get(call))
    }

    /// Operations of those together.
    pub fn ops(&self) -> Ops {
        let mut sum = Ops::default();
        self.counted().for_each(|kernel| sum += kernel.ops);
        sum
    }
}

impl std::ops::Index<Call> for Program {
    type Output = Kernel;

    /// The kernel of a call; an empty one if the model does not have it.
    fn index(&self, call: Call) -> &Kernel {
        static NONE: Kernel = Kernel {
            name: "",
            outputs: Vec::new(),
            inputs: Vec::new(),
            calls: Vec::new(),
            pieces: Vec::new(),
            ops: Ops { add: 0, mul: 0, div: 0, call: 0, choice: 0 },
        };
        self.get(call).unwrap_or(&NONE)
    }
}

/// Lowers the equations of a model. `branches` requests real branches, for f64 code but not for generic code.
pub(crate) fn lower(model: &Model, e: &Equations, branches: bool) -> Program {
    let style = Style { branches, packed: !model.header.options.platform_sines };
    let mut prepared = model.header.options.prepared.then(|| Prepared::new(&e.graph));
    let kernel = |&call: &Call| {
        if model.header.element && !call.is_of_elements(model.header.is_varied()) {
            return None;
        }
        let plan = call.plan(e)?;
        if call.is_for_few() && !plan.is_supplied(model) {
            return None;
        }
        Some(Straight::of(call, &plan, prepared.as_mut().filter(|_| call.is_prepared())))
    };
    let mut kernels: Vec<Option<Straight>> = Call::ALL.iter().map(kernel).collect();
    if let Some(prepared) = prepared {
        let read = kernels.iter_mut().flatten().map(|kernel| (&mut kernel.code.graph, kernel.code.outputs.as_slice()));
        let (graph, values) = prepared.numbered(read);
        let plan = Plan { graph: &graph, arrays: whole([("values", &values)]), apart: &[], in_turn: false };
        kernels[Call::Prepare as usize] = Some(Straight::of(Call::Prepare, &plan, None));
    }
    Program {
        kernels: kernels.into_iter().map(|kernel| Some(kernel?.cut(style))).collect(),
        patterns: patterns(model, e),
        records: records(model),
        motions: motions(model),
        guessed: e.starts.given.clone(),
        exact: e.starts.exact.clone(),
        events: events(model, e),
        layout: layout(model, e),
        newton: newton(e),
    }
}

impl Plan<'_> {
    /// Whether every derivative of an external function that it needs is known.
    fn is_supplied(&self, model: &Model) -> bool {
        let known = |partial: &Partial| {
            let orders = model.externals.get(partial.external.index()).and_then(|e| e.source.orders());
            orders.is_none_or(|orders| partial.order() <= orders)
        };
        let entries = self.arrays.iter().flat_map(|array| &array.entries);
        let nodes: Vec<Node> = entries.map(|(_, node)| *node).collect();
        self.graph.reach(&nodes).into_iter().all(|node| match self.graph.op(node) {
            Op::Call(callee, _) => known(self.graph.partial(callee)),
            _ => true,
        })
    }
}

/// A kernel whose statements are not ordered yet.
struct Straight {
    name: &'static str,
    /// names and lengths of the arrays that it writes
    arrays: Vec<(&'static str, usize)>,
    /// the place of each output
    targets: Vec<Target>,
    code: Rearranged,
}

impl Straight {
    fn of(call: Call, plan: &Plan<'_>, prepared: Option<&mut Prepared>) -> Self {
        let entries = plan.arrays.iter().flat_map(|a| a.entries.iter().map(|&(i, node)| ((a.name, i), node)));
        let mut entries: Vec<(Target, Node)> = entries.collect();
        if plan.in_turn {
            entries.sort_by_key(|(_, node)| node.index());
        }
        let (targets, nodes): (Vec<Target>, Vec<Node>) = entries.into_iter().unzip();
        let arrays = plan.arrays.iter().map(|array| (array.name, array.len)).collect();
        Self { name: call.name(), arrays, targets, code: rearranged(plan.graph, &nodes, plan.apart, prepared) }
    }

    fn cut(self, style: Style) -> Kernel {
        let Self { name, arrays, targets, code: Rearranged { graph, outputs, apart } } = self;
        let outputs: Vec<(Target, Node)> = targets.into_iter().zip(outputs).collect();
        cut(name, arrays, schedule(&graph, &outputs, style, &apart))
    }
}
