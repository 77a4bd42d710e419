//! Median and spread of repeated measurements.
//!
//! Computing times have a minimum and a long tail above it (interrupts, other processes), so the median and the interquartile range describe
//! them: a quarter of the rounds may be disturbed without changing either.

/// Repeated measurements of the same quantity, in one unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// In increasing order; finite.
    sorted: Vec<f64>,
}

impl Sample {
    /// Values that are not finite are left out: they measured nothing.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        Self { sorted }
    }

    /// Number of measurements.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are no measurements.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The value below which this share of the measurements lies, 0 to 1, linear between measurements; NaN without measurements.
    pub fn quantile(&self, share: f64) -> f64 {
        let Some(last) = self.sorted.len().checked_sub(1) else { return f64::NAN };
        let place = share.clamp(0.0, 1.0) * last as f64;
        let (below, above) = (self.sorted[place.floor() as usize], self.sorted[place.ceil() as usize]);
        below + (place - place.floor()) * (above - below)
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Interquartile range: from the first to the third quartile.
    pub fn spread(&self) -> f64 {
        self.quantile(0.75) - self.quantile(0.25)
    }

    /// The smallest measurement.
    pub fn best(&self) -> f64 {
        self.quantile(0.0)
    }

    /// The largest measurement.
    pub fn worst(&self) -> f64 {
        self.quantile(1.0)
    }

    /// Every measurement times a factor, to change the unit.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self::new(self.sorted.iter().map(|value| value * factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_quartiles_interpolate() {
        let sample = Sample::new([4.0, 1.0, 3.0, 2.0]);
        assert_eq!((sample.median(), sample.quantile(0.25), sample.quantile(0.75)), (2.5, 1.75, 3.25));
        assert_eq!((sample.spread(), sample.best(), sample.worst()), (1.5, 1.0, 4.0));
        assert_eq!(Sample::new([7.0]).median(), 7.0);
        assert_eq!(Sample::new([7.0]).spread(), 0.0);
    }

    #[test]
    fn a_disturbed_quarter_moves_neither_median_nor_spread_far() {
        let calm = Sample::new((0..20).map(|i| 1.0 + 0.001 * f64::from(i)));
        let disturbed = Sample::new((0..20).map(|i| if i >= 16 { 50.0 } else { 1.0 + 0.001 * f64::from(i) }));
        assert!((calm.median() - disturbed.median()).abs() < 1e-9);
        assert!((calm.spread() - disturbed.spread()).abs() < 1e-9);
    }

    #[test]
    fn nothing_has_no_median_and_what_is_not_finite_counts_as_nothing() {
        assert!(Sample::default().median().is_nan() && Sample::default().is_empty());
        assert_eq!(Sample::new([f64::NAN, 2.0, f64::INFINITY]).len(), 1);
    }

    #[test]
    fn units_scale() {
        assert_eq!(Sample::new([1.0, 3.0]).scaled(1e3).median(), 2000.0);
    }
}
