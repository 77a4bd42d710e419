//! The mesh of a body and its bones, from which everything else about the body is selected.

use super::file_materials::FileMaterials;
use super::mesh;
use super::selection;
use super::site::Site;
use super::{face, figure};
use crate::face::FaceFile;
use crate::format::{Body, Bone, MeshSource, PlacementMotion, SceneError};
use crate::mesh_data::MeshData;
use crate::mesh_io::Figure;
use crate::rig::{self, Rig, RigJoint};
use crate::shapes::Net;
use crate::suggest;
use std::path::Path;
use std::sync::Arc;

/// A mesh with its bones. Joints refer to bones by their index here.
#[derive(Default)]
pub(super) struct Anatomy {
    pub mesh: MeshData,
    pub bones: Vec<BodyBone>,
    /// Joints that come with the mesh, in the frame of the mesh.
    pub joints: Vec<RigJoint>,
    /// Contents of its joint file; empty without one.
    pub file: String,
    /// How the mesh file was converted to metres.
    pub frame: mesh::FileFrame,
    /// The fine surface that comes with the mesh.
    pub skin: Option<Net>,
    /// Materials that come with the mesh.
    pub materials: Option<FileMaterials>,
    /// Sentences about what was left out or changed while reading.
    pub notes: Vec<String>,
    /// The figure that moves all of it, if it is one.
    pub figure: Option<Arc<Figure>>,
    /// The face that it is, and how fat it is.
    pub face: Option<(Arc<FaceFile>, f64)>,
    /// Vertices that a skull holds.
    pub held: Vec<usize>,
}

/// A bone of one body.
pub(super) struct BodyBone {
    pub name: String,
    /// Its vertices in the body, ascending.
    pub vertices: Vec<usize>,
    pub kinematic: bool,
    pub guide: Guide,
}

/// How a kinematic bone moves.
#[derive(Clone, Default)]
pub(super) struct Guide {
    pub motion: Option<PlacementMotion>,
    pub pivot: Option<[f64; 3]>,
}

impl Anatomy {
    pub fn new(body: &Body, folder: &Path, at: &Site<'_>) -> Result<Self, SceneError> {
        let Some(source) = &body.mesh else {
            return Ok(Self::default());
        };
        if let MeshSource::Figure(given) = source {
            return figure::anatomy(given, folder, &at.key("mesh.figure"));
        }
        if let MeshSource::Face(given) = source {
            return face::anatomy(given, folder, &at.key("mesh.face"));
        }
        let loaded = mesh::load(source, folder, &at.key("mesh"))?;
        let (mesh, mut rig) = (loaded.rigged.mesh, loaded.rigged.rig);
        let mut written = String::new();
        if let Some(file) = &body.joints {
            let at = at.key("joints");
            rig = rig::read(&folder.join(file)).map_err(|error| at.error(error.to_string()))?;
            written = rig::to_text(&rig);
            rig.joints.iter_mut().for_each(|joint| joint.position = loaded.frame.place(joint.position));
        }
        if body.rigid.is_rigid() || !body.skeleton {
            rig = Rig::default();
        }
        let bones = bones(body, &mesh, &rig, at)?;
        refuse_shared_vertices(body, &bones, mesh.points.len(), at)?;
        Ok(Self {
            mesh,
            bones,
            joints: rig.joints,
            file: written,
            frame: loaded.frame,
            skin: loaded.skin,
            materials: loaded.materials,
            notes: loaded.notes,
            ..Self::default()
        })
    }

    /// The bone of each vertex.
    pub fn owners(&self) -> Vec<Option<usize>> {
        let mut owner = vec![None; self.mesh.points.len()];
        for (k, bone) in self.bones.iter().enumerate() {
            bone.vertices.iter().for_each(|&vertex| owner[vertex] = Some(k));
        }
        owner
    }

    /// Whether there is no flesh: all corners of every tetrahedron are on one bone.
    pub fn is_all_bone(&self) -> bool {
        let owner = self.owners();
        let of = |vertex: u32| owner[vertex as usize];
        !self.mesh.tets.is_empty()
            && self.mesh.springs.is_empty()
            && self
                .mesh
                .tets
                .iter()
                .all(|tet| of(tet[0]).is_some() && tet.iter().all(|&v| of(v) == of(tet[0])))
    }
}

/// The bones that come with the mesh, then those of the scene.
fn bones(body: &Body, mesh: &MeshData, rig: &Rig, at: &Site<'_>) -> Result<Vec<BodyBone>, SceneError> {
    let mut all = Vec::with_capacity(rig.bones.len() + body.bones.len());
    for bone in &rig.bones {
        let vertices = selection::of_regions(mesh, &bone.regions)
            .map_err(|(_, message)| at.key("joints").error(format!("bone `{}`: {message}", bone.name)))?;
        let name = bone.name.clone();
        all.push(BodyBone { name, vertices, kinematic: false, guide: Guide::default() });
    }
    for (i, bone) in body.bones.iter().enumerate() {
        let at = at.key("bone").index(i);
        let guide = Guide { motion: bone.motion.clone(), pivot: bone.pivot };
        let kinematic = bone.kinematic;
        let known = all.iter().position(|known| known.name == bone.name);
        match (own_vertices(bone, mesh, &at)?, known) {
            (Some(vertices), None) => {
                all.push(BodyBone { name: bone.name.clone(), vertices, kinematic, guide });
            }
            (None, Some(known)) => (all[known].kinematic, all[known].guide) = (kinematic, guide),
            (Some(_), Some(_)) => {
                let message = format!(
                    "the mesh already brings a bone `{}`; leave out what chooses its vertices",
                    bone.name
                );
                return Err(at.key("name").error(message));
            }
            (None, None) => {
                let names: Vec<&str> = rig.bones.iter().map(|bone| bone.name.as_str()).collect();
                let hint = suggest::hint(&bone.name, &names);
                let message = format!(
                    "the mesh brings no bone `{}`{hint}; a new one needs `region`, `regions` or `select`",
                    bone.name
                );
                return Err(at.key("name").error(message));
            }
        }
    }
    Ok(all)
}

/// The vertices that a bone of the scene selects; `None` if it selects none.
fn own_vertices(bone: &Bone, mesh: &MeshData, at: &Site<'_>) -> Result<Option<Vec<usize>>, SceneError> {
    if let Some(select) = &bone.select {
        return selection::vertices(mesh, &[], select, &at.key("select")).map(Some);
    }
    let by_region = |regions: &[i32]| selection::of_regions(mesh, regions).map(Some);
    match (bone.region, &bone.regions) {
        (Some(region), _) => by_region(&[region]).map_err(|(_, message)| at.key("region").error(message)),
        (None, Some(regions)) => {
            by_region(regions).map_err(|(k, message)| at.key("regions").index(k).error(message))
        }
        (None, None) => Ok(None),
    }
}

/// Refuses vertices that would move with two bones.
fn refuse_shared_vertices(
    body: &Body,
    bones: &[BodyBone],
    vertices: usize,
    at: &Site<'_>,
) -> Result<(), SceneError> {
    let mut owner: Vec<Option<usize>> = vec![None; vertices];
    for (k, bone) in bones.iter().enumerate() {
        for &vertex in &bone.vertices {
            if let Some(other) = owner[vertex].replace(k) {
                let other = &bones[other].name;
                let name = &bone.name;
                let written = body.bones.iter().position(|written| written.name == *name);
                let at = written.map_or_else(|| at.key("joints"), |i| at.key("bone").index(i));
                return Err(at.error(format!(
                    "the bones `{other}` and `{name}` share vertex {vertex}; flesh has to lie between them, or they are one bone"
                )));
            }
        }
    }
    Ok(())
}
