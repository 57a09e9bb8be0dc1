//! What of a film is on the picture, and how large.

use super::Film;
use super::outline::{Pen, Stroke};
use super::view::View;

/// Pixels between the picture and its edge.
const MARGIN: f64 = 24.0;
/// Pixels of a width that has room for nothing else.
pub(super) const FRAME: f64 = 2.0 * MARGIN;
/// Pixels below the picture, for the time and the scale.
const FOOT: f64 = 28.0;

/// A picture that has room for all frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    pub(super) pen: Pen,
    /// in pixels
    pub(super) width: f64,
    /// in pixels
    pub(super) height: f64,
}

impl Scene {
    /// The picture of this width, and of a height that fits.
    pub(super) fn of(film: &Film, view: View, width: f64) -> Self {
        let (low, high) = bounds(film, view);
        let size = [high[0] - low[0], high[1] - low[1]];
        let inner = width - FRAME;
        // Not higher than wide.
        let scale = inner / extent(low, high);
        let height = (scale * size[1]).max(0.25 * width) + FRAME + FOOT;
        let origin =
            [width / 2.0 - scale * (low[0] + high[0]) / 2.0, (height - FOOT) / 2.0 - scale * (low[1] + high[1]) / 2.0];
        Self { pen: Pen { view, scale, origin, mark: 1.0 }, width, height }
    }

    /// A round length of about a fifth of the picture, in metres.
    pub(super) fn yardstick(&self) -> f64 {
        let wanted = self.width / self.pen.scale / 5.0;
        let exponent = wanted.log10().floor() as i32;
        let power = 10.0_f64.powi(exponent.abs());
        let round = [5.0, 2.0, 1.0].map(|k| if exponent < 0 { k / power } else { k * power });
        round.into_iter().find(|length| *length <= wanted).unwrap_or(round[2])
    }
}

/// The lowest and the highest point of all frames, as seen from there, in metres; y points downward.
pub(super) fn bounds(film: &Film, view: View) -> ([f64; 2], [f64; 2]) {
    let measure = Pen { view, scale: 1.0, origin: [0.0; 2], mark: 0.0 };
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let mut reach = |[x, y]: [f64; 2], [w, h]: [f64; 2]| {
        low = [low[0].min(x - w), low[1].min(y - h)];
        high = [high[0].max(x + w), high[1].max(y + h)];
    };
    for figure in &film.figures {
        let n = if figure.space { 3 } else { 2 };
        for x in film.each(figure) {
            reach(measure.place(&x[..n]), [0.0; 2]);
            for stroke in measure.outline(figure, x) {
                match stroke {
                    Stroke::Path { points, .. } => points.into_iter().for_each(|p| reach(p, [0.0; 2])),
                    Stroke::Circle { middle, radius } => reach(middle, [radius; 2]),
                    Stroke::Ellipse { middle, axes } => reach(middle, half(axes)),
                    Stroke::Tube { ends, axes } => ends.into_iter().for_each(|end| reach(end, half(axes))),
                }
            }
        }
    }
    (low, high)
}

/// Half the width and half the height of an ellipse.
fn half([a, b]: [[f64; 2]; 2]) -> [f64; 2] {
    [a[0].hypot(b[0]), a[1].hypot(b[1])]
}

/// The larger side of what lies between two corners; a metre if that is nothing but round-off.
pub(super) fn extent(low: [f64; 2], high: [f64; 2]) -> f64 {
    let extent = (high[0] - low[0]).max(high[1] - low[1]);
    let far = [low, high].as_flattened().iter().fold(0.0, |far: f64, x| far.max(x.abs()));
    if extent > (1e-12 * far).max(1e-30) { extent } else { 1.0 }
}
