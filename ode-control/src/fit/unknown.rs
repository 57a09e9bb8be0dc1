//! What a fit asks for.

/// What an unknown is of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Of {
    /// a parameter; its declared unit in SI
    Parameter { name: String, scale: f64 },
    /// a direction of the first state of a log
    Start { log: usize, direction: usize },
    /// what the sensor of a channel adds to its output
    Offset { channel: usize },
}

/// An unknown as a fit is asked for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wanted {
    Parameter(String),
    Start(String),
    Offset(String),
}

impl Wanted {
    /// The entry of the start that is asked for.
    pub(super) fn start(&self) -> Option<&str> {
        if let Self::Start(name) = self { Some(name) } else { None }
    }

    /// What its estimate is called; `log` is the number of the log, counted from 1, if there are several.
    pub(super) fn name(&self, log: Option<usize>) -> String {
        match (self, log) {
            (Self::Parameter(name), _) => name.clone(),
            (Self::Start(name), None) => format!("start of {name}"),
            (Self::Start(name), Some(log)) => format!("start of {name} in log {log}"),
            (Self::Offset(name), _) => format!("offset of {name}"),
        }
    }
}
