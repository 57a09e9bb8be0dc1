//! The colors of pictures by name, as CSS defines them.

/// Names with red, green and blue.
pub(super) const ALL: &[(&str, [u8; 3])] = &[
    ("black", [0, 0, 0]),
    ("gray", [128, 128, 128]),
    ("silver", [192, 192, 192]),
    ("white", [255, 255, 255]),
    ("maroon", [128, 0, 0]),
    ("red", [255, 0, 0]),
    ("crimson", [220, 20, 60]),
    ("tomato", [255, 99, 71]),
    ("orange", [255, 165, 0]),
    ("gold", [255, 215, 0]),
    ("yellow", [255, 255, 0]),
    ("olive", [128, 128, 0]),
    ("lime", [0, 255, 0]),
    ("green", [0, 128, 0]),
    ("teal", [0, 128, 128]),
    ("cyan", [0, 255, 255]),
    ("skyblue", [135, 206, 235]),
    ("steelblue", [70, 130, 180]),
    ("blue", [0, 0, 255]),
    ("navy", [0, 0, 128]),
    ("purple", [128, 0, 128]),
    ("magenta", [255, 0, 255]),
    ("pink", [255, 192, 203]),
    ("brown", [165, 42, 42]),
];
