//! Animated figures: a clip moves joints, joints move the skin, and the skin moves other bodies.

use glam::{DQuat, DVec3};
use sinew_scene::build::{self, BuiltScene};
use sinew_scene::format;
use sinew_scene::run::{Format, Output, Run};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// Something that can move, far away: a scene needs it.
const STONE: &str = "[[body]]\nname = \"stone\"\nrigid = true\nmesh.tetrahedron = {}\nmaterial.density = 1\ninitial.translate = [99, 0, 0]\n";

/// A plate of six vertices along x from −1 to 1, bound to a joint at the origin and one at x = 0 that is its child: the left third to the first, the right third to the
/// second, the middle to both by half. The clip raises the first by 0.2 m in a second, and turns the second by 90° about z.
fn plate() -> (String, Vec<u8>) {
    let mut data: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut add = |bytes: Vec<u8>| {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, data.len(), bytes.len()));
        data.extend(bytes);
        data.resize(data.len().next_multiple_of(4), 0);
    };
    let reals = |list: &[f64]| list.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect::<Vec<u8>>();
    let points: Vec<f64> = POINTS.iter().flat_map(|p| p.to_array()).collect();
    add(reals(&points));
    add([0_u16, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4].iter().flat_map(|v| v.to_le_bytes()).collect());
    add([[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]].concat());
    let (whole, half) = ([1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]);
    add(reals(&[whole, whole, half, half, whole, whole].concat()));
    add(reals(&[0.0, 1.0]));
    add(reals(&[0.0, 0.0, 0.0, 0.0, 0.2, 0.0]));
    let s = std::f64::consts::FRAC_1_SQRT_2;
    add(reals(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, s, s]));
    let accessor = |view: usize, kind: u32, count: usize, shape: &str| {
        format!(r#"{{"bufferView":{view},"componentType":{kind},"count":{count},"type":"{shape}"}}"#)
    };
    let accessors = [
        accessor(0, 5126, 6, "VEC3").replace('}', r#","min":[-1,0,-0.5],"max":[1,0,0.5]}"#),
        accessor(1, 5123, 12, "SCALAR"),
        accessor(2, 5121, 6, "VEC4"),
        accessor(3, 5126, 6, "VEC4"),
        accessor(4, 5126, 2, "SCALAR").replace('}', r#","min":[0],"max":[1]}"#),
        accessor(5, 5126, 2, "VEC3"),
        accessor(6, 5126, 2, "VEC4"),
    ];
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],
        "nodes":[{{"mesh":0,"skin":0,"name":"plate"}},{{"name":"hip","children":[2]}},{{"name":"knee"}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3}},"indices":1}}]}}],
        "skins":[{{"joints":[1,2]}}],
        "animations":[{{"name":"kick","channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}},
          {{"sampler":1,"target":{{"node":2,"path":"rotation"}}}}],
          "samplers":[{{"input":4,"output":5}},{{"input":4,"output":6}}]}}],
        "accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{},"uri":"plate.bin"}}]}}"#,
        accessors.join(","),
        views.join(","),
        data.len()
    );
    (json, data)
}

const POINTS: [DVec3; 6] = [
    DVec3::new(-1.0, 0.0, -0.5),
    DVec3::new(-1.0, 0.0, 0.5),
    DVec3::new(0.0, 0.0, -0.5),
    DVec3::new(0.0, 0.0, 0.5),
    DVec3::new(1.0, 0.0, -0.5),
    DVec3::new(1.0, 0.0, 0.5),
];

/// Where the clip puts the vertices after `time` seconds.
fn expected(time: f64) -> Vec<DVec3> {
    let rise = DVec3::Y * 0.2 * time;
    let turn = DQuat::from_rotation_z(FRAC_PI_2 * time);
    let weights = [0.0, 0.0, 0.5, 0.5, 1.0, 1.0];
    POINTS.iter().zip(weights).map(|(&p, w)| rise + p * (1.0 - w) + turn * p * w).collect()
}

fn scene(folder: &Path, text: &str) -> BuiltScene {
    let (json, data) = plate();
    std::fs::write(folder.join("plate.gltf"), json).unwrap();
    std::fs::write(folder.join("plate.bin"), data).unwrap();
    let parsed =
        format::parse(&format!("{text}{STONE}"), "scene", &[]).unwrap_or_else(|error| panic!("{error}"));
    build::build(&parsed, folder).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_clip_moves_skin_and_joints() {
    let folder = tempfile::tempdir().unwrap();
    let text = "h = 0.05\nframes = 30\n[[body]]\nname = \"plate\"\nmesh.figure = { path = \"plate.gltf\" }\n\
                initial.translate = [0, 3, 0]\n";
    let mut run = Run::new("scene", scene(folder.path(), text), 30);
    assert_eq!((run.scene().model().bodies()[0].vertices.len(), run.scene().model().bone_count()), (8, 9));
    while !run.is_over() {
        run.step().unwrap();
        let time = run.state().time().min(1.0);
        for (found, wanted) in run.state().positions().iter().zip(expected(time)) {
            assert!(found.distance(wanted + 3.0 * DVec3::Y) < 1e-6, "{found} is not {wanted} at {time}");
        }
        let hip = run.state().positions()[6];
        assert!(hip.distance(DVec3::Y * (3.0 + 0.2 * time)) < 1e-6);
    }
}

/// Bones of one vertex have no extent: rounding of their places must not count as bending.
#[test]
fn a_figure_that_is_turned_and_far_away_starts() {
    let folder = tempfile::tempdir().unwrap();
    let text = "h = 0.1\nframes = 5\n[[body]]\nname = \"plate\"\nmesh.figure = { path = \"plate.gltf\" }\n\
                initial.rotate = { axis = [1, 2, 3], degrees = 37 }\ninitial.translate = [7, 3, 1]\n";
    let mut run = Run::new("scene", scene(folder.path(), text), 5);
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 37_f64.to_radians());
    let start: Vec<DVec3> = run.state().positions()[..6].to_vec();
    let shift = start[0] - turn * POINTS[0];
    while !run.is_over() {
        run.step().unwrap();
        for (found, wanted) in run.state().positions().iter().zip(expected(run.state().time())) {
            assert!(found.distance(turn * wanted + shift) < 1e-6);
        }
    }
}

#[test]
fn a_repeated_clip_starts_again_and_a_late_one_waits() {
    let folder = tempfile::tempdir().unwrap();
    let text = "h = 0.1\nframes = 20\n[[body]]\nmesh.figure = { path = \"plate.gltf\", clip = \"kick\", repeat = \"restart\", start = 0.25, scale = 2 }\n";
    let mut run = Run::new("scene", scene(folder.path(), text), 20);
    let mut seen = Vec::new();
    while !run.is_over() {
        run.step().unwrap();
        seen.push(run.state().positions()[0].y / 2.0);
    }
    for (k, y) in seen.iter().enumerate() {
        let time = (0.1 * (k as f64 + 1.0) - 0.25).max(0.0) % 1.0;
        assert!((y - 0.2 * time).abs() < 1e-6, "frame {}: {y}", k + 1);
    }
}

/// A cloth that lies on the plate is lifted, and the books have the work.
#[test]
fn cloth_on_a_figure_is_carried_and_its_work_is_in_the_books() {
    let folder = tempfile::tempdir().unwrap();
    let text = "h = 0.01\nframes = 60\ngravity = [0, -9.81, 0]\n[contact]\nverify = true\nfriction = 0.5\nthickness = 0.01\nrestitution = 0\n\
                [[body]]\nname = \"plate\"\nmesh.figure = { path = \"plate.gltf\" }\n\
                [[body]]\nname = \"cloth\"\nmesh.cloth = { size = [0.4, 0.4], cells = [6, 6] }\n\
                material = { stiffness = 200, density = 0.5 }\ninitial.translate = [-0.6, 0.011, 0]\n";
    let mut run = Run::new("scene", scene(folder.path(), text), 60);
    let out = folder.path().join("out");
    let mut output = Output::create(&out, &[Format::Gltf, Format::Pc2], &run).unwrap();
    output.frame(&run).unwrap();
    while !run.is_over() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        output.frame(&run).unwrap();
    }
    output.finish(&run).unwrap();
    let x = run.state().positions();
    let cloth: f64 = x[8..57].iter().map(|p| p.y).sum::<f64>() / 49.0;
    // The plate's left edge has risen by 0.12 m, its middle a little less.
    assert!((0.08..0.16).contains(&cloth), "{cloth}");
    let report = run.report();
    assert!(!report.exploded);
    // The figure counts as a kilogram, which its clip lifts; the rest of the work lifts the cloth of 0.08 kg, and is lost by friction.
    let own: f64 = 9.81 / 8.0 * (0..8).map(|i| x[i].y).sum::<f64>();
    let lifted = 9.81 * 0.08 * (cloth - 0.011);
    let lost = report.energy.dissipated;
    let work = report.energy.added - own;
    assert!((work - lifted - lost).abs() < 0.01, "{work} J for {lifted} J and {lost} J");
    assert!(work > 0.08 && report.energy.drift < 1e-3, "{work} {}", report.energy.drift);

    // The result has the skin of the figure, moved by its joints, and the cloth as morph targets.
    let bytes = std::fs::read(out.join("animation.glb")).unwrap();
    let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    assert_eq!(json["skins"][0]["joints"], serde_json::json!([1, 2]));
    assert_eq!(json["nodes"][0]["skin"], 0);
    assert_eq!(json["nodes"][3]["name"], "cloth");
    assert_eq!(json["meshes"][1]["primitives"][0]["targets"].as_array().unwrap().len(), 60);
    let channels = json["animations"][0]["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 2 + 2 * 3);
    let figure = sinew_scene::mesh_io::Figure::read(&out.join("animation.glb"), Some("Sinew")).unwrap();
    let points = figure.points(&figure.pose(0.5));
    for wanted in expected(0.5) {
        assert!(points.iter().any(|p| p.distance(wanted) < 1e-5), "{wanted}");
    }
}

#[test]
fn what_a_figure_cannot_do_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    scene(folder.path(), "[[body]]\nmesh.figure = { path = \"plate.gltf\" }\n");
    let refused = |text: &str| {
        let parsed = format::parse(text, "scene", &[]);
        parsed.and_then(|parsed| build::build(&parsed, folder.path()).map(drop)).unwrap_err().to_string()
    };
    let error = refused("[[body]]\nmesh.figure = { path = \"plate.gltf\", clip = \"walk\" }\n");
    assert!(error.contains("no clip `walk`") && error.contains("kick"), "{error}");
    let error = refused("[[body]]\nmesh.figure = { path = \"plate.gltf\" }\ninitial.spin = [0, 1, 0]\n");
    assert!(error.contains("figure"), "{error}");
    std::fs::write(folder.path().join("bare.gltf"), r#"{"asset":{"version":"2.0"}}"#).unwrap();
    let error = refused("[[body]]\nmesh.figure = { path = \"bare.gltf\" }\n");
    assert!(error.contains("no skinned mesh"), "{error}");
}
