//! Translations of bodies that press on each other, solved exactly beside the matrix.
//!
//! The factored matrix P has the stiffness of rows on its diagonal, as if what a body presses on could not move: two bodies that collide would be held in place, and
//! a solve that is broken off would lose their common momentum. The true matrix is A = M + αβ²h²L + αβh² Σ k(w⊗n)(w⊗n)ᵀ. With Z the translations of the bodies in contact,
//! AZ and E = ZᵀAZ are known in closed form, because L does not see translations; so H₀⁻¹ becomes the balanced
//!
//! B = Q + (I − QA)P⁻¹(I − AQ),  Q = ZE⁻¹Zᵀ,
//!
//! which is symmetric and positive definite, and has ZᵀAB = Zᵀ: every step of the solver gives each body the momentum that its forces say, and bodies that push only each other keep theirs.

use super::Contacts;
use crate::dofs::Slot;
use crate::math::DenseCholesky;
use crate::model::Model;
use glam::{DMat3, DVec3};

/// No body that moves by itself.
const NONE: u32 = u32::MAX;

/// Z, AZ and E of a step.
#[derive(Debug)]
pub(super) struct Deflation {
    /// Component and mass of each reduced coordinate; `NONE` where it does not translate freely.
    owner: Vec<(u32, f64)>,
    /// Column of each component in Z, or `NONE`.
    column: Vec<u32>,
    /// Mass of each column.
    masses: Vec<f64>,
    rows: Vec<CoarseRow>,
    coarse: DenseCholesky,
    y: Vec<f64>,
    first: Vec<f64>,
}

/// A row that presses: its stiffness as a matrix, and where it acts.
#[derive(Clone, Copy, Debug)]
struct CoarseRow {
    stiffness: DMat3,
    ends: [(u32, f64); 4],
    count: usize,
}

impl Deflation {
    pub fn new(model: &Model) -> Self {
        let mut owner = vec![(NONE, 0.0); model.dofs.len()];
        let boned = |c: usize| model.skeleton.articulations.iter().any(|a| a.component == c);
        for (c, component) in model.topology.components.iter().enumerate() {
            if component.supported || boned(c) {
                continue;
            }
            for &i in &component.vertices {
                if let Slot::Free(index) = model.dofs.slots()[i as usize] {
                    owner[index as usize] = (c as u32, model.masses[i as usize]);
                }
            }
        }
        Self {
            owner,
            column: vec![NONE; model.topology.components.len()],
            masses: Vec::new(),
            rows: Vec::new(),
            coarse: DenseCholesky::new(0),
            y: Vec::new(),
            first: Vec::new(),
        }
    }

    /// Of nothing.
    pub fn none() -> Self {
        let (owner, column, masses, rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { owner, column, masses, rows, coarse: DenseCholesky::new(0), y: Vec::new(), first: Vec::new() }
    }

    /// Collects the rows that press at `x` or did before; `weight` is αβh².
    pub fn prepare(&mut self, model: &Model, contacts: &Contacts, weight: f64, x: &[DVec3]) {
        self.column.fill(NONE);
        self.masses.clear();
        self.rows.clear();
        contacts.for_pressing(x, |row, normal, tangential| {
            let plane = crate::math::outer(row.normal, row.normal);
            let along = DMat3::IDENTITY - plane;
            let stiffness = (plane * normal + along * tangential) * weight;
            let mut one = CoarseRow { stiffness, ends: [(NONE, 0.0); 4], count: 0 };
            for (i, w) in row.ends().filter(|&(i, _)| i < model.points()) {
                if let Slot::Free(index) = model.dofs.slots()[i] {
                    one.ends[one.count] = (index, w);
                    one.count += 1;
                    let owner = self.owner[index as usize].0;
                    if owner != NONE && self.column[owner as usize] == NONE {
                        self.column[owner as usize] = self.masses.len() as u32;
                        self.masses.push(model.topology.components[owner as usize].mass);
                    }
                }
            }
            if one.count > 0 {
                self.rows.push(one);
            }
        });
        let n = 3 * self.masses.len();
        self.y.clear();
        self.y.resize(n, 0.0);
        self.coarse.clear(n);
        for (k, &mass) in self.masses.iter().enumerate() {
            (0..3).for_each(|d| self.coarse.matrix()[(3 * k + d) * (n + 1)] += mass);
        }
        for row in &self.rows {
            let ends =
                row.ends[..row.count].iter().filter_map(|&(index, w)| Some((self.column_of(index)?, w)));
            let mut found = [(0, 0.0); 4];
            let count = ends.zip(&mut found).map(|(end, found)| *found = end).count();
            for (p, a) in &found[..count] {
                for (q, b) in &found[..count] {
                    for c in 0..3 {
                        for r in 0..3 {
                            self.coarse.matrix()[(3 * q + c) * n + 3 * p + r] +=
                                a * b * row.stiffness.col(c)[r];
                        }
                    }
                }
            }
        }
        if !self.coarse.factor() {
            self.masses.clear();
        }
    }

    /// Whether any body translates freely.
    pub fn is_empty(&self) -> bool {
        self.masses.is_empty()
    }

    fn column_of(&self, index: u32) -> Option<usize> {
        let owner = self.owner[index as usize].0;
        let column = if owner == NONE { NONE } else { self.column[owner as usize] };
        (column != NONE).then_some(column as usize)
    }

    /// x ← Bx, given x ← P⁻¹x.
    pub fn solve(&mut self, x: &mut [DVec3], inner: impl FnOnce(&mut [DVec3])) {
        let mut y = std::mem::take(&mut self.y);
        // y = E⁻¹Zᵀr, r ← r − AZy.
        y.fill(0.0);
        for (index, r) in x.iter().enumerate() {
            if let Some(k) = self.column_of(index as u32) {
                (0..3).for_each(|d| y[3 * k + d] += r[d]);
            }
        }
        self.coarse.solve(&mut y);
        let translation = |y: &[f64], k: usize| DVec3::new(y[3 * k], y[3 * k + 1], y[3 * k + 2]);
        for (index, r) in x.iter_mut().enumerate() {
            if let Some(k) = self.column_of(index as u32) {
                *r -= translation(&y, k) * self.owner[index].1;
            }
        }
        for row in &self.rows {
            let ends = &row.ends[..row.count];
            let moved: DVec3 =
                ends.iter().filter_map(|&(index, w)| Some(translation(&y, self.column_of(index)?) * w)).sum();
            let force = row.stiffness * moved;
            ends.iter().for_each(|&(index, w)| x[index as usize] -= force * w);
        }
        inner(x);
        // y ← y − E⁻¹(AZ)ᵀd, d ← d + Zy.
        self.first.clone_from(&y);
        y.fill(0.0);
        for (index, d) in x.iter().enumerate() {
            if let Some(k) = self.column_of(index as u32) {
                (0..3).for_each(|c| y[3 * k + c] += self.owner[index].1 * d[c]);
            }
        }
        for row in &self.rows {
            let ends = &row.ends[..row.count];
            let force = row.stiffness * ends.iter().map(|&(index, w)| x[index as usize] * w).sum::<DVec3>();
            for &(index, w) in ends {
                if let Some(k) = self.column_of(index) {
                    (0..3).for_each(|c| y[3 * k + c] += w * force[c]);
                }
            }
        }
        self.coarse.solve(&mut y);
        y.iter_mut().zip(&self.first).for_each(|(y, first)| *y = first - *y);
        for (index, d) in x.iter_mut().enumerate() {
            if let Some(k) = self.column_of(index as u32) {
                *d += translation(&y, k);
            }
        }
        self.y = y;
    }
}
