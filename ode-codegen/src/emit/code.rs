//! The functions of kernels as Rust text: what they are given, their pieces and their calls.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::describe::Names;
use crate::lower::{Input, Kernel, Kind, Piece, Restore, Statement};
use crate::model::Shape;

use super::body::binding;
use super::shapes::Field;

/// How the scalar is spelled: concretely, or as the struct's type parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    /// `f64`: real branches, literal constants, fast debug builds
    Concrete,
    /// a type parameter of this name: masks and `select`
    Generic(String),
}

impl Flavour {
    /// The scalar type.
    pub(super) fn real(&self) -> &str {
        match self {
            Flavour::Concrete => "f64",
            Flavour::Generic(name) => name,
        }
    }
}

/// Writes the functions of kernels.
pub(super) struct Code<'a> {
    pub(super) flavour: &'a Flavour,
    pub(super) names: &'a Names,
    /// where the parameters stand
    pub(super) parameters: Rc<[Field]>,
    /// lengths of the input arrays
    pub(super) lengths: Lengths,
    /// the type of several right-hand sides side by side, in functions that solve for them with factors that are
    /// numbers
    pub(super) lanes: Option<String>,
    /// outputs whose entries stand in blocks
    pub(super) blocks: Rc<[Blocks]>,
    /// products that are added are one operation with the addition
    pub(super) fused: bool,
    /// short kernels are inlined in each of their calls
    pub(super) always: bool,
}

/// An output of several blocks, one behind the other.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) array: &'static str,
    /// the type of a block
    pub(super) ty: String,
    /// how many entries each has
    pub(super) len: usize,
    /// how they are reached
    pub(super) entries: &'static str,
}

/// Where a fused operation is an instruction. Elsewhere it is a call, and slow.
const FUSES: &str = "any(target_feature = \"fma\", target_arch = \"aarch64\")";

/// Lengths of the input arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) nq: usize,
    pub(super) nv: usize,
    pub(super) nz: usize,
    pub(super) modes: usize,
    pub(super) nu: usize,
    pub(super) nc: usize,
    pub(super) turns: usize,
    pub(super) rows: usize,
    pub(super) all_rows: usize,
    pub(super) columns: usize,
    pub(super) all_columns: usize,
    pub(super) prepared: usize,
    pub(super) mass: usize,
    pub(super) jacobian: usize,
    pub(super) tangent: usize,
    /// of the elimination whose functions are written
    pub(super) factor: usize,
    pub(super) unknowns: usize,
}

impl Code<'_> {
    /// The private functions of a kernel, `__{name}` and one for each of several pieces; `method` takes `&self`. Over
    /// `f64` there are two of each, for targets with fused operations and for others: rustc reads both, and compiles
    /// one. Other scalars know it themselves.
    pub(super) fn functions(&self, kernel: &Kernel, method: bool) -> String {
        let fused = |fused| Code {
            fused,
            lanes: self.lanes.clone(),
            parameters: self.parameters.clone(),
            blocks: self.blocks.clone(),
            ..*self
        };
        if *self.flavour != Flavour::Concrete {
            return fused(true).spelled(kernel, method, "");
        }
        let chosen = [false, true].map(|own| {
            let attribute = if own { format!("#[cfg({FUSES})] ") } else { format!("#[cfg(not({FUSES}))] ") };
            fused(own).spelled(kernel, method, &attribute)
        });
        let fuses = kernel.pieces.iter().flat_map(|p| &p.statements).any(|s| s.value.fuses());
        if fuses { chosen.concat() } else { fused(false).spelled(kernel, method, "") }
    }

    fn spelled(&self, kernel: &Kernel, method: bool, attribute: &str) -> String {
        let mut out = String::new();
        let doc = self.legend(kernel);
        if let [piece] = kernel.pieces.as_slice() {
            let _ = writeln!(
                out,
                "{attribute}#[doc = {doc:?}] #[inline{}] fn __{}({}) {{",
                if self.always { "(always)" } else { "" },
                kernel.name,
                self.signature(kernel, method)
            );
            out.push_str(&self.body(piece, &[]));
            out.push_str("}\n");
            return out;
        }
        let real = self.number();
        let hands_on: Vec<usize> = kernel.pieces.iter().map(|piece| piece.hands_on.len()).collect();
        let restored: Vec<Vec<Restored>> = kernel.pieces.iter().map(|piece| restored(piece, &hands_on)).collect();
        for (k, piece) in kernel.pieces.iter().enumerate() {
            let handed: String =
                restored[k].iter().map(|of| format!("s{}: &[{real}; {}], ", of.piece, of.temps.len())).collect();
            // pieces must stay apart, or rustc is quadratic again
            let _ = writeln!(
                out,
                "{attribute}#[inline(never)] fn __{}_{k}({}{handed}) -> [{real}; {}] {{",
                kernel.name,
                self.signature(kernel, method),
                hands_on[k]
            );
            out.push_str(&self.body(piece, &restored[k]));
            let temps: Vec<String> = piece.hands_on.iter().map(|t| format!("w{t}")).collect();
            let _ = writeln!(out, "[{}] }}", temps.join(", "));
        }
        let _ = writeln!(
            out,
            "{attribute}#[doc = {doc:?}] #[inline] fn __{}({}) {{",
            kernel.name,
            self.signature(kernel, method)
        );
        let target = if method { "self." } else { "Self::" };
        for (k, restored) in restored.iter().enumerate() {
            let handed: String = restored.iter().map(|of| format!(", &s{}", of.piece)).collect();
            let _ = writeln!(out, "let s{k} = {target}__{}_{k}({}{handed});", kernel.name, self.arguments(kernel));
        }
        out.push_str("}\n");
        out
    }

    /// The statements of a kernel, inlined in place of its call.
    pub(super) fn inline(&self, kernel: &Kernel) -> String {
        self.statements(kernel.pieces.iter().flat_map(|p| &p.statements))
    }

    /// Comments for a reader of the code: the cost, and the meaning of each array entry.
    fn legend(&self, kernel: &Kernel) -> String {
        let n = self.names;
        let mut text = format!("{} operations", kernel.ops.total());
        for (input, symbol, names) in [
            (Input::Q, "q", &n.q),
            (Input::V, "v", &n.v),
            (Input::Z, "z", &n.z),
            (Input::Modes, "modes", &n.modes),
            (Input::U, "u", &n.u),
            (Input::Lambda, "lambda", &n.constraints),
        ] {
            if kernel.inputs.contains(&input) {
                let _ = write!(text, "; {symbol} = ({})", names.join(", "));
            }
        }
        text
    }

    /// What the functions compute with.
    pub(super) fn number(&self) -> &str {
        self.lanes.as_deref().unwrap_or(self.flavour.real())
    }

    fn signature(&self, kernel: &Kernel, method: bool) -> String {
        let mut out = String::new();
        if method {
            out.push_str("&self, ");
        }
        for input in &kernel.inputs {
            if let Some((name, len)) = self.given(*input) {
                let real = if *input == Input::Factor { self.flavour.real() } else { self.number() };
                let _ = match len {
                    None => write!(out, "{name}: {real}, "),
                    Some(len) => write!(out, "{name}: &[{real}; {len}], "),
                };
            }
        }
        for (array, len) in kernel.outputs.iter().filter(|(_, len)| *len > 0) {
            let _ = match self.blocks(array) {
                Some(Blocks { ty, len: own, .. }) => write!(out, "{array}: &mut [{ty}; {}], ", len / own),
                None => write!(out, "{array}: &mut [{}; {len}], ", self.number()),
            };
        }
        out
    }

    /// The blocks that an output stands in.
    pub(super) fn blocks(&self, array: &str) -> Option<&Blocks> {
        self.blocks.iter().find(|blocks| blocks.array == array)
    }

    fn arguments(&self, kernel: &Kernel) -> String {
        let inputs = kernel.inputs.iter().filter_map(|i| self.given(*i)).map(|(name, _)| name);
        let outputs = kernel.outputs.iter().filter(|(_, len)| *len > 0).map(|(name, _)| *name);
        inputs.chain(outputs).collect::<Vec<_>>().join(", ")
    }

    /// An input array that a function is given: parameters, and what is prepared of them, come with `self`.
    fn given(&self, input: Input) -> Option<(&'static str, Option<usize>)> {
        self.input(input).filter(|_| input != Input::Prepared)
    }

    /// Name and length of an input array; `None` as a length for the scalar t, and no array for parameters.
    pub(super) fn input(&self, input: Input) -> Option<(&'static str, Option<usize>)> {
        let n = &self.lengths;
        Some(match input {
            Input::Time => ("t", None),
            Input::Q => ("q", Some(n.nq)),
            Input::V => ("v", Some(n.nv)),
            Input::A => ("a", Some(n.nv)),
            Input::Z => ("z", Some(n.nz)),
            Input::Zdot => ("zdot", Some(n.nz)),
            Input::Modes => ("modes", Some(n.modes)),
            Input::U => ("u", Some(n.nu)),
            Input::Lambda => ("lambda", Some(n.nc)),
            Input::Weights => ("weights", Some(4)),
            Input::Turns => ("turns", Some(n.turns)),
            Input::Adjoint => ("adjoint", Some(n.rows)),
            Input::Covector => ("covector", Some(n.all_rows)),
            Input::Direction => ("d", Some(n.columns)),
            Input::Vector => ("vector", Some(n.all_columns)),
            Input::Mass => ("mass", Some(n.mass)),
            Input::Jacobian => ("jacobian", Some(n.jacobian)),
            Input::Tangent => ("tangent", Some(n.tangent)),
            Input::Factor => ("factor", Some(n.factor)),
            Input::Rhs => ("b", Some(n.unknowns)),
            Input::Step => ("step", Some(n.nv)),
            Input::From => ("from", Some(n.nq)),
            Input::To => ("to", Some(n.nq)),
            Input::Prepared => ("prepared", Some(n.prepared)),
            Input::Parameters => return None,
        })
    }

    /// A call of a kernel, with the caller's expression for each array; arrays of length zero are left out.
    pub(super) fn call(&self, kernel: &Kernel, expression: impl Fn(&str) -> String) -> String {
        if kernel.outputs.iter().all(|(_, len)| *len == 0) {
            return String::new();
        }
        let inputs = kernel.inputs.iter().filter_map(|i| self.given(*i)).map(|(name, _)| name);
        let outputs = kernel.outputs.iter().filter(|(_, len)| *len > 0).map(|(name, _)| *name);
        let list: Vec<String> = inputs.chain(outputs).map(expression).collect();
        format!("self.__{}({});", kernel.name, list.join(", "))
    }

    /// What follows the last call for sines is read behind it: a value that is read before a call is spilled. So are
    /// factors of solutions that are kept from the way down to the way up, where each fills a register.
    fn statements<'s>(&self, statements: impl IntoIterator<Item = &'s Statement>) -> String {
        let statements: Vec<&Statement> = statements.into_iter().collect();
        let calls = |statement: &&Statement| matches!(statement.kind, Kind::Sines(_));
        let last = statements.iter().rposition(calls).map_or(0, |last| last + 1);
        let half = self.lanes.as_ref().map(|_| statements.len() / 2);
        let (before, behind) = statements.split_at(half.unwrap_or(last));
        let bound =
            |part: &[&Statement]| self.bound(|out| part.iter().for_each(|statement| self.statement(out, statement)));
        let again = if half.is_some() { "let factor = ::core::hint::black_box(factor);\n" } else { "" };
        bound(before) + again + &bound(behind)
    }

    fn body(&self, piece: &Piece, restored: &[Restored]) -> String {
        let restored = restored.iter().map(|Restored { piece, temps }| {
            binding(&format!("s{piece}"), &Shape::Vector(temps.len()), |slot, out| {
                let temp = temps[slot];
                temp.iter().for_each(|temp| out.numbered("w", *temp as usize));
                temp.is_some()
            })
        });
        restored.chain([self.statements(&piece.statements)]).collect()
    }
}

/// The values that a piece reads from an earlier one.
struct Restored {
    piece: usize,
    /// the name of what is read in each slot
    temps: Vec<Option<u32>>,
}

/// The values that a piece reads from each earlier one, of which `hands_on` has the slots.
fn restored(piece: &Piece, hands_on: &[usize]) -> Vec<Restored> {
    let mut all: Vec<Vec<Option<u32>>> = vec![Vec::new(); hands_on.len()];
    for &Restore { temp, piece: before, slot } in &piece.restores {
        if all[before].is_empty() {
            all[before] = vec![None; hands_on[before]];
        }
        all[before][slot] = Some(temp);
    }
    let all = all.into_iter().enumerate().map(|(piece, temps)| Restored { piece, temps });
    all.filter(|restored| !restored.temps.is_empty()).collect()
}
