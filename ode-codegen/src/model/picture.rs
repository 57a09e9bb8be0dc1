//! What a model looks like: figures given by numbers.

use crate::expr::Node;

/// `show`: a figure of the model's picture.
#[derive(Clone)]
pub struct Figure {
    /// the item's name, with what it is inside of
    pub name: String,
    /// what is drawn
    pub form: Form,
    /// its points have three coordinates
    pub space: bool,
    /// red, green and blue
    pub color: Option<[u8; 3]>,
    /// the numbers of the form, in its order; may depend on all that an output may depend on
    pub value: Vec<Node>,
}

/// What is drawn. A pose is a point with a direction: (x, y, cos, sin) in the plane, (x, y, z, w, x, y, z) with a unit
/// quaternion in space. Lengths are in metres.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// a dot of a fixed size: a point
    Point,
    /// two points
    Line,
    /// points
    Polyline,
    /// points of a closed surface
    Polygon,
    /// two points
    Spring,
    /// the outline of a disc: a point or a pose, and a radius
    Circle {
        /// a pose rather than a point
        turns: bool,
    },
    /// a point or a pose, and a radius; in space about the z axis of the pose
    Disc {
        /// a pose rather than a point
        turns: bool,
    },
    /// a point, and a vector from there
    Arrow,
    /// the pose of its middle, and its edges
    Box,
    /// a point and a radius
    Sphere,
    /// the middles of its ends, and a radius
    Cylinder,
    /// a pose; the path of a file
    Mesh(String),
    /// a point and the number to write there, with its unit
    Text(String),
}
