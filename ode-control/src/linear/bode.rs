//! Bode's plot of a transfer function, as a table.

use core::f64::consts::{PI, TAU};

use ode_runtime::Table;
use ode_runtime::linalg::{Complex, eigenvalues};

use crate::linear::system_error::SystemError;
use crate::linear::transfer::Transfer;

/// A pole or zero whose distance to the border of stability is below this share of its size is undamped.
const UNDAMPED: f64 = 1e-10;

impl Transfer {
    /// Gain and phase at `count` frequencies from `from` to `to`, evenly on a logarithmic axis: columns `frequency` in
    /// rad/s, `magnitude` in dB and `phase` in degrees.
    ///
    /// The phase is continuous, however far the frequencies are apart: whole turns are those of the factors of poles
    /// and zeros. It begins between −180° and 180°. At an undamped pole it falls by 180°, at an undamped zero it rises.
    ///
    /// `ode_view::Plot` draws it: `Plot::new().log_across().columns("plant", &bode, "frequency", "magnitude")`.
    ///
    /// # Errors
    /// [`SystemError::Frequency`] of a range that is not positive and ascending; [`SystemError::AtPole`] if one of the
    /// frequencies is that of an undamped pole; [`SystemError::Eigenvalues`].
    pub fn bode(&self, from: f64, to: f64, count: usize) -> Result<Table, SystemError> {
        for (value, sound) in [(from, from > 0.0 && from.is_finite()), (to, to > from && to.is_finite())] {
            if !sound {
                return Err(SystemError::Frequency { value });
            }
        }
        let zeros = match self.zeros() {
            // a response of zero has no phase
            Err(SystemError::Idle) => Vec::new(),
            zeros => zeros?,
        };
        let poles = eigenvalues(&self.a).ok_or(SystemError::Eigenvalues)?;
        let turned = |frequency: f64| {
            let sum = |roots: &[Complex<f64>]| roots.iter().map(|&root| self.turn(root, frequency)).sum::<f64>();
            sum(&zeros) - sum(&poles)
        };
        let mut table = Table::with_units([("frequency", "rad/s"), ("magnitude", "dB"), ("phase", "deg")]);
        let ratio = (to / from).ln() / count.saturating_sub(1).max(1) as f64;
        let mut last: Option<(f64, f64)> = None;
        for i in 0..count {
            let frequency = from * (ratio * i as f64).exp();
            let response = self.at(frequency)?;
            let (angle, sum) = (response.im.atan2(response.re), turned(frequency));
            // by the angle of the response itself, to the turns of the sum
            let phase = match last {
                None => angle,
                Some((phase, before)) => {
                    let expected = phase + (sum - before);
                    angle + TAU * ((expected - angle) / TAU).round()
                }
            };
            last = Some((phase, sum));
            table.push_row([frequency, 20.0 * response.re.hypot(response.im).log10(), phase.to_degrees()]);
        }
        Ok(table)
    }

    /// The angle of the factor s − r of a root r, or of z − r, continuous in the frequency but for undamped roots:
    /// there it rises by half a turn, as the limit of damped ones.
    fn turn(&self, root: Complex<f64>, frequency: f64) -> f64 {
        let Complex { re, im } = root;
        let Some(h) = self.step else {
            let over = frequency - im;
            return if re > UNDAMPED * re.hypot(im) { PI - over.atan2(re) } else { over.atan2((-re).max(0.0)) };
        };
        let (size, angle) = (re.hypot(im), frequency * h);
        // 1 − x of |x| ≤ 1 has an angle of at most a quarter turn
        let rest = |x: f64, by: f64| (-x * by.sin()).atan2((1.0 - x * by.cos()).max(0.0));
        if size > 1.0 + UNDAMPED {
            rest(1.0 / size, angle - im.atan2(re))
        } else {
            angle + rest(size.min(1.0), im.atan2(re) - angle)
        }
    }
}
