//! The local step: closest rotations, and the gradient of the objective.

use crate::energy::Pose;
use crate::integrator::Integrator;
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

/// Evaluates the objective g of a backward Euler step, as the solvers do in every iteration.
#[derive(Debug)]
pub struct LocalStep<'a> {
    model: &'a Model,
    work: ObjectiveWork,
    gradient: Vec<DVec3>,
}

/// Time step of the objective; nothing of the cost depends on it.
const H: f64 = 1.0 / 30.0;

impl<'a> LocalStep<'a> {
    /// Memory for a model.
    pub fn new(model: &'a Model) -> Self {
        Self { model, work: ObjectiveWork::new(model), gradient: vec![DVec3::ZERO; model.vertices()] }
    }

    /// ∇g at positions `x` (#V), with inertia and all potentials; returns g, kg·m².
    pub fn gradient(&mut self, x: &[DVec3]) -> f64 {
        let Some(rule) = Integrator::BackwardEuler.rule(false) else { return f64::NAN };
        let model = self.model;
        let targets = &model.initial_targets;
        let (start, y) = (&model.rest, &model.rest);
        let objective = Objective { model, rule, h: H, start, y, targets, discrete_gradient: false };
        objective.gradient(x, &mut self.work, &mut self.gradient)
    }

    /// E at positions `x` (#V), J: what corrections ask for several times in a step.
    pub fn value(&mut self, x: &[DVec3]) -> f64 {
        let pose = Pose { x, targets: &self.model.initial_targets };
        self.work.evaluator.value(self.model, pose)
    }

    /// ∇g of the last call of [`Self::gradient`], #V.
    pub fn last_gradient(&self) -> &[DVec3] {
        &self.gradient
    }
}
