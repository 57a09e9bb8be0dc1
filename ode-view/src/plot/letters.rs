//! How much room a text takes. The page that shows an SVG brings the font, so this is an estimate: that of a wide one.

/// Pixels that a text takes at most, in letters of a size as plotters counts it.
pub(super) fn width(text: &str, size: i32) -> f64 {
    text.chars().map(letter).sum::<f64>() * f64::from(size) / 1.16
}

/// The text if it has room, else its beginning and its end: names differ at either. What no picture can show, as a line
/// break, becomes a space.
pub(super) fn fitted(text: &str, size: i32, room: f64) -> String {
    let letters: Vec<char> = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let whole: String = letters.iter().collect();
    if width(&whole, size) <= room {
        return whole;
    }
    let cut = |kept: usize| -> String {
        let (first, last) = (kept.div_ceil(2), kept / 2);
        letters[..first].iter().chain(&['…']).chain(&letters[letters.len() - last..]).collect()
    };
    (0..letters.len()).rev().map(cut).find(|short| width(short, size) <= room).unwrap_or_default()
}

/// The width of a letter of DejaVu Sans or a little more, by its height.
fn letter(c: char) -> f64 {
    match c {
        ' ' | '.' | ',' | ':' | ';' | '|' | '\'' | 'i' | 'j' | 'l' | 'I' => 0.35,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | '!' | '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => {
            0.42
        }
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'A'..='Z' | '+' | '=' | '<' | '>' | '~' | '#' | '&' => 0.85,
        c if c.is_ascii() => 0.65,
        c if c < '\u{1100}' => 0.85,
        _ => 1.2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_room_keeps_its_ends() {
        assert_eq!(fitted("der(th) [rad/s]", 15, 200.0), "der(th) [rad/s]");
        let short = fitted("robot.arm.left.elbow.der(th) [rad/s]", 15, 150.0);
        assert!(short.starts_with("robot") && short.ends_with("rad/s]") && short.contains('…'), "{short}");
        assert!(width(&short, 15) <= 150.0);
        assert_eq!(fitted("long", 15, 1.0), "");
        assert_eq!(fitted("a\nb\u{1}", 15, 100.0), "a b ");
    }
}
