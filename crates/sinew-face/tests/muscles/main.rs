//! Faces that move by muscles: the built-in head, its equilibria, their derivatives, fits with known answers, and transfer to scans.

mod bad_input;
mod contact;
mod derivatives;
mod equilibria;
mod known_answer;
mod scenes;
mod transfers;

use sinew_face::muscles::{Anatomy, Face, MakeOptions, System};
use std::sync::OnceLock;

/// The built-in head, coarse.
fn head() -> &'static (Face, System) {
    static HEAD: OnceLock<(Face, System)> = OnceLock::new();
    HEAD.get_or_init(|| {
        let face =
            Face::make(&Anatomy::head(), &MakeOptions { size: 0.012, ..MakeOptions::default() }).unwrap();
        let system = System::new(&face, 1.0).unwrap();
        (face, system)
    })
}
