//! Scenes that are accepted: their values, overrides, locations, the schema and the documentation.

use sinew_scene::format::*;

const FULL: &str = r#"
title = "Everything"
description = "Every key once"
frames = 120
h = "1/60"
gravity = [0, -9.81, 0]
checkpoint_every = 10

[integrator]
kind = "implicit-midpoint"
[solver]
kind = "newton"
iterations = 7
tolerance = 1e-9
relative_tolerance = 0.05
global = "multigrid"
acceleration = "lbfgs"
history = 5
preconditioner = "f32"
[correction]
kind = "blend"
epsilon = 1e-4
[fepr]
variant = "paper"
smoothing = 2
return = "resolved"
[damping]
ether = 0.1
rigid_preserving = 0.25
[material]
kind = "stvk"
young = 1e5
poisson = 0.3
density = 1000
law = "squared"

[[body]]
name = "block"
[body.mesh.box]
size = [1, 2, 3]
cells = [4, 5, 6]
split = "six"
[body.material]
mu = 1000
lambda = 2000
mass = 4
[[body.override]]
select = { sphere = { center = [0, 0, 0], radius = 0.5 } }
mu = 10
density = 3
[[body.override]]
select.region = -2
stiffness = 0
[body.initial]
stretch = [1.5, 1, 0]
rotate = { axis = [0, 1, 0], degrees = 90 }
translate = [0, 1, 0]
velocity = [1, 0, 0]
spin = [0, 0, 2]
strike = { center = [0, 0, 1], radius = 0.2, velocity = [0, 0, -5] }
randomize = { amplitude = 0.01, seed = 42 }
[[body.pin]]
select.plane = { point = [0, 0, 0], normal = [1, 0, 0] }
[[body.pin]]
select.indices = [3, 1]
[[body.attachment]]
select.box = { min = [0, 0, 0], max = [1, 1, 1] }
stiffness = 100
point = [0, 3, 0]
[body.attachment.motion]
keyframes = [{ time = 0, offset = [0, 0, 0] }, { time = 1.5, offset = [0, 1, 0] }]
sinusoid = { amplitude = [1, 0, 0], frequency = 2, phase = 90, start = 0.5, stop = 3 }

[[body]]
mesh.cloth = { size = [1, 2], cells = [10, 20], bend = false, vertical = true }
material = { kind = "springs", stiffness = 50, shear_stiffness = 0, bend_stiffness = 1 }

[[body]]
mesh.file = { path = "meshes/cow.msh", scale = 0.001, center = true }

[[body]]
[body.mesh.inline]
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
springs = [[0, 1], [1, 2]]
tets = [[0, 1, 2, 3]]
triangles = [[0, 2, 1]]
masses = [1, 2, 3, 4]
positions = [[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]]
velocities = [[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]
rest_lengths = [0.5, 0]
stiffnesses = [10, 0]

[[body]]
mesh.bar = { length = 3, width = 1, height = 2, cells = [3, 1, 2] }
[[body]]
mesh.ball = { radius = 0.5, cells = 6 }
[[body]]
mesh.tetrahedron = {}
[[body.attachment]]
select.all = true
stiffness = 1

[expect]
"energy.drift" = { max = 1e-3 }
exploded = { equals = false }
solver = { equals = "newton" }
[expect.energy]
min = { min = -1, max = 2 }
final.equals = 3

[camera]
eye = [0, 1, 5]
look_at = [0, 1, 0]
fov = 50
[render]
ground = -1
wireframe = false
picture = 1.5
width = 800
height = 600
"#;

const BALL: &str = "[[body]]\nmesh.ball = { radius = 1, cells = 6 }\n";

fn scene(text: &str) -> Scene {
    parse(text, "good.toml", &[]).unwrap_or_else(|error| panic!("{error}")).scene
}

fn set(text: &str, arguments: &[&str]) -> Result<Scene, SceneError> {
    let overrides: Vec<Override> = arguments.iter().map(|a| Override::parse(a)).collect::<Result<_, _>>()?;
    parse(text, "good.toml", &overrides).map(|parsed| parsed.scene)
}

#[test]
fn settings_of_a_full_scene() {
    let scene = scene(FULL);
    assert_eq!((scene.title.as_str(), scene.description.as_str()), ("Everything", "Every key once"));
    assert_eq!((scene.frames, scene.h, scene.checkpoint_every), (120, 1.0 / 60.0, Some(10)));
    assert_eq!(scene.gravity, [0.0, -9.81, 0.0]);
    assert_eq!(scene.integrator.kind, Some(IntegratorKind::ImplicitMidpoint));
    let solver = Solver {
        kind: SolverKind::Newton,
        iterations: Some(7),
        tolerance: Some(1e-9),
        relative_tolerance: Some(0.05),
        global: GlobalKind::Multigrid,
        acceleration: Some(Acceleration::Lbfgs),
        history: Some(5),
        preconditioner: Some(Precision::Single),
    };
    assert_eq!(scene.solver, solver);
    assert_eq!(scene.correction, Correction { kind: CorrectionKind::Blend, epsilon: Some(1e-4) });
    let fepr = Fepr { variant: FeprVariant::Paper, smoothing: Some(2.0), returns: FeprReturn::Resolved };
    assert_eq!(scene.fepr, fepr);
    assert_eq!(scene.damping, Damping { ether: 0.1, rigid_preserving: 0.25 });
    let camera = Camera { eye: [0.0, 1.0, 5.0], look_at: [0.0, 1.0, 0.0], fov: 50.0 };
    assert_eq!(scene.camera, Some(camera));
    let render = Render { ground: Some(-1.0), wireframe: false, picture: Some(1.5), width: 800, height: 600 };
    assert_eq!(scene.render, render);
}

#[test]
fn bodies_of_a_full_scene() {
    let scene = scene(FULL);
    assert_eq!(scene.bodies.len(), 7);
    let block = &scene.bodies[0];
    assert_eq!(block.name.as_deref(), Some("block"));
    let mesh = BoxMesh { size: [1.0, 2.0, 3.0], cells: [4, 5, 6], split: CubeSplit::Six };
    assert_eq!(block.mesh, Some(MeshSource::Box(mesh)));
    assert_eq!(
        block.overrides[0].select,
        Selection::Sphere(SphereSelection { center: [0.0; 3], radius: 0.5 })
    );
    assert_eq!((block.overrides[0].mu, block.overrides[0].density), (Some(10.0), Some(3.0)));
    assert_eq!(
        (&block.overrides[1].select, block.overrides[1].stiffness),
        (&Selection::Region(-2), Some(0.0))
    );

    let initial = Initial {
        stretch: Some([1.5, 1.0, 0.0]),
        rotate: Some(Rotation { axis: [0.0, 1.0, 0.0], degrees: 90.0 }),
        translate: Some([0.0, 1.0, 0.0]),
        velocity: Some([1.0, 0.0, 0.0]),
        spin: Some([0.0, 0.0, 2.0]),
        strike: Some(Strike { center: [0.0, 0.0, 1.0], radius: 0.2, velocity: [0.0, 0.0, -5.0] }),
        randomize: Some(Randomize { amplitude: 0.01, seed: 42 }),
    };
    assert_eq!(block.initial, initial);

    let plane = PlaneSelection { point: [0.0; 3], normal: [1.0, 0.0, 0.0], tolerance: 1e-6 };
    assert_eq!(block.pins[0].select, Selection::Plane(plane));
    assert_eq!(block.pins[1].select, Selection::Indices(vec![3, 1]));
    let held = &block.attachments[0];
    assert_eq!(held.select, Selection::Box(BoxSelection { min: [0.0; 3], max: [1.0; 3] }));
    assert_eq!((held.stiffness, held.point), (100.0, Some([0.0, 3.0, 0.0])));
    let motion = held.motion.as_ref().unwrap();
    assert_eq!(motion.keyframes[1], Keyframe { time: 1.5, offset: [0.0, 1.0, 0.0] });
    let sinusoid =
        Sinusoid { amplitude: [1.0, 0.0, 0.0], frequency: 2.0, phase: 90.0, start: 0.5, stop: Some(3.0) };
    assert_eq!(motion.sinusoid, Some(sinusoid));
}

#[test]
fn meshes_of_a_full_scene() {
    let scene = scene(FULL);
    let mesh = |i: usize| scene.bodies[i].mesh.as_ref().unwrap();
    let cloth = ClothMesh {
        size: [1.0, 2.0],
        cells: [10, 20],
        structural: true,
        shear: true,
        diagonals: CellDiagonals::Both,
        bend: false,
        vertical: true,
    };
    assert_eq!(mesh(1), &MeshSource::Cloth(cloth));
    let file = FileMesh { path: "meshes/cow.msh".into(), scale: 0.001, center: true, tetrahedralize: None };
    assert_eq!(mesh(2), &MeshSource::File(file));
    let MeshSource::Inline(inline) = mesh(3) else { panic!("not inline: {:?}", mesh(3)) };
    assert_eq!((inline.points.len(), inline.springs.as_slice()), (4, [[0, 1], [1, 2]].as_slice()));
    assert_eq!(
        (inline.tets.as_slice(), inline.triangles.as_slice()),
        ([[0, 1, 2, 3]].as_slice(), [[0, 2, 1]].as_slice())
    );
    assert_eq!(inline.masses, Some(vec![1.0, 2.0, 3.0, 4.0]));
    assert_eq!(inline.positions.as_ref().map(|p| p[1]), Some([2.0, 0.0, 0.0]));
    assert_eq!(inline.velocities.as_ref().map(|v| v[1]), Some([0.0, 1.0, 0.0]));
    assert_eq!((&inline.rest_lengths, &inline.stiffnesses), (&Some(vec![0.5, 0.0]), &Some(vec![10.0, 0.0])));
    let bar = BarMesh { length: 3.0, width: 1.0, height: 2.0, cells: [3, 1, 2], split: CubeSplit::Five };
    assert_eq!(mesh(4), &MeshSource::Bar(bar));
    assert_eq!(mesh(5), &MeshSource::Ball(BallMesh { radius: 0.5, cells: 6 }));
    assert_eq!(mesh(6), &MeshSource::Tetrahedron(TetrahedronMesh { edge: 1.0 }));
    assert_eq!(scene.bodies[6].attachments[0].select, Selection::All(true));
}

#[test]
fn expectations_are_flat_however_they_are_written() {
    let expect = scene(FULL).expect.0;
    let bound = |min, max, equals| Bound { min, max, equals };
    assert_eq!(expect.len(), 5);
    assert_eq!(expect["energy.drift"], bound(None, Some(1e-3), None));
    assert_eq!(expect["energy.min"], bound(Some(-1.0), Some(2.0), None));
    assert_eq!(expect["energy.final"], bound(None, None, Some(Scalar::Number(3.0))));
    assert_eq!(expect["exploded"], bound(None, None, Some(Scalar::Boolean(false))));
    assert_eq!(expect["solver"], bound(None, None, Some(Scalar::Text("newton".into()))));
}

#[test]
fn defaults() {
    let scene = scene(BALL);
    let body = Body {
        name: None,
        mesh: Some(MeshSource::Ball(BallMesh { radius: 1.0, cells: 6 })),
        surface: None,
        joints: None,
        skeleton: true,
        bones: vec![],
        material: Material::default(),
        overrides: vec![],
        expressions: vec![],
        initial: Initial::default(),
        pins: vec![],
        attachments: vec![],
        drags: vec![],
        rigid: Rigid::No,
        kinematic: false,
        motion: None,
        pivot: None,
        contact: Default::default(),
    };
    assert_eq!(scene, Scene { bodies: vec![body], ..Scene::default() });
    assert_eq!((scene.frames, scene.h, scene.gravity), (300, 1.0 / 30.0, [0.0; 3]));
    assert_eq!(
        (scene.integrator.kind, scene.rule().as_str()),
        (None, "sdirk2"),
        "the engine's recommendation"
    );
    assert_eq!(scene.solver.kind.as_str(), "projective-dynamics");
    assert_eq!(scene.solver.acceleration, None, "the engine's recommendation");
    assert!(!scene.has_contact());
    assert_eq!(scene.correction.kind.as_str(), "fepr");
    assert_eq!(
        scene.render,
        Render { ground: None, wireframe: true, picture: None, width: 640, height: 480 }
    );
}

#[test]
fn the_names_of_choices_are_those_of_the_file() {
    for kind in IntegratorKind::ALL {
        let read = scene(&format!("integrator.kind = \"{kind}\"\n{BALL}"));
        assert_eq!(read.integrator.kind, Some(*kind));
    }
    for kind in SolverKind::ALL {
        assert_eq!(scene(&format!("solver.kind = \"{kind}\"\n{BALL}")).solver.kind, *kind);
    }
    for kind in CorrectionKind::ALL {
        assert_eq!(scene(&format!("correction.kind = \"{kind}\"\n{BALL}")).correction.kind, *kind);
    }
    for kind in MaterialKind::ALL {
        assert_eq!(scene(&format!("material.kind = \"{kind}\"\n{BALL}")).material.kind, Some(*kind));
    }
    let names: Vec<_> = MaterialKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(names, ["springs", "corotated", "arap", "stvk", "neo-hookean"]);
}

#[test]
fn a_scene_written_back_is_the_same_scene() {
    let scene = scene(FULL);
    let text = toml::to_string(&scene).unwrap();
    assert_eq!(parse(&text, "back.toml", &[]).unwrap_or_else(|error| panic!("{error}")).scene, scene);
}

#[test]
fn a_bodys_material_replaces_the_scenes_value_by_value() {
    let scene = scene(FULL);
    let block = scene.bodies[0].material.over(&scene.material);
    // Lamé's parameters and the mass displace their alternatives; the rest is inherited.
    let expected = Material {
        kind: Some(MaterialKind::Stvk),
        mu: Some(1000.0),
        lambda: Some(2000.0),
        mass: Some(4.0),
        law: Some(SpringLaw::Squared),
        ..Material::default()
    };
    assert_eq!(block, expected);
    let cloth = scene.bodies[1].material.over(&scene.material);
    assert_eq!(
        (cloth.kind, cloth.young, cloth.density),
        (Some(MaterialKind::Springs), Some(1e5), Some(1000.0))
    );
    assert_eq!((cloth.stiffness, cloth.shear_stiffness), (Some(50.0), Some(0.0)));
    let soft = Material { young: Some(1.0), ..Material::default() };
    let merged =
        soft.over(&Material { mu: Some(2.0), lambda: Some(3.0), poisson: Some(0.1), ..Material::default() });
    assert_eq!((merged.young, merged.poisson, merged.mu, merged.lambda), (Some(1.0), Some(0.1), None, None));
}

#[test]
fn overrides_replace_values_and_make_tables() {
    let scene = set(
        BALL,
        &[
            "solver.iterations=20",
            "correction.kind=none",
            "correction.kind=fepr",
            "h=1/120",
            "gravity=[0, -1, 0]",
            "title=two words",
            "body.0.material.young=1e5",
            "body.0.initial={ spin = [0, 3, 0] }",
            "body.0.mesh.ball.cells = 8",
            "body.0.name=\"7\"",
            "expect.\"energy.drift\".max=1",
            "expect.energy.final.min=2",
        ],
    )
    .unwrap();
    assert_eq!(scene.solver.iterations, Some(20));
    assert_eq!(scene.correction.kind, CorrectionKind::Fepr, "the last one counts");
    assert_eq!((scene.h, scene.gravity), (1.0 / 120.0, [0.0, -1.0, 0.0]));
    assert_eq!(scene.title, "two words");
    let body = &scene.bodies[0];
    assert_eq!((body.material.young, body.initial.spin), (Some(1e5), Some([0.0, 3.0, 0.0])));
    assert_eq!(body.mesh, Some(MeshSource::Ball(BallMesh { radius: 1.0, cells: 8 })));
    assert_eq!(body.name.as_deref(), Some("7"));
    assert_eq!(scene.expect.0["energy.drift"].max, Some(1.0));
    assert_eq!(scene.expect.0["energy.final"].min, Some(2.0));
}

#[test]
fn an_override_may_supply_what_the_file_lacks_and_mend_what_is_wrong() {
    let scene =
        set("h = 7\n", &["h=0.5", "body=[{ mesh = { tetrahedron = {} } }]", "body.0.name=x"]).unwrap();
    assert_eq!((scene.h, scene.bodies[0].name.as_deref()), (0.5, Some("x")));
}

#[test]
fn an_override_finds_an_expectation_however_both_are_spelled() {
    for argument in
        ["expect.energy.drift.max=5", "expect.\"energy.drift\".max=5", "expect.energy.drift={ max = 5 }"]
    {
        let scene = set(FULL, &[argument]).unwrap();
        assert_eq!((scene.expect.0["energy.drift"].max, scene.expect.0.len()), (Some(5.0), 5), "{argument}");
    }
    for argument in ["expect.energy.final.equals=5", "expect.'energy.final'.equals=5"] {
        let scene = set(FULL, &[argument]).unwrap();
        assert_eq!(scene.expect.0["energy.final"].equals, Some(Scalar::Number(5.0)), "{argument}");
    }
}

#[test]
fn mistakes_in_overrides_name_the_override() {
    let cases: &[(&str, &str)] = &[
        ("solver.itertions=20", "unknown key `itertions` in [solver]; did you mean `iterations`?"),
        ("slover.iterations=20", "unknown key `slover` at the top level; did you mean `solver`?"),
        ("correction.kind=fepr2", "unknown value `fepr2`; did you mean `fepr`?"),
        ("solver.iterations=0", "must be between 1 and 100000, is 0"),
        ("solver.iterations=many", "expected an integer, 0 or greater, found the string \"many\""),
        ("body.0.material.density=-3", "must be positive, is -3"),
        ("body.0.material.density=nan", "must be a finite number, is NaN"),
        ("body.7.material.density=1", "`body` has only elements 0 to 6"),
        ("body.0.pin.5.select.all=true", "`body.0.pin` has only elements 0 to 1"),
        ("body.block.name=x", "`body` is an array: `block` must be an index, for example `body.0`"),
        ("title.x=1", "`title` is a single value, not a table"),
        ("gravity=[1, 2", "array"),
        ("material.mass=3", "cannot be combined with `density`"),
        ("body.0.material.density=3", "cannot be combined with `mass`"),
        ("body.0.mesh={ box = { size = [1,1,1] } }", "missing key `cells` in [body.mesh.box]"),
        ("camera={ eye = [0,0,0] }", "missing key `look_at` in [camera]"),
        ("solver", "expected KEY=VALUE"),
        ("=3", "the key has an empty part"),
        ("solver..kind=3", "the key has an empty part"),
        ("\"solver.kind=3", "expected KEY=VALUE"),
        ("a b=3", "expected `.` before `b` in the key"),
    ];
    for (argument, piece) in cases {
        let error = set(FULL, &[argument]).expect_err(argument);
        let shown = error.to_string();
        assert!(shown.starts_with(&format!("--set {argument}: ")), "{shown}");
        assert!(error.message.contains(piece), "expected `{piece}` in: {shown}");
        assert_eq!((error.line(), error.file()), (None, None));
        assert_eq!(error.place, Place::Override(argument.to_string()));
    }
    // Exactly the form that users see.
    let error = set(FULL, &["solver.iterations=0"]).unwrap_err();
    assert_eq!(error.to_string(), "--set solver.iterations=0: must be between 1 and 100000, is 0");
    let error = set(FULL, &[&format!("{}=1", vec!["a"; 1000].join("."))]).unwrap_err();
    assert!(error.message.contains("more than 32 parts"), "{error}");
}

#[test]
fn a_mistake_of_the_file_keeps_its_line_beside_overrides() {
    let error = set(&format!("frames = 0\n{BALL}"), &["h=0.01"]).unwrap_err();
    assert_eq!(error.line(), Some(1));
}

#[test]
fn later_stages_find_the_line_of_a_key() {
    let overrides = [Override::parse("body.1.material.young=5").unwrap()];
    let parsed = parse(FULL, "full.toml", &overrides).unwrap();
    let line = |needle: &str| 1 + FULL.lines().position(|l| l.contains(needle)).unwrap();
    let at = |key: &str| parsed.locations.error(key, "is wrong").line();
    assert_eq!(at("body.0.material.lambda"), Some(line("lambda = 2000")));
    assert_eq!(at("body.2.mesh.file.path"), Some(line("meshes/cow.msh")));
    assert_eq!(at("body.0.pin.1.select.indices.0"), Some(line("select.indices")));
    assert_eq!(at("expect.energy.drift"), Some(line("\"energy.drift\"")));
    assert_eq!(at("expect.\"energy.drift\".max"), Some(line("\"energy.drift\"")));
    assert_eq!(at("expect.energy.final"), Some(line("final.equals")));
    // What is not written is looked for in the nearest table that is.
    assert_eq!(at("body.0.material.density"), Some(line("[body.material]")));
    assert_eq!(at("body.0.attachment.0.motion.sinusoid.nothing"), Some(line("sinusoid =")));
    assert_eq!(at("body.3.material"), Some(line("masses") - 6));
    assert_eq!(at("nothing"), Some(1));
    assert_eq!(at(""), Some(1));
    let error = parsed.locations.error("body.1.material.young", "is too soft");
    assert_eq!(error.to_string(), "--set body.1.material.young=5: is too soft");
    assert_eq!(parsed.locations.source_name(), "full.toml");
}

#[test]
fn the_schema_describes_every_key() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let root = schema["properties"].as_object().unwrap();
    let keys = [
        "title",
        "description",
        "frames",
        "h",
        "gravity",
        "checkpoint_every",
        "integrator",
        "solver",
        "correction",
        "fepr",
        "damping",
        "material",
        "body",
        "joint",
        "contact",
        "collider",
        "wind",
        "acceleration",
        "expect",
        "camera",
        "render",
    ];
    assert_eq!(root.len(), keys.len());
    for key in keys {
        assert!(root[key]["description"].is_string(), "`{key}` has no description");
    }
    let definitions = schema["$defs"].as_object().unwrap();
    for (name, definition) in definitions {
        let Some(properties) = definition["properties"].as_object() else { continue };
        assert_eq!(definition["additionalProperties"], false, "{name}");
        for (key, property) in properties {
            assert!(property["description"].is_string(), "{name}.{key} has no description");
        }
    }
    assert!(!schema.to_string().contains("null"), "TOML has no null");
    assert_eq!(definitions["Damping"]["properties"]["rigid_preserving"]["maximum"], 1);
    assert_eq!(definitions["Body"]["anyOf"][0]["required"], serde_json::json!(["mesh"]));
}

/// Where the examples of the documentation stand.
const DOCUMENTATION: &str = include_str!("../../../docs/scenes.md");

#[test]
fn the_documentation_names_every_key_and_choice() {
    fn keys(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(object) => {
                if let Some(properties) = object.get("properties").and_then(|p| p.as_object()) {
                    found.extend(properties.keys().cloned());
                }
                found.extend(object.get("const").and_then(|c| c.as_str()).map(str::to_string));
                object.values().for_each(|value| keys(value, found));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    keys(&serde_json::from_str(&schema()).unwrap(), &mut found);
    assert!(found.len() > 100, "the schema lists {} keys", found.len());
    let words: std::collections::HashSet<&str> =
        DOCUMENTATION.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).collect();
    for key in found {
        assert!(words.contains(key.as_str()), "docs/scenes.md does not mention `{key}`");
    }
}

#[test]
fn the_examples_of_the_documentation_are_scenes() {
    let blocks: Vec<&str> =
        DOCUMENTATION.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 4);
    for block in blocks {
        scene(block);
    }
}
