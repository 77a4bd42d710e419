//! Spheres and capsules that are round, and bodies with friction and restitution of their own: from scene text to the engine.

use glam::DVec3;
use sinew::BodyId;
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::format::parse;
use sinew_scene::run::Run;
use std::f64::consts::PI;
use std::path::Path;

fn try_build(text: &str) -> Result<BuiltScene, String> {
    let scene = parse(text, "scene.toml", &[]).map_err(|error| error.to_string())?;
    build(&scene, Path::new("")).map_err(|error| error.to_string())
}

fn built(text: &str) -> BuiltScene {
    try_build(text).unwrap_or_else(|error| panic!("{error}"))
}

const SPHERE: &str = "[[body]]\nrigid = true\nmaterial.density = 1000\nmesh.sphere.radius = 0.1\n";
const CAPSULE: &str =
    "[[body]]\nrigid = true\nmaterial.mass = 3\nmesh.capsule = { radius = 0.1, length = 0.5 }\n";

#[test]
fn round_bodies_reach_the_engine() {
    let turned = "initial.rotate = { axis = [1, 0, 0], degrees = 90 }\ninitial.translate = [1, 2, 3]\n\
                  initial.velocity = [1, 0, 0]\ninitial.spin = [0, 0, 5]\n";
    let scene = built(&format!("{SPHERE}{CAPSULE}{turned}"));
    let bodies = scene.model().bodies();
    let state = Run::new("round", built(&format!("{SPHERE}{CAPSULE}{turned}")), 1).state().clone();

    let sphere = bodies[0].round.unwrap();
    assert!(sphere.ends == [0, 0] && sphere.radius == 0.1 && !bodies[0].surface.is_empty());
    let mass = state.momenta(scene.model(), BodyId(0)).unwrap().mass;
    assert!((mass / (4000.0 / 3.0 * PI * 1e-3) - 1.0).abs() < 1e-12, "{mass}");

    let capsule = bodies[1].round.unwrap();
    let [a, b] = capsule.ends.map(|i| state.positions()[i as usize]);
    assert!(a.distance(DVec3::new(1.0, 2.0, 2.75)) < 1e-12 && b.distance(DVec3::new(1.0, 2.0, 3.25)) < 1e-12);
    let drawn = bodies[1].surface.iter().flatten().map(|&i| state.positions()[i as usize]);
    let off = drawn.map(|p| (p - a.lerp(b, ((p.z - a.z) / 0.5).clamp(0.0, 1.0))).length());
    assert!(off.into_iter().all(|distance| (distance - 0.1).abs() < 1e-12), "drawn where it collides");
    let momenta = state.momenta(scene.model(), BodyId(1)).unwrap();
    assert!((momenta.mass - 3.0).abs() < 1e-12 && momenta.drift().distance(DVec3::X) < 1e-12);
    // Across the axis: a rod of that length has at least m L²/12 = 0.0625 kg·m².
    assert!(momenta.angular.z.abs() > 0.0, "it spins about its axis");
}

#[test]
fn a_sphere_of_a_scene_rolls() {
    let text =
        "h = \"1/60\"\ngravity = [0, -9.81, 0]\n[contact]\nfriction = 0.5\nrestitution = 0\nverify = true\n";
    let floor = "[[collider]]\nshape.plane = {}\n";
    let moving = "initial.translate = [0, 0.1018, 0]\ninitial.velocity = [0.35, 0, 0]\n";
    let mut run = Run::new("roll", built(&format!("{text}{SPHERE}{moving}{floor}")), 60);
    while !run.is_over() {
        run.step().unwrap();
    }
    let speed = run.state().momenta(run.scene().model(), BodyId(0)).unwrap().drift().x;
    assert!((speed / 0.25 - 1.0).abs() < 0.02, "5/7 of 0.35 m/s are left: {speed}");
}

#[test]
fn a_body_has_its_own_friction() {
    let text = "h = \"1/60\"\ngravity = [0, -9.81, 0]\n[contact]\nfriction = 0.5\nrestitution = 0\n";
    let floor = "[[collider]]\nshape.plane = {}\n";
    let moving =
        "initial.translate = [0, 0.1018, 0]\ninitial.velocity = [0.35, 0, 0]\ncontact = { friction = 0 }\n";
    let mut run = Run::new("slide", built(&format!("{text}{SPHERE}{moving}{floor}")), 60);
    while !run.is_over() {
        run.step().unwrap();
    }
    let speed = run.state().momenta(run.scene().model(), BodyId(0)).unwrap().drift().x;
    assert!((speed / 0.35 - 1.0).abs() < 1e-3, "nothing makes it roll: {speed}");
}

#[test]
fn mistakes_are_explained() {
    let refused = |text: &str, piece: &str| {
        let message = try_build(text).err().unwrap_or_else(|| panic!("accepted: {text}"));
        assert!(message.contains(piece), "{message}");
    };
    refused(&SPHERE.replace("rigid = true\n", ""), "add `rigid = true`; a soft one is `mesh.ball`");
    refused(&CAPSULE.replace("rigid = true\n", ""), "add `rigid = true`");
    refused(&SPHERE.replace("0.1", "-1"), "must be positive");
    refused(&CAPSULE.replace("0.5", "0"), "without length it is a sphere");
    refused(&format!("{SPHERE}initial.stretch = [2, 1, 1]\n"), "cannot change something round");
    refused(&SPHERE.replace("material.density = 1000\n", ""), "density");
    refused(&format!("{SPHERE}contact.friction = -1\n"), "negative");
    refused(&format!("{SPHERE}contact.restitution = 2\n"), "between 0 and 1");
    refused(&format!("{SPHERE}contact.bounce = 2\n"), "unknown key `bounce`");
}
