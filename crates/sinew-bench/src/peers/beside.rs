//! The motion of a rival to look at, beside ours: the shipped scene in its configuration for energy, without times.
//!
//! Frames stay in the private folder, so that a gallery is drawn again without running the rivals again.

use super::dump::Dump;
use super::folder::Folder;
use super::process;
use super::rivals::{Aim, Rival};
use super::subject::{Scene, Subject};
use crate::error::BenchError;
use glam::DVec3;
use std::time::Duration;

/// The rivals that are shown.
const SHOWN: [Rival; 2] = [Rival::Jolt, Rival::Rapier];

/// What a rival makes of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// Its name with its version.
    pub name: &'static str,
    /// Its configuration in words.
    pub configuration: &'static str,
    /// Positions, #V each, a frame for every step of the scene, the initial state first; or why there are none.
    pub frames: Result<Vec<Vec<DVec3>>, String>,
}

/// Whether other simulators have this scene too.
pub fn shared(scene: &str) -> bool {
    of(scene).is_some()
}

fn of(scene: &str) -> Option<Scene> {
    [Scene::Cloth, Scene::Bar].into_iter().find(|known| known.name() == scene)
}

/// The motions of the rivals in a shipped scene; none where [`shared`] does not hold. Without `run` only frames that are there already are taken. A run takes at
/// most about `budget` seconds.
///
/// # Errors
/// [`BenchError`] if the scene cannot be built or the folder cannot be written; what concerns one rival is in [`Beside::frames`].
pub fn beside(
    folder: &Folder,
    scene: &str,
    frames: usize,
    run: bool,
    budget: f64,
) -> Result<Vec<Beside>, BenchError> {
    let Some(scene) = of(scene) else { return Ok(Vec::new()) };
    let subject = Subject { scene, factor: 1.0, frames };
    let built = subject.build()?;
    let text = subject.export(&built)?;
    let body = folder.run_file(&format!("beside-{}.txt", scene.name()));
    let same = std::fs::read_to_string(&body).is_ok_and(|old| old == text);
    if !same {
        std::fs::write(&body, text).map_err(BenchError::file(&body))?;
    }
    let vertices = built.model().vertex_count();
    let shown = SHOWN.into_iter().filter_map(|rival| {
        let configuration = rival.configurations(scene).into_iter().find(|c| c.aim == Aim::Energy)?;
        let name = format!("beside-{}-{rival:?}", scene.name());
        let out = folder.run_file(&format!("{name}.bin"));
        let read = || {
            let bytes = std::fs::read(&out).map_err(|error| format!("no frames: {error}"))?;
            let dump = Dump::read(&bytes, vertices)?;
            Ok(dump.frames.into_iter().map(|(x, _)| x).collect())
        };
        let fresh = || {
            folder.install(rival)?;
            let _ = std::fs::remove_file(&out);
            let mut command = rival.command(folder, &body, &out, &configuration);
            command.env("SINEW_PEERS_BUDGET", budget.to_string()).current_dir(folder.root());
            process::run(&mut command, &folder.log(&name), Duration::from_secs_f64(2.0 * budget + 240.0))?;
            read()
        };
        let old = if same { read() } else { Err("no frames of this body".to_owned()) };
        let frames = if run { old.or_else(|_: String| fresh()) } else { old };
        Some(Beside { name: rival.name(), configuration: configuration.name, frames })
    });
    Ok(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_run_there_is_what_is_there_already() {
        let folder =
            Folder::open(&std::env::temp_dir().join(format!("sinew-beside-{}", std::process::id()))).unwrap();
        let all = |folder: &Folder| beside(folder, "peers-bar", 1, false, 1.0).unwrap();
        assert!(all(&folder).iter().all(|b| b.frames.is_err()) && all(&folder).len() == SHOWN.len());
        assert!(beside(&folder, "hippo", 1, false, 1.0).unwrap().is_empty() && !shared("hippo"));

        let built = Subject { scene: Scene::Bar, factor: 1.0, frames: 1 }.build().unwrap();
        let x = built.state.positions();
        let mut bytes = [(x.len() as u32).to_le_bytes(), 0_u32.to_le_bytes()].concat();
        let values = x.iter().chain(std::iter::repeat_n(&DVec3::ZERO, x.len()));
        bytes.extend(values.flat_map(|p| p.to_array()).flat_map(|v| (v as f32).to_le_bytes()));
        std::fs::write(folder.run_file("beside-peers-bar-Jolt.bin"), bytes).unwrap();
        let jolt = all(&folder).remove(0);
        let frames = jolt.frames.unwrap();
        assert!(frames.len() == 1 && frames[0].iter().zip(x).all(|(a, b)| a.distance(*b) < 1e-6));
        std::fs::remove_dir_all(folder.root()).unwrap();
    }
}
