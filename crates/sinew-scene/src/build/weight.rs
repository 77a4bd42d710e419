//! The mass of a body: masses of its vertices, or mass and inertia of a rigid body as a whole.

use super::anatomy::Anatomy;
use super::enclosed::{self, Enclosed};
use super::inertia::{self, Bulk, Densities};
use super::initial::{Centre, Start};
use super::selection::{self, Candidates, elements_among};
use super::site::Site;
use crate::format::{Body, InlineMesh, Material, MaterialKind, MeshSource, SceneError};
use crate::mesh_data::MeshData;
use glam::{DMat3, DVec3};
use sinew::MassProperties;

/// The mass of a body.
pub(super) enum Weight {
    /// Masses of the vertices, kg.
    Vertices(Vec<f64>),
    /// The same, from densities of the tetrahedra, kg/m³, from which the engine computes the exact inertia of bones.
    Filled { masses: Vec<f64>, densities: Vec<f64> },
    /// Mass properties of a rigid body as a whole, in its initial placement.
    Whole(MassProperties),
}

impl Weight {
    /// Masses of the vertices, kg; empty if the body has mass properties as a whole.
    pub fn masses(&self) -> &[f64] {
        match self {
            Self::Vertices(masses) | Self::Filled { masses, .. } => masses,
            Self::Whole(_) => &[],
        }
    }
}

pub(super) fn inline_of(body: &Body) -> Option<&InlineMesh> {
    match &body.mesh {
        Some(MeshSource::Inline(inline)) => Some(inline),
        _ => None,
    }
}

/// The vertices that a round body is about, and its radius.
pub(super) fn round_of(body: &Body, mesh: &MeshData) -> Option<([u32; 2], f64)> {
    match &body.mesh {
        Some(MeshSource::Sphere(sphere)) if !mesh.points.is_empty() => Some(([0, 0], sphere.radius)),
        Some(MeshSource::Capsule(capsule)) if mesh.points.len() > 1 => Some(([0, 1], capsule.radius)),
        _ => None,
    }
}

/// The mass properties of a rigid body as a whole, if they are given, it is round, or a surface encloses its volume. Moves `start` to the initial
/// placement, and orients `surface` outward.
pub(super) fn whole(
    body: &Body,
    material: &Material,
    mesh: &MeshData,
    start: &mut Start,
    surface: &mut Vec<[u32; 3]>,
    at: &Site<'_>,
) -> Result<Option<MassProperties>, SceneError> {
    let useless = |key: &str, given: bool| {
        let message = "has no effect on a body that weighs as a whole; give `velocity` and `spin`";
        if given { Err(at.key("initial").key(key).error(message)) } else { Ok(()) }
    };
    if let Some(given) = body.rigid.given() {
        useless("strike", body.initial.strike.is_some())?;
        let changed = body.initial.stretch.is_some() || body.initial.randomize.is_some();
        if changed {
            return Err(at.key("initial").error("cannot change the shape of a body whose inertia is given"));
        }
        let centre = DVec3::from(given.center);
        start.apply(&body.initial, Centre::Given(centre));
        let turn = DMat3::from_quat(start.placed.rotation);
        let inertia = turn * given.matrix().unwrap_or_default() * turn.transpose();
        return Ok(Some(MassProperties { mass: given.mass, center: start.placed.apply(centre), inertia }));
    }
    if let Some((ends, radius)) = round_of(body, mesh) {
        if let Some(i) = body.overrides.iter().position(|values| values.density.is_some()) {
            return Err(at.key("override").index(i).error("has no effect on something round"));
        }
        start.apply(&body.initial, Centre::Given(DVec3::ZERO));
        let [a, b] = ends.map(|i| start.positions[i as usize]);
        let of = |density: f64| match ends[0] == ends[1] {
            true => MassProperties::sphere(a, radius, density),
            false => MassProperties::capsule([a, b], radius, density),
        };
        let density = inertia::density_of(material, of(1.0).mass, &at.key("material"))?;
        return Ok(Some(of(density)));
    }
    let masses = inline_of(body).is_some_and(|inline| inline.masses.is_some());
    let enclosing = body.rigid.is_rigid() && mesh.tets.is_empty() && !masses;
    if !enclosing || surface.is_empty() {
        return Ok(None);
    }
    useless("strike", body.initial.strike.is_some())?;
    if inline_of(body).is_some_and(|inline| inline.velocities.is_some()) {
        let message = "has no effect on a rigid surface; give `initial.velocity` and `initial.spin`";
        return Err(at.key("mesh.inline.velocities").error(message));
    }
    if let Some(i) = body.overrides.iter().position(|values| values.density.is_some()) {
        return Err(at.key("override").index(i).error("has no effect on what a surface encloses"));
    }
    start.apply(&body.initial, Centre::Enclosed(surface));
    let solid = enclosed::solid(start.positions.clone(), surface.to_vec()).map_err(|fault| {
        at.key("mesh").error(format!("a rigid surface has to be closed, and this is {fault}"))
    })?;
    let enclosed = Enclosed::by(solid.vertices(), solid.triangles());
    *surface = solid.triangles().to_vec();
    let density = inertia::density_of(material, enclosed.volume, &at.key("material"))?;
    Ok(Some(enclosed.filled(density)))
}

/// Masses of the vertices, and the densities that fill bones.
pub(super) fn of_parts(
    body: &Body,
    material: &Material,
    anatomy: &Anatomy,
    at: &Site<'_>,
) -> Result<Weight, SceneError> {
    if let Some(masses) = inline_of(body).and_then(|inline| inline.masses.clone()) {
        return Ok(Weight::Vertices(masses));
    }
    let mesh = &anatomy.mesh;
    let bulk = Bulk::of(mesh);
    let site = at.key("material");
    // What the scene leaves open may come with the mesh; overrides come after it.
    let filed = match &anatomy.materials {
        Some(file) => file.densities(material, &site)?,
        None => None,
    };
    let (material, mut own) = filed.unwrap_or_else(|| (material.clone(), Densities::new()));
    own.extend(overridden_densities(body, anatomy, &bulk, at)?);
    let densities = inertia::densities(mesh, &bulk, &material, &own, &site)?;
    let masses = inertia::masses(mesh, &bulk, densities.as_deref(), &material);
    let bony = body.rigid.is_rigid() || !anatomy.bones.is_empty();
    // With springs along the edges of a solid, its tetrahedra serve only for the masses.
    let solid = material.kind != Some(MaterialKind::Springs) || body.rigid.is_rigid();
    Ok(match densities {
        Some(densities) if bony && solid && !mesh.tets.is_empty() => Weight::Filled { masses, densities },
        _ => Weight::Vertices(masses),
    })
}

/// The densities that overrides give to single elements.
fn overridden_densities(
    body: &Body,
    anatomy: &Anatomy,
    bulk: &Bulk,
    at: &Site<'_>,
) -> Result<Densities, SceneError> {
    let mesh = &anatomy.mesh;
    let mut all = Densities::new();
    for (i, values) in body.overrides.iter().enumerate() {
        let Some(density) = values.density else { continue };
        let candidates = Candidates {
            what: if mesh.tets.is_empty() { "triangles" } else { "tetrahedra" },
            places: &bulk.centroids(&mesh.points),
            in_region: &|label| selection::labelled(mesh, label),
            regions: &selection::regions(mesh),
            bones: &anatomy.bones,
            all_among: &|vertices| elements_among(mesh, bulk.elements(), vertices),
        };
        let chosen = candidates.choose(&values.select, &at.key("override").index(i).key("select"))?;
        all.extend(chosen.into_iter().map(|e| (e, density)));
    }
    Ok(all)
}
