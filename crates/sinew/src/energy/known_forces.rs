//! Forces that are known when a step begins and stay constant through it: wind and a uniform acceleration.
//!
//! Their work on the way from xₙ to x is Σ f·(x − xₙ). With that as a potential, −Σ f·(x − xₙ), a correction needs no estimate of the work on the solver's way: it
//! conserves H with the work that is done on its own way.

use glam::DVec3;

/// The forces of a step, and where it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownForces<'a> {
    /// Wind on each vertex, N; empty where there is no air.
    pub wind: &'a [DVec3],
    pub acceleration: DVec3,
    pub masses: &'a [f64],
    /// xₙ.
    pub from: &'a [DVec3],
}

impl KnownForces<'_> {
    /// Force on vertex `i`, N.
    pub fn force(&self, i: usize) -> DVec3 {
        self.wind.get(i).copied().unwrap_or_default() + self.acceleration * self.masses[i]
    }

    /// −Σ f·(x − xₙ) over some vertices, J.
    pub fn value(&self, vertices: &[u32], x: &[DVec3]) -> f64 {
        -vertices.iter().map(|&i| i as usize).map(|i| self.force(i).dot(x[i] - self.from[i])).sum::<f64>()
    }

    /// Adds −f to the gradient of some vertices.
    pub fn add_gradient(&self, vertices: &[u32], gradient: &mut [DVec3]) {
        for i in vertices.iter().map(|&i| i as usize) {
            gradient[i] -= self.force(i);
        }
    }
}
