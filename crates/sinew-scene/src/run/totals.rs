//! What the report needs of all frames, in a few numbers: sums and extremes that grow with each row.

use super::{Row, solve};

/// Sums and extremes over the rows so far. Every field is a number that [`Totals::visit`] saves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Totals {
    /// Largest |H − target|, J.
    pub error: f64,
    /// Largest kinetic energy, and largest change of the potential one since the start, J.
    pub kinetic: f64,
    pub change: f64,
    /// Least and largest H, J.
    pub low: f64,
    pub high: f64,
    /// Largest |P − P₀| and |L − L₀|, and their scales.
    pub linear: f64,
    pub angular: f64,
    pub linear_scale: f64,
    pub angular_scale: f64,
    /// Largest extent of a body over its extent at rest.
    pub growth: f64,
    /// Largest depth below a surface.
    pub depth: f64,
    /// Sum and largest number of contacts.
    pub contacts: f64,
    pub most_contacts: f64,
    /// Sum and largest number of rounds, and steps that ended with something held back.
    pub rounds: f64,
    pub most_rounds: f64,
    pub cut: f64,
    /// Work of contacts that was left open, J, and how far colliders were held back at most, m.
    pub unclosed: f64,
    pub held_back: f64,
    /// What the correction did.
    pub iterations: f64,
    pub most_iterations: f64,
    pub fallbacks: f64,
    pub energy_evaluations: f64,
    pub gradient_evaluations: f64,
    /// What the solver did: iterations, sum and largest of the residuals, steps at the limit of iterations, and those of them that are not solved.
    pub solver_iterations: f64,
    pub residual: f64,
    pub most_residual: f64,
    pub at_limit: f64,
    pub loose: f64,
    /// Computing times, ms.
    pub step: f64,
    pub solve: f64,
    pub correct: f64,
    pub contact: f64,
}

impl Totals {
    /// Words of the totals in a checkpoint.
    pub const WORDS: usize = 32;

    /// Of the initial state alone.
    pub fn new(first: &Row) -> Self {
        let mut totals = Self::none();
        totals.extremes(first, first);
        totals
    }

    fn none() -> Self {
        Self {
            error: 0.0,
            kinetic: 0.0,
            change: 0.0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            linear: 0.0,
            angular: 0.0,
            linear_scale: 0.0,
            angular_scale: 0.0,
            growth: 0.0,
            depth: 0.0,
            contacts: 0.0,
            most_contacts: 0.0,
            rounds: 0.0,
            most_rounds: 0.0,
            cut: 0.0,
            unclosed: 0.0,
            held_back: 0.0,
            iterations: 0.0,
            most_iterations: 0.0,
            fallbacks: 0.0,
            energy_evaluations: 0.0,
            gradient_evaluations: 0.0,
            solver_iterations: 0.0,
            residual: 0.0,
            most_residual: 0.0,
            at_limit: 0.0,
            loose: 0.0,
            step: 0.0,
            solve: 0.0,
            correct: 0.0,
            contact: 0.0,
        }
    }

    /// Adds the row of a step; `first` is that of the initial state.
    pub fn add(&mut self, row: &Row, first: &Row) {
        self.extremes(row, first);
        let (contacts, correction, times) = (row.contacts as f64, &row.correction, &row.times);
        let iterations = correction.iterations as f64;
        self.contacts += contacts;
        self.most_contacts = self.most_contacts.max(contacts);
        self.rounds += row.rounds as f64;
        self.most_rounds = self.most_rounds.max(row.rounds as f64);
        self.cut += row.cut as f64;
        self.unclosed += row.unclosed;
        self.held_back = self.held_back.max(row.held_back);
        self.iterations += iterations;
        self.most_iterations = self.most_iterations.max(iterations);
        self.fallbacks += correction.fallbacks as f64;
        self.energy_evaluations += correction.energy_evaluations as f64;
        self.gradient_evaluations += correction.gradient_evaluations as f64;
        self.solver_iterations += row.iterations as f64;
        self.residual += row.residual;
        self.most_residual = self.most_residual.max(row.residual);
        self.at_limit += row.at_limit as f64;
        self.loose += f64::from(u8::from(solve::is_loose(row)));
        self.step += times.step;
        self.solve += times.solve;
        self.correct += times.correct;
        self.contact += times.contact;
    }

    fn extremes(&mut self, row: &Row, first: &Row) {
        let raise = |most: &mut f64, value: f64| *most = most.max(value);
        raise(&mut self.error, (row.total() - row.target).abs());
        raise(&mut self.kinetic, row.kinetic);
        raise(&mut self.change, (row.potential() - first.potential()).abs());
        self.low = self.low.min(row.total());
        raise(&mut self.high, row.total());
        raise(&mut self.linear, row.linear.distance(first.linear));
        raise(&mut self.angular, row.angular.distance(first.angular));
        raise(&mut self.linear_scale, row.linear_scale);
        raise(&mut self.angular_scale, row.angular_scale);
        raise(&mut self.growth, row.growth);
        raise(&mut self.depth, row.depth);
    }

    /// Every number, in a fixed order.
    fn visit(&mut self) -> [&mut f64; Self::WORDS] {
        let Self {
            error,
            kinetic,
            change,
            low,
            high,
            linear,
            angular,
            linear_scale,
            angular_scale,
            growth,
            depth,
            contacts,
            most_contacts,
            rounds,
            most_rounds,
            cut,
            unclosed,
            held_back,
            iterations,
            most_iterations,
            fallbacks,
            energy_evaluations,
            gradient_evaluations,
            solver_iterations,
            residual,
            most_residual,
            at_limit,
            loose,
            step,
            solve,
            correct,
            contact,
        } = self;
        [
            error,
            kinetic,
            change,
            low,
            high,
            linear,
            angular,
            linear_scale,
            angular_scale,
            growth,
            depth,
            contacts,
            most_contacts,
            rounds,
            most_rounds,
            cut,
            unclosed,
            held_back,
            iterations,
            most_iterations,
            fallbacks,
            energy_evaluations,
            gradient_evaluations,
            solver_iterations,
            residual,
            most_residual,
            at_limit,
            loose,
            step,
            solve,
            correct,
            contact,
        ]
    }

    /// The words of a checkpoint.
    pub fn encode(mut self) -> [u64; Self::WORDS] {
        self.visit().map(|x| x.to_bits())
    }

    /// From the words of a checkpoint.
    pub fn decode(words: &[u64]) -> Self {
        let mut totals = Self::none();
        totals.visit().into_iter().zip(words).for_each(|(x, word)| *x = f64::from_bits(*word));
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_come_back_as_they_were() {
        let words: Vec<u64> = (0..Totals::WORDS).map(|i| (i as f64 + 0.5).to_bits()).collect();
        let totals = Totals::decode(&words);
        assert_eq!(totals.encode().to_vec(), words);
        assert_eq!((totals.error, totals.contact), (0.5, 31.5));
    }
}
