//! The scenes of this benchmark: two shipped ones, a solid on a floor, and a cloth on a sphere.

use crate::error::BenchError;
use glam::DVec3;
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::builtin;
use sinew_scene::format::{Override, ParsedScene, parse};
use std::path::{Path, PathBuf};

/// The environment variable that names a folder of real meshes, and the one that is wanted there: a bunny of 7,356 tetrahedra.
const DATA: &str = "SINEW_DATA";
const BUNNY: &str = "tet/uipc_bunny0.msh";

/// Layers of the ball that stands in for it: 20 · 7³ = 6,860 tetrahedra; and of a quick run.
const LAYERS: usize = 7;
const QUICK_LAYERS: usize = 3;

/// Distance between a solid and the floor at first, m.
const ABOVE: f64 = 0.02;

/// A scene to build, once with and once without contact.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Name in tables.
    pub name: String,
    parsed: ParsedScene,
}

impl Recipe {
    /// A shipped scene, with some keys changed.
    pub fn shipped(scene: &str, name: &str, set: &[&str]) -> Result<Self, BenchError> {
        let found = builtin::find(scene)
            .ok_or_else(|| BenchError::CannotRun(format!("there is no scene {scene}")))?;
        Self::of(found.text, name, set)
    }

    /// A solid that lands on a floor: the bunny of `SINEW_DATA`, or a ball of about as many tetrahedra.
    pub fn solid(quick: bool) -> Result<Self, BenchError> {
        let bunny = std::env::var_os(DATA).map(|folder| PathBuf::from(folder).join(BUNNY));
        let layers = if quick { QUICK_LAYERS } else { LAYERS };
        let (name, mesh) = match bunny.filter(|path| path.is_file() && !quick) {
            Some(path) => {
                // Strings of TOML are escaped as those of JSON are.
                let path = serde_json::Value::String(path.display().to_string());
                ("bunny on a floor", format!("file = {{ path = {path}, center = true }}"))
            }
            None => ("ball on a floor", format!("ball = {{ radius = 0.4, cells = {} }}", 2 * layers)),
        };
        let text = |floor: f64| {
            format!(
                "frames = 120\nh = \"1/60\"\ngravity = [0, -9.81, 0]\ncorrection.kind = \"fepr\"\n\
                 [contact]\nfriction = 0.4\nrestitution = 0.3\n\
                 [material]\nyoung = 1e5\npoisson = 0.4\ndensity = 1000\n\
                 [[body]]\nname = \"solid\"\nmesh.{mesh}\ninitial.velocity = [0, -1, 0]\n\
                 [[collider]]\nname = \"floor\"\nshape.plane = {{}}\nposition = [0, {floor:?}, 0]\n"
            )
        };
        // How low it reaches is known when it is built.
        let lowest = Self::of(&text(-1e3), name, &[])?
            .with()?
            .state
            .positions()
            .iter()
            .map(|p| p.y)
            .fold(f64::INFINITY, f64::min);
        Self::of(&text(lowest - ABOVE), name, &[])
    }

    /// A cloth of 1 m with `cells` to a side that falls on a sphere and collides with itself.
    pub fn drape(cells: usize) -> Result<Self, BenchError> {
        let DVec3 { x, y, z } = SPHERE.0;
        let text = format!(
            "frames = {FRAMES}\nh = \"1/30\"\ngravity = [0, -9.81, 0]\ncorrection.kind = \"fepr\"\n\
             [solver]\niterations = 40\n[damping]\nrigid_preserving = 0.05\n\
             [contact]\nfriction = {FRICTION}\nrestitution = 0\nself = true\nthickness = {THICKNESS}\n\
             [material]\nmass = 0.3\nstiffness = 1000\nbend_stiffness = 20\n\
             [[body]]\nname = \"cloth\"\nmesh.cloth = {{ size = [1, 1], cells = [{cells}, {cells}] }}\n\
             initial.translate = [0, 0.36, 0]\n\
             [[collider]]\nname = \"sphere\"\nshape.sphere = {{ radius = {:?} }}\nposition = [{x:?}, {y:?}, {z:?}]\n",
            SPHERE.1,
        );
        Self::of(&text, &format!("cloth of {} triangles on a sphere", 2 * cells * cells), &[])
    }

    fn of(text: &str, name: &str, set: &[&str]) -> Result<Self, BenchError> {
        let refuse = |error| BenchError::CannotRun(format!("{name}: {error}"));
        let set = set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>();
        let parsed = parse(text, name, &set.map_err(refuse)?).map_err(refuse)?;
        Ok(Self { name: name.to_owned(), parsed })
    }

    /// Frames of the scene.
    pub fn frames(&self) -> usize {
        self.parsed.scene.frames
    }

    /// Builds it.
    pub fn with(&self) -> Result<BuiltScene, BenchError> {
        self.build(&self.parsed)
    }

    /// Builds the same bodies without contact and without colliders.
    pub fn without(&self) -> Result<BuiltScene, BenchError> {
        let mut parsed = self.parsed.clone();
        parsed.scene.contact = None;
        parsed.scene.colliders.clear();
        self.build(&parsed)
    }

    /// Builds the bodies with contact among themselves, without colliders.
    pub fn without_colliders(&self) -> Result<BuiltScene, BenchError> {
        let mut parsed = self.parsed.clone();
        parsed.scene.colliders.clear();
        self.build(&parsed)
    }

    fn build(&self, parsed: &ParsedScene) -> Result<BuiltScene, BenchError> {
        build(parsed, Path::new("")).map_err(|error| BenchError::CannotRun(format!("{}: {error}", self.name)))
    }
}

/// Centre and radius of the sphere under a cloth, m.
pub const SPHERE: (DVec3, f64) = (DVec3::ZERO, 0.3);
/// Contact distance, m, and friction of everybody's cloth on it.
pub const THICKNESS: f64 = 0.005;
pub const FRICTION: f64 = 0.6;
/// Two seconds: it has fallen, and lies.
const FRAMES: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twin_has_the_same_bodies_and_no_contact() {
        let recipe = Recipe::shipped("cloth-torus", "x", &["contact.self=false"]).unwrap();
        let (with, without) = (recipe.with().unwrap(), recipe.without().unwrap());
        assert_eq!(with.state.positions(), without.state.positions());
        assert!(with.scene.has_contact() && !without.scene.has_contact());
        assert_eq!(recipe.frames(), 120);
    }

    #[test]
    fn a_solid_starts_right_above_the_floor() {
        let built = Recipe::solid(true).unwrap().with().unwrap();
        let lowest = built.state.positions().iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let floor = built.state.controls().colliders()[0].translation.y;
        assert!((lowest - floor - ABOVE).abs() < 1e-12, "{lowest} above {floor}");
    }
}
