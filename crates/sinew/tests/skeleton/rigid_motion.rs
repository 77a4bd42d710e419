//! Without flesh bones are rigid bodies: their motion against an accurate reference, and how the error falls with the step.

use crate::bodies::*;
use crate::support::run;
use sinew::*;
use sinew_reference::{Articulated, BallJoint};
use std::sync::Arc;

/// Links of the model and their joints: link, link or world, where.
struct Scene {
    links: Vec<Link>,
    joints: Vec<(usize, Option<usize>, DVec3)>,
}

impl Scene {
    /// Two bars that fall from the horizontal, out of a common plane, so that it is no planar problem.
    fn double_pendulum() -> Self {
        let links = vec![
            Link::new(DVec3::X, DVec3::new(2.0, 0.2, 0.4)),
            Link::new(DVec3::new(2.0, 0.0, 1.0), DVec3::new(0.4, 0.2, 2.0)),
        ];
        Self { links, joints: vec![(0, None, DVec3::ZERO), (0, Some(1), DVec3::X * 2.0)] }
    }

    /// Two boxes with a ball joint, thrown with spin.
    fn nunchuck() -> Self {
        let size = DVec3::new(0.4, 0.1, 0.06);
        let (velocity, spin) = (DVec3::new(1.0, 4.0, 0.0), DVec3::new(0.5, 2.0, 5.0));
        let link = |x: f64, twist: f64| {
            let thrown = Link::new(DVec3::X * x, size).thrown(velocity, spin);
            // A twist about the line through the joint leaves the joint as it is.
            Link { spin: thrown.spin + DVec3::X * twist, ..thrown }
        };
        Self { links: vec![link(-0.2, 3.0), link(0.2, -4.0)], joints: vec![(0, Some(1), DVec3::ZERO)] }
    }

    fn model(&self, inertia: Inertia) -> Arc<Model> {
        let mut builder = Model::builder();
        let bones: Vec<_> = (0..self.links.len())
            .map(|i| builder.add_rigid(self.links[i].body(&format!("link {i}"), inertia)))
            .collect();
        for &(a, b, position) in &self.joints {
            builder.joint(Joint::ball("ball", [Some(bones[a]), b.map(|b| bones[b])], position));
        }
        builder.gravity(GRAVITY);
        Arc::new(builder.build().unwrap())
    }

    /// Where all corners are after this time.
    fn truth(&self, seconds: f64) -> Vec<DVec3> {
        let bodies = self.links.iter().map(Link::reference).collect();
        let joints = self.joints.iter().map(|&(a, b, position)| BallJoint { bodies: [Some(a), b], position });
        let mut reference = Articulated::new(bodies, joints.collect(), GRAVITY);
        reference.advance(seconds, (5000.0 * seconds) as usize);
        let corners = self.links.iter().enumerate();
        corners
            .flat_map(|(i, link)| link.corners().into_iter().map(move |p| (i, p)))
            .map(|(i, p)| reference.point(i, p))
            .collect()
    }

    /// Root mean square of the distance of the corners from the truth after one second, for each step.
    fn errors(&self, inertia: Inertia, steps: &[usize], choose: impl Fn(f64) -> Settings) -> Vec<f64> {
        let (model, truth) = (self.model(inertia), self.truth(1.0));
        let error = |&n: &usize| {
            let end = run(&model, choose(1.0 / n as f64), n, |_, _| {});
            assert_eq!(end.step_count(), n as u64);
            let sum: f64 = end.positions().iter().zip(&truth).map(|(a, b)| a.distance_squared(*b)).sum();
            (sum / truth.len() as f64).sqrt()
        };
        steps.iter().map(error).collect()
    }
}

fn ratios(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| pair[0] / pair[1]).collect()
}

#[test]
fn backward_euler_converges_at_first_order() {
    for (name, scene) in [("double pendulum", Scene::double_pendulum()), ("nunchuck", Scene::nunchuck())] {
        for inertia in [Inertia::Given, Inertia::Volume] {
            let errors = scene.errors(inertia, &[100, 200, 400, 800], |h| settings(h, 20));
            let ratios = ratios(&errors);
            assert!(ratios.iter().all(|ratio| (1.8..2.1).contains(ratio)), "{name}, {inertia:?}: {ratios:?}");
            assert!(errors[0] < 0.15, "{name}, {inertia:?}: {errors:?}");
        }
    }
}

#[test]
fn inertia_by_numbers_and_by_volume_move_alike() {
    for scene in [Scene::double_pendulum(), Scene::nunchuck()] {
        let end = |inertia| run(&scene.model(inertia), settings(0.01, 20), 100, |_, _| {});
        let (given, volume) = (end(Inertia::Given), end(Inertia::Volume));
        let apart = given.positions().iter().zip(volume.positions()).map(|(a, b)| a.distance(*b));
        let apart = apart.fold(0.0, f64::max);
        assert!(apart < 1e-9, "{apart:e}");
    }
}

#[test]
fn implicit_midpoint_and_newmark_converge_at_second_order() {
    for (name, scene) in [("double pendulum", Scene::double_pendulum()), ("nunchuck", Scene::nunchuck())] {
        for integrator in [Integrator::ImplicitMidpoint, Integrator::Newmark] {
            let choose = |h| Settings { integrator, ..settings(h, 20) };
            let errors = scene.errors(Inertia::Given, &[100, 200, 400], choose);
            let (name, ratios) = (format!("{name}, {}", integrator.name()), ratios(&errors));
            assert!(ratios.iter().all(|ratio| (3.9..4.1).contains(ratio)), "{name}: {ratios:?}");
            assert!(errors[0] < 0.006, "{name}: {errors:?}");
        }
    }
}

#[test]
fn an_acceleration_moves_rigid_bodies_like_gravity() {
    for integrator in [Integrator::BackwardEuler, Integrator::ImplicitMidpoint, Integrator::Newmark] {
        let link =
            Link::new(DVec3::ZERO, DVec3::new(0.4, 0.1, 0.2)).thrown(DVec3::Z, DVec3::new(1.0, 5.0, 2.0));
        let fall = |gravity: bool| {
            let mut builder = Model::builder();
            builder.add_rigid(link.body("link", Inertia::Volume));
            builder.gravity(if gravity { GRAVITY } else { DVec3::ZERO });
            let model = Arc::new(builder.build().unwrap());
            let mut state = State::new(&model);
            if !gravity {
                state.controls_mut().set_acceleration(GRAVITY).unwrap();
            }
            let mut simulator = Simulator::new(model, Settings { integrator, ..settings(0.01, 10) }).unwrap();
            for _ in 0..50 {
                simulator.step(&mut state).unwrap();
            }
            state.positions().to_vec()
        };
        let (pulled, carried) = (fall(true), fall(false));
        let apart = pulled.iter().zip(&carried).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(pulled.iter().all(|p| p.y < -1.0), "{}: it should fall", integrator.name());
        assert!(apart < 1e-9, "{}: {apart} m apart", integrator.name());
    }
}

#[test]
fn energy_projection_does_not_spoil_the_order() {
    for (name, scene) in [("double pendulum", Scene::double_pendulum()), ("nunchuck", Scene::nunchuck())] {
        let corrected = |h| Settings { correction: FEPR, ..settings(h, 20) };
        let errors = scene.errors(Inertia::Given, &[100, 200, 400], corrected);
        let plain = scene.errors(Inertia::Given, &[100], |h| settings(h, 20));
        let ratios = ratios(&errors);
        assert!(ratios.iter().all(|ratio| *ratio > 1.6), "{name}: {ratios:?}");
        // It brings back what was damped, not where it was: the places may be worse for it, by less than half.
        assert!(errors[0] < 1.5 * plain[0], "{name}: {} with, {} without", errors[0], plain[0]);
    }
}

#[test]
fn energy_projection_keeps_the_books_of_rigid_bodies() {
    for (name, scene) in [("double pendulum", Scene::double_pendulum()), ("nunchuck", Scene::nunchuck())] {
        let model = scene.model(Inertia::Given);
        let mut worst = 0.0f64;
        let corrected = Settings { correction: FEPR, ..settings(0.01, 20) };
        let end = run(&model, corrected, 500, |_, state| worst = worst.max(imbalance(state)));
        assert_eq!(end.step_count(), 500);
        assert!(worst < 1e-10, "{name}: {worst:e}");
    }
}

#[test]
fn a_link_without_vertices_moves_its_neighbours() {
    let size = DVec3::new(0.3, 0.05, 0.05);
    let link = |k: usize| Link::new(DVec3::X * (0.15 + 0.3 * k as f64), size);
    let joint = |k: usize| DVec3::X * (0.3 * k as f64);
    let model = |seen: bool| {
        let mut builder = Model::builder();
        let mut last = None;
        for k in 0..3 {
            let vertices = if seen || k != 1 { link(k).corners() } else { Vec::new() };
            let (mass, center, inertia) =
                (link(k).reference().mass, link(k).center, link(k).reference().inertia);
            let body = Body::new(format!("link {k}"), vertices);
            let bone = builder.add_rigid(body.mass_properties(MassProperties { mass, center, inertia }));
            builder.joint(Joint::ball("ball", [last, Some(bone)], joint(k)));
            last = Some(bone);
        }
        builder.gravity(GRAVITY);
        Arc::new(builder.build().unwrap())
    };
    let (seen, unseen) = (model(true), model(false));
    let end = |model| run(model, settings(0.01, 20), 50, |_, _| {});
    let (a, b) = (end(&seen), end(&unseen));
    let tips = [seen.bodies()[2].vertices.start, unseen.bodies()[2].vertices.start];
    let apart = a.positions()[tips[0]].distance(b.positions()[tips[1]]);
    assert_eq!(b.step_count(), 50);
    assert!(apart < 1e-9, "{apart:e}");
    assert!(b.positions()[tips[1]].y < -0.1);
}
