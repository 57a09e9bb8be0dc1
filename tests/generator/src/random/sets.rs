//! Sets with their members, and the text of a model written out for these: without sets, each loop repeated.

use super::Model;

/// A set, and the members that a test gives it.
#[derive(Clone, Debug)]
pub struct Set {
    /// its name
    pub name: String,
    /// names of the sets whose members each of its members joins
    pub of: Vec<String>,
    /// of each member its own number, and what it joins
    pub members: Vec<Vec<usize>>,
    /// how many or which the model says itself: `const 3`, `const N`, `chain`, `[0, 1]`
    pub said: Option<String>,
}

/// A loop over a set, as its text says it.
struct Loop<'a> {
    set: &'a Set,
    /// each name, with the entry of a member that it stands for
    names: Vec<(&'a str, usize)>,
    body: Vec<&'a str>,
}

/// Words that begin an item with a name of its own.
const NAMED: [&str; 11] =
    ["let", "potential", "force", "torque", "body", "spring", "constraint", "output", "limit", "residual", "event"];

impl Model {
    /// The same model without sets.
    #[must_use]
    pub fn written_out(&self) -> Self {
        let items = self.items.iter().flat_map(|item| self.without_sets(item)).collect();
        let items = with_whole_rates(items);
        let named = self.head.split_once('<').map_or(self.head.as_str(), |(named, _)| named);
        let scalar = if self.head.contains("<T") { "<T>" } else { "" };
        Self { head: format!("{named}{scalar}"), items, sets: Vec::new(), ..self.clone() }
    }

    fn set(&self, name: &str) -> Option<&Set> {
        self.sets.iter().find(|set| set.name == name)
    }

    fn without_sets(&self, item: &str) -> Vec<String> {
        if let Some(each) = self.each(item) {
            return each.repeated();
        }
        if let Some((name, set, rest)) = self.family(item) {
            let (ty, count) = (rest.split([' ', ';']).next().unwrap_or_default(), set.members.len());
            let rest = match rest[ty.len()..].trim_end_matches(';').split_once('=') {
                Some((unit, value)) => format!("{unit}= [{}]", vec![value.trim(); count].join(", ")),
                None => rest[ty.len()..].trim_end_matches(';').to_owned(),
            };
            return vec![format!("{name}: [{ty}; {count}]{rest};")];
        }
        if item.starts_with("set ") { Vec::new() } else { vec![self.added(item)] }
    }

    /// With sums over sets written out.
    fn added(&self, item: &str) -> String {
        let (mut out, mut rest) = (String::new(), item);
        while let Some((before, after)) = rest.split_once("sum(") {
            let mut open = 1;
            let end = after.find(|c: char| {
                open += i32::from(c == '(') - i32::from(c == ')');
                open == 0
            });
            let (inside, behind) = after.split_at(end.unwrap_or(after.len()));
            let each = inside.split_once(", |").and_then(|(set, rest)| Some((set, rest.split_once("| ")?)));
            let whole = each.and_then(|(set, (pattern, value))| {
                let terms = self.each(&format!("for {pattern} in {set} {{\n{value}\n}}"))?.repeated();
                Some(format!("({})", terms.iter().map(|term| format!("({term})")).collect::<Vec<_>>().join(" + ")))
            });
            out.push_str(before);
            out.push_str(&whole.unwrap_or_default());
            rest = behind.strip_prefix(')').unwrap_or_default();
        }
        out + rest
    }

    /// `param p[nodes]: Real [m];`, in three.
    fn family<'a>(&'a self, item: &'a str) -> Option<(&'a str, &'a Set, &'a str)> {
        let (declared, rest) = item.split_once(": ")?;
        let (name, set) = declared.strip_suffix(']')?.rsplit_once('[')?;
        Some((name, self.set(set)?, rest))
    }

    fn each<'a>(&'a self, item: &'a str) -> Option<Loop<'a>> {
        let mut lines = item.lines().map(str::trim);
        let (pattern, set) = lines.next()?.strip_prefix("for ")?.strip_suffix(" {")?.split_once(" in ")?;
        let set = self.set(set)?;
        let (own, joined) = match pattern.split_once(" @ ") {
            Some((own, joined)) => (Some(own), joined),
            // `for i in held` of `set held: nodes;` names the node
            None if pattern.starts_with('(') || set.of.len() == 1 => (None, pattern),
            None => (Some(pattern), ""),
        };
        let joined = joined.trim_matches(['(', ')']).split(", ").filter(|name| !name.is_empty());
        let names = own.map(|name| (name, 0)).into_iter().chain(joined.zip(1..)).collect();
        Some(Loop { set, names, body: lines.filter(|line| *line != "}").collect() })
    }
}

impl Loop<'_> {
    /// The body for each member.
    fn repeated(&self) -> Vec<String> {
        let named: Vec<&str> = self.body.iter().filter_map(|item| name(item)).collect();
        let one = |member: &Vec<usize>, item: &str| {
            let mut text = item.to_owned();
            for name in &named {
                text = renamed(&text, name, &format!("{name}_{}", member[0]));
            }
            for (name, entry) in &self.names {
                text = text.replace(&format!("[{name}]"), &format!("[{}]", member[*entry]));
            }
            text
        };
        self.set.members.iter().flat_map(|member| self.body.iter().map(|item| one(member, item))).collect()
    }
}

/// What loops say of a rate or a balance, added.
fn with_whole_rates(items: Vec<String>) -> Vec<String> {
    let adds = |item: &String| item.starts_with("der(") || item.starts_with("balance ");
    let (shares, mut items): (Vec<String>, Vec<String>) = items.into_iter().partition(adds);
    let mut sums: Vec<(String, [String; 2])> = Vec::new();
    for share in shares {
        let Some((target, part)) = share.trim_end_matches(';').split_once("= ") else { continue };
        let (target, taken) = (target.trim_end_matches([' ', '+', '-']), target.ends_with('-'));
        let known = sums.iter().position(|(of, _)| of == target).unwrap_or_else(|| {
            sums.push((target.to_owned(), Default::default()));
            sums.len() - 1
        });
        let sum = &mut sums[known].1[usize::from(taken)];
        *sum = if sum.is_empty() { format!("({part})") } else { format!("{sum} + ({part})") };
    }
    items.extend(sums.into_iter().map(|(target, [added, taken])| {
        match target.strip_prefix("balance ") {
            // both signs stand in the loop of the variable
            Some(variable) => {
                let name = variable.replace('[', "_").replace(']', "");
                format!("constraint balanced_{name}: {added} == {taken};")
            }
            None if taken.is_empty() => format!("{target} = {added};"),
            None => format!("{target} = {added} - ({taken});"),
        }
    }));
    items
}

/// The name that an item gives.
fn name(item: &str) -> Option<&str> {
    let item = item.strip_prefix("#[").and_then(|item| item.split_once("] ")).map_or(item, |(_, item)| item);
    let (word, rest) = item.split_once(' ')?;
    let name = rest.split(|c: char| !is_part(c)).next()?;
    (NAMED.contains(&word) && !name.is_empty()).then_some(name)
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A text with another word in place of one.
pub(super) fn renamed(text: &str, word: &str, other: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let alone = !before.ends_with(is_part) && !after.starts_with(is_part);
        out.push_str(before);
        out.push_str(if alone { other } else { word });
        rest = after;
    }
    out + rest
}
