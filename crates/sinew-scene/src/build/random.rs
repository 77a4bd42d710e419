//! Random numbers that are the same on every machine: SplitMix64 [steele2014].

/// A generator; equal seeds give equal sequences.
#[derive(Clone, Debug)]
pub(super) struct SplitMix64(u64);

impl SplitMix64 {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [−1, 1).
    pub fn symmetric(&mut self) -> f64 {
        // 53 random bits fill a double in [0, 1).
        let unit = (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64);
        2.0 * unit - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference sequence of the published generator for seed 1234567.
    #[test]
    fn sequence_is_the_published_one() {
        let mut random = SplitMix64::new(1_234_567);
        let found = [random.next(), random.next(), random.next()];
        assert_eq!(found, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_fill_the_interval() {
        let mut random = SplitMix64::new(7);
        let draws: Vec<f64> = (0..10_000).map(|_| random.symmetric()).collect();
        let mean = draws.iter().sum::<f64>() / 1e4;
        assert!(draws.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!(mean.abs() < 0.03 && draws.iter().any(|&x| x < -0.99) && draws.iter().any(|&x| x > 0.99));
    }
}
