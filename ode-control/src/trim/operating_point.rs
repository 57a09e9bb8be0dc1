//! Operating points by name.

use ode_runtime::{Block, Name, Observable, Sensitive, Solvable, State};

use crate::trim::error::TrimError;
use crate::trim::search::Search;
use crate::trim::unknowns::{Candidate, Kind, Unknowns};

/// What an operating point must be. See [`Trim::of`].
///
/// Without a word coordinates, first-order states and multipliers are free, velocities are zero, and inputs have the
/// model's own values. An operating point is where nothing accelerates and no state changes: an equilibrium, or with
/// velocities that are not zero a steady motion.
#[derive(Clone, Debug)]
pub struct Trim<'a, S: Solvable> {
    system: &'a S,
    guess: State<S>,
    unknowns: Unknowns,
    /// what keeps the value of the guess
    kept: Vec<usize>,
    /// what is kept, or has bounds of its own
    asked: Vec<usize>,
}

/// Where nothing accelerates.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OperatingPoint<S: Solvable> {
    /// the state; its a and ż are zero, and its λ balances it
    pub state: State<S>,
    /// the inputs
    pub inputs: S::U,
    /// what is at one of its bounds, by name
    pub at_bounds: Vec<String>,
    /// iterations of the search
    pub iterations: usize,
}

impl<'a, S: Solvable<Real = f64> + Sensitive + Observable> Trim<'a, S> {
    /// The operating point nearest to where the model begins: its `guess` and `init`.
    ///
    /// Distances are of coordinates, velocities and states as numbers, of inputs from the model's own values relative
    /// to half their range; inputs count little beside coordinates.
    pub fn of(system: &'a S) -> Self {
        let mut guess = State::neutral(system);
        system.guess(&mut guess.q, &mut guess.v, &mut guess.z);
        system.initial_modes(&mut guess.modes);
        Self { system, guess, unknowns: Unknowns::of(system), kept: Vec::new(), asked: Vec::new() }
    }

    /// The same near another state, at its time and in its modes.
    #[must_use]
    pub fn near(mut self, guess: &State<S>) -> Self {
        self.guess.copy_from(guess);
        self
    }

    /// A coordinate, velocity, state, input or output has this value.
    ///
    /// # Errors
    /// [`TrimError::Unknown`]; [`TrimError::NoValue`] for a rotation or a direction of one; [`TrimError::Empty`] for a
    /// value that is not finite; [`TrimError::Outside`] for an input beyond the model's bounds; [`TrimError::Twice`] if
    /// something else is asked of it.
    pub fn hold(self, name: &str, value: f64) -> Result<Self, TrimError> {
        self.between(name, value, value)
    }

    /// A coordinate or state stays where the guess has it; all directions of a rotation by its name, or one of them,
    /// `att.step.z`.
    ///
    /// # Errors
    /// [`TrimError::Unknown`]; [`TrimError::Twice`] if something else is asked of it.
    pub fn keep(mut self, name: &str) -> Result<Self, TrimError> {
        let mut places = self.unknowns.directions(name);
        if places.is_empty() {
            places.push(self.unknowns.place(self.system, name)?);
        }
        for place in places {
            self.ask(place)?;
            self.kept.push(place);
        }
        Ok(self)
    }

    /// One thing is asked of an unknown at the most.
    fn ask(&mut self, place: usize) -> Result<(), TrimError> {
        if self.asked.contains(&place) {
            return Err(TrimError::Twice { name: Name::new(&self.unknowns.names[place]) });
        }
        self.asked.push(place);
        Ok(())
    }

    /// A coordinate, velocity, state, input or output is between these values, which may be infinite; an input
    /// is within the model's bounds too.
    ///
    /// # Errors
    /// As [`Trim::hold`]; [`TrimError::Empty`] if there is no number between them.
    pub fn between(mut self, name: &str, low: f64, high: f64) -> Result<Self, TrimError> {
        if !self.unknowns.directions(name).is_empty() {
            return Err(TrimError::NoValue { name: Name::new(name) });
        }
        let place = self.unknowns.place(self.system, name)?;
        let (kind, layout) = (self.unknowns.kind(place), self.system.layout());
        if kind == Kind::Position && !layout.q.contains(&name) {
            return Err(TrimError::NoValue { name: Name::new(name) });
        }
        let within = low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY;
        if !within {
            return Err(TrimError::Empty { name: Name::new(name), low, high });
        }
        self.ask(place)?;
        if kind == Kind::Input {
            let (lowest, highest): (f64, f64) = self.system.input_bounds().of(name)?;
            if high < lowest || low > highest {
                return Err(TrimError::Outside { name: Name::new(name), low: lowest, high: highest });
            }
            self.unknowns.bound(place, low.max(lowest), high.min(highest));
        } else {
            self.unknowns.bound(place, low, high);
        }
        Ok(self)
    }

    /// A velocity or an input may have any value; an input any within the model's bounds, `input … in`.
    ///
    /// # Errors
    /// [`TrimError::Unknown`]; [`TrimError::Twice`] if something else is asked of it.
    pub fn free(mut self, name: &str) -> Result<Self, TrimError> {
        let place = self.unknowns.place(self.system, name)?;
        if self.asked.contains(&place) {
            return Err(TrimError::Twice { name: Name::new(name) });
        }
        let (low, high) = match self.unknowns.kind(place) {
            Kind::Input => self.system.input_bounds().of(name)?,
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        self.unknowns.bound(place, low, high);
        Ok(self)
    }

    /// Every input of which nothing else is asked may have any value within the model's bounds.
    #[must_use]
    pub fn free_inputs(mut self) -> Self {
        let bounds = self.system.input_bounds();
        for (place, (_, low, high)) in self.unknowns.range(Kind::Input).zip(bounds.iter()) {
            if !self.asked.contains(&place) {
                self.unknowns.bound(place, low, high);
            }
        }
        self
    }

    /// The nearest operating point of all that are as they must be.
    ///
    /// ```
    /// use ode_control::Trim;
    /// use ode_model::prelude::*;
    ///
    /// model! {
    ///     /// A pole that a motor holds.
    ///     pub struct Pole {
    ///         param m: Real [kg] = 0.3;
    ///         param l: Real [m] = 0.5;
    ///         param g: Real [m/s^2] = 9.81;
    ///         coord th: Angle;
    ///         input motor: Real [N*m] in -2.0..=2.0;
    ///         kinetic = 0.5 * m * sq(l * der(th));
    ///         potential = -m * g * l * cos(th);
    ///         force drive on th = motor;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let pole = Pole::default();
    /// let held = Trim::of(&pole).hold("th", 0.7)?.free("motor")?.solve()?;
    /// assert!((held.inputs.motor() - 0.3 * 9.81 * 0.5 * f64::sin(0.7)).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TrimError::Evaluation`] if the model cannot be evaluated at the guess; [`TrimError::Unbalanced`] with the
    /// equation that is met least, and what is at a bound there.
    pub fn solve(&self) -> Result<OperatingPoint<S>, TrimError> {
        let (system, layout) = (self.system, self.system.layout());
        let mut x = self.guess.entered(system)?;
        x.a.as_mut().fill(0.0);
        x.zdot.as_mut().fill(0.0);
        let mut u = S::U::zeros(layout.u.len());
        system.nominal(&mut u);
        let mut guess = Candidate { x, u, y: Vec::new() };
        let mut unknowns = self.unknowns.clone();
        guess.y = outputs(system, &guess, &unknowns.outputs);
        let values = guess.values(system);
        self.kept.iter().for_each(|&place| unknowns.bound(place, values[place], values[place]));
        let search = Search { system, unknowns: &unknowns, guess: &guess };
        let (at, iterations) = search.run()?;
        let at_bounds = search.at_bounds(&at).into_iter().map(str::to_owned).collect();
        Ok(OperatingPoint { state: at.x, inputs: at.u, at_bounds, iterations })
    }
}

/// The outputs asked for at a point.
fn outputs<S: Solvable<Real = f64> + Sensitive>(system: &S, at: &Candidate<S>, asked: &[usize]) -> Vec<f64> {
    let mut y = S::Y::zeros(system.layout().outputs.len());
    system.outputs(at.x.at(&at.u), at.x.rates(), &mut y);
    asked.iter().map(|&i| y.as_ref().get(i).copied().unwrap_or(0.0)).collect()
}
