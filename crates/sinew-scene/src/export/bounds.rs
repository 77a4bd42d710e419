//! Axis-aligned boxes.

use glam::DVec3;

/// A box with sides along the axes, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Corner of least coordinates.
    pub min: DVec3,
    /// Corner of greatest coordinates.
    pub max: DVec3,
}

impl Bounds {
    /// The box around those of `points` that are finite; `None` if there are none.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a DVec3>) -> Option<Self> {
        points.into_iter().filter(|p| p.is_finite()).fold(None, |bounds: Option<Self>, &p| {
            Some(bounds.map_or(Self { min: p, max: p }, |b| Self { min: b.min.min(p), max: b.max.max(p) }))
        })
    }

    /// The box around both boxes.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Its centre, m.
    pub fn centre(&self) -> DVec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Length of its diagonal, m.
    pub fn diagonal(&self) -> f64 {
        (self.max - self.min).length()
    }

    /// Its eight corners.
    pub fn corners(&self) -> [DVec3; 8] {
        let pick = |high: bool, low: f64, top: f64| if high { top } else { low };
        std::array::from_fn(|i| {
            DVec3::new(
                pick(i & 1 != 0, self.min.x, self.max.x),
                pick(i & 2 != 0, self.min.y, self.max.y),
                pick(i & 4 != 0, self.min.z, self.max.z),
            )
        })
    }
}
