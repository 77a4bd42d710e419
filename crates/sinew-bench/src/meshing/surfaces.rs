//! The surfaces that are filled: models of the cast, and those that others made if `SINEW_DATA` names a folder with them.

use crate::error::BenchError;
use sinew_scene::cast::{self, Name};
use sinew_scene::mesh_io;
use sinew_scene::tetrahedralize::ClosedSurface;
use std::path::PathBuf;

/// The environment variable that names a folder of real meshes, and what is wanted there.
const DATA: &str = "SINEW_DATA";
const FILES: [&str; 5] = ["bunny_3301", "spot_829", "penguin_3362", "goathead_2763", "fish_945"];

/// Members of the cast: one with thin parts, one that is round, one with ears.
const CAST: [Name; 3] = [Name::Octopus, Name::Hippo, Name::Bunny];

/// The surfaces, those of the cast first.
pub fn surfaces(quick: bool) -> Result<Vec<ClosedSurface>, BenchError> {
    let of_cast = |name: &Name| {
        let skin = cast::skin(*name, 1.0);
        ClosedSurface { name: name.as_str().into(), points: skin.points, triangles: skin.triangles }
    };
    if quick {
        return Ok(CAST[1..2].iter().map(of_cast).collect());
    }
    let mut surfaces: Vec<ClosedSurface> = CAST.iter().map(of_cast).collect();
    let Some(folder) = std::env::var_os(DATA).map(PathBuf::from) else { return Ok(surfaces) };
    for name in FILES {
        let path = folder.join("surface").join(name).with_extension("obj");
        let mesh = mesh_io::read(&path).map_err(|error| BenchError::CannotRun(error.to_string()))?;
        surfaces.push(ClosedSurface { name: name.into(), points: mesh.points, triangles: mesh.triangles });
    }
    Ok(surfaces)
}
