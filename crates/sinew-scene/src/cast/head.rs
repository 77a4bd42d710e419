//! A human head with skull, jaw, teeth and facial muscles, each a closed surface with a name. It looks along +z.
//!
//! The anatomy is a sketch: origins and insertions are where they are on a face, shapes are capsules and flattened ellipsoids. Skull with upper teeth and jaw with
//! lower teeth are bones that meet in a hinge; muscles are soft regions, for materials and activations of their own.

use super::body::{Body, mirrored, sides};
use crate::shapes::{Mirror::X, Shape, ball, cuboid, drop, egg, ring, turned};

/// A muscle of both sides: its name, its points with radii on the left side.
type Strand = (&'static str, &'static [([f64; 3], f64)]);

/// Muscles of both sides.
const STRANDS: &[Strand] = &[
    ("frontalis", &[([0.085, 0.52, 0.31], 0.034), ([0.10, 0.36, 0.385], 0.034), ([0.10, 0.25, 0.40], 0.032)]),
    ("temporalis", &[([0.265, 0.26, 0.02], 0.046), ([0.285, 0.10, 0.08], 0.036)]),
    ("corrugator supercilii", &[([0.035, 0.175, 0.425], 0.020), ([0.115, 0.205, 0.405], 0.020)]),
    ("levator labii superioris", &[([0.095, -0.02, 0.385], 0.020), ([0.070, -0.13, 0.425], 0.020)]),
    ("zygomaticus minor", &[([0.175, -0.01, 0.345], 0.020), ([0.115, -0.135, 0.405], 0.020)]),
    ("zygomaticus major", &[([0.235, -0.02, 0.275], 0.022), ([0.160, -0.185, 0.375], 0.022)]),
    ("risorius", &[([0.255, -0.18, 0.20], 0.020), ([0.165, -0.225, 0.350], 0.020)]),
    ("buccinator", &[([0.215, -0.115, 0.16], 0.028), ([0.185, -0.14, 0.29], 0.026)]),
    ("masseter", &[([0.270, -0.04, 0.165], 0.036), ([0.245, -0.26, 0.075], 0.036)]),
    ("depressor anguli oris", &[([0.135, -0.37, 0.315], 0.022), ([0.145, -0.265, 0.350], 0.020)]),
    ("mentalis", &[([0.032, -0.35, 0.375], 0.022), ([0.032, -0.41, 0.375], 0.024)]),
];

pub(super) fn head() -> Body {
    let mut body = Body::from(face());
    for &(name, points) in STRANDS {
        for (side, name) in sides(name).into_iter().enumerate() {
            let points: Vec<_> = points.iter().map(|&(p, r)| (mirrored(p)[side], r)).collect();
            body = body.soft(name, Shape::new().limb(0.0, &points));
        }
    }
    // Around the eyes and the mouth.
    for (side, name) in sides("orbicularis oculi").into_iter().enumerate() {
        let at = mirrored([0.125, 0.105, 0.385])[side];
        let turn = if side == 0 { 14.0 } else { -14.0 };
        let around = turned(turned(ring(at, 0.072, 0.019), [1.0, 0.0, 0.0], 84.0), [0.0, 1.0, 0.0], turn);
        body = body.soft(name, Shape::new().join(0.0, around));
    }
    let lips = turned(ring([0.0, -0.205, 0.405], 0.082, 0.024), [1.0, 0.0, 0.0], 86.0);
    body.soft("orbicularis oris", Shape::new().join(0.0, lips))
        .bone("skull", skull())
        .part_of("skull", "upper teeth", teeth(-0.165, 0.030))
        .bone("jaw", jaw())
        .part_of("jaw", "lower teeth", teeth(-0.260, 0.028))
        .hinge(["skull", "jaw"], [0.0, -0.08, 0.02], [1.0, 0.0, 0.0], [-5.0, 30.0])
}

/// Skin from the neck to the crown.
fn face() -> Shape {
    Shape::new()
        .colour(0xdc_a8_86)
        .paint(0x4a_30_24, egg([0.0, 0.42, -0.17], [0.40, 0.34, 0.40]))
        .paint(0xdc_a8_86, egg([0.0, 0.20, 0.42], [0.24, 0.32, 0.22]))
        .paint(0xbc_60_5c, egg([0.0, -0.205, 0.47], [0.088, 0.046, 0.06]))
        .paint(0x7c_38_3a, egg([0.0, -0.205, 0.49], [0.080, 0.006, 0.06]))
        .paint_pair(
            X,
            0x4a_30_24,
            turned(egg([0.125, 0.212, 0.43], [0.070, 0.014, 0.05]), [0.0, 0.0, 1.0], -6.0),
        )
        .paint_pair(X, 0xfb_f8_f4, egg([0.125, 0.105, 0.425], [0.052, 0.028, 0.04]))
        .paint_pair(X, 0x3c_5a_74, ball([0.125, 0.105, 0.452], 0.025))
        .paint_pair(X, 0x18_14_14, ball([0.125, 0.105, 0.462], 0.013))
        // Neck, skull, face.
        .join(0.0, drop([0.0, -0.80, -0.10], 0.24, [0.0, -0.30, -0.06], 0.22))
        .join(0.10, egg([0.0, 0.22, -0.05], [0.36, 0.40, 0.42]))
        .join(0.12, egg([0.0, -0.06, 0.14], [0.29, 0.36, 0.28]))
        .join(0.10, egg([0.0, -0.34, 0.22], [0.17, 0.14, 0.20]))
        .pair(X, 0.08, egg([0.17, -0.06, 0.25], [0.12, 0.12, 0.13]))
        .join(0.05, egg([0.0, 0.21, 0.34], [0.22, 0.055, 0.09]))
        // Eyes in their hollows.
        .cut_pair(X, 0.05, egg([0.125, 0.105, 0.47], [0.07, 0.05, 0.075]))
        .pair(X, 0.012, ball([0.125, 0.105, 0.392], 0.062))
        // Nose, lips, chin, ears.
        .join(0.04, drop([0.0, 0.14, 0.385], 0.035, [0.0, -0.05, 0.490], 0.052))
        .pair(X, 0.025, egg([0.045, -0.065, 0.445], [0.036, 0.030, 0.040]))
        .cut_pair(X, 0.008, ball([0.026, -0.098, 0.470], 0.014))
        .join(0.03, egg([0.0, -0.18, 0.405], [0.085, 0.030, 0.045]))
        .join(0.02, egg([0.0, -0.232, 0.400], [0.075, 0.030, 0.045]))
        .cut(0.012, egg([0.0, -0.206, 0.465], [0.080, 0.005, 0.04]))
        .join(0.04, ball([0.0, -0.385, 0.365], 0.065))
        .pair(X, 0.025, turned(egg([0.355, 0.04, -0.03], [0.035, 0.115, 0.065]), [0.0, 1.0, 0.0], 20.0))
        .cut(0.02, cuboid([0.0, -1.72, 0.0], [2.0, 1.0, 2.0], 0.01))
}

fn skull() -> Shape {
    Shape::new()
        .join(0.0, egg([0.0, 0.21, -0.05], [0.275, 0.315, 0.335]))
        .join(0.06, egg([0.0, 0.02, 0.20], [0.18, 0.12, 0.14]))
        .pair(X, 0.03, drop([0.155, 0.0, 0.24], 0.030, [0.225, 0.02, 0.06], 0.026))
        .join(0.03, egg([0.0, -0.10, 0.27], [0.105, 0.055, 0.075]))
        .cut_pair(X, 0.02, ball([0.120, 0.105, 0.36], 0.085))
        .join(0.03, drop([0.0, -0.05, -0.16], 0.07, [0.0, -0.18, -0.17], 0.06))
}

fn jaw() -> Shape {
    Shape::new()
        .limb(
            0.0,
            &[
                ([0.195, -0.10, 0.02], 0.026),
                ([0.185, -0.26, 0.06], 0.032),
                ([0.125, -0.34, 0.21], 0.034),
                ([0.0, -0.365, 0.300], 0.038),
            ],
        )
        .limb(
            0.02,
            &[
                ([-0.195, -0.10, 0.02], 0.026),
                ([-0.185, -0.26, 0.06], 0.032),
                ([-0.125, -0.34, 0.21], 0.034),
                ([0.0, -0.365, 0.300], 0.038),
            ],
        )
        .join(0.02, egg([0.0, -0.335, 0.285], [0.09, 0.05, 0.05]))
}

/// A row of teeth in an arch at a height.
fn teeth(height: f64, radius: f64) -> Shape {
    (-4_i32..=4).fold(Shape::new(), |row, k| {
        let (s, c) = (f64::from(k) * 19.0_f64).to_radians().sin_cos();
        let place = [0.105 * s, height, 0.205 + 0.115 * c];
        row.join(0.01, egg(place, [0.75 * radius, 1.2 * radius, 0.75 * radius]))
    })
}
