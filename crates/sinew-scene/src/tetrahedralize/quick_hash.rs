//! Tables whose keys are numbers of our own: nobody can choose them so that they collide, and a hash of one multiplication for each word is several times faster than the
//! library's, which is made for keys of strangers.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A table over numbers of points, edges and faces. The order of its entries means nothing.
pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;
/// A set of the same.
pub(super) type QuickSet<K> = HashSet<K, BuildHasherDefault<Quick>>;

/// 2⁶⁴ over the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Each word is added and multiplied; the high bits, which depend on all others, come last to the front.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quick(u64);

impl Quick {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(SPREAD);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.mix(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.mix(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.mix(n as u64);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::BuildHasher;

    #[test]
    fn faces_of_a_lattice_spread_over_all_buckets() {
        let hasher = BuildHasherDefault::<Quick>::default();
        let mut buckets = [0_usize; 256];
        for a in 0..64_u32 {
            for b in 0..64_u32 {
                for c in 0..16_u32 {
                    let key = [a, 64 * b, 4096 * c];
                    buckets[hasher.hash_one(key) as usize % 256] += 1;
                }
            }
        }
        // 256 each; chance alone leaves them within five times √256.
        assert!(buckets.iter().all(|&n| (176..=336).contains(&n)), "{buckets:?}");
    }
}
