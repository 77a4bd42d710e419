//! Converts a body of a scene to a body of the engine, with its bones, pins, attachments and drags.

use super::anatomy::{Anatomy, Guide};
use super::collider::Course;
use super::contact;
use super::drag::DragCourse;
use super::elasticity::{self, Net, Solid};
use super::embedding::EmbeddedSurface;
use super::enclosed;
use super::face::{self, FaceCourse};
use super::figure::{self, FigureCourse};
use super::initial::{Centre, Start, centre_of_mass};
use super::mesh;
use super::motion::{self, Motions};
use super::refusal::body_name;
use super::selection;
use super::site::Site;
use super::skeleton::Skeleton;
use super::weight::{self, Weight, inline_of};
use crate::format::{Body, MeshSource, Scene, SceneError};
use glam::DVec3;
use sinew::{BoneId, ModelBuilder};
use std::path::Path;

/// Everything about a body, ready for the engine.
pub(super) struct Assembly<'a> {
    body: &'a Body,
    index: usize,
    name: String,
    anatomy: Anatomy,
    surface: Vec<[u32; 3]>,
    solid: Option<Solid>,
    net: Net,
    weight: Weight,
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
        let anatomy = Anatomy::new(body, folder, at)?;
        let mesh = &anatomy.mesh;
        let mut surface = match &anatomy.face {
            Some((face, _)) => face.surface.clone(),
            None => enclosed::surface_of(mesh),
        };
        let material = body.material.over(&scene.material);
        let name = body_name(scene, index);
        let mut start = start_of(body, &anatomy);
        if let Some(properties) = weight::whole(body, &material, mesh, &mut start, &mut surface, at)? {
            let (solid, net, weight) = (None, Net::default(), Weight::Whole(properties));
            return Ok(Self { body, index, name, anatomy, surface, solid, net, weight, start });
        }
        if anatomy.figure.is_some() {
            let (weight, net) = figure::substance(&anatomy.mesh);
            start.apply(&body.initial, Centre::Masses(weight.masses()));
            let solid = None;
            return Ok(Self { body, index, name, anatomy, surface, solid, net, weight, start });
        }
        let (solid, net) = if let Some((face, _)) = &anatomy.face {
            (Some(face::solid(face, body, &material, &anatomy, at)?), Net::default())
        } else if body.rigid.is_rigid() || anatomy.is_all_bone() {
            elasticity::rigid(mesh)
        } else {
            let law = elasticity::law(&material, mesh, at)?;
            let net = elasticity::net(law.is_none(), body, &material, &anatomy, at)?;
            (law.map(|law| elasticity::solid(law, body, &material, &anatomy, at)).transpose()?, net)
        };
        let weight = weight::of_parts(body, &material, &anatomy, at)?;
        start.apply(&body.initial, Centre::Masses(weight.masses()));
        Ok(Self { body, index, name, anatomy, surface, solid, net, weight, start })
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.anatomy.mesh.points.len()
    }

    /// Sentences about what was left out or changed while reading files.
    pub fn notes(&self) -> &[String] {
        &self.anatomy.notes
    }

    /// The finer surface that it carries, if the scene gives one or the mesh has one; `first` is the index of the body's first vertex in the model.
    pub fn carried(
        &self,
        first: usize,
        folder: &Path,
        at: &Site<'_>,
    ) -> Result<Option<EmbeddedSurface>, SceneError> {
        let mesh = &self.anatomy.mesh;
        let first = u32::try_from(first).map_err(|_| at.error("the scene has too many vertices"))?;
        let Some(given) = &self.body.surface else {
            if let Some((face, _)) = &self.anatomy.face {
                let mut look = face.body().look();
                look.anchors.iter_mut().flat_map(|(corners, _)| corners).for_each(|v| *v += first);
                return Ok(Some(look));
            }
            let carry = |skin: &crate::shapes::Net| {
                let own = skin.triangles.clone();
                let carried = EmbeddedSurface::new(&skin.points, own, &mesh.points, &mesh.tets, first);
                EmbeddedSurface { tints: skin.tints.clone(), ..carried }
            };
            return Ok(self.anatomy.skin.as_ref().map(carry));
        };
        let at = at.key("surface");
        if mesh.tets.is_empty() {
            return Err(at.error("a surface is carried by tetrahedra, and the mesh has none"));
        }
        let (surface, _) = mesh::read(&folder.join(&given.path), &at.key("path"))?;
        let frame = self.anatomy.frame.scaled(given.scale);
        let triangles = enclosed::surface_of(&surface);
        let points: Vec<DVec3> = surface.points.iter().map(|&p| frame.place(p)).collect();
        Ok(Some(EmbeddedSurface::new(&points, triangles, &mesh.points, &mesh.tets, first)))
    }

    /// Adds the body to the engine's model, then its bones, pins, attachments and drags.
    pub fn add_to(
        self,
        builder: &mut ModelBuilder,
        skeleton: &mut Skeleton,
        motions: &mut Motions,
        at: &Site<'_>,
    ) -> Result<(), SceneError> {
        let first = skeleton.vertices;
        skeleton.vertices += self.anatomy.mesh.points.len();
        skeleton.add_file(&self.anatomy.file);
        let pinned = self.pinned(at)?;
        let made = self.body();
        let Self { body, index, name, anatomy, surface, weight, start, .. } = &self;
        let mesh = &anatomy.mesh;
        if body.rigid.is_rigid() {
            let bone = skeleton.add_body(name, made, builder, at);
            if body.kinematic || !pinned.is_empty() {
                let guide = Guide { motion: body.motion.clone(), pivot: body.pivot };
                let centre = match weight {
                    Weight::Whole(properties) => properties.center,
                    _ => centre_of_mass(weight.masses(), &start.positions),
                };
                guide_bone(builder, motions, bone, &guide, centre);
            }
        } else {
            builder.body(made);
            let source = if body.joints.is_some() { at.key("joints") } else { at.key("mesh") };
            let mut ids = Vec::with_capacity(anatomy.bones.len());
            let held = |vertices: &[usize]| vertices.iter().all(|v| pinned.binary_search(v).is_ok());
            for own in &anatomy.bones {
                let vertices = own.vertices.iter().map(|v| first + v).collect();
                let written = body.bones.iter().position(|bone| bone.name == own.name);
                let described = written.map_or_else(|| source.clone(), |i| at.key("bone").index(i));
                let bone = skeleton.add_bone(name, &own.name, vertices, builder, &described);
                if own.kinematic || held(&own.vertices) {
                    let masses: Vec<f64> = own.vertices.iter().map(|&v| weight.masses()[v]).collect();
                    let places: Vec<DVec3> =
                        own.vertices.iter().map(|&v| start.placed.apply(mesh.points[v])).collect();
                    guide_bone(builder, motions, bone, &own.guide, centre_of_mass(&masses, &places));
                }
                ids.push(bone);
            }
            if let (Some(figure), Some(MeshSource::Figure(given))) = (&anatomy.figure, &body.mesh) {
                motions.add_figure(FigureCourse::new(given, figure.clone(), *index, start.placed, &ids));
            }
            if let (Some((face, _)), Some(&jaw)) = (&anatomy.face, ids.first()) {
                let numbers = (skeleton.muscles, jaw);
                skeleton.muscles += face.muscles.len();
                let at = at.key("expression");
                motions.add_face(FaceCourse::new(face, &body.expressions, numbers, &start.placed, &at)?);
            }
            skeleton.add_rig(name, &anatomy.joints, &ids, &start.placed, builder, &source);
            let owners = anatomy.owners();
            for vertex in pinned.into_iter().filter(|&v| owners[v].is_none()) {
                builder.pin(first + vertex);
            }
        }
        for (i, held) in body.attachments.iter().enumerate() {
            let at = at.key("attachment").index(i).key("select");
            for vertex in selection::vertices(mesh, &anatomy.bones, &held.select, &at)? {
                let base = held.point.map_or(start.positions[vertex], DVec3::from);
                let offset = held.motion.as_ref().map_or(DVec3::ZERO, |m| motion::displacement(m, 0.0));
                let attachment = builder.add_attachment(first + vertex, held.stiffness, Some(base + offset));
                if let Some(motion) = &held.motion {
                    motions.add_target(attachment, base, motion);
                }
            }
        }
        let drag = |(i, drag)| DragCourse::new(drag, (*index, i), surface, &start.positions, first);
        motions.drags.extend(body.drags.iter().enumerate().map(drag));
        Ok(())
    }

    /// The body of the engine, without pins and attachments.
    fn body(&self) -> sinew::Body {
        let Self { body, name, anatomy, surface, solid, net, weight, start, .. } = self;
        let mesh = &anatomy.mesh;
        // Rest positions define bones. Joints are given in the initial state, so bones also rest there; flesh is not affected.
        let rest = match anatomy.bones.is_empty() {
            true => mesh.points.clone(),
            false => mesh.points.iter().map(|p| start.placed.apply(*p)).collect(),
        };
        let mut made = sinew::Body::new(name.clone(), rest)
            .positions(start.positions.clone())
            .velocities(start.velocities.clone())
            .surface(surface.clone());
        if let Some((ends, radius)) = weight::round_of(body, mesh) {
            made = made.round(ends, radius);
        }
        if let Some(friction) = body.contact.friction {
            made = made.friction(contact::friction(friction));
        }
        if let Some(restitution) = body.contact.restitution {
            made = made.restitution(restitution);
        }
        let densities = match weight {
            Weight::Whole(properties) => {
                let given = |value: Option<[f64; 3]>| value.map_or(DVec3::ZERO, DVec3::from);
                return made
                    .mass_properties(*properties)
                    .rigid_velocity(given(body.initial.velocity), given(body.initial.spin));
            }
            Weight::Vertices(masses) => {
                made = made.masses(masses.clone());
                vec![0.0; mesh.tets.len()]
            }
            Weight::Filled { densities, .. } => densities.clone(),
        };
        if let (Some((face, fat)), Some(solid)) = (&anatomy.face, solid) {
            let made = made.masses(weight.masses().to_vec());
            return made.active_tetrahedra(face::flesh(face, *fat, solid));
        }
        if let Some(Solid { law, moduli }) = solid {
            made = made.graded_tetrahedra(mesh.tets.clone(), *law, moduli.clone(), densities);
        }
        if !net.ends.is_empty() {
            let lengths = Some(net.rest_lengths.clone());
            made = made.graded_springs(net.ends.clone(), net.law, net.stiffness.clone(), lengths);
        }
        made
    }

    /// The pinned vertices, ascending. Either all vertices of a bone are pinned or none.
    fn pinned(&self, at: &Site<'_>) -> Result<Vec<usize>, SceneError> {
        let anatomy = &self.anatomy;
        let mut by: Vec<Option<usize>> = vec![None; anatomy.mesh.points.len()];
        for (i, pin) in self.body.pins.iter().enumerate() {
            let at = at.key("pin").index(i).key("select");
            for vertex in selection::vertices(&anatomy.mesh, &anatomy.bones, &pin.select, &at)? {
                by[vertex] = Some(i);
            }
        }
        anatomy.held.iter().for_each(|&vertex| by[vertex] = Some(0));
        let partly = |vertices: &mut dyn Iterator<Item = usize>| {
            let (mut pin, mut held, mut all) = (None, 0, 0);
            for vertex in vertices {
                all += 1;
                held += usize::from(by[vertex].is_some());
                pin = pin.or(by[vertex]);
            }
            pin.filter(|_| held < all).map(|pin| (pin, held, all))
        };
        let refused = |(pin, held, all): (usize, usize, usize), what: &str, remedy: &str| {
            let message = format!("holds {held} of the {all} vertices of {what}; {remedy}");
            Err(at.key("pin").index(pin).key("select").error(message))
        };
        if self.body.rigid.is_rigid()
            && let Some(some) = partly(&mut (0..by.len()))
        {
            let remedy = "hold some of it by an attachment or a joint with the world, or all of it by `kinematic = true`";
            return refused(some, "a rigid body", remedy);
        }
        for bone in &anatomy.bones {
            if let Some(some) = partly(&mut bone.vertices.iter().copied()) {
                let remedy = format!("pin all of it (`select.bone = \"{}\"`), or none", bone.name);
                return refused(some, &format!("the bone `{}`", bone.name), &remedy);
            }
        }
        Ok((0..by.len()).filter(|&vertex| by[vertex].is_some()).collect())
    }
}

fn guide_bone(builder: &mut ModelBuilder, motions: &mut Motions, bone: BoneId, guide: &Guide, centre: DVec3) {
    builder.kinematic(bone);
    if let Some(motion) = &guide.motion {
        let pivot = guide.pivot.map_or(centre, DVec3::from);
        motions.add_bone(bone, Course::about(pivot, motion));
    }
}

/// The state of a body before `initial` applies.
fn start_of(body: &Body, anatomy: &Anatomy) -> Start {
    let points = &anatomy.mesh.points;
    let vectors = |list: &Vec<[f64; 3]>| list.iter().map(|&p| DVec3::from(p)).collect();
    let positions = inline_of(body).and_then(|inline| inline.positions.as_ref()).map(vectors);
    let velocities = inline_of(body).and_then(|inline| inline.velocities.as_ref()).map(vectors);
    Start::new(
        positions.unwrap_or_else(|| points.clone()),
        velocities.unwrap_or_else(|| vec![DVec3::ZERO; points.len()]),
    )
}
