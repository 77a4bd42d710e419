//! What lives in the sea.

use crate::shapes::{Mirror::X, Shape, ball, egg, ring, turned};
use std::f64::consts::TAU;

/// A large mantle with eyes over eight arms that hang and curl outwards; it looks along +z.
pub(super) fn octopus() -> Shape {
    let x = [1.0, 0.0, 0.0];
    let mut shape = Shape::new()
        .colour(0xd8_66_4e)
        .paint(0xde_72_58, egg([0.0, 0.60, 0.12], [0.20, 0.22, 0.22]))
        .paint(0x9c_3d_3a, turned(ring([0.0, 0.035, 0.215], 0.035, 0.022), x, 70.0))
        .paint_pair(X, 0xf8_f4_ea, ball([0.165, 0.185, 0.200], 0.062))
        .paint_pair(
            X,
            0x22_1a_1c,
            turned(egg([0.178, 0.19, 0.258], [0.042, 0.024, 0.05]), [0.0, 1.0, 0.0], 20.0),
        )
        .join(0.0, turned(egg([0.0, 0.42, -0.06], [0.29, 0.36, 0.31]), x, -12.0))
        .join(0.12, egg([0.0, 0.10, 0.02], [0.21, 0.18, 0.20]))
        .pair(X, 0.05, ball([0.145, 0.17, 0.155], 0.085))
        .pair(X, 0.004, ball([0.165, 0.185, 0.195], 0.062))
        .cut_pair(X, 0.008, turned(egg([0.178, 0.19, 0.262], [0.034, 0.013, 0.03]), [0.0, 1.0, 0.0], 20.0))
        .join(0.03, turned(ring([0.0, 0.035, 0.215], 0.035, 0.016), x, 70.0));
    for k in 0..8 {
        let turn = TAU * (f64::from(k) + 0.5) / 8.0;
        let (s, c) = turn.sin_cos();
        // Arms differ a little in length and curl.
        let long = 1.0 + 0.07 * f64::from((k * 5) % 8 - 3) / 3.0;
        let out = [0.10, 0.24, 0.34, 0.40, 0.46, 0.55, 0.63, 0.65, 0.60];
        let down = [0.02, -0.06, -0.20, -0.36, -0.50, -0.60, -0.58, -0.49, -0.44];
        let thick = [0.100, 0.090, 0.080, 0.070, 0.061, 0.053, 0.046, 0.040, 0.034];
        let points: Vec<([f64; 3], f64)> = (0..9)
            .map(|i| {
                let sway = 0.05 * (f64::from(i as u8) * 0.9 + f64::from(k)).sin() * f64::from(i as u8) / 8.0;
                let (r, y) = (out[i] * long, down[i] * long);
                ([r * c - sway * s, y, r * s + sway * c], thick[i])
            })
            .collect();
        shape = shape.limb(0.06, &points);
    }
    shape
}
