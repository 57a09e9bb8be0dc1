//! Values of expressions while a model is checked: scalars of the graph with a shape and a unit.

use super::space::{Frame3, Rotation};
use super::units::Unit;
use crate::expr::{Function, Graph, Node};
use crate::model::Shape;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// a mistake was reported; anything computed from it is not reported again
    Poison,
    /// a number, vector or matrix
    Quantity(Quantity),
    /// a literal array, each element with a unit of its own
    List(Vec<Value>),
    /// a planar frame
    Frame(Frame),
    /// a rotation of space
    Rotation(Rotation),
    /// a frame in space
    Frame3(Frame3),
}

/// A number, vector or matrix.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    /// scalar, vector or matrix
    pub(crate) shape: Shape,
    /// the scalars, row major
    pub(crate) elements: Vec<Node>,
    /// their unit
    pub(crate) unit: Unit,
}

/// A planar frame: a point and a direction.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// the point
    pub(crate) origin: [Node; 2],
    /// unit of the point
    pub(crate) unit: Unit,
    /// the angle of its x axis
    pub(crate) angle: Node,
    /// cosine of the angle
    pub(crate) cos: Node,
    /// sine of the angle
    pub(crate) sin: Node,
    /// rate of the angle
    pub(crate) spin: Node,
}

impl Frame {
    /// A rotation of the plane about the origin, by its cosine and sine.
    pub(crate) fn turned(g: &mut Graph, cos: Node, sin: Node, spin: Node) -> Self {
        let zero = g.constant(0.0);
        let angle = g.apply(Function::Atan2, &[sin, cos]);
        Frame { origin: [zero; 2], unit: Unit::Any, angle, cos, sin, spin }
    }
}

impl Quantity {
    /// A number.
    pub(crate) fn scalar(node: Node, unit: Unit) -> Self {
        Quantity { shape: Shape::Scalar, elements: vec![node], unit }
    }

    /// A vector.
    pub(crate) fn vector(elements: Vec<Node>, unit: Unit) -> Self {
        Quantity { shape: Shape::Vector(elements.len()), elements, unit }
    }

    /// The number, if it is one.
    pub(crate) fn as_scalar(&self) -> Option<Node> {
        match (&self.shape, self.elements.as_slice()) {
            (Shape::Scalar, [node]) => Some(*node),
            _ => None,
        }
    }
}

impl From<Quantity> for Value {
    fn from(quantity: Quantity) -> Self {
        Value::Quantity(quantity)
    }
}

impl Value {
    /// Was a mistake reported in it?
    pub(crate) fn is_poison(&self) -> bool {
        match self {
            Value::Poison => true,
            Value::List(items) => items.iter().any(Value::is_poison),
            Value::Quantity(_) | Value::Frame(_) | Value::Rotation(_) | Value::Frame3(_) => false,
        }
    }

    /// All scalars, in order. Frames and rotations have none.
    pub(crate) fn scalars(&self) -> Vec<Node> {
        match self {
            Value::Poison | Value::Frame(_) | Value::Rotation(_) | Value::Frame3(_) => Vec::new(),
            Value::Quantity(q) => q.elements.clone(),
            Value::List(items) => items.iter().flat_map(Value::scalars).collect(),
        }
    }

    /// All nodes it is made of, those of a frame too.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        match self {
            Value::Frame(f) => vec![f.origin[0], f.origin[1], f.angle],
            Value::Rotation(r) => r.matrix.to_vec(),
            Value::Frame3(f) => f.origin.iter().chain(&f.rotation.matrix).copied().collect(),
            Value::List(items) => items.iter().flat_map(Value::nodes).collect(),
            other => other.scalars(),
        }
    }

    /// All scalars with their units, in order.
    pub(crate) fn measured(&self) -> Vec<(Node, Unit)> {
        match self {
            Value::Poison | Value::Frame(_) | Value::Rotation(_) | Value::Frame3(_) => Vec::new(),
            Value::Quantity(q) => q.elements.iter().map(|n| (*n, q.unit)).collect(),
            Value::List(items) => items.iter().flat_map(Value::measured).collect(),
        }
    }

    /// Its layout; `None` for a frame, a rotation, a mistake, or an array of unequal things.
    pub(crate) fn shape(&self) -> Option<Shape> {
        match self {
            Value::Quantity(q) => Some(q.shape.clone()),
            Value::List(items) => {
                let (first, others) = items.split_first()?;
                let first = first.shape()?;
                let equal = others.iter().all(|i| i.shape().as_ref() == Some(&first));
                equal.then(|| Shape::Array(items.len(), Box::new(first)))
            }
            Value::Poison | Value::Frame(_) | Value::Rotation(_) | Value::Frame3(_) => None,
        }
    }

    /// One unit for all of it: that of the elements if they agree.
    pub(crate) fn unit(&self) -> Unit {
        match self {
            Value::Quantity(q) => q.unit,
            Value::List(items) => {
                items.iter().map(Value::unit).try_fold(Unit::Any, Unit::unify).unwrap_or(Unit::Unknown)
            }
            Value::Frame(f) => f.unit,
            Value::Frame3(f) => f.unit,
            Value::Poison | Value::Rotation(_) => Unit::Unknown,
        }
    }

    /// Its name in a message: `Vec2`, `Real`, `Frame2`.
    pub(crate) fn name(&self) -> String {
        match self {
            Value::Poison => "?".to_owned(),
            Value::Frame(_) => "Frame2".to_owned(),
            Value::Rotation(_) => "Rotation".to_owned(),
            Value::Frame3(_) => "Frame3".to_owned(),
            Value::Quantity(q) => shape_name(&q.shape),
            Value::List(items) => match (items.first(), self.shape()) {
                (Some(first), Some(_)) => format!("[{}; {}]", first.name(), items.len()),
                _ => format!("an array of {}", items.len()),
            },
        }
    }
}

/// The name of a shape in a message.
pub(crate) fn shape_name(shape: &Shape) -> String {
    match shape {
        Shape::Scalar => "Real".to_owned(),
        Shape::Vector(n @ (2 | 3)) => format!("Vec{n}"),
        Shape::Vector(n) => format!("Vec<{n}>"),
        Shape::Matrix(2, 2) => "Mat2".to_owned(),
        Shape::Matrix(3, 3) => "Mat3".to_owned(),
        Shape::Matrix(r, c) => format!("Mat<{r}, {c}>"),
        Shape::Fields(names) => match names.len() {
            2 => "SO2",
            4 if names.first() == Some(&"qw") => "S2",
            4 => "SO3",
            _ => "SE3",
        }
        .to_owned(),
        Shape::Array(n, inner) => format!("[{}; {n}]", shape_name(inner)),
    }
}

/// A value of a shape from its scalars in order.
pub(crate) fn shaped(shape: &Shape, nodes: &mut dyn Iterator<Item = Node>, unit: Unit) -> Value {
    match shape {
        Shape::Array(n, inner) => Value::List((0..*n).map(|_| shaped(inner, nodes, unit)).collect()),
        shape => {
            let elements = nodes.take(shape.len()).collect();
            Quantity { shape: shape.clone(), elements, unit }.into()
        }
    }
}
