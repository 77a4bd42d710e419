//! Random numbers that depend on nothing but the number of a case.

use sinew::{DQuat, DVec3};

/// A small generator (SplitMix64), so that every case can be repeated from its number.
pub struct Random(u64);

impl Random {
    /// The generator of a case.
    pub fn new(case: u64) -> Self {
        Self(case.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// A generator of its own for one feature of a case: leaving another feature out does not change what this one draws.
    pub fn of(case: u64, feature: &str) -> Self {
        let mut r = Self::new(case);
        for byte in feature.bytes() {
            r.0 = r.next() ^ u64::from(byte);
        }
        r
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Between two powers of ten, each decade equally often.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
    }

    /// Below `end`.
    pub fn index(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    pub fn direction(&mut self) -> DVec3 {
        self.vector(1.0).try_normalize().unwrap_or(DVec3::X)
    }

    /// A rotation by at most `angle`, rad.
    pub fn rotation(&mut self, angle: f64) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.between(-angle, angle))
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())].clone()
    }
}
