//! Programs that fill a closed surface with tetrahedra, installed and driven as the simulators are.

use super::folder::Folder;
use super::process;
use sinew_scene::mesh_data::MeshData;
use sinew_scene::mesh_io::{self, Orientation};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A mesher that we compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mesher {
    /// parry3d's volume mesh, a Rust crate.
    Parry,
    /// fTetWild, by its Python wheel.
    FTetWild,
}

/// All of them, in the order in which they run.
pub(crate) const MESHERS: [Mesher; 2] = [Mesher::Parry, Mesher::FTetWild];

impl Mesher {
    /// Its name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parry => "parry3d 0.31.1",
            Self::FTetWild => "fTetWild (pytetwild 0.4.2)",
        }
    }

    /// Installs it unless it is there. The error says why not, in a few words.
    pub fn install(self, folder: &Folder) -> Result<(), String> {
        match self {
            Self::Parry => folder.cargo("parry"),
            Self::FTetWild => folder.once("pytetwild-0.4.2", || {
                // The wheel imports pyvista without saying so.
                folder.pip(&["numpy", "pyvista", "pytetwild==0.4.2"])
            }),
        }
    }

    /// The tetrahedra of a surface in an OFF file and the seconds that they took; the error is a few words for a table.
    pub fn fill(
        self,
        folder: &Folder,
        surface: &Path,
        size: f64,
        limit: f64,
    ) -> Result<(MeshData, f64), String> {
        let stem = surface.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (out, mut command) = match self {
            Self::Parry => {
                (folder.run_file(&format!("{stem}-parry.mesh")), Command::new(folder.program("parry")))
            }
            Self::FTetWild => {
                let mut python = Command::new(folder.python());
                python.arg(folder.driver("pytetwild_driver.py"));
                (folder.run_file(&format!("{stem}-ftetwild.npz")), python)
            }
        };
        let _ = std::fs::remove_file(&out);
        command.arg(surface).arg(size.to_string()).arg(&out).current_dir(folder.root());
        let log = folder.log(&format!("meshing-{stem}-{self:?}"));
        process::run(&mut command, &log, Duration::from_secs_f64(limit))?;
        let seconds =
            process::said(&log, "sinew-seconds: ").parse().map_err(|_| "it said no time".to_owned())?;
        // As in the file: what is inverted must be seen.
        let file = mesh_io::read_file(&out, Orientation::AsInFile).map_err(|error| error.to_string())?;
        let _ = std::fs::remove_file(&out);
        Ok((file.mesh, seconds))
    }
}
