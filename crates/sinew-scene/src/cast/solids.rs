//! A ball, a cube and a bar, as the tables of the papers have them.

use crate::shapes::{self, Shape, cuboid};

pub(super) fn ball() -> Shape {
    Shape::new()
        .colour(0xe2_77_4a)
        .paint(0xfb_ee_dc, cuboid([0.0; 3], [1.0, 0.11, 1.0], 0.0))
        .paint(0xfb_ee_dc, cuboid([0.0; 3], [0.11, 1.0, 1.0], 0.0))
        .join(0.0, shapes::ball([0.0; 3], 0.5))
}

pub(super) fn cube() -> Shape {
    striped(Shape::new(), 5).join(0.0, cuboid([0.0; 3], [0.5; 3], 0.06))
}

pub(super) fn bar() -> Shape {
    striped(Shape::new(), 9).join(0.0, cuboid([0.0; 3], [0.5, 0.1, 0.1], 0.02))
}

/// Bands across x, so that one sees how it bends.
fn striped(shape: Shape, bands: i32) -> Shape {
    let width = 1.0 / f64::from(bands);
    let band = |k: i32| cuboid([f64::from(2 * k) * width, 0.0, 0.0], [0.5 * width, 1.0, 1.0], 0.0);
    let shape = shape.colour(0x3f_86_c8);
    (-bands / 4..=bands / 4).fold(shape, |shape, k| shape.paint(0x9c_c6_ea, band(k)))
}
