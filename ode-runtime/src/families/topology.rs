//! Where the unknowns of each element are among those of the whole, and the patterns that follow.

use std::sync::OnceLock;
use std::vec::Vec;

use crate::families::blocks::{Blocks, Kind};
use crate::families::columns::{Columns, Field};
use crate::families::derived::{Derived, Partials};
use crate::families::error::FamilyError;
use crate::families::figures::figures;
use crate::families::names;
use crate::families::part::{Standing, tuple};
use crate::families::placed::Part;
use crate::families::spec::{FieldSpec, InputSpec, Outputs, ParamSpec, PartSpec};
use crate::families::units::Shown;
use crate::model::layout::{Event, Layout, Order, RowKind};
use crate::model::observable::Units;
use crate::model::picture::Figure;
use crate::model::sensitive::Turning;

/// The unknowns of a model made of elements.
///
/// Order of q, v and z: fields in their order, member by member. Order of the constraint rows: parts in their order,
/// member by member.
#[derive(Clone, Debug)]
pub struct Topology {
    name: &'static str,
    pub(super) u: &'static [&'static str],
    pub(super) inputs: Vec<InputSpec>,
    shares_inputs: bool,
    pub(super) modes: Vec<InputSpec>,
    mode_names: Vec<&'static str>,
    events: Vec<Event<'static>>,
    order: Order,
    constant_mass: bool,
    rheonomic: bool,
    q: Vec<&'static str>,
    v: Vec<&'static str>,
    z: Vec<&'static str>,
    directions: Vec<&'static str>,
    steps: Vec<&'static str>,
    constraints: Vec<&'static str>,
    multipliers: Vec<&'static str>,
    row_kinds: Vec<RowKind>,
    rotations: Vec<(usize, usize)>,
    turnings: Vec<Turning>,
    algebraic: usize,
    laws: Columns,
    /// exact starts of positions, and of velocities, with their Jacobians
    starts: [Vec<&'static str>; 2],
    start_jacobians: [Columns; 2],
    mass: Columns,
    jacobian: Columns,
    pub(super) tangent: Columns,
    /// where the tangent has the rates of states: the diagonal of z
    pub(super) diagonal: Vec<u32>,
    /// nonzeros of the tangent that no element writes
    pub(super) unwritten: Vec<u32>,
    pub(super) fields: Vec<Field>,
    pub(super) parts: Vec<Part>,
    /// the blocks of fields, and then those of the constraints of parts
    pub(super) kinds: Vec<Kind>,
    outputs: Vec<&'static str>,
    pub(super) limits: &'static [&'static str],
    pub(super) costs: Vec<&'static str>,
    pub(super) squares: Vec<&'static str>,
    pub(super) field_specs: Vec<FieldSpec>,
    pub(super) params: Vec<ParamSpec>,
    /// made when they are first asked for: most runs do not need them
    pub(super) derived: OnceLock<Derived>,
    pub(super) varied: OnceLock<Partials>,
    pub(super) shown: OnceLock<Shown>,
    figures: OnceLock<Vec<Figure<&'static str>>>,
}

impl Topology {
    /// The topology of these inputs, modes, fields, parameters and parts.
    ///
    /// # Errors
    /// A tuple that names a member which does not exist, or the same one twice; more unknowns than 32 bits can count.
    pub fn new(
        name: &'static str,
        [inputs, modes]: [&[InputSpec]; 2],
        fields: &[FieldSpec],
        params: &[ParamSpec],
        parts: Vec<PartSpec>,
    ) -> Result<Self, FamilyError> {
        let names = |specs: &[InputSpec]| {
            let mut all = Vec::new();
            for spec in specs {
                names::extend(&mut all, spec.names.iter().copied(), names::alone(spec.members));
            }
            all
        };
        let mut of = Self {
            name,
            u: names::list(names(inputs)),
            inputs: inputs.to_vec(),
            shares_inputs: inputs.iter().flat_map(|input| input.names).all(|name| !names::is_template(name)),
            modes: modes.to_vec(),
            mode_names: names(modes),
            events: Vec::new(),
            order: parts.first().map_or(Order::Second, |part| part.form.layout.order),
            constant_mass: parts.iter().all(|part| part.form.layout.constant_mass),
            rheonomic: parts.iter().any(|part| part.form.layout.rheonomic),
            q: Vec::new(),
            v: Vec::new(),
            z: Vec::new(),
            directions: Vec::new(),
            steps: Vec::new(),
            constraints: Vec::new(),
            multipliers: Vec::new(),
            row_kinds: Vec::new(),
            rotations: Vec::new(),
            turnings: Vec::new(),
            algebraic: 0,
            laws: Columns::default(),
            starts: Default::default(),
            start_jacobians: Default::default(),
            mass: Columns::default(),
            jacobian: Columns::default(),
            tangent: Columns::default(),
            diagonal: Vec::new(),
            unwritten: Vec::new(),
            fields: Vec::new(),
            parts: Vec::new(),
            kinds: Vec::new(),
            outputs: Vec::new(),
            limits: &[],
            costs: Vec::new(),
            squares: Vec::new(),
            field_specs: fields.to_vec(),
            params: params.to_vec(),
            derived: OnceLock::new(),
            varied: OnceLock::new(),
            shown: OnceLock::new(),
            figures: OnceLock::new(),
        };
        for field in fields {
            of.field(field);
        }
        let mut limits = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let (form, rows) = (&part.form, part.row_blocks(number));
            let first = |count: usize| (0..count).map(|member| tuple(&part.tuples, part.width, member));
            let tuples = || first(part.members);
            names::extend(&mut of.constraints, form.constraints.iter().copied(), first(rows));
            names::extend(&mut of.multipliers, form.multipliers.iter().map(|(name, _)| *name), first(rows));
            for (all, own) in of.starts.iter_mut().zip(form.starts) {
                names::extend(all, own.iter().copied(), tuples());
            }
            names::extend(&mut limits, form.limits.iter().copied(), tuples());
            names::extend(&mut of.squares, form.squares.iter().copied(), tuples());
            let mut events = Vec::new();
            names::extend(&mut events, form.events.iter().copied(), tuples());
            let known = form.layout.events.iter().cycle();
            of.events.extend(events.into_iter().zip(known).map(|(name, event)| Event { name, ..*event }));
            of.costs.extend(form.costs);
            for output in form.outputs.iter().filter(|_| form.shown != Outputs::Sum) {
                names::extend(&mut of.outputs, output.iter().map(|(name, _)| *name), tuples());
            }
            let kinds = |_| (0..form.constraints.len()).map(|row| form.layout.kind(row));
            of.row_kinds.extend((0..rows).flat_map(kinds));
        }
        of.limits = names::list(limits);
        of.place(parts)?;
        Ok(of)
    }

    fn field(&mut self, field: &FieldSpec) {
        let (first_q, first_v, first_z) = (self.q.len(), self.v.len(), self.z.len());
        names::extend(&mut self.q, field.q.iter().copied(), names::alone(field.members));
        names::extend(&mut self.v, field.v.iter().copied(), names::alone(field.members));
        names::extend(&mut self.z, field.z.iter().copied(), names::alone(field.members));
        names::extend(&mut self.directions, field.directions.iter().copied(), names::alone(field.members));
        names::extend(&mut self.steps, field.steps.iter().copied(), names::alone(field.members));
        for member in 0..field.members {
            let first = first_q + member * field.q.len();
            self.rotations.extend(field.rotations.iter().map(|&(at, len)| (first + at, len)));
            let first = first_v + member * field.v.len();
            self.turnings.extend(field.turnings.iter().map(|turning| turning.after(first)));
        }
        self.algebraic += if field.algebraic { field.members * field.z.len() } else { 0 };
        // states follow all velocities
        let (unknowns, first_unknown) = (field.v.len() + field.z.len(), first_v + first_z);
        self.fields.push(Field { members: field.members, first_q, first_v, first_z, unknowns, first_unknown });
    }

    /// Gives each part its rows and the places of its nonzeros.
    fn place(&mut self, specs: Vec<PartSpec>) -> Result<(), FamilyError> {
        let (nv, nz, nc) = (self.v.len(), self.z.len(), self.constraints.len());
        FamilyError::fits(self.name, nv + nz + nc + self.starts.iter().map(Vec::len).sum::<usize>())?;
        let (mut first_row, mut first_start, mut first_output, mut first_sum) = (0, [0; 2], 0, 0);
        let mut standing: Vec<Standing<'_>> = Vec::new();
        for (part, spec) in specs.iter().enumerate() {
            // the rows of an earlier part, or those that are next
            let shared = spec.form.shared.and_then(|owner| standing.get(owner)).map(|owner| owner.first_row);
            standing.push(Standing::new(
                self.name,
                spec,
                &self.fields,
                (&self.params, [&self.inputs, &self.modes]),
                (shared.unwrap_or(first_row), first_start),
            )?);
            first_row += spec.row_blocks(part) * spec.form.constraints.len();
            first_start.iter_mut().zip(spec.form.starts).for_each(|(first, own)| *first += spec.members * own.len());
        }
        let lower = |(row, column): (u32, u32)| (row.max(column), row.min(column));
        let entries = |pattern: &dyn Fn(&Standing<'_>) -> Vec<(u32, u32)>| standing.iter().flat_map(pattern).collect();
        let mass =
            |s: &Standing<'_>| s.entries(s.spec.form.layout.mass, None).into_iter().map(lower).collect::<Vec<_>>();
        let jacobian = |s: &Standing<'_>| s.entries(s.spec.form.layout.jacobian, Some((s.first_row, s.stride())));
        let start = |s: &Standing<'_>, level: usize| {
            let Layout { init_position_jacobian, init_velocity_jacobian, .. } = s.spec.form.layout;
            let pattern = [init_position_jacobian, init_velocity_jacobian][level];
            s.entries(pattern, Some((s.first_start[level], pattern.rows)))
        };
        self.mass = Columns::of(nv, nv, entries(&mass));
        self.jacobian = Columns::of(nc, nv, entries(&jacobian));
        self.start_jacobians = [0, 1].map(|k| Columns::of(self.starts[k].len(), nv, entries(&|s| start(s, k))));
        let first_law = nv + nz - self.algebraic;
        let law = |s: &Standing<'_>| s.laws(first_law);
        self.laws = Columns::of(self.algebraic, self.algebraic, entries(&law));
        let mut blocks = Blocks::new(&self.fields, &specs, nv, nz);
        standing.iter().enumerate().for_each(|(part, s)| blocks.couple(s, part));
        self.tangent = blocks.columns(self.name, nv + nz + nc)?;
        self.diagonal =
            (nv..nv + nz - self.algebraic).map(|state| self.tangent.place((state as u32, state as u32))).collect();
        let mut placed = Vec::new();
        for (part, s) in standing.iter().enumerate() {
            let (mass, jacobian) = (self.mass.places(mass(s)), self.jacobian.places(jacobian(s)));
            let starts = [0, 1].map(|level| self.start_jacobians[level].places(start(s, level)));
            let laws = self.laws.places(law(s));
            let rows = (s.first_row, s.stride(), s.owner(part));
            placed.push((rows, s.first_start, mass, jacobian, (starts, laws), blocks.incident(s, part)));
        }
        let mut of_parts = [0; 4];
        for ((rows, first_start, mass, jacobian, (starts, laws), incident), spec) in placed.into_iter().zip(specs) {
            let first = if spec.form.shown == Outputs::Sum { &mut first_sum } else { &mut first_output };
            let (first_output, outputs) = (*first, spec.outputs());
            *first += outputs;
            let form = &spec.form;
            let all = |names: &[&str]| names.len() * spec.members;
            let asked = [all(form.limits), form.costs.len(), all(form.squares), all(form.events)];
            let first_asked = of_parts;
            of_parts.iter_mut().zip(asked).for_each(|(before, asked)| *before += asked);
            let (first_row, stride, owner) = rows;
            self.parts.push(Part {
                spec,
                first_row,
                stride,
                owner,
                first_start,
                first_output,
                first_asked,
                mass,
                jacobian,
                starts,
                laws,
                incident,
            });
        }
        self.unwritten = blocks.unwritten(&self.tangent.starts);
        self.kinds = blocks.kinds;
        Ok(())
    }

    /// Names, sizes and patterns of the whole.
    pub fn layout(&self) -> Layout<'_> {
        Layout {
            name: self.name,
            q: &self.q,
            v: &self.v,
            directions: &self.directions,
            steps: &self.steps,
            z: &self.z,
            algebraic: self.algebraic,
            algebraic_jacobian: self.laws.pattern(),
            u: self.u,
            outputs: &self.outputs,
            modes: &self.mode_names,
            events: &self.events,
            constraints: &self.constraints,
            multipliers: &self.multipliers,
            kinds: &self.row_kinds,
            init_position: &self.starts[0],
            init_velocity: &self.starts[1],
            init_position_jacobian: self.start_jacobians[0].pattern(),
            init_velocity_jacobian: self.start_jacobians[1].pattern(),
            mass: self.mass.pattern(),
            jacobian: self.jacobian.pattern(),
            tangent: self.tangent.pattern(),
            order: self.order,
            constant_mass: self.constant_mass,
            rheonomic: self.rheonomic,
        }
    }

    /// See [`Sensitive::cost_names`](crate::Sensitive::cost_names).
    pub fn costs(&self) -> &[&'static str] {
        &self.costs
    }

    /// See [`Optimizable::square_names`](crate::Optimizable::square_names).
    pub fn squares(&self) -> &[&'static str] {
        &self.squares
    }

    /// See [`System::rotations`](crate::System::rotations).
    pub fn rotations(&self) -> &[(usize, usize)] {
        &self.rotations
    }

    /// See [`Sensitive::turnings`](crate::Sensitive::turnings).
    pub fn turnings(&self) -> &[Turning] {
        &self.turnings
    }

    /// The first numbers of a field in q, v and z.
    pub fn first(&self, field: usize) -> [usize; 3] {
        self.fields.get(field).map_or([0; 3], |field| [field.first_q, field.first_v, field.first_z])
    }

    /// The units of the whole, with what is the same in its parts.
    pub fn units(&self, common: Units<'static>) -> Units<'_> {
        let Shown { q, v, a, z, u, modes, multipliers, outputs, .. } = self.shown();
        Units { q, v, a, z, u, modes, multipliers, y: outputs, ..common }
    }

    /// The declared unit of each parameter, and its value in SI.
    pub fn parameter_units(&self) -> &[(&'static str, f64)] {
        &self.shown().parameters
    }

    /// What all members show, part by part.
    pub fn figures(&self) -> &[Figure<&'static str>] {
        self.figures.get_or_init(|| figures(&self.parts))
    }

    fn shown(&self) -> &Shown {
        self.shown.get_or_init(|| Shown::of(&self.field_specs, [&self.inputs, &self.modes], &self.params, &self.parts))
    }

    /// Has each element all inputs, because none is of members?
    pub(super) fn shares_inputs(&self) -> bool {
        self.shares_inputs
    }
}
