//! Expressions by name: what the blendshapes of ARKit of the same names ask of muscles and jaw.
//!
//! ARKit names shapes of the skin, a face of muscles can only contract: where no muscle of the built-in head makes a shape (the tongue, the eyeballs, closed lids), there is no expression.

/// An expression at full strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contraction {
    /// Muscles, without a side both of them, with the length of their fibres over that at rest.
    pub lengths: &'static [(&'static str, f64)],
    /// Opening and turn of the jaw, degrees, and its translation, mm.
    pub jaw: [f64; 5],
}

const STILL: [f64; 5] = [0.0; 5];

macro_rules! expressions {
    ($($name:literal [$($muscle:literal $length:literal),*] $jaw:expr;)*) => {
        /// All names.
        pub const NAMES: &[&str] = &[$($name),*];

        /// The expression of a name.
        pub fn named(name: &str) -> Option<Contraction> {
            match name {
                $($name => Some(Contraction { lengths: &[$(($muscle, $length)),*], jaw: $jaw }),)*
                _ => None,
            }
        }
    };
}

expressions! {
    "smile" ["zygomaticus major" 0.5, "zygomaticus minor" 0.8, "risorius" 0.7] STILL;
    "jawOpen" [] [7.0, 0.0, 0.0, 0.0, 0.0];
    "jawLeft" [] [0.0, 3.0, 0.0, 0.0, 0.0];
    "jawRight" [] [0.0, -3.0, 0.0, 0.0, 0.0];
    "jawForward" [] [0.0, 0.0, 0.0, 0.0, 3.0];
    "mouthSmileLeft" ["left zygomaticus major" 0.5, "left zygomaticus minor" 0.8, "left risorius" 0.7] STILL;
    "mouthSmileRight" ["right zygomaticus major" 0.5, "right zygomaticus minor" 0.8, "right risorius" 0.7] STILL;
    "mouthFrownLeft" ["left depressor anguli oris" 0.5] STILL;
    "mouthFrownRight" ["right depressor anguli oris" 0.5] STILL;
    "mouthStretchLeft" ["left risorius" 0.5, "left buccinator" 0.8] STILL;
    "mouthStretchRight" ["right risorius" 0.5, "right buccinator" 0.8] STILL;
    "mouthDimpleLeft" ["left buccinator" 0.6] STILL;
    "mouthDimpleRight" ["right buccinator" 0.6] STILL;
    "mouthUpperUpLeft" ["left levator labii superioris" 0.5, "left zygomaticus minor" 0.7] STILL;
    "mouthUpperUpRight" ["right levator labii superioris" 0.5, "right zygomaticus minor" 0.7] STILL;
    "mouthPucker" ["orbicularis oris" 0.7] STILL;
    "mouthShrugLower" ["mentalis" 0.6] STILL;
    "noseSneerLeft" ["left levator labii superioris" 0.6] STILL;
    "noseSneerRight" ["right levator labii superioris" 0.6] STILL;
    "browInnerUp" ["frontalis" 0.7] STILL;
    "browOuterUpLeft" ["left frontalis" 0.6] STILL;
    "browOuterUpRight" ["right frontalis" 0.6] STILL;
    "browDownLeft" ["left corrugator supercilii" 0.6] STILL;
    "browDownRight" ["right corrugator supercilii" 0.6] STILL;
    "eyeSquintLeft" ["left orbicularis oculi" 0.75] STILL;
    "eyeSquintRight" ["right orbicularis oculi" 0.75] STILL;
    "cheekSquintLeft" ["left orbicularis oculi" 0.8, "left zygomaticus minor" 0.7] STILL;
    "cheekSquintRight" ["right orbicularis oculi" 0.8, "right zygomaticus minor" 0.7] STILL;
}
