//! A ball, a cube and a bar, as the tables of the papers have them.

use crate::shapes::{self, Shape, cuboid};

pub(super) fn ball() -> Shape {
    Shape::new().join(0.0, shapes::ball([0.0; 3], 0.5))
}

pub(super) fn cube() -> Shape {
    Shape::new().join(0.0, cuboid([0.0; 3], [0.5; 3], 0.06))
}

pub(super) fn bar() -> Shape {
    Shape::new().join(0.0, cuboid([0.0; 3], [0.5, 0.1, 0.1], 0.02))
}
