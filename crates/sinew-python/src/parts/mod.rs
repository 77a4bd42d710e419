//! What a model is made of, from arrays: bodies, bones, colliders, joints.

mod body;
mod collider;
mod joint;

pub use body::{Body, Bone};
pub use collider::Collider;
pub use joint::Joint;

use crate::errors::Kind;
use pyo3::prelude::*;
use sinew::contact::Friction;

/// Friction: one coefficient, or (sticking, sliding).
pub fn friction(value: &Bound<'_, PyAny>) -> PyResult<Friction> {
    if let Ok(coefficient) = value.extract::<f64>() {
        return Ok(Friction::uniform(coefficient));
    }
    let pair: Result<(f64, f64), _> = value.extract();
    let (sticking, sliding) =
        pair.map_err(|_| Kind::Model.error("friction must be a coefficient or a pair (sticking, sliding)"))?;
    Ok(Friction { sticking, sliding })
}
