//! Which items and functions of the language a model uses.

use std::collections::BTreeSet;

use super::Model;

/// What is generated: its name, and words of which each shows that it is there.
const KINDS: &[(&str, &[&str])] = &[
    ("param", &["param p"]),
    ("param: Mat2, Mat3", &[": Mat2 =", ": Mat3 ="]),
    ("param: SymMat3", &[": SymMat3"]),
    ("units", &["[m]", "[kg]", "[N]", "[s]"]),
    ("unit", &["unit span"]),
    ("literals with a unit", &["5m", "0m", "1m", "2m", "3m", "4m", "6m", "7m", "8m", "9m"]),
    ("literals with an own unit", &["5span", "0span", "1span", "2span", "3span", "4span", "6span", "7span", "8span"]),
    ("freeze", &["freeze("]),
    ("coord: Real", &["): Real"]),
    ("coord: Angle", &["): Angle"]),
    ("coord: Vec2", &["): Vec2"]),
    ("coord: Vec3", &["): Vec3"]),
    ("coord: [Real; n]", &[": [Real; 2]", ": [Real; 3]"]),
    ("coord: [Angle; n]", &[": [Angle; 2]", ": [Angle; 3]"]),
    ("coord: SO2", &["): SO2"]),
    ("coord: SO3", &["): SO3;"]),
    ("coord: SO3<World>", &["): SO3<World>"]),
    ("coord: [SO3; n]", &["): [SO3"]),
    ("coord: SE3", &["): SE3"]),
    ("coord: S2", &[": S2;"]),
    ("coord: [S2; n]", &["): [S2"]),
    ("state", &["state z"]),
    ("der(z) = g", &["der(z"]),
    ("algebraic", &["algebraic y"]),
    ("mode", &["mode m"]),
    ("input", &["input u"]),
    ("input in lo..=hi", &[" in -2.0..=3.0"]),
    ("output", &["output out"]),
    ("output: Vec3", &["output place"]),
    ("show", &["show line"]),
    ("der2", &["der2("]),
    ("lambda", &[".lambda"]),
    ("reaction", &[".reaction"]),
    ("rate of a rotation", &[".rate.x", ".rate)"]),
    ("let", &["let r", "let f"]),
    ("let in a block", &["{ let y"]),
    ("fn", &["    fn f"]),
    ("extern fn, dual", &["{ dual:"]),
    ("extern fn, value", &["{ value:"]),
    ("extern fn, table", &["{ table:"]),
    ("pchip", &["pchip("]),
    ("kinetic", &["kinetic ="]),
    ("potential", &["potential v", "potential ="]),
    ("dissipation", &["dissipation ="]),
    ("mass", &["mass x"]),
    ("mass, several", &["mass (x"]),
    ("cost", &["cost ="]),
    ("residual", &["residual fit"]),
    ("force", &["force force"]),
    ("torque", &["torque torque"]),
    ("body", &["body body"]),
    ("body, com", &["com: "]),
    ("spring", &["spring spring"]),
    ("spring, rest", &[", rest:"]),
    ("spring, damping", &[", damping:"]),
    ("gravity", &["gravity ="]),
    ("coord, given by a row", &["constraint gives"]),
    ("constraint, positions", &["constraint hold", "constraint pin"]),
    ("constraint, velocities", &["constraint roll"]),
    ("constraint, algebraic", &["constraint law"]),
    ("compliance", &["compliance:"]),
    ("relax", &["{ relax:", ", relax:"]),
    ("redundant", &["{ redundant }"]),
    ("fix", &["fix x"]),
    ("fix along", &[" along "]),
    ("init", &["init x"]),
    ("init of a velocity", &["init der("]),
    ("init of a state", &["init z"]),
    ("init of a rotation", &["init q", "guess q"]),
    ("init of a point of the sphere", &["= unit(vec3(0.6,", "vec3(0.6, 0.0, -0.8)"]),
    ("guess", &["guess x"]),
    ("limit", &["limit limit"]),
    ("limit in lo..=hi", &[" in -1.5..=2.0"]),
    ("require", &["require p"]),
    ("for", &["for i in"]),
    ("let with an index", &["[i] = if i"]),
    ("let with two indices", &["[i][j] = match j"]),
    ("match on a mode", &[" = match m"]),
    ("sub", &["sub kid"]),
    ("sub: [X; n]", &[": [Part"]),
    ("with", &["> with {", "Part0 with {", "Part1 with {", "] with {"]),
    ("bind", &["bind kid"]),
    ("port", &["#[port] output port"]),
    ("port: Frame3", &[": Frame3"]),
    ("port: Frame2", &[": Frame2"]),
    ("start of a sub's coordinate", &["init kid", "guess kid"]),
    ("event", &["event event"]),
    ("event, stop", &["stop;"]),
    ("if", &["(if "]),
    ("norm", &["norm("]),
    ("frame2", &["frame2("]),
    ("frame", &["frame(vec3"]),
    ("SO3, functions", &["exp_so3(", "log_so3("]),
    ("order = 1", &["order = 1"]),
    ("emit", &["emit("]),
    ("branch_free", &["branch_free"]),
    ("prepared", &["prepared"]),
    ("over any scalar", &["Model<T>"]),
];

/// What is generated in models with sets only.
const OF_FAMILIES: &[(&str, &[&str])] = &[
    ("set", &["set nodes;"]),
    ("set of a length", &["set nodes: const 2;", "set nodes: const 3;", "set nodes: const 4;"]),
    ("set of a length of the struct", &["set nodes: const N;"]),
    ("set of neighbours", &[") = chain;"]),
    ("set of tuples that are said", &[") = [("]),
    ("subset that is said", &["set held: nodes = ["]),
    ("set of tuples", &["set edges: (nodes, nodes);"]),
    ("set of triples", &["set trios: (nodes, nodes, nodes);"]),
    ("set of tuples of two sets", &["set ties: (wheels, nodes);"]),
    ("set of tuples of tuples", &["set bends: (edges, nodes, edges);"]),
    ("subset", &["set held: nodes;"]),
    ("family: param", &["[nodes]: Real", "[edges]: Real"]),
    ("family: param, Vec3", &["]: Vec3 [m] = vec3"]),
    ("family: coord, Real", &[")[nodes]: Real"]),
    ("family: coord, Angle", &["[nodes]: Angle"]),
    ("family: coord, Vec2", &["[nodes]: Vec2"]),
    ("family: coord, Vec3", &[")[nodes]: Vec3"]),
    ("family: coord, SO2", &["[nodes]: SO2"]),
    ("family: coord, SO3", &["[nodes]: SO3"]),
    ("family: coord, SE3", &["[nodes]: SE3"]),
    ("family: coord, S2", &["[nodes]: S2"]),
    ("family: coord over tuples", &[")[edges]:"]),
    ("for i in a set", &["for i in nodes"]),
    ("for e in a set of tuples", &["for e in edges"]),
    ("for (i, j)", &["for (i, j) in edges"]),
    ("for e @ (i, j)", &["for e @ (i, j) in edges"]),
    ("for e @ i", &["for e @ i in held"]),
    ("for i in a subset", &["for i in held"]),
    ("family: state", &["state z"]),
    ("family: algebraic", &["        constraint law"]),
    ("balance in a loop", &["        balance y"]),
    ("share of a rate in a loop", &[") += ", ") -= "]),
    ("constraint over sums", &[": 2.0 * sum(", " == -(sum("]),
    ("family: algebraic, Vec2", &[" + vec2(0.4"]),
    ("exact start of a member", &["        init x"]),
    ("exact start of a member's velocity", &["        init der(x"]),
    ("exact start of what is joined", &["        init ("]),
    ("start of a sub's state", &["        init kid"]),
    ("family: input", &["[nodes]: Real;", "[edges]: Real;"]),
    ("output in a loop", &["        output out"]),
    ("output in a loop: Vec3", &["        output place"]),
    ("limit in a loop", &["        limit limit"]),
    ("cost in a loop", &["        cost ="]),
    ("residual in a loop", &["        residual fit"]),
    ("sum over a set", &["sum(nodes, |i|"]),
    ("sum over tuples", &["sum(edges, |e @ (i, j)|", "sum(edges, |(i, j)|"]),
    ("sub of members", &["[nodes]: Leg0", "[nodes]: Motor0"]),
    ("sub of tuples", &["[edges]: Leg0", "[edges]: Motor0"]),
    ("sub in a sub of members", &[": Leg1", ": Motor1", "[Leg1", "[Motor1"]),
    ("sub beside the loops", &[": Cart0", ": [Cart0"]),
    ("bind in a loop", &["        bind kid"]),
    ("family: mode", &["mode m"]),
    ("family: mode, Vec2", &["]: Vec2 = vec2(0.5"]),
    ("event in a loop", &["        event event"]),
    ("event beside loops", &["\n    event event"]),
    ("match on a mode of a member", &["] { 0 => ("]),
    ("tangent(psd)", &["#[tangent(psd)] potential"]),
    ("fix of a member where it starts", &["[i];", "[e];"]),
];

/// All kinds that models are generated with, those of models with sets aside.
pub fn all() -> BTreeSet<&'static str> {
    KINDS.iter().map(|(kind, _)| *kind).collect()
}

/// Those that stand in a model or in its subs.
pub fn of(model: &Model) -> BTreeSet<&'static str> {
    there(KINDS, model)
}

/// All kinds of models with sets.
pub fn all_of_families() -> BTreeSet<&'static str> {
    OF_FAMILIES.iter().map(|(kind, _)| *kind).collect()
}

/// Those that stand in a model with sets.
pub fn of_family(model: &Model) -> BTreeSet<&'static str> {
    there(OF_FAMILIES, model)
}

fn there(kinds: &[(&'static str, &[&str])], model: &Model) -> BTreeSet<&'static str> {
    let text = [model.parts.join("\n"), model.text()].join("\n");
    kinds.iter().filter(|(_, words)| words.iter().any(|w| text.contains(w))).map(|(kind, _)| *kind).collect()
}
