//! The catalogue of all messages: id and summary. The guide's page on messages has the same rows.

use std::fmt;

macro_rules! catalogue {
    ($($id:ident $says:literal,)+) => {
        /// Which message it is: each kind of mistake has one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Id {
            $(#[doc = $says] $id,)+
        }

        impl Id {
            /// All of them, in order.
            pub const ALL: &'static [Id] = &[$(Id::$id),+];

            /// The id as users see it, such as `M0101`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Id::$id => stringify!($id),)+
                }
            }

            /// What it says in general.
            pub fn says(self) -> &'static str {
                match self {
                    $(Id::$id => $says,)+
                }
            }
        }
    };
}

catalogue! {
    M0001 "unknown item keyword",
    M0002 "expected `on` after `force f`",
    M0003 "a constraint uses `=`",
    M0004 "a constraint is not an equation",
    M0005 "a tuple declares (position, velocity)",
    M0006 "missing `;`",
    M0007 "expected … found …",
    M0008 "nested too deeply",
    M0009 "has no default, no range or no value",
    M0101 "cannot find the name",
    M0102 "declared twice",
    M0103 "`t` is reserved",
    M0104 "used before it is declared",
    M0105 "is a Rust keyword",
    M0106 "two names collide in the generated API",
    M0107 "unknown type",
    M0108 "too many elements, rounds or products",
    M0109 "a default is not a number",
    M0110 "`require` depends on more than parameters",
    M0111 "unknown function, with a suggestion",
    M0112 "unknown function",
    M0113 "no such method or field",
    M0114 "`^` is not power",
    M0115 "integer division",
    M0116 "a cast, or the suffix of a Rust type",
    M0117 "no value",
    M0118 "closures",
    M0119 "operator `%`",
    M0120 "`powi` needs an integer literal",
    M0121 "`==` of reals as a condition",
    M0122 "wrong number of arguments",
    M0123 "a condition where a number is expected, or the reverse",
    M0124 "not an expression of a model",
    M0125 "no finite value",
    M0126 "a function calls itself",
    M0127 "an output cannot be read by the model",
    M0128 "cannot be declared in a loop",
    M0129 "nothing that can be drawn",
    M0130 "`match` on what is not a mode",
    M0131 "not a pattern of a `match`, or an arm that is never taken",
    M0201 "a coordinate has no inertia",
    M0202 "depends on a velocity",
    M0203 "acts on something that is not a position, or does not move",
    M0204 "kinetic energy is linear in a velocity",
    M0205 "the given mass matrix is not symmetric",
    M0206 "*warning*: dissipation is not quadratic",
    M0207 "*warning*: a parameter is never used",
    M0208 "*warning*: an input has no effect",
    M0209 "*warning*: a dissipation can be negative",
    M0210 "two `gravity` items",
    M0211 "unknown, missing or repeated field",
    M0212 "does not move",
    M0213 "no coordinate and no state",
    M0214 "not a sum of squares",
    M0220 "an energy or a mass depends on a state or an input",
    M0221 "`der(..) = ..` of what is not a state",
    M0222 "the rate of a state is given twice",
    M0223 "a state without a rate",
    M0224 "not in a first-order model",
    M0225 "not as many equations as algebraic variables",
    M0230 "an event cannot assign this",
    M0231 "assigned twice in one event",
    M0232 "not a guard of an event",
    M0233 "an event that does nothing, or contains more than assignments, `let` and `stop;`",
    M0234 "an event that never happens",
    M0240 "inertia with a negative principal moment",
    M0241 "the plane and space in one model or picture",
    M0242 "a mass matrix of numbers that is negative along a motion",
    M0243 "equations that do not determine the algebraic variables",
    M0301 "depends on no coordinate, or a row has no velocity where others have",
    M0302 "more rows than degrees of freedom",
    M0303 "constraints have the same Jacobian, or a row follows from others",
    M0304 "nonlinear in the velocities",
    M0305 "depends on an input, a state or a mode",
    M0306 "*warning*: the Jacobian vanishes at the start",
    M0307 "an invalid compliance or relaxation time",
    M0308 "held twice",
    M0309 "*warning*: a constraint is the rate of a position",
    M0310 "not a coordinate to fix, or a reaction where nothing is fixed",
    M0311 "no value to hold it at",
    M0312 "held at a value, or along a direction, that is not known beforehand",
    M0313 "a row that is compliant and redundant",
    M0401 "*warning*: a kink",
    M0402 "*warning*: a norm vanishes at the start",
    M0403 "the time derivative is not known",
    M0404 "accelerations or multipliers where they are unknowns",
    M0501 "different units",
    M0502 "an item has the wrong unit",
    M0503 "must be dimensionless",
    M0504 "not power-conjugate",
    M0505 "both sides of a constraint differ in unit",
    M0506 "unknown unit, or not where one stands",
    M0507 "declared with one unit, has another",
    M0508 "shapes do not combine",
    M0509 "expected another shape",
    M0510 "index out of range, or no index",
    M0511 "branches have different shapes",
    M0512 "a bound has another unit, is not known before the run, or the range is empty; also of `clamp`",
    M0513 "has no unit",
    M0514 "cannot compare different units",
    M0515 "an event assigns a quantity of a different unit",
    M0516 "a scaled unit where SI is required",
    M0601 "too many exact initial conditions",
    M0602 "*warning*: the initial state violates a constraint",
    M0603 "velocity of a rotation",
    M0604 "cannot start",
    M0605 "the initial value depends on the state, or that of a state on time",
    M0606 "a requirement is never true, or the defaults violate it",
    M0607 "*warning*: a coordinate has no start and begins at 0",
    M0608 "*warning*: an angle starts more than a turn away",
    M0701 "not a set",
    M0702 "an index that runs over another set",
    M0703 "a family without an index, or outside a loop over its set",
    M0704 "a length is a name",
    M0705 "not a length or a member of a set",
    M0706 "an index of a family that is no name of the loop",
    M0707 "a member of a set that is read as a number",
    M0801 "an `extern fn` lacks a derivative",
    M0803 "recursive composition",
    M0804 "no such input, or not an input",
    M0805 "an input is not bound",
    M0806 "algebraic loop",
    M0807 "an `extern fn` takes and returns numbers",
    M0808 "the source of an `extern fn` or a table",
    M0809 "not a parameter, given twice, or dependent on more than parameters",
    M0810 "a model is not known, or cannot be read",
    M0811 "parent and child have different scalars",
    M0812 "bound twice",
    M0813 "a port is not a position",
    M0900 "not supported yet",
    M0901 "too large",
    M0902 "*warning*: slow to build",
    M0903 "a model with sets is not dense",
    M0904 "unknown option, attribute or lint",
    M0905 "more unknowns than a dense solve can have",
    M0906 "cannot freeze",
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
