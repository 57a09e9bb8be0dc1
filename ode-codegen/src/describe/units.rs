//! The unit of every scalar of a model, as text.

use crate::model::{Coordinate, Declared, Model, Space};

/// Units in SI, a text for each scalar; empty where there is none.
pub(crate) struct Units {
    /// coordinates
    pub(crate) q: Vec<String>,
    /// velocities
    pub(crate) v: Vec<String>,
    /// accelerations
    pub(crate) a: Vec<String>,
    /// first-order states
    pub(crate) z: Vec<String>,
    /// multipliers
    pub(crate) multipliers: Vec<String>,
    /// modes
    pub(crate) modes: Vec<String>,
    /// inputs
    pub(crate) u: Vec<String>,
    /// outputs
    pub(crate) y: Vec<String>,
}

impl Units {
    /// The units of everything a model declares.
    pub(crate) fn of(model: &Model) -> Self {
        let all = &model.declared;
        let rates = |order| {
            let rate = |c: &Coordinate| vec![per_seconds(&of_rate(c), order); c.rate.len()];
            all.coordinates.iter().flat_map(rate).collect()
        };
        Self {
            q: of(all.coordinates.iter().map(|c| &c.declared)),
            v: rates(1),
            a: rates(2),
            z: of(all.states.iter().map(|s| &s.declared)),
            multipliers: model.constraints.iter().flat_map(|c| vec![c.unit.clone(); c.shape.len()]).collect(),
            modes: of(all.modes.iter().map(|m| &m.declared)),
            u: of(all.inputs.iter().map(|u| &u.declared)),
            y: of(model.observed.outputs.iter().map(|y| &y.declared)),
        }
    }
}

fn of<'a>(declared: impl Iterator<Item = &'a Declared>) -> Vec<String> {
    declared.flat_map(|d| vec![own(d); d.shape.len()]).collect()
}

fn own(declared: &Declared) -> String {
    if declared.unit.is_empty() && declared.angle { "rad".to_owned() } else { declared.unit.clone() }
}

/// What moves in a second: a turn where the coordinate turns.
fn of_rate(coordinate: &Coordinate) -> String {
    if coordinate.space == Space::Flat { own(&coordinate.declared) } else { "rad".to_owned() }
}

/// A unit by one or two powers of a second.
fn per_seconds(unit: &str, order: usize) -> String {
    let power = if order == 1 { "s" } else { "s^2" };
    // Without a unit the model may have none at all.
    if unit.is_empty() { String::new() } else { format!("{unit}/{power}") }
}

/// The place of each scalar parameter among factors: what has no unit, then masses and inertias, others, and lengths
/// last, each in the order of their declaration.
pub(super) fn places(model: &Model) -> Vec<u32> {
    let kinds = model.declared.params.iter().flat_map(|p| vec![kind(&p.declared.unit); p.declared.shape.len()]);
    let kinds: Vec<u8> = kinds.collect();
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by_key(|&i| kinds[i]);
    let mut places = vec![0; kinds.len()];
    for (place, i) in order.into_iter().enumerate() {
        places[i] = place as u32;
    }
    places
}

fn kind(unit: &str) -> u8 {
    let mut factors = unit.split('*');
    let first = factors.next().unwrap_or_default();
    let length = |factor: &str| matches!(factor.split('^').next(), Some("m" | "mm" | "cm" | "km"));
    match first {
        "" => 0,
        "kg" | "g" | "t" if factors.all(length) => 1,
        _ if length(first) && factors.all(length) => 3,
        _ => 2,
    }
}
