//! The initial state: counted against the degrees of freedom (M0601), against the constraints (M0602), and looked at
//! for directions that vanish (M0402, M0306).

use super::constraints::Structure;
use super::solve::{TOLERANCE, Unknown, Values, solve};
use crate::check::motion::seeds;
use crate::check::reports::Reports;
use crate::check::sampling::sample;
use crate::check::whole::Whole;
use crate::diagnostics::{Id, Message, Warning, location};
use crate::expr::{Graph, Node, Symbol};
use crate::model::{Hold, Level, Start};

/// Further starting points of a search, before conditions are said to contradict each other.
const TRIES: u32 = 6;

/// The state before it is made consistent: `init` and `guess` on plain coordinates, zero elsewhere.
pub(super) fn state(whole: &Whole<'_>, graph: &Graph) -> Values {
    let n = whole.declared.nv();
    let p = whole.declared.defaults().into_iter().map(|d| d.unwrap_or(f64::NAN)).collect();
    let q = whole.declared.blocks().iter().flat_map(|b| b.chart.origin()).copied().collect();
    let nz = whole.declared.states.iter().map(|z| z.declared.shape.len()).sum();
    let mut values = Values { p, q, v: vec![0.0; n], z: vec![0.0; nz] };
    for start in &whole.draft.starts.all {
        let found = graph.evaluate(&start.value, &|s| values.at(s));
        for (on, value) in start.on.iter().zip(found) {
            let slot = match graph.as_symbol(*on) {
                Some(Symbol::Q(i)) => values.q.get_mut(i as usize),
                Some(Symbol::V(i)) => values.v.get_mut(i as usize),
                Some(Symbol::Z(i)) => values.z.get_mut(i as usize),
                _ => None,
            };
            if let Some(slot) = slot {
                *slot = value;
            }
        }
    }
    values
}

/// Exact conditions of a level, as residuals.
fn exact(whole: &Whole<'_>, level: Level) -> Vec<Node> {
    let starts = whole.draft.starts.all.iter().filter(|s| s.exact && s.level == level);
    starts.flat_map(|s| s.rows.iter().copied()).collect()
}

/// M0601 for positions and for velocities, else M0602.
pub(super) fn conditions(
    whole: &Whole<'_>,
    graph: &mut Graph,
    reports: &mut Reports<'_>,
    s: &Structure,
    start: &Values,
) {
    let positions = exact(whole, Level::Position);
    let surplus = positions.len() > whole.declared.nv() - s.held;
    let rows = |level: Hold| s.rows.iter().zip(&s.levels).filter(move |(_, l)| **l == level).map(|(row, _)| *row);
    let (held, rolling): (Vec<Node>, Vec<Node>) = (rows(Hold::Position).collect(), rows(Hold::Velocity).collect());
    let all: Vec<Node> = held.iter().chain(&positions).copied().collect();
    let (mut values, met) = consistent(whole, graph, &all, start, surplus);
    if surplus && met == Some(false) {
        too_many(whole, reports, s, Level::Position, positions.len());
        return;
    }
    violated(whole, graph, reports, s, start);
    let velocities = exact(whole, Level::Velocity);
    if velocities.len() > whole.declared.nv() - s.matching.rank() && met == Some(true) {
        let seeds = seeds(graph, &whole.declared);
        let rates = graph.jvp(&held, &seeds);
        let all: Vec<Node> = rates.into_iter().chain(rolling).chain(velocities.iter().copied()).collect();
        if solve(&whole.declared.blocks(), graph, &all, Unknown::Velocity, &mut values) == Some(false) {
            too_many(whole, reports, s, Level::Velocity, velocities.len());
        }
    }
}

/// Positions that meet all conditions, if there are any. A bad guess must not produce an error, so the search starts
/// again from other places.
fn consistent(
    whole: &Whole<'_>,
    graph: &mut Graph,
    all: &[Node],
    start: &Values,
    thorough: bool,
) -> (Values, Option<bool>) {
    let mut values = start.clone();
    let met = solve(&whole.declared.blocks(), graph, all, Unknown::Position, &mut values);
    if !thorough || met != Some(false) {
        return (values, met);
    }
    for point in 0..TRIES {
        let mut values = start.clone();
        let reach = f64::from(point + 1);
        let step: Vec<f64> =
            (0..whole.declared.nv() as u32).map(|i| reach * (sample(point, Symbol::Q(i)) - 0.7)).collect();
        whole.declared.blocks().iter().for_each(|b| b.retract(&mut values.q, &step));
        if solve(&whole.declared.blocks(), graph, all, Unknown::Position, &mut values) == Some(true) {
            return (values, Some(true));
        }
    }
    (values, met)
}

fn too_many(whole: &Whole<'_>, reports: &mut Reports<'_>, s: &Structure, level: Level, count: usize) {
    let (n, rank) = (whole.declared.nv(), if level == Level::Position { s.held } else { s.matching.rank() });
    let free = n - rank;
    let exact = |start: &&Start| start.exact && start.level == level;
    let list: Vec<String> = whole
        .draft
        .starts
        .all
        .iter()
        .filter(exact)
        .map(|s| format!("{} ({})", s.label.trim_start_matches("init "), location(s.span)))
        .collect();
    let last = whole.draft.starts.all.iter().rposition(|s| exact(&s));
    let Some(tokens) = last.and_then(|i| whole.draft.starts.targets.get(i)).cloned() else { return };
    let word = if level == Level::Position { "conditions" } else { "velocities" };
    let degrees = if free == 1 { "degree" } else { "degrees" };
    let (coordinates, rows) =
        (if n == 1 { "coordinate" } else { "coordinates" }, if rank == 1 { "row" } else { "rows" });
    let message = Message::new(
        Id::M0601,
        tokens,
        format!("too many exact initial {word}: {count} `init` for {free} {degrees} of freedom"),
    )
    .note(format!("{}; {n} {coordinates} - {rank} independent constraint {rows} = {free}", list.join(", ")))
    .note("they contradict the constraints or each other at the default parameters")
    .help("change the last ones to `guess`");
    reports.report(message);
}

/// M0602: all coordinates of a row are given exactly, and do not satisfy it.
fn violated(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>, s: &Structure, start: &Values) {
    let blocks = whole.declared.blocks();
    let mut fixed: Vec<Option<usize>> = vec![None; whole.declared.nv()];
    for (k, given) in whole.draft.starts.all.iter().enumerate().filter(|(_, s)| s.exact) {
        for on in &given.on {
            let Some(Symbol::Q(i)) = graph.as_symbol(*on) else { continue };
            for block in blocks.iter().filter(|b| b.positions().contains(&(i as usize))) {
                fixed[block.velocities()].fill(Some(k));
            }
        }
    }
    for (row, pattern) in s.pattern.iter().enumerate().filter(|(row, _)| s.levels[*row] == Hold::Position) {
        let by: Option<Vec<usize>> = pattern.iter().map(|i| fixed.get(*i).copied().flatten()).collect();
        let Some(by) = by.and_then(|by| by.into_iter().max()) else { continue };
        let residual = graph.evaluate(&[s.rows[row]], &|s| start.at(s));
        let Some(residual) = residual.first().filter(|r| r.is_finite() && r.abs() > TOLERANCE) else { continue };
        if whole.allowed("inconsistent_init") {
            return;
        }
        let constraint = &whole.draft.constraints[s.owner[row]];
        let unit = if constraint.unit.is_empty() { String::new() } else { format!(" {}", constraint.unit) };
        let what = format!(
            "initial state violates constraint `{}` with the default parameters: residual {}{unit}",
            constraint.ident,
            Plain(residual.abs())
        );
        let lines = ["help: use `guess` for a coordinate that may move, or correct the value"];
        let span = whole.draft.starts.all[by].span;
        reports.warn(Warning::new(Id::M0602, span, what, &lines));
        return;
    }
}

/// A number with few digits, large or small.
struct Plain(f64);

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if (0.01..1000.0).contains(&self.0) { write!(f, "{:.2}", self.0) } else { write!(f, "{:.1e}", self.0) }
    }
}

/// M0402: a length that is zero where the run starts.
pub(super) fn lengths(whole: &Whole<'_>, graph: &Graph, reports: &mut Reports<'_>, start: &Values) {
    let mut given: Vec<Symbol> = Vec::new();
    for start in &whole.draft.starts.all {
        given.extend(start.on.iter().filter_map(|n| graph.as_symbol(*n)));
    }
    for length in &whole.notes.lengths {
        let state = |s: Symbol| matches!(s, Symbol::Q(_) | Symbol::V(_) | Symbol::Z(_));
        let known = |s: Symbol| !state(s) || given.contains(&s);
        if !graph.any_depends(&[length.square], state) || graph.any_depends(&[length.square], |s| !known(s)) {
            continue;
        }
        let value = graph.evaluate(&[length.square], &|s| start.at(s));
        if value.first() != Some(&0.0) {
            continue;
        }
        let what = format!("`{}` vanishes at the initial state given by `init`", length.text);
        let help = format!("help: `norm_eps({}, 1.0e-9)`, or `#[allow(vanishing_norm)]`", length.argument);
        let lines = ["note: its gradient is 0/0 there; the generated code returns 0", &help];
        reports.warn(Warning::new(Id::M0402, length.span, what, &lines));
    }
}

/// M0306: a row of G that is zero where the run starts.
pub(super) fn vanishing_rows(
    whole: &Whole<'_>,
    graph: &Graph,
    reports: &mut Reports<'_>,
    s: &Structure,
    start: &Values,
) {
    if whole.allowed("squared_distance") || reports.warnings().iter().any(|w| w.id == Id::M0402) {
        return;
    }
    let rows = s.jacobian.iter().enumerate().filter(|(row, _)| s.levels[*row] == Hold::Position);
    for (row, jacobian) in rows {
        let values = graph.evaluate(jacobian, &|s| start.at(s));
        if values.iter().any(|v| *v != 0.0) {
            continue;
        }
        let ident = whole.draft.constraints[s.owner[row]].ident.clone();
        let what = format!("constraint `{ident}`: its Jacobian vanishes at the initial state");
        let lines = [
            "note: a squared distance has no direction where it is zero, so consistent initialisation cannot start there",
            "help: give an `init` or `guess` away from it, or write `norm(r) == l`",
        ];
        reports.warn(Warning::new(Id::M0306, ident.span(), what, &lines));
    }
}
