//! The gradients of the mouth continued into the inner lips: what one expects of them without any example.
//!
//! Deviating from the dissertation, where what no example explains leaves the inner lips unturned. Gradients of the triangles around the inner lips are given;
//! those inside minimise Σ w ‖Fₛ − Fₜ‖² over neighbours s, t (harmonic on the dual graph, w the length of the common edge over the distance of
//! the middles). A rotation of the mouth is continued exactly: lips that the jaw turns turn with it. Examples then teach the difference.

use crate::patch::{Element, gradients};
use crate::poisson::Factor;
use crate::{Rigid, error::FaceError};
use glam::DVec3;
use std::collections::BTreeMap;

/// The continuation of a patch.
#[derive(Debug)]
pub(crate) struct Extension {
    /// Triangles around the inner lips.
    around: Vec<Element>,
    /// (inner triangle, triangle around, w).
    coupling: Vec<(u32, u32, f64)>,
    factor: Factor,
    count: usize,
}

impl Extension {
    /// For inner triangles, and all others by their common edges.
    pub fn new(neutral: &[DVec3], inner: &[[u32; 3]], others: &[Element]) -> Result<Self, FaceError> {
        let edge = |t: &[u32; 3], k: usize| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            (a.min(b), a.max(b))
        };
        let middle = |t: &[u32; 3]| t.iter().map(|&v| neutral[v as usize]).sum::<DVec3>() / 3.0;
        let weight = |s: &[u32; 3], t: &[u32; 3], (a, b): (u32, u32)| {
            let length = (neutral[a as usize] - neutral[b as usize]).length();
            length / (middle(s) - middle(t)).length().max(1e-6 * length).max(f64::MIN_POSITIVE)
        };
        let mut at: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (n, t) in inner.iter().enumerate() {
            (0..3).for_each(|k| at.entry(edge(t, k)).or_default().push(n as u32));
        }
        let mut matrix: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (e, list) in &at {
            for (i, &s) in list.iter().enumerate() {
                for &t in &list[..i] {
                    let w = weight(&inner[s as usize], &inner[t as usize], *e);
                    *matrix.entry((s, s)).or_insert(0.0) += w;
                    *matrix.entry((t, t)).or_insert(0.0) += w;
                    *matrix.entry((s.max(t), s.min(t))).or_insert(0.0) -= w;
                }
            }
        }
        let (mut around, mut coupling) = (Vec::new(), Vec::new());
        for other in others {
            let mut touched = false;
            for k in 0..3 {
                let e = edge(&other.vertices, k);
                for &s in at.get(&e).into_iter().flatten() {
                    let w = weight(&inner[s as usize], &other.vertices, e);
                    *matrix.entry((s, s)).or_insert(0.0) += w;
                    coupling.push((s, around.len() as u32, w));
                    touched = true;
                }
            }
            if touched {
                around.push(*other);
            }
        }
        // A part that no triangle surrounds stays unturned.
        (0..inner.len() as u32).for_each(|t| *matrix.entry((t, t)).or_insert(0.0) += 1e-9);
        let factor = Factor::new(inner.len(), &matrix);
        let factor = factor.ok_or_else(|| {
            FaceError::Regions("the gradients of the mouth cannot be continued into the inner lips".into())
        })?;
        Ok(Self { around, coupling, factor, count: inner.len() })
    }

    /// F − I of the inner triangles, 9n, continued from an aligned frame.
    pub fn gradients(&self, frame: &[DVec3], rigid: &Rigid) -> Vec<f64> {
        let given = gradients(self.around.iter(), frame, rigid);
        // Column by column for the solver: nine right-hand sides.
        let n = self.count;
        let mut columns = vec![0.0; 9 * n];
        for &(row, other, w) in &self.coupling {
            for k in 0..9 {
                columns[k * n + row as usize] += w * given[9 * other as usize + k];
            }
        }
        self.factor.solve_columns(&mut columns, 9);
        let mut x = vec![0.0; 9 * n];
        for t in 0..n {
            (0..9).for_each(|k| x[9 * t + k] = columns[k * n + t]);
        }
        x
    }
}
