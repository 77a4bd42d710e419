//! A number for each vertex, to colour bodies by: strain energy or stress.

use super::State;
use crate::energy::{CompliantForm, ElementStress, Grabs, Pose};
use crate::model::Model;
use glam::{DMat3, DVec3};

impl State {
    /// Strain energy at each vertex, J/kg: each element divides its energy among its corners, and each vertex divides its sum by its mass.
    /// `out` is #V.
    pub fn strain_energy(&self, model: &Model, out: &mut Vec<f64>) {
        out.clear();
        out.resize(model.points(), 0.0);
        self.for_elements(model, |stretched| match stretched {
            Stretched::Spring { ends, energy, .. } => {
                ends.iter().for_each(|&i| out[i as usize] += energy / ends.len() as f64);
            }
            Stretched::Tetrahedron(element) => {
                element.corners.iter().for_each(|&i| out[i as usize] += element.energy / 4.0);
            }
        });
        out.truncate(model.vertex_count());
        out.iter_mut().zip(model.masses()).for_each(|(energy, mass)| *energy /= mass);
    }

    /// Stress at each vertex: for tetrahedra the von Mises stress, Pa, averaged over the elements around the vertex by volume; for vertices
    /// with springs only, the largest tension or compression, N. `out` is #V.
    pub fn stress(&self, model: &Model, out: &mut Vec<f64>) {
        out.clear();
        out.resize(model.points(), 0.0);
        let mut solid = vec![(0.0, 0.0); model.points()];
        self.for_elements(model, |stretched| match stretched {
            Stretched::Spring { ends, force, .. } => {
                ends.iter().for_each(|&i| out[i as usize] = out[i as usize].max(force));
            }
            Stretched::Tetrahedron(element) => {
                let (stress, volume) = von_mises(&element, self);
                for i in element.corners.map(|i| i as usize) {
                    solid[i].0 += stress * volume;
                    solid[i].1 += volume;
                }
            }
        });
        for (value, (stress, volume)) in out.iter_mut().zip(&solid) {
            if *volume > 0.0 {
                *value = stress / volume;
            }
        }
        out.truncate(model.vertex_count());
    }

    /// Every spring and every tetrahedron that can be stretched.
    fn for_elements(&self, model: &Model, mut each: impl FnMut(Stretched)) {
        let at = Pose::new(&self.x, &self.last_controls);
        for energy in model.energies.iter().filter(|e| !e.external() && e.name() != Grabs::NAME) {
            match energy.compliant() {
                Some(CompliantForm::Elements(elements)) => {
                    (0..elements.len()).for_each(|e| each(Stretched::Tetrahedron(elements.element(e, at))));
                }
                Some(CompliantForm::Constraints(springs)) => {
                    for constraint in (0..springs.len()).map(|j| springs.constraint(j, at)) {
                        let gradients = constraint.gradients();
                        let Some(&(_, first)) = gradients.first() else { continue };
                        let mut ends = [gradients[0].0; 2];
                        ends[1] = gradients[gradients.len() - 1].0;
                        let force = constraint.value.abs() / constraint.compliance * first.length();
                        let energy = constraint.value.powi(2) / (2.0 * constraint.compliance);
                        each(Stretched::Spring { ends, energy, force });
                    }
                }
                _ => {}
            }
        }
    }
}

/// An element and its stored energy.
enum Stretched {
    Spring { ends: [u32; 2], energy: f64, force: f64 },
    Tetrahedron(ElementStress),
}

/// √(3/2 s:s), s the deviator of the Cauchy stress σ = P Fᵀ/det F; and the volume at rest. An element without volume has no stress to show.
fn von_mises(element: &ElementStress, state: &State) -> (f64, f64) {
    let [_, b1, b2, b3] = element.b;
    let volume = 1.0 / (6.0 * DMat3::from_cols(b1, b2, b3).determinant().abs());
    let [x0, x1, x2, x3] = element.corners.map(|i| state.x[i as usize]);
    let edges = DMat3::from_cols(x1 - x0, x2 - x0, x3 - x0);
    let f = edges * DMat3::from_cols(b1, b2, b3).transpose();
    let sigma = element.stress * f.transpose() * (1.0 / (volume * f.determinant()));
    let mean = (sigma.x_axis.x + sigma.y_axis.y + sigma.z_axis.z) / 3.0;
    let s = sigma - DMat3::from_diagonal(DVec3::splat(mean));
    let squares: f64 = [s.x_axis, s.y_axis, s.z_axis].iter().map(|column| column.length_squared()).sum();
    let stress = (1.5 * squares).sqrt();
    if stress.is_finite() { (stress, volume) } else { (0.0, 0.0) }
}
