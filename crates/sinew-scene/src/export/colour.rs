//! Colours: sRGB for input and output, linear light for mixing.

use glam::DVec3;
use std::sync::OnceLock;

/// A colour in sRGB, 8 bits per channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red, 0–255.
    pub r: u8,
    /// Green, 0–255.
    pub g: u8,
    /// Blue, 0–255.
    pub b: u8,
}

impl Colour {
    /// White.
    pub const WHITE: Self = Self::hex(0xff_ff_ff);
    /// Black.
    pub const BLACK: Self = Self::hex(0);

    /// Colours of Okabe and Ito, which people with any colour vision can tell apart; without their yellow, which is invisible as a line on
    /// white.
    const DISTINCT: [Self; 7] = [
        Self::hex(0x00_72_b2),
        Self::hex(0xd5_5e_00),
        Self::hex(0x00_9e_73),
        Self::hex(0xcc_79_a7),
        Self::hex(0xe6_9f_00),
        Self::hex(0x56_b4_e9),
        Self::hex(0x22_22_22),
    ];

    /// Softer colours for large areas, in the same order of hues.
    const BODIES: [Self; 7] = [
        Self::hex(0x3f_86_c8),
        Self::hex(0xe2_77_4a),
        Self::hex(0x4f_b0_86),
        Self::hex(0xd9_86_ad),
        Self::hex(0xe2_ad_44),
        Self::hex(0x6f_bf_e0),
        Self::hex(0x84_7c_c4),
    ];

    /// From `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Self {
        Self { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8 }
    }

    /// The `index`-th of a fixed list of colours that are easy to tell apart; starts over after the last.
    pub fn distinct(index: usize) -> Self {
        Self::DISTINCT[index % Self::DISTINCT.len()]
    }

    /// The colour of the `index`-th body of a picture; starts over after the last.
    pub fn body(index: usize) -> Self {
        Self::BODIES[index % Self::BODIES.len()]
    }

    /// How many different colours [`Colour::distinct`] has.
    pub const fn distinct_count() -> usize {
        Self::DISTINCT.len()
    }

    /// Linear light, each channel in 0–1.
    pub(crate) fn to_linear(self) -> DVec3 {
        let channel = |value: u8| {
            let c = f64::from(value) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        DVec3::new(channel(self.r), channel(self.g), channel(self.b))
    }

    /// From linear light; values outside 0–1 are clamped, NaN becomes 0.
    pub(crate) fn from_linear(light: DVec3) -> Self {
        let table = encoding_table();
        let last = table.len() - 1;
        let channel = |c: f64| table[((c.clamp(0.0, 1.0) * last as f64) as u32 as usize).min(last)];
        Self { r: channel(light.x), g: channel(light.y), b: channel(light.z) }
    }

    /// Mixes this colour (`cover` 0) with `other` (`cover` 1).
    pub(crate) fn mix(self, other: Self, cover: f64) -> Self {
        let t = cover.clamp(0.0, 1.0);
        let channel = |a: u8, b: u8| (f64::from(a) + t * (f64::from(b) - f64::from(a))).round() as u8;
        Self { r: channel(self.r, other.r), g: channel(self.g, other.g), b: channel(self.b, other.b) }
    }
}

/// sRGB bytes for 16 385 equally spaced amounts of light; fine enough that every byte value occurs.
fn encoding_table() -> &'static [u8] {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    TABLE.get_or_init(|| {
        (0..=16_384)
            .map(|i| {
                let c = (f64::from(i) + 0.5) / 16_385.0;
                let s = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
                (s * 255.0).round() as u8
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_light_and_back_keeps_every_grey() {
        for value in 0..=255u8 {
            let grey = Colour { r: value, g: value, b: value };
            assert_eq!(Colour::from_linear(grey.to_linear()), grey);
        }
    }

    #[test]
    fn light_outside_the_range_is_clamped() {
        assert_eq!(Colour::from_linear(DVec3::new(9.0, -3.0, f64::NAN)), Colour::hex(0xff_00_00));
    }
}
