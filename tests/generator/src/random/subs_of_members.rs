//! A sub of each member.

use super::coordinates::Frames;
use super::families::Families;
use super::model::Options;
use super::sets::Set;
use super::subs::declared;
use super::writer::{Atom, Reads, Writer};

impl Writer<'_> {
    /// A sub of each member of a set, what its inputs are bound to, and where it starts; the models that it is made of.
    pub(super) fn subs_of_members(&mut self, set: &Set, options: &Options, families: &mut Families) -> Vec<String> {
        let (part, ty) = self.part(options, 0);
        let (kid, given) = (self.name("kid"), self.given(&part));
        self.say(format!("sub {kid}[{}]: {ty}{given};", set.name));
        self.pulled(&part);
        let names = self.names(set, true);
        let own = names.1.iter().find(|(_, of)| *of == set.name).map_or_else(String::new, |(own, _)| own.clone());
        let of_member = format!("{kid}[{own}]");
        self.each(names, families, |w, _, _| {
            let loads = w.loads();
            for (input, dimension) in declared(&part, "input ") {
                let value = w.scalar(dimension, loads, 2);
                w.say(format!("bind {of_member}.{input} = {value};"));
            }
            w.begun(&of_member, &part);
            // a state of the sub starts where its parent says
            for (z, dimension) in declared(&part, "state ") {
                if w.chance(1, 3) {
                    let start = w.scalar(dimension, Reads::P, 1);
                    w.say(format!("init {of_member}.{z} = {start};"));
                }
            }
        });
        // what there is of it in other loops
        let (before, mut frames) = (self.atoms.len(), Frames::default());
        let of_any = format!("{kid}[#]");
        self.offered(&of_any, &part, &mut frames);
        for (x, dimension, size) in &part.starting.0 {
            let text = format!("{of_any}.{x}");
            let rate = Atom { text: format!("der({text})"), dimension: dimension.rate(), reads: Reads::V, size: *size };
            frames.flat.push((text.clone(), *dimension, *size));
            self.atoms.extend([Atom { text, dimension: *dimension, reads: Reads::Q, size: *size }, rate]);
        }
        let offered = self.atoms.split_off(before);
        families.atoms.extend(offered.into_iter().map(|atom| (set.name.clone(), atom)));
        families.frames.push((set.name.clone(), frames));
        std::iter::once(part.text()).chain(part.parts).collect()
    }
}
