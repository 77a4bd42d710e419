//! Determinism, allocation, failed steps, switching, refused combinations.

mod support;

use sinew::energy::{HessianKind, Pose};
use sinew::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use support::*;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts what the current thread allocates.
struct Counting;

// SAFETY: every call is handed on to the system's allocator unchanged; the counter is a plain thread-local cell
// that neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `alloc` above, that is from the system with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const BUDGET: Budget = Budget::to(10, 0.0);
const LBFGS: Acceleration = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Double };
const LBFGS_SINGLE: Acceleration = Acceleration::Lbfgs { history: 5, preconditioner: Precision::Single };

fn solvers() -> [Solver; 6] {
    [
        Solver::Newton(Budget::to(20, 1e-10)),
        Solver::Linearized,
        Solver::ProjectiveDynamics { budget: BUDGET, acceleration: Acceleration::None },
        Solver::ProjectiveDynamics { budget: BUDGET, acceleration: LBFGS },
        Solver::Xpbd { iterations: 10 },
        Solver::ProjectiveDynamics { budget: BUDGET, acceleration: LBFGS_SINGLE },
    ]
}

const INTEGRATORS: [Integrator; 7] = [
    Integrator::ForwardEuler,
    Integrator::SymplecticEuler,
    Integrator::BackwardEuler,
    Integrator::Bdf2,
    Integrator::ImplicitMidpoint,
    Integrator::Newmark,
    Integrator::GeneralizedAlpha { spectral_radius: 0.8 },
];

/// A cube of jelly with three bones, one held, a hinge with a range and a joint that closes a loop.
fn bony_cube(n: usize) -> Arc<Model> {
    let (points, tets) = cube(n);
    let lame = Lame::new(1e3, 1e3).unwrap();
    let mut builder = Model::builder();
    builder.body(Body::new("cube", points.clone()).tetrahedra(tets, Constitutive::Corotated, lame, 1.0));
    builder.gravity(DVec3::new(0.0, -9.81, 0.0));
    let bones = [-0.5, 0.0, 0.5].map(|x| {
        let near = |p: &DVec3| (p.x - x).abs() < 0.1 && p.y > -0.1;
        let vertices = (0..points.len()).filter(|&i| near(&points[i])).collect();
        Some(builder.add_bone(Bone::new(format!("bone at {x}"), vertices)))
    });
    builder.kinematic(bones[0].unwrap());
    let range = Some([-0.1, 0.2]);
    builder.joint(Joint {
        name: "hinge".into(),
        kind: JointKind::Hinge { axis: DVec3::Z, range },
        bones: [bones[0], bones[1]],
        position: DVec3::new(-0.25, 0.2, 0.0),
    });
    builder.joint(Joint::ball("ball", [bones[1], bones[2]], DVec3::new(0.25, 0.2, 0.0)));
    builder.joint(Joint::ball("loop", [bones[1], bones[2]], DVec3::new(0.25, 0.2, 0.3)));
    Arc::new(builder.build().unwrap())
}

/// Whether a solver knows bones.
fn takes(model: &Model, solver: &Solver) -> bool {
    model.bone_count() == 0 || !matches!(solver, Solver::Xpbd { .. })
}

#[test]
fn a_steady_step_allocates_nothing() {
    for model in [free_cube(Constitutive::Corotated), hanging_cloth(21, SpringLaw::Hookean), bony_cube(5)] {
        for integrator in INTEGRATORS {
            for solver in solvers().into_iter().filter(|solver| takes(&model, solver)) {
                let damping = Damping { ether: 1e-5, rigid_preserving: 0.01 };
                let correction = Correction::Fepr(Fepr::default());
                // A 21 × 21 cloth has more rows than the coarsest level of multigrid takes.
                for global in [GlobalMethod::Direct, GlobalMethod::Multigrid] {
                    let settings = Settings { h: 1e-3, integrator, solver, global, damping, correction };
                    let mut state = State::new(&model);
                    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
                    for _ in 0..3 {
                        simulator.step(&mut state).unwrap();
                    }
                    let before = ALLOCATIONS.with(Cell::get);
                    for _ in 0..3 {
                        simulator.step(&mut state).unwrap();
                    }
                    let count = ALLOCATIONS.with(Cell::get) - before;
                    assert_eq!(count, 0, "{} with {}, {global:?}", integrator.name(), solver.name());
                }
            }
        }
    }
}

#[test]
fn a_corrected_step_with_bones_allocates_nothing() {
    let model = bony_cube(5);
    for correction in [Correction::Blend(Blend::default()), Correction::VelocityProjection] {
        let mut state = State::new(&model);
        let mut simulator =
            Simulator::new(model.clone(), Settings { correction, ..Settings::plain() }).unwrap();
        for _ in 0..3 {
            simulator.step(&mut state).unwrap();
        }
        let before = ALLOCATIONS.with(Cell::get);
        for _ in 0..3 {
            simulator.step(&mut state).unwrap();
        }
        assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0, "{}", correction.name());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let models = [
        hanging_cloth(41, SpringLaw::Hookean),
        bony_cube(9),
        build(spinning_cube(
            9,
            Constitutive::Corotated,
            Lame::new(1e4, 1e4).unwrap(),
            DVec3::new(1.3, 0.9, 0.9),
            3.0,
        )),
    ];
    for model in models {
        for (k, solver) in solvers().into_iter().enumerate().filter(|(_, solver)| takes(&model, solver)) {
            let correction = if k % 2 == 0 { Correction::Fepr(Fepr::default()) } else { Correction::None };
            let settings = Settings { solver, correction, ..Settings::plain() };
            let hash = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| run(&model, settings, 8, |_, _| {}).hash())
            };
            let alone = run(&model, settings, 8, |_, _| {}).hash();
            for threads in [1, 2, 3] {
                assert_eq!(hash(threads), alone, "{threads} threads, {}", solver.name());
            }
        }
    }
}

#[test]
fn a_failed_step_leaves_the_state_as_it_was() {
    let model = free_cube(Constitutive::StVenantKirchhoff);
    let settings = Settings { h: 1.0, integrator: Integrator::ForwardEuler, ..Settings::plain() };
    let settings = Settings { solver: solvers()[0], ..settings };
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    for _ in 0..1000 {
        let before = state.clone();
        match simulator.step(&mut state) {
            Ok(_) => {}
            Err(error) => {
                assert!(error.to_string().contains("exploded"), "{error}");
                assert_eq!(state, before);
                return;
            }
        }
    }
    panic!("forward Euler at h = 1 s was expected to overflow");
}

#[test]
fn every_choice_can_be_switched_on_a_running_simulation() {
    let model = free_cube(Constitutive::Corotated);
    let mut state = State::new(&model);
    let mut simulator = Simulator::new(model, Settings::plain()).unwrap();
    for integrator in INTEGRATORS {
        for solver in solvers() {
            for h in [1e-3, 2e-3] {
                simulator.set_settings(Settings { h, integrator, solver, ..Settings::plain() }).unwrap();
                for _ in 0..2 {
                    simulator.step(&mut state).unwrap();
                }
            }
        }
    }
    assert!(state.positions().iter().all(|p| p.length() < 2.0));
}

#[test]
fn what_cannot_work_is_refused_with_a_reason() {
    let stvk = free_cube(Constitutive::StVenantKirchhoff);
    let plain = Settings::plain();
    let error = Simulator::new(stvk.clone(), plain).unwrap_err().to_string();
    assert!(error.contains("stvk") && error.contains("lbfgs"), "{error}");

    let mut simulator = Simulator::new(stvk, Settings { solver: solvers()[3], ..Settings::plain() }).unwrap();
    let kept = *simulator.settings();
    assert!(simulator.set_settings(plain).is_err());
    assert_eq!(*simulator.settings(), kept, "a refused switch changes nothing");
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(simulator.set_settings(Settings { h, ..kept }).is_err());
    }
    let damping = Damping { rigid_preserving: 1.5, ..Damping::default() };
    assert!(simulator.set_settings(Settings { damping, ..kept }).is_err());
    let none = Solver::Newton(Budget::to(0, 0.0));
    assert!(simulator.set_settings(Settings { solver: none, ..kept }).is_err());
}

/// A constant push with no matrix and no constraints: only Newton can use it.
#[derive(Debug)]
struct Push;

impl Energy for Push {
    fn name(&self) -> &str {
        "push"
    }
    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        -at.x[0].x.sin()
    }
    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        gradient[0].x -= at.x[0].x.cos();
        self.value(at, work)
    }
    fn hessian(&self, at: Pose, kind: HessianKind, add: &mut dyn FnMut(u32, u32, DMat3)) {
        let bend = at.x[0].x.sin();
        let bend = if kind == HessianKind::Exact { bend } else { bend.max(0.0) };
        add(0, 0, DMat3::from_diagonal(DVec3::X * bend));
    }
    fn external(&self) -> bool {
        true
    }
}

#[test]
fn own_energies_work_where_they_can_and_are_refused_where_they_cannot() {
    let mut builder = Model::builder();
    let (points, tets) = cube(2);
    builder.body(Body::new("cube", points).tetrahedra(
        tets,
        Constitutive::Corotated,
        Lame::new(1e3, 1e3).unwrap(),
        1.0,
    ));
    builder.energy(Push);
    let model = Arc::new(builder.build().unwrap());
    for refused in [solvers()[2], solvers()[3], solvers()[4]] {
        let error = Simulator::new(model.clone(), Settings { solver: refused, ..Settings::plain() });
        assert!(error.unwrap_err().to_string().contains("push"));
    }
    let end = run(&model, Settings { solver: solvers()[0], ..Settings::plain() }, 10, |_, _| {});
    assert!(end.positions()[0].x > -0.5, "it was pushed");
}

/// A constant push on every vertex that reports no second derivatives.
#[derive(Debug)]
struct Wind(&'static str);

impl Energy for Wind {
    fn name(&self) -> &str {
        self.0
    }
    fn value(&self, at: Pose, _: &mut Work) -> f64 {
        at.x.iter().map(|x| -x.z).sum()
    }
    fn gradient(&self, at: Pose, work: &mut Work, gradient: &mut [DVec3]) -> f64 {
        gradient.iter_mut().for_each(|g| g.z -= 1.0);
        self.value(at, work)
    }
    fn hessian(&self, _: Pose, _: HessianKind, _: &mut dyn FnMut(u32, u32, DMat3)) {}
    fn projective(&self) -> Projective {
        Projective::Exact
    }
    fn external(&self) -> bool {
        true
    }
}

#[test]
fn a_push_on_two_bodies_moves_both_whatever_its_name() {
    for name in ["wind", "gravity"] {
        let mut builder = Model::builder();
        for shift in [0.0, 5.0] {
            let (points, tets) = cube(2);
            let points = points.iter().map(|p| *p + DVec3::X * shift).collect();
            let lame = Lame::new(1e3, 1e3).unwrap();
            builder.body(Body::new("cube", points).tetrahedra(tets, Constitutive::Corotated, lame, 8.0));
        }
        builder.energy(Wind(name));
        let model = Arc::new(builder.build().unwrap());
        let settings = Settings {
            integrator: Integrator::ImplicitMidpoint,
            solver: Solver::newton(),
            correction: Correction::Fepr(Fepr::default()),
            ..Settings::plain()
        };
        let end = run(&model, settings, 30, |_, _| {});
        // 8 N on 8 kg for 1 s.
        for body in 0..2 {
            let speed = end.momenta(&model, sinew::BodyId(body)).unwrap().drift().z;
            assert!((speed - 1.0).abs() < 1e-6, "{name}: body {body} moves at {speed} m/s");
        }
    }
}

/// Misbehaves on demand.
#[derive(Debug)]
struct Broken {
    vertex: u32,
    force: f64,
}

impl sinew::energy::Compliant for Broken {
    fn len(&self) -> usize {
        1
    }
    fn constraint(&self, _: usize, _: Pose) -> sinew::energy::Constraint {
        sinew::energy::Constraint::new(1.0, 1.0, &[(self.vertex, DVec3::X)])
    }
}

impl Energy for Broken {
    fn name(&self) -> &str {
        "broken"
    }
    fn value(&self, _: Pose, _: &mut Work) -> f64 {
        0.0
    }
    fn gradient(&self, _: Pose, _: &mut Work, gradient: &mut [DVec3]) -> f64 {
        gradient[0].x += self.force;
        0.0
    }
    fn hessian(&self, _: Pose, _: HessianKind, _: &mut dyn FnMut(u32, u32, DMat3)) {}
    fn projective(&self) -> Projective {
        Projective::BestFit
    }
    fn compliant(&self) -> Option<sinew::energy::CompliantForm<'_>> {
        Some(sinew::energy::CompliantForm::Constraints(self))
    }
    fn external(&self) -> bool {
        true
    }
}

#[test]
fn own_energies_that_misbehave_are_errors_not_panics() {
    let model = |broken| {
        let mut builder = Model::builder();
        let (points, tets) = cube(2);
        let lame = Lame::new(1e3, 1e3).unwrap();
        builder.body(Body::new("cube", points).tetrahedra(tets, Constitutive::Corotated, lame, 1.0));
        builder.energy(broken);
        Arc::new(builder.build().unwrap())
    };
    let lost = model(Broken { vertex: 99, force: 0.0 });
    assert!(Simulator::new(lost, Settings { solver: solvers()[4], ..Settings::plain() }).is_err());
    let nan = model(Broken { vertex: 0, force: f64::NAN });
    for solver in [solvers()[0], solvers()[1], solvers()[3]] {
        let mut state = State::new(&nan);
        let before = state.hash();
        let mut simulator = Simulator::new(nan.clone(), Settings { solver, ..Settings::plain() }).unwrap();
        assert!(simulator.step(&mut state).is_err(), "{}", solver.name());
        assert_eq!(state.hash(), before);
    }
}

#[test]
fn bodies_far_from_the_origin_are_solved_as_well_as_near_ones() {
    let fall = |offset: f64, solver: Solver| {
        let (points, tets) = cube(3);
        let points: Vec<_> = points.iter().map(|p| *p + DVec3::Y * offset).collect();
        let mut builder = Model::builder();
        let lame = Lame::new(1e4, 1e4).unwrap();
        builder.body(Body::new("cube", points).tetrahedra(tets, Constitutive::Corotated, lame, 1000.0));
        builder.pin(0).gravity(DVec3::Y * -9.81);
        let model = Arc::new(builder.build().unwrap());
        let end = run(&model, Settings { solver, ..Settings::plain() }, 10, |_, _| {});
        end.positions().iter().map(|p| *p - DVec3::Y * offset).collect::<Vec<_>>()
    };
    let near = fall(0.0, Solver::newton());
    for solver in [Solver::newton(), Solver::accelerated(200)] {
        let far = fall(1000.0, solver);
        let worst = near.iter().zip(&far).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(worst < 1e-7, "{}: {worst:e}", solver.name());
    }
}

#[test]
fn every_solver_reduces_the_objective() {
    // One step of backward Euler from a stretched state must end below where y starts, for every solver.
    let mut refused = 0;
    for law in [
        Constitutive::Corotated,
        Constitutive::Arap,
        Constitutive::StVenantKirchhoff,
        Constitutive::NeoHookean,
    ] {
        let model = free_cube(law);
        let start = State::new(&model);
        let settings = Settings::plain();
        let h = settings.h;
        // g(x)/h² = ½‖x − y‖²_M/h² + E(x) = kinetic energy of (x − y)/h + E.
        let objective = |x: &[DVec3]| {
            let mut there = start.clone();
            let y: Vec<_> =
                start.positions().iter().zip(start.velocities()).map(|(x, v)| *x + *v * h).collect();
            let gap: Vec<_> = x.iter().zip(&y).map(|(x, y)| (*x - *y) / h).collect();
            there
                .edit(&model, |p, v| {
                    p.copy_from_slice(x);
                    v.copy_from_slice(&gap);
                })
                .unwrap();
            there.ledger().energy()
        };
        let y: Vec<_> = start.positions().iter().zip(start.velocities()).map(|(x, v)| *x + *v * h).collect();
        let initial = objective(&y).max(objective(start.positions()));
        for solver in solvers() {
            let Ok(mut simulator) = Simulator::new(model.clone(), Settings { solver, ..settings }) else {
                refused += 1;
                continue;
            };
            let mut state = start.clone();
            simulator.step(&mut state).unwrap();
            let value = objective(state.positions());
            assert!(value < initial, "{law:?}, {}: {value} from {initial}", solver.name());
        }
    }
    // Plain Projective Dynamics does not take St. Venant–Kirchhoff and Neo-Hookean; nothing else is refused.
    assert_eq!(refused, 2);
}

#[test]
fn saved_states_continue_to_the_bit_and_broken_ones_are_refused() {
    for integrator in [Integrator::Bdf2, Integrator::GeneralizedAlpha { spectral_radius: 0.5 }] {
        saved_states_continue(Settings { integrator, ..Settings::plain() });
    }
}

fn saved_states_continue(settings: Settings) {
    let model = hanging_cloth(11, SpringLaw::Hookean);
    let whole = run(&model, settings, 20, |_, _| {});
    let half = run(&model, settings, 10, |_, _| {});
    let bytes = half.to_bytes();
    let mut resumed = State::from_bytes(&model, &bytes).unwrap();
    assert_eq!(resumed, half);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    for _ in 0..10 {
        simulator.step(&mut resumed).unwrap();
    }
    assert_eq!(resumed.hash(), whole.hash());
    assert!(State::from_bytes(&model, &bytes[..bytes.len() - 8]).is_err());
    assert!(State::from_bytes(&model, &[]).is_err());
    let mut nan = bytes;
    let at = nan.len() / 2 / 8 * 8;
    nan[at..at + 8].copy_from_slice(&f64::NAN.to_le_bytes());
    assert!(State::from_bytes(&model, &nan).is_err());
}

#[test]
fn bad_models_are_refused() {
    let lame = Lame::new(1e3, 1e3).unwrap();
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let solid = |tets: Vec<[u32; 4]>, density: f64| {
        Body::new("b", corners.clone()).tetrahedra(tets, Constitutive::Corotated, lame, density)
    };
    let flat = Body::new("b", vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y]).tetrahedra(
        vec![[0, 1, 2, 3]],
        Constitutive::Corotated,
        lame,
        1.0,
    );
    let net = |k: f64, m: f64| {
        Body::new("b", vec![DVec3::ZERO, DVec3::X])
            .springs(vec![[0, 1]], SpringLaw::Hookean, k)
            .masses(vec![m; 2])
    };
    let cases: Vec<(Body, &str)> = vec![
        (Body::new("b", vec![]), "no vertices"),
        (flat, "flat"),
        (solid(vec![[0, 2, 1, 3]], 1.0), "inverted"),
        (solid(vec![[0, 1, 2, 4]], 1.0), "vertex 4"),
        (solid(vec![[0, 1, 2, 2]], 1.0), "twice"),
        (solid(vec![[0, 1, 2, 3]], -1.0), "density"),
        (solid(vec![[0, 1, 2, 3]], 0.0), "mass"),
        (solid(vec![[0, 1, 2, 3]], f64::NAN), "density"),
        (net(-5.0, 1.0), "stiffness"),
        (net(5.0, 0.0), "mass"),
        (net(5.0, f64::INFINITY), "mass"),
        (net(5.0, 1.0).positions(vec![DVec3::ZERO]), "position"),
        (net(5.0, 1.0).positions(vec![DVec3::NAN; 2]), "not finite"),
        (net(5.0, 1.0).surface(vec![[0, 1, 5]]), "vertex 5"),
    ];
    for (body, expected) in cases {
        let mut builder = Model::builder();
        builder.body(body);
        let error = builder.build().unwrap_err().to_string();
        assert!(error.contains(expected), "`{error}` should mention `{expected}`");
    }
    assert_eq!(Model::builder().build().unwrap_err(), ModelError::Empty);
    let mut builder = Model::builder();
    builder.body(net(5.0, 1.0));
    builder.pin(9);
    assert!(builder.build().unwrap_err().to_string().contains("vertex 9"));
}
