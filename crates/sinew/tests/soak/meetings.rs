//! Random scenes in which much meets: cloth, flesh, rigid bodies, bones and colliders of every shape, thrown at each other and moved. They start clean, and every step is verified.
//!
//! 100 scenes, 1000 with `SINEW_SOAK`; `SINEW_MEETINGS=17` or `0..50` plays some of them. One in fifty is hostile: huge speeds, needles, shells inside shells.

use crate::bodies::sheet;
use crate::random::Random;
use crate::support::cube;
use sinew::contact::{ClosedMesh, Collider, ContactLaw, Friction, Shape};
use sinew::*;
use std::panic::catch_unwind;
use std::sync::Arc;

/// A scene: a model, what moves, and how fast.
struct Meeting {
    model: Arc<Model>,
    colliders: Vec<ColliderId>,
    bones: Vec<BoneId>,
    /// How fast colliders and bones go, m/s, and turn, rad/s.
    pace: f64,
    turn: f64,
}

/// What a scene is made of.
struct Draft {
    builder: ModelBuilder,
    hostile: bool,
    speed: f64,
    bones: Vec<BoneId>,
}

/// Where the k-th thing of a scene starts: they are too far from each other to touch, and all on their way to the middle.
fn cell(k: usize) -> DVec3 {
    let k = k as f64;
    DVec3::new((2.4 * k).cos(), 0.3 + 0.9 * k, (2.4 * k).sin())
}

impl Draft {
    fn velocity(&self, r: &mut Random, from: DVec3) -> DVec3 {
        (-from.normalize_or_zero() + r.vector(0.2)) * self.speed
    }

    fn cloth(&mut self, r: &mut Random, at: DVec3) {
        let n = r.pick(&[5, 9, 13]);
        let velocity = self.velocity(r, at);
        let body = sheet(n, at, r.rotation(3.0), velocity);
        let first = self.builder.vertex_count();
        self.builder.body(body);
        match r.index(4) {
            0 => drop(self.builder.pin(first).pin(first + n - 1)),
            1 => drop(self.builder.attach(first, 100.0, None)),
            _ => {}
        }
    }

    fn solid(&self, r: &mut Random, at: DVec3, n: usize) -> Body {
        let (points, tetrahedra) = cube(n);
        // A needle is a box of a hundredth of its length.
        let side =
            if self.hostile && r.chance(0.5) { DVec3::new(0.005, 0.5, 0.005) } else { DVec3::splat(0.3) };
        let turn = r.rotation(3.0);
        let points: Vec<_> = points.iter().map(|p| at + turn * (*p * side)).collect();
        let velocities = vec![self.velocity(r, at); points.len()];
        let lame = Lame::from_young(r.decades(4.0, 6.0), 0.3).unwrap();
        let law = r.pick(&[Constitutive::Corotated, Constitutive::Arap, Constitutive::NeoHookean]);
        Body::new("solid", points).tetrahedra(tetrahedra, law, lame, 300.0).velocities(velocities)
    }

    fn rigid(&mut self, r: &mut Random, at: DVec3) {
        let body = self.solid(r, at, 2);
        let bone = self.builder.add_rigid(body);
        if r.chance(0.3) {
            self.builder.kinematic(bone);
            self.bones.push(bone);
        }
    }

    /// Flesh on a bone.
    fn limb(&mut self, r: &mut Random, at: DVec3) {
        let body = self.solid(r, at, 3);
        let first = self.builder.vertex_count();
        self.builder.body(body);
        let bone = self.builder.add_bone(Bone::new("bone", (first..first + 9).collect()));
        if r.chance(0.5) {
            self.builder.kinematic(bone);
            self.bones.push(bone);
        }
    }

    /// A solid in a closed box of cloth, in another one.
    fn shells(&mut self, r: &mut Random, at: DVec3) {
        for side in [0.1, 0.2, 0.3] {
            let (points, tetrahedra) = cube(3);
            let surface = boundary_triangles(&tetrahedra);
            let mut used: Vec<u32> = surface.iter().flatten().copied().collect();
            used.sort_unstable();
            used.dedup();
            let number = |i: u32| used.binary_search(&i).unwrap() as u32;
            let surface: Vec<_> = surface.iter().map(|t| t.map(number)).collect();
            let points: Vec<_> = used.iter().map(|&i| at + points[i as usize] * side).collect();
            let sides = surface.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            let mut springs: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
            springs.sort_unstable();
            springs.dedup();
            let velocities = vec![r.vector(self.speed); points.len()];
            let shell =
                Body::new("shell", points).springs(springs, SpringLaw::Hookean, 300.0).total_mass(0.1);
            self.builder.body(shell.surface(surface).velocities(velocities));
        }
    }
}

/// A collider of any shape that fits into a ball of 0.4 m; half-spaces are below everything.
fn shape(r: &mut Random, hostile: bool) -> Shape {
    let half = DVec3::new(0.2, r.between(0.005, 0.2), 0.2);
    match r.index(if hostile { 7 } else { 6 }) {
        0 => Shape::Sphere { radius: r.between(0.02, 0.3) },
        1 => Shape::Cuboid { half },
        2 => Shape::Capsule { half_length: 0.2, radius: r.between(0.01, 0.15) },
        3 => Shape::Torus { major: 0.25, minor: r.between(0.01, 0.1) },
        4 => Shape::Mesh(Arc::new(ClosedMesh::cuboid(half))),
        5 => Shape::Union(vec![
            (Placement::at(DVec3::X * 0.1), Shape::Cuboid { half: DVec3::splat(0.12) }),
            (Placement::at(DVec3::X * -0.1), Shape::Sphere { radius: 0.12 }),
        ]),
        _ => Shape::Mesh(Arc::new(ClosedMesh::cuboid(DVec3::new(0.001, 0.4, 0.001)))),
    }
}

/// The scene of a case; `None` if it does not start clean.
fn meeting(case: u64) -> Option<Meeting> {
    let mut r = Random::of(case, "meeting");
    let r = &mut r;
    let hostile = case % 50 == 49;
    let speed = if hostile { r.decades(2.0, 4.0) } else { r.pick(&[0.0, 1.0, 5.0, 20.0, 50.0]) };
    let mut draft = Draft { builder: Model::builder(), hostile, speed, bones: Vec::new() };
    let sticking = r.pick(&[0.0, 0.3, 1.0]);
    draft.builder.contact(ContactLaw {
        friction: Friction { sticking, sliding: sticking * r.unit() },
        restitution: r.pick(&[0.0, 0.0, 0.5, 1.0]),
        own: r.chance(0.6),
        verify: true,
        ..ContactLaw::default()
    });
    draft.builder.gravity(DVec3::Y * -9.81);
    let things = 1 + r.index(3);
    for k in 0..things {
        let at = cell(k);
        match r.index(if hostile { 6 } else { 5 }) {
            0 | 1 => draft.cloth(r, at),
            2 => {
                let body = draft.solid(r, at, 3);
                draft.builder.body(body);
            }
            3 => draft.rigid(r, at),
            4 => draft.limb(r, at),
            _ => draft.shells(r, at),
        }
    }
    let mut colliders = Vec::new();
    for k in things..things + 1 + r.index(2) {
        let collider = if r.chance(0.3) {
            Collider::new("floor", Shape::HalfSpace).at(Placement::at(DVec3::Y * -0.6))
        } else {
            let at = Placement { rotation: r.rotation(3.0), translation: cell(k) };
            Collider::new("collider", shape(r, hostile)).at(at)
        };
        colliders.push(draft.builder.add_collider(collider));
    }
    // Something must be able to move.
    let model = Arc::new(draft.builder.build().ok()?);
    let clean = State::new(&model).crossings(&model) == 0;
    let (pace, turn) = (speed.min(50.0) * r.pick(&[0.0, 0.3, 1.0]), r.pick(&[0.0, 0.0, 1.0, 10.0]));
    clean.then_some(Meeting { model, colliders, bones: draft.bones, pace, turn })
}

/// Ways to take a step in contact.
fn choices(r: &mut Random) -> Settings {
    let fepr = Correction::Fepr(Fepr::default());
    let plain = Solver::ProjectiveDynamics { budget: Budget::fixed(10), acceleration: Acceleration::None };
    let integrators = [
        Integrator::BackwardEuler,
        Integrator::BackwardEuler,
        Integrator::BackwardEuler,
        Integrator::Bdf2,
        Integrator::ImplicitMidpoint,
        Integrator::Newmark,
        Integrator::Sdirk2,
        Integrator::TrBdf2,
        Integrator::SymplecticEuler,
    ];
    let solvers = [
        Solver::accelerated(20),
        Solver::accelerated(20),
        Solver::accelerated(2),
        Solver::adaptive(),
        Solver::Newton(Budget::to(10, 1e-8)),
        Solver::Linearized,
        plain,
        Solver::Xpbd { iterations: 5 },
    ];
    Settings {
        h: r.pick(&[1.0 / 30.0, 1.0 / 30.0, 1.0 / 60.0, 0.005, 0.1]),
        integrator: r.pick(&integrators),
        solver: r.pick(&solvers),
        correction: r.pick(&[fepr, fepr, Correction::None, Correction::Blend(Blend::default())]),
        ..Settings::plain()
    }
}

/// Farther away, m, or faster, m/s, than this, what started within some metres and, unless the scene is hostile, at up to 50 m/s has exploded.
const EXPLODED: (f64, f64) = (1e3, 500.0);

/// Plays a case; returns the number of contacts.
fn play(case: u64) -> Result<usize, String> {
    let Some(Meeting { model, colliders, bones, pace, turn }) = meeting(case) else { return Ok(0) };
    let mut r = Random::of(case, "choices");
    let accepted = (0..50).find_map(|_| {
        let settings = choices(&mut r);
        Some((settings, Simulator::new(model.clone(), settings).ok()?))
    });
    let (settings, mut simulator) = accepted.ok_or("50 settings were refused")?;
    let mut state = State::new(&model);
    let mut contacts = 0;
    // Enough to meet, at this speed.
    for step in 0..15 {
        let mut r = Random::of(case, &format!("user {step}"));
        let mut moved = |from: Placement| Placement {
            rotation: (r.rotation(turn * settings.h) * from.rotation).normalize(),
            translation: from.translation
                + (r.vector(0.3) - from.translation.normalize_or_zero()) * (pace * settings.h),
        };
        for &id in &colliders {
            let to = moved(state.controls().colliders()[id.0]);
            state.controls_mut().move_collider(id, to).map_err(|e| e.to_string())?;
        }
        for &id in &bones {
            let to = moved(state.controls().bones()[id.0]);
            state.controls_mut().move_bone(id, to).map_err(|e| e.to_string())?;
        }
        let report = match simulator.step(&mut state) {
            Ok(report) => report,
            Err(error) => {
                let far = state.positions().iter().map(|p| p.length()).fold(0.0, f64::max);
                let fast = state.velocities().iter().map(|v| v.length()).fold(0.0, f64::max);
                // What explodes because nothing keeps its energy may end in a step that is refused, as it is; it must not have crossed anything until then.
                let corrected = matches!(settings.correction, Correction::Fepr(_));
                let exploded = !corrected && (far > EXPLODED.0 || fast > EXPLODED.1);
                if exploded && matches!(error, StepError::Solver { .. } | StepError::NotFinite { .. }) {
                    return Ok(contacts);
                }
                let counts = [model.vertex_count(), model.bone_count(), colliders.len()];
                return Err(format!(
                    "{error}\n  {far:.1e} m away, {fast:.1e} m/s; vertices, bones, colliders: {counts:?}; moved at {pace} m/s, {turn} rad/s; {settings:?}"
                ));
            }
        };
        contacts += report.contact.pressing;
        if !state.positions().iter().chain(state.velocities()).all(|p| p.is_finite()) {
            return Err(format!("step {step}: not finite"));
        }
    }
    Ok(contacts)
}

#[test]
fn what_meets_at_random_never_crosses() {
    let cases = match std::env::var("SINEW_MEETINGS") {
        Ok(asked) => crate::range(&asked),
        Err(_) => 0..if std::env::var_os("SINEW_SOAK").is_some() { 1000 } else { 100 },
    };
    let (mut failures, mut met) = (Vec::new(), 0);
    for case in cases.clone() {
        match catch_unwind(|| play(case)).unwrap_or_else(|_| Err("panicked".to_owned())) {
            Ok(contacts) => met += usize::from(contacts > 0),
            Err(what) => failures.push(format!("SINEW_MEETINGS={case}: {what}")),
        }
    }
    println!("{met} of {} scenes met something", cases.end - cases.start);
    let shown = failures.len().min(50);
    assert!(failures.is_empty(), "{} cases failed:\n{}", failures.len(), failures[..shown].join("\n"));
}
