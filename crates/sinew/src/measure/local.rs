//! The local step: closest rotations, and the gradient of the objective.

use crate::energy::{CompliantForm, Pose};
use crate::integrator::{Rule, VelocityUpdate};
use crate::math::lanes::{self, Mat3};
use crate::model::Model;
use crate::objective::{Objective, ObjectiveWork};
use crate::simd::{Kernel, LANES, Simd, dispatch};
use glam::{DMat3, DVec3};

/// `r[i]` ← the rotation closest to `f[i]`, four at a time on the caller's thread; stops at the end of the shorter slice.
pub fn rotations(f: &[DMat3], r: &mut [DMat3]) {
    dispatch(Rotations { f, r });
}

struct Rotations<'a> {
    f: &'a [DMat3],
    r: &'a mut [DMat3],
}

impl Kernel for Rotations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let n = self.f.len().min(self.r.len());
        let (f, f_rest) = self.f[..n].as_chunks::<LANES>();
        let (r, r_rest) = self.r[..n].as_chunks_mut::<LANES>();
        for (f, r) in f.iter().zip(r) {
            *r = lanes::rotation(simd, &Mat3::load(simd, f)).to_array();
        }
        if !f_rest.is_empty() {
            let mut padded = [DMat3::IDENTITY; LANES];
            padded[..f_rest.len()].copy_from_slice(f_rest);
            let all = lanes::rotation(simd, &Mat3::load(simd, &padded)).to_array();
            r_rest.copy_from_slice(&all[..r_rest.len()]);
        }
    }
}

/// The objective g of a backward Euler step, evaluated as the solvers do in every iteration.
#[derive(Debug)]
pub struct LocalStep<'a> {
    model: &'a Model,
    work: ObjectiveWork,
    gradient: Vec<DVec3>,
    /// Positions followed by the mass points of bones, which stay at rest. Empty in a model without bones.
    places: Vec<DVec3>,
    /// Elements of each batch, its cost per element, and the number of sums that it passes from its chunks to the vertices.
    batches: Vec<(usize, Cost, usize)>,
}

/// The cost of one element.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Bytes of constant data, streamed once: shape, moduli, corners and places.
    bytes: usize,
    /// Additions, multiplications, divisions and roots for energy and gradient; a fused operation counts as two.
    flops: usize,
}

/// Cost of an element of the batch with this name; zero for a user-defined energy, whose cost is unknown.
fn cost(name: &str) -> Cost {
    let tetrahedron = |flops| Cost { bytes: 11 * 8 + 4 * 4 + 4 * 2, flops };
    match name {
        // 318 of them for the rotation.
        "corotated" => tetrahedron(515),
        "arap" => tetrahedron(475),
        "stvk" => tetrahedron(236),
        "neo-hookean" => tetrahedron(271),
        "springs" => Cost { bytes: 2 * 8 + 2 * 4 + 2 * 2, flops: 25 },
        _ => Cost { bytes: 0, flops: 0 },
    }
}

/// Time step of the objective, s; the cost does not depend on it.
const H: f64 = 1.0 / 30.0;
/// Bytes of a 3-vector.
const VECTOR: usize = 24;

impl<'a> LocalStep<'a> {
    /// Allocates the buffers for a model.
    pub fn new(model: &'a Model) -> Self {
        let batches = model.energies.iter().map(|energy| {
            let elements = match energy.compliant() {
                Some(CompliantForm::Constraints(list)) => list.len(),
                Some(CompliantForm::Elements(list)) => list.len(),
                _ => 0,
            };
            (elements, cost(energy.name()), energy.work_size().vectors.len())
        });
        Self {
            model,
            work: ObjectiveWork::new(model),
            gradient: vec![DVec3::ZERO; model.points()],
            places: if model.points() > model.vertex_count() {
                model.topology.rest.clone()
            } else {
                Vec::new()
            },
            batches: batches.collect(),
        }
    }

    /// ∇g at positions `x` (#V), with inertia and all potentials; returns g, kg·m².
    pub fn gradient(&mut self, x: &[DVec3]) -> f64 {
        let model = self.model;
        let rule = Rule { alpha: 1.0, beta: 1.0, velocity: VelocityUpdate::Difference };
        let (start, y) = (&model.topology.rest[..], &model.topology.rest[..]);
        let pose = Pose::new(start, &model.initial.controls);
        let objective = Objective { model, rule, h: H, start, y, pose, discrete_gradient: false };
        let x = behind(x, &mut self.places);
        objective.gradient(x, &mut self.work, &mut self.gradient)
    }

    /// E at positions `x` (#V), J: corrections evaluate it several times per step.
    pub fn value(&mut self, x: &[DVec3]) -> f64 {
        let pose = Pose::new(behind(x, &mut self.places), &self.model.initial.controls);
        self.work.evaluator.value(self.model, pose)
    }

    /// E at positions `x` (#V), J; `gradient` (#V) receives ∇E, N. For methods that the engine does not have.
    pub fn potential(&mut self, x: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let pose = Pose::new(behind(x, &mut self.places), &self.model.initial.controls);
        let energy = self.work.evaluator.gradient(self.model, pose, &mut self.gradient);
        gradient.copy_from_slice(&self.gradient[..x.len()]);
        energy
    }

    /// Estimate of the bytes that one [`Self::gradient`] moves at least: constants of the elements once, sums of the chunks written and read,
    /// and per vertex the position for elements and inertia, the predictor, the mass, and the gradient cleared, summed and scaled.
    pub fn bytes(&self) -> usize {
        let elements = self.batches.iter().map(|(n, cost, sums)| n * cost.bytes + sums * (2 * VECTOR + 4));
        elements.sum::<usize>() + self.model.points() * (8 * VECTOR + 8 + 4)
    }

    /// Estimate of the floating-point operations of one [`Self::gradient`], for elements that are neither strongly strained nor inverted;
    /// their rotations would take more iterations.
    pub fn flops(&self) -> usize {
        let elements = self.batches.iter().map(|(n, cost, sums)| n * cost.flops + sums * 3);
        elements.sum::<usize>() + self.model.points() * 17
    }
}

/// `x`, or, if the model has mass points, all positions with `x` in front.
fn behind<'a>(x: &'a [DVec3], places: &'a mut [DVec3]) -> &'a [DVec3] {
    if places.is_empty() {
        return x;
    }
    places[..x.len()].copy_from_slice(x);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Constitutive, Lame};

    #[test]
    fn any_number_of_rotations() {
        let f: Vec<DMat3> = (1..=11)
            .map(|i| DMat3::from_axis_angle(DVec3::Y, 0.3 * f64::from(i)) * (0.1 * f64::from(i)))
            .collect();
        for n in 0..=f.len() {
            let mut r = vec![DMat3::ZERO; n];
            rotations(&f, &mut r);
            for (i, r) in (1..).zip(&r) {
                let turn = DMat3::from_axis_angle(DVec3::Y, 0.3 * f64::from(i));
                assert!((*r - turn).to_cols_array().iter().all(|e| e.abs() < 1e-15));
            }
        }
    }

    #[test]
    fn the_local_step_counts_its_elements() {
        let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]].map(DVec3::from);
        let lame = Lame { mu: 1e4, lambda: 1e4 };
        let body = Body::new("wedge", corners.to_vec()).tetrahedra(
            vec![[0, 1, 2, 3]],
            Constitutive::Corotated,
            lame,
            1000.0,
        );
        let mut builder = Model::builder();
        builder.body(body);
        let model = builder.build().unwrap();
        let mut step = LocalStep::new(&model);
        assert_eq!(step.flops(), 515 + 4 * 3 + 4 * 17);
        assert!(step.bytes() > 112);
        assert!(step.gradient(model.rest()).abs() < 1e-20 && step.value(model.rest()).abs() < 1e-20);
        let stretched: Vec<DVec3> = model.rest().iter().map(|x| *x * 1.1).collect();
        assert!(step.gradient(&stretched) > 0.0 && step.value(&stretched) > 0.0);
        let mut gradient = vec![DVec3::ZERO; stretched.len()];
        assert_eq!(step.potential(&stretched, &mut gradient), step.value(&stretched));
        assert!(gradient[3].z > 0.0, "what is stretched pulls back: {gradient:?}");
    }
}
