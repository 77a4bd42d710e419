//! The motion that can be seen: against closed forms, across a restart, and against a truth in small steps.

use sinew_scene::build::build;
use sinew_scene::builtin;
use sinew_scene::format::{Override, ParsedScene, parse};
use sinew_scene::run::{Report, Run, Truth, check_report};
use std::f64::consts::TAU;
use std::path::Path;

/// A weight of 0.5 kg on a spring of 40 N/m and 1 m, 1.25 m long while it goes round: it pulls with 10 N = m ω² 1.25 m, so ω = 4/s.
/// The weight hangs at the angle θ to the vertical, 10 N cos θ = m g.
fn conical_pendulum() -> (String, f64) {
    let cos = 0.5 * 9.81 / 10.0;
    let radius = 1.25 * f64::sqrt(1.0 - cos * cos);
    let (down, speed) = (-1.25 * cos, 4.0 * radius);
    let text = format!(
        "h = \"1/60\"\ngravity = [0, -9.81, 0]\nintegrator.kind = \"implicit-midpoint\"\ncorrection.kind = \"none\"\n\
         solver.kind = \"newton\"\nmaterial = {{ law = \"hookean\", stiffness = 40 }}\n[[body]]\nname = \"pendulum\"\n\
         [body.mesh.inline]\npoints = [[0, 0, 0], [1, 0, 0]]\nsprings = [[0, 1]]\nmasses = [0.5, 0.5]\n\
         positions = [[0, 0, 0], [{radius:?}, {down:?}, 0]]\nvelocities = [[0, 0, 0], [0, 0, {speed:?}]]\n\
         [[body.pin]]\nselect.indices = [0]\n"
    );
    (text, radius)
}

fn parsed(text: &str, set: &[&str]) -> ParsedScene {
    let set: Vec<_> = set.iter().map(|o| Override::parse(o).unwrap()).collect();
    parse(text, "scene.toml", &set).unwrap()
}

fn finished(text: &str, frames: usize, set: &[&str]) -> Run {
    let mut run = Run::new("run", build(&parsed(text, set), Path::new("")).unwrap(), frames);
    while !run.is_over() {
        let _ = run.step();
    }
    run
}

fn report(text: &str, frames: usize, set: &[&str]) -> Report {
    finished(text, frames, set).report()
}

fn truth(text: &str, frames: usize, finer: usize) -> Truth {
    let mut truth = Truth::new("truth", &parsed(text, &[]), Path::new(""), frames, finer).unwrap();
    while !truth.run.is_over() {
        let _ = truth.run.step();
    }
    truth
}

#[test]
fn a_pendulum_that_goes_round_has_the_motion_of_its_chord() {
    let (text, radius) = conical_pendulum();
    let motion = report(&text, 600, &[]).motion;
    let chord = 2.0 * radius * f64::sin(0.5 * 4.0 * 0.1);
    let expected = 0.5 * 0.5 * chord * chord / (0.1 * 0.1);
    for found in [motion.visible_first, motion.visible_last].map(Option::unwrap) {
        assert!((found / expected - 1.0).abs() < 2e-3, "{found} J instead of {expected} J");
    }
    assert!((motion.visible_kept.unwrap() - 1.0).abs() < 2e-3, "{motion:?}");
    let hertz = 4.0 / TAU;
    assert!((motion.visible_hz.unwrap() / hertz - 1.0).abs() < 5e-3, "{motion:?} instead of {hertz} Hz");
}

#[test]
fn a_rigid_body_counts_with_its_full_inertia() {
    // No vertices at all: what moves are the points inside that carry the inertia.
    let text = "h = \"1/200\"\nintegrator.kind = \"implicit-midpoint\"\nsolver.kind = \"newton\"\n[[body]]\nname = \"top\"\n\
                rigid = { mass = 2, inertia = [2, 2.5, 1] }\ninitial.spin = [0, 0, 7]\n";
    let motion = report(text, 200, &[]).motion;
    let half_turn: f64 = 0.5 * 7.0 * 0.1;
    let expected = 0.5 * 7.0 * 7.0 * (half_turn.sin() / half_turn).powi(2);
    let found = motion.visible_last.unwrap();
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} J instead of {expected} J");
}

/// A stiff spring between two free weights: it keeps its kinetic energy, which nobody sees. The midpoint rule keeps its amplitude exactly.
#[test]
fn a_tremble_keeps_its_kinetic_energy_and_is_not_seen() {
    let text = "h = \"1/1000\"\nintegrator.kind = \"implicit-midpoint\"\ncorrection.kind = \"none\"\nsolver.kind = \"newton\"\n\
                material = { law = \"hookean\", stiffness = 1e6 }\n[[body]]\nname = \"rod\"\n[body.mesh.inline]\n\
                points = [[0, 0, 0], [1, 0, 0]]\nsprings = [[0, 1]]\nmasses = [1, 1]\nvelocities = [[-1, 0, 0], [1, 0, 0]]\n";
    let run = finished(text, 1000, &[]);
    let (omega, energy) = (f64::sqrt(2e6), run.rows()[0].kinetic);
    let most = energy * (2.0 / (omega * 0.1)).powi(2);
    let seen: Vec<f64> = run.rows()[100..].iter().map(|row| row.visible).collect();
    assert!(seen.iter().all(|v| *v <= 1.001 * most), "above {most} J of {energy} J");
    let motion = run.report().motion;
    assert!((0.9..1.1).contains(&motion.kinetic_kept.unwrap()), "{motion:?}");
    assert!(motion.visible_last.unwrap() <= most, "{motion:?}");
}

#[test]
fn a_resumed_run_reports_the_same_motion() {
    let (text, _) = conical_pendulum();
    let folder = tempfile::tempdir().unwrap();
    let built = || build(&parsed(&text, &[]), Path::new("")).unwrap();
    let mut whole = Run::new("whole", built(), 60);
    let file = |frame: usize| folder.path().join(format!("{frame}.bin"));
    while !whole.is_over() {
        whole.step().unwrap();
        whole.save(&file(whole.frame())).unwrap();
    }
    let expected = whole.report().motion;
    assert!(expected.visible_kept.is_some() && expected.visible_hz.is_some(), "{expected:?}");
    for frame in [1, 3, 5, 6, 7, 30, 60] {
        let mut rest = Run::resume("rest", built(), 60, &file(frame)).unwrap();
        while !rest.is_over() {
            rest.step().unwrap();
        }
        assert_eq!(rest.report().motion, expected, "from frame {frame}");
        let seen = |run: &Run| run.rows().iter().map(|row| row.visible.to_bits()).collect::<Vec<_>>();
        assert_eq!(seen(&rest), seen(&whole), "from frame {frame}");
    }
}

#[test]
fn a_truth_has_all_of_its_own_motion() {
    let (text, _) = conical_pendulum();
    let truth = truth(&text, 120, 1);
    assert_eq!(truth.doubt(), None);
    let same = report(&text, 120, &["integrator.kind=symplectic-euler"]);
    let share = truth.share_of(&same);
    assert_eq!((share.visible, share.frequency), (Some(1.0), Some(1.0)));
}

/// The frames are those of the scene, whatever the steps in between: times, window and number.
#[test]
fn a_truth_is_seen_in_the_frames_of_its_scene() {
    let (text, _) = conical_pendulum();
    let truth = truth(&text, 600, 50);
    let run = finished(&text, 600, &[]);
    assert_eq!(truth.run.rows().len(), run.rows().len());
    for (fine, coarse) in truth.run.rows().iter().zip(run.rows()) {
        assert!((fine.time - coarse.time).abs() < 1e-9);
        assert_eq!(fine.visible.is_nan(), coarse.visible.is_nan());
    }
    let share = truth.share_of(&run.report());
    assert!((share.visible.unwrap() - 1.0).abs() < 5e-3, "{share:?}");
    assert!((share.frequency.unwrap() - 1.0).abs() < 5e-3, "{share:?}");
    // Backward Euler takes most of the swing.
    let damped = report(&text, 600, &["integrator.kind=backward-euler"]);
    assert!(truth.share_of(&damped).visible.unwrap() < 0.5);
    // A run that stopped early has no last fifth to compare.
    assert_eq!(truth.share_of(&report(&text, 300, &[])).visible, None);
}

#[test]
fn bones_and_contact_get_an_implicit_truth() {
    for (name, rule) in [
        ("nunchuck", "implicit-midpoint, solved by newton"),
        ("bouncing-ball", "implicit-midpoint, solved by newton"),
        ("trampoline", "symplectic-euler; 3 steps a frame"),
    ] {
        let scene = builtin::find(name).unwrap();
        let truth = Truth::new("truth", &parsed(scene.text, &[]), Path::new(""), 3, 3).unwrap();
        assert!(truth.method().contains(rule), "{}", truth.method());
        let settings = truth.run.scene().settings();
        assert_eq!(settings.correction.name(), "none");
        assert!((3.0 * settings.h - truth.run.frame_time()).abs() < 1e-15);
    }
}

#[test]
fn a_truth_that_explodes_asks_for_smaller_steps() {
    let (text, _) = conical_pendulum();
    let stiff = text.replace("stiffness = 40", "stiffness = 1e7");
    let truth = truth(&stiff, 600, 2);
    let doubt = truth.doubt().unwrap();
    assert!(doubt.contains("take a larger --truth than 2"), "{doubt}");
    assert_eq!(truth.share_of(&report(&text, 600, &[])), Default::default());
}

#[test]
fn scenes_may_expect_visible_motion() {
    let (text, _) = conical_pendulum();
    let text = text
        + "[expect]\n\"motion.visible_kept\" = { min = 0.99, max = 1.01 }\n\"motion.visible_hz\" = { max = 0.1 }\n";
    let run = finished(&text, 600, &[]);
    let verdicts = check_report(&run.report(), &run.scene().scene.expect);
    let held: Vec<_> = verdicts.iter().map(|v| (v.key.as_str(), v.holds)).collect();
    assert_eq!(held, [("motion.visible_hz", false), ("motion.visible_kept", true)]);
}
