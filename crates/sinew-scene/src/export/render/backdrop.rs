//! What surrounds the bodies of a picture: the sky and the squares of the ground.

use crate::export::colour::Colour;

/// Whether a picture is for light or for dark pages. Bodies and their light are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backdrop {
    /// Almost white.
    #[default]
    Light,
    /// Almost black.
    Dark,
}

/// Its colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tones {
    /// The sky, at the top and at the bottom of the picture.
    pub sky: [Colour; 2],
    /// The squares of the ground.
    pub squares: [Colour; 2],
    /// Text.
    pub ink: Colour,
}

impl Backdrop {
    pub(super) const fn tones(self) -> Tones {
        match self {
            Self::Light => Tones {
                sky: [Colour::hex(0xc9_d8_e8), Colour::hex(0xf7_f8_fa)],
                squares: [Colour::hex(0xe4_e6_ea), Colour::hex(0xd6_da_df)],
                ink: Colour::hex(0x2a_30_38),
            },
            Self::Dark => Tones {
                sky: [Colour::hex(0x12_18_21), Colour::hex(0x2a_33_40)],
                squares: [Colour::hex(0x3a_45_53), Colour::hex(0x30_3a_47)],
                ink: Colour::hex(0xe4_e9_ef),
            },
        }
    }

    /// The colour of marks.
    pub const fn marks(self) -> Colour {
        match self {
            Self::Light => Colour::hex(0x33_33_33),
            Self::Dark => Colour::hex(0xc4_cb_d4),
        }
    }
}
