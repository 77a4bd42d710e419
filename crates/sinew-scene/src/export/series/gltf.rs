//! glTF as one `.glb`: each frame after the first is a morph target, and a clip fades from target to target.
//!
//! At frame k the weight of target k is 1 and all others are 0; in between weights change linearly, and so do positions: x = x₀ + Σ wₖ (xₖ − x₀).
//! A keyframe holds the weights of all targets, so that the clip grows with the square of the frames: of a run of more than [`MOST_FRAMES`] only every
//! second, third, … frame is written. glTF has y up and metres, as we have.
//!
//! What was animated before, skeleton and skin, can stand [beside](Beside) the result: its nodes move in the same clip, with a keyframe for each frame.

use super::beside::{Beside, join};
use super::{Part, Spool};
use crate::export::ExportError;
use glam::DVec3;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Most frames of a clip.
pub const MOST_FRAMES: usize = 2000;
pub(super) const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;

/// Writes all frames of a spool, or evenly spaced ones of a long run.
pub fn write_gltf(
    path: &Path,
    parts: &[Part],
    frames: &mut Spool,
    beside: Option<Beside<'_>>,
) -> Result<(), ExportError> {
    let points = frames.points() as u64;
    let refuse = |reason: &str| ExportError::Encode { path: path.to_owned(), reason: reason.into() };
    // The lengths of the format have 32 bits.
    let most = ((u64::from(u32::MAX) / 2) / (12 * points.max(1))).min(MOST_FRAMES as u64) as usize;
    if most == 0 {
        return Err(refuse("the surface has too many points for glTF; use pc2 or usda"));
    }
    let every = frames.times().len().div_ceil(most).max(1);
    let chosen: Vec<usize> = (0..frames.times().len()).step_by(every).collect();
    let Some(&base) = chosen.first() else { return Ok(()) };
    let clip = Clip {
        parts: parts.iter().filter(|part| !part.vertices.is_empty()).collect(),
        base,
        targets: &chosen[1..],
    };
    let bounds = clip.bounds(frames)?;
    let (mut json, mut length) = clip.json(&bounds, frames);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if let Some(beside) = beside {
        (json, before, after) = join(json, beside, length, &clip.seconds(frames));
        length += (before.len() + after.len()) as u64;
    }
    let mut json = json.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let total = 28 + json.len() as u64 + length;
    let total =
        u32::try_from(total).map_err(|_| refuse("the animation is larger than 4 GiB; use pc2 or usda"))?;

    let io = ExportError::io(path);
    let mut out = BufWriter::new(File::create(path).map_err(&io)?);
    let mut head = b"glTF".to_vec();
    head.extend([2, total, json.len() as u32].iter().flat_map(|n| n.to_le_bytes()));
    head.extend(b"JSON");
    head.extend(json);
    head.extend((length as u32).to_le_bytes());
    head.extend(b"BIN\0");
    out.write_all(&head).map_err(&io)?;
    out.write_all(&before).map_err(&io)?;
    clip.write_data(&mut out, frames, path)?;
    out.write_all(&after).and_then(|()| out.flush()).map_err(&io)
}

struct Clip<'a> {
    parts: Vec<&'a Part>,
    /// The frame of which all others are displacements.
    base: usize,
    targets: &'a [usize],
}

/// Extent of the points of a part.
type Extent = ([f32; 3], [f32; 3]);

impl Clip<'_> {
    /// Single-precision positions of the base, or displacements of a target from it.
    fn numbers(&self, frame: usize, base: &[DVec3], points: &[DVec3]) -> Vec<[f32; 3]> {
        if frame == self.base {
            return points.iter().map(|p| p.to_array().map(|v| v as f32)).collect();
        }
        points.iter().zip(base).map(|(p, b)| (*p - *b).to_array().map(|v| v as f32)).collect()
    }

    /// Calls `each` with the numbers of the base and of every target.
    fn for_frames(
        &self,
        frames: &mut Spool,
        mut each: impl FnMut(&[[f32; 3]]) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let (mut base, mut points) = (Vec::new(), Vec::new());
        let all = 0..frames.points();
        frames.read(self.base, all.clone(), &mut base)?;
        each(&self.numbers(self.base, &[], &base))?;
        for &frame in self.targets {
            frames.read(frame, all.clone(), &mut points)?;
            each(&self.numbers(frame, &base, &points))?;
        }
        Ok(())
    }

    /// Extents of the base and of each target, by part: glTF wants them before the data.
    fn bounds(&self, frames: &mut Spool) -> Result<Vec<Vec<Extent>>, ExportError> {
        let mut all = Vec::new();
        self.for_frames(frames, |numbers| {
            let of = |part: &&Part| {
                let mut extent = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
                for p in numbers.get(part.vertices.clone()).unwrap_or_default() {
                    for k in 0..3 {
                        extent.0[k] = extent.0[k].min(p[k]);
                        extent.1[k] = extent.1[k].max(p[k]);
                    }
                }
                extent
            };
            all.push(self.parts.iter().map(of).collect());
            Ok(())
        })?;
        Ok(all)
    }

    /// The JSON, and the length of the data: indices, base and targets, times, weights.
    fn json(&self, bounds: &[Vec<Extent>], frames: &Spool) -> (Value, u64) {
        let (targets, points) = (self.targets.len(), frames.points());
        let corners = |part: &Part| match part.triangles.is_empty() {
            true => 2 * part.segments.len(),
            false => 3 * part.triangles.len(),
        };
        let index_bytes = 4 * self.parts.iter().map(|part| corners(part)).sum::<usize>();
        let frame_bytes = 12 * points;
        let (time_bytes, weight_bytes) = (4 * (targets + 1), 4 * targets * (targets + 1));
        let mut views = vec![
            json!({ "buffer": 0, "byteOffset": 0, "byteLength": index_bytes, "target": 34963 }),
            json!({ "buffer": 0, "byteOffset": index_bytes, "byteLength": frame_bytes * (targets + 1), "byteStride": 12, "target": 34962 }),
        ];
        let mut length = index_bytes + frame_bytes * (targets + 1);
        let mut accessors = Vec::new();
        let (mut nodes, mut meshes, mut channels) = (Vec::new(), Vec::new(), Vec::new());
        let mut index_offset = 0;
        for (number, part) in self.parts.iter().enumerate() {
            let mut primitive = json!({ "mode": if part.triangles.is_empty() { 1 } else { 4 } });
            if corners(part) > 0 {
                primitive["indices"] = accessors.len().into();
                accessors
                    .push(json!({ "bufferView": 0, "byteOffset": index_offset, "componentType": UNSIGNED,
                    "count": corners(part), "type": "SCALAR" }));
                index_offset += 4 * corners(part);
            } else {
                primitive["mode"] = 0.into();
            }
            let first = accessors.len();
            for (frame, extents) in bounds.iter().enumerate() {
                let (low, high) = extents[number];
                accessors.push(json!({ "bufferView": 1, "byteOffset": frame * frame_bytes + 12 * part.vertices.start,
                    "componentType": FLOAT, "count": part.vertices.len(), "type": "VEC3", "min": low, "max": high }));
            }
            primitive["attributes"] = json!({ "POSITION": first });
            if targets > 0 {
                let each = (1..=targets).map(|k| json!({ "POSITION": first + k }));
                primitive["targets"] = each.collect();
                channels.push(json!({ "sampler": 0, "target": { "node": number, "path": "weights" } }));
            }
            nodes.push(json!({ "name": part.name, "mesh": number }));
            meshes.push(json!({ "name": part.name, "primitives": [primitive] }));
        }
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "Sinew" },
            "scene": 0,
            "scenes": [{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
            "nodes": nodes,
            "meshes": meshes,
        });
        if targets > 0 {
            let view = |offset: usize, bytes: usize| json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes });
            views.extend([view(length, time_bytes), view(length + time_bytes, weight_bytes)]);
            length += time_bytes + weight_bytes;
            let (input, output) = (accessors.len(), accessors.len() + 1);
            let end = self.times(frames).last().copied().unwrap_or_default();
            accessors.push(
                json!({ "bufferView": 2, "componentType": FLOAT, "count": targets + 1, "type": "SCALAR",
                "min": [0.0], "max": [end] }),
            );
            accessors.push(json!({ "bufferView": 3, "componentType": FLOAT, "count": targets * (targets + 1), "type": "SCALAR" }));
            document["animations"] = json!([{ "name": "Sinew", "channels": channels,
                "samplers": [{ "input": input, "output": output, "interpolation": "LINEAR" }] }]);
        }
        document["bufferViews"] = views.into();
        document["accessors"] = accessors.into();
        document["buffers"] = json!([{ "byteLength": length }]);
        (document, length as u64)
    }

    fn write_data(&self, out: &mut impl Write, frames: &mut Spool, path: &Path) -> Result<(), ExportError> {
        let io = ExportError::io(path);
        let mut bytes: Vec<u8> = Vec::new();
        for part in &self.parts {
            let corners: Vec<u32> = match part.triangles.is_empty() {
                true => part.segments.iter().flatten().copied().collect(),
                false => part.triangles.iter().flatten().copied().collect(),
            };
            bytes.extend(corners.iter().flat_map(|corner| corner.to_le_bytes()));
        }
        out.write_all(&bytes).map_err(&io)?;
        self.for_frames(frames, |numbers| {
            bytes.clear();
            bytes.extend(numbers.iter().flatten().flat_map(|value| value.to_le_bytes()));
            out.write_all(&bytes).map_err(ExportError::io(path))
        })?;
        if self.targets.is_empty() {
            return Ok(());
        }
        let times = self.times(frames);
        out.write_all(&times.iter().flat_map(|time| time.to_le_bytes()).collect::<Vec<u8>>()).map_err(&io)?;
        for key in 0..=self.targets.len() {
            let weight = |target: usize| if target + 1 == key { 1_f32 } else { 0.0 };
            bytes.clear();
            bytes.extend((0..self.targets.len()).flat_map(|target| weight(target).to_le_bytes()));
            out.write_all(&bytes).map_err(&io)?;
        }
        Ok(())
    }

    /// Time of the base and of each target, s.
    fn seconds(&self, frames: &Spool) -> Vec<f64> {
        std::iter::once(&self.base).chain(self.targets).map(|&frame| frames.times()[frame]).collect()
    }

    /// Time of the base and of each target since the base, s.
    fn times(&self, frames: &Spool) -> Vec<f32> {
        let start = frames.times()[self.base];
        let all = std::iter::once(&self.base).chain(self.targets);
        all.map(|&frame| (frames.times()[frame] - start) as f32).collect()
    }
}
