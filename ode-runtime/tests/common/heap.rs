//! What work asks of the heap.

/// Allocations and frees of this thread while `work` runs; moving a block to another size is one of each.
pub(crate) fn calls(work: impl FnOnce()) -> u64 {
    let used = allocation_counter::measure(work);
    // Those that remain are allocations less frees.
    (2 * used.count_total).checked_add_signed(-used.count_current).expect("no more remains than was allocated")
}

#[test]
fn the_counter_counts() {
    assert_eq!(calls(|| drop(std::hint::black_box(Box::new(1.0)))), 2);
    let kept = std::hint::black_box(Box::new(1.0));
    assert_eq!(calls(|| drop(kept)), 1, "a free alone");
    let mut grows = std::hint::black_box(vec![1.0]);
    assert_eq!(calls(|| grows.reserve_exact(99)), 2, "a block that moves");
}
