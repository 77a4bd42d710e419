//! The two bodies that all simulators simulate, at a given stiffness, and their export as text.
//!
//! ```text
//! sinew-body 1
//! h 0.0333…            s; then gravity, frames, factor and, for solids, young, poisson, density; with a sphere to fall on its radius sphere,
//!                      sphere_x, sphere_y, sphere_z, friction, thickness (contact distance), self (1 if the body collides with itself)
//! vertices 3721        x y z mass, a row each; y is up
//! pins 4               vertices that never move
//! springs 18118        a b stiffness
//! triangles 7200       the surface
//! tetrahedra 0         a b c d
//! ```

use crate::error::BenchError;
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::builtin;
use sinew_scene::format::{ColliderShape, Material, MeshSource, Override, parse};
use sinew_scene::mesh_data::{MeshData, SpringFamily};
use sinew_scene::models;
use std::fmt::Write;
use std::path::Path;

/// The two scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// A cloth of springs, pinned at its corners.
    Cloth,
    /// A bar of tetrahedra, pinned at one end.
    Bar,
}

impl Scene {
    /// Name of the shipped scene.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cloth => "peers-cloth",
            Self::Bar => "peers-bar",
        }
    }

    /// The keys that a stiffness factor multiplies, with the shipped values.
    fn stiffness(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Cloth => &[("material.stiffness", 500.0), ("material.bend_stiffness", 10.0)],
            Self::Bar => &[("material.young", 1e6)],
        }
    }
}

/// A scene at a stiffness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject {
    /// Which body.
    pub scene: Scene,
    /// Factor of the shipped stiffness.
    pub factor: f64,
    /// Frames to simulate.
    pub frames: usize,
}

impl Subject {
    /// Builds it.
    pub fn build(&self) -> Result<BuiltScene, BenchError> {
        let name = self.scene.name();
        let refuse = |error| BenchError::CannotRun(format!("{name}: {error}"));
        let scene =
            builtin::find(name).ok_or_else(|| BenchError::CannotRun(format!("there is no scene {name}")))?;
        let set =
            self.scene.stiffness().iter().map(|(key, value)| format!("{key}={:e}", value * self.factor));
        let overrides =
            set.map(|text| Override::parse(&text)).collect::<Result<Vec<_>, _>>().map_err(refuse)?;
        build(&parse(scene.text, name, &overrides).map_err(refuse)?, Path::new("")).map_err(refuse)
    }

    /// The body as text for the rivals.
    pub fn export(&self, built: &BuiltScene) -> Result<String, BenchError> {
        export(built, self.frames, self.factor)
    }
}

/// The first body of a scene as text for the rivals: masses and pins are the engine's, springs and tetrahedra those of the scene's mesh.
pub fn export(built: &BuiltScene, frames: usize, factor: f64) -> Result<String, BenchError> {
    let scene = &built.scene;
    let body = scene.bodies.first().ok_or_else(|| BenchError::CannotRun("the scene has no body".into()))?;
    let material = body.material.over(&scene.material);
    let source = body.mesh.as_ref();
    let mesh = mesh(source.ok_or_else(|| BenchError::CannotRun("the body has no mesh".into()))?)?;
    let (model, x) = (built.model(), built.state.positions());

    let mut text = String::from("sinew-body 1\n");
    let mut scalar = |name: &str, value: Option<f64>| {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} {value:?}");
        }
    };
    scalar("h", Some(scene.h));
    scalar("gravity", Some(-scene.gravity[1]));
    scalar("frames", Some(frames as f64));
    scalar("factor", Some(factor));
    scalar("young", material.young);
    scalar("poisson", material.poisson);
    scalar("density", material.density);
    let sphere = scene.colliders.iter().find_map(|collider| match &collider.shape {
        ColliderShape::Sphere(sphere) => Some((sphere.radius, collider)),
        _ => None,
    });
    if let Some((radius, collider)) = sphere {
        scalar("sphere", Some(radius));
        for (name, place) in ["sphere_x", "sphere_y", "sphere_z"].into_iter().zip(collider.position) {
            scalar(name, Some(place));
        }
        let law = scene.contact.clone().unwrap_or_default();
        scalar("friction", Some(law.friction.sliding));
        scalar("thickness", law.thickness);
        scalar("self", Some(f64::from(law.own)));
    }
    let mut section = |name: &str, rows: Vec<String>| {
        let _ = writeln!(text, "{name} {}", rows.len());
        for row in rows {
            let _ = writeln!(text, "{row}");
        }
    };
    let vertex = |(p, m): (&glam::DVec3, &f64)| format!("{:?} {:?} {:?} {m:?}", p.x, p.y, p.z);
    section("vertices", x.iter().zip(model.masses()).map(vertex).collect());
    section("pins", (0..x.len()).filter(|&i| model.is_held(i)).map(|i| i.to_string()).collect());
    let spring = |s: &sinew_scene::mesh_data::SpringEdge| {
        format!("{} {} {:?}", s.a, s.b, stiffness(&material, s.family))
    };
    section("springs", mesh.springs.iter().map(spring).collect());
    let surface = model.bodies().first().map_or(&[][..], |body| &body.surface);
    section("triangles", surface.iter().map(|[a, b, c]| format!("{a} {b} {c}")).collect());
    section("tetrahedra", mesh.tets.iter().map(|[a, b, c, d]| format!("{a} {b} {c} {d}")).collect());
    Ok(text)
}

fn stiffness(material: &Material, family: SpringFamily) -> f64 {
    let own = match family {
        SpringFamily::Structural => None,
        SpringFamily::Shear => material.shear_stiffness,
        SpringFamily::Bend => material.bend_stiffness,
    };
    own.or(material.stiffness).unwrap_or_default()
}

/// The mesh that the scene's body was built from.
fn mesh(source: &MeshSource) -> Result<MeshData, BenchError> {
    sinew_scene::build::mesh_of(source)
        .map_err(|error: models::ModelError| BenchError::CannotRun(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(scene: Scene) -> (BuiltScene, String) {
        let subject = Subject { scene, factor: 10.0, frames: 5 };
        let built = subject.build().unwrap();
        let text = subject.export(&built).unwrap();
        (built, text)
    }

    #[test]
    fn the_cloth_has_the_masses_springs_and_pins_of_the_benchmark() {
        let (built, text) = sections(Scene::Cloth);
        for line in
            ["vertices 3721", "pins 4", "springs 18118", "triangles 7200", "tetrahedra 0", "factor 10.0"]
        {
            assert!(text.lines().any(|l| l == line), "{line}");
        }
        assert!((built.model().masses().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let ends = |k: &str| text.lines().filter(|l| l.ends_with(k)).count();
        assert_eq!((ends(" 5000.0"), ends(" 100.0")), (7320 + 3600, 7198));
    }

    #[test]
    fn the_bar_has_the_tetrahedra_and_moduli_of_the_benchmark() {
        let (built, text) = sections(Scene::Bar);
        for line in
            ["vertices 5000", "pins 100", "springs 0", "tetrahedra 19845", "young 10000000.0", "poisson 0.3"]
        {
            assert!(text.lines().any(|l| l == line), "{line}");
        }
        let volume = 1.96 * 0.36 * 0.36;
        assert!((built.model().masses().iter().sum::<f64>() - 1000.0 * volume).abs() < 1e-9);
    }
}
