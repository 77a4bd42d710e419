//! What a face does over time: poses a fraction of a second apart, each a few expressions together, and smooth ways between them.
//!
//! Speech is a sequence of such poses (visemes). A neutral pose now and then gives the lips time to close.

use super::noise;

/// Activations of some channels over time, each 0 to 1.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Activations at each pose.
    poses: Vec<Vec<f64>>,
    /// Time of each pose, s.
    times: Vec<f64>,
}

impl Keys {
    /// Poses of `channels` channels for `seconds`; at each about `together` are active. The first pose is neutral.
    pub fn new(seed: u64, channels: usize, together: usize, seconds: f64) -> Self {
        let mut poses = vec![vec![0.0; channels]];
        let mut times = vec![0.0];
        let mut order: Vec<usize> = Vec::new();
        while times.last().is_some_and(|&t| t < seconds) {
            let k = poses.len() as u64;
            let random = |what: u64| noise::uniform(seed, 4096 * k + what);
            let mut pose = vec![0.0; channels];
            // Every sixth pose rests.
            if !k.is_multiple_of(6) {
                for slot in 0..together as u64 {
                    // Channels take turns in a shuffled order, so that each occurs.
                    if order.is_empty() {
                        order = (0..channels).collect();
                        order.sort_by(|&a, &b| random(100 + a as u64).total_cmp(&random(100 + b as u64)));
                    }
                    if let Some(channel) = order.pop() {
                        pose[channel] = 0.35 + 0.65 * random(slot);
                    }
                }
            }
            let last = times.last().copied().unwrap_or(0.0);
            times.push(last + 0.22 + 0.2 * random(50));
            poses.push(pose);
        }
        Self { poses, times }
    }

    /// The activations at a time, s.
    pub fn at(&self, time: f64) -> Vec<f64> {
        let next = self.times.partition_point(|&t| t <= time).clamp(1, self.times.len().max(2) - 1);
        let (Some(a), Some(b)) = (self.poses.get(next - 1), self.poses.get(next)) else {
            return self.poses[0].clone();
        };
        let s = ((time - self.times[next - 1]) / (self.times[next] - self.times[next - 1])).clamp(0.0, 1.0);
        let s = s * s * (3.0 - 2.0 * s);
        a.iter().zip(b).map(|(a, b)| a + s * (b - a)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_occurs_and_curves_are_smooth() {
        let keys = Keys::new(7, 16, 3, 10.0);
        let frames: Vec<Vec<f64>> = (0..300).map(|k| keys.at(k as f64 / 30.0)).collect();
        for channel in 0..16 {
            let most = frames.iter().map(|f| f[channel]).fold(0.0, f64::max);
            assert!(most > 0.3, "channel {channel}: {most}");
        }
        for pair in frames.windows(2) {
            assert!(pair[0].iter().zip(&pair[1]).all(|(a, b)| (a - b).abs() < 0.3));
        }
        assert!(frames[0].iter().all(|&a| a == 0.0));
    }
}
