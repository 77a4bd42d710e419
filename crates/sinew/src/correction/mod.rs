//! What happens to (x, v) after the solve.

/// The correction applied to every step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Correction {
    /// The integrator's own result, with its damping or its explosion.
    #[default]
    None,
}

impl Correction {
    /// Its name in scenes and reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
        }
    }
}
