//! The private folder of the rivals: their packages, our drivers, bodies, frames and logs. Nothing is installed elsewhere, so removing the
//! folder removes everything.

use super::process;
use super::rivals::Rival;
use crate::error::BenchError;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time limit for one installation.
const INSTALL: Duration = Duration::from_secs(900);

const DRIVERS: &[(&str, &str)] = &[
    ("sinew_body.py", include_str!("../../peers/sinew_body.py")),
    ("newton_driver.py", include_str!("../../peers/newton_driver.py")),
    ("pypbd_driver.py", include_str!("../../peers/pypbd_driver.py")),
    ("mujoco_driver.py", include_str!("../../peers/mujoco_driver.py")),
    ("jolt/jolt_driver.mjs", include_str!("../../peers/jolt_driver.mjs")),
    ("rapier/Cargo.toml", include_str!("../../peers/rapier/Cargo.toml.in")),
    ("rapier/src/main.rs", include_str!("../../peers/rapier/src/main.rs")),
    ("pytetwild_driver.py", include_str!("../../peers/pytetwild_driver.py")),
    ("parry/Cargo.toml", include_str!("../../peers/parry/Cargo.toml.in")),
    ("parry/src/main.rs", include_str!("../../peers/parry/src/main.rs")),
];

/// The folder.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Creates it, if necessary, and puts our drivers into it.
    pub fn open(root: &Path) -> Result<Self, BenchError> {
        let create = |path: &Path| std::fs::create_dir_all(path).map_err(BenchError::file(path));
        create(root)?;
        // Programs run with other working folders and need the absolute path.
        let root = root.canonicalize().map_err(BenchError::file(root))?;
        let folder = Self { root };
        for name in ["drivers", "runs", "logs", "installed"] {
            create(&folder.root.join(name))?;
        }
        for (name, text) in DRIVERS {
            let path = folder.root.join("drivers").join(name);
            if let Some(parent) = path.parent() {
                create(parent)?;
            }
            // Unchanged files keep their time, so that nothing is rebuilt.
            if std::fs::read_to_string(&path).ok().as_deref() != Some(*text) {
                std::fs::write(&path, text).map_err(BenchError::file(&path))?;
            }
        }
        Ok(folder)
    }

    /// Whether some rival has been installed in this folder before.
    pub fn is_in_use(root: &Path) -> bool {
        std::fs::read_dir(root.join("installed")).is_ok_and(|mut entries| entries.next().is_some())
    }

    /// Installs a rival unless it is already installed. The error says why not, in a few words.
    pub fn install(&self, rival: Rival) -> Result<(), String> {
        self.once(&stamp(rival), || match rival {
            Rival::Jolt => self.npm("jolt-physics@1.1.0"),
            Rival::PyPbd => self.pip(&["numpy", "pyPBD==2.2.2"]),
            Rival::Newton => self.pip(&["numpy", "newton==1.7.0"]),
            Rival::MuJoCo => self.pip(&["numpy", "mujoco==4.0.0"]),
            Rival::Rapier => Ok(()),
        })?;
        // Cargo itself knows what is up to date.
        if rival == Rival::Rapier { self.cargo("rapier") } else { Ok(()) }
    }

    /// Installs something unless it has been installed before.
    pub fn once(&self, name: &str, install: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let stamp = self.root.join("installed").join(name);
        if stamp.exists() {
            return Ok(());
        }
        install()?;
        std::fs::write(&stamp, name).map_err(|error| error.to_string())
    }

    /// The folder itself, as an absolute path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a driver.
    pub fn driver(&self, name: &str) -> PathBuf {
        let below = if name.ends_with(".mjs") { "jolt" } else { "" };
        self.root.join("drivers").join(below).join(name)
    }

    /// The Python of the private environment.
    pub fn python(&self) -> PathBuf {
        let below = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        self.root.join("python").join(below)
    }

    /// The folder for Newton's compiled kernels.
    pub fn warp_cache(&self) -> PathBuf {
        self.root.join("warp-cache")
    }

    /// The built driver of a Rust crate, such as `rapier`.
    pub fn program(&self, name: &str) -> PathBuf {
        self.target(name).join("release").join(format!("{name}-driver{}", std::env::consts::EXE_SUFFIX))
    }

    /// A file of a run.
    pub fn run_file(&self, name: &str) -> PathBuf {
        self.root.join("runs").join(name)
    }

    /// A log.
    pub fn log(&self, name: &str) -> PathBuf {
        self.root.join("logs").join(format!("{name}.log"))
    }

    fn target(&self, name: &str) -> PathBuf {
        self.root.join(format!("{name}-target"))
    }

    fn npm(&self, package: &str) -> Result<(), String> {
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]);
        npm.arg(self.root.join("drivers").join("jolt")).arg(package);
        process::run(&mut npm, &self.log("npm"), INSTALL)
    }

    /// Installs packages into the private environment.
    pub fn pip(&self, packages: &[&str]) -> Result<(), String> {
        if !self.python().exists() {
            let system = if cfg!(windows) { "python" } else { "python3" };
            let mut venv = Command::new(system);
            venv.args(["-m", "venv"]).arg(self.root.join("python"));
            process::run(&mut venv, &self.log("venv"), INSTALL)?;
        }
        let mut pip = Command::new(self.python());
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages);
        process::run(&mut pip, &self.log(&format!("pip-{}", packages.last().unwrap_or(&""))), INSTALL)
    }

    /// Builds the driver of a Rust crate.
    pub fn cargo(&self, name: &str) -> Result<(), String> {
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--quiet", "--manifest-path"]);
        cargo.arg(self.root.join("drivers").join(name).join("Cargo.toml"));
        cargo.arg("--target-dir").arg(self.target(name));
        process::run(&mut cargo, &self.log(&format!("cargo-{name}")), INSTALL)
    }
}

fn stamp(rival: Rival) -> String {
    rival.name().replace([' ', '(', ')'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_holds_the_drivers_and_knows_whether_it_is_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("peers");
        assert!(!Folder::is_in_use(&root));
        let opened = Folder::open(&root).unwrap();
        assert!(opened.driver("jolt_driver.mjs").exists() && opened.driver("sinew_body.py").exists());
        assert!(!Folder::is_in_use(&root));
        std::fs::write(root.join("installed").join(stamp(Rival::Jolt)), "").unwrap();
        assert!(Folder::is_in_use(&root));
        assert_eq!(opened.install(Rival::Jolt), Ok(()));
    }
}
