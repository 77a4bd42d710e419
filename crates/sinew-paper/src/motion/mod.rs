//! The motion that is left after ten seconds, against the true motion: our rules and corrections, and rivals.
//!
//! ```text
//! scenes ─→ grid (list × scene × variant × h, and the truth of each scene) ─→ outcome of each run ─→ tables, claims
//! ```

mod grid;
mod kept;
mod outcome;
mod rivals;
mod scenes;

pub(super) use kept::MOTION;
pub(super) use rivals::{RIVALS_MOTION, Rival};
