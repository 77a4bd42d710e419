//! What a face is made of: closed surfaces of flesh, skull, jaw and muscles.

use super::landmarks::{Landmark, MIDDLE, SIDES};
use crate::error::FaceError;
use glam::DVec3;
use sinew_scene::cast::{self, Name};
pub use sinew_scene::face::HEAD_SIZE;
use sinew_scene::shapes::Net;
use sinew_scene::tetrahedralize::ClosedSurface;

/// A cut through flesh at a height, between the lips and between the rows of teeth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouthCut {
    /// Height of the plane, m.
    pub height: f64,
    /// Half the width of the lips, m.
    pub lips: f64,
    /// Half the width behind them, m.
    pub cavity: f64,
    /// Where the lips begin, m along z.
    pub front: f64,
    /// Where the mouth ends behind, m along z.
    pub behind: f64,
}

/// Surfaces and places of a head that looks along +z, m.
#[derive(Clone, Debug, Default)]
pub struct Anatomy {
    /// The skin.
    pub flesh: ClosedSurface,
    /// Skull and upper teeth.
    pub skull: Vec<ClosedSurface>,
    /// Jaw and lower teeth.
    pub jaw: Vec<ClosedSurface>,
    /// Muscles.
    pub muscles: Vec<ClosedSurface>,
    /// Where the jaw turns.
    pub hinge: DVec3,
    /// Flesh behind this z is held by the skull.
    pub back: f64,
    /// Flesh below this y is held by the skull.
    pub bottom: f64,
    /// Where the lips part.
    pub mouth: Option<MouthCut>,
    /// Places of the skin with names, m; a little off the skin does no harm.
    pub landmarks: Vec<Landmark>,
    /// Whether this is the built-in head, whose painted skin pictures then show.
    pub built_in: bool,
}

/// From the coordinates in which the built-in head is described to metres: its height, and the middle of its box.
const DESCRIBED: [f64; 2] = [-0.72, 0.62];

impl Anatomy {
    /// The built-in head.
    pub fn head() -> Self {
        let mut anatomy = Self { built_in: true, ..Self::default() };
        for (name, Net { points, triangles, .. }) in cast::parts(Name::Head, HEAD_SIZE) {
            let surface = ClosedSurface { name: name.clone(), points, triangles };
            match name.as_str() {
                "head" => anatomy.flesh = surface,
                "skull" | "upper teeth" => anatomy.skull.push(surface),
                "jaw" | "lower teeth" => anatomy.jaw.push(surface),
                _ => anatomy.muscles.push(surface),
            }
        }
        let (low, high) = bounds(&anatomy.flesh.points);
        // The box of the described head, from its cut neck to its crown.
        let unit = (high.y - low.y) / (DESCRIBED[1] - DESCRIBED[0]);
        let middle = 0.5 * (bounds_of_jaw(&anatomy.jaw).0.x + bounds_of_jaw(&anatomy.jaw).1.x);
        let lift = low.y - unit * DESCRIBED[0];
        // The nose is the front; it is described at z = 0.542.
        let depth = high.z - unit * 0.542;
        let place = |y: f64, z: f64| DVec3::new(middle, lift + unit * y, depth + unit * z);
        anatomy.hinge = place(-0.08, 0.02);
        anatomy.back = place(0.0, -0.03).z;
        anatomy.bottom = place(-0.60, 0.0).y;
        let mark = |name: String, side: f64, [x, y, z]: [f64; 3]| Landmark {
            name,
            point: place(y, z) + DVec3::new(side * unit * x, 0.0, 0.0),
        };
        anatomy.landmarks = MIDDLE.iter().map(|(name, p)| mark((*name).to_owned(), 0.0, *p)).collect();
        for (name, p) in SIDES {
            for (side, sign) in [("left", 1.0), ("right", -1.0)] {
                anatomy.landmarks.push(mark(format!("{side} {name}"), sign, *p));
            }
        }
        anatomy.mouth = Some(MouthCut {
            height: place(-0.211, 0.0).y,
            lips: unit * 0.078,
            cavity: unit * 0.17,
            front: place(0.0, 0.355).z,
            behind: place(0.0, 0.10).z,
        });
        anatomy
    }

    /// What cannot be used, as a sentence.
    pub(crate) fn check(&self) -> Result<(), FaceError> {
        let refuse = |what: &str| Err(FaceError::Anatomy(what.to_owned()));
        if self.flesh.triangles.is_empty() {
            return refuse("the face has no flesh: give a closed surface of the skin");
        }
        if self.skull.is_empty() {
            return refuse("the face has no skull: flesh needs a bone that holds it");
        }
        if self.jaw.is_empty() {
            return refuse(
                "the face has no jaw: give the closed surface of the mandible, with the lower teeth if there are any",
            );
        }
        if self.muscles.is_empty() {
            return refuse("the face has no muscles: nothing could move it");
        }
        Ok(())
    }
}

/// The box around points.
pub(crate) fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)))
}

fn bounds_of_jaw(jaw: &[ClosedSurface]) -> (DVec3, DVec3) {
    jaw.first().map_or((DVec3::ZERO, DVec3::ZERO), |jaw| bounds(&jaw.points))
}
