//! The unit of every scalar of a model, as text.

use crate::chart::Chart;
use crate::model::{Coordinate, Declared, Dimension, Model};

/// Units in SI, a text for each scalar; empty where there is none, or where units are not checked.
#[derive(Default)]
pub(crate) struct Units {
    /// time
    pub(crate) time: &'static str,
    /// energies
    pub(crate) energy: &'static str,
    /// powers
    pub(crate) power: &'static str,
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
    /// The units of everything a run of the model shows.
    pub(crate) fn of(model: &Model) -> Self {
        let all = &model.declared;
        let mut units = Self {
            z: of(all.states.iter().map(|s| &s.declared)),
            multipliers: model.constraints.iter().flat_map(|c| vec![c.unit.clone(); c.shape.len()]).collect(),
            modes: of(all.modes.iter().map(|m| &m.declared)),
            u: of(all.inputs.iter().map(|u| &u.declared)),
            y: of(model.observed.outputs.iter().map(|y| &y.declared)),
            ..Self::default()
        };
        if all.measured {
            (units.time, units.energy, units.power) = ("s", "J", "W");
        }
        all.coordinates.iter().for_each(|coordinate| units.add(coordinate));
        units
    }

    /// Adds a coordinate, block by block: where it turns, its positions are numbers and its velocities are turns.
    fn add(&mut self, coordinate: &Coordinate) {
        let Coordinate { declared, .. } = coordinate;
        for block in coordinate.blocks() {
            let line = block.chart == Chart::Line;
            let position = if line { own(declared) } else { String::new() };
            let rate = |times| match declared.dimension {
                Some(dimension) if line => per_seconds(dimension, turns(declared), times),
                Some(_) => per_seconds(Dimension::ONE, true, times),
                None => String::new(),
            };
            self.q.extend(vec![position; block.chart.positions()]);
            self.v.extend(vec![rate(1); block.chart.velocities()]);
            self.a.extend(vec![rate(2); block.chart.velocities()]);
        }
    }
}

fn of<'a>(declared: impl Iterator<Item = &'a Declared>) -> Vec<String> {
    declared.flat_map(|d| vec![own(d); d.shape.len()]).collect()
}

/// As it is written, if units are checked: else brackets are words of the user's.
fn own(declared: &Declared) -> String {
    match (declared.dimension, declared.unit.as_str()) {
        (None, _) | (_, "1") => String::new(),
        (Some(_), "") if declared.angle => "rad".to_owned(),
        (Some(Dimension::ONE), "") => String::new(),
        (Some(dimension), "") => dimension.to_string(),
        (Some(_), written) => written.to_owned(),
    }
}

/// Is it measured in radians, which have no dimension?
fn turns(declared: &Declared) -> bool {
    declared.angle || declared.unit.split(|c: char| !c.is_alphanumeric()).any(|name| name == "rad")
}

/// The unit of a rate, or of a rate of a rate: `m/s^2`, `rad/s`.
fn per_seconds(dimension: Dimension, turns: bool, times: usize) -> String {
    let rate = (0..times).try_fold(dimension, |rate, _| rate.div(Dimension::SECOND));
    let Some(rate) = rate.filter(|rate| *rate != Dimension::ONE) else { return String::new() };
    let text = rate.to_string();
    match text.strip_prefix('1') {
        Some(below) if turns => format!("rad{below}"),
        _ => text,
    }
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
