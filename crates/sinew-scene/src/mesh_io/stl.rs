//! STL, text and binary: triangles whose corners are given by their coordinates.
//!
//! Corners with the same coordinates, to the bit, become one vertex: a surface in pieces could not be simulated. Triangles that have lost a corner
//! this way are left out. A binary file has 80 bytes of any contents, the number of triangles, and 50 bytes for each; a text file starts with
//! `solid`, but so do some binary ones, so the size decides first.

use super::binary::{Binary, Scalar};
use super::error::MeshError;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::Source;
use glam::DVec3;
use std::collections::HashMap;

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn parse(source: &mut Source) -> Result<RawMesh, MeshError> {
    let is_text = source.bytes.trim_ascii_start().starts_with(b"solid");
    let announced = source.bytes.get(80..HEADER).map(|count| Scalar::U32.int(count, false) as u64);
    let expected = announced.map(|count| HEADER as u64 + TRIANGLE as u64 * count);
    if is_text && expected != Some(source.bytes.len() as u64) {
        return parse_text(source);
    }
    source.binary = true;
    parse_binary(source)
}

fn parse_text(source: &Source) -> Result<RawMesh, MeshError> {
    let mut surface = Welded::default();
    let mut corners: Vec<i64> = Vec::new();
    let mut start = 0;
    for mut line in source.lines() {
        let Some(keyword) = line.next() else { continue };
        if keyword.is("facet") {
            (start, corners) = (keyword.offset, Vec::new());
        } else if keyword.is("vertex") {
            corners.push(surface.vertex(line.coordinates()?, keyword.offset));
        } else if keyword.is("endfacet") {
            let Ok(vertices) = <[i64; 3]>::try_from(corners.as_slice()) else {
                let what = format!("a facet of {} vertices; STL has triangles", corners.len());
                return Err(source.malformed(start, what));
            };
            surface.triangle(vertices, start);
            corners.clear();
        } else if !["solid", "endsolid", "outer", "endloop"].iter().any(|word| keyword.is(word)) {
            let what = format!("expected facet, vertex or endfacet, found {}", keyword.quoted());
            return Err(source.malformed(keyword.offset, what));
        }
    }
    if !corners.is_empty() {
        return Err(source.malformed(start, "this facet has no end: the file is cut off"));
    }
    Ok(surface.finish())
}

fn parse_binary(source: &Source) -> Result<RawMesh, MeshError> {
    let mut bytes = Binary { source, position: 0, big_endian: false };
    bytes.take(80, "the header of a binary STL file")?;
    let count = bytes.count(Scalar::U32, "the number of triangles")?;
    let mut surface = Welded::default();
    for _ in 0..count {
        let offset = bytes.position;
        let row = bytes.take(TRIANGLE as u64, "a triangle")?;
        let real = |i: usize| Scalar::F32.real(&row[4 * i..], false);
        let corner = |k: usize| DVec3::new(real(3 * k), real(3 * k + 1), real(3 * k + 2));
        // The normal comes first; it follows from the corners.
        let vertices = [1, 2, 3].map(|k| surface.vertex(corner(k), offset));
        surface.triangle(vertices, offset);
    }
    Ok(surface.finish())
}

/// A surface whose corners are joined by their coordinates.
#[derive(Default)]
struct Welded {
    mesh: RawMesh,
    known: HashMap<[u64; 3], i64>,
    lost: usize,
}

impl Welded {
    fn vertex(&mut self, position: DVec3, offset: usize) -> i64 {
        // Adding 0 turns −0 into 0, which is the same place.
        let bits = (position + DVec3::ZERO).to_array().map(f64::to_bits);
        let next = self.mesh.points.len() as i64;
        *self.known.entry(bits).or_insert_with(|| {
            self.mesh.points.push(RawPoint { number: next, position, offset });
            next
        })
    }

    fn triangle(&mut self, vertices: [i64; 3], offset: usize) {
        let [a, b, c] = vertices;
        if a == b || b == c || c == a {
            self.lost += 1;
        } else {
            self.mesh.triangles.push(RawCell { vertices, label: None, offset });
        }
    }

    fn finish(mut self) -> RawMesh {
        if self.lost > 0 {
            self.mesh
                .notes
                .push(format!("{} triangles with two corners at the same place were left out", self.lost));
        }
        self.mesh
    }
}
