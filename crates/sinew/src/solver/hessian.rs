//! Assembly of ∇²g = Bᵀ(M + αβ²h²∇²E)B.
//!
//! Energies report their blocks in an order that does not depend on the positions, so the position of each block in the matrix is found once
//! and stored in a list; later assemblies only add.

use crate::energy::{HessianKind, Pose};
use crate::model::Model;
use crate::objective::Objective;
use crate::settings::error::SettingsError;
use crate::sparse::{SymmetricMatrix, SymmetricPattern};
use glam::{DMat3, DVec3};

/// The position of one 3×3 block in the matrix.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The slot where each of its three columns starts; the rows follow one after the other.
    columns: [usize; 3],
    /// On the diagonal only the lower triangle is stored: column c starts at row c.
    diagonal: bool,
    coefficient: f64,
    transpose: bool,
}

/// The matrix and the positions of all blocks.
#[derive(Debug)]
pub(super) struct HessianAssembler {
    pub matrix: SymmetricMatrix,
    /// Blocks of the energies, in reporting order; `starts[k]..starts[k + 1]` belong to report k.
    places: Vec<Place>,
    starts: Vec<u32>,
    /// Mass blocks.
    masses: Vec<(Place, f64)>,
}

impl HessianAssembler {
    pub fn new(model: &Model) -> Result<Self, SettingsError> {
        let n = model.dofs.len();
        let pose = Pose::new(&model.initial.positions, &model.initial.controls);
        let mut reports: Vec<(u32, u32)> = Vec::new();
        for energy in &model.energies {
            energy.hessian(pose, HessianKind::PositiveSemidefinite, &mut |i, j, _| reports.push((i, j)));
        }
        if reports.iter().any(|&(i, j)| i.max(j) as usize >= model.points()) {
            return Err(SettingsError::Matrix("newton (an energy names a vertex that does not exist)"));
        }
        // Scalar pattern: 3×3 blocks of the lower block triangle.
        let mut blocks: Vec<(u32, u32)> = (0..n as u32).map(|p| (p, p)).collect();
        for &(i, j) in &reports {
            for_entries(model, i, j, |p, q, _, _| blocks.push((p.max(q), p.min(q))));
        }
        for i in 0..model.points() as u32 {
            for_entries(model, i, i, |p, q, _, _| blocks.push((p.max(q), p.min(q))));
        }
        blocks.sort_unstable();
        blocks.dedup();
        let scalars = blocks
            .iter()
            .flat_map(|&(p, q)| (0..9).map(move |k| (3 * p as usize + k % 3, 3 * q as usize + k / 3)));
        let pattern = SymmetricPattern::new(3 * n, scalars);

        let mut assembler = Self {
            matrix: SymmetricMatrix { values: vec![0.0; pattern.rows.len()], pattern },
            places: Vec::new(),
            starts: vec![0],
            masses: Vec::new(),
        };
        for &(i, j) in &reports {
            let (pattern, places) = (&assembler.matrix.pattern, &mut assembler.places);
            for_entries(model, i, j, |p, q, coefficient, transpose| {
                places.extend(place(pattern, p, q, coefficient, transpose));
            });
            assembler.starts.push(assembler.places.len() as u32);
        }
        for (i, &mass) in model.masses.iter().enumerate() {
            let (pattern, masses) = (&assembler.matrix.pattern, &mut assembler.masses);
            for_entries(model, i as u32, i as u32, |p, q, coefficient, transpose| {
                masses.extend(place(pattern, p, q, coefficient, transpose).map(|place| (place, mass)));
            });
        }
        Ok(assembler)
    }

    /// Fills the matrix at the point βx + z.
    pub fn assemble(&mut self, objective: &Objective, point: &[DVec3], kind: HessianKind) {
        self.matrix.values.fill(0.0);
        for (place, mass) in &self.masses {
            let diagonal = DMat3::from_diagonal(DVec3::splat(*mass));
            add_block(&mut self.matrix.values, place, &diagonal);
        }
        let scale = objective.stiffness_factor();
        let pose = objective.pose.at(point);
        let mut report = 0;
        for energy in &objective.model.energies {
            energy.hessian(pose, kind, &mut |_, _, block| {
                // A report beyond the stored ones would break the trait's contract; it is left out.
                if let (Some(&a), Some(&b)) = (self.starts.get(report), self.starts.get(report + 1)) {
                    let block = block * scale;
                    for place in &self.places[a as usize..b as usize] {
                        add_block(&mut self.matrix.values, place, &block);
                    }
                }
                report += 1;
            });
        }
    }

    /// Adds an upper bound of the stiffness of the rows of contacts at x, one block for each vertex.
    pub fn add_contacts(&mut self, objective: &Objective, x: &[DVec3]) {
        let weight = objective.contact_weight();
        let contacts = objective.pose.contacts;
        contacts.stiffness(x, |i, normal, plane, tangential| {
            let block = *plane * (weight * (normal - tangential))
                + DMat3::from_diagonal(DVec3::splat(weight * tangential));
            let (pattern, values) = (&self.matrix.pattern, &mut self.matrix.values);
            for_entries(objective.model, i, i, |p, q, coefficient, transpose| {
                if let Some(place) = place(pattern, p, q, coefficient, transpose) {
                    add_block(values, &place, &block);
                }
            });
        });
    }
}

/// The entries of Bᵀ·(block of vertices i, j)·B in the lower block triangle: (row, column, coefficient, transposed).
fn for_entries(model: &Model, i: u32, j: u32, mut entry: impl FnMut(u32, u32, f64, bool)) {
    model.dofs.row(i as usize, |p, a| {
        model.dofs.row(j as usize, |q, b| {
            if i == j {
                if p >= q {
                    entry(p, q, a * b, false);
                }
            } else if p == q {
                // Both the block and its transpose fall on the diagonal.
                entry(p, p, a * b, false);
                entry(p, p, a * b, true);
            } else if p > q {
                entry(p, q, a * b, false);
            } else {
                entry(q, p, a * b, true);
            }
        });
    });
}

fn place(pattern: &SymmetricPattern, p: u32, q: u32, coefficient: f64, transpose: bool) -> Option<Place> {
    let (p, q) = (p as usize, q as usize);
    let diagonal = p == q;
    let mut columns = [0; 3];
    for (c, slot) in columns.iter_mut().enumerate() {
        *slot = pattern.slot(3 * p + if diagonal { c } else { 0 }, 3 * q + c)?;
    }
    Some(Place { columns, diagonal, coefficient, transpose })
}

fn add_block(values: &mut [f64], place: &Place, block: &DMat3) {
    let block = if place.transpose { block.transpose() } else { *block };
    for (c, column) in block.to_cols_array_2d().iter().enumerate() {
        let first = if place.diagonal { c } else { 0 };
        for (slot, value) in values[place.columns[c]..].iter_mut().zip(&column[first..]) {
            *slot += place.coefficient * value;
        }
    }
}
