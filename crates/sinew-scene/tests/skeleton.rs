//! Bones and joints from scene text and files to the model, and errors that only the meshes show.

use glam::{DQuat, DVec3};
use sinew::{BodyId, BoneId, JointId};
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::format::{SceneError, parse};
use sinew_scene::mesh_io::{self, write_medit, write_obj};
use sinew_scene::models::{self, RiggedMesh};
use sinew_scene::rig;
use sinew_scene::run::Run;
use std::path::{Path, PathBuf};

const JELLY: &str = "[material]\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\n";
/// Nine cells in a row: flesh 0, bones 1 and 2 with flesh between them, and 3 right beside 2.
const ROW: &str = "[[body]]\nname = \"row\"\nmesh.box = { size = [9, 1, 1], cells = [9, 1, 1] }\n";

fn try_build_in(folder: &Path, text: &str) -> Result<BuiltScene, SceneError> {
    build(&parse(text, "scene.toml", &[])?, folder)
}

fn built(text: &str) -> BuiltScene {
    try_build_in(Path::new(""), text).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(text: &str, pieces: &[&str]) {
    refused_in(Path::new(""), text, pieces);
}

/// Refused at the line marked by a comment `# !` with a message that contains every piece.
#[track_caller]
fn refused_in(folder: &Path, text: &str, pieces: &[&str]) {
    let line = 1 + text.lines().position(|line| line.contains("# !")).expect("the test marks a line");
    let error = match try_build_in(folder, text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error,
    };
    for piece in pieces {
        assert!(error.message.contains(piece), "expected `{piece}` in: {error}");
    }
    assert_eq!(error.line(), Some(line), "wrong line: {error}");
}

fn cells(from: f64, to: f64) -> String {
    format!("select.box = {{ min = [{}, -1, -1], max = [{}, 1, 1] }}", from - 4.51, to - 4.49)
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sinew-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn leg() -> RiggedMesh {
    models::bone_row(1.7, 0.3, [6, 3, 3], 2).unwrap()
}

#[test]
fn models_bring_bones_and_joints() {
    for (mesh, bones, joints) in [
        ("cantilever = { cells = [8, 3, 3] }", 2, 1),
        ("chain = { bones = 4, cells = [12, 3, 3] }", 4, 3),
        ("nunchuck = { cells = [2, 1, 1] }", 2, 1),
        ("bracelet = { cells = 2 }", 12, 12),
        ("bracelet = { cells = 2, beads = 5, hinges = true }", 5, 5),
        ("character = { vertices = 1000, bones = 6, joints = 3 }", 6, 3),
        ("cantilever = { cells = [8, 3, 3], flesh = false }", 2, 1),
    ] {
        let scene = built(&format!("{JELLY}[[body]]\nmesh.{mesh}\n"));
        assert_eq!((scene.model().bone_count(), scene.model().joint_count()), (bones, joints), "{mesh}");
        let soft = built(&format!("{JELLY}[[body]]\nskeleton = false\nmesh.{mesh}\n"));
        assert_eq!((soft.model().bone_count(), soft.model().joint_count()), (0, 0), "{mesh}");
        let rigid = built(&format!("{JELLY}[[body]]\nrigid = true\nmesh.{mesh}\n"));
        assert_eq!((rigid.model().bone_count(), rigid.model().joint_count()), (1, 0), "{mesh}");
    }
    refused(
        "[[body]]\nmesh.cantilever = { cells = [5, 3, 3] } # !\n",
        &["along the bar must be at least 6, and is 5"],
    );
    refused("[[body]]\nmesh.bracelet = { bead_radius = 0.1 } # !\n", &["overlap"]);
    refused("[[body]]\nmesh.character = { bones = 5, joints = 5 } # !\n", &["5 joints are too many"]);
}

#[test]
fn bones_without_flesh_need_no_elasticity() {
    let scene = built("material.density = 700\n[[body]]\nmesh.nunchuck = { cells = [2, 1, 1] }\n");
    for stick in 0..2 {
        let mass = scene.model().bone_mass(BoneId(stick)).unwrap();
        assert!((mass - 700.0 * 0.4 * 0.04).abs() < 1e-9, "{mass}");
    }
    refused(
        "material.density = 700\n[[body]] # !\nmesh.chain = {}\n",
        &["is missing: a solid needs Young's modulus"],
    );
}

#[test]
fn bones_are_chosen_by_selection_region_or_name() {
    let scene = built(&format!(
        "{JELLY}{ROW}[[body.bone]]\nname = \"a\"\n{}\n[[body.bone]]\nname = \"b\"\nkinematic = true\n{}\n",
        cells(0.0, 2.0),
        cells(4.0, 6.0)
    ));
    assert_eq!(scene.model().bone_count(), 2);
    let chain = "[[body]]\nmesh.chain = { bones = 2, cells = [6, 3, 3] }\n";
    built(&format!("{JELLY}{chain}[[body.bone]]\nname = \"bone 2\"\nkinematic = true\n"));
    built(&format!("{JELLY}{chain}skeleton = false\n[[body.bone]]\nname = \"both\"\nregions = [1, 2]\n"));
    built(&format!("{JELLY}{chain}skeleton = false\n[[body.bone]]\nname = \"one\"\nregion = 1\n"));
    let bone =
        |name: &str, rest: &str| format!("{JELLY}{chain}[[body.bone]]\nname = \"{name}\" # !\n{rest}\n");
    refused(&bone("bone 3", "kinematic = true"), &["the mesh brings no bone `bone 3`", "did you mean `bone"]);
    refused(&bone("bone 1", "region = 1"), &["already brings a bone `bone 1`"]);
}

#[test]
fn regions_that_do_not_exist_are_told_with_those_that_do() {
    let chain = format!(
        "{JELLY}[[body]]\nskeleton = false\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }}\n[[body.bone]]\nname = \"a\"\n"
    );
    refused(&format!("{chain}region = 7 # !\n"), &["there is no region 7; the mesh has 0, 1, 2"]);
    refused(
        &format!("{chain}regions = [1, 9] # !\n"),
        &["`body.0.bone.0.regions.1`", "there is no region 9"],
    );
    refused(
        &format!("{JELLY}{ROW}[[body.bone]]\nname = \"a\"\nregion = 1 # !\n"),
        &["the mesh has no labels"],
    );
    let nothing = "select.sphere = { center = [0, 9, 0], radius = 1 } # !";
    refused(
        &format!("{JELLY}{ROW}[[body.bone]]\nname = \"a\"\n{nothing}\n"),
        &["selects none of the 40 vertices"],
    );
}

#[test]
fn bones_do_not_share_vertices() {
    let text = format!(
        "{JELLY}{ROW}[[body.bone]]\nname = \"a\"\n{}\n[[body.bone]] # !\nname = \"b\"\n{}\n",
        cells(0.0, 2.0),
        cells(2.0, 4.0)
    );
    refused(&text, &["the bones `a` and `b` share vertex 8", "flesh has to lie between them"]);
}

#[test]
fn a_joint_file_says_which_regions_are_bones() {
    let folder = Folder::new("joint-file");
    let RiggedMesh { mesh, rig } = leg();
    write_medit(&folder.0.join("leg.mesh"), &mesh).unwrap();
    assert_eq!(mesh_io::read(&folder.0.join("leg.mesh")).unwrap(), mesh, "the mesh survives the file");
    rig::write(&rig, &folder.0.join("leg.joint")).unwrap();
    let text = format!(
        "{JELLY}[[body]]\nmesh.file = {{ path = \"leg.mesh\", scale = 2, center = true }}\njoints = \"leg.joint\" # !\n"
    );
    let scene = try_build_in(&folder.0, &text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scene.model().bone_count(), scene.model().joint_count()), (2, 1));
    let named =
        try_build_in(&folder.0, &format!("{text}[[body.bone]]\nname = \"bone 1\"\nkinematic = true\n"));
    assert_ne!(named.unwrap().fingerprint, scene.fingerprint);

    // The file counts for what a checkpoint fits to.
    let other = rig::to_text(&rig).replace("at 0.0 0.0 0.0", "at 0.1 0.0 0.0");
    assert_ne!(other, rig::to_text(&rig));
    folder.write("leg.joint", &other);
    assert_ne!(try_build_in(&folder.0, &text).unwrap().fingerprint, scene.fingerprint);

    folder.write("leg.joint", "sinew-joints 1\nbone a 1\nbone b 5\nend\n");
    refused_in(&folder.0, &text, &["bone `b`: there is no region 5; the mesh has 0, 1, 2"]);
    folder.write("leg.joint", "sinew-joints 1\nbone a 1\nbone b 0\nend\n");
    refused_in(&folder.0, &text, &["the bones `a` and `b` share vertex"]);
    folder.write("leg.joint", "sinew-joints 1\nbone a 1\njoint j ball a b at 0 0 0\nend\n");
    refused_in(&folder.0, &text, &["leg.joint:3: there is no bone `b`"]);
    folder.write("leg.joint", "sinew-joints 1\nbone a 1\n");
    refused_in(&folder.0, &text, &["leg.joint:2: the file stops before its line `end`"]);
    refused_in(&folder.0, &text.replace("leg.joint", "arm.joint"), &["arm.joint"]);
}

#[test]
fn joints_find_their_bones_by_name() {
    let two = "[[body]]\nname = \"left\"\nmesh.nunchuck = { cells = [2, 1, 1] }\n[[body]]\nname = \"right\"\ninitial.translate = [0, 1, 0]\n\
               mesh.nunchuck = { cells = [2, 1, 1] }\n[[body]]\nname = \"ball\"\nrigid = true\nmesh.ball = { radius = 0.1, cells = 2 }\n";
    let joint = |a: &str, b: &str| {
        format!(
            "material.density = 700\n{two}[[joint]]\nkind = \"ball\"\nposition = [0, 0, 0]\nbetween = [\"{a}\", \"{b}\"] # !\n"
        )
    };
    for (a, b) in [
        ("left/stick 1", "right/stick 1"),
        ("ball", "left/stick 2"),
        ("world", "ball"),
        ("right/stick 2", "world"),
    ] {
        assert_eq!(built(&joint(a, b)).model().joint_count(), 3);
    }
    refused(&joint("stick 1", "ball"), &["several bones `stick 1`", "`left/stick 1` or `right/stick 1`"]);
    refused(&joint("left/stik 1", "ball"), &["no rigid body `left/stik 1`", "did you mean `left/stick 1`?"]);
    refused(&joint("world", "bal"), &["`joint.0.between.1`", "did you mean `ball`?"]);
    refused(&joint("left", "ball"), &["there is no bone and no rigid body `left`"]);
    let one = format!("{JELLY}[[body]]\nname = \"c\"\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }}\n");
    let same = "[[joint]]\nkind = \"ball\"\nposition = [0, 0, 0]\nbetween = [\"bone 1\", \"c/bone 1\"] # !\n";
    refused(&format!("{one}{same}"), &["`bone 1` and `c/bone 1` are the same"]);
    let bare = format!("{JELLY}{ROW}{}", same.replace("c/bone 1", "world"));
    refused(&bare, &["the scene has no bones and no rigid bodies"]);
}

#[test]
fn a_bone_is_pinned_as_a_whole() {
    let chain = format!("{JELLY}[[body]]\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }}\n");
    let whole = built(&format!("{chain}[[body.pin]]\nselect.bone = \"bone 1\"\n"));
    let kinematic = built(&format!("{chain}[[body.bone]]\nname = \"bone 1\"\nkinematic = true\n"));
    assert_eq!(whole.model().bone_count(), kinematic.model().bone_count());
    refused(
        &format!("{chain}[[body.pin]]\nselect.bone = \"bone 9\" # !\n"),
        &["the body has no bone `bone 9`"],
    );
    let half = "select.box = { min = [-1, -1, -1], max = [-0.3, 1, 1] } # !";
    refused(
        &format!("{chain}[[body.pin]]\n{half}\n"),
        &["holds 4 of the 8 vertices of the bone `bone 1`", "select.bone"],
    );
    refused(
        &format!("{chain}rigid = true\n[[body.pin]]\n{half}\n"),
        &["of a rigid body", "kinematic = true"],
    );
    refused(&format!("{JELLY}{ROW}[[body.pin]]\nselect.bone = \"a\" # !\n"), &["the body has no bone `a`"]);
}

#[test]
fn attachments_and_overrides_select_bones() {
    let chain = format!("{JELLY}[[body]]\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }}\n");
    let scene = built(&format!("{chain}[[body.attachment]]\nselect.bone = \"bone 2\"\nstiffness = 100\n"));
    assert_eq!(scene.model().attached().len(), 8);
    let mass = |scene: &BuiltScene| scene.model().bone_mass(BoneId(1)).unwrap();
    let heavy = built(&format!("{chain}[[body.override]]\nselect.bone = \"bone 2\"\ndensity = 3000\n"));
    let cell = 1.5 / 6.0 * (0.1 / 3.0) * (0.1 / 3.0);
    assert!((mass(&heavy) - mass(&scene) - 2000.0 * cell).abs() < 1e-12);
}

fn open_and_closed_cube(folder: &Folder) {
    let cube = models::tet_box(DVec3::new(0.2, 0.4, 0.6), [1, 2, 3], models::Split::Five).unwrap();
    let mut surface = sinew::boundary_triangles(&cube.tets);
    write_obj(&folder.0.join("closed.obj"), &cube.points, &surface).unwrap();
    surface.iter_mut().for_each(|t| t.swap(0, 1));
    write_obj(&folder.0.join("inward.obj"), &cube.points, &surface).unwrap();
    surface.pop();
    write_obj(&folder.0.join("open.obj"), &cube.points, &surface).unwrap();
}

fn watch<T>(scene: BuiltScene, frames: usize, look: impl Fn(&Run) -> T) -> Vec<T> {
    let mut run = Run::new("watched", scene, frames);
    let mut seen = Vec::new();
    while !run.is_over() {
        run.step().unwrap();
        seen.push(look(&run));
    }
    seen
}

#[test]
fn a_kinematic_bone_goes_where_its_motion_takes_it() {
    let text = format!(
        "h = 0.25\n{JELLY}[[body]]\ninitial.translate = [0, 1, 0]\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }}\n[[body.bone]]\n\
         name = \"bone 1\"\nkinematic = true\npivot = [0, 1, 0]\n\
         motion.keyframes = [{{ time = 0 }}, {{ time = 1, offset = [0, 0, 0.4], rotate = {{ axis = [0, 1, 0], degrees = 90 }} }}]\n"
    );
    let scene = built(&text);
    let vertex = scene
        .model()
        .rest()
        .iter()
        .position(|p| p.x < -0.4 && p.x > -0.6 && p.y > 1.0 && p.y < 1.03 && p.z > 0.0 && p.z < 0.03)
        .unwrap();
    let start = scene.state.positions()[vertex];
    let places = watch(scene, 4, |run| run.state().positions()[vertex]);
    for (frame, place) in (1..).zip(places) {
        let time = 0.25 * f64::from(frame);
        let turn = DQuat::from_rotation_y(time * std::f64::consts::FRAC_PI_2);
        let expected = DVec3::Y + turn * (start - DVec3::Y) + DVec3::Z * (0.4 * time);
        assert!(place.distance(expected) < 1e-12, "{place} instead of {expected}");
    }
}

#[test]
fn a_kinematic_rigid_body_moves_and_a_pinned_one_stays() {
    let body = "h = 0.25\ngravity = [0, -10, 0]\nmaterial.density = 700\n[[body]]\nrigid = true\nmesh.ball = { radius = 1, cells = 2 }\n";
    let free = "[[body]]\nrigid = true\nmesh.ball = { radius = 1, cells = 2 }\n";
    let moved = format!("{body}kinematic = true\nmotion.spin = [0, 0, 2]\n{free}");
    let places = watch(built(&moved), 2, |run| run.state().positions()[1]);
    let start = built(&moved).state.positions()[1];
    let expected = DQuat::from_rotation_z(1.0) * start;
    assert!(places[1].distance(expected) < 1e-12, "{} instead of {expected}", places[1]);
    for held in ["kinematic = true\n", "[[body.pin]]\nselect.all = true\n"] {
        let scene = built(&format!("{body}{held}{free}"));
        let start = scene.state.positions().to_vec();
        let end = watch(scene, 3, |run| run.state().positions().to_vec()).pop().unwrap();
        let count = start.len() / 2;
        assert!(start[..count] == end[..count] && end[count].y < start[count].y - 1.0);
    }
}

#[test]
fn joints_are_where_the_bodies_start() {
    // A quarter turn and a lift: joints of the model go along, those of the scene are where it is now.
    let text = format!(
        "{JELLY}[[body]]\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }}\ninitial.rotate = {{ axis = [0, 0, 1], degrees = 90 }}\n\
         initial.translate = [0, 3, 0]\n[[joint]]\nkind = \"ball\"\nbetween = [\"world\", \"bone 2\"]\nposition = [0, 3.75, 0]\n"
    );
    let scene = built(&text);
    let gaps: Vec<_> = (0..2).map(|k| scene.state.joint_gap(scene.model(), JointId(k)).unwrap()).collect();
    assert!(gaps.iter().all(|gap| *gap < 1e-14), "{gaps:?}");
    let pulled = scene.state.positions().iter().map(|p| p.y).fold(0.0, f64::max);
    assert!((pulled - 3.75).abs() < 1e-12);
    assert!(
        (0..scene.model().joint_count())
            .all(|k| scene.state.joint_angles(scene.model(), JointId(k)).is_none())
    );
}

#[test]
fn bones_do_not_start_bent() {
    let chain = format!("{JELLY}[[body]]\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }} # !\n");
    refused(&format!("{chain}initial.stretch = [1.2, 1, 1]\n"), &["a bone cannot start bent"]);
    let named = format!(
        "{JELLY}{ROW}initial.stretch = [1.2, 1, 1]\n[[body.bone]] # !\nname = \"a\"\n{}\n",
        cells(0.0, 2.0)
    );
    refused(&named, &["bone `row/a`", "a bone cannot start bent"]);
}

#[test]
fn a_closed_surface_weighs_what_it_encloses() {
    let folder = Folder::new("enclosed");
    open_and_closed_cube(&folder);
    for (file, weight, mass) in [
        ("closed.obj", "material.density = 500", 500.0 * 0.2 * 0.4 * 0.6),
        ("inward.obj", "material.mass = 3", 3.0),
    ] {
        let text = format!(
            "[[body]]\nrigid = true\n{weight}\nmesh.file.path = \"{file}\"\ninitial.translate = [5, 0, 0]\ninitial.velocity = [1, 2, 3]\ninitial.spin = [0, 4, 0]\n"
        );
        let scene = try_build_in(&folder.0, &text).unwrap_or_else(|error| panic!("{error}"));
        assert!((scene.model().bone_mass(BoneId(0)).unwrap() - mass).abs() < 1e-8 * mass);
        let momenta = scene.state.momenta(scene.model(), BodyId(0)).unwrap();
        assert!(momenta.center.distance(DVec3::X * 5.0) < 1e-8);
        assert!(momenta.linear.distance(mass * DVec3::new(1.0, 2.0, 3.0)) < 1e-7);
        let inertia = mass / 12.0 * (0.2 * 0.2 + 0.6 * 0.6);
        assert!(momenta.angular.distance(DVec3::Y * 4.0 * inertia) < 1e-7, "{} {inertia}", momenta.angular);
        let volume: f64 = scene.model().bodies()[0]
            .surface
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| scene.model().rest()[v as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        assert!(volume > 0.0, "the surface looks outward");
    }
}

#[test]
fn a_body_may_be_nothing_but_its_inertia() {
    let text = "h = 0.1\n[[body]]\nname = \"top\"\nrigid = { mass = 2, center = [1, 0, 0], inertia = [1, 2, 2.5] }\n\
                initial = { rotate = { axis = [0, 0, 1], degrees = 90 }, translate = [0, 1, 0], velocity = [0, 0, 5], spin = [0, 7, 0] }\n";
    let scene = built(text);
    assert_eq!((scene.model().vertex_count(), scene.model().bone_count()), (0, 1));
    let momenta = scene.state.momenta(scene.model(), BodyId(0)).unwrap();
    assert!(momenta.center.distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-14);
    assert!(momenta.linear.distance(DVec3::Z * 10.0) < 1e-12);
    assert!(momenta.angular.distance(DVec3::Y * 7.0) < 1e-12, "turned, x looks along y: {}", momenta.angular);
    let report = {
        let mut run = Run::new("top", scene, 5);
        (0..5).for_each(|_| run.step().unwrap());
        run.report()
    };
    assert_eq!((report.bones, report.joints, report.vertices, report.exploded), (1, 0, 0, false));
}

#[test]
fn momenta_are_kept_only_where_nothing_holds_a_bone() {
    let body = "material.density = 700\n[[body]]\nname = \"n\"\nmesh.nunchuck = { cells = [2, 1, 1] }\ninitial.spin = [0, 2, 3]\n";
    let drift = |extra: &str| {
        let mut run = Run::new("n", built(&format!("{body}{extra}")), 5);
        (0..5).for_each(|_| run.step().unwrap());
        run.report().momentum.linear_drift
    };
    assert!(drift("").is_some_and(|drift| drift < 1e-9));
    let nail = "[[joint]]\nkind = \"ball\"\nbetween = [\"stick 1\", \"world\"]\nposition = [0.4, 0, 0]\n";
    let held = "[[body.bone]]\nname = \"stick 1\"\nkinematic = true\n";
    let point = "[[body]]\nname = \"p\"\nkinematic = true\nrigid = { mass = 1, inertia = [1, 1, 1] }\n";
    for extra in [nail, held, point] {
        assert_eq!(drift(extra), None, "{extra}");
    }
}

#[test]
fn a_run_with_moving_bones_resumes_to_the_bit() {
    let folder = Folder::new("resume");
    let text = format!(
        "{JELLY}[[body]]\nmesh.chain = {{ bones = 2, cells = [6, 3, 3] }}\n[[body.bone]]\nname = \"bone 1\"\nkinematic = true\n\
         motion = {{ spin = [0, 0, 1], sinusoid = {{ amplitude = [0, 0.1, 0], frequency = 2 }} }}\n"
    );
    let whole = {
        let mut run = Run::new("w", built(&text), 8);
        (0..8).for_each(|_| run.step().unwrap());
        run.state().hash()
    };
    let mut run = Run::new("w", built(&text), 8);
    (0..5).for_each(|_| run.step().unwrap());
    let file = folder.0.join("checkpoint.bin");
    run.save(&file).unwrap();
    let mut resumed = Run::resume("w", built(&text), 8, &file).unwrap();
    (0..3).for_each(|_| resumed.step().unwrap());
    assert_eq!(resumed.state().hash(), whole);
    let other = built(&text.replace("0.1", "0.2"));
    assert!(Run::resume("w", other, 8, &file).is_err(), "another motion is another scene");
}

#[test]
fn a_rigid_surface_has_to_be_closed() {
    let folder = Folder::new("surface");
    open_and_closed_cube(&folder);
    let body = |file: &str| {
        format!("[[body]]\nrigid = true\nmaterial.density = 500\nmesh.file.path = \"{file}\" # !\n")
    };
    refused_in(
        &folder.0,
        &body("open.obj"),
        &["a rigid surface has to be closed", "the surface is open: the edge from vertex"],
    );
    let cloth =
        "[[body]]\nrigid = true\nmaterial.density = 1\nmesh.cloth = { size = [1, 1], cells = [1, 1] } # !\n";
    refused(cloth, &["a rigid surface has to be closed"]);
    let none = body("closed.obj").replace("material.density = 500\n", "").replace("[[body]]", "[[body]] # !");
    refused_in(&folder.0, &none, &["is missing: give the material a `density`"]);
    let strike = "[body.initial]\nstrike = { center = [0, 0, 0], radius = 1, velocity = [1, 0, 0] } # !\n";
    let struck = body("closed.obj").replace(" # !", "") + strike;
    refused_in(&folder.0, &struck, &["has no effect on a body that weighs as a whole"]);
}
