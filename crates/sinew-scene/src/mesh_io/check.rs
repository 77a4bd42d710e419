//! Decides whether the result of a reader is a valid mesh.
//!
//! In order: the cells are of a supported kind, the vertex numbers exist, no element names a vertex twice, coordinates are finite, points
//! without an element are removed, tetrahedra are oriented.

use super::error::{Cell, Defect, MeshError};
use super::raw::{OtherCells, RawCell, RawMesh, RawPoint};
use super::source::Source;
use super::{MeshFile, Orientation, orientation};
use crate::mesh_data::MeshData;

/// Checks a mesh whose points and cells are in the same file or in two files.
pub(super) fn finish(
    raw: RawMesh,
    point_source: &Source,
    cell_source: &Source,
    orientation: Orientation,
) -> Result<MeshFile, MeshError> {
    let skipped = skip_unsupported(&raw, cell_source)?;
    let points = Points::new(raw.points, point_source)?;
    let tets = points.resolve(&raw.tets, Cell::Tetrahedron, cell_source)?;
    let triangles = points.resolve(&raw.triangles, Cell::Triangle, cell_source)?;

    let mut used = vec![false; points.sorted.len()];
    let volumetric = !tets.is_empty();
    let mut mark = |vertices: &[u32]| vertices.iter().for_each(|&vertex| used[vertex as usize] = true);
    tets.iter().for_each(|tet| mark(tet));
    if !volumetric {
        triangles.iter().for_each(|triangle| mark(triangle));
    }
    let mut file = points.keep(&used, &tets, &triangles);
    file.notes = raw.notes;
    file.notes.extend(skipped);
    file.materials = raw.materials;
    file.material_of = raw.material_of;
    // Either all tetrahedra have labels or none: if a file labels some, the rest get 0.
    if raw.tets.iter().any(|tet| tet.label.is_some()) {
        file.mesh.regions = raw.tets.iter().map(|tet| tet.label.unwrap_or(0)).collect();
    }
    if orientation == Orientation::Positive {
        let (reversed, total) = (
            orientation::make_positive(&mut file.mesh)
                .map_err(|(tet, defect)| cell_source.invalid(Some(raw.tets[tet].offset), defect))?,
            file.mesh.tets.len(),
        );
        file.turned = reversed > 0 && reversed == total;
        if reversed > 0 && reversed < total {
            file.notes.push(format!(
                "{reversed} of {total} tetrahedra were wound the other way round and have been reversed"
            ));
        }
    }
    Ok(file)
}

/// Cells that are not simulated are left out, with a sentence about each kind. Without a tetrahedron volume cells are all that there is, and a surface
/// of other cells than triangles would have holes: these are errors.
fn skip_unsupported(raw: &RawMesh, source: &Source) -> Result<Vec<String>, MeshError> {
    if raw.tets.is_empty() {
        let lost = raw.others.iter().max_by_key(|other| other.dimension);
        if let Some(other) = lost {
            let defect = Defect::UnsupportedCells { cells: other.name, count: other.count };
            return Err(source.invalid(Some(other.offset), defect));
        }
        if raw.triangles.is_empty() {
            return Err(source.invalid(None, Defect::NoElements));
        }
    }
    let sentence = |other: &OtherCells| {
        let OtherCells { count, name, dimension, .. } = other;
        let hole = if *dimension == 3 { "; the body has holes there" } else { "" };
        format!("{count} {name} were left out: only linear tetrahedra are simulated{hole}")
    };
    // Cells of the surface are no loss beside tetrahedra, whose boundary is the surface.
    Ok(raw.others.iter().filter(|other| other.dimension == 3).map(sentence).collect())
}

/// Points in the order of their numbers.
struct Points {
    sorted: Vec<RawPoint>,
}

impl Points {
    fn new(mut points: Vec<RawPoint>, source: &Source) -> Result<Self, MeshError> {
        if u32::try_from(points.len()).is_err() {
            return Err(source.invalid(None, Defect::TooManyPoints { count: points.len() }));
        }
        points.sort_by_key(|point| point.number);
        if let Some(pair) = points.windows(2).find(|pair| pair[0].number == pair[1].number) {
            let defect = Defect::DuplicateVertex { vertex: pair[1].number };
            return Err(source.invalid(Some(pair[1].offset), defect));
        }
        if let Some(point) = points.iter().find(|point| !point.position.is_finite()) {
            let defect = Defect::NotFinite { vertex: point.number, position: point.position.to_array() };
            return Err(source.invalid(Some(point.offset), defect));
        }
        Ok(Self { sorted: points })
    }

    fn index_of(&self, number: i64) -> Option<u32> {
        let first = self.sorted.first()?.number;
        // Numbers are almost always consecutive; then the index is a subtraction.
        let guess = number.checked_sub(first).and_then(|index| usize::try_from(index).ok())?;
        let index = match self.sorted.get(guess) {
            Some(point) if point.number == number => guess,
            _ => self.sorted.binary_search_by_key(&number, |point| point.number).ok()?,
        };
        u32::try_from(index).ok()
    }

    fn resolve<const N: usize>(
        &self,
        cells: &[RawCell<N>],
        name: fn(usize) -> Cell,
        source: &Source,
    ) -> Result<Vec<[u32; N]>, MeshError> {
        let resolve_one = |(index, cell): (usize, &RawCell<N>)| {
            let mut vertices = [0; N];
            for (k, &number) in cell.vertices.iter().enumerate() {
                if cell.vertices[..k].contains(&number) {
                    let defect = Defect::RepeatedVertex { cell: name(index), vertex: number };
                    return Err(source.invalid(Some(cell.offset), defect));
                }
                vertices[k] = self
                    .index_of(number)
                    .ok_or_else(|| source.invalid(Some(cell.offset), self.missing(name(index), number)))?;
            }
            Ok(vertices)
        };
        cells.iter().enumerate().map(resolve_one).collect()
    }

    fn missing(&self, cell: Cell, vertex: i64) -> Defect {
        let first = self.sorted.first().map_or(0, |point| point.number);
        let last = self.sorted.last().map_or(0, |point| point.number);
        Defect::MissingVertex { cell, vertex, first, last }
    }

    /// Keeps the used points, and the elements that use only these.
    fn keep(&self, used: &[bool], tets: &[[u32; 4]], triangles: &[[u32; 3]]) -> MeshFile {
        let mut renumbered = vec![u32::MAX; used.len()];
        let mut points = Vec::new();
        for (index, point) in self.sorted.iter().enumerate() {
            if used[index] {
                renumbered[index] = points.len() as u32;
                points.push(point.position);
            }
        }
        let attached = |triangle: &&[u32; 3]| triangle.iter().all(|&vertex| used[vertex as usize]);
        let rename = |vertex: u32| renumbered[vertex as usize];
        let triangles_kept: Vec<[u32; 3]> =
            triangles.iter().filter(attached).map(|triangle| triangle.map(rename)).collect();
        MeshFile {
            unused_points: used.len() - points.len(),
            detached_triangles: triangles.len() - triangles_kept.len(),
            turned: false,
            notes: Vec::new(),
            materials: Vec::new(),
            material_of: Vec::new(),
            mesh: MeshData {
                points,
                tets: tets.iter().map(|tet| tet.map(rename)).collect(),
                triangles: triangles_kept,
                ..MeshData::default()
            },
        }
    }
}
