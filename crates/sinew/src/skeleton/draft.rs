//! Bones and joints while a model is built: their masses, their errors, and how they are connected.

use super::articulation::Articulation;
use super::bone::{Frame, RigidBone};
use super::joint::{Anchor, Ball, Turning, TurningRule};
use super::mass::{Moments, distribute, least_moment};
use super::spec::{Bone, Joint, JointKind, MassProperties};
use super::{Skeleton, SkeletonJoint};
use crate::ids::BoneId;
use crate::math::{outer, svd, symmetric_eigen};
use crate::model::error::ModelError;
use crate::momentum::{Inertia, InvertedInertia};
use crate::placement::Placement;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// Share of a bone's size by which its vertices may initially deviate from rigid positions.
const BENT: f64 = 1e-6;

/// What the user gave for a rigid body, besides its shape.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GivenRigid {
    pub properties: Option<MassProperties>,
    pub motion: Option<RigidMotion>,
}

/// The motion of a rigid body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RigidMotion {
    /// Velocity of its centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity, rad/s.
    pub omega: DVec3,
}

/// The points of a model while it is built.
pub(crate) struct Points<'a> {
    pub rest: &'a mut Vec<DVec3>,
    pub positions: &'a mut Vec<DVec3>,
    pub velocities: &'a mut Vec<DVec3>,
    pub masses: &'a mut Vec<f64>,
}

/// Other data about the bones: tetrahedra with their masses, and what was given for each bone.
pub(crate) struct Knowledge<'a> {
    pub tetrahedra: &'a [([u32; 4], f64)],
    pub given: &'a [GivenRigid],
}

/// Bones after welding.
pub(crate) struct Draft {
    pub bones: Vec<RigidBone>,
    /// Index here of each bone that the user described.
    pub ids: Vec<usize>,
    /// The bone of each vertex of a body.
    pub of_vertex: Vec<Option<u32>>,
}

/// Which bones are welded into one; the last entry of the list is the world.
fn welded(bones: &[Bone], joints: &[Joint]) -> Vec<usize> {
    let world = bones.len();
    let mut group: Vec<usize> = (0..=world).collect();
    for joint in joints.iter().filter(|j| j.kind == JointKind::Weld) {
        let [a, b] = joint.bones.map(|end| group[end.map_or(world, |id| id.0)]);
        let (low, high) = (a.min(b), a.max(b));
        group.iter_mut().filter(|g| **g == high).for_each(|g| *g = low);
    }
    group
}

/// Checks joints for user errors.
pub(crate) fn check_joints(bones: &[Bone], joints: &[Joint]) -> Result<(), ModelError> {
    for joint in joints {
        let refuse = |what: String| Err(ModelError::Joint { joint: joint.name.clone(), what });
        for BoneId(id) in joint.bones.into_iter().flatten() {
            if id >= bones.len() {
                return refuse(format!("it names bone {id}, but there are only {}", bones.len()));
            }
        }
        if joint.bones[0] == joint.bones[1] {
            return refuse(match joint.bones[0] {
                Some(BoneId(id)) => format!("it joins bone `{}` to itself", bones[id].name),
                None => "it joins the world to itself".to_owned(),
            });
        }
        let held = |end: Option<BoneId>| end.is_none_or(|id| bones[id.0].kinematic);
        if joint.bones.into_iter().all(held) {
            return refuse(
                "neither of its ends can move: they are the world or kinematic; leave the joint out, \
                 or let forces move one of its bones"
                    .to_owned(),
            );
        }
        if !joint.position.is_finite() {
            return refuse(format!("its position must be finite, is {}", joint.position));
        }
        let axis = match joint.kind {
            JointKind::Hinge { axis, .. } => Some(axis),
            JointKind::Ball { limit: Some(limit) } => Some(limit.axis),
            _ => None,
        };
        if let Some(axis) = axis
            && !(axis.is_finite() && axis.length() > 0.0)
        {
            return refuse(format!("its axis must be finite and longer than zero, is {axis}"));
        }
        if let JointKind::Ball { limit: Some(limit) } = joint.kind {
            for (name, angle) in [("cone", limit.cone), ("twist", limit.twist)] {
                if !(angle > 0.0 && angle <= PI) {
                    return refuse(format!(
                        "its {name} must be within 0 and 180°, is {}°",
                        angle.to_degrees()
                    ));
                }
            }
        }
        if let JointKind::Hinge { range: Some([low, high]), .. } = joint.kind
            && !((-PI..=0.0).contains(&low) && (0.0..=PI).contains(&high) && low < high)
        {
            let [low, high] = [low, high].map(f64::to_degrees);
            return refuse(format!(
                "its range must go from an angle within −180° and 0 to one within 0 and 180°, \
                 0 being where the bones start; is {low}° to {high}°"
            ));
        }
    }
    Ok(())
}

/// Computes the masses of the bones, adds their mass points, and makes their vertices rigid.
pub(crate) fn draft(
    specs: &[Bone],
    joints: &[Joint],
    points: &mut Points,
    knowledge: &Knowledge,
) -> Result<Draft, ModelError> {
    let vertices = points.masses.len();
    let mut owner: Vec<Option<usize>> = vec![None; vertices];
    for (id, spec) in specs.iter().enumerate() {
        let refuse = |what: String| Err(ModelError::Bone { bone: spec.name.clone(), what });
        if spec.vertices.is_empty() && knowledge.given[id].properties.is_none() {
            return refuse("it has no vertices and no mass of its own".to_owned());
        }
        for &i in &spec.vertices {
            let Some(owner) = owner.get_mut(i) else {
                return refuse(format!("it names vertex {i}, but the model has only {vertices}"));
            };
            if let Some(other) = owner.replace(id) {
                if other == id {
                    return refuse(format!("it names vertex {i} twice"));
                }
                let other = &specs[other].name;
                return refuse(format!("it shares vertex {i} with bone `{other}`; bones may not overlap"));
            }
        }
    }
    let groups = welded(specs, joints);
    let mut numbers = vec![None; specs.len() + 1];
    let mut draft = Draft { bones: Vec::new(), ids: Vec::new(), of_vertex: vec![None; vertices] };
    for id in 0..specs.len() {
        let next = numbers.iter().flatten().count();
        draft.ids.push(*numbers[groups[id]].get_or_insert(next));
    }
    for (i, owner) in owner.iter().enumerate() {
        draft.of_vertex[i] = owner.map(|id| draft.ids[id] as u32);
    }
    let parts = moments(&owner, &draft, specs, points, knowledge);
    let count = draft.ids.iter().max().map_or(0, |last| last + 1);
    for bone in 0..count {
        let members: Vec<usize> = (0..specs.len()).filter(|&id| draft.ids[id] == bone).collect();
        let mut whole = Moments::default();
        members.iter().for_each(|&id| whole.add(&parts[id]));
        let kinematic = members.iter().any(|&id| specs[id].kinematic || groups[id] == groups[specs.len()]);
        let anchors =
            joints.iter().filter(|j| j.bones.into_iter().flatten().any(|BoneId(id)| draft.ids[id] == bone));
        let arms = anchors.map(|j| j.position.distance(whole.center())).fold(0.0, f64::max);
        // The motion of a part is given about its own centre of mass.
        let motion_of = |&id: &usize| {
            knowledge.given[id].motion.map(|motion| Motion { motion, about: parts[id].center() })
        };
        let motion = members.iter().find_map(motion_of);
        let vertices = draft.of_vertex.iter().enumerate().filter(|(_, own)| **own == Some(bone as u32));
        let vertices = vertices.map(|(i, _)| i as u32).collect();
        let name = specs[members[0]].name.clone();
        let given = members.iter().any(|&id| knowledge.given[id].properties.is_some());
        let weighed = Weighed { name, vertices, moments: whole, arms, motion, kinematic, given };
        draft.bones.push(weighed.add_to(points)?);
    }
    Ok(draft)
}

/// Moments of each of the user's bones, before welding; elements between two welded bones count for one of them.
fn moments(
    owner: &[Option<usize>],
    draft: &Draft,
    specs: &[Bone],
    points: &Points,
    knowledge: &Knowledge,
) -> Vec<Moments> {
    let mut parts = vec![Moments::default(); specs.len()];
    // Mass that tetrahedra inside a bone lumped to its vertices is removed and integrated exactly instead.
    let mut lumped = points.masses.clone();
    let mut given = vec![false; lumped.len()];
    for (id, spec) in specs.iter().enumerate() {
        if let Some(properties) = &knowledge.given[id].properties {
            // All of its mass was given.
            parts[id] = Moments::given(properties);
            spec.vertices.iter().for_each(|&i| (lumped[i], given[i]) = (0.0, true));
        }
    }
    for (corners, mass) in knowledge.tetrahedra {
        if given[corners[0] as usize] {
            continue;
        }
        let bone = draft.of_vertex[corners[0] as usize];
        if bone.is_some() && corners.iter().all(|&i| draft.of_vertex[i as usize] == bone) {
            let part = owner[corners[0] as usize].map(|id| &mut parts[id]);
            part.into_iter().for_each(|p| p.add_tetrahedron(*mass, corners.map(|i| points.rest[i as usize])));
            corners.iter().for_each(|&i| lumped[i as usize] -= 0.25 * mass);
        }
    }
    for (i, owner) in owner.iter().enumerate() {
        if let Some(id) = owner
            && lumped[i] > 1e-12 * points.masses[i]
        {
            parts[*id].add_point(lumped[i], points.rest[i]);
        }
    }
    parts
}

/// A motion, and the point that has its velocity.
struct Motion {
    motion: RigidMotion,
    about: DVec3,
}

/// A bone whose mass is known.
struct Weighed {
    name: String,
    vertices: Vec<u32>,
    moments: Moments,
    /// Longest distance from its centre of mass to a joint, m.
    arms: f64,
    /// Its initial motion, if given.
    motion: Option<Motion>,
    kinematic: bool,
    /// Whether the user gave its inertia.
    given: bool,
}

/// Initial pose of a bone's vertices: x = R X + t, and the motion that fits their velocities best.
struct Fit {
    turn: DMat3,
    shift: DVec3,
    motion: Motion,
}

impl Weighed {
    /// Adds the mass points of the bone and makes its vertices rigid.
    fn add_to(self, points: &mut Points) -> Result<RigidBone, ModelError> {
        let mut members = self.vertices.clone();
        let lumped: Vec<_> =
            members.iter().map(|&i| (points.masses[i as usize], points.rest[i as usize])).collect();
        let extent = lumped.iter().map(|(_, x)| x.distance(self.moments.center())).fold(0.0, f64::max);
        let length = if extent.max(self.arms) > 0.0 { extent.max(self.arms) } else { 1.0 };
        let fit = self.fit(&lumped, points, extent)?;
        let width = least_moment(&self.moments, length, self.given);
        let shared = distribute(&self.moments, &lumped, width);
        for (&i, mass) in members.iter().zip(&shared.vertices) {
            points.masses[i as usize] = *mass;
        }
        for x in shared.points {
            members.push(points.masses.len() as u32);
            points.masses.push(shared.point_mass);
            points.rest.push(x);
            points.positions.push(fit.turn * x + fit.shift);
            points.velocities.push(DVec3::ZERO);
        }
        let mut bone = RigidBone::new(self.name, members, self.kinematic, points.rest, points.masses);
        bone.start = Frame { turn: fit.turn, place: fit.turn * bone.center + fit.shift };
        bone.put(&bone.start, points.positions);
        // A fitted motion is about the centre of the vertices, a given one about that of a part.
        let Motion { motion: RigidMotion { velocity, omega }, about } = match self.motion {
            Some(Motion { motion, about }) => Motion { motion, about: fit.turn * about + fit.shift },
            None => fit.motion,
        };
        let motion = (velocity + omega.cross(bone.start.place - about), omega);
        bone.set_in_motion(bone.start.place, motion, points.positions, points.velocities);
        Ok(bone)
    }

    /// The map from rest to the initial positions of the vertices, and their initial motion. `lumped` holds mass and rest position of each vertex.
    fn fit(&self, lumped: &[(f64, DVec3)], points: &Points, extent: f64) -> Result<Fit, ModelError> {
        let mass: f64 = lumped.iter().map(|(m, _)| m).sum();
        if lumped.is_empty() {
            let motion = Motion { motion: RigidMotion::default(), about: DVec3::ZERO };
            return Ok(Fit { turn: DMat3::IDENTITY, shift: DVec3::ZERO, motion });
        }
        let mean = |value: &dyn Fn(usize) -> DVec3| {
            lumped.iter().enumerate().map(|(k, (m, _))| value(k) * *m).sum::<DVec3>() / mass
        };
        let position = |k: usize| points.positions[self.vertices[k] as usize];
        let velocity = |k: usize| points.velocities[self.vertices[k] as usize];
        let (rest_center, center) = (mean(&|k| lumped[k].1), mean(&position));
        let mut moment = DMat3::ZERO;
        let (mut angular, mut inertia) = (DVec3::ZERO, Inertia::default());
        let drift = mean(&velocity);
        for (k, (m, x)) in lumped.iter().enumerate() {
            moment += outer((position(k) - center) * *m, *x - rest_center);
            angular += (position(k) - center).cross(velocity(k) - drift) * *m;
            inertia.add(*m, position(k) - center);
        }
        let still = (0..lumped.len()).all(|k| position(k) == lumped[k].1);
        let turn = if still { DMat3::IDENTITY } else { svd(&moment).rotation() };
        let shift = if still { DVec3::ZERO } else { center - turn * rest_center };
        for (k, (_, x)) in lumped.iter().enumerate() {
            let off = position(k).distance(turn * *x + shift);
            // A bone of one vertex has no extent, and its place is rounded all the same.
            let rounding = 16.0 * f64::EPSILON * (position(k).length() + x.length());
            if off > BENT * extent + rounding {
                let vertex = self.vertices[k];
                let what = format!(
                    "vertex {vertex} starts {off:.3e} m off the bone's shape; a bone cannot start bent"
                );
                return Err(ModelError::Bone { bone: self.name.clone(), what });
            }
        }
        let omega = InvertedInertia::new(inertia.matrix()).angular_velocity(angular);
        let motion = Motion { motion: RigidMotion { velocity: drift, omega }, about: center };
        Ok(Fit { turn, shift, motion })
    }
}

/// Builds the skeleton, given the component of every point. Assigns columns to the bones, beginning with `first`.
pub(crate) fn skeleton(draft: Draft, joints: &[Joint], labels: &[u32], first: usize) -> Skeleton {
    let Draft { mut bones, ids, .. } = draft;
    let start: Vec<Frame> = bones.iter().map(|b| b.start).collect();
    let component = |bone: &RigidBone| labels[bone.points[0] as usize] as usize;
    let mut components: Vec<usize> = bones.iter().filter(|b| !b.kinematic).map(component).collect();
    components.sort_unstable();
    components.dedup();
    let mut articulations = Vec::new();
    let mut infos = vec![None; joints.len()];
    let mut column = first as u32;
    for c in components {
        let own: Vec<usize> =
            (0..bones.len()).filter(|&k| !bones[k].kinematic && component(&bones[k]) == c).collect();
        let anchor = |end: Option<BoneId>| match end.map(|id| ids[id.0]) {
            None => Anchor::World,
            Some(bone) => match own.iter().position(|&k| k == bone) {
                Some(place) => Anchor::Bone(place, bone),
                None => Anchor::Kinematic(bone),
            },
        };
        let (mut balls, mut turnings) = (Vec::new(), Vec::new());
        for (k, joint) in joints.iter().enumerate() {
            let ends = joint.bones.map(anchor);
            let moving = ends.iter().any(|end| end.place().is_some());
            if joint.kind == JointKind::Weld || !moving {
                continue;
            }
            let arms = ends.map(|end| end.frame(&start).undo(joint.position));
            balls.push(Ball { ends, arms });
            let turning = turning(&joint.kind, ends, &start);
            turnings.extend(turning);
            infos[k] = Some(SkeletonJoint { ball: Ball { ends, arms }, turning });
        }
        let articulation = Articulation::new(c, &own, balls, turnings);
        for &k in &articulation.bones {
            bones[k].column = column;
            column += 4;
        }
        articulations.push(articulation);
    }
    Skeleton { bones, ids, articulations, joints: infos, start }
}

fn turning(kind: &JointKind, ends: [Anchor; 2], start: &[Frame]) -> Option<Turning> {
    let (axis, rule) = match *kind {
        JointKind::Hinge { axis, range } => (axis, TurningRule::Hinge { range }),
        JointKind::Ball { limit: Some(limit) } => {
            (limit.axis, TurningRule::SwingTwist { cone: limit.cone, twist: limit.twist })
        }
        _ => return None,
    };
    let axis = axis.normalize();
    let side = axis.any_orthonormal_vector();
    let axes = DMat3::from_cols(axis, side, axis.cross(side));
    Some(Turning { ends, axes: ends.map(|end| end.frame(start).turn.transpose() * axes), rule })
}

/// Checks that a body can have this mass and inertia.
pub(crate) fn check_mass_properties(body: &str, properties: &MassProperties) -> Result<(), ModelError> {
    let refuse = |what: String| Err(ModelError::MassProperties { body: body.to_owned(), what });
    let MassProperties { mass, center, inertia } = *properties;
    if !(mass > 0.0 && mass.is_finite()) {
        return refuse(format!("its mass must be positive and finite, is {mass} kg"));
    }
    if !center.is_finite() || !inertia.is_finite() {
        return refuse("its centre of mass and inertia must be finite".to_owned());
    }
    let e = symmetric_eigen(&inertia);
    if !(inertia - inertia.transpose()).abs_diff_eq(DMat3::ZERO, 1e-9 * e.values.abs().max_element()) {
        return refuse("its inertia must be symmetric".to_owned());
    }
    let total = e.values.element_sum();
    // A rod in a slanted direction has an eigenvalue of zero up to rounding.
    let rounding = 1e-9 * e.values.abs().max_element();
    if e.values.min_element() < -rounding || 2.0 * e.values.max_element() > total + 2.0 * rounding {
        let [a, b, c] = e.values.to_array();
        return refuse(format!(
            "no body has the principal inertias {a}, {b}, {c} kg·m²: none may be negative or larger than the sum of the other two"
        ));
    }
    Ok(())
}

impl Draft {
    /// Initial placement of each of the user's bones.
    pub fn placements(&self) -> Vec<Placement> {
        self.ids.iter().map(|&k| self.bones[k].placement(&self.bones[k].start)).collect()
    }

    /// The points of each bone, and one point of each of the bones that a joint connects.
    pub fn stencils(&self, joints: &[Joint]) -> Vec<Vec<u32>> {
        let mut stencils: Vec<Vec<u32>> = self.bones.iter().map(|bone| bone.points.clone()).collect();
        for joint in joints {
            let ends = joint.bones.into_iter().flatten();
            stencils.push(ends.map(|id| self.bones[self.ids[id.0]].points[0]).collect());
        }
        stencils
    }
}
