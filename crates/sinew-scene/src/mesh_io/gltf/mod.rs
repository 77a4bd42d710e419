//! glTF 2.0, `.glb` and `.gltf`: the surface of all meshes of the scene, placed by their nodes, and the skeletons and clips that move them.

mod asset;
mod clip;
mod document;
mod figure;
mod morph;
mod pose;
mod surface;

pub use figure::{Figure, FigurePose, NodeTransform};
pub use morph::MorphClip;

use super::error::MeshError;
use super::raw::{RawCell, RawMesh, RawPoint};
use super::source::Source;
use asset::Asset;
use pose::Tree;
use surface::{Surface, at_rest};

pub(super) fn parse(source: Source) -> Result<(RawMesh, Source), MeshError> {
    let asset = Asset::parse(source)?;
    let tree = Tree::of(&asset)?;
    let world = tree.world(&at_rest(&asset));
    let mut mesh = RawMesh::default();
    let (mut given, mut lost) = (0, 0);
    for surface in Surface::all(&asset, &tree)? {
        let first = mesh.points.len() as i64;
        for (number, position) in (first..).zip(surface.place(&world)) {
            mesh.points.push(RawPoint { number, position, offset: 0 });
        }
        for triangle in &surface.triangles {
            let vertices = triangle.map(|vertex| first + i64::from(vertex));
            mesh.triangles.push(RawCell { vertices, label: None, offset: 0 });
        }
        (given, lost) = (given + surface.joined, lost + surface.lost);
    }
    if given > mesh.points.len() {
        let count = given - mesh.points.len();
        mesh.notes.push(format!("{count} vertices at the same place as another were joined with it"));
    }
    if lost > 0 {
        mesh.notes.push(format!("{lost} triangles with two corners at the same place were left out"));
    }
    Ok((mesh, asset.source))
}
