//! Faces in scenes, moved by the engine, against the equilibria of this crate, which share no code with it.

use sinew::DVec3;
use sinew_face::muscles::{Drive, Expression, Face, Jaw, Precision, System};
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
