//! Random bones: in flesh, in chains, alone, degenerate; joined, limited, kinematic.

use crate::bodies::random_cube;
use crate::random::Random;
use crate::scene::Sketch;
use sinew::{Body, Bone, BoneId, DMat3, DVec3, Joint, JointKind, MassProperties, SwingTwist};

/// Adds bodies with bones to a scene.
pub fn random_bones(r: &mut Random, sketch: &mut Sketch, place: DVec3) {
    match r.index(4) {
        0 => flesh(r, sketch, place),
        1 => chain(r, sketch, place),
        2 => ghost(r, sketch, place),
        _ => splinter(r, sketch, place),
    }
}

/// A cube of flesh with a bone on either side, joined in the middle or not at all.
fn flesh(r: &mut Random, sketch: &mut Sketch, place: DVec3) {
    let mut cube = random_cube(r, "flesh".to_owned(), 3, place);
    let side = |sign: f64| -> Vec<usize> {
        (0..cube.rest.len()).filter(|&i| (cube.rest[i] - place).x * sign > 0.1 * cube.size).collect()
    };
    let sides = [side(-1.0), side(1.0)];
    sides.iter().for_each(|side| cube.straighten(side));
    let size = cube.size;
    let first = sketch.add(cube);
    let bones = sides.map(|side| {
        let vertices = side.into_iter().map(|i| first + i).collect();
        sketch.builder.add_bone(Bone::new(format!("bone at {first}"), vertices))
    });
    if r.chance(0.6) {
        join(r, sketch, bones.map(Some), place, "middle");
    }
    if r.chance(0.3) {
        join(r, sketch, [None, Some(bones[0])], place - DVec3::X * size, "world");
    } else if r.chance(0.3) {
        drive(sketch, bones[0], size);
    }
}

/// Rigid cubes in a row, each joined to the next, the first perhaps to the world.
fn chain(r: &mut Random, sketch: &mut Sketch, place: DVec3) {
    let count = 1 + r.index(4);
    let mut last: Option<(BoneId, DVec3)> = None;
    for k in 0..count {
        let at = last.map_or(place, |(_, end)| end);
        let link = random_cube(r, format!("link {k}"), 2, at);
        // Rigid bodies keep the shape in which they start, and joints take them from there.
        let (size, end) = (link.size, at + DVec3::X * link.size);
        let bone = sketch.add_rigid(link);
        match last {
            Some((before, _)) => {
                join(r, sketch, [Some(before), Some(bone)], at - DVec3::X * (0.5 * size), "link")
            }
            None if r.chance(0.4) => join(r, sketch, [None, Some(bone)], at - DVec3::X * size, "world"),
            None if r.chance(0.4) && count > 1 => drive(sketch, bone, size),
            None => {}
        }
        last = Some((bone, end));
    }
}

/// A rigid body without vertices: mass and inertia alone, some of them flat.
fn ghost(r: &mut Random, sketch: &mut Sketch, place: DVec3) {
    let (mass, size) = (r.decades(-3.0, 3.0), r.decades(-2.0, 0.5));
    let flat = r.pick(&[1.0, 1.0, 1e-3, 0.0]);
    let squares = DVec3::new(1.0, r.between(0.3, 1.0), flat) * (mass * size * size);
    let inertia = DMat3::from_diagonal(DVec3::splat(squares.element_sum()) - squares);
    let body = Body::new("ghost", Vec::new())
        .mass_properties(MassProperties { mass, center: place, inertia })
        .rigid_velocity(
            r.direction() * r.pick(&[0.0, 1.0, 100.0]),
            r.direction() * r.pick(&[0.0, 1.0, 100.0]),
        );
    let bone = sketch.add_ghost(body, 4.0 * size);
    if r.chance(0.5) {
        let position = place + r.vector(size);
        join(r, sketch, [None, Some(bone)], position, "world");
    }
}

/// A bone of one, two or three vertices in a body: it has no volume.
fn splinter(r: &mut Random, sketch: &mut Sketch, place: DVec3) {
    let mut cube = random_cube(r, "splintered".to_owned(), 2, place);
    let vertices: Vec<usize> = (0..1 + r.index(3)).collect();
    cube.straighten(&vertices);
    let size = cube.size;
    let first = sketch.add(cube);
    let bone = sketch.builder.add_bone(Bone::new(
        format!("splinter at {first}"),
        vertices.into_iter().map(|i| first + i).collect(),
    ));
    if r.chance(0.3) {
        drive(sketch, bone, size);
    } else if r.chance(0.4) {
        let position = place + r.vector(size);
        join(r, sketch, [None, Some(bone)], position, "world");
    }
}

/// Makes a bone kinematic; the scene moves it about as far as `size` in a step.
fn drive(sketch: &mut Sketch, bone: BoneId, size: f64) {
    if !sketch.without("kinematic") {
        sketch.builder.kinematic(bone);
        sketch.kinematic.push((bone, size));
    }
}

fn join(r: &mut Random, sketch: &mut Sketch, bones: [Option<BoneId>; 2], position: DVec3, name: &str) {
    let axis = r.direction();
    let kind = match r.index(8) {
        0 => JointKind::Weld,
        1..=2 => JointKind::Hinge { axis, range: None },
        3 => JointKind::Hinge { axis, range: Some([-r.between(0.0, 3.0), r.between(0.0, 3.0)]) },
        4 => JointKind::Ball {
            limit: Some(SwingTwist { axis, cone: r.between(0.0, 3.0), twist: r.between(0.0, 3.0) }),
        },
        _ => JointKind::Ball { limit: None },
    };
    // Nothing would be left to move.
    let kind =
        if kind == JointKind::Weld && bones[0].is_none() { JointKind::Ball { limit: None } } else { kind };
    sketch.builder.joint(Joint { name: name.to_owned(), kind, bones, position });
}
