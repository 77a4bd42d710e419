//! Nothing passes through anything: at any speed, with any solver, any number of iterations, with and without a correction. Every step ends with the exact test.

use crate::scenes::*;
use crate::steady::allocations;
use sinew::contact::{ClosedMesh, Collider, ContactLaw, Friction, Shape};
use sinew::*;
use std::sync::Arc;

/// Whether there is time for all speeds with all solvers, and for fine meshes.
fn long() -> bool {
    std::env::var_os("SINEW_SOAK").is_some()
}

/// Self contact, friction, no bouncing, and an exact test after every step.
fn strict() -> ContactLaw {
    ContactLaw { own: true, verify: true, friction: Friction::uniform(0.3), ..law(0.0, 0.0, 0.0) }
}

/// What a run in contact did.
#[derive(Debug, Default)]
struct Seen {
    /// Most rounds of a step.
    rounds: usize,
    /// Steps that ended before everything had arrived.
    cut: usize,
    /// Number of contacts, over all steps.
    pressing: usize,
    /// Furthest that a collider was held back, m.
    held_back: f64,
}

/// Takes steps, each after `act`, and sees to it that nothing crosses before, between and after them.
fn watched(
    model: &Arc<Model>,
    settings: Settings,
    steps: usize,
    mut act: impl FnMut(usize, &mut State),
) -> Result<(State, Seen), String> {
    let mut state = State::new(model);
    assert_eq!(state.crossings(model), 0, "a scene must start clean");
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut seen = Seen::default();
    for k in 0..steps {
        act(k, &mut state);
        let report = simulator.step(&mut state).map_err(|error| format!("step {k} of {steps}: {error}"))?;
        seen.rounds = seen.rounds.max(report.contact.rounds);
        seen.cut += usize::from(report.contact.cut);
        seen.pressing += report.contact.pressing;
        seen.held_back = seen.held_back.max(report.contact.held_back);
    }
    match state.crossings(model) {
        0 => Ok((state, seen)),
        count => Err(format!("{count} crossings after {steps} steps that were found clean")),
    }
}

/// Ways to solve a step, each with and without a correction. In contact, 5 iterations are as many as 20: there are at least four rounds.
fn usual() -> Vec<(String, Settings)> {
    [FEPR, Correction::None]
        .into_iter()
        .flat_map(|correction| [20, 5].map(|iterations| (correction, Solver::accelerated(iterations))))
        .map(named)
        .collect()
}

/// All other ways.
fn unusual() -> Vec<(String, Settings)> {
    let plain = Solver::ProjectiveDynamics { budget: Budget::fixed(20), acceleration: Acceleration::None };
    let solvers =
        [Solver::Newton(Budget::to(10, 1e-8)), Solver::Linearized, plain, Solver::Xpbd { iterations: 10 }];
    [FEPR, Correction::None]
        .into_iter()
        .flat_map(|correction| solvers.map(|solver| (correction, solver)))
        .map(named)
        .collect()
}

/// All ways, or where time is short a few that differ most.
fn some() -> Vec<(String, Settings)> {
    let all: Vec<_> = usual().into_iter().chain(unusual()).collect();
    if long() { all } else { [0, 3, 4, 11].map(|k| all[k].clone()).to_vec() }
}

fn named((correction, solver): (Correction, Solver)) -> (String, Settings) {
    let iterations = match solver {
        Solver::ProjectiveDynamics { budget, acceleration: Acceleration::Lbfgs { .. } } => {
            format!(" with {} accelerated iterations", budget.iterations)
        }
        _ => String::new(),
    };
    let name = format!("{}{iterations}, {}", solver.name(), correction.name());
    (name, Settings { solver, ..settings(correction) })
}

/// Collects what went wrong in many runs, so that one failure does not hide the others.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    /// Watches a scene; a solver that a model refuses is no failure.
    fn watch(
        &mut self,
        name: &str,
        model: &Arc<Model>,
        settings: Settings,
        steps: usize,
        act: impl FnMut(usize, &mut State),
    ) -> Option<(State, Seen)> {
        if Simulator::new(model.clone(), settings).is_err() {
            return None;
        }
        let watch = std::time::Instant::now();
        let found = watched(model, settings, steps, act);
        if let Ok((_, seen)) = &found {
            println!("{name}: {seen:?}, {:.1} s", watch.elapsed().as_secs_f64());
        }
        found.map_err(|what| self.0.push(format!("{name}: {what}"))).ok()
    }

    fn check(&mut self, good: bool, what: impl FnOnce() -> String) {
        if !good {
            self.0.push(what());
        }
    }

    fn conclude(self) {
        assert!(self.0.is_empty(), "{} failed:\n{}", self.0.len(), self.0.join("\n"));
    }
}

fn sphere() -> Collider {
    Collider::new("sphere", Shape::Sphere { radius: 0.3 }).at(Placement::at(DVec3::Y * -0.3))
}

/// A cube that stands on a corner, with another corner at the origin.
fn corner() -> Collider {
    let upright = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Y);
    let below = DVec3::Y * (-0.3 * 3f64.sqrt());
    let shape = Shape::Cuboid { half: DVec3::splat(0.3) };
    Collider::new("corner", shape).at(Placement { rotation: upright, translation: below })
}

/// A thin tetrahedron 1 m tall, whose tip is below the inside of a triangle.
fn needle() -> Collider {
    let tip = DVec3::new(0.013, 0.0, 0.007);
    let base = [0.0f64, 2.1, 4.2].map(|angle| DVec3::new(0.03 * angle.cos(), -1.0, 0.03 * angle.sin()));
    let triangles = vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [3, 2, 1]];
    let vertices = vec![tip, base[0], base[1], base[2]];
    let flipped = || triangles.iter().map(|&[a, b, c]: &[u32; 3]| [a, c, b]).collect();
    let mesh = ClosedMesh::new(vertices.clone(), triangles.clone())
        .or_else(|_| ClosedMesh::new(vertices.clone(), flipped()));
    Collider::new("needle", Shape::Mesh(Arc::new(mesh.unwrap())))
}

/// A cloth of n² vertices falls on something whose top is the origin, and meets it within its first step.
fn cloth_on(under: Collider, n: usize, speed: f64) -> Arc<Model> {
    let height = 0.01 + 0.4 * speed / 30.0;
    model(vec![cloth(n, height, DVec3::Y * -speed)], vec![under], strict(), GRAVITY)
}

/// How many triangles of the first body are above a point.
fn layers_above(model: &Model, state: &State, p: DVec3) -> usize {
    let x = state.positions();
    let covers = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|i| x[i as usize] - p);
        let turn = |a: DVec3, b: DVec3| a.x * b.z - a.z * b.x;
        let (of_a, of_b, of_c) = (turn(b, c), turn(c, a), turn(a, b));
        let inside = of_a > 0.0 && of_b > 0.0 && of_c > 0.0 || of_a < 0.0 && of_b < 0.0 && of_c < 0.0;
        inside && (a.y * of_a + b.y * of_b + c.y * of_c) / (of_a + of_b + of_c) > 0.0
    };
    model.bodies()[0].surface.iter().filter(covers).count()
}

fn cloths(ways: &[(String, Settings)], n: usize, speeds: &[f64], steps: usize) {
    let mut failures = Failures::default();
    for under in [sphere(), corner(), needle()] {
        for &speed in speeds {
            let model = cloth_on(under.clone(), n, speed);
            for (way, settings) in ways {
                let name = format!("cloth {n}² on a {} at {speed} m/s, {way}", under.name);
                // A cloth that is past its collider crosses nothing: it must not be below a point that is inside all of them. It may slip off sideways.
                let inside = DVec3::new(0.0117, -0.1, 0.0063);
                let mut layers = Vec::new();
                let run = failures.watch(&name, &model, *settings, steps, |step, state| {
                    if (1..=3).contains(&step) {
                        let all = layers_above(&model, state, inside - DVec3::Y * 1e3);
                        layers.push(all - layers_above(&model, state, inside));
                    }
                });
                if run.is_some() {
                    let over = layers.iter().all(|count| count.is_multiple_of(2));
                    // At 100 m/s it may wrap itself around from below within three steps.
                    failures
                        .check(over || speed > 30.0, || format!("{name}: layers below the top: {layers:?}"));
                }
            }
        }
    }
    failures.conclude();
}

#[test]
fn cloth_does_not_pass_a_sphere_a_corner_or_a_needle() {
    let ways = usual();
    if long() {
        cloths(&ways, 61, &[1.0, 10.0, 30.0, 100.0], 20);
        cloths(&ways, 31, &[1.0, 10.0, 30.0, 100.0], 20);
    } else {
        cloths(&ways[..1], 31, &[1.0, 10.0], 4);
        cloths(&ways[3..], 31, &[30.0], 3);
        cloths(&ways, 13, &[30.0, 100.0], 5);
    }
}

#[test]
fn nor_with_any_other_solver() {
    if long() {
        cloths(&unusual(), 31, &[1.0, 10.0, 30.0, 100.0], 8);
    } else {
        cloths(&unusual(), 9, &[10.0, 100.0], 5);
    }
}

/// A strip of 0.6 × 0.1 m: `place` puts a point of it, given along and across it in m, somewhere.
fn strip(along: usize, across: usize, place: impl Fn(f64, f64) -> DVec3, velocity: DVec3) -> Body {
    let index = |i: usize, j: usize| (i * across + j) as u32;
    let (mut points, mut springs, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..along {
        for j in 0..across {
            points.push(place(0.6 * i as f64 / (along - 1) as f64, 0.1 * j as f64 / (across - 1) as f64));
            for (di, dj) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2)] {
                if i + di < along && j + dj < across {
                    springs.push([index(i, j), index(i + di, j + dj)]);
                }
            }
            if i + 1 < along && j + 1 < across {
                let [a, b, c, d] = [index(i, j), index(i, j + 1), index(i + 1, j), index(i + 1, j + 1)];
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
    let velocities = vec![velocity; points.len()];
    Body::new("strip", points)
        .springs(springs, SpringLaw::Hookean, 300.0)
        .total_mass(0.02)
        .surface(triangles)
        .velocities(velocities)
}

#[test]
fn strips_that_meet_edge_on_do_not_pass() {
    let mut failures = Failures::default();
    let ways = some();
    for speed in [10.0, 30.0] {
        let gap = 0.005 + 0.4 * speed / 30.0;
        // One lies flat. The other comes with its edge across the first one's edge, or along it in the same plane.
        let first = || strip(25, 5, |u, v| DVec3::new(u - 0.3, 0.0, -v - gap), DVec3::Z * speed);
        let across = strip(25, 5, |u, v| DVec3::new(0.007, u - 0.31, v + gap), DVec3::Z * -speed);
        let along = strip(25, 5, |u, v| DVec3::new(u - 0.293, 1e-4, v + gap), DVec3::Z * -speed);
        for (how, second) in [("across", across), ("along", along)] {
            let model = model(vec![first(), second], vec![], strict(), 0.0);
            for (way, settings) in &ways {
                let name = format!("strips {how} each other at {speed} m/s each, {way}");
                let met = failures.watch(&name, &model, *settings, 12, |_, _| {});
                if let Some((_, seen)) = met {
                    failures.check(seen.rounds > 1, || format!("{name}: they have not met"));
                }
            }
        }
    }
    failures.conclude();
}

/// A cloth, and hands that hold its four edges: (attachment, vertex).
fn cloth_in_hands(n: usize) -> (Arc<Model>, Vec<(AttachmentId, usize)>) {
    let mut builder = Model::builder();
    builder.body(cloth(n, 0.0, DVec3::ZERO)).contact(strict());
    let edge = (0..n * n).filter(|v| [0, n - 1].contains(&(v / n)) || [0, n - 1].contains(&(v % n)));
    let hands: Vec<_> = edge.map(|v| (builder.add_attachment(v, 300.0, None), v)).collect();
    (Arc::new(builder.build().unwrap()), hands)
}

#[test]
fn a_cloth_folded_twice_does_not_pass_itself() {
    let n = if long() { 31 } else { 17 };
    let (model, hands) = cloth_in_hands(n);
    let mut failures = Failures::default();
    let ways = usual();
    const FOLD: usize = 30;
    for (way, settings) in if long() { &ways[..] } else { &ways[1..3] } {
        let name = format!("folded twice, {way}");
        let folded = failures.watch(&name, &model, *settings, 2 * FOLD + 10, |step, state| {
            let fold = (step / FOLD).min(1);
            let angle = std::f64::consts::PI * ((step - fold * FOLD + 1) as f64 / FOLD as f64).min(1.0);
            for &(hand, v) in &hands {
                // Along x in the first fold, along z in the second; an edge that is not held has its hand follow it.
                let [number, axis] = if fold == 0 { [v / n, 0] } else { [v % n, 2] };
                let to = if number == n - 1 {
                    let mut to = state.controls().targets()[hand.0];
                    let (reach, low) = (0.5, 0.02 + 0.02 * fold as f64);
                    to[axis] = reach * angle.cos();
                    to.y = reach * angle.sin() + low;
                    to
                } else if number == 0 {
                    state.controls().targets()[hand.0]
                } else {
                    state.positions()[v]
                };
                state.controls_mut().move_target(hand, to).unwrap();
            }
        });
        if let Some((state, seen)) = folded {
            let corner = state.positions()[n * n - 1];
            failures.check(seen.pressing > 0, || format!("{name}: no layer lies on another"));
            failures
                .check(corner.x < -0.2 && corner.z < -0.2, || format!("{name}: the corner is at {corner}"));
        }
    }
    failures.conclude();
}

/// A soft box between a floor and a plate whose lower side is 1 mm above it.
fn pressed() -> Arc<Model> {
    let body = soft_box(4, 1e5, DVec3::Y * (0.5 * SIDE + 0.003), DVec3::ZERO);
    let plate = Collider::new("plate", Shape::Cuboid { half: DVec3::new(0.5, 0.05, 0.5) });
    let plate = plate.at(Placement::at(DVec3::Y * (SIDE + 0.006 + 0.05)));
    model(vec![body], vec![floor(), plate], strict(), GRAVITY)
}

/// What is inside of a body may be turned inside out and be anywhere.
#[test]
fn a_plate_that_would_crush_a_box_is_held_back() {
    let model = pressed();
    let mut failures = Failures::default();
    for (way, settings) in some() {
        let top = SIDE + 0.006;
        let lower = move |height: f64| {
            move |state: &mut State| {
                let to = Placement::at(DVec3::Y * (height + 0.05));
                state.controls_mut().move_collider(ColliderId(1), to).unwrap();
            }
        };
        // To a half in half a second, and on to 5 cm below the floor.
        let height = move |step: usize| (top - 0.5 * SIDE * (step + 1) as f64 / 15.0).max(-0.05);
        let name = format!("pressed to a half, {way}");
        let half = failures.watch(&name, &model, settings, 15, |step, state| lower(height(step))(state));
        let name = format!("pressed beyond nothing, {way}");
        let whole = failures.watch(&name, &model, settings, 45, |step, state| lower(height(step))(state));
        if let Some((state, seen)) = half {
            let lag = seen.held_back;
            // Sweeps of XPBD do not find what presses back, and FEPR gives up steps that would leave too much energy: the plate lags by a few steps' ways.
            let loose = settings.solver == (Solver::Xpbd { iterations: 10 }) && settings.correction == FEPR;
            let most = if loose { 0.3 * SIDE } else { 1e-3 };
            failures.check(lag < most, || format!("pressed to a half, {way}: the plate lags by {lag} m"));
            let low = lowest_of_surface(&model, &state);
            failures.check(low > 0.0, || format!("pressed to a half, {way}: {low} m"));
        }
        if let Some((state, seen)) = whole {
            failures.check(seen.held_back > 0.04, || format!("{name}: held back by {} m", seen.held_back));
            let low = lowest_of_surface(&model, &state);
            failures.check(low > 0.0, || format!("{name}: {low} m"));
        }
    }
    failures.conclude();
}

#[test]
fn a_rigid_box_and_a_soft_one_thrown_at_each_other_do_not_pass() {
    let mut failures = Failures::default();
    for offset in [DVec3::ZERO, DVec3::new(0.0, 0.06, 0.09)] {
        let mut builder = Model::builder();
        let away = 0.5 * SIDE + 0.01 + 0.4 * 50.0 / 30.0;
        builder.body(soft_box(4, 1e5, DVec3::X * -away, DVec3::X * 50.0));
        builder.add_rigid(soft_box(2, 1e5, DVec3::X * away + offset, DVec3::X * -50.0));
        let model = Arc::new(builder.contact(strict()).build().unwrap());
        for (way, settings) in usual().into_iter().chain(unusual()) {
            let name = format!("a rigid box against a soft one, {offset} aside, {way}");
            let met = failures.watch(&name, &model, settings, 12, |_, _| {});
            if let Some((state, seen)) = met {
                failures.check(seen.pressing > 0, || format!("{name}: they have passed without touching"));
                let [soft, rigid] = [0, 1].map(|body| middle(&model, &state, body).x);
                // Later a box that is hit aside may turn and go by.
                failures
                    .check(offset != DVec3::ZERO || soft < rigid, || format!("{name}: {soft} m, {rigid} m"));
            }
        }
    }
    failures.conclude();
}

/// A cloth held at its corners, or all around.
fn held_cloth(builder: &mut ModelBuilder, n: usize, around: bool) {
    builder.body(cloth(n, 0.0, DVec3::ZERO)).contact(strict());
    for v in 0..n * n {
        let [i, j] = [v / n, v % n].map(|k| k == 0 || k == n - 1);
        if i && j || around && (i || j) {
            builder.pin(v);
        }
    }
}

/// Down by 0.8 m from where it started at `speed`, turning about `middle` on the way.
fn fall(step: usize, middle: DVec3, speed: f64, turn: f64) -> Placement {
    let way = speed * (step + 1) as f64 / 30.0;
    let rotation = DQuat::from_axis_angle(DVec3::new(1.0, 0.3, 0.2).normalize(), turn * (step + 1) as f64);
    Placement { rotation, translation: middle + DVec3::Y * (-way).max(-0.8) }
}

#[test]
fn a_bone_that_is_driven_into_a_cloth_does_not_pass_it() {
    let mut failures = Failures::default();
    let steps = if long() { 15 } else { 8 };
    for (speed, turn) in [(3.0, 0.0), (30.0, 0.0), (3.0, 0.3), (30.0, 0.3)] {
        for around in [false, true] {
            let mut builder = Model::builder();
            held_cloth(&mut builder, 17, around);
            let start = DVec3::new(0.011, 0.3, 0.017);
            let bone = builder.add_rigid(soft_box(2, 1e5, start, DVec3::ZERO));
            builder.kinematic(bone);
            let model = Arc::new(builder.build().unwrap());
            for (way, settings) in some() {
                let held = if around { "all around" } else { "at its corners" };
                let name = format!("a bone at {speed} m/s, {turn} rad a step, cloth held {held}, {way}");
                let run = failures.watch(&name, &model, settings, steps, |step, state| {
                    let to = fall(step, start, speed, turn);
                    let to = Placement { translation: to.apply(-start), ..to };
                    state.controls_mut().move_bone(bone, to).unwrap();
                });
                if let Some((state, seen)) = run {
                    failures.check(seen.pressing > 0, || format!("{name}: it has passed without touching"));
                    let layers = layers_above(&model, &state, middle(&model, &state, 1));
                    failures.check(!around || layers.is_multiple_of(2), || {
                        format!("{name}: below {layers} layers")
                    });
                }
            }
        }
    }
    failures.conclude();
}

#[test]
fn a_collider_that_is_driven_into_a_cloth_does_not_pass_it() {
    let mut failures = Failures::default();
    let steps = if long() { 15 } else { 8 };
    let shapes = [
        ("capsule", Shape::Capsule { half_length: 0.15, radius: 0.05 }),
        ("box", Shape::Cuboid { half: DVec3::new(0.15, 0.05, 0.1) }),
        ("torus", Shape::Torus { major: 0.15, minor: 0.03 }),
    ];
    for (what, shape) in shapes {
        let speeds = [(3.0, 0.0), (30.0, 0.0), (3.0, 0.3), (30.0, 0.3)];
        for (speed, turn) in speeds {
            let mut builder = Model::builder();
            held_cloth(&mut builder, 17, true);
            let lift = DVec3::new(0.011, 0.25, 0.017);
            let collider = builder.add_collider(Collider::new(what, shape.clone()).at(Placement::at(lift)));
            let model = Arc::new(builder.build().unwrap());
            for (way, settings) in some() {
                let name = format!("a {what} at {speed} m/s, {turn} rad a step, {way}");
                let run = failures.watch(&name, &model, settings, steps, |step, state| {
                    state.controls_mut().move_collider(collider, fall(step, lift, speed, turn)).unwrap();
                });
                if let Some((_, seen)) = run {
                    // Where a solver cannot say what the cloth does, FEPR gives the steps up, and the collider stays in front of it.
                    let unable = matches!(settings.solver, Solver::Linearized | Solver::Xpbd { .. });
                    let stopped = unable && settings.correction == FEPR && seen.held_back > 0.0;
                    failures.check(seen.pressing > 0 || stopped, || {
                        format!("{name}: it has passed without touching")
                    });
                }
            }
        }
    }
    failures.conclude();
}

#[test]
fn a_floor_that_tilts_does_not_pass_what_lies_on_it() {
    let mut failures = Failures::default();
    let body = soft_box(3, 1e5, DVec3::new(0.3, 0.5 * SIDE + 0.005, 0.0), DVec3::ZERO);
    let model = model(vec![body], vec![floor()], strict(), GRAVITY);
    for (way, settings) in usual().into_iter().chain(unusual()) {
        let name = format!("a floor that tilts by 3 degrees a step, {way}");
        failures.watch(&name, &model, settings, 20, |step, state| {
            let rotation = DQuat::from_rotation_z(0.05 * (step + 1) as f64);
            let to = Placement { rotation, translation: DVec3::ZERO };
            state.controls_mut().move_collider(ColliderId(0), to).unwrap();
        });
    }
    failures.conclude();
}

#[test]
fn one_thread_and_two_give_the_same_bits_where_much_meets() {
    let model = cloth_on(needle(), 31, 30.0);
    for correction in [FEPR, Correction::None] {
        let [one, two] = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                watched(&model, settings(correction), 6, |_, _| {}).map(|(state, _)| state.hash())
            })
        });
        assert_eq!(one, two, "{}", correction.name());
    }
}

#[test]
fn a_calm_contact_takes_two_rounds_at_the_most() {
    let mut failures = Failures::default();
    let body = soft_box(4, 1e5, DVec3::Y * (0.5 * SIDE + 0.002), DVec3::ZERO);
    let model = model(vec![body], vec![floor()], ContactLaw { verify: true, ..law(0.0, 0.5, 0.5) }, GRAVITY);
    // The iterations of other solvers end elsewhere, and take one round more.
    let others = unusual().into_iter().map(|(way, settings)| (way, settings, 3));
    for (way, settings, allowed) in
        usual().into_iter().map(|(way, settings)| (way, settings, 2)).chain(others)
    {
        let damping = Damping { rigid_preserving: 0.05, ..Damping::default() };
        let mut state = State::new(&model);
        let Ok(mut simulator) = Simulator::new(model.clone(), Settings { damping, ..settings }) else {
            continue;
        };
        let mut rounds = Vec::new();
        for step in 0..90 {
            let report = simulator.step(&mut state).unwrap().contact;
            assert!(step < 60 || report.pressing > 0);
            rounds.extend((step >= 60).then_some(report.rounds));
        }
        let most = rounds.iter().max().unwrap();
        let mean = rounds.iter().sum::<usize>() as f64 / rounds.len() as f64;
        failures.check(*most <= allowed, || format!("{way}: {most} rounds, {mean} in the mean"));
    }
    failures.conclude();
}

#[test]
fn a_cloth_at_rest_on_a_sphere_allocates_nothing() {
    let calm = ContactLaw { verify: false, ..strict() };
    let model = model(vec![cloth(11, 0.01, DVec3::ZERO)], vec![sphere()], calm, GRAVITY);
    for correction in [FEPR, Correction::None] {
        let damping = Damping { rigid_preserving: 0.5, ether: 1.0 };
        let mut state = State::new(&model);
        let mut simulator =
            Simulator::new(model.clone(), Settings { damping, ..settings(correction) }).unwrap();
        for _ in 0..150 {
            simulator.step(&mut state).unwrap();
        }
        let (before, mut pressing) = (allocations(), 0);
        for _ in 0..5 {
            pressing += simulator.step(&mut state).unwrap().contact.pressing;
        }
        assert!(pressing > 0);
        assert_eq!(allocations() - before, 0, "{}", correction.name());
    }
}
