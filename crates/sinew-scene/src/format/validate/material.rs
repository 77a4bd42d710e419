//! Materials: ranges, and alternatives that exclude each other.

use super::super::body::ElementOverride;
use super::super::material::Material;
use super::at::{At, Verdict};

/// Checks a material as it is written, complete or not.
pub(super) fn check(material: &Material, at: &At<'_>) -> Verdict {
    let given = [("density", material.density), ("mass", material.mass), ("stiffness", material.stiffness)];
    for (key, value) in given {
        value.map_or(Ok(()), |value| at.positive(key, value))?;
    }
    for (key, value) in
        [("shear_stiffness", material.shear_stiffness), ("bend_stiffness", material.bend_stiffness)]
    {
        value.map_or(Ok(()), |value| at.non_negative(key, value))?;
    }
    at.exclusive(
        ("density", material.density.is_some()),
        ("mass", material.mass.is_some()),
        "give the density or the total mass",
    )?;
    Elasticity { young: material.young, poisson: material.poisson, mu: material.mu, lambda: material.lambda }
        .check(at)
}

/// Checks a body's own material together with the scene's.
pub(super) fn check_merged(own: &Material, merged: &Material, at: &At<'_>) -> Verdict {
    bulk_modulus(merged.mu, merged.lambda, at)?;
    at.require("lambda", own.lambda.is_none() || merged.mu.is_some(), || "also needs `mu`".into())
}

/// Checks the values of an `[[body.override]]`.
pub(super) fn check_override(values: &ElementOverride, at: &At<'_>) -> Verdict {
    let all = [values.young, values.poisson, values.mu, values.lambda, values.density, values.stiffness];
    if all.iter().all(Option::is_none) {
        return Err(at.error("changes nothing; give young, poisson, mu, lambda, density or stiffness"));
    }
    values.density.map_or(Ok(()), |value| at.positive("density", value))?;
    values.stiffness.map_or(Ok(()), |value| at.non_negative("stiffness", value))?;
    Elasticity { young: values.young, poisson: values.poisson, mu: values.mu, lambda: values.lambda }
        .check(at)
}

/// The two pairs of constants that describe an isotropic solid.
struct Elasticity {
    young: Option<f64>,
    poisson: Option<f64>,
    mu: Option<f64>,
    lambda: Option<f64>,
}

impl Elasticity {
    fn check(&self, at: &At<'_>) -> Verdict {
        self.young.map_or(Ok(()), |value| at.positive("young", value))?;
        self.poisson.map_or(Ok(()), |value| at.inside("poisson", value, -1.0, 0.5))?;
        self.mu.map_or(Ok(()), |value| at.positive("mu", value))?;
        for engineering in [("young", self.young.is_some()), ("poisson", self.poisson.is_some())] {
            for lame in [("mu", self.mu.is_some()), ("lambda", self.lambda.is_some())] {
                at.exclusive(engineering, lame, "give young and poisson, or mu and lambda")?;
            }
        }
        bulk_modulus(self.mu, self.lambda, at)
    }
}

/// λ + 2μ/3 > 0, or the material gains energy when it is compressed.
fn bulk_modulus(mu: Option<f64>, lambda: Option<f64>, at: &At<'_>) -> Verdict {
    match (mu, lambda) {
        (Some(mu), Some(lambda)) => at.require("lambda", 3.0 * lambda + 2.0 * mu > 0.0, || {
            format!("must be greater than −2/3 mu = {}, is {lambda}", -2.0 / 3.0 * mu)
        }),
        _ => Ok(()),
    }
}
