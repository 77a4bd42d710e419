//! Faces in scenes, moved by the engine, against the equilibria of this crate, which share no code with it.

use sinew::DVec3;
use sinew_face::muscles::{Drive, Expression, Face, Jaw, Mouth, Precision, System};
use sinew_scene::build::{self, BuiltScene};
use sinew_scene::{face, format};
use std::path::Path;

/// A face in steps so long that what is left of motion in one is none.
fn scene(fat: f64, expression: &str) -> BuiltScene {
    let text = format!(
        r#"
h = 1
gravity = [0, 0, 0]
integrator.kind = "backward-euler"
solver = {{ kind = "newton", iterations = 60, tolerance = 1e-10 }}
correction.kind = "none"
material.density = 1000
[[body]]
mesh.face.fat = {fat}
[[body.expression]]
{expression}
"#
    );
    let parsed = format::parse(&text, "face.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    build::build(&parsed, Path::new(".")).unwrap_or_else(|error| panic!("{error}"))
}

/// Where the engine puts the vertices after some long steps.
fn moved(mut scene: BuiltScene, steps: usize) -> Vec<DVec3> {
    for _ in 0..steps {
        scene.step(|_| Ok(()), &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
    }
    scene.state.positions().to_vec()
}

fn head() -> Face {
    Face::from_text(&face::built_in().unwrap().to_text()).unwrap()
}

#[test]
fn the_engine_comes_to_rest_where_the_equilibrium_is() {
    let face = head();
    let system = System::new(&face, 1.0).unwrap();
    let mut expression = Expression::parse(&face, "zygomaticus major=0.6,frontalis=0.7").unwrap();
    expression.jaw = Jaw { open: 3.0_f64.to_radians(), ..Jaw::default() };
    let activations = system.blended(&face.blend, &expression.activations);
    let drive = Drive { activations, jaw: expression.jaw, forces: Vec::new() };
    let start = system.placed(&expression.jaw);
    let rest = system.equilibrium(&drive, &start, &Precision::default()).unwrap();
    let toml = r#"contract = { "zygomaticus major" = 0.6, frontalis = 0.7 }
jaw.open = 3"#;
    let found = moved(scene(1.0, &format!("time = 0\n{toml}")), 4);
    let apart = found.iter().zip(&rest.x).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let most = rest.x.iter().zip(&face.points).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    println!(
        "the engine's face is within {apart:.1e} m of the equilibrium, which moves by up to {most:.1e} m"
    );
    assert!(apart < 1e-9 && most > 1e-3, "{apart} {most}");
}

#[test]
fn passive_tissue_grows_with_fat_and_muscles_keep_their_volume() {
    let face = head();
    let [passive, muscle] = face.volumes(&face.points);
    for fat in [0.9, 1.1, 1.2] {
        let [grown, kept] = face.volumes(&moved(scene(fat, "time = 0"), 4));
        let (fatter, muscles) = (grown / passive, kept / muscle);
        println!(
            "fat {fat}: passive tissue {fatter:.3} of its volume (f³ = {:.3}), muscles {muscles:.3}",
            fat.powi(3)
        );
        assert!((fatter - 1.0) / (fat.powi(3) - 1.0) > 0.3, "{fatter}");
        assert!((muscles - 1.0).abs() < 0.35 * (fatter - 1.0).abs(), "{muscles} {fatter}");
    }
}

/// How deep lips are in each other after they were pressed together for a third of a second.
fn pressed(own: bool) -> (f64, usize) {
    let text = format!(
        r#"
h = "1/120"
gravity = [0, 0, 0]
integrator.kind = "backward-euler"
correction.kind = "none"
material.density = 1000
contact = {{ self = {own}, thickness = 0.0002 }}
[[body]]
mesh.face.lips = 0.0005
[[body.expression]]
time = 0
[[body.expression]]
time = 0.2
contract = {{ "orbicularis oris" = 0.7, mentalis = 0.6 }}
jaw.open = -1.5
"#
    );
    let parsed = format::parse(&text, "lips.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut scene = build::build(&parsed, Path::new(".")).unwrap_or_else(|error| panic!("{error}"));
    let (mouth, mut most) = (Mouth::new(&head()), 0);
    for _ in 0..40 {
        let report = scene.step(|_| Ok(()), &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        most = most.max(report.contact.pressing);
    }
    (mouth.depth(scene.state.positions()), most)
}

#[test]
fn lips_of_a_scene_collide_if_they_are_parted_at_rest() {
    let ((with, contacts), (without, none)) = (pressed(true), pressed(false));
    println!(
        "lips are {:.3} mm in each other with contact ({contacts} contacts), {:.3} mm without",
        1e3 * with,
        1e3 * without
    );
    assert!(contacts > 0 && none == 0);
    assert!(without > 3e-4 && with < 0.2 * without, "{with} {without}");
}
