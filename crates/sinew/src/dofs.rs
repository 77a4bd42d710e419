//! Degrees of freedom: x = B·x̃ + V⁰ [li2020, Alg. 1].
//!
//! The reduced coordinates x̃ are 3-vectors: one per free vertex, then four per rigid bone: the columns of its rotation R and its translation
//! t. A bone vertex is xᵢ = R(Xᵢ − c) + t, so its row of B is [Xᵢ − c, 1] in the bone's four columns; a free vertex has a single 1; a pinned
//! vertex has an empty row, and the state keeps its position V⁰ᵢ. B is constant: gradients pull back by Bᵀ and matrices by Bᵀ·B, whatever the
//! vertices are. The solver, not this map, enforces rigidity (RᵀR = I).

use crate::parallel;
use glam::DVec3;

/// What moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slot {
    /// Its own reduced coordinate, at this index.
    Free(u32),
    /// Nothing: it keeps its position.
    Pinned,
    /// A rigid bone; `first` is the reduced index of the bone's first column, `local` is X − c, metres.
    Bone {
        /// Reduced index of the bone's first column.
        first: u32,
        /// Rest position relative to the bone's centre of mass.
        local: DVec3,
    },
}

/// The map between reduced coordinates and vertices.
#[derive(Clone, Debug)]
pub(crate) struct Dofs {
    slots: Vec<Slot>,
    len: usize,
    /// Whether every vertex is free and in order: both maps are then copies.
    identity: bool,
}

impl Dofs {
    /// Builds the map from what moves each vertex; `bones` frames of four columns follow the free vertices.
    pub(crate) fn new(slots: Vec<Slot>, bones: usize) -> Self {
        let free = slots.iter().filter(|s| matches!(s, Slot::Free(_))).count();
        let identity = free == slots.len() && bones == 0;
        Self { slots, len: free + 4 * bones, identity }
    }

    /// Number of reduced coordinates, in 3-vectors.
    pub fn len(&self) -> usize {
        self.len
    }

    /// What moves each vertex, #V.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Whether vertex `i` is pinned.
    pub fn is_pinned(&self, i: usize) -> bool {
        self.slots[i] == Slot::Pinned
    }

    /// Row `i` of B: calls `entry(reduced index, coefficient)` for its non-zeros, in ascending order.
    pub(crate) fn row(&self, i: usize, mut entry: impl FnMut(u32, f64)) {
        match self.slots[i] {
            Slot::Free(index) => entry(index, 1.0),
            Slot::Pinned => {}
            Slot::Bone { first, local } => {
                entry(first, local.x);
                entry(first + 1, local.y);
                entry(first + 2, local.z);
                entry(first + 3, 1.0);
            }
        }
    }

    /// `vertices += s · B · reduced`: moves vertices along a reduced direction. Pinned vertices stay.
    pub(crate) fn add_expanded(&self, scale: f64, reduced: &[DVec3], vertices: &mut [DVec3]) {
        parallel::for_chunks(vertices, |first, vertices| {
            if self.identity {
                for (v, r) in vertices.iter_mut().zip(&reduced[first..]) {
                    *v += *r * scale;
                }
                return;
            }
            for (i, v) in (first..).zip(vertices) {
                self.row(i, |index, coefficient| *v += reduced[index as usize] * (scale * coefficient));
            }
        });
    }

    /// As [`Self::add_expanded`], for free vertices only; vertices on bones stay.
    pub(crate) fn add_free(&self, scale: f64, reduced: &[DVec3], vertices: &mut [DVec3]) {
        parallel::for_chunks(vertices, |first, vertices| {
            for (v, slot) in vertices.iter_mut().zip(&self.slots[first..]) {
                if let Slot::Free(index) = slot {
                    *v += reduced[*index as usize] * scale;
                }
            }
        });
    }

    /// `reduced = Bᵀ · gradient`.
    pub(crate) fn pull_back(&self, gradient: &[DVec3], reduced: &mut [DVec3]) {
        if self.identity {
            reduced.copy_from_slice(gradient);
            return;
        }
        reduced.fill(DVec3::ZERO);
        for (i, g) in gradient.iter().enumerate() {
            self.row(i, |index, coefficient| reduced[index as usize] += *g * coefficient);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two free vertices, one pinned, two on a bone.
    fn mixed() -> Dofs {
        let bone = |local| Slot::Bone { first: 2, local };
        Dofs::new(
            vec![
                Slot::Free(0),
                bone(DVec3::new(0.5, -1.0, 2.0)),
                Slot::Pinned,
                bone(DVec3::new(-0.5, 1.0, 0.25)),
                Slot::Free(1),
            ],
            1,
        )
    }

    #[test]
    fn bone_vertices_move_with_their_frame() {
        let dofs = mixed();
        assert_eq!(dofs.len(), 6);
        let turn = glam::DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
        let t = DVec3::new(3.0, -2.0, 1.0);
        let reduced = [DVec3::ONE, DVec3::X, turn.x_axis, turn.y_axis, turn.z_axis, t];
        let mut x = vec![DVec3::ZERO; 5];
        dofs.add_expanded(1.0, &reduced, &mut x);
        for (i, local) in [(1, DVec3::new(0.5, -1.0, 2.0)), (3, DVec3::new(-0.5, 1.0, 0.25))] {
            assert!((x[i] - (turn * local + t)).length() < 1e-15);
        }
        assert_eq!(x[2], DVec3::ZERO);
    }

    #[test]
    fn pull_back_is_the_transpose_of_expand() {
        let dofs = mixed();
        let reduced: Vec<_> = (0..6).map(|i| DVec3::new(f64::from(i), 1.0, -0.5 * f64::from(i))).collect();
        let gradient: Vec<_> = (0..5).map(|i| DVec3::new(0.3, f64::from(i), 2.0)).collect();
        let mut vertices = vec![DVec3::ZERO; 5];
        let mut pulled = vec![DVec3::ZERO; 6];
        dofs.add_expanded(1.0, &reduced, &mut vertices);
        dofs.pull_back(&gradient, &mut pulled);
        let left: f64 = vertices.iter().zip(&gradient).map(|(a, b)| a.dot(*b)).sum();
        let right: f64 = reduced.iter().zip(&pulled).map(|(a, b)| a.dot(*b)).sum();
        assert!((left - right).abs() < 1e-12);
    }
}
