//! Solids joined one after the other, with fillets.
//!
//! The union of distances a and b with a fillet of width k is min(a, b) − k h²/4 with h = max(0, 1 − |a − b|/k). What is cut out is the same with the sign of the
//! distance reversed. Without a fillet (k = 0) both are the plain minimum and maximum.

use super::solid::Solid;
use glam::DVec3;

/// Pieces of a limb between two of its points.
const PIECES: usize = 3;

/// The plane of symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// x ↦ −x.
    X,
    /// z ↦ −z.
    Z,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    solid: Solid,
    fillet: f64,
    cut: bool,
}

/// A colour, 0xRRGGBB in sRGB.
pub type Tint = u32;

/// A solid made of simple ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    parts: Vec<Part>,
    base: Option<Tint>,
    /// What lies in a solid has its colour; later ones cover earlier ones.
    paints: Vec<(Tint, Solid)>,
}

impl Shape {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a solid more; the fillet is as wide as given.
    #[must_use]
    pub fn join(mut self, fillet: f64, solid: Solid) -> Self {
        self.parts.push(Part { solid, fillet, cut: false });
        self
    }

    /// Without what is in a solid; the edge is rounded by the fillet.
    #[must_use]
    pub fn cut(mut self, fillet: f64, solid: Solid) -> Self {
        self.parts.push(Part { solid, fillet, cut: true });
        self
    }

    /// With a solid and its mirror image more.
    #[must_use]
    pub fn pair(self, mirror: Mirror, fillet: f64, solid: Solid) -> Self {
        self.join(fillet, solid).join(fillet, solid.mirrored(sign(mirror)))
    }

    /// Without what is in a solid and in its mirror image.
    #[must_use]
    pub fn cut_pair(self, mirror: Mirror, fillet: f64, solid: Solid) -> Self {
        self.cut(fillet, solid).cut(fillet, solid.mirrored(sign(mirror)))
    }

    /// With a limb that bends smoothly through points with radii: a Catmull–Rom curve in short pieces.
    #[must_use]
    pub fn limb(mut self, fillet: f64, points: &[([f64; 3], f64)]) -> Self {
        let at = |k: usize| {
            let (p, r) = points[k.min(points.len() - 1)];
            (DVec3::from(p), r)
        };
        for k in 1..points.len() {
            let pieces = if points.len() == 2 { 1 } else { PIECES };
            let ends = [at(k.saturating_sub(2)), at(k - 1), at(k), at(k + 1)];
            for piece in 0..pieces {
                let along = |n: usize| curve(ends, n as f64 / pieces as f64);
                let (from, to) = (along(piece), along(piece + 1));
                // Within a limb, a fillet would thicken every bend.
                let fillet = if k == 1 && piece == 0 { fillet } else { 0.1 * from.1.min(to.1) };
                self = self.join(fillet, Solid::Drop { from, to });
            }
        }
        self
    }

    /// With a limb and its mirror image.
    #[must_use]
    pub fn limbs(self, mirror: Mirror, fillet: f64, points: &[([f64; 3], f64)]) -> Self {
        let sign = sign(mirror);
        let other: Vec<_> = points.iter().map(|&(p, r)| ((DVec3::from(p) * sign).to_array(), r)).collect();
        self.limb(fillet, points).limb(fillet, &other)
    }

    /// In a colour.
    #[must_use]
    pub fn colour(mut self, tint: Tint) -> Self {
        self.base = Some(tint);
        self
    }

    /// With the surface inside a solid in another colour.
    #[must_use]
    pub fn paint(mut self, tint: Tint, solid: Solid) -> Self {
        self.paints.push((tint, solid));
        self
    }

    /// With the surface inside a solid and its mirror image in another colour.
    #[must_use]
    pub fn paint_pair(self, mirror: Mirror, tint: Tint, solid: Solid) -> Self {
        self.paint(tint, solid).paint(tint, solid.mirrored(sign(mirror)))
    }

    /// The colour of a point of the surface; borders are `soft` wide. `None` without a colour.
    pub fn tint(&self, p: DVec3, soft: f64) -> Option<Tint> {
        let mut tint = self.base?;
        for (other, solid) in &self.paints {
            let cover = 0.5 - solid.distance(p) / soft;
            if cover > 0.0 {
                tint = mixed(tint, *other, cover.min(1.0));
            }
        }
        Some(tint)
    }

    /// The parts that can matter for the surface within `radius` of a point.
    pub(super) fn near(&self, p: DVec3, radius: f64) -> Self {
        let matters = |part: &&Part| part.solid.distance(p) < 2.0 * radius + part.fillet;
        Self { parts: self.parts.iter().filter(matters).copied().collect(), base: None, paints: Vec::new() }
    }

    /// Signed distance of a point, exact on the surface and never much too large.
    pub fn distance(&self, p: DVec3) -> f64 {
        let mut so_far = f64::INFINITY;
        for part in &self.parts {
            let other = part.solid.distance(p);
            so_far = if part.cut {
                -least(-so_far, other, part.fillet)
            } else {
                least(so_far, other, part.fillet)
            };
        }
        so_far
    }

    /// The direction in which the distance grows, by central differences over `step`.
    pub fn normal(&self, p: DVec3, step: f64) -> DVec3 {
        let along = |e: DVec3| self.distance(p + step * e) - self.distance(p - step * e);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)).normalize_or_zero()
    }

    /// A box that contains the shape.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let boxes = self.parts.iter().filter(|part| !part.cut).map(|part| {
            let (low, high) = part.solid.bounds();
            (low - part.fillet, high + part.fillet)
        });
        boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

/// The Catmull–Rom curve from the second to the third of four points with radii; radii change linearly.
fn curve([a, b, c, d]: [(DVec3, f64); 4], t: f64) -> (DVec3, f64) {
    let (start, end) = (0.5 * (c.0 - a.0), 0.5 * (d.0 - b.0));
    let (t2, t3) = (t * t, t * t * t);
    let p = (2.0 * t3 - 3.0 * t2 + 1.0) * b.0
        + (t3 - 2.0 * t2 + t) * start
        + (3.0 * t2 - 2.0 * t3) * c.0
        + (t3 - t2) * end;
    (p, b.1 + (c.1 - b.1) * t)
}

fn mixed(a: Tint, b: Tint, share: f64) -> Tint {
    let channel = |shift: u32| {
        let [a, b] = [a, b].map(|tint| f64::from(tint >> shift & 0xff));
        ((a + (b - a) * share).round() as Tint) << shift
    };
    channel(16) | channel(8) | channel(0)
}

fn sign(mirror: Mirror) -> DVec3 {
    match mirror {
        Mirror::X => DVec3::new(-1.0, 1.0, 1.0),
        Mirror::Z => DVec3::new(1.0, 1.0, -1.0),
    }
}

fn least(a: f64, b: f64, fillet: f64) -> f64 {
    let gap = (a - b).abs();
    if gap.is_nan() || gap >= fillet {
        return a.min(b);
    }
    let h = 1.0 - gap / fillet;
    a.min(b) - 0.25 * fillet * h * h
}
