//! A cactus in its pot, and a jelly as it comes out of its mould.

use crate::shapes::{Shape, cuboid, drop, egg, ring};
use std::f64::consts::TAU;

/// A ribbed column with two arms that bend upwards, in a pot with a rim.
pub(super) fn cactus() -> Shape {
    let mut shape = Shape::new()
        .colour(0x4c_98_58)
        .paint(0xc6_69_42, cuboid([0.0, -0.66, 0.0], [0.6, 0.40, 0.6], 0.01))
        .paint(0x7a_54_3c, cuboid([0.0, -0.27, 0.0], [0.245, 0.035, 0.245], 0.01))
        .paint(0xec_74_a4, egg([0.0, 0.925, 0.0], [0.13, 0.055, 0.13]))
        .paint(0xf4_c8_4c, egg([0.0, 0.965, 0.0], [0.042, 0.04, 0.042]))
        .join(0.0, drop([0.0, -0.30, 0.0], 0.165, [0.0, 0.72, 0.0], 0.15));
    // Ribs.
    for k in 0..9 {
        let (s, c) = (TAU * f64::from(k) / 9.0).sin_cos();
        let [x, z] = [0.155 * c, 0.155 * s];
        shape = shape.limb(
            0.02,
            &[
                ([x, -0.32, z], 0.034),
                ([x, 0.62, z], 0.034),
                ([0.75 * x, 0.78, 0.75 * z], 0.030),
                ([0.2 * x, 0.87, 0.2 * z], 0.020),
            ],
        );
    }
    shape = shape
        .limb(
            0.06,
            &[
                ([0.08, 0.12, 0.0], 0.085),
                ([0.34, 0.16, 0.0], 0.095),
                ([0.42, 0.26, 0.0], 0.095),
                ([0.43, 0.58, 0.02], 0.09),
            ],
        )
        .limb(
            0.06,
            &[
                ([-0.08, 0.30, 0.0], 0.075),
                ([-0.30, 0.34, 0.02], 0.082),
                ([-0.37, 0.42, 0.03], 0.082),
                ([-0.38, 0.66, 0.04], 0.075),
            ],
        );
    // Ribs of the arms.
    for k in 0..6 {
        let (s, c) = (TAU * f64::from(k) / 6.0).sin_cos();
        shape = shape
            .join(
                0.015,
                drop(
                    [0.425 + 0.085 * c, 0.26, 0.01 + 0.085 * s],
                    0.022,
                    [0.43 + 0.078 * c, 0.58, 0.02 + 0.078 * s],
                    0.022,
                ),
            )
            .join(
                0.015,
                drop(
                    [-0.375 + 0.073 * c, 0.42, 0.03 + 0.073 * s],
                    0.020,
                    [-0.38 + 0.064 * c, 0.66, 0.04 + 0.064 * s],
                    0.020,
                ),
            );
    }
    // A flower on top.
    for k in 0..5 {
        let (s, c) = (TAU * f64::from(k) / 5.0).sin_cos();
        shape = shape.join(0.015, egg([0.055 * c, 0.915, 0.055 * s], [0.045, 0.04, 0.045]));
    }
    shape
        .join(0.02, egg([0.0, 0.905, 0.0], [0.05, 0.06, 0.05]))
        // The pot.
        .join(0.02, drop([0.0, -0.62, 0.0], 0.23, [0.0, -0.40, 0.0], 0.30))
        .join(0.015, ring([0.0, -0.33, 0.0], 0.26, 0.075))
        .cut(0.02, cuboid([0.0, -1.72, 0.0], [2.0, 1.0, 2.0], 0.01))
}

/// A fluted dome with a smaller one on top.
pub(super) fn jelly() -> Shape {
    let mut shape = Shape::new()
        .colour(0xd0_30_4c)
        .paint(0xf0_86_5a, cuboid([0.0, 0.58, 0.0], [0.5, 0.20, 0.5], 0.01))
        .paint(0xfd_f2_e0, egg([0.0, 0.67, 0.0], [0.11, 0.075, 0.11]))
        .join(0.0, drop([0.0, 0.0, 0.0], 0.36, [0.0, 0.22, 0.0], 0.26));
    for k in 0..12 {
        let (s, c) = (TAU * f64::from(k) / 12.0).sin_cos();
        shape = shape.limb(
            0.03,
            &[
                ([0.37 * c, -0.06, 0.37 * s], 0.105),
                ([0.31 * c, 0.20, 0.31 * s], 0.085),
                ([0.22 * c, 0.35, 0.22 * s], 0.06),
            ],
        );
    }
    shape = shape.join(0.03, drop([0.0, 0.36, 0.0], 0.19, [0.0, 0.47, 0.0], 0.15));
    for k in 0..8 {
        let (s, c) = (TAU * f64::from(k) / 8.0).sin_cos();
        shape =
            shape.limb(0.02, &[([0.16 * c, 0.42, 0.16 * s], 0.062), ([0.11 * c, 0.555, 0.11 * s], 0.045)]);
    }
    shape
        .join(0.04, egg([0.0, 0.64, 0.0], [0.075, 0.07, 0.075]))
        .cut(0.03, cuboid([0.0, -1.12, 0.0], [2.0, 1.0, 2.0], 0.01))
}
