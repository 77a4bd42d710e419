//! Colliders, wind, acceleration and drags: from scene text to the engine's controls, step by step.

use glam::DVec3;
use sinew::contact::{BadStart, ContactLaw, Shape};
use sinew::{Acceleration, Cause, GrabId, Side, Solver};
use sinew_scene::build::{BuiltScene, build};
use sinew_scene::format::{SceneError, parse};
use sinew_scene::run::{Picture, Run};
use std::path::Path;

const JELLY: &str = "h = 0.25\n[material]\nyoung = 1e4\npoisson = 0.3\ndensity = 1000\n";
const BOX: &str = "[[body]]\nmesh.box = { size = [2, 1, 1], cells = [2, 1, 1] }\n";

fn try_build_in(folder: &Path, text: &str) -> Result<BuiltScene, SceneError> {
    build(&parse(text, "scene.toml", &[])?, folder)
}

fn built(extra: &str) -> BuiltScene {
    try_build_in(Path::new(""), &format!("{JELLY}{BOX}{extra}")).unwrap_or_else(|error| panic!("{error}"))
}

/// What `look` sees after each of `frames` steps.
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
fn the_contact_law_reaches_the_engine() {
    assert_eq!(built("").model().contact_law(), None);
    let law = *built("[contact]\n").model().contact_law().unwrap();
    assert_eq!(law, ContactLaw::default());
    let law = *built("[[collider]]\nshape.plane = {}\n").model().contact_law().unwrap();
    assert_eq!(law, ContactLaw::default(), "a collider is enough");
    let text = "[contact]\nstart = \"refuse\"\nverify = true\nthickness = 0.1\nself = true\nbodies = false\n\
                friction = { static = 0.5, kinetic = 0.25 }\nrestitution = 0.5\n";
    let law = *built(text).model().contact_law().unwrap();
    assert_eq!((law.start, law.verify, law.thickness), (BadStart::Refuse, true, Some(0.1)));
    assert_eq!((law.friction.sticking, law.friction.sliding, law.restitution), (0.5, 0.25, 0.5));
    assert!(law.own && !law.bodies);
    let old = "[contact]\nresponse = \"cubic\"\nstiffness = 3\n";
    assert_eq!(*built(old).model().contact_law().unwrap(), ContactLaw::default(), "keys of older scenes");
}

#[test]
fn lbfgs_is_the_default_of_projective_dynamics_alone() {
    let acceleration = |extra: &str| match built(extra).settings().solver {
        Solver::ProjectiveDynamics { acceleration, .. } => acceleration,
        other => panic!("{other:?}"),
    };
    let drag = "[[body.drag]]\npoint = [0, 0, 0]\nstiffness = 1\n";
    // Solves that go on until the motion is solved learn more than those with a fixed number of iterations.
    for (text, pairs) in [("", 20), ("[contact]\n", 5), ("[[collider]]\nshape.plane = {}\n", 5), (drag, 20)] {
        let Acceleration::Lbfgs { history, .. } = acceleration(text) else { panic!("{text}") };
        assert_eq!(history, pairs, "{text}");
    }
    assert!(matches!(acceleration("[solver]\nhistory = 7\n"), Acceleration::Lbfgs { history: 7, .. }));
    assert_eq!(acceleration("[solver]\nacceleration = \"none\"\n"), Acceleration::None);
    assert!(matches!(built("[contact]\n[solver]\nkind = \"newton\"\n").settings().solver, Solver::Newton(_)));
}

#[test]
fn colliders_start_where_they_are_put_and_move_to_the_end_of_each_step() {
    let text = "[[collider]]\nname = \"wall\"\nshape.plane.normal = [1, 0, 0]\nposition = [-9, 0, 0]\nfriction = 0.5\n\
                [[collider]]\nshape.sphere.radius = 1\nposition = [0, -9, 0]\n\
                motion.keyframes = [{ time = 0, offset = [1, 0, 0] }, { time = 1, offset = [5, 0, 0] }]\n\
                [[collider]]\nshape.stairs = { steps = 2, rise = 0.1, run = 0.1, width = 1 }\nposition = [0, 0, 99]\n";
    let scene = built(text);
    let colliders = scene.model().colliders();
    assert_eq!([&colliders[0].name, &colliders[1].name], ["wall", "collider 1"]);
    assert_eq!(colliders[0].friction.unwrap().sliding, 0.5);
    assert!(matches!(&colliders[2].shape, Shape::Union(parts) if parts.len() == 2));
    let wall = scene.state.controls().colliders()[0];
    assert!((wall.rotation * DVec3::Y - DVec3::X).length() < 1e-15 && wall.translation.x == -9.0);
    assert_eq!(
        scene.state.controls().colliders()[1].translation,
        DVec3::new(1.0, -9.0, 0.0),
        "already at time 0"
    );
    let seen = watch(scene, 5, |run| run.state().controls().colliders()[1].translation.x);
    assert_eq!(seen, [2.0, 3.0, 4.0, 5.0, 5.0]);
}

#[test]
fn a_drag_grabs_moves_and_releases() {
    let text = "[[body.drag]]\npoint = [9, 0.1, 0.2]\nstiffness = 50\nstart = 0.5\nstop = 1.5\n\
                motion.keyframes = [{ time = 0, offset = [0, 0, 0] }, { time = 1, offset = [4, 0, 0] }]\n";
    let seen = watch(built(text), 8, |run| {
        let controls = run.state().controls();
        assert!(controls.grabbed(GrabId(1)).is_none(), "one grab is enough");
        controls.grabbed(GrabId(0)).map_or((0.0, 0.0), |held| (held.stiffness, held.target.x))
    });
    assert_eq!(seen[..2], [(0.0, 0.0); 2]);
    for (i, x) in [(2, 4.0), (3, 5.0), (4, 5.0), (5, 5.0)] {
        assert!(seen[i].0 == 50.0 && (seen[i].1 - x).abs() < 1e-12, "{i}: {:?}", seen[i]);
    }
    assert_eq!(seen[6..], [(0.0, 0.0); 2]);
    let held = watch(built(text), 3, |run| run.state().controls().grabbed(GrabId(0)).copied())[2].unwrap();
    assert!(held.weights.iter().all(|w| *w < 1.0), "a point inside a triangle, not a vertex: {held:?}");
}

#[test]
fn drags_of_several_bodies_come_and_go() {
    let drag = |start: f64, stop: f64, stiffness: f64| {
        format!("[[body.drag]]\npoint = [0, 9, 0]\nstiffness = {stiffness}\nstart = {start}\nstop = {stop}\n")
    };
    // The last two hold the same point with the same stiffness.
    let text = format!(
        "{}{}{BOX}initial.translate = [0, 5, 0]\n{}{}",
        drag(0.0, 1.0, 10.0),
        drag(0.5, 2.0, 20.0),
        drag(0.0, 1.5, 30.0),
        drag(0.75, 9.0, 30.0),
    );
    let seen = watch(built(&text), 8, |run| {
        let mut held: Vec<f64> = run.state().controls().grabs().map(|(_, grab)| grab.stiffness).collect();
        held.sort_by(f64::total_cmp);
        held
    });
    assert_eq!(seen[0], [10.0, 30.0]);
    assert_eq!(seen[2], [10.0, 20.0, 30.0]);
    assert_eq!(seen[3], [10.0, 20.0, 30.0, 30.0]);
    assert_eq!(seen[4], [20.0, 30.0, 30.0]);
    assert_eq!(seen[6], [20.0, 30.0]);
    assert_eq!(seen[7], [20.0, 30.0]);
}

#[test]
fn more_drags_at_once_than_grabs_are_an_error_at_the_first_too_many() {
    let drag = "[[body.drag]]\npoint = [0, 9, 0]\nstiffness = 1\n";
    built(&drag.repeat(8));
    let later = "[[body.drag]]\npoint = [0, 9, 0]\nstiffness = 1\nstart = 2\n";
    built(&format!("{}stop = 2\n{}{later}", drag, drag.repeat(7)));
    let text = format!("{JELLY}{BOX}{}{later}", drag.repeat(8));
    let error = try_build_in(Path::new(""), &text).unwrap_err();
    assert_eq!(error.key, "body.0.drag.8");
    assert!(error.message.contains("more than 8 drags"), "{error}");
}

#[test]
fn a_run_resumed_in_the_middle_of_everything_ends_the_same() {
    let text = "[contact]\nfriction = 0.3\n[[collider]]\nshape.plane = {}\nposition = [0, -1, 0]\nmotion.spin = [0, 1, 0]\n\
                [wind]\nvelocity = [3, 0, 0]\ngusts = { strength = 0.5, frequency = 1, seed = 4 }\n\
                [acceleration]\nsinusoid = { amplitude = [0, 1, 0], frequency = 1 }\n\
                [[body]]\nmesh.tetrahedron = {}\ninitial.translate = [0, 4, 0]\n\
                [[body.drag]]\npoint = [0, 9, 0]\nstiffness = 100\nstart = 0.5\nstop = 1.5\n\
                motion.sinusoid = { amplitude = [1, 0, 0], frequency = 0.5 }\n";
    let folder = tempfile::tempdir().unwrap();
    let mut whole = Run::new("whole", built(text), 9);
    let file = |frame: usize| folder.path().join(format!("{frame}.bin"));
    while !whole.is_over() {
        whole.step().unwrap();
        whole.save(&file(whole.frame())).unwrap();
    }
    assert!(whole.rows().len() == 10);
    for frame in 1..9 {
        let mut rest = Run::resume("rest", built(text), 9, &file(frame)).unwrap();
        while !rest.is_over() {
            rest.step().unwrap();
        }
        let (rest, whole) = (rest.report(), whole.report());
        assert_eq!(rest.state_hash, whole.state_hash, "from frame {frame}");
        assert_eq!(rest.contact, whole.contact, "from frame {frame}");
        assert!(whole.contact.rounds_max > 0 && whole.contact.rounds_mean > 0.0);
    }
}

#[test]
fn a_closed_mesh_becomes_a_solid_whichever_way_it_is_turned() {
    let folder = tempfile::tempdir().unwrap();
    let faces = ["1 3 2", "1 2 4", "2 3 4", "3 1 4"];
    let obj = |faces: &[&str]| {
        let faces: String = faces.iter().map(|f| format!("f {f}\n")).collect();
        format!("v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\n{faces}")
    };
    let turned: Vec<String> = faces.iter().map(|f| f.chars().rev().collect()).collect();
    let turned: Vec<&str> = turned.iter().map(String::as_str).collect();
    std::fs::write(folder.path().join("good.obj"), obj(&faces)).unwrap();
    std::fs::write(folder.path().join("turned.obj"), obj(&turned)).unwrap();
    std::fs::write(folder.path().join("open.obj"), obj(&faces[1..])).unwrap();
    std::fs::write(folder.path().join("mixed.obj"), obj(&[faces[0], faces[1], faces[2], turned[3]])).unwrap();
    let made = |name: &str| {
        let text =
            format!("{JELLY}{BOX}[[collider]]\nshape.mesh = {{ path = \"{name}.obj\", scale = 0.01 }}\n");
        try_build_in(folder.path(), &text)
    };
    for name in ["good", "turned"] {
        let scene = made(name).unwrap();
        let inside = scene.model().colliders()[0].shape.proximity(DVec3::splat(0.2)).distance;
        assert!((inside + 0.2).abs() < 1e-12, "{name}: {inside}");
    }
    assert_ne!(made("good").unwrap().fingerprint, made("turned").unwrap().fingerprint);
    for (name, piece) in [("open", "close the hole"), ("mixed", "oriented"), ("missing", "missing.obj")] {
        let error = made(name).unwrap_err();
        assert_eq!((error.line(), error.key.as_str()), (Some(9), "collider.0.shape.mesh.path"), "{error}");
        assert!(error.message.contains(piece) && error.message.contains(".obj"), "{error}");
    }
    assert!(
        made("open").unwrap_err().message.contains("vertex 0 to vertex 1"),
        "{}",
        made("open").unwrap_err()
    );
}

#[test]
fn fingerprints_know_the_surroundings() {
    let of = |extra: &str| built(extra).fingerprint;
    let all = [
        "",
        "[contact]\n",
        "[contact]\nfriction = 0.1\n",
        "[[collider]]\nshape.plane = {}\n",
        "[[collider]]\nshape.plane = {}\nmotion.spin = [0, 1, 0]\n",
        "[wind]\nvelocity = [1, 0, 0]\n",
        "[acceleration]\nconstant = [1, 0, 0]\n",
        "[[body.drag]]\npoint = [0, 0, 0]\nstiffness = 1\n",
        "rigid = true\n",
    ];
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            assert_ne!(of(a), of(b), "{a} and {b}");
        }
    }
}

/// Columns that hold a pixel of the scenery's warm grey.
fn warm_columns(scene: &BuiltScene) -> Vec<u32> {
    let mut picture = Picture::new(scene, "").unwrap();
    let image = picture.draw(scene.model(), &scene.state).unwrap();
    let warm = |x: u32, y: u32| image.pixel(x, y).is_some_and(|c| c.r > c.b);
    (0..image.width()).filter(|&x| (0..image.height() - 120).any(|y| warm(x, y))).collect()
}

#[test]
fn pictures_show_colliders_where_they_are() {
    let camera = "[camera]\neye = [0, 0, 8]\nlook_at = [0, 0, 0]\n";
    assert_eq!(warm_columns(&built(camera)), [0u32; 0]);
    let shapes = [
        "sphere.radius = 0.5",
        "box.size = [1, 1, 1]",
        "capsule = { radius = 0.5, length = 0.3 }",
        "torus = { major = 0.4, minor = 0.1 }",
        "stairs = { steps = 2, rise = 0.3, run = 0.5, width = 1 }",
    ];
    for shape in shapes {
        let at = |x: f64| {
            let text = format!("{camera}[[collider]]\nshape.{shape}\nposition = [{x}, 0.5, 2]\n");
            let columns = warm_columns(&built(&text));
            f64::from(columns.iter().sum::<u32>()) / columns.len() as f64
        };
        assert!(at(-1.5) < 250.0 && at(1.5) > 390.0, "{shape}: {} {}", at(-1.5), at(1.5));
    }
}

#[test]
fn the_report_tells_what_was_in_contact_and_what_did_work() {
    let fall = "gravity = [0, -9.81, 0]\n";
    let text = "[[collider]]\nshape.plane = {}\nposition = [0, -0.45, 0]\n[wind]\nvelocity = [5, 0, 0]\n";
    let text = format!("{fall}{}{BOX}{text}", JELLY.replace("0.25", "0.02"));
    let mut run = Run::new("fall", try_build_in(Path::new(""), &text).unwrap(), 10);
    while !run.is_over() {
        run.step().unwrap();
    }
    let report = run.report();
    // It starts 5 cm below the plane; its diagonal is √6 m.
    assert!((run.rows()[0].depth - 0.05 / 6f64.sqrt()).abs() < 1e-12, "{}", run.rows()[0].depth);
    assert!(report.contact.deepest >= run.rows()[0].depth);
    assert!(report.contact.contacts_max >= 1 && report.contact.contacts_mean > 0.0, "{:?}", report.contact);
    assert_eq!(report.momentum.linear_drift, None);
    let by = report.energy.added_by;
    let sum: f64 = Cause::of(Side::Added).map(|cause| by.of(cause)).sum();
    assert!((sum - report.energy.added).abs() < 1e-12 && by.of(Cause::Wind) != 0.0, "{by:?}");
}

/// A press that is told to go through the floor stops where the body between them has no room left; what is measured and drawn is where it is.
#[test]
fn a_collider_that_is_held_back_is_reported_where_it_is() {
    let text = "[[collider]]\nshape.plane = {}\nposition = [0, -0.51, 0]\n\
                [[collider]]\nshape.box.size = [4, 1, 4]\nposition = [0, 1.1, 0]\n\
                motion.keyframes = [{ time = 0, offset = [0, 0, 0] }, { time = 0.5, offset = [0, -1.5, 0] }]\n";
    let text = format!("{}{BOX}{text}", JELLY.replace("0.25", "0.02"));
    let mut run = Run::new("press", try_build_in(Path::new(""), &text).unwrap(), 30);
    let mut most = 0.0f64;
    while !run.is_over() {
        run.step().unwrap();
        let (placed, wanted) = (run.state().colliders()[1], run.state().controls().colliders()[1]);
        let back = (placed.translation - wanted.translation).length();
        assert!((run.rows().last().unwrap().held_back - back).abs() < 1e-12);
        most = most.max(back);
    }
    let contact = run.report().contact;
    // It ends 39 cm below the floor if it is where it should be.
    assert!((contact.held_back - most).abs() < 1e-12 && most > 0.39, "{contact:?}");
    assert_eq!(contact.deepest, 0.0, "{contact:?}");
    assert!(contact.advice[0].starts_with("colliders were held back by up to"), "{contact:?}");
}

#[test]
fn momentum_is_judged_only_where_nothing_outside_acts() {
    let drift = |extra: &str| {
        let mut run = Run::new("drift", built(extra), 1);
        run.step().unwrap();
        run.report().momentum.linear_drift
    };
    assert!(drift("").is_some());
    let all = [
        "[[collider]]\nshape.plane = {}\nposition = [0, -9, 0]\n",
        "[wind]\nvelocity = [1, 0, 0]\n",
        "[acceleration]\nconstant = [1, 0, 0]\n",
        "[[body.drag]]\npoint = [0, 0, 0]\nstiffness = 1\n",
    ];
    for extra in all {
        assert_eq!(drift(extra), None, "{extra}");
    }
}
