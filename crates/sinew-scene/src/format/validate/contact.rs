//! Contact and colliders: coefficients and sizes.

use super::super::collider::{Collider, ColliderShape};
use super::super::contact::{BodyContact, Contact, Friction};
use super::at::{At, Verdict};
use super::{mesh, motion};

/// Largest number of steps of stairs; a mistyped number must not take forever.
const MAX_STEPS: usize = 1000;

pub(super) fn law(law: &Contact, at: &At<'_>) -> Verdict {
    law.stiffness.map_or(Ok(()), |k| at.positive("stiffness", k))?;
    law.thickness.map_or(Ok(()), |d| at.positive("thickness", d))?;
    friction(law.friction, at)?;
    at.within("restitution", law.restitution, 0.0, 1.0)
}

fn friction(friction: Friction, at: &At<'_>) -> Verdict {
    let Friction { sticking, sliding } = friction;
    if sticking == sliding {
        return at.non_negative("friction", sticking);
    }
    let at = at.key("friction");
    at.non_negative("static", sticking)?;
    at.non_negative("kinetic", sliding)?;
    at.require("kinetic", sliding <= sticking, || {
        format!("must not exceed static, is {sliding} with static {sticking}")
    })
}

/// What a body has of its own.
pub(super) fn surface(own: &BodyContact, at: &At<'_>) -> Verdict {
    own.friction.map_or(Ok(()), |own| friction(own, at))?;
    own.restitution.map_or(Ok(()), |own| at.within("restitution", own, 0.0, 1.0))
}

pub(super) fn collider(collider: &Collider, at: &At<'_>) -> Verdict {
    shape(&collider.shape, &at.key("shape"))?;
    if let Some(rotate) = &collider.rotate {
        at.key("rotate").direction("axis", rotate.axis)?;
    }
    collider.friction.map_or(Ok(()), |own| friction(own, at))?;
    collider.restitution.map_or(Ok(()), |own| at.within("restitution", own, 0.0, 1.0))?;
    collider.motion.as_ref().map_or(Ok(()), |moved| motion::placement(moved, &at.key("motion")))
}

fn shape(shape: &ColliderShape, at: &At<'_>) -> Verdict {
    match shape {
        ColliderShape::Plane(plane) => at.key("plane").direction("normal", plane.normal),
        ColliderShape::Sphere(sphere) => at.key("sphere").positive("radius", sphere.radius),
        ColliderShape::Box(cuboid) => at.key("box").all_positive("size", &cuboid.size),
        ColliderShape::Capsule(capsule) => {
            let at = at.key("capsule");
            at.positive("radius", capsule.radius)?;
            at.require("length", capsule.length > 0.0, || {
                format!("must be positive, is {}; without length it is a sphere", capsule.length)
            })
        }
        ColliderShape::Torus(torus) => {
            let at = at.key("torus");
            at.positive("major", torus.major)?;
            at.positive("minor", torus.minor)?;
            at.require("minor", torus.minor < torus.major, || {
                format!("must be less than major, is {} with major {}", torus.minor, torus.major)
            })
        }
        ColliderShape::Stairs(stairs) => {
            let at = at.key("stairs");
            at.count("steps", stairs.steps, 1, MAX_STEPS)?;
            at.positive("rise", stairs.rise)?;
            at.positive("run", stairs.run)?;
            at.positive("width", stairs.width)
        }
        ColliderShape::Bowl(bowl) => {
            let at = at.key("bowl");
            at.positive("radius", bowl.radius)?;
            at.positive("wall", bowl.wall)?;
            at.count("segments", bowl.segments as usize, 3, mesh::MAX_SEGMENTS)
        }
        ColliderShape::Mesh(file) => {
            let at = at.key("mesh");
            at.require("tetrahedralize", file.tetrahedralize.is_none(), || {
                "a collider is a surface: leave this out".into()
            })?;
            mesh::file(file, &at)
        }
    }
}
