//! Colliders: their solids, and their placements over time.
//!
//! p_world = position + offset(t) + R_spin(t) R_keyframes(t) R_rotate p_local.

use super::motion::{bracket, oscillation};
use super::site::Site;
use super::{contact, enclosed, mesh};
use crate::format::{
    Collider, ColliderShape, FileMesh, PlacementKeyframe, PlacementMotion, Rotation, SceneError, StairsShape,
};
use crate::models;
use glam::{DQuat, DVec3};
use sinew::Placement;
use sinew::contact::{ClosedMesh, Shape};
use std::path::Path;
use std::sync::Arc;

/// The collider of the engine, at its placement at time 0.
pub(super) fn solid(
    collider: &Collider,
    index: usize,
    folder: &Path,
    at: &Site<'_>,
) -> Result<sinew::contact::Collider, SceneError> {
    let shape = shape(&collider.shape, folder, &at.key("shape"))?;
    if let Some(fault) = shape.fault() {
        return Err(at.key("shape").error(fault));
    }
    let name = collider.name.clone().unwrap_or_else(|| format!("collider {index}"));
    Ok(sinew::contact::Collider {
        friction: collider.friction.map(contact::friction),
        restitution: collider.restitution,
        ..sinew::contact::Collider::new(name, shape)
    }
    .at(Course::new(collider).at(0.0)))
}

fn shape(shape: &ColliderShape, folder: &Path, at: &Site<'_>) -> Result<Shape, SceneError> {
    Ok(match shape {
        ColliderShape::Plane(_) => Shape::HalfSpace,
        ColliderShape::Sphere(sphere) => Shape::Sphere { radius: sphere.radius },
        ColliderShape::Box(cuboid) => Shape::Cuboid { half: 0.5 * DVec3::from(cuboid.size) },
        ColliderShape::Capsule(capsule) => {
            Shape::Capsule { half_length: 0.5 * capsule.length, radius: capsule.radius }
        }
        ColliderShape::Torus(torus) => Shape::Torus { major: torus.major, minor: torus.minor },
        ColliderShape::Stairs(stairs) => self::stairs(stairs),
        ColliderShape::Bowl(bowl) => {
            let refuse = |what: String| at.key("bowl").error(what);
            let made = models::bowl(bowl.radius, bowl.wall, bowl.segments as usize);
            let made = made.map_err(|error| refuse(error.to_string()))?;
            let solid = ClosedMesh::new(made.points, made.triangles);
            Shape::Mesh(Arc::new(solid.map_err(|error| refuse(error.to_string()))?))
        }
        ColliderShape::Mesh(file) => Shape::Mesh(Arc::new(closed_mesh(file, folder, &at.key("mesh"))?)),
    })
}

/// Each step is a box that reaches to the back and down to the base. Boxes that only share faces would have inner faces, through which a
/// vertex slightly below a tread might be pushed out.
fn stairs(stairs: &StairsShape) -> Shape {
    let parts = (0..stairs.steps).map(|step| {
        let (front, back) = (step as f64 * stairs.run, stairs.steps as f64 * stairs.run);
        let half = 0.5 * DVec3::new(back - front, (step + 1) as f64 * stairs.rise, stairs.width);
        (Placement::at(DVec3::new(front + half.x, half.y, 0.0)), Shape::Cuboid { half })
    });
    Shape::Union(parts.collect())
}

fn closed_mesh(file: &FileMesh, folder: &Path, at: &Site<'_>) -> Result<ClosedMesh, SceneError> {
    let mesh = mesh::file(file, folder, &at.key("path"))?;
    let triangles = enclosed::surface_of(&mesh);
    enclosed::solid(mesh.points, triangles)
        .map_err(|fault| at.key("path").error(format!("{}: {fault}", folder.join(&file.path).display())))
}

/// The placement of a collider or a kinematic bone as a function of time.
#[derive(Clone, Debug)]
pub(super) struct Course {
    position: DVec3,
    rotation: DQuat,
    motion: Option<PlacementMotion>,
}

impl Course {
    pub fn new(collider: &Collider) -> Self {
        let rotation = collider.rotate.as_ref().map_or(DQuat::IDENTITY, turn);
        // The engine's half-space has its normal along +y.
        let own = match &collider.shape {
            ColliderShape::Plane(plane) => {
                DQuat::from_rotation_arc(DVec3::Y, DVec3::from(plane.normal).normalize_or(DVec3::Y))
            }
            _ => DQuat::IDENTITY,
        };
        Self {
            position: DVec3::from(collider.position),
            rotation: (rotation * own).normalize(),
            motion: collider.motion.clone(),
        }
    }

    /// For a bone that starts where it is and rotates about `pivot`; [`Course::since_start`] gives its motion.
    pub fn about(pivot: DVec3, motion: &PlacementMotion) -> Self {
        Self { position: pivot, rotation: DQuat::IDENTITY, motion: Some(motion.clone()) }
    }

    /// The motion from the start to `time`, s: x ↦ pivot + offset + R (x − pivot).
    pub fn since_start(&self, time: f64) -> Placement {
        let Placement { rotation, translation } = self.at(time);
        Placement { rotation, translation: translation - rotation * self.position }
    }

    pub fn moves(&self) -> bool {
        self.motion.is_some()
    }

    /// The placement at `time`, s.
    pub fn at(&self, time: f64) -> Placement {
        let Some(motion) = &self.motion else {
            return Placement { rotation: self.rotation, translation: self.position };
        };
        let (offset, turned) = between(&motion.keyframes, time);
        let oscillation = motion.sinusoid.as_ref().map_or(DVec3::ZERO, |s| oscillation(s, time));
        let spin = DQuat::from_scaled_axis(motion.spin.map_or(DVec3::ZERO, DVec3::from) * time);
        Placement {
            rotation: (spin * turned * self.rotation).normalize(),
            translation: self.position + offset + oscillation,
        }
    }
}

fn turn(rotation: &Rotation) -> DQuat {
    let axis = DVec3::from(rotation.axis).normalize_or(DVec3::Y);
    DQuat::from_axis_angle(axis, rotation.degrees.to_radians())
}

/// Displacement and rotation between keyframes.
fn between(keyframes: &[PlacementKeyframe], time: f64) -> (DVec3, DQuat) {
    let whole =
        |k: &PlacementKeyframe| (DVec3::from(k.offset), k.rotate.as_ref().map_or(DQuat::IDENTITY, turn));
    match bracket(keyframes, time, |k| k.time) {
        (None, None) => (DVec3::ZERO, DQuat::IDENTITY),
        (None, Some(only)) | (Some(only), None) => whole(only),
        (Some(a), Some(b)) => {
            let share = (time - a.time) / (b.time - a.time);
            let ((from, turned_from), (to, turned_to)) = (whole(a), whole(b));
            let turned = match common_axis(a.rotate.as_ref(), b.rotate.as_ref()) {
                Some((axis, from, to)) => DQuat::from_axis_angle(axis, from + share * (to - from)),
                None => turned_from.slerp(turned_to, share),
            };
            (from.lerp(to, share), turned)
        }
    }
}

/// The common axis of two rotations, and their angles, rad. A missing rotation is one by 0 about any axis.
fn common_axis(a: Option<&Rotation>, b: Option<&Rotation>) -> Option<(DVec3, f64, f64)> {
    let axis = |r: &Rotation| DVec3::from(r.axis).normalize_or(DVec3::Y);
    let angle = |r: Option<&Rotation>| r.map_or(0.0, |r| r.degrees.to_radians());
    let (first, second) = (a.or(b)?, b.or(a)?);
    let same = axis(first).dot(axis(second)) > 1.0 - 1e-12;
    same.then(|| (axis(first), angle(a), angle(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{PlaneShape, SphereShape};

    fn ball(motion: Option<PlacementMotion>) -> Collider {
        Collider {
            name: None,
            shape: ColliderShape::Sphere(SphereShape { radius: 1.0 }),
            position: [1.0, 2.0, 3.0],
            rotate: None,
            friction: None,
            restitution: None,
            motion,
        }
    }

    fn key(time: f64, x: f64, rotate: Option<([f64; 3], f64)>) -> PlacementKeyframe {
        let rotate = rotate.map(|(axis, degrees)| Rotation { axis, degrees });
        PlacementKeyframe { time, offset: [x, 0.0, 0.0], rotate }
    }

    fn moved(keyframes: Vec<PlacementKeyframe>) -> Course {
        Course::new(&ball(Some(PlacementMotion { keyframes, ..PlacementMotion::default() })))
    }

    #[test]
    fn a_plane_looks_along_its_normal_turned_with_it() {
        let plane = Collider {
            shape: ColliderShape::Plane(PlaneShape { normal: [2.0, 0.0, 0.0] }),
            rotate: Some(Rotation { axis: [0.0, 0.0, 1.0], degrees: 90.0 }),
            ..ball(None)
        };
        let placed = Course::new(&plane).at(0.0);
        assert!((placed.rotation * DVec3::Y - DVec3::Y).length() < 1e-15);
        // Upside down has no unique shortest rotation, but it needs one.
        let down = Collider { shape: ColliderShape::Plane(PlaneShape { normal: [0.0, -1.0, 0.0] }), ..plane };
        let placed = Course::new(&Collider { rotate: None, ..down }).at(0.0);
        assert!((placed.rotation * DVec3::Y + DVec3::Y).length() < 1e-15 && placed.is_valid());
    }

    #[test]
    fn angles_about_one_axis_change_evenly_past_half_a_turn() {
        let path = moved(vec![key(0.0, 0.0, None), key(2.0, 4.0, Some(([0.0, 0.0, 3.0], 720.0)))]);
        let at = |time| {
            let placed = path.at(time);
            (placed.translation.x, placed.rotation * DVec3::X)
        };
        assert_eq!(at(0.0), (1.0, DVec3::X));
        let (x, turned) = at(0.25);
        assert!((x - 1.5).abs() < 1e-15 && (turned - DVec3::Y).length() < 1e-12, "an eighth of two turns");
        assert!((at(0.5).1 + DVec3::X).length() < 1e-12);
        assert!((at(9.0).1 - DVec3::X).length() < 1e-12 && at(9.0).0 == 5.0);
    }

    #[test]
    fn between_different_axes_it_turns_the_shorter_way() {
        let path = moved(vec![
            key(0.0, 0.0, Some(([1.0, 0.0, 0.0], 90.0))),
            key(1.0, 0.0, Some(([0.0, 1.0, 0.0], 90.0))),
        ]);
        for time in [0.0, 0.3, 0.5, 1.0] {
            assert!(path.at(time).is_valid());
        }
        let end = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        assert!(path.at(1.0).rotation.angle_between(end) < 1e-7);
    }

    #[test]
    fn spin_goes_on_and_the_position_stays() {
        let spin = Some([0.0, 0.0, std::f64::consts::PI]);
        let path = Course::new(&ball(Some(PlacementMotion { spin, ..PlacementMotion::default() })));
        let placed = path.at(2.5);
        assert!((placed.rotation * DVec3::X - DVec3::Y).length() < 1e-12);
        assert_eq!(placed.translation, DVec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn a_bone_turns_about_its_pivot() {
        let pivot = DVec3::new(1.0, 2.0, 3.0);
        let motion = PlacementMotion {
            keyframes: vec![key(0.0, 0.0, None), key(1.0, 0.5, Some(([0.0, 0.0, 1.0], 90.0)))],
            ..PlacementMotion::default()
        };
        let course = Course::about(pivot, &motion);
        assert_eq!(course.since_start(0.0), Placement::default());
        let moved = course.since_start(1.0);
        assert!(moved.apply(pivot).distance(pivot + DVec3::X * 0.5) < 1e-15);
        assert!(moved.apply(pivot + DVec3::X).distance(pivot + DVec3::new(0.5, 1.0, 0.0)) < 1e-15);
    }

    #[test]
    fn treads_push_up_and_risers_push_back() {
        let solid = stairs(&StairsShape { steps: 3, rise: 0.2, run: 0.3, width: 1.0 });
        for step in 0..3 {
            let (front, top) = (0.3 * f64::from(step), 0.2 * f64::from(step + 1));
            // Close to the next riser, where boxes that only share faces would push along x.
            let tread = solid.proximity(DVec3::new(front + 0.299, top - 0.01, 0.0));
            let as_deep = tread.normal == DVec3::Y && (tread.distance + 0.01).abs() < 1e-12;
            assert!(as_deep || step == 2, "{tread:?}");
            let riser = solid.proximity(DVec3::new(front + 0.01, top - 0.1, 0.0));
            assert!((riser.distance + 0.01).abs() < 1e-12 && riser.normal == DVec3::NEG_X, "{riser:?}");
        }
        let (low, high) = solid.bounds().unwrap();
        assert!(low.distance(DVec3::new(0.0, 0.0, -0.5)) < 1e-12);
        assert!(high.distance(DVec3::new(0.9, 0.6, 0.5)) < 1e-12);
    }
}
