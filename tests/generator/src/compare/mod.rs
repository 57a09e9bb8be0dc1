//! Where the kernels of a program differ from what the text says, at random points.

mod blocks;
mod case;
mod changes;
mod events;
mod events_of_members;
mod members;
mod motions;
mod newton;
mod observed_members;
mod partials;
mod solves;
mod starts;
mod starts_of_members;

pub use case::Case;

/// A number that the text does not give.
#[derive(Clone, Debug)]
pub struct Difference {
    /// which block of which kernel
    pub block: &'static str,
    /// the number's place in it
    pub place: usize,
    /// what the kernel gives
    pub found: f64,
    /// what the text gives
    pub wanted: f64,
}

/// What was compared, and what differs.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// numbers compared
    pub compared: usize,
    /// blocks that had numbers, in order, with how many
    pub blocks: Vec<(&'static str, usize)>,
    /// numbers that neither side could compute
    pub undefined: usize,
    /// the largest difference that passed, relative to its scale
    pub worst: f64,
    /// differences beyond round-off
    pub differences: Vec<Difference>,
}

/// Beyond this, relative to the largest terms, a difference is no round-off.
const TOLERANCE: f64 = 1e-8;

impl Report {
    /// Compares the numbers of a block. Each is measured by the largest of the block and by `scale`.
    fn block(&mut self, block: &'static str, found: &[f64], wanted: &[f64], scale: f64) {
        if found.len() != wanted.len() {
            let (found, wanted) = (found.len() as f64, wanted.len() as f64);
            self.differences.push(Difference { block, place: usize::MAX, found, wanted });
            return;
        }
        let finite = |x: &&f64| x.is_finite();
        let largest = found.iter().chain(wanted).filter(finite).fold(scale.max(1.0), |m, x| m.max(x.abs()));
        match self.blocks.iter_mut().find(|b| b.0 == block) {
            Some(known) => known.1 += found.len(),
            None => self.blocks.push((block, found.len())),
        }
        for (place, (&found, &wanted)) in found.iter().zip(wanted).enumerate() {
            self.compared += 1;
            if found == wanted {
                continue;
            }
            if !found.is_finite() && !wanted.is_finite() || largest > 1e12 {
                self.undefined += 1;
                continue;
            }
            let off = (found - wanted).abs() / largest;
            if off <= TOLERANCE {
                self.worst = self.worst.max(off);
            } else {
                self.differences.push(Difference { block, place, found, wanted });
            }
        }
    }
}
