//! USD as text (`.usda`): a mesh for each body, with its points at every frame. One time code is one frame; y is up, lengths are metres.

use super::{Part, Spool};
use crate::export::{Bounds, ExportError};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes all frames of a spool; `fps` is the number of frames per second, `first` the number of the first one.
pub fn write_usda(
    path: &Path,
    parts: &[Part],
    frames: &mut Spool,
    fps: f64,
    first: usize,
) -> Result<(), ExportError> {
    let io = ExportError::io(path);
    let mut out = BufWriter::new(File::create(path).map_err(&io)?);
    let last = first + frames.times().len().saturating_sub(1);
    write!(
        out,
        "#usda 1.0\n(\n    defaultPrim = \"Sinew\"\n    upAxis = \"Y\"\n    metersPerUnit = 1\n    startTimeCode = {first}\n    \
         endTimeCode = {last}\n    timeCodesPerSecond = {fps}\n    framesPerSecond = {fps}\n)\n\ndef Xform \"Sinew\"\n{{\n"
    )
    .map_err(&io)?;
    let mut used = HashSet::new();
    for part in parts {
        write_part(&mut out, part, &identifier(&part.name, &mut used), frames, first, path)?;
    }
    writeln!(out, "}}").and_then(|()| out.flush()).map_err(&io)
}

fn write_part(
    out: &mut impl Write,
    part: &Part,
    name: &str,
    frames: &mut Spool,
    first: usize,
    path: &Path,
) -> Result<(), ExportError> {
    let io = ExportError::io(path);
    let surface = !part.triangles.is_empty();
    let open = |out: &mut dyn Write| -> std::io::Result<()> {
        if surface {
            let counts = vec!["3"; part.triangles.len()].join(", ");
            writeln!(
                out,
                "    def Mesh \"{name}\"\n    {{\n        uniform token subdivisionScheme = \"none\""
            )?;
            writeln!(out, "        int[] faceVertexCounts = [{counts}]")?;
            write!(out, "        int[] faceVertexIndices = [")?;
            for (i, vertex) in part.triangles.iter().flatten().enumerate() {
                write!(out, "{}{vertex}", if i == 0 { "" } else { ", " })?;
            }
            writeln!(out, "]")?;
        } else {
            writeln!(out, "    def Points \"{name}\"\n    {{")?;
        }
        writeln!(out, "        point3f[] points.timeSamples = {{")
    };
    open(out).map_err(&io)?;
    let mut points = Vec::new();
    let mut extents = Vec::with_capacity(frames.times().len());
    for frame in 0..frames.times().len() {
        frames.read(frame, part.vertices.clone(), &mut points)?;
        let row = |out: &mut dyn Write| -> std::io::Result<()> {
            write!(out, "            {}: [", first + frame)?;
            for (i, p) in points.iter().enumerate() {
                let [x, y, z] = p.to_array().map(|v| v as f32);
                write!(out, "{}({x:?}, {y:?}, {z:?})", if i == 0 { "" } else { ", " })?;
            }
            writeln!(out, "],")
        };
        row(out).map_err(&io)?;
        extents.push(Bounds::of(&points));
    }
    let close = |out: &mut dyn Write| -> std::io::Result<()> {
        writeln!(out, "        }}\n        float3[] extent.timeSamples = {{")?;
        for (frame, bounds) in extents.iter().enumerate() {
            let Some(bounds) = bounds else { continue };
            let corner = |v: glam::DVec3| {
                let [x, y, z] = v.to_array().map(|v| v as f32);
                format!("({x:?}, {y:?}, {z:?})")
            };
            writeln!(
                out,
                "            {}: [{}, {}],",
                first + frame,
                corner(bounds.min),
                corner(bounds.max)
            )?;
        }
        writeln!(out, "        }}\n    }}")
    };
    close(out).map_err(&io)
}

/// A name of letters, digits and underscores that no other part has.
fn identifier(name: &str, used: &mut HashSet<String>) -> String {
    let mut made: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !made.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        made.insert(0, '_');
    }
    let (base, mut number) = (made.clone(), 2);
    while !used.insert(made.clone()) {
        made = format!("{base}_{number}");
        number += 1;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut used = HashSet::new();
        let names = ["skirt", "skirt", "2nd ball", "", "Ärmel"].map(|name| identifier(name, &mut used));
        assert_eq!(names, ["skirt", "skirt_2", "_2nd_ball", "_", "_rmel"]);
    }
}
