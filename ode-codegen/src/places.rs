//! Where equal things stand in a list: a table of open addressing that keeps places, not things.
//!
//! A procedural macro is compiled without optimisation in most builds. There the map of the standard library took 490
//! of the 7,690 million instructions in which a chain of twenty links expanded, to find nodes alone; this takes 190.

/// Places in a list that its owner keeps. Nothing is iterated, so equal input gives equal lists.
#[derive(Clone, Default)]
pub(crate) struct Places {
    /// place plus one and hash of each thing, at its hash or after it, and zero where there is none: a table of zeros
    /// is not written. A power of two of them, or none. No vector: without optimisation each index of one is a call
    slots: Box<[u64]>,
    len: usize,
}

impl Places {
    /// The place of the thing of a hash that `is` recognises by its place.
    pub(crate) fn find(&self, hash: u32, is: impl Fn(u32) -> bool) -> Option<u32> {
        let slots: &[u64] = &self.slots;
        if slots.is_empty() {
            return None;
        }
        let mut at = hash as usize & (slots.len() - 1);
        loop {
            let slot = slots[at];
            if slot == 0 {
                return None;
            }
            if (slot >> 32) as u32 == hash && is(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & (slots.len() - 1);
        }
    }

    /// A thing more, which is not there yet.
    pub(crate) fn insert(&mut self, hash: u32, place: u32) {
        if 2 * (self.len + 1) > self.slots.len() {
            self.grow();
        }
        put(&mut self.slots, u64::from(hash) << 32 | u64::from(place + 1));
        self.len += 1;
    }

    fn grow(&mut self) {
        let mut larger = vec![0; (4 * self.slots.len()).max(64)].into_boxed_slice();
        let mut at = 0;
        while at < self.slots.len() {
            if self.slots[at] != 0 {
                put(&mut larger, self.slots[at]);
            }
            at += 1;
        }
        self.slots = larger;
    }
}

/// Puts a slot into the first free place after its hash.
fn put(slots: &mut [u64], slot: u64) {
    let mut at = (slot >> 32) as usize & (slots.len() - 1);
    while slots[at] != 0 {
        at = (at + 1) & (slots.len() - 1);
    }
    slots[at] = slot;
}

/// A number of words, one after the other.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixed(u64);

/// The multiplier of Steele and Vigna, "Computationally easy, spectrally good multipliers" (2022).
const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;

impl Mixed {
    /// Two words, as if one after the other.
    pub(crate) fn of(first: u64, second: u64) -> Self {
        let first = first.wrapping_mul(MULTIPLIER);
        Self((first.rotate_left(5) ^ second).wrapping_mul(MULTIPLIER))
    }

    /// One word more.
    pub(crate) fn with(self, word: u64) -> Self {
        Self((self.0.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER))
    }

    /// Its hash: what is multiplied is mixed best at the top.
    pub(crate) fn hash(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_one_hash_are_told_apart_and_all_are_found_in_a_larger_table() {
        let (mut places, things): (Places, Vec<u64>) = (Places::default(), (0..300).map(|k| k * k).collect());
        // three hashes for all of them
        let hash = |thing: u64| (thing % 3) as u32;
        let find = |places: &Places, thing: u64| places.find(hash(thing), |place| things[place as usize] == thing);
        for (place, &thing) in things.iter().enumerate() {
            assert_eq!(find(&places, thing), None);
            places.insert(hash(thing), place as u32);
        }
        for (place, &thing) in things.iter().enumerate() {
            assert_eq!(find(&places, thing), Some(place as u32));
        }
        assert_eq!(find(&places, 2), None);
    }
}
