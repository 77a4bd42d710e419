//! How an equilibrium moves with what drives it: H dx = −∂g/∂(a, jaw, S), with the exact Hessian; the projected one would be off by 7 to 17 %.

use super::activation::{self, Activation, basis};
use super::blend::Blend;
use super::element::{Kind, Point};
use super::equilibrium::{Balance, Drive};
use super::jaw::Jaw;
use super::model::Hold;
use super::polar::{inner, outer};
use super::system::{HELD, System};
use glam::{DMat3, DVec3};
use rayon::prelude::*;

/// Cᵢ = ∂(forces on corners)/∂a of each element: six times four vectors.
pub(crate) type ByActivation = Vec<[[DVec3; 4]; 6]>;

impl System {
    /// Cᵢ of all elements.
    pub(crate) fn by_activation(&self, balance: &Balance, a: &[DMat3]) -> ByActivation {
        let points = self.decomposed(&balance.x, a);
        points
            .par_iter()
            .with_min_len(128)
            .zip(&self.rest)
            .map(|(point, rest)| {
                std::array::from_fn(|k| {
                    let p = rest.volume * point.by_activation(&basis(k));
                    rest.slopes.map(|b| p * b)
                })
            })
            .collect()
    }

    /// dx/da of m muscles and dx/d(jaw), columns of unknowns: six for each muscle, then five, m for a unit of activation or of jaw length.
    pub fn sensitivities(&self, balance: &Balance, drive: &Drive, blend: &Blend, muscles: usize) -> Vec<f64> {
        let by = self.by_activation(balance, &drive.activations);
        let n = self.unknowns();
        let mut columns = vec![0.0; n * (6 * muscles + 5)];
        for i in 0..self.tets.len() {
            for (column, weight) in blend.row(i).filter(|(column, _)| *column > 0) {
                for k in 0..6 {
                    let at = n * (6 * (column as usize - 1) + k);
                    self.subtract(i, weight, &by[i][k], &mut columns[at..at + n]);
                }
            }
        }
        self.jaw_columns(balance, drive, &mut columns[6 * muscles * n..]);
        balance.factor.solve(&mut columns);
        columns
    }

    /// Right-hand sides of the jaw: −H_fj dx_j.
    pub(crate) fn jaw_columns(&self, balance: &Balance, drive: &Drive, columns: &mut [f64]) {
        let point = |i: usize| Point::new(&self.gradient_of(i, &balance.x), &drive.activations[i], self.lame);
        self.jaw_columns_at(point, &drive.jaw, columns);
    }

    /// The same with decompositions that are known.
    pub(crate) fn jaw_columns_at(&self, point: impl Fn(usize) -> Point, jaw: &Jaw, columns: &mut [f64]) {
        let n = self.unknowns();
        for i in 0..self.tets.len() {
            let tet = &self.tets[i];
            if tet.iter().all(|&v| self.holds[v as usize] != Hold::Jaw) {
                continue;
            }
            let curvature = point(i).curvature(Kind::Exact);
            let rest = self.rest[i];
            let moved = tet.map(|v| match self.holds[v as usize] {
                Hold::Jaw => jaw.slopes(self.hinge, self.points[v as usize]),
                _ => [DVec3::ZERO; 5],
            });
            for k in 0..5 {
                let df = (0..4).fold(DMat3::ZERO, |sum, c| sum + outer(moved[c][k], rest.slopes[c]));
                let p = rest.volume * curvature.apply(&df);
                self.subtract(i, 1.0, &rest.slopes.map(|b| p * b), &mut columns[k * n..(k + 1) * n]);
            }
        }
    }

    /// Subtracts forces on the corners of an element.
    pub(crate) fn subtract(&self, i: usize, weight: f64, corners: &[DVec3; 4], column: &mut [f64]) {
        for (v, force) in self.tets[i].iter().zip(corners) {
            let u = self.unknown[*v as usize];
            if u != HELD {
                let at = 3 * u as usize;
                column[at] -= weight * force.x;
                column[at + 1] -= weight * force.y;
                column[at + 2] -= weight * force.z;
            }
        }
    }

    /// The right-hand side of a change of every element's activation.
    pub(crate) fn push(&self, by: &ByActivation, change: &[Activation], column: &mut [f64]) {
        for (i, da) in change.iter().enumerate() {
            let corners = std::array::from_fn(|c| (0..6).map(|k| da[k] * by[i][k][c]).sum());
            self.subtract(i, 1.0, &corners, column);
        }
    }

    /// Its adjoint: −Cᵢᵀ z of each element.
    pub(crate) fn pushed(&self, by: &ByActivation, z: &[f64]) -> Vec<Activation> {
        (0..self.tets.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|i| {
                let corners = self.tets[i].map(|v| match self.unknown[v as usize] {
                    HELD => DVec3::ZERO,
                    u => DVec3::from_slice(&z[3 * u as usize..3 * u as usize + 3]),
                });
                std::array::from_fn(|k| -(0..4).map(|c| by[i][k][c].dot(corners[c])).sum::<f64>())
            })
            .collect()
    }

    /// [`push`](Self::push) without the Cᵢ, from decompositions: for a few products it is cheaper.
    pub(crate) fn push_at(&self, points: &[Point], change: &[Activation], column: &mut [f64]) {
        self.gather(|i| -1.0 * points[i].by_activation(&activation::symmetric(&change[i])), column);
    }

    /// [`pushed`](Self::pushed) without the Cᵢ.
    pub(crate) fn pushed_at(&self, points: &[Point], z: &[f64]) -> Vec<Activation> {
        (0..self.tets.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|i| {
                let rest = &self.rest[i];
                let way = (0..4).fold(DMat3::ZERO, |sum, c| match self.unknown[self.tets[i][c] as usize] {
                    HELD => sum,
                    u => {
                        sum + outer(DVec3::from_slice(&z[3 * u as usize..3 * u as usize + 3]), rest.slopes[c])
                    }
                });
                let back = points[i].by_activation_adjoint(&way);
                std::array::from_fn(|k| -rest.volume * inner(&basis(k), &back))
            })
            .collect()
    }

    /// dx for a change of the blend, dS by the entries of S.
    pub fn moved_by_blend(
        &self,
        balance: &Balance,
        drive: &Drive,
        blend: &Blend,
        a: &[Activation],
        ds: &[f64],
    ) -> Vec<f64> {
        let by = self.by_activation(balance, &drive.activations);
        let mut column = vec![0.0; self.unknowns()];
        self.push(&by, &blended_change(blend, a, ds), &mut column);
        balance.factor.solve(&mut column);
        column
    }
}

/// Σⱼ dsᵢⱼ aⱼ of each row.
pub(crate) fn blended_change(blend: &Blend, a: &[Activation], ds: &[f64]) -> Vec<Activation> {
    (0..blend.len())
        .map(|i| {
            let mut sum = [0.0; 6];
            for at in blend.range(i) {
                let aj = of_column(blend.columns[at], a);
                (0..6).for_each(|k| sum[k] += ds[at] * aj[k]);
            }
            sum
        })
        .collect()
}

/// The activation of a column of S.
pub(crate) fn of_column(column: u32, a: &[Activation]) -> &Activation {
    match column {
        0 => &activation::PASSIVE,
        j => &a[j as usize - 1],
    }
}
