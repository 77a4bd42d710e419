//! A random scene: bodies, what holds them, what acts on them.

use crate::bodies::{Part, random_body};
use crate::random::Random;
use crate::skeletons::random_bones;
use sinew::contact::{Collider, ContactLaw, Friction, Shape};
use sinew::{AttachmentId, Body, BoneId, ColliderId, DVec3, Model, ModelBuilder, Placement, State};
use std::sync::Arc;

/// Features that `SINEW_SOAK_WITHOUT` can name, separated by spaces: to find out what a failing case needs in order to fail.
pub const LEFT_OUT: &str = "SINEW_SOAK_WITHOUT";

/// A scene on its way.
pub struct Sketch {
    pub builder: ModelBuilder,
    /// Kinematic bones, and about how far each moves in a step, m.
    pub kinematic: Vec<(BoneId, f64)>,
    parts: Vec<Placed>,
    stiffest: f64,
    /// Extent of the largest body, m.
    size: f64,
    left_out: String,
}

/// What is remembered of a body in a scene.
struct Placed {
    first: usize,
    x: Vec<DVec3>,
    surface: Vec<[u32; 3]>,
    size: f64,
    stiffness: f64,
    rigid: bool,
}

impl Sketch {
    /// Whether a feature is left out on purpose.
    pub fn without(&self, feature: &str) -> bool {
        self.left_out.split_whitespace().any(|name| name == feature)
    }

    /// Adds a body; returns the number of its first vertex.
    pub fn add(&mut self, part: Part) -> usize {
        let first = self.remember(&part, false);
        self.builder.body(part.finish());
        first
    }

    /// Adds a body as a rigid one.
    pub fn add_rigid(&mut self, part: Part) -> BoneId {
        self.remember(&part, true);
        self.builder.add_rigid(part.finish())
    }

    /// Adds a rigid body without vertices.
    pub fn add_ghost(&mut self, body: Body, size: f64) -> BoneId {
        self.size = self.size.max(size);
        self.builder.add_rigid(body)
    }

    fn remember(&mut self, part: &Part, rigid: bool) -> usize {
        let first = self.builder.vertex_count();
        self.stiffest += part.stiffest;
        self.size = self.size.max(2.0 * part.size);
        self.parts.push(Placed {
            first,
            x: part.x.clone(),
            surface: part.surface.clone(),
            size: part.size,
            stiffness: part.stiffness,
            rigid,
        });
        first
    }
}

/// A scene: a model, and what the user can do to it.
pub struct Scene {
    pub model: Arc<Model>,
    /// Attachments, and about how far each moves in a step, m.
    pub attachments: Vec<(AttachmentId, f64)>,
    pub kinematic: Vec<(BoneId, f64)>,
    pub colliders: Vec<(ColliderId, f64)>,
    /// Triangles that can be grabbed, and a stiffness for each, N/m.
    pub grabbable: Vec<([u32; 3], f64)>,
    /// Mass of everything times gravity times size, J.
    pub weight: f64,
    /// About the trace of the matrix L of Projective Dynamics, N/m.
    pub stiffest: f64,
    pub size: f64,
}

/// The scene of a case, or why the model was refused. Every step of a scene with contact is verified, unless surfaces cross where it starts.
pub fn random_scene(case: u64, contact: bool) -> Result<Scene, String> {
    let scene = draw(case, contact, true)?;
    let tangled = contact && State::new(&scene.model).crossings(&scene.model) > 0;
    if tangled { draw(case, contact, false) } else { Ok(scene) }
}

fn draw(case: u64, contact: bool, verify: bool) -> Result<Scene, String> {
    let left_out = std::env::var(LEFT_OUT).unwrap_or_default();
    let (builder, kinematic, parts) = (Model::builder(), Vec::new(), Vec::new());
    let mut sketch = Sketch { builder, kinematic, parts, stiffest: 0.0, size: 0.0, left_out };
    let mut r = Random::of(case, "bodies");
    let (large, far) = (r.chance(0.02), r.chance(0.1));
    let bones = r.chance(0.3) && !sketch.without("bones");
    // Bodies of one scene are close to each other, but not always to the origin.
    let origin = if far { r.direction() * r.decades(1.0, 3.0) } else { DVec3::ZERO };
    for k in 0..if large { 1 } else { r.pick(&[1, 1, 2, 3]) } {
        // Each body draws its own numbers, so that one can be left out.
        let mut own = Random::of(case, &format!("body {k}"));
        let place = origin + own.vector(2.0);
        let skeletal = bones && k == 0;
        if !skeletal && !sketch.without(&format!("body-{k}")) {
            let part = random_body(&mut own, format!("body {k}"), place, large);
            sketch.add(part);
        }
    }
    if bones {
        random_bones(&mut Random::of(case, "bones"), &mut sketch, origin);
    }
    let attachments = hold(&mut Random::of(case, "holds"), &mut sketch);
    let gravity = surround(&mut Random::of(case, "surroundings"), &mut sketch);
    let colliders = if contact {
        collide(&mut Random::of(case, "contact"), &mut sketch, origin, verify)
    } else {
        Vec::new()
    };
    let grabbable = grabbable(&sketch);
    let model = sketch.builder.build().map_err(|error| error.to_string())?;
    let bones = (0..model.bone_count()).filter_map(|k| model.bone_mass(BoneId(k)));
    let mass: f64 = model.masses().iter().copied().chain(bones).sum();
    let Sketch { kinematic, stiffest, size, .. } = sketch;
    let (model, weight) = (Arc::new(model), mass * gravity * size);
    Ok(Scene { model, attachments, kinematic, colliders, grabbable, weight, stiffest, size })
}

/// Pins and attachments.
fn hold(r: &mut Random, sketch: &mut Sketch) -> Vec<(AttachmentId, f64)> {
    let mut attachments = Vec::new();
    for k in 0..sketch.parts.len() {
        let Placed { first, ref x, size, stiffness, rigid, .. } = sketch.parts[k];
        let vertex = first + r.index(x.len());
        let kind = r.index(5);
        let factor = r.decades(-2.0, 3.0);
        let target = r.chance(0.3).then(|| x[0] + r.vector(size));
        // A vertex of a bone cannot be pinned, and a body must have something that moves.
        if kind == 0 && !rigid && x.len() > 3 && vertex > first + 2 && !sketch.without("pins") {
            sketch.builder.pin(vertex);
        }
        if kind == 1 && !sketch.without("attachments") {
            let id = sketch.builder.add_attachment(vertex, stiffness * factor, target);
            attachments.push((id, size));
        }
    }
    attachments
}

/// Gravity and air; returns the strength of gravity.
fn surround(r: &mut Random, sketch: &mut Sketch) -> f64 {
    let (gravity, air) = (r.pick(&[0.0, 9.81, 9.81, 100.0]), r.chance(0.15));
    let gravity = if sketch.without("gravity") { 0.0 } else { gravity };
    sketch.builder.gravity(r.direction() * gravity);
    let density = r.decades(-1.0, 1.0);
    if air && !sketch.without("wind") {
        sketch.builder.air(density);
    }
    if !sketch.without("grabs") {
        sketch.builder.grabs();
    }
    gravity
}

fn collide(r: &mut Random, sketch: &mut Sketch, origin: DVec3, verify: bool) -> Vec<(ColliderId, f64)> {
    let friction = |r: &mut Random| {
        let sticking = r.pick(&[0.0, 0.3, 1.0, 10.0]);
        Friction { sticking, sliding: sticking * r.unit() }
    };
    let law = ContactLaw {
        friction: friction(r),
        restitution: r.pick(&[0.0, 0.5, 1.0]),
        bodies: r.chance(0.7),
        own: r.chance(0.3),
        verify,
        ..ContactLaw::default()
    };
    sketch.builder.contact(law);
    let mut colliders = Vec::new();
    for k in 0..r.index(3) {
        let size = r.pick(&[0.1, 1.0, 3.0]);
        let shape = match r.index(5) {
            0 | 1 => Shape::HalfSpace,
            2 => Shape::Sphere { radius: size },
            3 => Shape::Cuboid { half: DVec3::new(1.0, r.unit() + 0.01, 1.0) * size },
            _ => Shape::Capsule { half_length: size, radius: 0.3 * size },
        };
        let at = Placement { rotation: r.rotation(3.0), translation: origin + r.vector(2.0) };
        let collider = Collider::new(format!("collider {k}"), shape).at(at);
        colliders.push((sketch.builder.add_collider(collider), size));
    }
    colliders
}

/// A triangle of each body, or one of its vertices three times.
fn grabbable(sketch: &Sketch) -> Vec<([u32; 3], f64)> {
    let corners = |part: &Placed| part.surface.first().map_or([0; 3], |t| *t).map(|i| i + part.first as u32);
    sketch.parts.iter().map(|part| (corners(part), part.stiffness)).collect()
}
