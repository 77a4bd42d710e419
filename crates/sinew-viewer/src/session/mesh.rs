//! The appearance of a variant, sent once: the scene event and the mesh message.

use super::event::{
    BodyEvent, Bounds, CameraEvent, ColliderEvent, FaceEvent, MaterialValue, SceneEvent, Units, Values,
};
use super::frame::shows_pressure;
use super::numbering::Numbering;
use super::rows::columns;
use super::sections::Writer;
use super::variant::Variant;
use glam::DVec3;
use sinew::contact::Shape;
use sinew::{Acceleration, Model, Solver};
use sinew_scene::build::BuiltScene;
use sinew_scene::format::MeshSource;
use sinew_scene::run::solid_of;

const MESH: u8 = 2;

/// The event before the mesh.
pub fn scene_event(variant: &Variant, name: &str, number: usize, count: usize) -> SceneEvent {
    let Variant { built, numbering, .. } = variant;
    let (scene, model) = (&built.scene, built.model());
    let bodies = model.bodies().iter().enumerate().map(|(k, body)| BodyEvent {
        name: body.name.clone(),
        rigid: body.rigid,
        triangles: numbering.surface(k).len(),
        springs: if body.surface.is_empty() { body.springs.len() } else { 0 },
        tetrahedra: body.tetrahedra.len(),
    });
    let colliders = model.colliders().iter().map(|collider| match collider.shape {
        Shape::HalfSpace => ColliderEvent::Plane {},
        ref shape => {
            let solid = solid_of(shape);
            ColliderEvent::Solid { points: solid.positions.len(), triangles: solid.triangles.len() }
        }
    });
    SceneEvent {
        variant: number,
        variants: count,
        label: variant.label.clone(),
        name: name.to_owned(),
        title: scene.title.clone(),
        description: scene.description.clone(),
        h: built.settings().h,
        set: variant.set.clone(),
        vertices: numbering.len(),
        seen: numbering.seen,
        elements: model.element_count(),
        bones: model.bone_count(),
        joints: model.joint_count(),
        size: model.size(),
        bodies: bodies.collect(),
        colliders: colliders.collect(),
        camera: scene.camera.as_ref().map(|c| CameraEvent { eye: c.eye, look_at: c.look_at, fov: c.fov }),
        ground: scene.render.ground,
        face: face(built),
        potentials: variant.meter.potentials().to_vec(),
        columns: columns(variant.meter.potentials()),
        units: Units {
            energy: "J/kg",
            stress: if shows_pressure(variant) { "Pa" } else { "N" },
            speed: "m/s",
            correction: "m",
        },
        values: values(variant),
        bounds: bounds(built),
    }
}

/// The first face: its muscles, and how fat it is.
fn face(built: &BuiltScene) -> Option<FaceEvent> {
    let muscles = built.motions.faces().next()?.muscles().map(str::to_owned).collect();
    let of = |(number, body): (usize, &sinew_scene::format::Body)| match &body.mesh {
        Some(MeshSource::Face(face)) => {
            let key = format!("body.{number}.mesh.face.fat");
            Some(MaterialValue { key, label: "fatness".to_owned(), value: face.fat })
        }
        _ => None,
    };
    let fat = built.scene.bodies.iter().enumerate().find_map(of)?;
    Some(FaceEvent { muscles, fat })
}

/// The current values.
pub fn values(variant: &Variant) -> Values {
    let built = &variant.built;
    let (scene, settings) = (&built.scene, built.settings());
    let (iterations, acceleration) = match settings.solver {
        Solver::Newton(budget) => (Some(budget.iterations), "none"),
        Solver::ProjectiveDynamics { budget, acceleration } => {
            let name = if acceleration == Acceleration::None { "none" } else { "lbfgs" };
            (Some(budget.iterations), name)
        }
        Solver::Xpbd { iterations } => (Some(iterations), "none"),
        _ => (None, "none"),
    };
    Values {
        integrator: scene.rule().to_string(),
        solver: scene.solver.kind.to_string(),
        iterations,
        acceleration,
        correction: scene.correction.kind.to_string(),
        h: settings.h,
        gravity: scene.gravity,
        ether: scene.damping.ether,
        rigid_preserving: scene.damping.rigid_preserving,
        materials: materials(variant),
    }
}

/// The stiffnesses that the scene names, each once, as keys that `set` accepts.
fn materials(variant: &Variant) -> Vec<MaterialValue> {
    let scene = &variant.built.scene;
    let mut found: Vec<MaterialValue> = Vec::new();
    // Thrown balls are not in the scene's text.
    let own = scene.bodies.len() - variant.changes.balls.len();
    for (number, body) in scene.bodies[..own].iter().enumerate().filter(|(_, body)| body.rigid.is_soft()) {
        let name = body.name.clone().unwrap_or_else(|| format!("body {number}"));
        for (word, called, own, shared) in [
            ("young", "Young’s modulus (Pa)", body.material.young, scene.material.young),
            ("mu", "shear modulus (Pa)", body.material.mu, scene.material.mu),
            ("stiffness", "stiffness of springs (N/m)", body.material.stiffness, scene.material.stiffness),
        ] {
            let (key, label, value) = match (own, shared) {
                (Some(value), _) => {
                    (format!("body.{number}.material.{word}"), format!("{name}: {called}"), value)
                }
                (None, Some(value)) => (format!("material.{word}"), format!("All: {called}"), value),
                (None, None) => continue,
            };
            if !found.iter().any(|material| material.key == key) {
                found.push(MaterialValue { key, label, value });
            }
        }
    }
    found
}

/// Bounds of the bodies at rest and in the initial state.
fn bounds(built: &BuiltScene) -> Bounds {
    let points = || built.model().rest().iter().chain(built.state.positions()).copied();
    let min = points().reduce(DVec3::min).unwrap_or(DVec3::splat(-0.5));
    let max = points().reduce(DVec3::max).unwrap_or(DVec3::splat(0.5));
    Bounds { min: min.to_array(), max: max.to_array() }
}

/// The mesh message of a variant.
pub fn mesh_message(model: &Model, numbering: &Numbering, number: usize) -> Vec<u8> {
    let mut writer = Writer::new(MESH, number, 0);
    let bodies = model.bodies();
    let triangles: Vec<[u32; 3]> =
        (0..bodies.len()).flat_map(|body| numbering.surface(body).iter().copied()).collect();
    let bare = bodies.iter().filter(|body| body.surface.is_empty());
    let springs: Vec<[u32; 2]> = bare.flat_map(|body| numbering.corners(&body.springs)).collect();
    let tetrahedra: Vec<[u32; 4]> =
        bodies.iter().flat_map(|body| numbering.corners(&body.tetrahedra)).collect();
    let attached: Vec<u32> = model.attached().iter().map(|&i| numbering.to_page(i)).collect();
    writer.section(20, &triangles);
    writer.section(21, &springs);
    writer.section(22, &tetrahedra);
    writer.section(23, &numbering.corners(&numbering.bone_triangles));
    writer.section(24, &pins(model, numbering));
    writer.section(25, &attached);
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for collider in model.colliders() {
        let solid = solid_of(&collider.shape);
        points.extend(solid.positions.iter().map(|p| p.as_vec3().to_array()));
        faces.extend_from_slice(&solid.triangles);
    }
    writer.section(26, &points);
    writer.section(27, &faces);
    if model.bone_count() > 0 {
        let bone_of = model.bone_of_vertices();
        // What several bones carry belongs to none.
        let bone = |place: usize| {
            let mut of = numbering.parts(place).map(|(i, _)| bone_of[i as usize]);
            let first = of.next().flatten();
            first.filter(|_| of.all(|other| other == first))
        };
        let bones: Vec<i32> =
            (0..numbering.len()).map(|place| bone(place).map_or(-1, |bone| bone as i32)).collect();
        writer.section(28, &bones);
    }
    writer.finish()
}

/// Vertices that are not free, in the page's numbering.
pub fn pins(model: &Model, numbering: &Numbering) -> Vec<u32> {
    let held = (0..model.vertex_count() as u32).filter(|&i| model.is_held(i as usize));
    let mut pins: Vec<u32> = held.map(|i| numbering.to_page(i)).collect();
    pins.sort_unstable();
    pins
}
