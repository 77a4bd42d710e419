//! VegaFEM `.veg`: `*VERTICES`, `*ELEMENTS`, sets of elements, and regions that give a set its material.
//!
//! A tetrahedron's label is the position, from 1, of the `*REGION` whose set contains it (the last if several do); a file with fewer than two
//! regions has no labels. Sets may be in a separate file (`*INCLUDE`, relative to the mesh); if that file is missing, the mesh is read
//! without labels and a note says so, since such files are easily left behind. Materials are read if they are given by density, Young's modulus and
//! Poisson's ratio (`ENU`); of others a note says that they are not.

use super::FileMaterial;
use super::error::MeshError;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::{Lines, Source};
use super::tokens::{Token, Tokens, parse_int, parse_number};
use std::collections::HashMap;

/// The set that contains every element without being declared.
const ALL_ELEMENTS: &str = "allElements";

pub(super) fn parse(source: &Source) -> Result<RawMesh, MeshError> {
    let mut reader = Reader {
        mesh: RawMesh::default(),
        elements: HashMap::new(),
        sets: HashMap::new(),
        regions: Vec::new(),
    };
    let mut lines = source.lines();
    while let Some(mut line) = lines.next() {
        let Some(keyword) = line.next() else { continue };
        if keyword.is("*VERTICES") {
            reader.read_vertices(&mut lines)?;
        } else if keyword.is("*ELEMENTS") {
            reader.read_elements(&mut lines)?;
        } else if keyword.is("*SET") {
            let name = text(line.expect("the name of the set")?);
            reader.read_set(source, name, &mut lines)?;
        } else if keyword.is("*REGION") {
            reader.regions.push(names(lines.row("a set and its material")?)?);
        } else if keyword.is("*MATERIAL") {
            let name = text(line.expect("the name of the material")?);
            reader.read_material(name, lines.row("the constants of the material")?)?;
        } else {
            let what = format!(
                "expected *VERTICES, *ELEMENTS, *MATERIAL, *SET or *REGION, found {}",
                keyword.quoted()
            );
            return Err(source.malformed(keyword.offset, what));
        }
    }
    reader.label_regions();
    Ok(reader.mesh)
}

struct Reader {
    mesh: RawMesh,
    /// From the number of an element to its index.
    elements: HashMap<i64, usize>,
    /// Element numbers by the name of the set; `None` if its list could not be found.
    sets: HashMap<String, Option<Vec<i64>>>,
    /// The names of set and material, by region.
    regions: Vec<(String, String)>,
}

impl Reader {
    fn read_vertices(&mut self, lines: &mut Lines<'_>) -> Result<(), MeshError> {
        let mut header = lines.row("the number of vertices")?;
        let count = header.amount("the number of vertices")?;
        for index in 0..count {
            let mut row = lines.row(format_args!("vertex {} of {count}", index + 1))?;
            let offset = row.next_offset();
            let number = row.int("the number of the vertex")?;
            self.mesh.points.push(RawPoint { number, position: row.coordinates()?, offset });
        }
        Ok(())
    }

    fn read_elements(&mut self, lines: &mut Lines<'_>) -> Result<(), MeshError> {
        let mut kind_line = lines.row("the kind of the elements")?;
        let kind = kind_line.expect("the kind of the elements")?;
        let mut header = lines.row("the number of elements")?;
        let count = header.amount("the number of elements")?;
        if kind.is("CUBIC") {
            self.mesh.pass_over("hexahedra", 3, count, kind.offset);
            (0..count).try_for_each(|_| lines.row("a hexahedron").map(drop))?;
            return Ok(());
        }
        if !(kind.is("TET") || kind.is("TETS")) {
            let what = format!("elements of the unknown kind {}; expected TET", kind.quoted());
            return Err(kind_line.source.malformed(kind.offset, what));
        }
        for index in 0..count {
            let mut row = lines.row(format_args!("tetrahedron {} of {count}", index + 1))?;
            let offset = row.next_offset();
            let number = row.int("the number of the tetrahedron")?;
            self.elements.insert(number, self.mesh.tets.len());
            self.mesh.tets.push(RawCell { vertices: row.vertices()?, label: None, offset });
        }
        Ok(())
    }

    /// Reads numbers, separated by commas or spaces, up to the next keyword.
    fn read_set(&mut self, source: &Source, name: String, lines: &mut Lines<'_>) -> Result<(), MeshError> {
        let mut members = Some(Vec::new());
        while let Some(mut line) = lines.clone().next() {
            let first = line.clone().next();
            if first.is_some_and(|token| token.is("*INCLUDE")) {
                line.next();
                let file = text(line.expect("the file to include")?);
                self.include(source, &name, &file, &mut members)?;
            } else if first.is_some_and(|token| token.bytes.starts_with(b"*")) {
                break;
            } else if let Some(members) = &mut members {
                read_numbers(line, members)?;
            }
            lines.next();
        }
        self.sets.insert(name, members);
        Ok(())
    }

    fn include(
        &mut self,
        source: &Source,
        set: &str,
        file: &str,
        members: &mut Option<Vec<i64>>,
    ) -> Result<(), MeshError> {
        match source.beside(file).and_then(|path| Source::load(&path)) {
            Ok(list) => {
                let Some(members) = members else { return Ok(()) };
                list.lines().try_for_each(|line| read_numbers(line, members))
            }
            Err(error) => {
                self.mesh
                    .notes
                    .push(format!("the set {set} is unknown, and regions are not labelled: {error}"));
                *members = None;
                Ok(())
            }
        }
    }

    /// `ENU, density, Young's modulus, Poisson's ratio`.
    fn read_material(&mut self, name: String, line: Tokens<'_>) -> Result<(), MeshError> {
        let parts: Vec<Token<'_>> = line.clone().flat_map(split_at_commas).collect();
        let kind = parts.first().map_or_else(String::new, |token| token.quoted());
        if !parts.first().is_some_and(|token| token.is("ENU")) {
            self.mesh.notes.push(format!("the material {name} is of the kind {kind}; only ENU is read"));
            return Ok(());
        }
        let number = |index: usize, what: &str| {
            let token = parts.get(index).copied();
            let missing =
                || line.source.malformed(line.next_offset(), format!("the material {name} lacks {what}"));
            parse_number(line.source, token.ok_or_else(missing)?, what)
        };
        let (density, young) = (number(1, "its density")?, number(2, "its Young's modulus")?);
        let poisson = number(3, "its Poisson's ratio")?;
        self.mesh.materials.push(FileMaterial { name, density, young, poisson });
        Ok(())
    }

    fn label_regions(&mut self) {
        let known = |set: &String| set == ALL_ELEMENTS || self.sets.get(set).is_some_and(Option::is_some);
        if !self.regions.iter().all(|(set, _)| known(set)) {
            return;
        }
        let mut material_of = vec![None; self.mesh.tets.len()];
        for (label, (set, material)) in (1..).zip(&self.regions) {
            let material = self.mesh.materials.iter().position(|known| known.name == *material);
            let material = material.and_then(|index| u32::try_from(index).ok());
            let members: Vec<usize> = match self.sets.get(set) {
                // A number beyond the elements is ignored.
                Some(Some(members)) => members.iter().filter_map(|n| self.elements.get(n).copied()).collect(),
                _ => (0..self.mesh.tets.len()).collect(),
            };
            for index in members {
                self.mesh.tets[index].label = Some(label).filter(|_| self.regions.len() > 1);
                material_of[index] = material;
            }
        }
        if material_of.iter().any(Option::is_some) {
            self.mesh.material_of = material_of;
        }
    }
}

fn read_numbers(line: Tokens<'_>, members: &mut Vec<i64>) -> Result<(), MeshError> {
    let source = line.source;
    for token in line.flat_map(split_at_commas) {
        members.push(parse_int(source, token, "an element number")?);
    }
    Ok(())
}

/// The names of a set and a material, separated by a comma.
fn names(line: Tokens<'_>) -> Result<(String, String), MeshError> {
    line.clone().expect("the name of a set")?;
    let mut parts = line.flat_map(split_at_commas).map(text);
    Ok((parts.next().unwrap_or_default(), parts.next().unwrap_or_default()))
}

fn split_at_commas(token: Token<'_>) -> impl Iterator<Item = Token<'_>> {
    let parts = token.bytes.split(|&byte| byte == b',').filter(|part| !part.is_empty());
    parts.map(move |bytes| Token { bytes, offset: token.offset })
}

fn text(token: Token<'_>) -> String {
    String::from_utf8_lossy(token.bytes).into_owned()
}
