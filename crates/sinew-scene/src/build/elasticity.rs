//! Resolves materials: which law applies to which element, with which constants.

use super::anatomy::Anatomy;
use super::selection::{Candidates, elements_among, labelled, regions, touched};
use super::site::Site;
use crate::format::{Body, ElementOverride, InlineMesh, Material, MaterialKind, MeshSource, SceneError};
use crate::mesh_data::{MeshData, SpringEdge, SpringFamily};
use crate::models;
use glam::DVec3;
use sinew::{Constitutive, Lame, SpringLaw};

/// The tetrahedra of a body.
pub(super) struct Solid {
    pub law: Constitutive,
    /// Moduli, #T.
    pub moduli: Vec<Lame>,
}

/// A rigid body needs no moduli; its tetrahedra give its volume.
pub(super) fn rigid(mesh: &MeshData) -> (Option<Solid>, Net) {
    let moduli = vec![Lame { mu: 1.0, lambda: 0.0 }; mesh.tets.len()];
    let solid = (!mesh.tets.is_empty()).then_some(Solid { law: Constitutive::Arap, moduli });
    (solid, Net::default())
}

/// The springs of a body, without those of stiffness zero.
#[derive(Default)]
pub(super) struct Net {
    pub law: SpringLaw,
    pub ends: Vec<[u32; 2]>,
    /// Stiffness of each spring, N/m, #S.
    pub stiffness: Vec<f64>,
    /// Rest length of each spring, m, #S.
    pub rest_lengths: Vec<f64>,
}

/// The law of the tetrahedra, or `None` if the body consists of springs alone.
pub(super) fn law(
    material: &Material,
    mesh: &MeshData,
    at: &Site<'_>,
) -> Result<Option<Constitutive>, SceneError> {
    let fallback = if mesh.tets.is_empty() { MaterialKind::Springs } else { MaterialKind::Corotated };
    let kind = material.kind.unwrap_or(fallback);
    let law = match kind {
        MaterialKind::Springs => return Ok(None),
        MaterialKind::Corotated => Constitutive::Corotated,
        MaterialKind::Arap => Constitutive::Arap,
        MaterialKind::Stvk => Constitutive::StVenantKirchhoff,
        MaterialKind::NeoHookean => Constitutive::NeoHookean,
    };
    if mesh.tets.is_empty() {
        let message = format!("`{kind}` fills tetrahedra, and this body has none; use `springs`");
        return Err(at.key("material.kind").error(message));
    }
    Ok(Some(law))
}

/// Moduli of every tetrahedron.
pub(super) fn solid(
    law: Constitutive,
    body: &Body,
    material: &Material,
    anatomy: &Anatomy,
    at: &Site<'_>,
) -> Result<Solid, SceneError> {
    let mesh = &anatomy.mesh;
    // Named values of an override replace the material's, as those of a body replace the scene's.
    let given = |o: &ElementOverride| Material {
        young: o.young,
        poisson: o.poisson,
        mu: o.mu,
        lambda: o.lambda,
        ..Material::default()
    };
    // What the scene leaves open may come with the mesh, for each tetrahedron its own.
    let own = |tet: usize| match &anatomy.materials {
        Some(file) => file.elasticity(material, tet, &at.key("material")),
        None => Ok(material.clone()),
    };
    let mut all = match &anatomy.materials {
        Some(_) => (0..mesh.tets.len())
            .map(|tet| lame(law, &own(tet)?, &at.key("material")))
            .collect::<Result<Vec<_>, _>>()?,
        None => vec![lame(law, material, &at.key("material"))?; mesh.tets.len()],
    };
    let places: Vec<DVec3> =
        mesh.tets.iter().map(|t| t.iter().map(|&v| mesh.points[v as usize]).sum::<DVec3>() / 4.0).collect();
    for (i, values) in body.overrides.iter().enumerate() {
        let at = at.key("override").index(i);
        if values.stiffness.is_some() && mesh.springs.is_empty() {
            return Err(at.key("stiffness").error("has no effect: the body has no springs"));
        }
        if given(values) == Material::default() {
            continue;
        }
        let candidates = Candidates {
            what: "tetrahedra",
            places: &places,
            in_region: &|label| labelled(mesh, label),
            regions: &regions(mesh),
            bones: &anatomy.bones,
            all_among: &|vertices| elements_among(mesh, mesh.tets.iter().map(<[u32; 4]>::as_slice), vertices),
        };
        for e in candidates.choose(&values.select, &at.key("select"))? {
            all[e] = lame(law, &given(values).over(&own(e)?), &at)?;
        }
    }
    Ok(Solid { law, moduli: all })
}

/// The moduli of a material; `at` is the table in which a missing value should be.
fn lame(law: Constitutive, material: &Material, at: &Site<'_>) -> Result<Lame, SceneError> {
    let missing = |key: &str, what: &str| {
        let message = format!("is missing: a solid needs {what} (or the Lamé parameters `mu` and `lambda`)");
        Err(at.key(key).error(message))
    };
    // As-rigid-as-possible elasticity has only the shear part.
    let lambda = material.lambda.or((law == Constitutive::Arap).then_some(0.0));
    match (material.young, material.poisson, material.mu, lambda) {
        (_, _, Some(mu), Some(lambda)) => Ok(Lame { mu, lambda }),
        (_, _, Some(_), None) => Err(at.key("lambda").error("is missing: `mu` also needs it")),
        (Some(young), Some(poisson), ..) => {
            Lame::from_young(young, poisson).map_err(|error| at.error(error.to_string()))
        }
        (Some(_), None, ..) => missing("poisson", "Poisson's ratio `poisson` beside `young`"),
        _ => missing("young", "Young's modulus `young` in Pa and Poisson's ratio `poisson`"),
    }
}

/// Springs of the body: those of the mesh, and, if the material is springs, the edges of its elements.
pub(super) fn net(
    springs_only: bool,
    body: &Body,
    material: &Material,
    anatomy: &Anatomy,
    at: &Site<'_>,
) -> Result<Net, SceneError> {
    let mesh = &anatomy.mesh;
    let mut springs = mesh.springs.clone();
    if springs_only && !mesh.tets.is_empty() {
        springs.extend(models::tet_edges(&mesh.tets));
    } else if springs_only && springs.is_empty() {
        let made = models::surface_springs(&mesh.points, &mesh.triangles);
        springs = made.map_err(|error| at.key("mesh").error(error.to_string()))?;
    }
    let inline = match &body.mesh {
        Some(MeshSource::Inline(inline)) => Some(inline),
        _ => None,
    };
    let mut stiffness = Vec::with_capacity(springs.len());
    for (i, spring) in springs.iter().enumerate() {
        let own = inline.and_then(|mesh| mesh.stiffnesses.as_ref()).and_then(|list| list.get(i).copied());
        stiffness.push(match own {
            Some(own) => own,
            None => family_stiffness(material, spring.family, at)?,
        });
    }
    if springs_only {
        override_stiffness(body, anatomy, &springs, &mut stiffness, at)?;
    }
    let law = match material.law.unwrap_or_default() {
        crate::format::SpringLaw::Hookean => SpringLaw::Hookean,
        crate::format::SpringLaw::Squared => SpringLaw::Squared,
    };
    let mut net = Net { law, ..Net::default() };
    for (i, (spring, k)) in springs.iter().zip(stiffness).enumerate() {
        // A spring of stiffness zero is left out.
        if k > 0.0 {
            net.ends.push([spring.a, spring.b]);
            net.stiffness.push(k);
            net.rest_lengths.push(rest_length(inline, i, spring, mesh));
        }
    }
    Ok(net)
}

fn rest_length(inline: Option<&InlineMesh>, index: usize, spring: &SpringEdge, mesh: &MeshData) -> f64 {
    let own = inline.and_then(|mesh| mesh.rest_lengths.as_ref()).and_then(|list| list.get(index).copied());
    own.unwrap_or_else(|| mesh.points[spring.a as usize].distance(mesh.points[spring.b as usize]))
}

fn family_stiffness(material: &Material, family: SpringFamily, at: &Site<'_>) -> Result<f64, SceneError> {
    let own = match family {
        SpringFamily::Structural => None,
        SpringFamily::Shear => material.shear_stiffness,
        SpringFamily::Bend => material.bend_stiffness,
    };
    own.or(material.stiffness)
        .ok_or_else(|| at.key("material.stiffness").error("is missing: springs need a stiffness in N/m"))
}

fn override_stiffness(
    body: &Body,
    anatomy: &Anatomy,
    springs: &[SpringEdge],
    stiffness: &mut [f64],
    at: &Site<'_>,
) -> Result<(), SceneError> {
    let mesh = &anatomy.mesh;
    let middle = |s: &SpringEdge| mesh.points[s.a as usize].midpoint(mesh.points[s.b as usize]);
    let places: Vec<DVec3> = springs.iter().map(middle).collect();
    for (i, values) in body.overrides.iter().enumerate() {
        let at = at.key("override").index(i);
        let solid = [
            ("young", values.young),
            ("poisson", values.poisson),
            ("mu", values.mu),
            ("lambda", values.lambda),
        ];
        if let Some((key, _)) = solid.iter().find(|(_, value)| value.is_some()) {
            return Err(at.key(key).error("has no effect: the body is made of springs; give `stiffness`"));
        }
        let Some(own) = values.stiffness else { continue };
        let candidates = Candidates {
            what: "springs",
            places: &places,
            in_region: &|label| {
                let touched = touched(mesh, label);
                let inside = |vertex: u32| touched[vertex as usize];
                springs.iter().map(|s| inside(s.a) && inside(s.b)).collect()
            },
            regions: &regions(mesh),
            bones: &anatomy.bones,
            all_among: &|vertices| {
                let ends: Vec<[u32; 2]> = springs.iter().map(|s| [s.a, s.b]).collect();
                elements_among(mesh, ends.iter().map(<[u32; 2]>::as_slice), vertices)
            },
        };
        for s in candidates.choose(&values.select, &at.key("select"))? {
            stiffness[s] = own;
        }
    }
    Ok(())
}
