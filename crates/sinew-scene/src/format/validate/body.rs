//! Bodies: initial state, pins, attachments, drags and selections.

use super::super::body::{Attachment, Body, Drag, Initial};
use super::super::material::Material;
use super::super::mesh::MeshSource;
use super::super::selection::Selection;
use super::at::{At, Verdict};
use super::{contact, material, mesh, motion};

/// Checks a body of a scene with this default material.
pub(super) fn check(body: &Body, default: &Material, at: &At<'_>) -> Verdict {
    body.mesh.as_ref().map_or(Ok(()), |mesh| mesh::check(mesh, &at.key("mesh")))?;
    if let Some(MeshSource::Figure(_)) = &body.mesh {
        let nothing = "has no effect on a figure, which its clip moves";
        let initial = &body.initial;
        let shaped = initial.stretch.is_some() || initial.strike.is_some() || initial.randomize.is_some();
        at.require("initial", !shaped && initial.velocity.is_none() && initial.spin.is_none(), || {
            "may only `rotate` and `translate` a figure, which its clip moves".into()
        })?;
        at.require("rigid", !body.rigid.is_rigid(), || "a figure deforms: its clip moves it".into())?;
        at.require("bone", body.bones.is_empty(), || nothing.into())?;
        at.require("pin", body.pins.is_empty(), || nothing.into())?;
        at.require("override", body.overrides.is_empty(), || nothing.into())?;
    }
    face(body, at)?;
    if let Some(surface) = &body.surface {
        let at = at.key("surface");
        at.require("path", !surface.path.trim().is_empty(), || "must not be empty".into())?;
        at.positive("scale", surface.scale.unwrap_or(1.0))?;
    }
    let own = at.key("material");
    material::check(&body.material, &own)?;
    material::check_merged(&body.material, &body.material.over(default), &own)?;
    for (i, values) in body.overrides.iter().enumerate() {
        let at = at.key("override").index(i);
        selection(&values.select, None, &at.key("select"))?;
        material::check_override(values, &at)?;
    }
    initial(&body.initial, &at.key("initial"))?;
    contact::surface(&body.contact, &at.key("contact"))?;
    round(body, at)?;

    if let Some(MeshSource::Inline(inline)) = &body.mesh {
        for (key, given) in [("mass", body.material.mass), ("density", body.material.density)] {
            own.require(key, given.is_none() || inline.masses.is_none(), || {
                "cannot be combined with `masses` of the inline mesh".into()
            })?;
        }
    }
    let vertices = inline_vertices(body);
    for (i, pin) in body.pins.iter().enumerate() {
        selection(&pin.select, vertices, &at.key("pin").index(i).key("select"))?;
    }
    for (i, held) in body.attachments.iter().enumerate() {
        attachment(held, vertices, &at.key("attachment").index(i))?;
    }
    for (i, hand) in body.drags.iter().enumerate() {
        drag(hand, &at.key("drag").index(i))?;
    }
    Ok(())
}

/// A face brings its bones, and muscles need one.
fn face(body: &Body, at: &At<'_>) -> Verdict {
    if !matches!(body.mesh, Some(MeshSource::Face(_))) {
        return at.require("expression", body.expressions.is_empty(), || {
            "moves muscles: it needs `mesh.face`".into()
        });
    }
    let own = "has no effect on a face, whose skull and jaw come with it";
    at.require("rigid", !body.rigid.is_rigid(), || "a face deforms: its muscles move it".into())?;
    at.require("bone", body.bones.is_empty(), || own.into())?;
    at.require("joints", body.joints.is_none(), || own.into())?;
    at.require("skeleton", body.skeleton, || "a face needs its skull and its jaw".into())?;
    let all = at.key("expression");
    motion::in_order(body.expressions.iter().map(|expression| expression.time), &all)?;
    for (i, expression) in body.expressions.iter().enumerate() {
        let at = all.index(i);
        for (name, strength) in &expression.show {
            at.require("show", (0.0..=1.0).contains(strength), || {
                format!("the strength of `{name}` must be between 0 and 1, is {strength}")
            })?;
        }
        for (name, length) in &expression.contract {
            at.require("contract", (0.25..=3.0).contains(length), || {
                format!("the length of `{name}` must be between 0.25 and 3, is {length}")
            })?;
        }
    }
    Ok(())
}

/// What is round is rigid, and stays as it is.
fn round(body: &Body, at: &At<'_>) -> Verdict {
    let (key, instead) = match &body.mesh {
        Some(MeshSource::Sphere(_)) => ("sphere", "; a soft one is `mesh.ball`"),
        Some(MeshSource::Capsule(_)) => ("capsule", ""),
        _ => return Ok(()),
    };
    at.key("mesh")
        .require(key, body.rigid.is_rigid(), || format!("is a rigid body: add `rigid = true`{instead}"))?;
    let given = &body.initial;
    for (key, given) in [
        ("stretch", given.stretch.is_some()),
        ("strike", given.strike.is_some()),
        ("randomize", given.randomize.is_some()),
    ] {
        at.key("initial").require(key, !given, || "cannot change something round".into())?;
    }
    Ok(())
}

/// How many vertices an inline mesh has.
pub(super) fn inline_vertices(body: &Body) -> Option<usize> {
    match &body.mesh {
        Some(MeshSource::Inline(inline)) => Some(inline.points.len()),
        _ => None,
    }
}

/// `count`: the number of items to select from, if known.
pub(super) fn selection(select: &Selection, count: Option<usize>, at: &At<'_>) -> Verdict {
    match select {
        Selection::Indices(indices) => {
            at.require("indices", !indices.is_empty(), || "must not be empty".into())?;
            let beyond = indices.iter().position(|&i| count.is_some_and(|count| i as usize >= count));
            beyond.zip(count).map_or(Ok(()), |(i, count)| {
                let at = at.key("indices").index(i);
                Err(at.error(format!("there is no vertex {}: the mesh has {count}", indices[i])))
            })
        }
        Selection::Box(b) => {
            let at = at.key("box").key("max");
            (0..3).try_for_each(|k| {
                at.require(&k.to_string(), b.min[k] <= b.max[k], || {
                    format!("must not be less than min, is {} with min {}", b.max[k], b.min[k])
                })
            })
        }
        Selection::Sphere(sphere) => at.key("sphere").positive("radius", sphere.radius),
        Selection::Plane(plane) => {
            let at = at.key("plane");
            at.direction("normal", plane.normal)?;
            at.non_negative("tolerance", plane.tolerance)
        }
        Selection::All(all) => {
            at.require("all", *all, || "must be true; leave out the whole entry instead".into())
        }
        Selection::Region(_) | Selection::Bone(_) => Ok(()),
    }
}

fn initial(initial: &Initial, at: &At<'_>) -> Verdict {
    if let Some(rotate) = &initial.rotate {
        at.key("rotate").direction("axis", rotate.axis)?;
    }
    if let Some(strike) = &initial.strike {
        at.key("strike").positive("radius", strike.radius)?;
    }
    if let Some(randomize) = &initial.randomize {
        at.key("randomize").non_negative("amplitude", randomize.amplitude)?;
    }
    Ok(())
}

fn attachment(attachment: &Attachment, vertices: Option<usize>, at: &At<'_>) -> Verdict {
    selection(&attachment.select, vertices, &at.key("select"))?;
    at.positive("stiffness", attachment.stiffness)?;
    attachment.motion.as_ref().map_or(Ok(()), |moved| motion::check(moved, &at.key("motion")))
}

fn drag(drag: &Drag, at: &At<'_>) -> Verdict {
    at.positive("stiffness", drag.stiffness)?;
    motion::span(drag.start, drag.stop, at)?;
    drag.motion.as_ref().map_or(Ok(()), |moved| motion::check(moved, &at.key("motion")))
}
