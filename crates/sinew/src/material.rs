//! Elastic moduli and the names of the constitutive laws.

pub use crate::energy::hyperelastic::Lame;
use thiserror::Error;

/// Constitutive law of a tetrahedral body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Constitutive {
    /// Corotated linear elasticity: the usual choice for real-time simulation.
    #[default]
    Corotated,
    /// As rigid as possible: the shear part alone, without additional resistance to changes of volume.
    Arap,
    /// St. Venant–Kirchhoff: geometrically nonlinear, weak under strong compression.
    StVenantKirchhoff,
    /// Neo-Hookean, the variant that stays finite for inverted elements.
    NeoHookean,
}

/// Why moduli are not those of a stable solid.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModuliError {
    /// Young's modulus is not positive and finite.
    #[error("Young's modulus must be positive and finite, is {0} Pa")]
    Young(f64),
    /// Poisson's ratio is outside (−1, ½).
    #[error("Poisson's ratio must be above -1 and below 0.5, is {0} (0.5 is incompressible: use 0.49)")]
    Poisson(f64),
    /// The Lamé parameters do not give a positive shear and bulk modulus.
    #[error("Lamé parameters need mu > 0 and lambda > -2/3 mu, are mu = {mu} Pa and lambda = {lambda} Pa")]
    Lame {
        /// μ, Pa.
        mu: f64,
        /// λ, Pa.
        lambda: f64,
    },
}

impl Lame {
    /// Lamé parameters from Young's modulus (Pa) and Poisson's ratio.
    pub fn from_young(young: f64, poisson: f64) -> Result<Self, ModuliError> {
        if !(young > 0.0 && young.is_finite()) {
            return Err(ModuliError::Young(young));
        }
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(ModuliError::Poisson(poisson));
        }
        let mu = young / (2.0 * (1.0 + poisson));
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        Ok(Self { mu, lambda })
    }

    /// Lamé parameters μ and λ, Pa, if they are stable.
    pub fn new(mu: f64, lambda: f64) -> Result<Self, ModuliError> {
        let lame = Self { mu, lambda };
        if lame.is_stable() { Ok(lame) } else { Err(ModuliError::Lame { mu, lambda }) }
    }

    /// Whether shear and bulk modulus are positive.
    pub(crate) fn is_stable(&self) -> bool {
        self.mu > 0.0 && self.mu.is_finite() && self.lambda.is_finite() && self.lambda > -2.0 / 3.0 * self.mu
    }
}
