//! The share of detection (search, filter, linearising) in a step of a cloth that lies on a sphere and collides with itself.
//!
//! The fine cloth would take minutes to fall. It starts where the coarse one came to rest: each cell of the coarse grid is three by three cells of the
//! fine one, and the fine vertices are put on the coarse triangles. It then settles for a few steps before it is measured.

use super::cost::{Step, timed};
use super::scenes::Recipe;
use crate::error::BenchError;
use crate::statistics::Sample;
use glam::DVec3;
use std::time::Instant;

/// Cells to a side of the coarse cloth: 4,418 triangles, and 39,762 of the fine one.
const CELLS: usize = 47;
const QUICK_CELLS: usize = 9;
/// Cells of the fine cloth in one of the coarse one, to a side.
const FINER: usize = 3;

/// Steps in which the coarse cloth falls and comes to rest, in which the fine one settles, and that are measured.
const FALL: usize = 45;
const SETTLE: usize = 4;
const MEASURED: usize = 15;
/// No further step begins after this time, s; at least three are measured.
const BUDGET: f64 = 25.0;

/// What was measured at one size.
#[derive(Clone, Debug)]
pub struct Detection {
    /// Triangles and vertices of the cloth.
    pub size: (usize, usize),
    /// The steps of the cloth at rest.
    pub steps: Vec<Step>,
}

impl Detection {
    /// The share of detection in a step, %.
    pub fn share(&self) -> Sample {
        self.of(|step| 100.0 * step.detection / step.time)
    }

    /// A number of each step.
    pub fn of(&self, value: impl Fn(&Step) -> f64) -> Sample {
        Sample::new(self.steps.iter().map(value))
    }
}

/// Measures the coarse and the fine cloth.
pub fn measure(quick: bool, progress: &mut dyn FnMut(&str)) -> Result<[Detection; 2], BenchError> {
    let cells = if quick { QUICK_CELLS } else { CELLS };
    let refuse = |error: &dyn std::fmt::Display| BenchError::CannotRun(format!("cloth on a sphere: {error}"));
    progress(&format!("detection, {} triangles", 2 * cells * cells));
    let mut coarse = Recipe::drape(cells)?.with()?;
    for _ in 0..FALL {
        coarse.step(|_| Ok(()), &mut |_| {}).map_err(|e| refuse(&e))?;
    }
    // Where the coarse cloth lies, and how it still moves.
    let (x, v) = (coarse.state.positions().to_vec(), coarse.state.velocities().to_vec());
    let small = steps(coarse, cells, 0)?;

    progress(&format!("detection, {} triangles", 2 * (FINER * cells).pow(2)));
    let mut fine = Recipe::drape(FINER * cells)?.with()?;
    let model = std::sync::Arc::clone(fine.model());
    let edited = fine.state.edit(&model, |to_x, to_v| {
        to_x.copy_from_slice(&refined(&x, cells));
        to_v.copy_from_slice(&refined(&v, cells));
    });
    edited.map_err(|e| refuse(&e))?;
    let crossings = fine.state.crossings(&model);
    if crossings > 0 {
        return Err(refuse(&format!("the fine cloth starts with {crossings} crossings")));
    }
    Ok([small, steps(fine, FINER * cells, if quick { 1 } else { SETTLE })?])
}

/// Settles, and measures.
fn steps(
    mut built: sinew_scene::build::BuiltScene,
    cells: usize,
    settle: usize,
) -> Result<Detection, BenchError> {
    let begin = Instant::now();
    let mut steps = Vec::new();
    for k in 0..settle + MEASURED {
        if steps.len() >= 3 && begin.elapsed().as_secs_f64() > BUDGET {
            break;
        }
        let step = timed(&mut built.simulator, &mut built.state)
            .map_err(|error| BenchError::CannotRun(format!("cloth on a sphere: {error}")))?;
        if k >= settle {
            steps.push(step);
        }
    }
    Ok(Detection { size: (2 * cells * cells, (cells + 1) * (cells + 1)), steps })
}

/// Values at the vertices of a cloth with `cells` to a side, linear on its triangles, at the vertices of the finer cloth.
fn refined(values: &[DVec3], cells: usize) -> Vec<DVec3> {
    let at = |i: usize, j: usize| values[i * (cells + 1) + j];
    let finer = FINER * cells;
    let mut fine = Vec::with_capacity((finer + 1) * (finer + 1));
    for i in 0..=finer {
        for j in 0..=finer {
            let (ci, cj) = ((i / FINER).min(cells - 1), (j / FINER).min(cells - 1));
            let s = (i - FINER * ci) as f64 / FINER as f64;
            let t = (j - FINER * cj) as f64 / FINER as f64;
            let [a, b] = [at(ci, cj), at(ci, cj + 1)];
            let [c, d] = [at(ci + 1, cj), at(ci + 1, cj + 1)];
            // The diagonal along which a cell is cut alternates.
            let rises = (ci + cj).is_multiple_of(2);
            fine.push(match (rises, s <= t, s + t <= 1.0) {
                (true, true, _) => a + t * (b - a) + s * (d - b),
                (true, false, _) => a + s * (c - a) + t * (d - c),
                (false, _, true) => a + s * (c - a) + t * (b - a),
                (false, _, false) => d + (1.0 - s) * (b - d) + (1.0 - t) * (c - d),
            });
        }
    }
    fine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fine_cloth_lies_where_the_coarse_one_does() {
        let rest = |cells| Recipe::drape(cells).unwrap().with().unwrap().state.positions().to_vec();
        let (coarse, fine) = (rest(4), rest(12));
        // Flat, so every way to interpolate gives the vertices of the fine one.
        let distance = |(a, b): (&DVec3, &DVec3)| a.distance(*b);
        assert!(refined(&coarse, 4).iter().zip(&fine).map(distance).fold(0.0, f64::max) < 1e-12);
    }

    #[test]
    fn creases_stay_on_the_diagonals_of_the_coarse_triangles() {
        // One vertex is lifted: only the triangles around it rise, along their own edges.
        let mut coarse = vec![DVec3::ZERO; 9];
        coarse[4] = DVec3::Y;
        let fine = refined(&coarse, 2);
        let at = |i: usize, j: usize| fine[i * 7 + j].y;
        assert_eq!(at(3, 3), 1.0);
        // Cell (0, 0) is cut from (0, 0) to (1, 1), which is a line from 0 to 1; cell (0, 1) too meets in that vertex.
        assert!((at(1, 1) - 1.0 / 3.0).abs() < 1e-15 && (at(2, 2) - 2.0 / 3.0).abs() < 1e-15);
        assert!((at(2, 4) - 2.0 / 3.0).abs() < 1e-15 && (at(1, 5) - 1.0 / 3.0).abs() < 1e-15);
        assert!((at(1, 2) - 1.0 / 3.0).abs() < 1e-15 && at(0, 3) == 0.0);
    }
}
