//! How far a correction is from the truth: per vertex, per frame, over a sequence, and the Hausdorff distance of surfaces [dinev2020, Fig. 2.8, 2.9].

use glam::DVec3;
use sinew_scene::surface::Tree;

/// Errors of one frame over some vertices, in the unit of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameError {
    /// Mean distance of corresponding vertices.
    pub mean: f64,
    /// Largest distance.
    pub worst: f64,
}

/// Distance of every vertex in the list from its true place.
pub fn vertex_errors(result: &[DVec3], truth: &[DVec3], vertices: &[u32]) -> Vec<f64> {
    vertices.iter().map(|&v| (result[v as usize] - truth[v as usize]).length()).collect()
}

/// Mean and largest distance.
pub fn frame_error(result: &[DVec3], truth: &[DVec3], vertices: &[u32]) -> FrameError {
    let errors = vertex_errors(result, truth, vertices);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    FrameError { mean, worst: errors.into_iter().fold(0.0, f64::max) }
}

/// The value that a fraction of the list does not exceed; 0 for an empty one.
pub fn percentile(list: &[f64], fraction: f64) -> f64 {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (fraction * sorted.len() as f64).ceil() as usize;
    sorted.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// The larger of the largest distances from either list of vertices to the other surface; `vertices` are the same in both.
pub fn hausdorff(result: &[DVec3], truth: &[DVec3], triangles: &[[u32; 3]], vertices: &[u32]) -> f64 {
    let one_way = |from: &[DVec3], to: &[DVec3]| {
        let tree = Tree::new(to, triangles);
        let far = |&v: &u32| {
            tree.nearest(from[v as usize]).map_or(0.0, |near| (near.point - from[v as usize]).length())
        };
        vertices.iter().map(far).fold(0.0, f64::max)
    };
    one_way(result, truth).max(one_way(truth, result))
}
