//! Lips: what must hold to rounding, how well corrections spread, and what is refused.

mod bad_input;
mod desk;
mod exactness;
mod ict;
mod sequences;
mod sketching;
mod unreduced;

use glam::DVec3;
use sinew_face::perform::{Performance, mouth};
use sinew_face::{Model, Patch, Ridge, WINDOWS};
use std::sync::Arc;

fn performance() -> Performance {
    mouth::perform(&mouth::MouthOptions { columns: 32, rings: 16, frames: 60, seed: 3 })
}

fn patch(p: &Performance) -> Arc<Patch> {
    Arc::new(Patch::new(&p.neutral, &p.triangles, p.regions.clone()).unwrap())
}

fn train(p: &Performance, patch: &Arc<Patch>, frames: &[usize]) -> Model {
    train_with(p, patch, frames, WINDOWS)
}

fn train_with(p: &Performance, patch: &Arc<Patch>, frames: &[usize], windows: usize) -> Model {
    let mut model = Model::with_windows(patch.clone(), Ridge::None, windows);
    frames.iter().for_each(|&k| model.add(&format!("frame {k}"), &p.truth[k]).unwrap());
    model
}

fn worst(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}
