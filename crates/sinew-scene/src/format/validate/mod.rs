//! Checks of a scene beyond its shape, as far as they need no meshes.
//!
//! Every number is known to be finite when these checks run, see `Locations::check_finite`.

mod at;
mod body;
mod contact;
mod forces;
mod material;
mod mesh;
mod motion;
mod skeleton;

use std::collections::HashMap;

use self::at::{At, Verdict};
use super::expect::Expectations;
use super::locations::Locations;
use super::scene::Scene;

/// Checks the whole scene; the error is the first mistake found.
pub(super) fn check(scene: &Scene, locations: &Locations) -> Verdict {
    let at = At::root(locations);
    settings(scene, &at)?;
    material::check(&scene.material, &at.key("material"))?;
    bodies(scene, &at)?;
    joints(scene, &at.key("joint"))?;
    if let Some(law) = &scene.contact {
        contact::law(law, &at.key("contact"))?;
    }
    colliders(scene, &at.key("collider"))?;
    if let Some(wind) = &scene.wind {
        forces::wind(wind, &at.key("wind"))?;
    }
    if let Some(acceleration) = &scene.acceleration {
        forces::acceleration(acceleration, &at.key("acceleration"))?;
    }
    expectations(&scene.expect, &at.key("expect"))?;
    pictures(scene, &at)
}

fn settings(scene: &Scene, at: &At<'_>) -> Verdict {
    at.count("frames", scene.frames, 1, 1_000_000)?;
    at.require("h", scene.h > 0.0 && scene.h <= 1.0, || {
        format!("must be greater than 0 and at most 1 second, is {}", scene.h)
    })?;
    if let Some(radius) = scene.integrator.spectral_radius {
        at.key("integrator").within("spectral_radius", radius, 0.0, 1.0)?;
    }
    let solver = at.key("solver");
    if let Some(iterations) = scene.solver.iterations {
        solver.count("iterations", iterations, 1, 100_000)?;
    }
    for (key, tolerance) in
        [("tolerance", scene.solver.tolerance), ("relative_tolerance", scene.solver.relative_tolerance)]
    {
        if let Some(tolerance) = tolerance {
            solver.non_negative(key, tolerance)?;
        }
    }
    if let Some(history) = scene.solver.history {
        solver.count("history", history, 1, 50)?;
    }
    if let Some(epsilon) = scene.correction.epsilon {
        at.key("correction").non_negative("epsilon", epsilon)?;
    }
    if let Some(smoothing) = scene.fepr.smoothing {
        at.key("fepr").non_negative("smoothing", smoothing)?;
    }
    let damping = at.key("damping");
    damping.non_negative("ether", scene.damping.ether)?;
    damping.within("rigid_preserving", scene.damping.rigid_preserving, 0.0, 1.0)
}

fn bodies(scene: &Scene, at: &At<'_>) -> Verdict {
    let at = at.key("body");
    if scene.bodies.is_empty() {
        return Err(at.error("a scene needs at least one [[body]]"));
    }
    let mut names = Names::new("body");
    for (i, body) in scene.bodies.iter().enumerate() {
        let at = at.index(i);
        names.check(body.name.as_deref(), i, &at)?;
        body::check(body, &scene.material, &at)?;
        skeleton::check(body, &at)?;
    }
    Ok(())
}

fn joints(scene: &Scene, at: &At<'_>) -> Verdict {
    let mut names = Names::new("joint");
    for (i, joint) in scene.joints.iter().enumerate() {
        let at = at.index(i);
        names.check(joint.name.as_deref(), i, &at)?;
        skeleton::joint(joint, &at)?;
    }
    Ok(())
}

fn colliders(scene: &Scene, at: &At<'_>) -> Verdict {
    let mut names = Names::new("collider");
    for (i, collider) in scene.colliders.iter().enumerate() {
        let at = at.index(i);
        names.check(collider.name.as_deref(), i, &at)?;
        contact::collider(collider, &at)?;
    }
    Ok(())
}

/// Names that must be distinct.
struct Names<'a> {
    what: &'static str,
    taken: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn new(what: &'static str) -> Self {
        Self { what, taken: HashMap::new() }
    }

    fn check(&mut self, name: Option<&'a str>, index: usize, at: &At<'_>) -> Verdict {
        let Some(name) = name else { return Ok(()) };
        at.require("name", !name.trim().is_empty(), || "must not be empty".into())?;
        match self.taken.insert(name, index) {
            Some(earlier) => {
                let what = self.what;
                Err(at.key("name").error(format!("`{name}` is already the name of {what} {earlier}")))
            }
            None => Ok(()),
        }
    }
}

fn expectations(expect: &Expectations, at: &At<'_>) -> Verdict {
    for (key, bound) in &expect.0 {
        // Step by step: the file may have nested the key or quoted it, and the lookup finds either.
        let at = key.split('.').fold(at.clone(), |at, part| at.key(part));
        if let (Some(min), Some(max)) = (bound.min, bound.max) {
            at.require("min", min <= max, || format!("must not exceed max, is {min} with max {max}"))?;
        }
        for (name, given) in [("min", bound.min), ("max", bound.max)] {
            let equals = ("equals", bound.equals.is_some());
            at.exclusive((name, given.is_some()), equals, "give a range or a value")?;
        }
    }
    Ok(())
}

fn pictures(scene: &Scene, at: &At<'_>) -> Verdict {
    if let Some(camera) = &scene.camera {
        let at = at.key("camera");
        at.require("look_at", camera.look_at != camera.eye, || "must differ from `eye`".into())?;
        at.inside("fov", camera.fov, 0.0, 180.0)?;
    }
    let render = at.key("render");
    if let Some(time) = scene.render.picture {
        render.non_negative("picture", time)?;
    }
    render.count("width", scene.render.width as usize, 16, 8192)?;
    render.count("height", scene.render.height as usize, 16, 8192)
}
