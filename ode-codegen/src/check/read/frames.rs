//! Frames in space: the tree in which each is known relative to another.

use super::reader::Reader;
use crate::check::motion::seeds;
use crate::check::values::{Frame3, Rotation, Unit, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::Triple;
use crate::model;

impl Reader<'_> {
    /// Time derivatives: q̇ as the velocities say, ṫ = 1.
    pub(crate) fn rates(&mut self, nodes: Triple) -> Triple {
        let seeds = seeds(&mut self.graph, &self.declared);
        let rates = self.graph.jvp(&nodes, &seeds);
        [rates[0], rates[1], rates[2]]
    }

    /// The frame at a point with given axes.
    pub(crate) fn frame_at(&mut self, origin: Triple, unit: Unit, rotation: Rotation) -> Frame3 {
        let velocity = self.rates(origin);
        let index = self.placed(None, origin, velocity, &rotation);
        Frame3 { origin, unit, rotation, index }
    }

    /// `base * inner`: the inner frame as given in the axes of the base.
    pub(crate) fn compose(&mut self, base: &Frame3, inner: &Frame3, unit: Unit) -> Frame3 {
        // the links of the inner chain, the one nearest to its world first
        let mut links = vec![inner.index];
        while let Some(next) = links.last().and_then(|i| self.notes.frames.get(*i)).and_then(|f| f.base) {
            links.push(next);
        }
        let mut index = base.index;
        for link in links.into_iter().rev() {
            let Some(frame) = self.notes.frames.get(link).cloned() else { continue };
            let zero = self.graph.constant(0.0);
            let rotation = Rotation { matrix: frame.rotation, quaternion: [zero; 4], rate: frame.rate };
            index = self.placed(Some(index), frame.offset, frame.drift, &rotation);
        }
        let turned = self.graph.turn(&base.rotation.matrix, inner.origin);
        Frame3 {
            origin: self.graph.plus(base.origin, turned),
            unit,
            rotation: base.rotation.then(&mut self.graph, &inner.rotation),
            index,
        }
    }

    /// A frame relative to another; equal ones are one.
    fn placed(&mut self, base: Option<usize>, offset: Triple, drift: Triple, rotation: &Rotation) -> usize {
        let g = &mut self.graph;
        let (mut spin, mut velocity) = (rotation.rate, drift);
        if let Some(base) = base.and_then(|i| self.notes.frames.get(i)) {
            let along = g.turn_back(&base.rotation, base.velocity);
            let swept = g.cross(base.spin, offset);
            let carried = g.plus(along, swept);
            velocity = g.plus(carried, drift);
            let turned = g.turn_back(&rotation.matrix, base.spin);
            spin = g.plus(turned, rotation.rate);
        }
        let (rotation, rate) = (rotation.matrix, rotation.rate);
        let frame = model::Frame { base, offset, drift, rotation, rate, spin, velocity };
        if let Some(known) = self.notes.frames.iter().position(|f| *f == frame) {
            return known;
        }
        self.notes.frames.push(frame);
        self.notes.frames.len() - 1
    }

    /// `b.inv()`: the world as the frame sees it.
    pub(crate) fn inverse_frame(&mut self, frame: &Frame3) -> Frame3 {
        let rotation = frame.rotation.inverse(&mut self.graph);
        let turned = self.graph.turn(&rotation.matrix, frame.origin);
        let origin = self.graph.opposite(turned);
        self.frame_at(origin, frame.unit, rotation)
    }

    /// `a * b` of rotations or of frames; `None` where it is neither.
    pub(crate) fn composition(&mut self, e: &syn::ExprBinary, left: &Value, right: &Value) -> Option<Value> {
        match (left, right) {
            (Value::Rotation(a), Value::Rotation(b)) => Some(Value::Rotation(a.then(&mut self.graph, b))),
            (Value::Frame3(a), Value::Frame3(b)) => {
                let Some(unit) = a.unit.unify(b.unit) else {
                    let what = format!("the frames have points of different units: `{}` and `{}`", a.unit, b.unit);
                    return Some(self.wrong(Message::new(Id::M0501, e.op, what)));
                };
                Some(Value::Frame3(self.compose(a, b, unit)))
            }
            (Value::Frame3(a), Value::Rotation(b)) => {
                let here = self.graph.origin_of_space();
                let inner = self.frame_at(here, Unit::Any, b.clone());
                Some(Value::Frame3(self.compose(a, &inner, a.unit)))
            }
            (Value::Rotation(_), Value::Quantity(q)) if q.elements.len() == 3 => {
                let help = format!("write `{}.rotate({})`", text(&e.left), text(&e.right));
                let message =
                    Message::new(Id::M0508, e.op, "`*` composes rotations; it does not turn a vector").help(help);
                Some(self.wrong(message))
            }
            (Value::Frame3(_), Value::Quantity(q)) if q.elements.len() == 3 => {
                let (b, v) = (text(&e.left), text(&e.right));
                let message = Message::new(Id::M0508, e.op, "`*` composes frames; a vector is a point or a direction")
                    .help(format!("write `{b}.at({v})` for a point, `{b}.vec({v})` for a direction"));
                Some(self.wrong(message))
            }
            _ => None,
        }
    }
}
