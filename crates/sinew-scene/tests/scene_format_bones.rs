//! Bones, rigid bodies and joints in scene files: what is read, and what is refused before any mesh is.

use sinew_scene::format::*;

const FULL: &str = r#"
[[body]]
name = "leg"
mesh.file = { path = "leg.mesh", scale = 0.01 }
joints = "leg.joint"
[[body.bone]]
name = "thigh"
kinematic = true
pivot = [0, 1, 0]
motion = { spin = [0, 0, 1], keyframes = [{ time = 0 }, { time = 1, offset = [0, 0.5, 0] }] }
[[body.bone]]
name = "shell"
regions = [4, -5]
[[body.bone]]
name = "nail"
select.sphere = { center = [0, 0, 0], radius = 0.1 }
[[body.attachment]]
select.bone = "thigh"
stiffness = 10

[[body]]
name = "weight"
rigid = { mass = 2, center = [0, -1, 0], inertia = [1, 1.5, 2] }
kinematic = true
motion.sinusoid = { amplitude = [1, 0, 0], frequency = 2 }

[[body]]
skeleton = false
mesh.character = { vertices = 1000, bones = 4, joints = 2, elastic = 700 }

[[joint]]
name = "hip"
kind = "ball"
between = ["thigh", "world"]
position = [0, 1, 0]
axis = [0, -1, 0]
cone = 60
twist = 20

[[joint]]
kind = "hinge"
between = ["leg/shell", "weight"]
position = [0, 0.5, 0]
axis = [1, 0, 0]
range = [-5, 140]

[[joint]]
kind = "weld"
between = ["nail", "shell"]
position = [0, 0, 0]
"#;

fn scene(text: &str) -> Scene {
    parse(text, "bones.toml", &[]).unwrap_or_else(|error| panic!("{error}")).scene
}

#[test]
fn bones_and_joints_are_read() {
    let scene = scene(FULL);
    let leg = &scene.bodies[0];
    assert_eq!(leg.joints.as_deref(), Some("leg.joint"));
    let [thigh, shell, nail] = leg.bones.as_slice() else { panic!() };
    assert!(thigh.kinematic && thigh.pivot == Some([0.0, 1.0, 0.0]) && thigh.region.is_none());
    assert_eq!(thigh.motion.as_ref().unwrap().keyframes.len(), 2);
    assert_eq!((shell.regions.as_deref(), shell.kinematic), (Some(&[4, -5][..]), false));
    assert!(matches!(nail.select, Some(Selection::Sphere(_))));
    assert_eq!(leg.attachments[0].select, Selection::Bone("thigh".into()));
    let weight = scene.bodies[1].rigid.given().unwrap();
    assert_eq!((weight.mass, weight.center), (2.0, [0.0, -1.0, 0.0]));
    assert!(scene.bodies[1].mesh.is_none() && scene.bodies[1].kinematic);
    assert!(!scene.bodies[2].skeleton);
    let Some(MeshSource::Character(character)) = &scene.bodies[2].mesh else { panic!() };
    assert_eq!((character.joints, character.elastic, character.flesh), (Some(2), Some(700), true));
    let [hip, knee, weld] = scene.joints.as_slice() else { panic!() };
    assert_eq!((hip.kind, hip.cone, hip.twist), (JointKind::Ball, Some(60.0), Some(20.0)));
    assert_eq!((knee.between[0].as_str(), knee.range), ("leg/shell", Some([-5.0, 140.0])));
    assert_eq!((weld.kind, &weld.name), (JointKind::Weld, &None));
}

#[test]
fn bones_written_back_are_the_same() {
    let scene = scene(FULL);
    let text = toml::to_string(&scene).unwrap();
    assert_eq!(parse(&text, "back.toml", &[]).unwrap_or_else(|error| panic!("{error}")).scene, scene);
}

#[test]
fn models_with_bones_have_defaults() {
    for (text, expected) in [
        ("cantilever", MeshSource::Cantilever(CantileverMesh::default())),
        ("chain", MeshSource::Chain(ChainMesh::default())),
        ("nunchuck", MeshSource::Nunchuck(NunchuckMesh::default())),
        ("bracelet", MeshSource::Bracelet(BraceletMesh::default())),
        ("character", MeshSource::Character(CharacterMesh::default())),
    ] {
        let scene = scene(&format!("[[body]]\nmesh.{text} = {{}}\n"));
        assert!(expected.brings_bones());
        assert_eq!(scene.bodies[0].mesh.as_ref(), Some(&expected));
    }
    assert_eq!(ChainMesh { bones: 3, ..ChainMesh::default() }.all_cells(), [36, 4, 4]);
}

/// Asserts that a scene is refused at the line marked by a comment `# !` with a message that contains every piece.
#[track_caller]
fn refused(text: &str, pieces: &[&str]) {
    let line = 1 + text.lines().position(|line| line.contains("# !")).expect("the test marks a line");
    let error = match parse(text, "bad.toml", &[]) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error,
    };
    assert_eq!(error.line(), Some(line), "wrong line: {error}\nin:\n{text}");
    for piece in pieces {
        assert!(error.message.contains(piece), "expected `{piece}` in: {error}");
    }
}

#[track_caller]
fn refused_bone(text: &str, pieces: &[&str]) {
    refused(&format!("[[body]]\nmesh.box = {{ size = [1, 1, 1], cells = [1, 1, 1] }}\n{text}"), pieces);
}

#[test]
fn bones_that_cannot_be() {
    refused_bone("[[body.bone]] # !\nregion = 1\n", &["missing key `name`"]);
    refused_bone("[[body.bone]] # !\nname = \"a\"\n", &["has no vertices", "`region`"]);
    refused_bone("[[body.bone]]\nname = \" \" # !\nregion = 1\n", &["must not be empty"]);
    refused_bone("[[body.bone]]\nname = \"world\" # !\nregion = 1\n", &["what joints call the surroundings"]);
    refused_bone("[[body.bone]]\nname = \"a/b\" # !\nregion = 1\n", &["must not contain `/`"]);
    let twice = "[[body.bone]]\nname = \"a\"\nregion = 1\n[[body.bone]]\nname = \"a\" # !\nregion = 2\n";
    refused_bone(twice, &["already the name of bone 0"]);
    refused_bone(
        "[[body.bone]]\nname = \"a\"\nregion = 1\nregions = [2] # !\n",
        &["cannot be combined with `region`"],
    );
    refused_bone(
        "[[body.bone]]\nname = \"a\"\nregion = 1\nselect.all = true # !\n",
        &["cannot be combined with `region`"],
    );
    refused_bone("[[body.bone]]\nname = \"a\"\nregions = [] # !\n", &["must not be empty"]);
    refused_bone("[[body.bone]]\nname = \"a\"\nregion = 1.5 # !\n", &["expected an integer"]);
    refused_bone("[[body.bone]]\nname = \"a\"\nselect.bone = \"b\" # !\n", &["cannot be chosen by a bone"]);
    refused_bone(
        "[[body.bone]]\nname = \"a\"\nselect.sphere = { center = [0, 0, 0], radius = 0 } # !\n",
        &["positive"],
    );
    refused_bone(
        "[[body.bone]]\nname = \"a\"\nregion = 1\nkinematics = true # !\n",
        &["did you mean `kinematic`?"],
    );
    refused_bone(
        "[[body.bone]]\nname = \"a\"\nregion = 1\nmotion.spin = [1, 0, 0] # !\n",
        &["needs `kinematic = true`"],
    );
    refused_bone(
        "[[body.bone]]\nname = \"a\"\nregion = 1\nkinematic = true\npivot = [1, 0, 0] # !\n",
        &["no effect without `motion`"],
    );
    let bone = "[[body.bone]]\nname = \"a\"\nregion = 1\nkinematic = true\n";
    refused_bone(&format!("{bone}motion = {{}} # !\n"), &["moves nothing"]);
    let keys = "motion.keyframes = [\n{ time = 1 },\n{ time = 1 }, # !\n]\n";
    refused_bone(&format!("{bone}{keys}"), &["must be later than the keyframe before"]);
    refused_bone("joints = \"\" # !\n", &["must not be empty"]);
    refused("[[body]]\nmesh.chain = {}\njoints = \"a.joint\" # !\n", &["brings bones and joints of its own"]);
}

#[test]
fn rigid_bodies_that_cannot_be() {
    refused_bone("rigid = true\njoints = \"a.joint\" # !\n", &["cannot be combined with `rigid`"]);
    refused_bone(
        "rigid = true\n[[body.bone]] # !\nname = \"a\"\nregion = 1\n",
        &["cannot be combined with `rigid`"],
    );
    refused_bone("rigid = true\nname = \"world\" # !\n", &["what joints call the surroundings"]);
    refused_bone("kinematic = true # !\n", &["belongs to a rigid body"]);
    refused_bone("motion.spin = [1, 0, 0] # !\n", &["belongs to a rigid body"]);
    refused_bone("rigid = true\nmotion.spin = [1, 0, 0] # !\n", &["needs `kinematic = true`"]);
    refused("[[body]] # !\nname = \"a\"\n", &["missing key `mesh` in [body]", "inertia is given"]);
    refused("[[body]] # !\nrigid = true\n", &["missing key `mesh`"]);
    refused("[[body]]\nrigid = { mass = 1 } # !\n", &["missing key `inertia` in [body.rigid]"]);
    let body = |inertia: &str| format!("[[body]]\nrigid = {{ mass = 1, inertia = {inertia} }} # !\n");
    refused(&body("[1, 1]"), &["has 2 numbers; it takes 3, 6 or 9"]);
    refused(&body("[1, 1, -1]"), &["may not be negative"]);
    refused(&body("[1, 1, 3]"), &["is that of no body"]);
    refused(&body("[1, 1, 1, 2, 0, 0]"), &["may not be negative"]);
    refused(&body("[1, 0.5, 0, 0, 1, 0, 0, 0, 1]"), &["must be symmetric"]);
    // A disc, a rod and a point have no thickness.
    for good in
        ["[1, 1, 2]", "[0, 1, 1]", "[0, 0, 0]", "[1, 1, 1, 0.1, 0, 0]", "[1, 0.1, 0, 0.1, 1, 0, 0, 0, 1]"]
    {
        scene(&body(good));
    }
    refused(&body("[1, 1, 1], masse = 1"), &["unknown key `masse` in [body.rigid]", "did you mean `mass`?"]);
    refused("[[body]]\nrigid = { mass = 0, inertia = [1, 1, 1] } # !\n", &["must be positive"]);
    let point = "[[body]]\nrigid.mass = 1\nrigid.inertia = [1, 1, 1]\n";
    refused(&format!("{point}initial.stretch = [1, 1, 1] # !\n"), &["no mesh"]);
    refused(&format!("{point}[[body.pin]] # !\nselect.all = true\n"), &["no mesh"]);
    refused(
        "[[body]]\nmaterial.density = 3\nrigid.inertia = [1, 1, 1]\nrigid.mass = 1 # !\n",
        &["cannot be combined with `density`"],
    );
}

#[test]
fn joints_that_cannot_be() {
    let joint = |rest: &str| {
        format!(
            "body = [{{ mesh.chain = {{}} }}]\n[[joint]]\nbetween = [\"bone 1\", \"bone 2\"]\nposition = [0, 0, 0]\n{rest}"
        )
    };
    refused(&joint("kind = \"bal\" # !\n"), &["unknown value `bal`", "did you mean `ball`?", "`hinge`"]);
    refused(
        &joint("kind = \"hinge\"\n").replace("[[joint]]", "[[joint]] # !"),
        &["axis", "is missing: a hinge turns about an axis"],
    );
    refused(&joint("kind = \"hinge\"\naxis = [0, 0, 0] # !\n"), &["must have a direction"]);
    refused(&joint("kind = \"hinge\"\naxis = [1, 0, 0]\ncone = 3 # !\n"), &["belongs to a ball joint"]);
    refused(&joint("kind = \"hinge\"\naxis = [1, 0, 0]\nrange = [10, 20] # !\n"), &["must contain 0"]);
    refused(
        &joint("kind = \"hinge\"\naxis = [1, 0, 0]\nrange = [-190, 20] # !\n"),
        &["between −180 and 180", "-190"],
    );
    refused(&joint("kind = \"hinge\"\naxis = [1, 0, 0]\nrange = [20] # !\n"), &["an array of length 2"]);
    refused(&joint("kind = \"ball\"\ntwist = 181 # !\naxis = [1, 0, 0]\n"), &["at most 180 degrees, is 181"]);
    refused(&joint("kind = \"ball\"\naxis = [1, 0, 0] # !\n"), &["has no effect"]);
    refused(&joint("kind = \"weld\"\naxis = [1, 0, 0] # !\n"), &["a weld does not turn"]);
    refused(&joint("").replace("[[joint]]", "[[joint]] # !"), &["missing key `kind` in [joint]"]);
    let same = joint("kind = \"ball\"\n").replace("\"bone 1\", \"bone 2\"]", "\"bone 1\", \"bone 1\"] # !");
    refused(&same, &["connects `bone 1` with itself"]);
    let world = joint("kind = \"ball\"\n").replace("\"bone 1\", \"bone 2\"]", "\"world\", \"world\"] # !");
    refused(&world, &["connects `world` with itself"]);
    refused(&joint("kind = \"ball\"\n").replace("\"bone 2\"]", "\"\"] # !"), &["must not be empty"]);
    refused(
        &joint("kind = \"ball\"\n").replace("position = [0, 0, 0]", "position = [0, nan, 0] # !"),
        &["must be a finite number"],
    );
    let named = "name = \"a\"\nkind = \"ball\"\n";
    let two = format!(
        "{}{}",
        joint(named),
        "[[joint]]\nbetween = [\"bone 2\", \"bone 3\"]\nposition = [0, 0, 0]\nkind = \"ball\"\nname = \"a\" # !\n"
    );
    refused(&two, &["`a` is already the name of joint 0"]);
}

#[test]
fn models_that_cannot_be() {
    let mesh = |text: &str| format!("[[body]]\nmesh.{text} # !\n");
    refused(&mesh("cantilever = { length = 0 }"), &["must be positive"]);
    refused(&mesh("cantilever = { cells = [34, 0, 6] }"), &["must be at least 1"]);
    refused(&mesh("chain = { bones = 0 }"), &["between 1 and 100000"]);
    refused(&mesh("chain = { bones = 4000000000 }"), &["between 1 and 100000"]);
    refused(&mesh("nunchuck = { gap = -1 }"), &["must not be negative"]);
    refused(&mesh("bracelet = { beads = 2 }"), &["between 3 and"]);
    refused(&mesh("bracelet = { hinge = true }"), &["did you mean `hinges`?"]);
    refused(&mesh("character = { vertices = 3 }"), &["between 8 and"]);
    refused(&mesh("character = { size = [1, 0, 1] }"), &["must be positive"]);
    let inline = "[[body]]\n[body.mesh.inline]\npoints = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\ntets = [[0, 1, 2, 3]]\nregions = [1, 2] # !\n";
    refused(inline, &["has 2 values for 1 tetrahedra"]);
}
