//! From where a picture in space is looked at.

/// The direction from which a picture in space is seen, as if from far away: lines that are parallel stay so. The z
/// axis points upward. A picture of the plane is seen from above, whatever the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// angle of the observer about the z axis, from the x axis, in radians
    pub azimuth: f64,
    /// angle of the observer above the x-y plane, in radians
    pub elevation: f64,
}

impl Default for View {
    /// From 60° to the right of the x axis and 30° above.
    fn default() -> Self {
        Self { azimuth: -std::f64::consts::FRAC_PI_3, elevation: std::f64::consts::FRAC_PI_6 }
    }
}

impl View {
    /// A point on the picture: to the right, and upward. Points of the plane stay where they are.
    pub(super) fn project(&self, p: &[f64]) -> [f64; 2] {
        let [x, y, z] = match *p {
            [x, y] => return [x, y],
            [x, y, z, ..] => [x, y, z],
            _ => return [0.0; 2],
        };
        let ((s, c), (rise, flat)) = (self.azimuth.sin_cos(), self.elevation.sin_cos());
        [c * y - s * x, flat * z - rise * (c * x + s * y)]
    }
}
