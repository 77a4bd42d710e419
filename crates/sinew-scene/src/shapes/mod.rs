//! Solids as signed distances, joined softly: what the built-in creatures are modelled from.
//!
//! A [`Shape`] is a list of parts. Each is a [`Solid`] (ellipsoid, tapered capsule, rounded box, ring) that is joined to those before it, or cut out of them, with a
//! fillet of a given width. Parts of its surface can be painted. [`surface_net`] makes a closed triangle surface of a shape. It knows neither files nor scenes.

mod net;
mod shape;
mod solid;

pub use net::{Net, surface_net};
pub use shape::{Mirror, Shape, Tint};
pub use solid::{Solid, ball, cuboid, drop, egg, ring, turned};
