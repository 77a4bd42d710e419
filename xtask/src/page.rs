//! The viewer's page: npm builds it, `sinew` embeds it, and with the engine as WebAssembly it needs no server.

use crate::house::files_below_any;
use crate::steps::{Failure, Steps};
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

pub const PAGE: &str = "crates/sinew-viewer/web";
const WASM: &str = "wasm32-unknown-unknown";
const OLDEST_NODE: u32 = 20;

/// npm is a script with another ending on Windows.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The page and a `sinew` that has it.
pub fn view(steps: &mut Steps) -> Result<(), Failure> {
    build(steps)?;
    steps.cargo("sinew", &["build", "--release", "--package", "sinew-cli"], &[])?;
    let binary = target(steps.root()).join("release").join("sinew");
    println!("\n{} view", binary.display());
    Ok(())
}

/// The page and its engine in `dist/`, for any static web server.
pub fn web(steps: &mut Steps) -> Result<(), Failure> {
    build(steps)?;
    web_of_built_page(steps)
}

/// Builds the page into `web/dist`, unless it is what its sources say: another page would also build `sinew` again.
pub fn build(steps: &mut Steps) -> Result<(), Failure> {
    let folder = steps.root().join(PAGE);
    let (stamp, sources) = (target(steps.root()).join("page.stamp"), fingerprint(&folder)?);
    let known = std::fs::read_to_string(&stamp).is_ok_and(|known| known == sources);
    if known && folder.join("dist/index.html").is_file() {
        println!("page: nothing has changed");
        return Ok(());
    }
    check_node()?;
    packages(steps, "packages of the page", &folder)?;
    steps.command("page", ("npm", OsStr::new(NPM)), &["run", "build", "--silent"], &[], &folder)?;
    Ok(std::fs::write(&stamp, sources)?)
}

/// A number that changes with the sources of the page.
fn fingerprint(folder: &Path) -> Result<String, Failure> {
    let mut sum = DefaultHasher::new();
    for part in ["src", "gallery"] {
        let mut files = files_below_any(&folder.join(part))?;
        files.sort();
        for file in files {
            file.strip_prefix(folder).unwrap_or(&file).hash(&mut sum);
            std::fs::read(&file)?.hash(&mut sum);
        }
    }
    let settings = [
        "index.html",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
        "tsconfig.worker.json",
        "vite.config.ts",
    ];
    for file in settings {
        std::fs::read(folder.join(file))?.hash(&mut sum);
    }
    Ok(format!("{:016x}\n", sum.finish()))
}

/// The engine as WebAssembly, beside the page that is built already.
pub fn web_of_built_page(steps: &mut Steps) -> Result<(), Failure> {
    let root = steps.root().to_path_buf();
    add_wasm_target(steps)?;
    let arguments = [
        "build",
        "--package",
        "sinew-viewer",
        "--lib",
        "--no-default-features",
        "--profile",
        "wasm",
        "--target",
        WASM,
    ];
    steps.cargo("WebAssembly", &arguments, &[])?;
    let (page, dist) = (root.join(PAGE).join("dist"), root.join("dist"));
    if dist.exists() {
        std::fs::remove_dir_all(&dist)?;
    }
    for file in files_below_any(&page)? {
        let copy = dist.join(file.strip_prefix(&page).unwrap_or(&file));
        std::fs::create_dir_all(copy.parent().unwrap_or(&dist))?;
        std::fs::copy(&file, &copy)?;
    }
    let engine = dist.join("engine.wasm");
    std::fs::copy(target(&root).join(WASM).join("wasm/sinew_viewer.wasm"), &engine)?;
    println!("{}: {:.2} MB", engine.display(), std::fs::metadata(&engine)?.len() as f64 / 1e6);
    Ok(())
}

/// Installs the packages of a folder if they are not those of its lock file.
pub fn packages(steps: &mut Steps, name: &str, folder: &Path) -> Result<(), Failure> {
    let lock = std::fs::read(folder.join("package-lock.json"))?;
    let installed = folder.join("node_modules/.installed-lock.json");
    if std::fs::read(&installed).is_ok_and(|was| was == lock) {
        return Ok(());
    }
    let arguments = ["ci", "--no-audit", "--no-fund", "--loglevel=error", "--progress=false"];
    steps.command(name, ("npm", OsStr::new(NPM)), &arguments, &[], folder)?;
    Ok(std::fs::write(&installed, lock)?)
}

/// Where cargo puts what it builds.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// npm's own complaints about an old or missing Node.js do not say what to do.
pub fn check_node() -> Result<(), Failure> {
    let refuse = |why: String| {
        Failure::new("page", format!("{why}; the page needs Node.js {OLDEST_NODE} or newer, with npm"))
    };
    for program in ["node", NPM] {
        let said = Command::new(program).arg("--version").output();
        let said = said.map_err(|error| refuse(format!("`{program}` could not be started: {error}")))?;
        let version = String::from_utf8_lossy(&said.stdout).trim().trim_start_matches('v').to_owned();
        let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
        if program == "node" && major.is_none_or(|major| major < OLDEST_NODE) {
            return Err(refuse(format!("Node.js is version {version}")));
        }
    }
    Ok(())
}

/// Where Rust comes from elsewhere than rustup, the target is taken to be there.
fn add_wasm_target(steps: &mut Steps) -> Result<(), Failure> {
    let root = steps.root().to_path_buf();
    let Ok(list) = Command::new("rustup").args(["target", "list", "--installed"]).current_dir(&root).output()
    else {
        return Ok(());
    };
    if !list.status.success() || String::from_utf8_lossy(&list.stdout).lines().any(|line| line.trim() == WASM)
    {
        return Ok(());
    }
    steps.command(
        "WebAssembly target",
        ("rustup", OsStr::new("rustup")),
        &["target", "add", WASM],
        &[],
        &root,
    )
}
