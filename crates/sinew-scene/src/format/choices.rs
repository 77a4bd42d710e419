//! The named choices of a scene. Their names are the same in scenes, flags, reports and documentation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares a choice so that its name in files and its `as_str` cannot differ.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every choice, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name used in scene files and reports.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

/// The default of a choice is the one that the engine recommends: there is one place that says which.
macro_rules! recommended {
    ($($name:ident by $setting:ident;)+) => {$(
        impl Default for $name {
            fn default() -> Self {
                Self::named(sinew::Settings::default().$setting.name())
            }
        }

        impl $name {
            /// The choice of this name.
            pub(crate) fn named(name: &str) -> Self {
                Self::ALL.iter().copied().find(|choice| choice.as_str() == name).unwrap_or(Self::ALL[0])
            }
        }
    )+};
}

recommended! {
    IntegratorKind by integrator;
    SolverKind by solver;
    CorrectionKind by correction;
}

choice! {
    /// The rule that discretises time.
    IntegratorKind {
        /// Explicit: positions and velocities from the old state. Gains energy; for comparison.
        ForwardEuler = "forward-euler",
        /// Explicit velocities, then positions from the new velocities.
        SymplecticEuler = "symplectic-euler",
        /// Implicit, first order; loses energy.
        BackwardEuler = "backward-euler",
        /// Implicit, second order, from two previous steps.
        Bdf2 = "bdf2",
        /// Implicit, second order, forces at the middle of the step.
        ImplicitMidpoint = "implicit-midpoint",
        /// Implicit, second order, average of the forces at both ends.
        Newmark = "newmark",
        /// Implicit, second order, two stages of backward-Euler type in a step.
        Sdirk2 = "sdirk2",
        /// Implicit, second order, the trapezoidal rule followed by BDF2 in a step.
        TrBdf2 = "tr-bdf2",
        /// Implicit, second order, with an acceleration that is carried from step to step; damps fast motion by `integrator.spectral_radius`.
        GeneralizedAlpha = "generalized-alpha",
        /// Implicit, with the averaged forces that conserve energy exactly.
        DiscreteGradient = "discrete-gradient",
    }
}

choice! {
    /// The method that solves the equations of an implicit step.
    SolverKind {
        /// Newton's method with line search.
        Newton = "newton",
        /// One step of Newton's method.
        Linearized = "linearized",
        /// Alternates local projections with one global solve that is factored in advance.
        ProjectiveDynamics = "projective-dynamics",
        /// Extended position-based dynamics: constraint by constraint, with compliance.
        Xpbd = "xpbd",
    }
}

choice! {
    /// How the linear system of a global step is solved.
    #[derive(Default)]
    GlobalKind {
        /// A factor where that is faster, multigrid for large bodies.
        #[default]
        Auto = "auto",
        /// A Cholesky factor.
        Direct = "direct",
        /// Conjugate gradients with a multigrid V-cycle: memory and time are proportional to the size of the body.
        Multigrid = "multigrid",
    }
}

choice! {
    /// How the iterations of projective dynamics are sped up.
    Acceleration {
        /// Plain local/global iterations.
        None = "none",
        /// L-BFGS: a quasi-Newton method that starts from the global matrix.
        Lbfgs = "lbfgs",
    }
}

choice! {
    /// Precision of a factored matrix.
    #[derive(Default)]
    Precision {
        /// Double.
        #[default]
        Double = "f64",
        /// Single: half of the memory traffic.
        Single = "f32",
    }
}

choice! {
    /// What happens to positions and velocities after the solve to restore energy and momentum.
    CorrectionKind {
        /// Nothing.
        None = "none",
        /// Fast energy projection.
        Fepr = "fepr",
        /// Energy projection by sequential quadratic programming, solved to convergence.
        FeprSqp = "fepr-sqp",
        /// A blend of two solutions, one that gains and one that loses energy.
        Blend = "blend",
        /// Scales velocities only.
        VelocityProjection = "velocity-projection",
        /// Energy as a constraint of the step itself.
        LagrangeMultiplier = "lagrange-multiplier",
    }
}

choice! {
    /// How energy projection treats the cases that the paper leaves open.
    #[derive(Default)]
    FeprVariant {
        /// With safeguards: falls back where the projection does not converge.
        #[default]
        Safe = "safe",
        /// Exactly as in the paper.
        Paper = "paper",
    }
}

choice! {
    /// How much of the energy that a step lost a held body gets back.
    #[derive(Default)]
    FeprReturn {
        /// All of it: the energy is exact in every step.
        #[default]
        Exact = "exact",
        /// What was taken from visible motion; the rest is booked as unresolved.
        Resolved = "resolved",
    }
}

choice! {
    /// The elastic energy of a body.
    MaterialKind {
        /// Springs along the edges; the only choice for cloth.
        Springs = "springs",
        /// Corotated linear elasticity.
        Corotated = "corotated",
        /// As rigid as possible: the shear part of corotated elasticity.
        Arap = "arap",
        /// Saint Venant–Kirchhoff.
        Stvk = "stvk",
        /// Neo-Hookean.
        NeoHookean = "neo-hookean",
    }
}

choice! {
    /// The energy of one spring with stiffness k, rest length l and current vector d.
    #[derive(Default)]
    SpringLaw {
        /// k/2 (|d| − l)².
        #[default]
        Hookean = "hookean",
        /// k/2 ((|d|² − l²)/l)²: smooth also at length zero.
        Squared = "squared",
    }
}

choice! {
    /// The potential of contacts in older scenes. Without effect.
    #[derive(Default)]
    ResponseKind {
        /// A spring.
        #[default]
        Repulsion = "repulsion",
        /// Projection onto the surface, then a cubic potential.
        Cubic = "cubic",
    }
}

choice! {
    /// What is done about surfaces that start inside each other.
    #[derive(Default)]
    StartKind {
        /// They are pushed apart step by step.
        #[default]
        Untangle = "untangle",
        /// They do not meet until they have come apart by themselves.
        Ignore = "ignore",
        /// The first step fails.
        Refuse = "refuse",
    }
}

choice! {
    /// The relative motion that a joint allows.
    JointKind {
        /// Rotation about a point.
        Ball = "ball",
        /// Rotation about an axis.
        Hinge = "hinge",
        /// None: the two become one bone.
        Weld = "weld",
    }
}

choice! {
    /// How a cube of a grid becomes tetrahedra.
    #[derive(Default)]
    CubeSplit {
        /// Five, mirrored from cube to cube.
        #[default]
        Five = "five",
        /// Six around a diagonal, the same in every cube.
        Six = "six",
    }
}

choice! {
    /// What follows when a clip is over.
    #[derive(Default)]
    ClipRepeat {
        /// The last pose is held.
        #[default]
        Never = "never",
        /// The clip starts again.
        Restart = "restart",
        /// The clip runs backward, then forward again.
        BackAndForth = "back-and-forth",
    }
}

choice! {
    /// Which diagonals of a cloth's cells are springs.
    #[derive(Default)]
    CellDiagonals {
        /// Both.
        #[default]
        Both = "both",
        /// The one between the cell's triangles, alternating from cell to cell.
        One = "one",
    }
}
