//! Gmsh `.msh`, versions 2.2 and 4.1, in text and in binary of either byte order.
//!
//! A file is a sequence of sections; `$Nodes` and `$Elements` matter, and in 4.1 also `$Entities`, which gives the physical group of the
//! entity of an element. A tetrahedron's label is its physical group, or its entity if it has none. Points come in the order of their tags,
//! so that the same mesh reads alike in every encoding.

mod cells;
mod cursor;
mod header;

use super::error::MeshError;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::Source;
use cells::{CellKind, TETRAHEDRON, TRIANGLE, cell_kind};
use cursor::{Cursor, Encoding};
use glam::DVec3;
use header::{Header, Version};
use std::collections::HashMap;

pub(super) fn parse(source: &mut Source) -> Result<RawMesh, MeshError> {
    let Header { version, encoding, end } = header::read(source)?;
    source.binary = encoding != Encoding::Text;
    let mut reader = Reader {
        cursor: Cursor { source, position: end, encoding },
        mesh: RawMesh::default(),
        physical_of_volume: HashMap::new(),
    };
    reader.read_sections(version)?;
    Ok(reader.mesh)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    mesh: RawMesh,
    /// From the tag of a volume to its first physical group.
    physical_of_volume: HashMap<i64, i64>,
}

impl Reader<'_> {
    fn read_sections(&mut self, version: Version) -> Result<(), MeshError> {
        while let Some(name) = self.cursor.next_section()? {
            match (name, version) {
                (b"Nodes", Version::V22) => self.read_nodes_22()?,
                (b"Nodes", Version::V41) => self.read_nodes_41()?,
                (b"Elements", Version::V22) => self.read_elements_22()?,
                (b"Elements", Version::V41) => self.read_elements_41()?,
                (b"Entities", Version::V41) => self.read_entities()?,
                (other, _) => {
                    self.cursor.skip_section(other)?;
                    continue;
                }
            }
            let name = std::str::from_utf8(name).unwrap_or_default();
            self.cursor.end_section(name)?;
        }
        Ok(())
    }

    fn read_nodes_22(&mut self) -> Result<(), MeshError> {
        let count = self.cursor.text_count("the number of nodes")?;
        for _ in 0..count {
            let offset = self.cursor.offset();
            let number = self.cursor.int("a node tag")?;
            let position = self.read_position()?;
            self.mesh.points.push(RawPoint { number, position, offset });
        }
        Ok(())
    }

    fn read_nodes_41(&mut self) -> Result<(), MeshError> {
        let blocks = self.cursor.count("the number of node blocks")?;
        for what in ["the number of nodes", "the lowest node tag", "the highest node tag"] {
            self.cursor.size(what)?;
        }
        for _ in 0..blocks {
            self.read_node_block()?;
        }
        Ok(())
    }

    /// The tags of a block all come before its coordinates.
    fn read_node_block(&mut self) -> Result<(), MeshError> {
        let dimension = self.cursor.int_count("the dimension of an entity")?;
        self.cursor.int("the tag of an entity")?;
        let parametric = self.cursor.int("whether nodes are parametric")? != 0;
        let count = self.cursor.count("the number of nodes in the block")?;
        let mut tags = Vec::new();
        for _ in 0..count {
            tags.push(self.cursor.size("a node tag")?);
        }
        for number in tags {
            let offset = self.cursor.offset();
            let position = self.read_position()?;
            if parametric {
                (0..dimension).try_for_each(|_| self.cursor.real("a parametric coordinate").map(drop))?;
            }
            self.mesh.points.push(RawPoint { number, position, offset });
        }
        Ok(())
    }

    fn read_position(&mut self) -> Result<DVec3, MeshError> {
        let x = self.cursor.real("an x coordinate")?;
        let y = self.cursor.real("a y coordinate")?;
        let z = self.cursor.real("a z coordinate")?;
        Ok(DVec3::new(x, y, z))
    }

    /// In text, elements are listed one by one; in binary, in runs of the same kind that share a header.
    fn read_elements_22(&mut self) -> Result<(), MeshError> {
        let count = self.cursor.text_count("the number of elements")?;
        let mut done = 0;
        while done < count {
            let offset = self.cursor.offset();
            if self.cursor.encoding == Encoding::Text {
                self.cursor.int("an element tag")?;
                let kind = self.cursor.int("a cell type")?;
                let tags = self.cursor.int_count("the number of tags")?;
                self.read_element_22(kind, tags, offset)?;
                done += 1;
            } else {
                let kind = self.cursor.int("a cell type")?;
                let run = self.cursor.int_count("the number of elements that follow")?;
                let tags = self.cursor.int_count("the number of tags")?;
                if run == 0 || run > count - done {
                    let what = format!("a run of {run} elements, where {} are left of {count}", count - done);
                    return Err(self.cursor.source.malformed(offset, what));
                }
                for _ in 0..run {
                    let offset = self.cursor.offset();
                    self.cursor.int("an element tag")?;
                    self.read_element_22(kind, tags, offset)?;
                }
                done += run;
            }
        }
        Ok(())
    }

    /// The first tag is the physical group (0 for none), the second the entity.
    fn read_element_22(&mut self, kind: i64, tags: u64, offset: usize) -> Result<(), MeshError> {
        let mut label = None;
        for index in 0..tags {
            let tag = self.cursor.int("a tag of the element")?;
            if index == 0 || (index == 1 && label == Some(0)) {
                label = Some(tag);
            }
        }
        self.read_cell(kind, label, offset, |cursor| cursor.int("a node tag"))
    }

    fn read_elements_41(&mut self) -> Result<(), MeshError> {
        let blocks = self.cursor.count("the number of element blocks")?;
        for what in ["the number of elements", "the lowest element tag", "the highest element tag"] {
            self.cursor.size(what)?;
        }
        for _ in 0..blocks {
            self.cursor.int("the dimension of an entity")?;
            let entity = self.cursor.int("the tag of an entity")?;
            let kind = self.cursor.int("a cell type")?;
            let count = self.cursor.count("the number of elements in the block")?;
            let label = self.physical_of_volume.get(&entity).copied().unwrap_or(entity);
            for _ in 0..count {
                let offset = self.cursor.offset();
                self.cursor.size("an element tag")?;
                self.read_cell(kind, Some(label), offset, |cursor| cursor.size("a node tag"))?;
            }
        }
        Ok(())
    }

    fn read_cell(
        &mut self,
        kind: i64,
        label: Option<i64>,
        offset: usize,
        node: impl Fn(&mut Cursor<'_>) -> Result<i64, MeshError>,
    ) -> Result<(), MeshError> {
        match kind {
            TETRAHEDRON => {
                let vertices = self.read_vertices(node)?;
                let label = label.map(|label| self.fit_label(label, offset)).transpose()?;
                self.mesh.tets.push(RawCell { vertices, label, offset });
            }
            TRIANGLE => {
                let vertices = self.read_vertices(node)?;
                self.mesh.triangles.push(RawCell { vertices, label: None, offset });
            }
            _ => {
                let Some(CellKind { name, dimension, nodes }) = cell_kind(kind) else {
                    return Err(self.cursor.source.malformed(offset, format!("unknown cell type {kind}")));
                };
                (0..nodes).try_for_each(|_| node(&mut self.cursor).map(drop))?;
                if dimension >= 2 {
                    self.mesh.pass_over(name, dimension, 1, offset);
                }
            }
        }
        Ok(())
    }

    fn read_vertices<const N: usize>(
        &mut self,
        node: impl Fn(&mut Cursor<'_>) -> Result<i64, MeshError>,
    ) -> Result<[i64; N], MeshError> {
        let mut vertices = [0; N];
        for vertex in &mut vertices {
            *vertex = node(&mut self.cursor)?;
        }
        Ok(vertices)
    }

    fn fit_label(&self, label: i64, offset: usize) -> Result<i32, MeshError> {
        i32::try_from(label).map_err(|_| {
            self.cursor.source.malformed(offset, format!("the tag {label} does not fit in 32 bits"))
        })
    }

    /// Points, curves, surfaces, volumes; only the physical groups of volumes are kept.
    fn read_entities(&mut self) -> Result<(), MeshError> {
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = self.cursor.count("the number of entities")?;
        }
        for (dimension, &count) in counts.iter().enumerate() {
            for _ in 0..count {
                let tag = self.cursor.int("the tag of an entity")?;
                // A point has a position, everything else a bounding box.
                let reals = if dimension == 0 { 3 } else { 6 };
                (0..reals).try_for_each(|_| self.cursor.real("the bounds of an entity").map(drop))?;
                let physical = self.read_tags("the number of physical tags")?;
                if dimension > 0 {
                    self.read_tags("the number of bounding entities")?;
                }
                if let (3, Some(physical)) = (dimension, physical) {
                    self.physical_of_volume.insert(tag, physical);
                }
            }
        }
        Ok(())
    }

    /// A count and that many tags, of which the first is returned.
    fn read_tags(&mut self, what: &str) -> Result<Option<i64>, MeshError> {
        let count = self.cursor.count(what)?;
        let mut first = None;
        for _ in 0..count {
            let tag = self.cursor.int("a tag")?;
            first.get_or_insert(tag);
        }
        Ok(first)
    }
}
