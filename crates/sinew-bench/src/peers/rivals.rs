//! The rivals and their configurations: the best for energy and the best for speed.
//!
//! Best for energy means many small substeps, as many as give a frame of tens of milliseconds at the shipped stiffness; explicit integration
//! takes √factor times as many on stiffer bodies, or it explodes. Best for speed is the configuration that the rival's own documentation
//! starts with.

use super::folder::Folder;
use super::subject::Scene;
use std::path::Path;
use std::process::Command;

/// The simulators that we compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// Rapier, a Rust crate.
    Rapier,
    /// Jolt Physics, as WebAssembly.
    Jolt,
    /// PositionBasedDynamics from Python.
    PyPbd,
    /// Newton on Warp, on the processor.
    Newton,
    /// MuJoCo's flexes.
    MuJoCo,
}

/// All rivals, in the order in which they run.
pub const RIVALS: [Rival; 5] = [Rival::Jolt, Rival::Rapier, Rival::PyPbd, Rival::Newton, Rival::MuJoCo];

/// What a configuration is best for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Keeping energy.
    Energy,
    /// Speed.
    Speed,
}

impl Aim {
    /// Its name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Speed => "speed",
        }
    }
}

/// One configuration of a rival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// What it is best for.
    pub aim: Aim,
    /// Its name in a table.
    pub name: &'static str,
    /// Arguments after the body and the output.
    pub arguments: &'static [&'static str],
}

const fn configuration(aim: Aim, name: &'static str, arguments: &'static [&'static str]) -> Configuration {
    Configuration { aim, name, arguments }
}

impl Rival {
    /// Its name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rapier => "rapier3d 0.36.1",
            Self::Jolt => "Jolt 1.1.0 (WASM)",
            Self::PyPbd => "pyPBD 2.2.2",
            Self::Newton => "Newton 1.7.0",
            Self::MuJoCo => "MuJoCo 4.0.0",
        }
    }

    /// The configurations that are best for energy and best for speed.
    pub fn configurations(self, scene: Scene) -> [Configuration; 2] {
        use Aim::{Energy, Speed};
        match (self, scene) {
            (Self::Rapier, Scene::Cloth) => [
                configuration(Energy, "constraints, 40 substeps", &["constraints", "40"]),
                configuration(Speed, "constraints, 4 substeps", &["constraints", "4"]),
            ],
            (Self::Rapier, Scene::Bar) => [
                configuration(Energy, "FEM, 4 substeps", &["fem", "4"]),
                configuration(Speed, "FEM, 1 substep", &["fem", "1"]),
            ],
            (Self::Jolt, _) => [
                configuration(Energy, "40 iterations", &["40"]),
                configuration(Speed, "5 iterations", &["5"]),
            ],
            (Self::PyPbd, _) => [
                configuration(Energy, "XPBD, 40 substeps", &["40", "1"]),
                configuration(Speed, "XPBD, 5 substeps", &["5", "1"]),
            ],
            (Self::Newton, Scene::Cloth) => [
                configuration(Energy, "semi-implicit, 150·√k substeps", &["150"]),
                configuration(Speed, "semi-implicit, 100·√k substeps", &["100"]),
            ],
            (Self::Newton, Scene::Bar) => [
                configuration(Energy, "semi-implicit, 100·√k substeps", &["100"]),
                configuration(Speed, "semi-implicit, 60·√k substeps", &["60"]),
            ],
            (Self::MuJoCo, Scene::Cloth) => [
                configuration(Energy, "flex, Euler, 150·√k substeps", &["150", "Euler"]),
                configuration(Speed, "flex, discrete, 1 substep", &["1", "discrete"]),
            ],
            (Self::MuJoCo, Scene::Bar) => [
                configuration(Energy, "flex, Euler, 100·√k substeps", &["100", "Euler"]),
                configuration(Speed, "flex, Euler, 60·√k substeps", &["60", "Euler"]),
            ],
        }
    }

    /// What a reader must know to interpret the numbers.
    pub fn remark(self, scene: Scene) -> &'static str {
        match (self, scene) {
            (Self::Jolt, Scene::Bar) => "edges and volumes: it has no finite elements",
            (Self::MuJoCo, Scene::Cloth) => "membrane elements: it has no springs",
            (Self::PyPbd | Self::MuJoCo, Scene::Bar) => "its law: St. Venant–Kirchhoff",
            (Self::Newton, Scene::Bar) => "its law: Neo-Hookean",
            _ => "",
        }
    }

    /// The command that simulates `body` into `out`.
    pub fn command(self, folder: &Folder, body: &Path, out: &Path, configuration: &Configuration) -> Command {
        let mut command = match self {
            Self::Rapier => Command::new(folder.program("rapier")),
            Self::Jolt => {
                let mut node = Command::new("node");
                node.arg(folder.driver("jolt_driver.mjs"));
                node
            }
            Self::PyPbd | Self::Newton | Self::MuJoCo => {
                let script = match self {
                    Self::PyPbd => "pypbd_driver.py",
                    Self::Newton => "newton_driver.py",
                    _ => "mujoco_driver.py",
                };
                let mut python = Command::new(folder.python());
                python.arg(folder.driver(script));
                python
            }
        };
        command.arg(body).arg(out).args(configuration.arguments);
        if self == Self::Newton {
            command.env("WARP_CACHE_PATH", folder.warp_cache());
        }
        if self == Self::PyPbd {
            // With more threads, its loops over small groups of constraints wait more than they work.
            command.env("OMP_NUM_THREADS", "1");
        }
        command
    }
}
