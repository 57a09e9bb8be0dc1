//! Sets and their members.

use super::sets::Set;
use super::writer::Writer;

impl Writer<'_> {
    /// One or two sets of the first kind, and sets that join their members.
    pub(super) fn sets(&mut self) -> Vec<Set> {
        let n = 2 + self.random.below(3);
        let mut sets = vec![self.counted("nodes", n, "N")];
        if self.chance(1, 3) {
            sets.push(self.counted("wheels", 2, "M"));
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
            let is_chain = of.len() > 1 && of.iter().all(|one| *one == "nodes") && n >= of.len() && self.chance(1, 3);
            if is_chain {
                members.extend((0..=n - of.len()).map(|k| std::iter::once(k).chain(k..k + of.len()).collect()));
            }
            for _ in 0..if is_chain { 0 } else { 1 + self.random.below(3) } {
                let member: Vec<usize> = counts.iter().map(|&count| self.random.below(count)).collect();
                if joins(of, &member) && !members.iter().any(|other| alike(of, &other[1..], &member)) {
                    members.push(std::iter::once(members.len()).chain(member).collect());
                }
            }
            if !members.is_empty() {
                let said = match is_chain {
                    true => Some("chain".to_owned()),
                    false => self.chance(1, 3).then(|| listed(&members)),
                };
                sets.push(Set { name: name.into(), of: of.iter().map(|of| (*of).to_owned()).collect(), members, said });
            }
        }
        for set in &sets {
            let said = set.said.as_deref().unwrap_or_default();
            let of = match set.of.as_slice() {
                [] if said.is_empty() => String::new(),
                [] => format!(": {said}"),
                [one] => format!(": {one}"),
                of => format!(": ({})", of.join(", ")),
            };
            let of = if said.is_empty() || set.of.is_empty() { of } else { format!("{of} = {said}") };
            self.say(format!("set {}{of};", set.name));
        }
        sets
    }

    /// A set that joins no others, of so many members; the struct's length may be called `length`.
    fn counted(&mut self, name: &str, count: usize, length: &str) -> Set {
        let said = match self.random.below(4) {
            0 => Some(format!("const {count}")),
            1 => Some(format!("const {length}")),
            _ => None,
        };
        Set { name: name.into(), of: Vec::new(), members: (0..count).map(|k| vec![k]).collect(), said }
    }
}

/// Members as a list in the text.
fn listed(members: &[Vec<usize>]) -> String {
    let one = |member: &Vec<usize>| {
        let ends: Vec<String> = member[1..].iter().map(ToString::to_string).collect();
        if ends.len() == 1 { ends.concat() } else { format!("({})", ends.join(", ")) }
    };
    format!("[{}]", members.iter().map(one).collect::<Vec<_>>().join(", "))
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
