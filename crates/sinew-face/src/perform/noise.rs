//! Numbers that look random and are always the same: a hash of seed and counter, and curves over time made of them.

/// A number in [0, 1) for a seed and a counter (SplitMix64).
pub(super) fn uniform(seed: u64, counter: u64) -> f64 {
    let mut z =
        seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(counter.wrapping_mul(0xD1B5_4A32_D192_ED03));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A smooth curve over time in about [−1, 1]: three sines with phases and periods of their own.
pub(super) fn wander(seed: u64, channel: u64, time: f64) -> f64 {
    let part = |k: u64| {
        let at = 16 * channel + 2 * k;
        let rate = (0.25 + 0.9 * uniform(seed, at)) * (1.0 + k as f64);
        let phase = std::f64::consts::TAU * uniform(seed, at + 1);
        (std::f64::consts::TAU * rate * time + phase).sin() / (1.0 + k as f64)
    };
    (part(0) + part(1) + part(2)) / 1.4
}

/// The same as an activation in [0, 1]: zero for about half the time.
pub(super) fn activation(seed: u64, channel: u64, time: f64) -> f64 {
    (1.3 * wander(seed, channel, time)).clamp(0.0, 1.0)
}
