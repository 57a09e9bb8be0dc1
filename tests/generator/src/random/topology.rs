//! Sets and their members.

use super::sets::Set;
use super::writer::Writer;

impl Writer<'_> {
    /// One or two sets of the first kind, and sets that join their members.
    pub(super) fn sets(&mut self) -> Vec<Set> {
        let n = 2 + self.random.below(3);
        let mut sets = vec![Set { name: "nodes".into(), of: Vec::new(), members: (0..n).map(|k| vec![k]).collect() }];
        if self.chance(1, 3) {
            sets.push(Set { name: "wheels".into(), of: Vec::new(), members: vec![vec![0], vec![1]] });
        }
        let kinds: [(&str, &[&str]); 5] = [
            ("edges", &["nodes", "nodes"]),
            ("held", &["nodes"]),
            ("trios", &["nodes", "nodes", "nodes"]),
            ("ties", &["wheels", "nodes"]),
            ("bends", &["edges", "nodes", "edges"]),
        ];
        for (k, (name, of)) in kinds.into_iter().enumerate() {
            let joined: Option<Vec<usize>> =
                of.iter().map(|of| Some(sets.iter().find(|set| set.name == *of)?.members.len())).collect();
            let Some(counts) = joined else { continue };
            if !self.chance([4, 2, 1, 3, 2][k], 5) {
                continue;
            }
            let mut members: Vec<Vec<usize>> = Vec::new();
            for _ in 0..1 + self.random.below(3) {
                let member: Vec<usize> = counts.iter().map(|&count| self.random.below(count)).collect();
                if joins(of, &member) && !members.iter().any(|other| alike(of, &other[1..], &member)) {
                    members.push(std::iter::once(members.len()).chain(member).collect());
                }
            }
            if !members.is_empty() {
                sets.push(Set { name: name.into(), of: of.iter().map(|of| (*of).to_owned()).collect(), members });
            }
        }
        for set in &sets {
            let of = match set.of.as_slice() {
                [] => String::new(),
                [one] => format!(": {one}"),
                of => format!(": ({})", of.join(", ")),
            };
            self.say(format!("set {}{of};", set.name));
        }
        sets
    }
}

/// Does a tuple name no member twice?
fn joins(of: &[&str], member: &[usize]) -> bool {
    let named: Vec<(&&str, &usize)> = of.iter().zip(member).collect();
    (1..named.len()).all(|k| !named[..k].contains(&named[k]))
}

/// Do two tuples join the same members?
fn alike(of: &[&str], one: &[usize], other: &[usize]) -> bool {
    let sorted = |member: &[usize]| {
        let mut all: Vec<(&str, usize)> = of.iter().copied().zip(member.iter().copied()).collect();
        all.sort_unstable();
        all
    };
    sorted(one) == sorted(other)
}
