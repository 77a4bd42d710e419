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
//!
//! With bones A⁻¹ is a solve of [`Articulated`]: flesh is eliminated, and what that leaves for the bones is solved for where they are now. See [`Boned`].

mod boned;
mod columns;

use super::{Articulated, Contacts, Frame};
use crate::math::DenseCholesky;
use crate::model::Model;
use crate::sparse::GlobalStep;
use boned::Boned;
use columns::Columns;
use glam::DVec3;
use std::ops::Range;

/// Size of C above which it costs more than it saves.
const MOST: usize = 720;
/// With bones C turns with them and is factored in every iteration, where it should not cost more than a solve: its size squared is at most this many times the number of coordinates.
const MOST_TURNING: usize = 8;

/// One direction of a row that presses.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Which footprint moves along it.
    footprint: u32,
    direction: DVec3,
    /// αβh² k.
    stiffness: f64,
}

/// Where rows act, in reduced coordinates: the weights w of each *footprint*. A row has one; where something round is rubbed another one for friction, see [`Lever`](crate::contact::Lever).
#[derive(Debug, Default)]
struct Footprints {
    entries: Vec<(u32, f64)>,
    /// Where the next footprint begins.
    ends: Vec<u32>,
}

impl Footprints {
    fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn range(&self, k: usize) -> Range<usize> {
        let from = if k == 0 { 0 } else { self.ends[k - 1] };
        from as usize..self.ends[k] as usize
    }

    fn of(&self, k: usize) -> &[(u32, f64)] {
        &self.entries[self.range(k)]
    }

    /// Adds a footprint on these vertices; returns its number, or `None` if nothing there moves.
    fn add(&mut self, model: &Model, ends: impl Iterator<Item = (usize, f64)>) -> Option<u32> {
        let from = self.entries.len();
        for (i, w) in ends.filter(|&(i, _)| i < model.points()) {
            model.dofs.row(i, |index, coefficient| self.entries.push((index, w * coefficient)));
        }
        if self.entries.len() == from {
            return None;
        }
        self.ends.push(self.entries.len() as u32);
        Some(self.ends.len() as u32 - 1)
    }
}

/// U, S and C of a solve, and columns of A⁻¹.
#[derive(Debug)]
pub(super) struct Coupled {
    columns: Columns,
    footprints: Footprints,
    lines: Vec<Line>,
    /// wᵀA⁻¹w between footprints, of the flesh alone.
    compliance: Vec<f64>,
    small: DenseCholesky,
    /// Whether the small system can be solved with.
    factored: bool,
    y: Vec<f64>,
    /// Memory of a solve, reduced coordinates.
    other: Vec<DVec3>,
    /// What bones add; `None` in a model without them, or where the user moves them all.
    boned: Option<Boned>,
}

impl Coupled {
    pub fn new(model: &Model) -> Self {
        let n = model.dofs.len();
        let boned = (!model.skeleton.articulations.is_empty()).then(|| Boned::new(model));
        let flesh = boned.as_ref().map_or(n, Boned::flesh);
        Self {
            columns: Columns::new(n, flesh),
            footprints: Footprints::default(),
            lines: Vec::new(),
            compliance: Vec::new(),
            small: DenseCholesky::new(0),
            factored: false,
            y: Vec::new(),
            other: vec![DVec3::ZERO; n],
            boned,
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
        self.footprints.clear();
        self.lines.clear();
        let (footprints, lines) = (&mut self.footprints, &mut self.lines);
        contacts.for_pressing(x, |row, normal, hold| {
            let Some(place) = footprints.add(model, row.ends()) else { return };
            let touch = if row.lever.is_none() || hold <= 0.0 {
                place
            } else {
                footprints.add(model, row.ends().chain(row.lever.ends())).unwrap_or(place)
            };
            let (t, b) = row.normal.any_orthonormal_pair();
            for (footprint, direction, stiffness) in
                [(place, row.normal, normal), (touch, t, hold), (touch, b, hold)]
            {
                if stiffness > 0.0 {
                    lines.push(Line { footprint, direction, stiffness: stiffness * weight });
                }
            }
        });
        let size = self.lines.len();
        let turns_too_much = self.boned.is_some() && size * size > MOST_TURNING * self.other.len();
        if size == 0 || size > MOST || turns_too_much {
            return false;
        }
        if !self.fetch(constant) {
            return false;
        }
        self.comply();
        match &mut self.boned {
            None => self.factor(),
            Some(boned) => {
                boned.gather(&self.footprints, &self.columns);
                // It is factored where the bones are.
                self.factored = false;
                true
            }
        }
    }

    /// Makes the columns of all footprints available.
    fn fetch(&mut self, constant: &mut GlobalStep) -> bool {
        let Self { columns, footprints, boned, other, .. } = self;
        let wanted = footprints.entries.iter().map(|entry| entry.0);
        match boned {
            None => columns.fetch(wanted, other, |x| constant.solve_vectors(x).is_ok()),
            Some(boned) => columns.fetch(wanted, other, |x| boned.solve_flesh(constant, x)),
        }
    }

    /// wᵀA⁻¹w between footprints, with bones held where they are.
    fn comply(&mut self) {
        let m = self.footprints.len();
        self.compliance.clear();
        self.compliance.resize(m * m, 0.0);
        let flesh = self.columns.flesh() as u32;
        let soft = |entry: &&(u32, f64)| entry.0 < flesh;
        for p in 0..m {
            for q in 0..=p {
                let mut sum = 0.0;
                for &(i, w) in self.footprints.of(p).iter().filter(soft) {
                    for &(j, v) in self.footprints.of(q).iter().filter(soft) {
                        sum += w * v * self.columns.entry(i, j);
                    }
                }
                self.compliance[p * m + q] = sum;
            }
        }
    }

    /// C and its factor.
    fn factor(&mut self) -> bool {
        let (m, n) = (self.footprints.len(), self.lines.len());
        self.y.clear();
        self.y.resize(n, 0.0);
        self.small.clear(n);
        let matrix = self.small.matrix();
        for (k, line) in self.lines.iter().enumerate() {
            for (l, other) in self.lines[..=k].iter().enumerate() {
                let (p, q) = (line.footprint.max(other.footprint), line.footprint.min(other.footprint));
                let between = self.compliance[p as usize * m + q as usize];
                matrix[l * n + k] = between * line.direction.dot(other.direction);
            }
            matrix[k * n + k] += 1.0 / line.stiffness;
        }
        if let Some(boned) = &self.boned {
            boned.add_compliance(n, matrix);
        }
        self.factored = self.small.factor();
        self.factored
    }

    /// C where the bones are now; their small systems were prepared there.
    pub fn prepare_bones(&mut self, model: &Model, frames: &[Frame], bones: &mut Articulated) {
        if let Some(boned) = &mut self.boned {
            boned.look(model, frames, bones, &self.lines);
            self.factor();
        }
    }

    /// x ← H⁻¹x.
    pub fn solve(&mut self, x: &mut [DVec3], mut inverse: impl FnMut(&mut [DVec3])) {
        inverse(x);
        self.press(|index| x[index]);
        inverse(&mut self.other);
        x.iter_mut().zip(&self.other).for_each(|(x, d)| *x -= *d);
    }

    /// As [`Self::solve`] with bones, x in flesh and coordinates; `values` as in [`Articulated::solve`].
    pub fn solve_with_bones(
        &mut self,
        model: &Model,
        (frames, bones): (&[Frame], &mut Articulated),
        constant: &mut GlobalStep,
        x: &mut [DVec3],
        values: bool,
    ) {
        bones.solve(model, frames, constant, x, values);
        if !self.factored {
            // Rounding alone can do that; the constant matrix is a metric, too.
            return;
        }
        let flesh = self.columns.flesh();
        self.press(|index| if index < flesh { x[index] } else { bones.change_of_columns(index) });
        bones.reduce(model, frames, &mut self.other);
        bones.solve_rest(model, frames, constant, &mut self.other);
        x.iter_mut().zip(&self.other).for_each(|(x, d)| *x -= *d);
    }

    /// other ← U C⁻¹Uᵀ of what moves as `at` says.
    fn press(&mut self, at: impl Fn(usize) -> DVec3) {
        for (y, line) in self.y.iter_mut().zip(&self.lines) {
            let entries = self.footprints.of(line.footprint as usize);
            *y = entries.iter().map(|&(i, w)| at(i as usize) * w).sum::<DVec3>().dot(line.direction);
        }
        self.small.solve(&mut self.y);
        self.other.fill(DVec3::ZERO);
        for (y, line) in self.y.iter().zip(&self.lines) {
            let entries = self.footprints.of(line.footprint as usize);
            entries.iter().for_each(|&(i, w)| self.other[i as usize] += line.direction * (w * y));
        }
    }
}

#[cfg(test)]
mod tests;
