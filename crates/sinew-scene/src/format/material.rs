//! The material of a body.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choices::{MaterialKind, SpringLaw};

/// A material. Every value may be left out: missing values of a body's own material come from the scene's.
///
/// Elasticity of solids is given as `young` and `poisson` or as `mu` and `lambda`; inertia as `density` or
/// as `mass`; springs by their stiffness.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Material {
    /// The elastic energy. Default: chosen by the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<MaterialKind>,
    /// Young's modulus, Pa, positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub young: Option<f64>,
    /// Poisson's ratio, between −1 and 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = -1, "exclusiveMaximum" = 0.5))]
    pub poisson: Option<f64>,
    /// Lamé's second parameter μ, the shear modulus, Pa, positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mu: Option<f64>,
    /// Lamé's first parameter λ, Pa, greater than −2μ/3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Density, kg/m³ for tetrahedra and kg/m² for cloth, positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// Total mass of the body, kg, positive; instead of a density.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mass: Option<f64>,
    /// Stiffness of springs, N/m, positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: Option<f64>,
    /// Stiffness of a cloth's diagonal springs, N/m, 0 or greater. Default: `stiffness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub shear_stiffness: Option<f64>,
    /// Stiffness of a cloth's springs over two cells, N/m, 0 or greater. Default: `stiffness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub bend_stiffness: Option<f64>,
    /// The energy of a spring. Default: hookean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<SpringLaw>,
}

impl Material {
    /// This material, with missing values taken from `default`.
    ///
    /// Alternatives replace each other as a whole: a material that gives `mass` does not take over a
    /// `density`, and one that gives Lamé's parameters takes over neither `young` nor `poisson`.
    pub fn over(&self, default: &Material) -> Material {
        let own_engineering = self.young.is_some() || self.poisson.is_some();
        let own_lame = self.mu.is_some() || self.lambda.is_some();
        let own_inertia = self.density.is_some() || self.mass.is_some();
        Material {
            kind: self.kind.or(default.kind),
            young: self.young.or(default.young.filter(|_| !own_lame)),
            poisson: self.poisson.or(default.poisson.filter(|_| !own_lame)),
            mu: self.mu.or(default.mu.filter(|_| !own_engineering)),
            lambda: self.lambda.or(default.lambda.filter(|_| !own_engineering)),
            density: self.density.or(default.density.filter(|_| !own_inertia)),
            mass: self.mass.or(default.mass.filter(|_| !own_inertia)),
            stiffness: self.stiffness.or(default.stiffness),
            shear_stiffness: self.shear_stiffness.or(default.shear_stiffness),
            bend_stiffness: self.bend_stiffness.or(default.bend_stiffness),
            law: self.law.or(default.law),
        }
    }
}
