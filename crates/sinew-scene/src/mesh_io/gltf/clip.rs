//! A clip: translations, rotations and scales of nodes over time.

use super::asset::Asset;
use super::document::{Animation, Channel};
use super::pose::Local;
use crate::mesh_io::error::MeshError;
use glam::{DQuat, DVec3, DVec4};

/// One property of one node over time.
struct Curve {
    node: usize,
    property: Property,
    interpolation: Interpolation,
    times: Vec<f64>,
    /// A value for each time; for cubic splines three: tangent in, value, tangent out.
    values: Vec<DVec4>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    Translation,
    Rotation,
    Scale,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Interpolation {
    Step,
    Linear,
    Cubic,
}

/// All curves of a clip.
pub(crate) struct Clip {
    curves: Vec<Curve>,
    /// Time of the last keyframe, s.
    pub duration: f64,
}

impl Clip {
    /// The clip of this name, or the first; one without curves if the file has none and none is asked for.
    pub fn of(asset: &Asset, name: Option<&str>) -> Result<Self, MeshError> {
        let all = &asset.document.animations;
        let chosen = match name {
            None => all.first(),
            Some(name) => {
                let known = |clip: &&Animation| clip.name.as_deref() == Some(name);
                let names: Vec<&str> = all.iter().filter_map(|clip| clip.name.as_deref()).collect();
                let missing = || asset.refuse(format!("there is no clip `{name}`; the file has {names:?}"));
                Some(all.iter().find(known).ok_or_else(missing)?)
            }
        };
        let mut clip = Self { curves: Vec::new(), duration: 0.0 };
        let Some(chosen) = chosen else { return Ok(clip) };
        for channel in &chosen.channels {
            clip.curves.extend(curve(asset, chosen, channel)?);
        }
        clip.duration =
            clip.curves.iter().filter_map(|curve| curve.times.last().copied()).fold(0.0, f64::max);
        Ok(clip)
    }

    /// Changes the transforms of nodes to those at `time`, s.
    pub fn apply(&self, time: f64, locals: &mut [Local]) {
        for curve in &self.curves {
            let value = curve.at(time);
            let local = &mut locals[curve.node];
            match curve.property {
                Property::Translation => local.translation = value.truncate(),
                Property::Scale => local.scale = value.truncate(),
                Property::Rotation => local.rotation = DQuat::from_vec4(value).normalize(),
            }
        }
    }

    /// The nodes that it moves, ascending.
    pub fn nodes(&self) -> Vec<usize> {
        let mut nodes: Vec<usize> = self.curves.iter().map(|curve| curve.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

fn curve(asset: &Asset, clip: &Animation, channel: &Channel) -> Result<Option<Curve>, MeshError> {
    let property = match channel.target.path.as_str() {
        "translation" => Property::Translation,
        "rotation" => Property::Rotation,
        "scale" => Property::Scale,
        // Weights of morph targets move no joint.
        _ => return Ok(None),
    };
    let Some(node) = channel.target.node else { return Ok(None) };
    let refuse = |what: &str| asset.refuse(format!("a curve of node {node} {what}"));
    if node >= asset.document.nodes.len() {
        return Err(refuse("moves a node that does not exist"));
    }
    let sampler = clip.samplers.get(channel.sampler).ok_or_else(|| refuse("has no sampler"))?;
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::Cubic,
        Some(other) => return Err(refuse(&format!("has the unknown interpolation {other}"))),
    };
    let times = asset.reals(sampler.input, 1)?;
    let values: Vec<DVec4> = match property {
        Property::Rotation => {
            asset.reals(sampler.output, 4)?.as_chunks::<4>().0.iter().map(|&v| DVec4::from(v)).collect()
        }
        _ => {
            let values = asset.reals(sampler.output, 3)?;
            values.as_chunks::<3>().0.iter().map(|&[x, y, z]| DVec4::new(x, y, z, 0.0)).collect()
        }
    };
    let each = if interpolation == Interpolation::Cubic { 3 } else { 1 };
    let increasing = times.windows(2).all(|pair| pair[0] < pair[1]);
    let finite = times.iter().all(|t| t.is_finite()) && values.iter().all(|v| v.is_finite());
    if times.is_empty() || values.len() != each * times.len() || !increasing || !finite {
        return Err(refuse("does not have a finite value for each of its times, which increase"));
    }
    Ok(Some(Curve { node, property, interpolation, times, values }))
}

impl Curve {
    fn at(&self, time: f64) -> DVec4 {
        let cubic = self.interpolation == Interpolation::Cubic;
        let value = |k: usize| if cubic { self.values[3 * k + 1] } else { self.values[k] };
        let next = self.times.partition_point(|&t| t <= time);
        if next == 0 {
            return value(0);
        }
        let k = next - 1;
        if next == self.times.len() || self.interpolation == Interpolation::Step {
            return value(k);
        }
        let step = self.times[next] - self.times[k];
        let s = (time - self.times[k]) / step;
        let (a, b) = (value(k), value(next));
        match (self.interpolation, self.property) {
            (Interpolation::Cubic, _) => {
                let (out, into) = (self.values[3 * k + 2] * step, self.values[3 * next] * step);
                let (s2, s3) = (s * s, s * s * s);
                a * (2.0 * s3 - 3.0 * s2 + 1.0)
                    + out * (s3 - 2.0 * s2 + s)
                    + b * (3.0 * s2 - 2.0 * s3)
                    + into * (s3 - s2)
            }
            (_, Property::Rotation) => {
                let (a, b) = (DQuat::from_vec4(a).normalize(), DQuat::from_vec4(b).normalize());
                DVec4::from(a.slerp(b, s))
            }
            _ => a.lerp(b, s),
        }
    }
}

impl Local {
    /// Translation, rotation and scale.
    pub fn parts(&self) -> (DVec3, DQuat, DVec3) {
        (self.translation, self.rotation, self.scale)
    }
}
