//! `sinew schema`.

use crate::console;
use crate::failure::Failure;

/// Prints the JSON Schema of scene files.
pub fn schema() -> Result<(), Failure> {
    console::say(sinew_scene::format::schema())
}
