//! Bode's plot of a transfer function, as a table.

use core::f64::consts::{FRAC_PI_4, PI};

use ode_runtime::Table;
use ode_runtime::linalg::Complex;
use ode_runtime::linalg::nalgebra::ComplexField;

use crate::linear::system_error::SystemError;
use crate::linear::transfer::Transfer;

/// How often an interval of frequencies is divided to follow a phase.
const DIVISIONS: usize = 30;

impl Transfer {
    /// Gain and phase at `count` frequencies from `from` to `to`, evenly on a logarithmic axis: columns `frequency` in
    /// rad/s, `magnitude` in dB and `phase` in degrees.
    ///
    /// The phase is continuous: where it changes by more than 45° between two frequencies it is followed in between. It
    /// begins between −180° and 180°. At an undamped pole it falls by 180°, at an undamped zero it rises.
    ///
    /// `ode_view::Plot` draws it: `Plot::new().log_across().columns("plant", &bode, "frequency", "magnitude")`.
    ///
    /// # Errors
    /// [`SystemError::Frequency`] of a range that is not positive and ascending; [`SystemError::AtPole`] if one of the
    /// frequencies is that of an undamped pole.
    pub fn bode(&self, from: f64, to: f64, count: usize) -> Result<Table, SystemError> {
        for (value, sound) in [(from, from > 0.0 && from.is_finite()), (to, to > from && to.is_finite())] {
            if !sound {
                return Err(SystemError::Frequency { value });
            }
        }
        let mut table = Table::with_units([("frequency", "rad/s"), ("magnitude", "dB"), ("phase", "deg")]);
        let ratio = (to / from).ln() / count.saturating_sub(1).max(1) as f64;
        let mut last: Option<(f64, Complex<f64>)> = None;
        let mut phase = 0.0;
        for i in 0..count {
            let frequency = from * (ratio * i as f64).exp();
            let response = self.at(frequency)?;
            phase += match last {
                None => response.im.atan2(response.re),
                Some(last) => self.turned(last, (frequency, response), DIVISIONS),
            };
            last = Some((frequency, response));
            table.push_row([frequency, 20.0 * response.modulus().log10(), phase.to_degrees()]);
        }
        Ok(table)
    }

    /// By what the phase changes between two frequencies.
    fn turned(&self, from: (f64, Complex<f64>), to: (f64, Complex<f64>), divisions: usize) -> f64 {
        let turn = (to.1 * from.1.conj()).argument();
        let middle = (from.0 * to.0).sqrt();
        if turn.abs() < FRAC_PI_4 || !(from.0 < middle && middle < to.0) {
            return turn;
        }
        match self.at(middle) {
            Ok(response) if divisions > 0 => {
                let between = (middle, response);
                self.turned(from, between, divisions - 1) + self.turned(between, to, divisions - 1)
            }
            // no damping tells the sense of half a turn: an undamped pole is the limit of a damped one
            Ok(response) if turn.abs() > PI - FRAC_PI_4 => {
                if response.modulus() > from.1.modulus() {
                    -turn.abs()
                } else {
                    turn.abs()
                }
            }
            Err(_) => -turn.abs(),
            Ok(_) => turn,
        }
    }
}
