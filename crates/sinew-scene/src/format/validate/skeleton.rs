//! Bones, rigid bodies and joints, as far as they can be checked without meshes.

use super::super::body::Body;
use super::super::bone::{Bone, GivenInertia};
use super::super::joint::Joint;
use super::super::mesh::MeshSource;
use super::super::motion::PlacementMotion;
use super::Names;
use super::at::{At, Verdict};
use super::{body, motion};
use crate::rig::{JointFreedom, JointParts, WORLD, name_fault};
use glam::{DMat3, DVec3};

/// Checks the bones of a body, and that a rigid body has none of its own.
pub(super) fn check(body: &Body, at: &At<'_>) -> Verdict {
    if body.rigid.is_rigid() {
        let rigid = "cannot be combined with `rigid`: the whole body is one bone";
        at.require("bone", body.bones.is_empty(), || rigid.into())?;
        at.require("joints", body.joints.is_none(), || rigid.into())?;
        if let Some(name) = &body.name {
            at.require("name", name != WORLD, || {
                format!("`{WORLD}` is what joints call the surroundings; choose another name")
            })?;
        }
    } else {
        for (key, given) in [
            ("kinematic", body.kinematic),
            ("motion", body.motion.is_some()),
            ("pivot", body.pivot.is_some()),
        ] {
            at.require(key, !given, || {
                "belongs to a rigid body (`rigid = true`) or to a [[body.bone]]".into()
            })?;
        }
    }
    guided(body.kinematic, body.motion.as_ref(), body.pivot.is_some(), at)?;
    match &body.mesh {
        None => meshless(body, at)?,
        Some(mesh) => {
            let twice = body.joints.is_some() && mesh.brings_bones();
            at.require("joints", !twice, || "the mesh brings bones and joints of its own".into())?;
        }
    }
    if let Some(path) = &body.joints {
        at.require("joints", !path.trim().is_empty(), || "must not be empty".into())?;
    }
    body.rigid.given().map_or(Ok(()), |inertia| given(inertia, body, &at.key("rigid")))?;

    let mut names = Names::new("bone");
    for (i, one) in body.bones.iter().enumerate() {
        let at = at.key("bone").index(i);
        names.check(Some(&one.name), i, &at)?;
        bone(one, body, &at)?;
    }
    Ok(())
}

fn bone(bone: &Bone, body: &Body, at: &At<'_>) -> Verdict {
    if let Some(fault) = name_fault(&bone.name) {
        return Err(at.key("name").error(fault));
    }
    let given = [
        ("region", bone.region.is_some()),
        ("regions", bone.regions.is_some()),
        ("select", bone.select.is_some()),
    ];
    for (i, first) in given.into_iter().enumerate() {
        for second in &given[i + 1..] {
            at.exclusive(first, *second, "each of them chooses the vertices")?;
        }
    }
    let brings = body.joints.is_some() || body.mesh.as_ref().is_some_and(MeshSource::brings_bones);
    if !(brings || given.iter().any(|(_, given)| *given)) {
        return Err(at.error("has no vertices; choose them by `region`, `regions` or `select`"));
    }
    if let Some(regions) = &bone.regions {
        at.require("regions", !regions.is_empty(), || "must not be empty".into())?;
    }
    if let Some(select) = &bone.select {
        body::selection(select, body::inline_vertices(body), &at.key("select"))?;
        let circular = matches!(select, super::super::selection::Selection::Bone(_));
        at.require("select", !circular, || "a bone cannot be chosen by a bone".into())?;
    }
    guided(bone.kinematic, bone.motion.as_ref(), bone.pivot.is_some(), at)
}

/// Checks the motion of a kinematic bone or body.
fn guided(kinematic: bool, motion: Option<&PlacementMotion>, pivot: bool, at: &At<'_>) -> Verdict {
    at.require("pivot", !pivot || motion.is_some(), || "has no effect without `motion`".into())?;
    let Some(moved) = motion else { return Ok(()) };
    at.require("motion", kinematic, || "also needs `kinematic = true`".into())?;
    motion::placement(moved, &at.key("motion"))
}

/// Checks a body without a mesh, which consists only of its inertia.
fn meshless(body: &Body, at: &At<'_>) -> Verdict {
    if body.rigid.given().is_none() {
        let message =
            "missing key `mesh` in [body]; only a rigid body whose inertia is given may have none".into();
        return Err(at.missing("mesh", message));
    }
    let initial = at.key("initial");
    for (key, given) in [
        ("stretch", body.initial.stretch.is_some()),
        ("strike", body.initial.strike.is_some()),
        ("randomize", body.initial.randomize.is_some()),
    ] {
        initial.require(key, !given, || "has nothing to act on: the body has no mesh".into())?;
    }
    for (key, given) in [
        ("pin", !body.pins.is_empty()),
        ("attachment", !body.attachments.is_empty()),
        ("drag", !body.drags.is_empty()),
        ("override", !body.overrides.is_empty()),
    ] {
        at.require(key, !given, || "has nothing to act on: the body has no mesh".into())?;
    }
    Ok(())
}

fn given(inertia: &GivenInertia, body: &Body, at: &At<'_>) -> Verdict {
    at.positive("mass", inertia.mass)?;
    for (key, own) in [("mass", body.material.mass), ("density", body.material.density)] {
        at.require("mass", own.is_none(), || {
            format!("cannot be combined with `{key}` of the body's material")
        })?;
    }
    let Some(matrix) = inertia.matrix() else {
        let count = inertia.inertia.len();
        let message = format!("has {count} numbers; it takes 3, 6 or 9");
        return Err(at.key("inertia").error(message));
    };
    let asymmetry =
        (matrix - matrix.transpose()).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let trace = matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z;
    at.require("inertia", asymmetry <= 1e-9 * trace.abs(), || "must be symmetric".into())?;
    // A point mass has none at all.
    if matrix == DMat3::ZERO {
        return Ok(());
    }
    at.require("inertia", trace > 0.0 && is_positive(&matrix, -1e-9 * trace), || {
        "may not be negative about any axis".into()
    })?;
    // Σ = ∫ρ r rᵀ = ½ tr(J) I − J: no mass is negative.
    let moments = DMat3::from_diagonal(DVec3::splat(0.5 * trace)) - matrix;
    at.require("inertia", is_positive(&moments, -1e-9 * trace), || {
        "is that of no body: about no axis may it exceed the sum of those about the two others".into()
    })
}

/// Whether all principal minors exceed a limit, scaled by its power.
fn is_positive(m: &DMat3, limit: f64) -> bool {
    let minor = |i: usize, j: usize| m.col(i)[i] * m.col(j)[j] - m.col(i)[j] * m.col(j)[i];
    let size = (0..3).map(|i| m.col(i)[i].abs()).fold(0.0, f64::max);
    let above = |value: f64, scale: f64| if limit < 0.0 { value >= limit * scale } else { value > 0.0 };
    (0..3).all(|i| above(m.col(i)[i], 1.0))
        && [(0, 1), (0, 2), (1, 2)].iter().all(|&(i, j)| above(minor(i, j), size))
        && above(m.determinant(), size * size)
}

impl GivenInertia {
    /// The matrix given by 3, 6 or 9 numbers.
    pub fn matrix(&self) -> Option<DMat3> {
        match *self.inertia.as_slice() {
            [x, y, z] => Some(DMat3::from_diagonal(DVec3::new(x, y, z))),
            [xx, yy, zz, xy, xz, yz] => Some(DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])),
            [a, b, c, d, e, f, g, h, i] => Some(DMat3::from_cols_array(&[a, d, g, b, e, h, c, f, i])),
            _ => None,
        }
    }
}

pub(super) fn joint(joint: &Joint, at: &At<'_>) -> Verdict {
    for (i, name) in joint.between.iter().enumerate() {
        at.key("between").require(&i.to_string(), !name.trim().is_empty(), || "must not be empty".into())?;
    }
    let [first, second] = &joint.between;
    at.require("between", first != second, || format!("connects `{first}` with itself"))?;
    joint.freedom().map_err(|fault| at.key(fault.key).error(fault.message)).map(drop)
}

impl Joint {
    /// The relative motion that it allows.
    ///
    /// # Errors
    /// [`FreedomFault`](crate::rig::FreedomFault) names the key that is missing, useless or out of range.
    pub fn freedom(&self) -> Result<JointFreedom, crate::rig::FreedomFault> {
        JointFreedom::from_parts(&JointParts {
            kind: self.kind.as_str(),
            axis: self.axis.map(DVec3::from),
            cone: self.cone,
            twist: self.twist,
            range: self.range,
        })
    }
}
