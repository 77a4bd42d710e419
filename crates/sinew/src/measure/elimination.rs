//! Elimination of the flesh as in the paper: Q_f⁻¹Q_cᵀ and S, recomputed in every iteration [li2020, Eq. 17].

use crate::math::hat;
use crate::model::Model;
use crate::operator::system_matrix;
use crate::settings::SettingsError;
use crate::sparse::{Analysis, GlobalStep, Precision, SymmetricMatrix};
use glam::DVec3;

/// The factor of Q_f and the coupling between flesh and bones.
#[derive(Debug)]
pub struct FleshElimination {
    flesh: GlobalStep,
    vertices: usize,
    /// (flesh, column of a frame, value), by columns.
    coupling: Vec<(u32, u32, f64)>,
    bones: usize,
    /// One column of Q_f⁻¹Q_cᵀ.
    column: Vec<DVec3>,
    /// S, 6 bones × 6 bones.
    schur: Vec<f64>,
}

impl FleshElimination {
    /// For backward Euler with this time step (s).
    ///
    /// # Errors
    /// [`SettingsError::Matrix`] if Q_f cannot be factored.
    pub fn new(model: &Model, h: f64) -> Result<Self, SettingsError> {
        let bones = model.skeleton.bones.iter().filter(|b| !b.kinematic).count();
        let whole = system_matrix(model, h * h);
        let n = model.dofs.len() - 4 * bones;
        let (mut entries, mut coupling) = (Vec::new(), Vec::new());
        for j in 0..n {
            for k in whole.pattern.column_start[j]..whole.pattern.column_start[j + 1] {
                let (i, value) = (whole.pattern.rows[k], whole.values[k]);
                if i < n {
                    entries.push((i as u32, j as u32, value));
                } else {
                    coupling.push((j as u32, (i - n) as u32, value));
                }
            }
        }
        coupling.sort_unstable_by_key(|&(flesh, column, _)| (column, flesh));
        let matrix = SymmetricMatrix::from_entries(n, &entries);
        let refused = |_| SettingsError::Matrix("the elimination of the flesh");
        let analysis = Analysis::new(&matrix.pattern).map_err(refused)?;
        let factor = analysis.cholesky(&matrix).map_err(refused)?;
        let flesh = GlobalStep::direct(analysis.panels(&factor, Precision::Double).map_err(refused)?);
        let schur = vec![0.0; 36 * bones * bones];
        Ok(Self { flesh, vertices: n, coupling, bones, column: vec![DVec3::ZERO; n], schur })
    }

    /// Number of right-hand sides, three coordinates each.
    pub fn right_hand_sides(&self) -> usize {
        if self.vertices == 0 { 0 } else { 6 * self.bones }
    }

    /// Does the work of one iteration: solves for every column of Q_cᵀ and forms Q_c Q_f⁻¹Q_cᵀ, with the bones at rest. Returns a number that
    /// depends on all of it.
    pub fn eliminate(&mut self) -> f64 {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let columns = |bone: usize| {
            let range = |c: u32| self.coupling.partition_point(|&(_, column, _)| column < c);
            range(4 * bone as u32)..range(4 * bone as u32 + 4)
        };
        let ranges: Vec<_> = (0..self.bones).map(columns).collect();
        let width = 6 * self.bones;
        for right in 0..self.right_hand_sides() {
            let (bone, direction) = (right / 6, right % 6);
            self.column.fill(DVec3::ZERO);
            for &(flesh, column, value) in &self.coupling[ranges[bone].clone()] {
                self.column[flesh as usize] += motion(direction, column as usize % 4, &axes) * value;
            }
            if self.flesh.solve_vectors(&mut self.column).is_err() {
                return f64::NAN;
            }
            for (bone, range) in ranges.iter().enumerate() {
                let mut pulled = [DVec3::ZERO; 4];
                for &(flesh, column, value) in &self.coupling[range.clone()] {
                    pulled[column as usize % 4] += self.column[flesh as usize] * value;
                }
                for direction in 0..6 {
                    let entry: f64 = (0..4).map(|c| pulled[c].dot(motion(direction, c, &axes))).sum();
                    self.schur[(6 * bone + direction) * width + right] = entry;
                }
            }
        }
        self.schur.iter().sum()
    }
}

/// Change of column `column` of a frame when the bone turns (0 to 2) or moves (3 to 5) along an axis.
fn motion(direction: usize, column: usize, axes: &[DVec3; 3]) -> DVec3 {
    match (direction, column) {
        (0..3, 0..3) => hat(axes[direction]) * axes[column],
        (3..6, 3) => axes[direction - 3],
        _ => DVec3::ZERO,
    }
}
