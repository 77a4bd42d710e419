//! The fast global step compared with the paper's, solved directly; and how fast it converges.

use crate::dofs::Slot;
use crate::energy::Pose;
use crate::integrator::Integrator;
use crate::objective::{Objective, ObjectiveWork};
use crate::operator::{Operators, Systems, system_matrix};
use crate::skeleton::solve::Chart;
use crate::skeleton::{Articulation, Frame, Geometric};
use crate::solver::{Budget, ProjectiveWork};
use crate::sparse::{GlobalMethod, Precision};
use crate::{Acceleration, Body, Bone, Constitutive, Joint, Lame, Model};
use faer::Mat;
use faer::linalg::solvers::Solve;
use glam::{DMat3, DVec3};

const H: f64 = 1.0 / 30.0;

/// A bar of cubes, six tetrahedra each, along x.
fn bar(cells: [u32; 3], size: f64) -> Body {
    let [nx, ny, nz] = cells;
    let at = |x: u32, y: u32, z: u32| (z * (ny + 1) + y) * (nx + 1) + x;
    let mut points = Vec::new();
    for z in 0..=nz {
        for y in 0..=ny {
            for x in 0..=nx {
                points.push(DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * size);
            }
        }
    }
    let mut tets = Vec::new();
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                let c = |a: u32, b: u32, d: u32| at(x + a, y + b, z + d);
                // Around the diagonal from corner to corner.
                let ring = [c(1, 0, 0), c(1, 1, 0), c(0, 1, 0), c(0, 1, 1), c(0, 0, 1), c(1, 0, 1)];
                for k in 0..6 {
                    tets.push([c(0, 0, 0), ring[k], ring[(k + 1) % 6], c(1, 1, 1)]);
                }
            }
        }
    }
    let soft = Lame::from_young(2e4, 0.3).unwrap();
    Body::new("bar", points).tetrahedra(tets, Constitutive::Corotated, soft, 1000.0)
}

/// Two bones in a soft bar, with a ball joint; `closed` adds a second joint that makes a loop, redundant in part.
pub(crate) fn two_bones(closed: bool) -> Model {
    let body = bar([9, 3, 3], 0.1);
    let points = body.rest.clone();
    let mut builder = Model::builder();
    builder.body(body);
    builder.gravity(DVec3::new(0.0, -9.81, 0.0));
    let within = |from: f64, to: f64| {
        let inner = |c: f64| c > 0.05 && c < 0.25;
        let list = (0..points.len())
            .filter(|&i| points[i].x > from && points[i].x < to && inner(points[i].y) && inner(points[i].z));
        list.collect::<Vec<_>>()
    };
    let first = builder.add_bone(Bone::new("first", within(0.05, 0.35)));
    let second = builder.add_bone(Bone::new("second", within(0.55, 0.85)));
    builder.joint(Joint::ball("joint", [Some(first), Some(second)], DVec3::new(0.45, 0.15, 0.15)));
    if closed {
        builder.joint(Joint::ball("other", [Some(second), Some(first)], DVec3::new(0.45, 0.25, 0.15)));
    }
    builder.build().unwrap()
}

/// A small random number, the same every time.
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) as f64 / f64::from(1u32 << 31) - 0.5
}

fn noisy(seed: &mut u64) -> DVec3 {
    DVec3::new(noise(seed), noise(seed), noise(seed))
}

/// A random state whose joints are closed.
fn random_state(model: &Model, chart: &mut Chart, objective: &Objective, seed: &mut u64) -> Vec<DVec3> {
    let mut x = model.initial.positions.clone();
    let (axis, shift) = (noisy(seed).normalize(), noisy(seed));
    let turn = DMat3::from_axis_angle(axis, 3.0 * noise(seed));
    for x in &mut x {
        *x = turn * *x + shift + noisy(seed) * 0.05;
    }
    for bone in &model.skeleton.bones {
        let own = DMat3::from_axis_angle(noisy(seed).normalize(), noise(seed)) * turn;
        bone.put(&Frame { turn: own, place: turn * bone.center + shift }, &mut x);
    }
    chart.begin(objective, &mut x);
    x
}

fn objective<'a>(model: &'a Model, start: &'a [DVec3], y: &'a [DVec3]) -> Objective<'a> {
    let rule = Integrator::BackwardEuler.rule(false).unwrap();
    let pose = Pose::new(start, &model.initial.controls);
    Objective { model, rule, h: H, start, y, pose, discrete_gradient: false }
}

/// [li2020, Eq. 15], assembled against flesh, ω and l of every bone and λ of every joint, and solved by LU: the step against the coordinates.
fn direct(
    model: &Model,
    frames: &[Frame],
    matrix_factor: f64,
    gradient: &[DVec3],
) -> (Vec<DVec3>, Vec<[DVec3; 2]>) {
    let affine = system_matrix(model, matrix_factor);
    let free = model.dofs.slots().iter().filter(|s| matches!(s, Slot::Free(_))).count();
    let bones = model.skeleton.bones.len();
    let (columns, unknowns) = (3 * model.dofs.len(), 3 * free + 6 * bones);
    // ∂(flesh, frames)/∂(flesh, ω, l).
    let mut map = Mat::<f64>::zeros(columns, unknowns);
    for i in 0..3 * free {
        map[(i, i)] = 1.0;
    }
    for (k, bone) in model.skeleton.bones.iter().enumerate() {
        let turn = frames[k].turn;
        for (a, axis) in [turn.x_axis, turn.y_axis, turn.z_axis].into_iter().enumerate() {
            let lever = -crate::math::hat(axis);
            for (r, c) in (0..9).map(|e| (e % 3, e / 3)) {
                map[(3 * (bone.column as usize + a) + r, 3 * free + 6 * k + c)] = lever.col(c)[r];
            }
        }
        for r in 0..3 {
            map[(3 * (bone.column as usize + 3) + r, 3 * free + 6 * k + 3 + r)] = 1.0;
        }
    }
    let mut a = Mat::<f64>::zeros(columns, columns);
    for j in 0..affine.pattern.n() {
        for e in affine.pattern.column_start[j]..affine.pattern.column_start[j + 1] {
            let i = affine.pattern.rows[e];
            for r in 0..3 {
                a[(3 * i + r, 3 * j + r)] = affine.values[e];
                a[(3 * j + r, 3 * i + r)] = affine.values[e];
            }
        }
    }
    let reduced = map.transpose() * &a * &map;
    let mut rows = Vec::new();
    for joint in model.skeleton.joints.iter().flatten() {
        joint.ball.rows(frames, |row| rows.push(row));
    }
    // The second of two joints between the same bones repeats a direction of the first: any of its solutions will do.
    let n = unknowns + rows.len();
    let mut kkt = Mat::<f64>::zeros(n, n);
    for i in 0..unknowns {
        for j in 0..unknowns {
            kkt[(i, j)] = reduced[(i, j)];
        }
    }
    for (k, row) in rows.iter().enumerate() {
        for (anchor, omega, l) in row.ends {
            let crate::skeleton::joint::Anchor::Bone(_, bone) = anchor else { continue };
            for c in 0..3 {
                for (at, value) in [(c, omega[c]), (3 + c, l[c])] {
                    kkt[(unknowns + k, 3 * free + 6 * bone + at)] = value;
                    kkt[(3 * free + 6 * bone + at, unknowns + k)] = value;
                }
            }
        }
        kkt[(unknowns + k, unknowns + k)] = -1e-13;
    }
    let mut flat = vec![DVec3::ZERO; model.dofs.len()];
    model.dofs.pull_back(gradient, &mut flat);
    let flat: &[f64] = bytemuck::cast_slice(&flat);
    let mut rhs = Mat::<f64>::zeros(n, 1);
    for c in 0..unknowns {
        rhs[(c, 0)] = -(0..columns).map(|r| map[(r, c)] * flat[r]).sum::<f64>();
    }
    let lu = kkt.full_piv_lu();
    let mut solution = lu.solve(&rhs);
    // One step of refinement: the test is about the formulas.
    let residual = &rhs - &kkt * &solution;
    solution = &solution + lu.solve(&residual);
    let vector = |at: usize| DVec3::new(solution[(at, 0)], solution[(at + 1, 0)], solution[(at + 2, 0)]);
    let flesh = (0..free).map(|i| vector(3 * i)).collect();
    let twists = (0..bones).map(|k| [vector(3 * free + 6 * k), vector(3 * free + 6 * k + 3)]);
    (flesh, twists.collect())
}

#[test]
fn the_fast_global_step_is_the_direct_one() {
    let mut seed = 7;
    for closed in [false, true] {
        let model = two_bones(closed);
        let start = model.initial.positions.clone();
        let y: Vec<DVec3> = start.iter().map(|x| *x + noisy(&mut seed) * 0.1).collect();
        let objective = objective(&model, &start, &y);
        let mut chart = Chart::new(&model);
        let mut systems = Systems::new(GlobalMethod::Auto);
        let mut step = systems.whole(&model, H * H, Precision::Double).unwrap();
        let mut shared = ObjectiveWork::new(&model);
        for _ in 0..3 {
            let x = random_state(&model, &mut chart, &objective, &mut seed);
            let mut gradient = vec![DVec3::ZERO; model.points()];
            objective.gradient(&x, &mut shared, &mut gradient);
            let mut reduced = vec![DVec3::ZERO; model.dofs.len()];
            chart.reduce(&model, &gradient, &mut reduced);
            let (frames, bones) = chart.parts();
            let jointed = bones.jointed(&model, step.corners().unwrap());
            bones.prepare(&model, frames, &jointed, Geometric::None).unwrap();
            reduced.iter_mut().for_each(|d| *d = -*d);
            bones.solve(&model, frames, &mut step, &mut reduced, true);
            let (flesh, twists) = direct(&model, frames, H * H, &gradient);
            let size = flesh.iter().map(|d| d.length()).fold(0.0, f64::max);
            for (a, b) in reduced.iter().zip(&flesh) {
                assert!(a.distance(*b) <= 1e-10 * size, "{a} instead of {b}");
            }
            let articulation: &Articulation = &model.skeleton.articulations[0];
            let mut found = vec![(DVec3::ZERO, DVec3::ZERO); 2];
            articulation.expand(frames, &reduced[bones.parts[0].start..], &mut found);
            for (k, (omega, l)) in found.iter().enumerate() {
                let [true_omega, true_l] = twists[articulation.bones[k]];
                assert!(
                    omega.distance(true_omega) <= 1e-10 * true_omega.length(),
                    "{omega} not {true_omega}"
                );
                assert!(l.distance(true_l) <= 1e-10 * true_l.length().max(size), "{l} not {true_l}");
            }
        }
    }
}

/// g after each of some iterations, from a start that turns the bone by `turn` a step.
fn spinning(turn: f64, paper: bool) -> Vec<f64> {
    let mut builder = Model::builder();
    builder.body(bar([4, 2, 1], 0.1).rigid());
    let model = builder.build().unwrap();
    let start = model.initial.positions.clone();
    let center = model.skeleton.bones[0].center;
    let axis = DVec3::new(0.2, 0.1, 1.0).normalize();
    let y: Vec<DVec3> = start.iter().map(|x| *x + (axis * turn).cross(*x - center)).collect();
    let objective = objective(&model, &start, &y);
    let mut chart = Chart::new(&model);
    let mut step = Systems::new(GlobalMethod::Auto).whole(&model, H * H, Precision::Double).unwrap();
    let mut shared = ObjectiveWork::new(&model);
    // From where the last step ended, as in the paper.
    let mut x = start.clone();
    chart.begin(&objective, &mut x);
    let (mut gradient, mut d) = (vec![DVec3::ZERO; model.points()], vec![DVec3::ZERO; model.dofs.len()]);
    let mut history = Vec::new();
    for _ in 0..50 {
        history.push(objective.gradient(&x, &mut shared, &mut gradient));
        chart.reduce(&model, &gradient, &mut d);
        let (frames, bones) = chart.parts();
        let geometric = if paper { Geometric::None } else { Geometric::Clamped };
        let jointed = bones.jointed(&model, step.corners().unwrap());
        bones.prepare(&model, frames, &jointed, geometric).unwrap();
        d.iter_mut().for_each(|d| *d = -*d);
        bones.solve(&model, frames, &mut step, &mut d, true);
        chart.advance(&model, 1.0, &d, &mut x);
        chart.accept();
    }
    history
}

#[test]
fn a_bone_that_spins_fast_converges_and_the_papers_iteration_cycles() {
    for degrees in [90.0f64, 150.0] {
        let ours = spinning(degrees.to_radians(), false);
        let least = ours[49];
        let size = ours[0] - least;
        assert!(ours.windows(2).all(|g| g[1] <= g[0] * (1.0 + 1e-13)), "{degrees}°: {ours:?}");
        assert!(ours[10] - least <= 1e-3 * size, "{degrees}°: {:e} after 10", (ours[10] - least) / size);
        assert!(ours[40] - least <= 1e-12 * size);
        let papers = spinning(degrees.to_radians(), true);
        // Backward Euler turns by atan(hω); without the geometric term the error shrinks by 1/cos − 1 of that, and beyond 60° grows.
        let rises = papers.windows(2).filter(|g| g[1] > g[0] * (1.0 + 1e-9)).count();
        let late = (papers[10] - least) / size;
        if degrees > 99.0 {
            assert!(
                rises >= 10 && late > 0.1,
                "{degrees}°: the paper's iteration rises {rises} times, {late}"
            );
        } else {
            assert!(late > 1e-5, "{degrees}°: {late}");
        }
    }
}

#[test]
fn plain_iterations_never_rise() {
    let mut seed = 3;
    let model = two_bones(false);
    let start = model.initial.positions.clone();
    for spin in [1.0, 20.0, 60.0] {
        let y: Vec<DVec3> = start
            .iter()
            .map(|x| {
                *x + DVec3::new(0.3, 0.2, spin).cross(*x - DVec3::splat(0.2)) * H + noisy(&mut seed) * 0.01
            })
            .collect();
        let objective = objective(&model, &start, &y);
        let mut operators = Operators::new(GlobalMethod::Auto);
        let made = operators.make(&model, std::iter::once(H * H), Precision::Double, false).unwrap();
        operators.install(made);
        let operator = operators.of(H * H).unwrap();
        let mut work = ProjectiveWork::new(&model, Acceleration::None);
        let mut shared = ObjectiveWork::new(&model);
        let mut x = start.clone();
        let mut last = f64::INFINITY;
        for _ in 0..30 {
            work.local_global(&objective, operator, &mut shared, Budget::fixed(1), &mut x).unwrap();
            let g = objective.value(&x, &mut shared);
            assert!(g <= last * (1.0 + 1e-12), "spin {spin}: {g} after {last}");
            last = g;
        }
    }
}
