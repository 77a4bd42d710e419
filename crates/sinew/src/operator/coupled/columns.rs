//! Columns of A⁻¹ that were wanted lately.
//!
//! Those of flesh alone: where there are bones, they stay where they are, and the last rows of a column say what its elimination leaves for them.

use glam::DVec3;

/// Numbers in all columns that are kept, 4 bytes each.
const KEPT: usize = 8_000_000;
const NONE: u32 = u32::MAX;

/// Columns by the row of the matrix that they belong to.
#[derive(Debug)]
pub(super) struct Columns {
    n: usize,
    /// Rows from here on belong to bones, and have no column.
    flesh: usize,
    /// Column after column.
    values: Vec<f32>,
    /// The slot of each column, or `NONE`; the column in each slot, and when it was wanted last.
    slot: Vec<u32>,
    held: Vec<(u32, u64)>,
    wanted: Vec<u32>,
    time: u64,
}

impl Columns {
    pub fn new(n: usize, flesh: usize) -> Self {
        let (values, held, wanted) = (Vec::new(), Vec::new(), Vec::new());
        Self { n, flesh, values, slot: vec![NONE; flesh], held, wanted, time: 0 }
    }

    /// Where the rows of bones begin.
    pub fn flesh(&self) -> usize {
        self.flesh
    }

    /// Makes the columns of all these rows available, as far as they are flesh; returns whether there is room for them. `inverse` is x ← A⁻¹x.
    pub fn fetch(
        &mut self,
        rows: impl Iterator<Item = u32>,
        memory: &mut [DVec3],
        mut inverse: impl FnMut(&mut [DVec3]) -> bool,
    ) -> bool {
        self.time += 1;
        self.wanted.clear();
        self.wanted.extend(rows.filter(|&i| (i as usize) < self.flesh));
        self.wanted.sort_unstable();
        self.wanted.dedup();
        let room = (KEPT / self.n.max(1)).min(self.n);
        if self.wanted.len() > room {
            return false;
        }
        let (slot, held, time) = (&self.slot, &mut self.held, self.time);
        self.wanted.retain(|&i| {
            let at = slot[i as usize];
            if at != NONE {
                held[at as usize].1 = time;
            }
            at == NONE
        });
        for three in 0..self.wanted.len().div_ceil(3) {
            let asked = 3 * three..(3 * three + 3).min(self.wanted.len());
            memory.fill(DVec3::ZERO);
            for (k, &i) in self.wanted[asked.clone()].iter().enumerate() {
                memory[i as usize][k] = 1.0;
            }
            if !inverse(memory) {
                return false;
            }
            for (k, at) in asked.enumerate() {
                let slot = self.free_slot(room);
                let i = self.wanted[at];
                (self.slot[i as usize], self.held[slot]) = (slot as u32, (i, self.time));
                let column = &mut self.values[slot * self.n..(slot + 1) * self.n];
                column.iter_mut().zip(&*memory).for_each(|(c, x)| *c = x[k] as f32);
            }
        }
        true
    }

    /// A slot that is not in use, or the one that was wanted longest ago.
    fn free_slot(&mut self, room: usize) -> usize {
        if self.held.len() < room {
            self.held.push((NONE, 0));
            self.values.resize(self.held.len() * self.n, 0.0);
            return self.held.len() - 1;
        }
        let oldest = (0..self.held.len()).min_by_key(|&k| self.held[k].1).unwrap_or(0);
        if let Some(slot) = self.slot.get_mut(self.held[oldest].0 as usize) {
            *slot = NONE;
        }
        oldest
    }

    /// An entry of A⁻¹ between two columns that are there; the same both ways round.
    pub fn entry(&self, i: u32, j: u32) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        f64::from(self.column(i)[j as usize])
    }

    /// What a column that is there leaves for the bones.
    pub fn of_bones(&self, i: u32) -> &[f32] {
        &self.column(i)[self.flesh..]
    }

    fn column(&self, i: u32) -> &[f32] {
        &self.values[self.slot[i as usize] as usize * self.n..][..self.n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_wanted_longest_ago_makes_room() {
        // A⁻¹ = diag(1 + i), n = 40.
        let mut columns = Columns::new(40, 40);
        columns.held.resize(38, (NONE, 0));
        columns.values.resize(38 * 40, 0.0);
        let mut memory = vec![DVec3::ZERO; 40];
        // Only two slots are left, then the oldest go.
        for i in [5, 9, 17, 5, 30] {
            let inverse = |x: &mut [DVec3]| {
                x.iter_mut().enumerate().for_each(|(k, x)| *x *= 1.0 + k as f64);
                true
            };
            assert!(columns.fetch([i].into_iter(), &mut memory, inverse));
            assert_eq!(columns.entry(i, i), 1.0 + f64::from(i));
        }
        assert_eq!(columns.held.len(), 40);
    }
}
