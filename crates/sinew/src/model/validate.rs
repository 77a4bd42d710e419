//! Validates the numbers of a body, of colliders and of the contact law.

use super::ModelError;
use crate::body::{Activity, Net, Solid};
use crate::contact::{Collider, ContactLaw, Friction};
use crate::energy::SpringLaw;
use crate::mesh::RestTetrahedron;
use glam::{DMat3, DVec3};

pub(super) fn check_length(
    body: &str,
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), ModelError> {
    if found == expected {
        Ok(())
    } else {
        Err(ModelError::Length { body: body.to_owned(), what, found, expected })
    }
}

pub(super) fn check_vectors(
    body: &str,
    what: &'static str,
    values: &[DVec3],
    n: usize,
) -> Result<(), ModelError> {
    check_length(body, what, values.len(), n)?;
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(vertex) => Err(ModelError::NotFinite { body: body.to_owned(), what, vertex }),
    }
}

pub(super) fn check_corners(
    body: &str,
    what: &'static str,
    element: usize,
    corners: &[u32],
    vertices: usize,
) -> Result<(), ModelError> {
    for (k, &vertex) in corners.iter().enumerate() {
        if vertex as usize >= vertices {
            return Err(ModelError::Index { body: body.to_owned(), what, element, vertex, vertices });
        }
        if corners[..k].contains(&vertex) {
            return Err(ModelError::Repeated { body: body.to_owned(), what, element, vertex });
        }
    }
    Ok(())
}

fn check_parameter(
    body: &str,
    (what, expected): (&'static str, &'static str),
    (element_kind, element): (&'static str, usize),
    value: f64,
    good: bool,
) -> Result<(), ModelError> {
    if good && value.is_finite() {
        return Ok(());
    }
    Err(ModelError::Parameter { body: body.to_owned(), what, element_kind, element, expected, value })
}

/// Rest shapes of the tetrahedra of a solid.
pub(super) fn rest_shapes(
    body: &str,
    rest: &[DVec3],
    solid: &Solid,
) -> Result<Vec<RestTetrahedron>, ModelError> {
    let n = solid.tetrahedra.len();
    check_length(body, "moduli", solid.lame.len(), n)?;
    check_length(body, "densities", solid.density.len(), n)?;
    let mut shapes = Vec::with_capacity(n);
    for (e, t) in solid.tetrahedra.iter().enumerate() {
        check_corners(body, "tetrahedron", e, t, rest.len())?;
        let at = ("tetrahedron", e);
        check_parameter(
            body,
            ("density", "zero or positive"),
            at,
            solid.density[e],
            solid.density[e] >= 0.0,
        )?;
        let lame = solid.lame[e];
        check_parameter(body, ("shear modulus mu", "positive"), at, lame.mu, lame.mu > 0.0)?;
        check_parameter(body, ("lambda", "above -2/3 mu"), at, lame.lambda, lame.is_stable())?;
        let x = t.map(|v| rest[v as usize]);
        shapes.push(RestTetrahedron::new(x).ok_or_else(|| bad_tetrahedron(body, e, x))?);
    }
    Ok(shapes)
}

/// Shares of muscles and growth of each tetrahedron.
pub(super) fn check_activity(body: &str, activity: &Activity, n: usize) -> Result<(), ModelError> {
    check_length(body, "shares of muscles", activity.shares.len(), n)?;
    check_length(body, "growth", activity.growth.len(), n)?;
    for (e, (row, &growth)) in activity.shares.iter().zip(&activity.growth).enumerate() {
        let at = ("tetrahedron", e);
        check_parameter(body, ("growth", "positive"), at, growth, growth > 0.0)?;
        let muscles = activity.muscles.len();
        for &(muscle, share) in row {
            let good = (muscle as usize) < muscles;
            check_parameter(body, ("muscle", "the number of a muscle"), at, f64::from(muscle), good)?;
            check_parameter(body, ("share of a muscle", "zero or positive"), at, share, share >= 0.0)?;
        }
        let sum: f64 = row.iter().map(|(_, share)| share).sum();
        check_parameter(body, ("sum of the shares of muscles", "at most 1"), at, sum, sum <= 1.0 + 1e-9)?;
    }
    Ok(())
}

fn bad_tetrahedron(body: &str, element: usize, x: [DVec3; 4]) -> ModelError {
    let volume = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]).determinant() / 6.0;
    let flipped = [x[0], x[2], x[1], x[3]];
    let (how, remedy) = if RestTetrahedron::new(flipped).is_some() {
        ("inverted", "swap two of its vertices")
    } else {
        ("flat", "move a vertex out of the plane or remove the element")
    };
    ModelError::BadTetrahedron { body: body.to_owned(), element, volume, how, remedy }
}

/// (stiffness, rest length) of each spring.
pub(super) fn spring_parameters(
    body: &str,
    rest: &[DVec3],
    net: &Net,
) -> Result<Vec<(f64, f64)>, ModelError> {
    let n = net.ends.len();
    check_length(body, "spring stiffnesses", net.stiffness.len(), n)?;
    if let Some(lengths) = &net.rest_lengths {
        check_length(body, "rest lengths", lengths.len(), n)?;
    }
    let mut parameters = Vec::with_capacity(n);
    for (e, ends) in net.ends.iter().enumerate() {
        check_corners(body, "spring", e, ends, rest.len())?;
        let k = net.stiffness[e];
        let l = match &net.rest_lengths {
            Some(lengths) => lengths[e],
            None => rest[ends[0] as usize].distance(rest[ends[1] as usize]),
        };
        check_parameter(body, ("stiffness", "positive"), ("spring", e), k, k > 0.0)?;
        let (rule, good) = match net.law {
            SpringLaw::Hookean => ("zero or positive", l >= 0.0),
            SpringLaw::Squared => ("positive", l > 0.0),
        };
        check_parameter(body, ("rest length", rule), ("spring", e), l, good)?;
        parameters.push((k, l));
    }
    Ok(parameters)
}

/// What is wrong with coefficients of friction and restitution, if anything.
fn surface_fault(friction: Option<Friction>, restitution: Option<f64>) -> Option<String> {
    if let Some(Friction { sticking, sliding }) = friction {
        for (name, value) in [("sticking", sticking), ("sliding", sliding)] {
            if !value.is_finite() || value < 0.0 {
                return Some(format!("{name} friction must be zero or positive and finite, is {value}"));
            }
        }
        if sliding > sticking {
            return Some(format!(
                "sliding friction, {sliding}, must not exceed sticking friction, {sticking}: \
                 what slides would be held harder than what rests"
            ));
        }
    }
    let restitution = restitution.filter(|e| !(0.0..=1.0).contains(e))?;
    Some(format!("restitution must be between 0 (no rebound) and 1 (elastic), is {restitution}"))
}

/// Checks shapes, placements and surface coefficients of the colliders.
pub(super) fn check_colliders(colliders: &[Collider]) -> Result<(), ModelError> {
    for collider in colliders {
        let refuse = |what| Err(ModelError::Collider { name: collider.name.clone(), what });
        if let Some(fault) = collider.shape.fault() {
            return refuse(fault.to_owned());
        }
        if !collider.placement.is_valid() {
            let what = "its place must be finite and its rotation a unit quaternion";
            return refuse(what.to_owned());
        }
        if let Some(fault) = surface_fault(collider.friction, collider.restitution) {
            return refuse(fault);
        }
    }
    Ok(())
}

/// Checks the surface coefficients of a body.
pub(super) fn check_surface(
    body: &str,
    friction: Option<Friction>,
    restitution: Option<f64>,
) -> Result<(), ModelError> {
    let fault = surface_fault(friction, restitution);
    fault.map_or(Ok(()), |what| Err(ModelError::Surface { body: body.to_owned(), what }))
}

/// Checks the parameters of a contact law.
pub(super) fn check_contact(law: &ContactLaw) -> Result<(), ModelError> {
    let ContactLaw { thickness, friction, restitution, .. } = *law;
    let positive = |value: f64| value > 0.0 && value.is_finite();
    let what = if let Some(thickness) = thickness.filter(|&d| !positive(d)) {
        Some(format!(
            "thickness must be positive and finite, is {thickness} m; leave it out for {} of the body's size",
            ContactLaw::THICKNESS
        ))
    } else {
        surface_fault(Some(friction), Some(restitution))
    };
    what.map_or(Ok(()), |what| Err(ModelError::Contact { what }))
}
