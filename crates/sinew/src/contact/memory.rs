//! What a contact remembers from one step to the next.

use super::pair::{PairKey, PairKind};
use super::rows::Row;
use glam::DVec3;

/// What one row remembers. A state keeps those that pressed, sorted by key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowMemory {
    pub key: PairKey,
    /// λ and λₜ, N.
    pub load: f64,
    pub drag: DVec3,
    /// Speed of approach when the contact began, m/s.
    pub approach: f64,
    /// Whether it slid.
    pub slides: bool,
}

/// What a list that is sorted by key has of a pair.
pub(super) fn find(memory: &[RowMemory], key: &PairKey) -> Option<RowMemory> {
    memory.binary_search_by_key(key, |memory| memory.key).ok().map(|k| memory[k])
}

impl RowMemory {
    /// What each of the pairs of a row remembers.
    pub fn of(row: &Row) -> Self {
        let share = 1.0 / f64::from(row.pairs.max(1));
        Self {
            key: row.pair.key,
            load: row.force * share,
            drag: row.friction * share,
            approach: row.approach,
            slides: row.sliding,
        }
    }

    /// Of a contact that begins.
    pub const NEW: Self = Self {
        key: PairKey { kind: PairKind::VertexTriangle, a: 0, b: 0 },
        load: 0.0,
        drag: DVec3::ZERO,
        approach: 0.0,
        slides: false,
    };

    /// Its key and whether it slid, as saved states store them: 2 bits for the kind, 1, 30 and 31 for the rest.
    pub fn word(&self) -> u64 {
        let kind = match self.key.kind {
            PairKind::VertexTriangle => 0,
            PairKind::EdgeEdge => 1,
            PairKind::VertexPlane => 2,
            PairKind::Push => 3,
        };
        kind << 62 | u64::from(self.slides) << 61 | u64::from(self.key.a) << 31 | u64::from(self.key.b)
    }

    /// Reads what [`Self::word`] wrote.
    pub fn set_word(&mut self, word: u64) {
        let kind = match word >> 62 {
            0 => PairKind::VertexTriangle,
            1 => PairKind::EdgeEdge,
            2 => PairKind::VertexPlane,
            _ => PairKind::Push,
        };
        self.slides = word >> 61 & 1 == 1;
        self.key = PairKey { kind, a: (word >> 31 & 0x3fff_ffff) as u32, b: (word & 0x7fff_ffff) as u32 };
    }

    /// Whether all its numbers are finite, so that it can be saved.
    pub fn is_finite(&self) -> bool {
        self.drag.is_finite() && self.load.is_finite() && self.approach.is_finite()
    }

    /// The numbers, as saved states store them.
    pub fn floats_mut(&mut self) -> [&mut f64; 5] {
        let DVec3 { x, y, z } = &mut self.drag;
        [&mut self.load, &mut self.approach, x, y, z]
    }
}
