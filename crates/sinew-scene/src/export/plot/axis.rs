//! Ranges, ticks and their labels.

/// Values beyond this are treated as not finite, so that differences of values never overflow.
const HUGE: f64 = 1e300;

/// Range, ticks and scale of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// Ends of the axis; those of log₁₀ of the values if it is logarithmic.
    low: f64,
    high: f64,
    pub logarithmic: bool,
    /// Position from 0 to 1, and label.
    pub ticks: Vec<(f64, String)>,
    /// What the labels leave out, to be written at the end of the axis; usually empty.
    pub offset: String,
}

impl Axis {
    /// An axis for values, with about `count` ticks. With `padding`, lines keep this fraction away from its ends.
    pub fn of(values: impl Iterator<Item = f64>, logarithmic: bool, count: f64, padding: f64) -> Self {
        let shown = values.filter_map(|value| coordinate(value, logarithmic));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = widened(low, high, padding);
        let (ticks, offset) =
            if logarithmic { (decades(low, high, count), String::new()) } else { linear(low, high, count) };
        let ticks = ticks.into_iter().map(|(value, label)| ((value - low) / (high - low), label)).collect();
        Self { low, high, logarithmic, ticks, offset }
    }

    /// Position of a value, 0 at the low end and 1 at the high one; `None` if the axis cannot show it.
    pub fn place(&self, value: f64) -> Option<f64> {
        coordinate(value, self.logarithmic).map(|v| (v - self.low) / (self.high - self.low))
    }
}

fn coordinate(value: f64, logarithmic: bool) -> Option<f64> {
    if !value.is_finite() || value.abs() > HUGE || (logarithmic && value <= 0.0) {
        return None;
    }
    Some(if logarithmic { value.log10() } else { value })
}

/// A range of positive length: an empty range becomes 0–1, and values that are constant up to rounding get room around them.
fn widened(low: f64, high: f64, padding: f64) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    let length = high - low;
    if length <= 1e-13 * size || length < 1e-300 {
        let room = if size < 1e-290 { 1.0 } else { 0.1 * size };
        return (low - room, high + room);
    }
    (low - padding * length, high + padding * length)
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten.
fn linear(low: f64, high: f64, count: f64) -> (Vec<(f64, String)>, String) {
    let step = round_step((high - low) / count.max(1.0));
    let first = (low / step).ceil();
    let values: Vec<f64> =
        (0..100).map(|i| (first + f64::from(i)) * step).take_while(|v| *v <= high + 1e-9 * step).collect();
    let size = low.abs().max(high.abs());
    // More than five digits in front of the one that changes: label differences instead.
    if size / step > 2e5 {
        let base = values.first().copied().unwrap_or(low);
        let labels =
            (0..values.len()).map(|i| format!("+{}", label(i as f64 * step, step, (high - low).abs())));
        let digits = ((size / step).log10().ceil() as usize + 1).min(17);
        let written = format!("{base:.digits$e}");
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        let short = mantissa.trim_end_matches('0').trim_end_matches('.');
        return (values.iter().copied().zip(labels).collect(), format!("{short}e{exponent}"));
    }
    let labels = values.iter().map(|&value| label(value, step, size));
    (values.iter().copied().zip(labels).collect(), String::new())
}

/// 1, 2 or 5 times a power of ten, at or above `x`.
fn round_step(x: f64) -> f64 {
    let power = 10f64.powi(x.log10().floor() as i32);
    let leading = x / power;
    let rounded = [1.0, 2.0, 5.0].into_iter().find(|&r| leading <= r * (1.0 + 1e-9)).unwrap_or(10.0);
    rounded * power
}

/// A number with the digits that `step` needs: plain if that is short, else like 1.2e5, with the exponent of the axis's largest number
/// throughout.
fn label(value: f64, step: f64, size: f64) -> String {
    if value.abs() < 1e-6 * step {
        return "0".into();
    }
    let leading_digit = |x: f64| (x.log10() + 1e-9).floor() as i32;
    let digits = |from: i32| usize::try_from(from - leading_digit(step)).unwrap_or(0);
    if (1e-3..1e5).contains(&size) {
        return format!("{:.*}", digits(0), value);
    }
    let exponent = leading_digit(size);
    // In two steps, as 10^−exponent alone may overflow.
    let half = exponent / 2;
    let mantissa = value / 10f64.powi(half) / 10f64.powi(exponent - half);
    format!("{:.*}e{exponent}", digits(exponent), mantissa)
}

/// Ticks of a logarithmic axis from 10^low to 10^high: powers of ten, and if those are few also 2 and 5 times.
fn decades(low: f64, high: f64, count: f64) -> Vec<(f64, String)> {
    let every = ((high - low) / count.max(1.0)).ceil().max(1.0);
    let multiples: &[f64] = if high - low > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let first = (low / every).floor() * every;
    let powers = (0..400).map(|i| first + f64::from(i) * every).take_while(|&p| p <= high);
    let ticks: Vec<(f64, String)> = powers
        .flat_map(|power| multiples.iter().map(move |m| (power + m.log10(), format!("{m}e{power}"))))
        .filter(|(place, _)| (low..=high).contains(place))
        .collect();
    if ticks.len() >= 2 {
        return ticks;
    }
    // Less than a factor of about two: equal steps in the values themselves.
    let (ticks, _) = linear(10f64.powf(low), 10f64.powf(high), count);
    ticks.into_iter().map(|(value, label)| (value.log10(), label)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], logarithmic: bool) -> Vec<String> {
        Axis::of(values.iter().copied(), logarithmic, 5.0, 0.0)
            .ticks
            .into_iter()
            .map(|(_, label)| label)
            .collect()
    }

    #[test]
    fn ticks_are_round_numbers_with_the_digits_they_need() {
        assert_eq!(labels(&[0.0, 1.0], false), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&[0.0, 4.5e5], false), ["0", "1e5", "2e5", "3e5", "4e5"]);
        assert_eq!(labels(&[1.0e5, 1.4e5], false), ["1.0e5", "1.1e5", "1.2e5", "1.3e5", "1.4e5"]);
        assert_eq!(labels(&[0.0, 2e-7], false), ["0", "0.5e-7", "1.0e-7", "1.5e-7", "2.0e-7"]);
        assert_eq!(labels(&[-2e-7, 2e-7], false), ["-2e-7", "-1e-7", "0", "1e-7", "2e-7"]);
        assert_eq!(labels(&[1e30, 9e30], false), ["2e30", "4e30", "6e30", "8e30"]);
    }

    #[test]
    fn a_tiny_variation_of_a_large_number_is_labelled_relative_to_an_offset() {
        let axis = Axis::of([1000.0, 1000.0 + 4e-8].into_iter(), false, 4.0, 0.0);
        assert!(axis.offset == "1e3", "{}", axis.offset);
        assert!(axis.ticks.iter().any(|(_, label)| label == "+2e-8"), "{:?}", axis.ticks);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(labels(&[1e-9, 1e0], true), ["1e-8", "1e-6", "1e-4", "1e-2", "1e0"]);
        assert_eq!(labels(&[1.0, 10.0], true), ["1e0", "2e0", "5e0", "1e1"]);
    }

    #[test]
    fn every_input_gives_a_range_of_positive_length() {
        let inputs: [&[f64]; 7] = [
            &[],
            &[f64::NAN, f64::INFINITY],
            &[0.0],
            &[7.0, 7.0],
            &[1e30, -1e30],
            &[f64::MAX, f64::MIN],
            &[5e-324, 1e-323],
        ];
        for values in inputs {
            for logarithmic in [false, true] {
                let axis = Axis::of(values.iter().copied(), logarithmic, 5.0, 0.05);
                assert!(axis.high > axis.low && (axis.high - axis.low).is_finite(), "{values:?}");
                assert!(!axis.ticks.is_empty() && axis.ticks.len() < 20, "{values:?}: {:?}", axis.ticks);
                assert!(
                    axis.ticks.iter().all(|(place, _)| (-1e-6..=1.0 + 1e-6).contains(place)),
                    "{values:?}"
                );
            }
        }
    }
}
