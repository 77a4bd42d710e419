//! What contact must show: bounces that come back, momenta that are kept, friction that stops where Coulomb says, and books
//! that balance.

use sinew::{Cause, DVec3, Side};
use sinew_scene::build::build;
use sinew_scene::builtin::{SCENES, find};
use sinew_scene::format::{Override, parse};
use sinew_scene::run::{Row, Run};
use std::path::Path;

/// A built-in scene with some values changed, not yet stepped.
fn start(name: &str, set: &[&str]) -> Run {
    let overrides: Vec<_> = set.iter().map(|setting| Override::parse(setting).unwrap()).collect();
    let scene = parse(find(name).unwrap().text, name, &overrides).unwrap();
    let frames = scene.scene.frames;
    Run::new(name, build(&scene, Path::new("")).unwrap(), frames)
}

fn finished(name: &str, set: &[&str]) -> Run {
    let mut run = start(name, set);
    while !run.is_over() {
        run.step().unwrap();
    }
    run
}

fn centre(run: &Run) -> DVec3 {
    let masses = run.scene().model().masses();
    let moment: DVec3 = run.state().positions().iter().zip(masses).map(|(x, m)| *x * *m).sum();
    moment / masses.iter().sum::<f64>()
}

/// Height of the centre of mass in every frame, m.
fn heights(name: &str, set: &[&str]) -> (Vec<f64>, Run) {
    let mut run = start(name, set);
    let mut heights = vec![centre(&run).y];
    while !run.is_over() {
        run.step().unwrap();
        heights.push(centre(&run).y);
    }
    (heights, run)
}

/// The first bounce over the fall.
fn rebound(y: &[f64]) -> f64 {
    let turn = y.windows(2).position(|pair| pair[1] > pair[0]).unwrap();
    let rise = y[turn..].windows(2).take_while(|pair| pair[1] >= pair[0]);
    let top = rise.map(|pair| pair[1]).fold(y[turn], f64::max);
    // The body is at rest at a height of its radius above the ground.
    (top - 0.25) / (y[0] - 0.25)
}

#[test]
fn a_ball_bounces_for_a_minute() {
    let (y, run) = heights("bouncing-ball", &[]);
    let report = run.report();
    assert!(report.energy.drift <= 1e-3, "drift {}", report.energy.drift);
    assert!(rebound(&y) >= 0.85, "rebound {}", rebound(&y));
    let highest = y[1..].iter().map(|&later| (later - 0.25) / (y[0] - 0.25)).fold(0.0, f64::max);
    assert!(highest <= 1.005, "highest {highest}");
    let late = y[y.len() - 300..].iter().copied().fold(0.0, f64::max);
    assert!(late > 1.0, "apex of the last ten seconds at {late} m");

    let (y, _) = heights("bouncing-ball", &["correction.kind=none", "frames=60"]);
    assert!(rebound(&y) < 0.6, "backward Euler alone: {}", rebound(&y));
}

#[test]
fn colliding_cubes_keep_momenta_and_energy() {
    let report = finished("colliding-cubes", &[]).report();
    assert!(report.contact.contacts_max > 0, "they miss each other");
    assert!(report.momentum.linear_drift.unwrap() <= 1e-8, "{:?}", report.momentum);
    assert!(report.momentum.angular_drift.unwrap() <= 1e-8, "{:?}", report.momentum);
    assert!(report.energy.drift <= 1e-8, "drift {}", report.energy.drift);
}

/// The block lands within its first step and slides freely until then, so that it goes too far by a part of that step; less with smaller steps.
#[test]
fn friction_stops_a_block_where_coulomb_says() {
    for (speed, friction, rate) in
        [(2.0, 0.3, 30), (3.0, 0.2, 30), (3.0, 0.3, 30), (2.0, 0.3, 60), (3.0, 0.3, 60)]
    {
        let set = [
            format!("body.0.initial.velocity=[{speed}, 0, 0]"),
            format!("contact.friction={friction}"),
            format!("h=\"1/{rate}\""),
            format!("frames={}", 5 * rate),
        ];
        let run = finished("sliding-block", &set.each_ref().map(String::as_str));
        let stop = speed * speed / (2.0 * friction * 9.81);
        let excess = (centre(&run).x - stop) / (speed / f64::from(rate));
        let left = run.rows().last().unwrap().linear.x / run.rows()[0].linear.x;
        let case = format!("{speed} m/s, μ = {friction}, {rate} steps a second");
        let most = if rate == 30 { 0.75 } else { 0.3 };
        assert!((-0.3..most).contains(&excess), "{case}: {excess} steps too far");
        assert!(left.abs() < 1e-2, "{case}: {left} of the speed is left");
    }
}

#[test]
fn without_friction_a_block_slides_on() {
    let run = finished("sliding-frictionless", &[]);
    let kept = run.rows().last().unwrap().linear.x / run.rows()[0].linear.x;
    assert!((kept - 1.0).abs() <= 1e-3, "{kept} of the speed after {} s", run.state().time());
    assert!((centre(&run).x - 2.0 * run.state().time()).abs() <= 0.02, "{}", centre(&run).x);
}

/// H = initial + added − dissipated in every frame; and the causes add up to the totals.
#[test]
fn the_books_of_every_corrected_scene_balance() {
    for scene in
        SCENES.iter().filter(|scene| scene.text.contains("[[collider]]") || scene.text.contains("[contact]"))
    {
        let parsed = parse(scene.text, scene.name, &[]).unwrap();
        if !scene.text.contains("kind = \"fepr\"") {
            continue;
        }
        // The first part of a long scene is as good as the whole, which the command line's tests run.
        let frames = format!("frames={}", parsed.scene.frames.min(90));
        let run = finished(scene.name, &[&frames]);
        let report = run.report();
        // What contacts take in a step may be owed for a few.
        let owed = match scene.name {
            "sliding-block" => 5e-3,
            "stack" => 1e-6,
            // A third of its steps are broken off with balls still held back; where the first layers land, 0.2 to 0.45 is owed for three steps, by radius of the bowl.
            "bowl" => 0.5,
            _ => 1e-9,
        };
        assert!(report.energy.drift <= owed, "{}: drift {}", scene.name, report.energy.drift);
        for row in run.rows() {
            let sum = |side| Cause::of(side).map(|cause| row.entries[cause]).sum::<f64>();
            let (added, dissipated) = (sum(Side::Added), sum(Side::Dissipated));
            let close = |sum: f64, total: f64| (sum - total).abs() <= 1e-12 * (1.0 + total.abs());
            assert!(close(added, row.added) && close(dissipated, row.dissipated), "{}", scene.name);
        }
        for (table, cause, active) in causes(scene.text, run.rows().last().unwrap()) {
            assert!(!scene.text.contains(table) || active, "{}: nothing by {cause}", scene.name);
        }
    }
}

/// What a scene says, what should be in the books then, and whether it is.
fn causes<'a>(text: &str, row: &Row) -> [(&'a str, &'a str, bool); 4] {
    let by = &row.entries;
    let frictionless = text.contains("friction = 0\n");
    [
        ("[wind]", "wind", by[Cause::Wind] != 0.0),
        ("\nmotion.", "colliders or bones", by[Cause::Colliders] != 0.0 || by[Cause::Bones] != 0.0),
        ("\nfriction =", "friction", frictionless || by[Cause::Friction] > 0.0),
        ("\nrigid_preserving =", "rigid-preserving damping", by[Cause::RigidPreserving] > 0.0),
    ]
}

/// A box moves and starts inside a cloth that is pinned next to its surface: there only a hundredth of each edge that crosses it is free, which could come out by going a hundred times as far. Its
/// pushes grew without bound, and the books had 1.89 J of work of the box in two steps, for a cloth of 48 g.
#[test]
fn the_books_have_no_work_of_bones_that_only_pushes_of_a_bad_start_do() {
    let text = "h = 0.016666666666666666\nframes = 2\ngravity = [0, -9.81, 0]\n[contact]\nthickness = 0.004\nfriction = 0.3\n\
                [[body]]\nname = \"box\"\nrigid = true\nkinematic = true\nmaterial.density = 100\n\
                mesh.box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }\n\
                motion.keyframes = [{ time = 0, offset = [0, 0, 0] }, { time = 1, offset = [0.4, 0, 0] }]\n\
                [[body]]\nname = \"cloth\"\nmesh.cloth = { size = [0.4, 0.4], cells = [10, 10] }\n\
                material = { stiffness = 60, density = 0.3 }\ninitial.translate = [0.0099, 0, 0]\n\
                [[body.pin]]\nselect.box = { min = [-1, -1, -1], max = [0.0499, 1, 1] }\n";
    let scene = parse(text, "inside", &[]).unwrap();
    let mut run = Run::new("inside", build(&scene, Path::new("")).unwrap(), 2);
    while !run.is_over() {
        run.step().unwrap();
    }
    let by = &run.rows().last().unwrap().entries;
    // Moving all of the cloth along takes 4 mJ.
    assert!(by[Cause::Bones].abs() < 0.01, "{} J", by[Cause::Bones]);
    let drift = run.report().energy.drift;
    assert!(drift < 1e-9, "{drift}");
}

/// A soft block on a slope of 20°. Newmark's method and TR-BDF2 pass on what a solve leaves open to the next step: with 20 iterations it slid at 0.3 to 0.9 instead of 0.59 m/s².
#[test]
fn coulombs_law_holds_for_every_rule_with_the_default_solver() {
    let (sin, cos) = 20f64.to_radians().sin_cos();
    let lift = 0.05 + 0.005 * (0.4f64 * 0.4 + 0.1 * 0.1 + 0.4 * 0.4).sqrt();
    let law = 9.81 * (sin - 0.3 * cos);
    for integrator in ["backward-euler", "bdf2", "sdirk2", "newmark", "tr-bdf2", "generalized-alpha"] {
        for correction in ["none", "fepr"] {
            let text = format!(
                "gravity = [0, -9.81, 0]
                integrator.kind = \"{integrator}\"
                correction.kind = \"{correction}\"
                damping.rigid_preserving = 0.05
                contact = {{ friction = 0.3 }}
                material = {{ young = 1e6, poisson = 0.3, density = 1000 }}
                [[body]]
                mesh.box = {{ size = [0.4, 0.1, 0.4], cells = [8, 2, 8] }}
                initial.rotate = {{ axis = [0, 0, 1], degrees = -20 }}
                initial.translate = [{}, {}, 0]
                [[collider]]
                shape.plane.normal = [{sin}, {cos}, 0]
                ",
                sin * lift,
                cos * lift
            );
            let scene = parse(&text, "slope", &[]).unwrap();
            let mut run = Run::new("slope", build(&scene, Path::new("")).unwrap(), 60);
            let down = |run: &Run| {
                let masses = run.scene().model().masses();
                let momentum: DVec3 = run.state().velocities().iter().zip(masses).map(|(v, m)| *v * *m).sum();
                momentum.dot(DVec3::new(cos, -sin, 0.0)) / masses.iter().sum::<f64>()
            };
            for _ in 0..15 {
                run.step().unwrap();
            }
            let before = down(&run);
            while !run.is_over() {
                run.step().unwrap();
            }
            let seen = (down(&run) - before) / (45.0 / 30.0);
            assert!((seen / law - 1.0).abs() < 0.02, "{integrator}, {correction}: {seen} of {law} m/s²");
        }
    }
}
