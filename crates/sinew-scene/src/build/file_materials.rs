//! Materials that come with a mesh file (VegaFEM): they count where neither the body nor the scene gives elasticity, or a mass.

use super::inertia::Densities;
use super::site::Site;
use crate::format::{Material, SceneError};
use crate::mesh_io::{FileMaterial, MeshFile};
use std::path::{Path, PathBuf};

/// The materials of a file and where they are.
pub(super) struct FileMaterials {
    path: PathBuf,
    list: Vec<FileMaterial>,
    /// The material of each tetrahedron, #T.
    of: Vec<Option<u32>>,
}

impl FileMaterials {
    /// Those of a file that was read; `None` if it has none.
    pub fn of(file: &MeshFile, path: &Path) -> Option<Self> {
        let of = match &file.material_of[..] {
            // One material without regions is that of everything.
            [] => vec![(file.materials.len() == 1).then_some(0); file.mesh.tets.len()],
            given => given.to_vec(),
        };
        let list = file.materials.clone();
        (!list.is_empty()).then(|| Self { path: path.to_owned(), list, of })
    }

    /// The material of a tetrahedron; `at` is the table in which a scene would give it.
    fn get(&self, tet: usize, at: &Site<'_>) -> Result<&FileMaterial, SceneError> {
        let index = self.of.get(tet).copied().flatten();
        index.and_then(|index| self.list.get(index as usize)).ok_or_else(|| {
            at.error(format!(
                "is needed: {} has {} materials, but does not say which one tetrahedron {tet} (counted from 0) has",
                self.path.display(),
                self.list.len()
            ))
        })
    }

    /// A material with the elasticity of a tetrahedron, unless it has its own.
    pub fn elasticity(&self, material: &Material, tet: usize, at: &Site<'_>) -> Result<Material, SceneError> {
        let own = [material.young, material.poisson, material.mu, material.lambda];
        if own.iter().any(Option::is_some) {
            return Ok(material.clone());
        }
        let FileMaterial { young, poisson, .. } = *self.get(tet, at)?;
        Ok(Material { young: Some(young), poisson: Some(poisson), ..material.clone() })
    }

    /// The density of every tetrahedron, and a material that no longer lacks one, if it does.
    pub fn densities(
        &self,
        material: &Material,
        at: &Site<'_>,
    ) -> Result<Option<(Material, Densities)>, SceneError> {
        if material.density.is_some() || material.mass.is_some() {
            return Ok(None);
        }
        let mut all = Densities::new();
        for tet in 0..self.of.len() {
            let given = self.get(tet, at)?;
            if !(given.density > 0.0 && given.density.is_finite()) {
                let (path, name, density) = (self.path.display(), &given.name, given.density);
                return Err(
                    at.error(format!("is needed: the density of the material {name} in {path} is {density}"))
                );
            }
            all.push((tet, given.density));
        }
        let first = all.first().map(|&(_, density)| density);
        Ok(Some((Material { density: first, ..material.clone() }, all)))
    }
}
