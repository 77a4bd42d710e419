//! From scene text to model, state and settings.

use glam::DVec3;
use sinew::{Acceleration, Budget, Integrator, Precision, Settings, Solver};
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::format::{Override, SceneError, parse};
use sinew_scene::run::Run;
use std::path::Path;

fn try_build(text: &str) -> Result<BuiltScene, SceneError> {
    build(&parse(text, "scene.toml", &[])?, Path::new(""))
}

fn built(text: &str) -> BuiltScene {
    try_build(text).unwrap_or_else(|error| panic!("{error}"))
}

const BOX: &str = "[[body]]\nmesh.box = { size = [2, 1, 1], cells = [2, 1, 1] }\n";
const JELLY: &str = "[material]\nyoung = 1e4\npoisson = 0.3\ndensity = 1000\n";
const CLOTH: &str = "[[body]]\nmesh.cloth = { size = [2, 1], cells = [4, 2] }\n";

fn total_mass(scene: &BuiltScene) -> f64 {
    scene.model().masses().iter().sum()
}

#[test]
fn density_fills_volume_and_mass_is_spread_by_it() {
    assert!((total_mass(&built(&format!("{JELLY}{BOX}"))) - 2000.0).abs() < 1e-9);
    let heavy = built(&format!("{}{BOX}", JELLY.replace("density = 1000", "mass = 7")));
    assert!((total_mass(&heavy) - 7.0).abs() < 1e-12);
    let by_volume = built(&format!("{JELLY}{BOX}"));
    for (a, b) in heavy.model().masses().iter().zip(by_volume.model().masses()) {
        assert!((a / 7.0 - b / 2000.0).abs() < 1e-15);
    }
}

#[test]
fn cloth_takes_density_by_area_and_mass_by_vertex() {
    let springs = |inertia: &str| built(&format!("[material]\nstiffness = 5\n{inertia}\n{CLOTH}"));
    let scene = springs("density = 0.3");
    assert!((total_mass(&scene) - 0.6).abs() < 1e-15);
    assert!(scene.model().masses()[0] < scene.model().masses()[4]);
    let scene = springs("mass = 3");
    assert!(scene.model().masses().iter().all(|m| (m - 0.2).abs() < 1e-16));
}

#[test]
fn stiffness_goes_by_family_and_zero_means_no_spring() {
    let count = |extra: &str| {
        let text = format!("[material]\nstiffness = 5\nmass = 1\n{extra}\n{CLOTH}");
        built(&text).model().element_count()
    };
    let (structural, shear, bend) = (4 * 3 + 2 * 5, 2 * 8, 3 * 3 + 5);
    assert_eq!(count(""), structural + shear + bend);
    assert_eq!(count("shear_stiffness = 0"), structural + bend);
    assert_eq!(count("bend_stiffness = 0\nshear_stiffness = 0"), structural);
}

#[test]
fn springs_of_a_solid_are_its_edges() {
    let scene =
        built("[material]\nkind = \"springs\"\nstiffness = 5\nmass = 1\n[[body]]\nmesh.tetrahedron = {}\n");
    assert_eq!(scene.model().element_count(), 6);
    assert_eq!(scene.model().bodies()[0].surface.len(), 4, "it is still drawn as a solid");
    assert_eq!(scene.model().potential_names().collect::<Vec<_>>(), ["springs"]);
}

#[test]
fn overrides_change_the_elements_that_they_select() {
    let stretched = |extra: &str| {
        let text = format!("{JELLY}{BOX}initial.stretch = [1.1, 1, 1]\n{extra}");
        built(&text).state.ledger().potential()
    };
    let half = "[[body.override]]\nselect.box = { min = [0, -1, -1], max = [1, 1, 1] }\n";
    let plain = stretched("");
    let stiff = stretched(&format!("{half}young = 3e4\n"));
    assert!((stiff / plain - 2.0).abs() < 1e-12, "half of the body is three times as stiff");
    let lame = stretched("[[body.override]]\nselect.all = true\nmu = 1e4\nlambda = 0\n");
    assert!((lame - 2.0 * 1e4 * 0.01).abs() < 1e-9, "μ‖F − R‖² V with F − R = diag(0.1, 0, 0), V = 2 m³");
    // Where two select an element, the last one counts.
    let twice = stretched(&format!("{half}young = 9e9\n{half}young = 1e4\n"));
    assert!((twice / plain - 1.0).abs() < 1e-12);

    let heavy = built(&format!("{JELLY}{BOX}{half}density = 3000\n"));
    assert!((total_mass(&heavy) - 4000.0).abs() < 1e-9);
}

#[test]
fn vertical_cloth_hangs_in_the_xy_plane_and_faces_z() {
    let text = CLOTH.replace("cells = [4, 2]", "cells = [4, 2], vertical = true");
    let scene = built(&format!("[material]\nstiffness = 5\nmass = 1\n{text}"));
    let x = scene.state.positions();
    assert!(x.iter().all(|p| p.z == 0.0) && x.iter().any(|p| p.y == 0.5) && x.iter().any(|p| p.y == -0.5));
    let [a, b, c] = scene.model().bodies()[0].surface[0].map(|v| x[v as usize]);
    assert!((b - a).cross(c - a).z > 0.0);
}

#[test]
fn several_bodies_keep_their_own_numbers() {
    let text = format!(
        "{JELLY}{BOX}[[body.pin]]\nselect.indices = [1]\n{BOX}initial.translate = [0, 5, 0]\n\
         [[body.attachment]]\nselect.indices = [0, 3]\nstiffness = 2\npoint = [9, 9, 9]\n"
    );
    let scene = built(&text);
    let model = scene.model();
    assert_eq!(model.bodies().len(), 2);
    assert_eq!(model.attached(), [12, 15]);
    assert!(model.is_held(1) && !model.is_held(13));
    assert_eq!(scene.state.controls().targets(), [DVec3::splat(9.0); 2]);
    assert_eq!(scene.state.positions()[12] - scene.state.positions()[0], DVec3::new(0.0, 5.0, 0.0));
}

#[test]
fn targets_are_where_they_should_be_at_the_end_of_each_step() {
    let text = format!(
        "h = 0.25\n{JELLY}{BOX}[[body.attachment]]\nselect.indices = [0]\nstiffness = 1\npoint = [0, 0, 0]\n\
         motion.keyframes = [{{ time = 0, offset = [1, 0, 0] }}, {{ time = 1, offset = [5, 0, 0] }}]\n"
    );
    let scene = built(&text);
    assert_eq!(scene.state.controls().targets()[0].x, 1.0, "the motion has begun at time 0");
    assert_eq!(scene.state.ledger().entries.added(), 0.0);
    let mut run = Run::new("keyframes", scene, 5);
    let mut seen = Vec::new();
    while !run.is_over() {
        run.step().unwrap();
        seen.push(run.state().controls().targets()[0].x);
    }
    assert_eq!(seen, [2.0, 3.0, 4.0, 5.0, 5.0]);
    assert!(run.state().ledger().entries.added() != 0.0);
}

#[test]
fn settings_have_the_documented_defaults() {
    let settings = |text: &str| *built(&format!("{text}\n{JELLY}{BOX}")).settings();
    assert_eq!(
        settings(""),
        Settings::default(),
        "a scene that says nothing gets what the engine recommends"
    );
    let plain = settings("solver.acceleration = \"none\"\ncorrection.kind = \"none\"");
    assert_eq!(plain, Settings { integrator: Settings::default().integrator, ..Settings::plain() });
    let projective = |acceleration| Solver::ProjectiveDynamics { budget: Budget::ENOUGH, acceleration };
    let lbfgs = settings("solver.acceleration = \"lbfgs\"");
    assert_eq!(
        lbfgs.solver,
        projective(Acceleration::Lbfgs { history: 20, preconditioner: Precision::Double })
    );
    let single = settings("solver.acceleration = \"lbfgs\"\nsolver.preconditioner = \"f32\"");
    let acceleration = Acceleration::Lbfgs { history: 20, preconditioner: Precision::Single };
    assert_eq!(single.solver, projective(acceleration));
    let newton = settings("solver.kind = \"newton\"");
    assert_eq!(newton.solver, Solver::Newton(Budget::to(50, 1e-12)));
    let xpbd = settings("solver.kind = \"xpbd\"\nsolver.iterations = 3");
    assert_eq!(xpbd.solver, Solver::Xpbd { iterations: 3 });
    let alpha = settings("integrator.kind = \"generalized-alpha\"");
    assert_eq!(alpha.integrator, Integrator::GeneralizedAlpha { spectral_radius: 0.5 });
}

#[test]
fn a_spectral_radius_is_refused_by_rules_that_have_none() {
    let error = try_build(&format!("integrator.spectral_radius = 0.5\n{JELLY}{BOX}")).unwrap_err();
    assert_eq!((error.line(), error.key.as_str()), (Some(1), "integrator.spectral_radius"));
    assert!(error.to_string().contains("generalized-alpha"), "{error}");
}

#[test]
fn errors_point_at_the_line_that_caused_them() {
    let error = try_build(&format!("{JELLY}{BOX}[[body.pin]]\nselect.indices = [0, 99]\n")).unwrap_err();
    assert_eq!((error.line(), error.key.as_str()), (Some(8), "body.0.pin.0.select.indices.1"));
    let error =
        try_build(&format!("solver.kind = \"xpbd\"\nsolver.tolerance = 0.1\n{JELLY}{BOX}")).unwrap_err();
    assert_eq!(error.line(), Some(2));
    let set = ["material.kind=stvk", "solver.acceleration=none"].map(|text| Override::parse(text).unwrap());
    let parsed = parse(&format!("{JELLY}{BOX}"), "scene.toml", &set).unwrap();
    let error = build(&parsed, Path::new("")).unwrap_err();
    assert!(error.to_string().contains("lbfgs"), "{error}");
}

#[test]
fn a_mesh_file_is_found_beside_the_scene_scaled_and_centred() {
    let folder = tempfile::tempdir().unwrap();
    let obj = "v 0 0 0\nv 200 0 0\nv 0 0 100\nv 200 0 100\nf 1 3 4 2\n";
    std::fs::write(folder.path().join("cloth.obj"), obj).unwrap();
    let text = "[material]\nstiffness = 5\ndensity = 1\n[[body]]\n\
                mesh.file = { path = \"cloth.obj\", scale = 0.01, center = true }\n";
    let scene = build(&parse(text, "scene.toml", &[]).unwrap(), folder.path()).unwrap();
    assert_eq!(scene.state.positions()[0], DVec3::new(-1.0, 0.0, -0.5));
    assert_eq!(scene.model().element_count(), 6, "five edges and one hinge");
    assert!((total_mass(&scene) - 2.0).abs() < 1e-15);
}

/// Two tetrahedra on a common face, each with a material of its own.
const VEGA: &str = "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 1 3 2 5\n\
    *MATERIAL soft\nENU, 900, 1e5, 0.4\n*MATERIAL hard\nENU, 2000, 3e6, 0.3\n\
    *SET upper\n1,\n*SET lower\n2,\n*REGION\nupper, soft\n*REGION\nlower, hard\n";

#[test]
fn materials_of_a_file_count_where_the_scene_gives_none() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.veg"), VEGA).unwrap();
    let try_with = |extra: &str| {
        let text = format!("[[body]]\nmesh = \"two.veg\"\ninitial.stretch = [1.1, 1, 1]\n{extra}");
        build(&parse(&text, "scene.toml", &[]).unwrap(), folder.path())
    };
    let with = |extra: &str| try_with(extra).unwrap_or_else(|error| panic!("{error}"));
    let energy = |scene: &BuiltScene| scene.state.ledger().potential();
    let from_file = with("");
    // The same by hand: each of the two has a volume of 1/6 m³.
    let by_hand = with(
        "material = { young = 1e5, poisson = 0.4, density = 900 }\n\
         [[body.override]]\nselect.region = 2\nyoung = 3e6\npoisson = 0.3\ndensity = 2000\n",
    );
    assert!((total_mass(&from_file) - 2900.0 / 6.0).abs() < 1e-9, "{}", total_mass(&from_file));
    assert_eq!(from_file.model().masses(), by_hand.model().masses());
    assert_eq!(energy(&from_file), energy(&by_hand));
    // Elasticity and mass are filled in separately, and the scene wins.
    let heavy = with("material.density = 600\n");
    assert!((total_mass(&heavy) - 200.0).abs() < 1e-9);
    assert_eq!(energy(&heavy), energy(&from_file));
    let stiff = with("material = { young = 3e6, poisson = 0.3 }\n");
    assert!((total_mass(&stiff) - 2900.0 / 6.0).abs() < 1e-9 && energy(&stiff) > 1.5 * energy(&from_file));
    // An override changes what it names; the rest of each tetrahedron's material stays.
    let mixed = with("[[body.override]]\nselect.all = true\nyoung = 3e6\n");
    assert!(energy(&mixed) > energy(&from_file) && energy(&mixed) != energy(&stiff));
    // A file that does not say who has which material.
    let lost = VEGA.split("*SET").next().unwrap();
    std::fs::write(folder.path().join("two.veg"), lost).unwrap();
    let error = try_with("").unwrap_err().to_string();
    assert!(error.contains("has 2 materials") && error.contains("material"), "{error}");
    std::fs::write(folder.path().join("two.veg"), VEGA.replace("ENU, 900", "ENU, -1")).unwrap();
    let error = try_with("").unwrap_err().to_string();
    assert!(error.contains("the density of the material soft"), "{error}");
}

#[test]
fn fingerprints_know_what_matters() {
    let of = |text: &str| built(text).fingerprint;
    let base = format!("{JELLY}{BOX}");
    assert_eq!(of(&base), of(&format!("# a comment\ntitle = \"other\"\nframes = 7\n{base}")));
    assert_ne!(of(&base), of(&format!("h = 0.01\n{base}")));
    assert_ne!(of(&base), of(&base.replace("1000", "1001")));
}

#[test]
fn an_override_of_the_solver_leaves_behind_what_concerned_the_old_one() {
    let text = format!(
        "[solver]\nkind = \"projective-dynamics\"\niterations = 20\ntolerance = 1e-9\nacceleration = \"lbfgs\"\n{JELLY}{BOX}"
    );
    for kind in ["newton", "linearized", "xpbd", "projective-dynamics"] {
        let chosen = Override::parse(&format!("solver.kind={kind}")).unwrap();
        let parsed = parse(&text, "scene.toml", std::slice::from_ref(&chosen)).unwrap();
        let scene = build(&parsed, Path::new("")).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scene.settings().solver.name(), kind);
        // What is said in the same breath still has to fit.
        let both = [chosen, Override::parse("solver.acceleration=lbfgs").unwrap()];
        let refused = build(&parse(&text, "scene.toml", &both).unwrap(), Path::new("")).is_err();
        assert_eq!(refused, kind != "projective-dynamics", "{kind}");
    }
}
