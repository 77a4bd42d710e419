//! Rows of contacts in the matrix of a step as they are: what they press together moves together.
//!
//! The true matrix of a step in contact is H = A + Σ s u uᵀ, A = M + αβ²h²L the constant one, with u = w⊗n for each row that presses and w⊗t, w⊗b where friction holds, s
//! their stiffness. While there are not too many of them, its inverse is known without a new factor (Sherman–Morrison–Woodbury):
//!
//! H⁻¹ = A⁻¹ − A⁻¹U C⁻¹ UᵀA⁻¹,  C = S⁻¹ + UᵀA⁻¹U.
//!
//! C is small and dense. Its entries are those of A⁻¹ between vertices in contact, from columns of A⁻¹ that are solved for once and kept: A never changes, and contacts stay where they are for a while.
//! In single precision they are exact enough: whatever C is, H₀⁻¹ gives bodies that press only each other the momentum that their forces say, because UᵀZ = 0 for their common
//! translations Z.

use super::Contacts;
use crate::dofs::Slot;
use crate::math::DenseCholesky;
use crate::model::Model;
use crate::sparse::GlobalStep;
use glam::DVec3;

/// Size of C above which it costs more than it saves.
const MOST: usize = 720;
/// Numbers in all columns that are kept, 4 bytes each.
const KEPT: usize = 8_000_000;
const NONE: u32 = u32::MAX;

/// One direction of a row that presses.
#[derive(Clone, Copy, Debug)]
struct Line {
    row: u32,
    direction: DVec3,
    /// αβh² k.
    stiffness: f64,
}

/// U, S and C of a solve, and columns of A⁻¹.
#[derive(Debug)]
pub(super) struct Coupled {
    columns: Columns,
    /// Where each row acts: reduced coordinates and weights.
    rows: Vec<[(u32, f64); 4]>,
    lines: Vec<Line>,
    /// wᵀA⁻¹w between rows.
    compliance: Vec<f64>,
    small: DenseCholesky,
    y: Vec<f64>,
    /// Memory of a solve, reduced coordinates.
    other: Vec<DVec3>,
}

impl Coupled {
    pub fn new(model: &Model) -> Self {
        let n = model.dofs.len();
        Self {
            columns: Columns::new(n),
            rows: Vec::new(),
            lines: Vec::new(),
            compliance: Vec::new(),
            small: DenseCholesky::new(0),
            y: Vec::new(),
            other: vec![DVec3::ZERO; n],
        }
    }

    /// Collects the rows that press at `x` or did before; returns whether they are few enough. `weight` is αβh², `constant` solves with A.
    pub fn prepare(
        &mut self,
        model: &Model,
        contacts: &Contacts,
        weight: f64,
        x: &[DVec3],
        constant: &mut GlobalStep,
    ) -> bool {
        self.rows.clear();
        self.lines.clear();
        let (rows, lines) = (&mut self.rows, &mut self.lines);
        contacts.for_pressing(x, |row, normal, hold| {
            let mut ends = [(NONE, 0.0); 4];
            let free = row.ends().filter(|&(i, _)| i < model.points()).filter_map(|(i, w)| {
                match model.dofs.slots()[i] {
                    Slot::Free(index) => Some((index, w)),
                    _ => None,
                }
            });
            if free.zip(&mut ends).map(|(end, into)| *into = end).count() == 0 {
                return;
            }
            let number = rows.len() as u32;
            rows.push(ends);
            let (t, b) = row.normal.any_orthonormal_pair();
            for (direction, stiffness) in [(row.normal, normal), (t, hold), (b, hold)] {
                if stiffness > 0.0 {
                    lines.push(Line { row: number, direction, stiffness: stiffness * weight });
                }
            }
        });
        !self.lines.is_empty()
            && self.lines.len() <= MOST
            && self.columns.fetch(&self.rows, constant, &mut self.other)
            && self.factor()
    }

    /// C and its factor.
    fn factor(&mut self) -> bool {
        let (m, n) = (self.rows.len(), self.lines.len());
        self.compliance.clear();
        self.compliance.resize(m * m, 0.0);
        for (p, row) in self.rows.iter().enumerate() {
            for (q, other) in self.rows[..=p].iter().enumerate() {
                let mut sum = 0.0;
                for &(i, w) in row.iter().take_while(|end| end.0 != NONE) {
                    for &(j, v) in other.iter().take_while(|end| end.0 != NONE) {
                        sum += w * v * self.columns.entry(i, j);
                    }
                }
                self.compliance[p * m + q] = sum;
            }
        }
        self.y.clear();
        self.y.resize(n, 0.0);
        self.small.clear(n);
        let matrix = self.small.matrix();
        for (k, line) in self.lines.iter().enumerate() {
            for (l, other) in self.lines[..=k].iter().enumerate() {
                let between = self.compliance[line.row as usize * m + other.row as usize];
                matrix[l * n + k] = between * line.direction.dot(other.direction);
            }
            matrix[k * n + k] += 1.0 / line.stiffness;
        }
        self.small.factor()
    }

    /// x ← H⁻¹x.
    pub fn solve(&mut self, x: &mut [DVec3], mut inverse: impl FnMut(&mut [DVec3])) {
        inverse(x);
        for (y, line) in self.y.iter_mut().zip(&self.lines) {
            let ends = self.rows[line.row as usize].iter().take_while(|end| end.0 != NONE);
            *y = ends.map(|&(i, w)| x[i as usize] * w).sum::<DVec3>().dot(line.direction);
        }
        self.small.solve(&mut self.y);
        self.other.fill(DVec3::ZERO);
        for (y, line) in self.y.iter().zip(&self.lines) {
            let ends = self.rows[line.row as usize].iter().take_while(|end| end.0 != NONE);
            ends.for_each(|&(i, w)| self.other[i as usize] += line.direction * (w * y));
        }
        inverse(&mut self.other);
        x.iter_mut().zip(&self.other).for_each(|(x, d)| *x -= *d);
    }
}

/// Columns of A⁻¹ that were wanted lately.
#[derive(Debug)]
struct Columns {
    n: usize,
    /// Column after column.
    values: Vec<f32>,
    /// The slot of each column, or `NONE`; the column in each slot, and when it was wanted last.
    slot: Vec<u32>,
    held: Vec<(u32, u64)>,
    wanted: Vec<u32>,
    time: u64,
}

impl Columns {
    fn new(n: usize) -> Self {
        let (values, held, wanted) = (Vec::new(), Vec::new(), Vec::new());
        Self { n, values, slot: vec![NONE; n], held, wanted, time: 0 }
    }

    /// Makes the columns of all these ends available; returns whether there is room for them.
    fn fetch(&mut self, rows: &[[(u32, f64); 4]], constant: &mut GlobalStep, memory: &mut [DVec3]) -> bool {
        self.time += 1;
        self.wanted.clear();
        self.wanted.extend(rows.iter().flatten().map(|end| end.0).filter(|&i| i != NONE));
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
            if constant.solve_vectors(memory).is_err() {
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
    fn entry(&self, i: u32, j: u32) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        f64::from(self.values[self.slot[i as usize] as usize * self.n + j as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::systems::{Systems, system_matrix};
    use crate::sparse::{GlobalMethod, Precision};
    use crate::{Body, SpringLaw};

    const FACTOR: f64 = 1e-3;

    /// Two chains of springs.
    fn model() -> Model {
        let mut builder = Model::builder();
        for side in 0..2 {
            let points: Vec<DVec3> =
                (0..20).map(|k| DVec3::new(f64::from(k), f64::from(side), 0.0)).collect();
            let springs = (0..19).map(|k| [k, k + 1]).collect();
            let body = Body::new(format!("chain {side}"), points);
            builder.body(body.springs(springs, SpringLaw::Hookean, 1000.0).total_mass(1.0));
        }
        builder.build().unwrap()
    }

    /// Rows between the two chains, and the solve with them.
    fn coupled(model: &Model, step: &mut GlobalStep, rows: &[[(u32, f64); 4]]) -> Coupled {
        let mut coupled = Coupled::new(model);
        coupled.rows.extend_from_slice(rows);
        for row in 0..rows.len() {
            let (t, b) = DVec3::Y.any_orthonormal_pair();
            for (direction, stiffness) in [(DVec3::Y, 3.0), (t, 0.5), (b, 0.5)] {
                coupled.lines.push(Line { row: row as u32, direction, stiffness });
            }
        }
        let mut memory = vec![DVec3::ZERO; model.dofs.len()];
        assert!(coupled.columns.fetch(&coupled.rows, step, &mut memory) && coupled.factor());
        coupled
    }

    #[test]
    fn it_is_the_inverse_of_the_matrix_with_rows() {
        let model = model();
        let mut systems = Systems::new(GlobalMethod::Direct);
        let mut step = systems.whole(&model, FACTOR, Precision::Double).unwrap();
        let rows = [3u32, 4, 11].map(|k| [(k, 0.4), (k + 1, 0.6), (20 + k, -0.7), (21 + k, -0.3)]);
        let mut coupled = coupled(&model, &mut step, &rows);
        let wanted: Vec<DVec3> = (0..40)
            .map(|k| DVec3::new((0.7 * f64::from(k)).sin(), (1.3 * f64::from(k)).cos(), 0.2))
            .collect();
        let mut x = wanted.clone();
        coupled.solve(&mut x, |x| step.solve_vectors(x).unwrap());
        // Hx, entry by entry.
        let a = system_matrix(&model, FACTOR);
        let mut product = vec![DVec3::ZERO; 40];
        for j in 0..40 {
            for k in a.pattern.column_start[j]..a.pattern.column_start[j + 1] {
                let i = a.pattern.rows[k];
                product[i] += x[j] * a.values[k];
                if i != j {
                    product[j] += x[i] * a.values[k];
                }
            }
        }
        for line in &coupled.lines {
            let ends = coupled.rows[line.row as usize];
            let moved: f64 = ends.iter().map(|&(i, w)| w * x[i as usize].dot(line.direction)).sum();
            ends.iter()
                .for_each(|&(i, w)| product[i as usize] += line.direction * (w * line.stiffness * moved));
        }
        let off = product.iter().zip(&wanted).map(|(p, w)| p.distance(*w)).fold(0.0, f64::max);
        assert!(off < 1e-4, "{off}");
        // Rows push both sides alike, to rounding: the sum of M x is that of the right-hand side.
        let momentum: DVec3 = x.iter().zip(&model.masses).map(|(x, m)| *x * *m).sum();
        assert!(momentum.distance(wanted.iter().sum()) < 1e-12 * 40.0);
    }

    #[test]
    fn what_was_wanted_longest_ago_makes_room() {
        let model = model();
        let mut systems = Systems::new(GlobalMethod::Direct);
        let mut step = systems.whole(&model, FACTOR, Precision::Double).unwrap();
        let mut columns = Columns::new(40);
        columns.held.resize(38, (NONE, 0));
        columns.values.resize(38 * 40, 0.0);
        // Only two slots are left, then the oldest go.
        let mut memory = vec![DVec3::ZERO; 40];
        for i in [5, 9, 17, 5, 30] {
            assert!(columns.fetch(
                &[[(i, 1.0), (NONE, 0.0), (NONE, 0.0), (NONE, 0.0)]],
                &mut step,
                &mut memory
            ));
            memory.fill(DVec3::ZERO);
            memory[i as usize].x = 1.0;
            step.solve_vectors(&mut memory).unwrap();
            assert!((columns.entry(i, i) - memory[i as usize].x).abs() < 1e-6 * memory[i as usize].x);
        }
        assert_eq!(columns.held.len(), 40);
    }
}
