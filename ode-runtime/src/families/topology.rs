//! Where the unknowns of each element are among those of the whole, and the patterns that follow.

use std::vec::Vec;

use crate::families::blocks::{Blocks, Incident, Kind};
use crate::families::columns::{Columns, Field};
use crate::families::error::FamilyError;
use crate::families::names;
use crate::families::part::Standing;
use crate::families::spec::{FieldSpec, PartSpec};
use crate::model::layout::{Layout, Order, RowKind};

/// A part's place among the unknowns, and where its nonzeros go.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) members: usize,
    pub(super) tuples: Vec<u32>,
    pub(super) first_row: usize,
    /// place of each nonzero of M, member by member
    pub(super) mass: Vec<u32>,
    /// of G
    pub(super) jacobian: Vec<u32>,
    /// for each block of the element, who stands in it as that
    pub(super) incident: Vec<Incident>,
}

/// The unknowns of a model made of elements.
///
/// Order of q and v: fields in their order, member by member. Order of the constraint rows: parts in their order,
/// member by member.
#[derive(Clone, Debug)]
pub struct Topology {
    name: &'static str,
    u: &'static [&'static str],
    order: Order,
    constant_mass: bool,
    rheonomic: bool,
    q: Vec<&'static str>,
    v: Vec<&'static str>,
    directions: Vec<&'static str>,
    steps: Vec<&'static str>,
    constraints: Vec<&'static str>,
    multipliers: Vec<&'static str>,
    row_kinds: Vec<RowKind>,
    rotations: Vec<(usize, usize)>,
    mass: Columns,
    jacobian: Columns,
    pub(super) tangent: Columns,
    pub(super) fields: Vec<Field>,
    pub(super) parts: Vec<Part>,
    /// the blocks of fields, and then those of the constraints of parts
    pub(super) kinds: Vec<Kind>,
}

impl Topology {
    /// The topology of these fields and parts. `u` are the names of the inputs, which each element has all.
    ///
    /// # Errors
    /// A tuple that names a member which does not exist, or the same one twice; more unknowns than 32 bits can count.
    pub fn new(
        name: &'static str,
        u: &'static [&'static str],
        fields: &[FieldSpec],
        parts: Vec<PartSpec>,
    ) -> Result<Self, FamilyError> {
        let mut of = Self {
            name,
            u,
            order: parts.first().map_or(Order::Second, |part| part.layout.order),
            constant_mass: parts.iter().all(|part| part.layout.constant_mass),
            rheonomic: parts.iter().any(|part| part.layout.rheonomic),
            q: Vec::new(),
            v: Vec::new(),
            directions: Vec::new(),
            steps: Vec::new(),
            constraints: Vec::new(),
            multipliers: Vec::new(),
            row_kinds: Vec::new(),
            rotations: Vec::new(),
            mass: Columns::default(),
            jacobian: Columns::default(),
            tangent: Columns::default(),
            fields: Vec::new(),
            parts: Vec::new(),
            kinds: Vec::new(),
        };
        for field in fields {
            of.field(field);
        }
        for part in &parts {
            let joined = |member: usize, entry: usize| {
                part.tuples.get(member * part.width + entry).map_or(member, |&joined| joined as usize)
            };
            names::extend_joined(&mut of.constraints, part.constraints, part.members, &joined);
            names::extend_joined(&mut of.multipliers, part.multipliers, part.members, &joined);
            let kinds = |_| (0..part.constraints.len()).map(|row| part.layout.kind(row));
            of.row_kinds.extend((0..part.members).flat_map(kinds));
        }
        of.place(&parts)?;
        Ok(of)
    }

    fn field(&mut self, field: &FieldSpec) {
        let (first_q, first_v) = (self.q.len(), self.v.len());
        names::extend(&mut self.q, field.q, field.members);
        names::extend(&mut self.v, field.v, field.members);
        names::extend(&mut self.directions, field.directions, field.members);
        names::extend(&mut self.steps, field.steps, field.members);
        for member in 0..field.members {
            let first = first_q + member * field.q.len();
            self.rotations.extend(field.rotations.iter().map(|&(at, len)| (first + at, len)));
        }
        self.fields.push(Field { members: field.members, first_q, first_v });
    }

    /// Gives each part its rows and the places of its nonzeros.
    fn place(&mut self, specs: &[PartSpec]) -> Result<(), FamilyError> {
        let (nv, nc) = (self.v.len(), self.constraints.len());
        FamilyError::fits(self.name, nv + nc)?;
        let mut first_row = 0;
        let mut standing = Vec::new();
        for spec in specs {
            standing.push(Standing::new(self.name, spec, &self.fields, first_row)?);
            first_row += spec.members * spec.constraints.len();
        }
        let lower = |(row, column): (u32, u32)| (row.max(column), row.min(column));
        let entries = |pattern: &dyn Fn(&Standing<'_>) -> Vec<(u32, u32)>| standing.iter().flat_map(pattern).collect();
        let mass = |s: &Standing<'_>| s.entries(s.spec.layout.mass, false).into_iter().map(lower).collect::<Vec<_>>();
        let jacobian = |s: &Standing<'_>| s.entries(s.spec.layout.jacobian, true);
        self.mass = Columns::of(nv, nv, entries(&mass));
        self.jacobian = Columns::of(nc, nv, entries(&jacobian));
        let mut blocks = Blocks::new(&self.fields, specs, nv);
        standing.iter().enumerate().for_each(|(part, s)| blocks.couple(s, part));
        self.tangent = blocks.columns(self.name, nv + nc)?;
        for (part, s) in standing.iter().enumerate() {
            let places = |columns: &Columns, entries: Vec<(u32, u32)>| {
                entries.into_iter().map(|entry| columns.place(entry)).collect::<Vec<_>>()
            };
            self.parts.push(Part {
                members: s.spec.members,
                first_row: s.first_row,
                mass: places(&self.mass, mass(s)),
                jacobian: places(&self.jacobian, jacobian(s)),
                incident: blocks.incident(s, part),
                tuples: s.spec.tuples.clone(),
            });
        }
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
            z: &[],
            algebraic: 0,
            u: self.u,
            outputs: &[],
            modes: &[],
            events: &[],
            constraints: &self.constraints,
            multipliers: &self.multipliers,
            kinds: &self.row_kinds,
            init_position: &[],
            init_velocity: &[],
            mass: self.mass.pattern(),
            jacobian: self.jacobian.pattern(),
            tangent: self.tangent.pattern(),
            order: self.order,
            constant_mass: self.constant_mass,
            rheonomic: self.rheonomic,
        }
    }

    /// See [`System::rotations`](crate::System::rotations).
    pub fn rotations(&self) -> &[(usize, usize)] {
        &self.rotations
    }

    /// The first number in q of a field, and that in v.
    pub fn first(&self, field: usize) -> (usize, usize) {
        self.fields.get(field).map_or((0, 0), |field| (field.first_q, field.first_v))
    }
}
