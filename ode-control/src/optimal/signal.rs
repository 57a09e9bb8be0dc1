//! The inputs of a plan by collocation: polynomials through those of its points.

use ode_runtime::{Cause, HeldInput, Inputs, Layout, Moment, State, System};

/// The inputs of a plan as a run has them: in each interval a polynomial through those of its points. A run lands a
/// step on each node, where inputs may jump; after the last one they stay what they are there.
#[derive(Debug)]
pub struct Signal<'p, S: System> {
    nodes: &'p [f64],
    points: &'p [State<S>],
    inputs: &'p [S::U],
    /// points of an interval, and of those the ones that it does not share with the interval before
    each: (usize, usize),
    /// the start of the run, and how many nodes it has reached; none before the start
    reached: Option<(f64, usize)>,
}

impl<S: System> Clone for Signal<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: System> Copy for Signal<'_, S> {}

impl<'p, S: System<Real = f64>> Signal<'p, S> {
    /// Without points inputs are held.
    pub(super) fn of(nodes: &'p [f64], points: &'p [State<S>], inputs: &'p [S::U]) -> Self {
        let intervals = nodes.len().saturating_sub(1).max(1);
        let own = inputs.len() / intervals;
        Self { nodes, points, inputs, each: (own + inputs.len() % intervals, own), reached: None }
    }

    /// Nodes up to `t`.
    fn until(&self, t: f64) -> usize {
        let resolution = 100.0 * f64::EPSILON * t.abs().max(1.0);
        self.nodes.partition_point(|&node| node <= t + resolution)
    }

    /// The number of the interval of a time.
    fn interval(&self, t: f64) -> usize {
        let count = self.reached.map_or_else(|| self.until(t), |(_, count)| count);
        count.clamp(1, self.nodes.len().saturating_sub(1).max(1)) - 1
    }
}

impl<S: System<Real = f64>> Inputs<S> for Signal<'_, S> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        let (count, own) = self.each;
        let first = self.interval(at.t) * own;
        let Some(inputs) = self.inputs.get(first..first + count) else { return system.nominal(u) };
        let t = self.nodes.last().map_or(at.t, |&end| at.t.min(end));
        u.as_mut().fill(0.0);
        let times = || self.points.iter().skip(first).take(count).map(|x| x.t).enumerate();
        for (i, input) in inputs.iter().enumerate() {
            let here = times().nth(i).map_or(0.0, |(_, t)| t);
            // Lagrange's polynomials; without points the only one is 1
            let others = times().filter(|(j, _)| *j != i);
            let weight: f64 = others.map(|(_, other)| (t - other) / (here - other)).product();
            u.as_mut().iter_mut().zip(input.as_ref()).for_each(|(u, input)| *u += weight * input);
        }
    }

    fn next_sample(&self) -> Option<f64> {
        let next = self.reached.map_or(0, |(_, count)| count);
        Some(self.nodes.get(next).copied().unwrap_or(f64::INFINITY))
    }

    fn sample(&mut self, _: &S, x: &State<S>) {
        self.reached = Some(match self.reached {
            None => (x.t, self.until(x.t).max(1)),
            Some((start, count)) => (start, count + 1),
        });
    }

    /// What resumes a run is the number of nodes; the output is that of the first point of the interval.
    fn held(&self) -> Option<HeldInput<S>> {
        let (first, count) = self.reached?;
        let output = self.inputs.get((count - 1) * self.each.1).or(self.inputs.last())?;
        Some(HeldInput { first, taken: count as u64, output: output.clone() })
    }

    /// They move from node to node.
    fn holds(&self) -> bool {
        false
    }

    fn resume(&mut self, held: HeldInput<S>) {
        let count = usize::try_from(held.taken).unwrap_or(usize::MAX);
        self.reached = Some((held.first, count.clamp(1, self.nodes.len().max(1))));
    }

    fn check(&self, start: f64) -> Result<(), Cause> {
        let (low, high) = (self.nodes.first().copied().unwrap_or(f64::NAN), f64::INFINITY);
        // written so that NaN fails
        if start >= low - 100.0 * f64::EPSILON * low.abs().max(1.0) {
            return Ok(());
        }
        Err(Cause::OutOfRange { setting: "start of a run by a plan", value: start, low, high })
    }

    fn fits(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        self.inputs.iter().try_for_each(|u| layout.fits_inputs(u.as_ref().len()))
    }
}
