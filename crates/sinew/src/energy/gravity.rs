//! Uniform gravity, E = −Σ mᵢ g·xᵢ. The potential is zero at the origin.

use super::compliant::CompliantForm;
use super::{Energy, HessianKind, Pose, Projective, Work};
use crate::parallel;
use glam::{DMat3, DVec3};

/// The weight of the vertices of one connected component.
#[derive(Clone, Debug)]
pub(crate) struct Gravity {
    acceleration: DVec3,
    /// Runs of consecutive vertices: the index of the first, and the mass of each.
    runs: Vec<(usize, Vec<f64>)>,
}

impl Gravity {
    /// `vertices` must be ascending.
    pub fn new(acceleration: DVec3, masses: &[f64], vertices: &[u32]) -> Self {
        let runs = vertices
            .chunk_by(|a, b| a + 1 == *b)
            .map(|run| (run[0] as usize, run.iter().map(|&i| masses[i as usize]).collect()))
            .collect();
        Self { acceleration, runs }
    }

    /// −Σ mᵢ g·xᵢ over some vertices.
    fn energy(&self, masses: &[f64], x: &[DVec3]) -> f64 {
        let moment: DVec3 = masses.iter().zip(x).map(|(m, x)| *x * *m).sum();
        -self.acceleration.dot(moment)
    }
}

impl Energy for Gravity {
    fn name(&self) -> &str {
        "gravity"
    }

    fn value(&self, at: Pose, work: &mut Work) -> f64 {
        let mut sum = 0.0;
        for (start, masses) in &self.runs {
            let x = &at.x[*start..*start + masses.len()];
            let partial = &mut work.scalars[..parallel::chunks(x.len())];
            sum += parallel::sum_tasks(partial, |c| {
                let range = parallel::chunk(c, x.len());
                self.energy(&masses[range.clone()], &x[range])
            });
        }
        sum
    }

    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        let mut sum = 0.0;
        for (start, masses) in &self.runs {
            let run = *start..*start + masses.len();
            let x = &at.x[run.clone()];
            let partial = &mut work.scalars[..parallel::chunks(x.len())];
            sum += parallel::sum_tasks_into(partial, &mut gradient[run], parallel::CHUNK, |c, gradient| {
                let range = parallel::chunk(c, x.len());
                let masses = &masses[range.clone()];
                for (g, m) in gradient.iter_mut().zip(masses) {
                    *g -= self.acceleration * *m;
                }
                self.energy(masses, &x[range])
            });
        }
        sum
    }

    fn hessian(&self, _: Pose, _: HessianKind, _: &mut dyn FnMut(u32, u32, DMat3)) {}

    fn projective(&self) -> Projective {
        Projective::Exact
    }

    fn compliant(&self) -> Option<CompliantForm<'_>> {
        Some(CompliantForm::ConstantForce)
    }

    fn external(&self) -> bool {
        true
    }

    fn work_size(&self) -> Work {
        Work::new(0, self.runs.iter().map(|(_, masses)| parallel::chunks(masses.len())).max().unwrap_or(0))
    }
}
