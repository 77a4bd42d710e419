//! One body of a scene becomes one body of the engine, with its pins, attachments and hands.

use super::elasticity::{self, Net, Solid};
use super::hand::Hand;
use super::inertia::{self, Bulk, Densities};
use super::initial::Start;
use super::mesh;
use super::motion::{self, Motions};
use super::refusal::body_name;
use super::selection::{self, Candidates};
use super::site::Site;
use crate::format::{Body, MeshSource, Scene, SceneError};
use crate::mesh_data::MeshData;
use glam::DVec3;
use sinew::ModelBuilder;
use std::path::Path;

/// Everything about a body, ready for the engine.
pub(super) struct Assembly<'a> {
    body: &'a Body,
    index: usize,
    name: String,
    mesh: MeshData,
    solid: Option<Solid>,
    net: Net,
    masses: Vec<f64>,
    start: Start,
}

impl<'a> Assembly<'a> {
    pub fn new(
        body: &'a Body,
        index: usize,
        scene: &Scene,
        folder: &Path,
        at: &Site<'_>,
    ) -> Result<Self, SceneError> {
        let mesh = mesh::load(&body.mesh, folder, &at.key("mesh"))?;
        let material = body.material.over(&scene.material);
        let (solid, net) = if body.rigid {
            elasticity::rigid(&mesh)
        } else {
            let law = elasticity::law(&material, &mesh, at)?;
            let net = elasticity::net(law.is_none(), body, &material, &mesh, at)?;
            (law.map(|law| elasticity::solid(law, body, &material, &mesh, at)).transpose()?, net)
        };

        let inline = match &body.mesh {
            MeshSource::Inline(inline) => Some(inline),
            _ => None,
        };
        let masses = match inline.and_then(|inline| inline.masses.clone()) {
            Some(masses) => masses,
            None => {
                let bulk = Bulk::of(&mesh);
                let own = densities(body, &mesh, &bulk, at)?;
                inertia::masses(&mesh, &bulk, &material, &own, &at.key("material"))?
            }
        };
        let vectors = |list: &Vec<[f64; 3]>| list.iter().map(|&p| DVec3::from(p)).collect();
        let positions = inline.and_then(|inline| inline.positions.as_ref()).map(vectors);
        let velocities = inline.and_then(|inline| inline.velocities.as_ref()).map(vectors);
        let mut start = Start {
            velocities: velocities.unwrap_or_else(|| vec![DVec3::ZERO; mesh.points.len()]),
            positions: positions.unwrap_or_else(|| mesh.points.clone()),
        };
        start.apply(&body.initial, &masses);
        Ok(Self { body, index, name: body_name(scene, index), mesh, solid, net, masses, start })
    }

    /// Gives the body to the engine, then its pins, attachments and hands.
    pub fn add_to(
        self,
        builder: &mut ModelBuilder,
        motions: &mut Motions,
        at: &Site<'_>,
    ) -> Result<(), SceneError> {
        let Self { body, index, name, mesh, solid, net, masses, start } = self;
        let mut made = sinew::Body::new(name, mesh.points.clone())
            .masses(masses)
            .positions(start.positions.clone())
            .velocities(start.velocities);
        // The triangles of a cloth are its surface; those of a solid are its boundary, whatever the file says.
        let surface =
            if mesh.tets.is_empty() { mesh.triangles.clone() } else { sinew::boundary_triangles(&mesh.tets) };
        made = made.surface(surface.clone());
        if body.rigid {
            made = made.rigid();
        }
        if let Some(Solid { law, moduli }) = solid {
            // The masses above already hold what the density gives.
            let density = vec![0.0; moduli.len()];
            made = made.graded_tetrahedra(mesh.tets.clone(), law, moduli, density);
        }
        if !net.ends.is_empty() {
            made = made.graded_springs(net.ends, net.law, net.stiffness, Some(net.rest_lengths));
        }
        let first = builder.body(made).start;

        for (i, pin) in body.pins.iter().enumerate() {
            let at = at.key("pin").index(i).key("select");
            for vertex in selection::vertices(&mesh, &pin.select, &at)? {
                builder.pin(first + vertex);
            }
        }
        for (i, held) in body.attachments.iter().enumerate() {
            let at = at.key("attachment").index(i).key("select");
            for vertex in selection::vertices(&mesh, &held.select, &at)? {
                let base = held.point.map_or(start.positions[vertex], DVec3::from);
                let offset = held.motion.as_ref().map_or(DVec3::ZERO, |m| motion::displacement(m, 0.0));
                let attachment = builder.attach(first + vertex, held.stiffness, Some(base + offset));
                if let Some(motion) = &held.motion {
                    motions.add_target(attachment, base, motion);
                }
            }
        }
        let hand = |(i, drag)| Hand::new(drag, (index, i), &surface, &start.positions, first);
        motions.hands.extend(body.drags.iter().enumerate().map(hand));
        Ok(())
    }
}

/// The densities that overrides give to single elements.
fn densities(body: &Body, mesh: &MeshData, bulk: &Bulk, at: &Site<'_>) -> Result<Densities, SceneError> {
    let mut all = Densities::new();
    for (i, values) in body.overrides.iter().enumerate() {
        let Some(density) = values.density else { continue };
        let candidates = Candidates {
            what: if mesh.tets.is_empty() { "triangles" } else { "tetrahedra" },
            places: &bulk.centroids(&mesh.points),
            in_region: &|label| selection::labelled(mesh, label),
            regions: &selection::regions(mesh),
        };
        let chosen = candidates.choose(&values.select, &at.key("override").index(i).key("select"))?;
        all.extend(chosen.into_iter().map(|e| (e, density)));
    }
    Ok(all)
}
