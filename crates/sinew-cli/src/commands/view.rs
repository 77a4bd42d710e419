//! `sinew view`.

use crate::console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::source::Source;
use clap::Args;
use sinew_scene::builtin;
use sinew_viewer::server::{NO_PAGE, Options, Server, ServerError};
use sinew_viewer::{Library, Opening};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// View a scene in the browser and interact with it. Ctrl-C ends it.
#[derive(Debug, Args)]
pub struct ViewArguments {
    /// A scene file, or the name of a built-in scene (`sinew scenes` lists them); the page can open others.
    scene: Option<String>,
    /// Port on 127.0.0.1; by default any free one.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Do not open the browser; the address is printed in any case.
    #[arg(long)]
    no_open: bool,
    /// The page can open scene files below this folder; by default the folder of SCENE, or the current one.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Number of threads of each page; by default one per core.
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<usize>,
}

/// Serves the page until Ctrl-C.
pub fn view(arguments: &ViewArguments) -> Result<(), Failure> {
    let (scene, folder) = whereabouts(arguments)?;
    let served = format!("scene files below {} can be opened; Ctrl-C ends it", folder.display());
    let (port, threads) = (arguments.port, arguments.threads);
    serve(Options { port, folder, scene, threads, ..Options::default() }, &served, arguments.no_open)
}

/// Serves the page with these options until Ctrl-C.
pub fn serve(options: Options, remark: &str, no_open: bool) -> Result<(), Failure> {
    if !Server::has_page() {
        return Err(Failure::Run(NO_PAGE.to_owned()));
    }
    let options = Options { tokens: private_folder(), ..options };
    let server = Server::bind(options).map_err(|error| match error {
        ServerError::Port { .. } => Failure::Input(format!("--port: {error}")),
        _ => Failure::Run(error.to_string()),
    })?;
    let interrupt = Interrupt::listen();
    let address = server.address();
    console::say(&address)?;
    console::remark(remark);
    if !no_open {
        open(&address);
    }
    server.run(|| interrupt.is_pressed()).map_err(|error| Failure::Run(error.to_string()))
}

/// What the page opens first, and the folder of its files. An invalid scene is refused here, before anything starts.
fn whereabouts(arguments: &ViewArguments) -> Result<(Option<Opening>, PathBuf), Failure> {
    let named = arguments.folder.as_deref().map(folder).transpose()?;
    let Some(scene) = &arguments.scene else {
        return Ok((None, named.map_or_else(|| folder(Path::new(".")), Ok)?));
    };
    let built = Source::load(scene)?.build(&[])?;
    if builtin::find(scene).is_some() {
        return Ok((Some(Opening::Scene(scene.clone())), named.map_or_else(|| folder(Path::new(".")), Ok)?));
    }
    let refuse = |why: String| Failure::Input(format!("{scene}: {why}"));
    let file = Path::new(scene).canonicalize().map_err(|error| refuse(error.to_string()))?;
    let served = match (named, file.parent()) {
        (Some(named), _) => named,
        (None, Some(parent)) => parent.to_owned(),
        (None, None) => return Err(refuse("lies in no folder".to_owned())),
    };
    let below = file.strip_prefix(&served).ok().and_then(Path::to_str);
    let below = below.ok_or_else(|| refuse(format!("is not below --folder {}", served.display())))?;
    let refused = |why: String| refuse(format!("{why}; --folder names a folder that has them all"));
    Library::with_folder(&served).admits(&built.scene, file.parent().unwrap_or(&served)).map_err(refused)?;
    Ok((Some(Opening::File(below.replace('\\', "/"))), served))
}

/// Where the tokens of ports are kept: a folder of the user alone, gone with the session of the system if it offers one.
fn private_folder() -> Option<PathBuf> {
    let named =
        |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || named("HOME").map(|home| home.join(".local/state"));
    let base = named("XDG_RUNTIME_DIR").or_else(|| named("XDG_STATE_HOME")).or_else(|| named("LOCALAPPDATA"));
    base.or_else(home).map(|base| base.join("sinew"))
}

/// The absolute path of an existing folder.
fn folder(path: &Path) -> Result<PathBuf, Failure> {
    let refuse = |why: &str| Failure::Input(format!("--folder {}: {why}", path.display()));
    let full = path.canonicalize().map_err(|error| refuse(&error.to_string()))?;
    if full.is_dir() { Ok(full) } else { Err(refuse("not a folder")) }
}

/// Asks the system to open its browser. A missing browser is not an error.
fn open(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    let quiet = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match quiet.spawn() {
        // Some openers run as long as the browser does.
        Ok(mut opener) => drop(std::thread::spawn(move || match opener.wait() {
            Ok(status) if status.success() => {}
            _ => console::remark("the browser could not be opened; use the address above"),
        })),
        Err(_) => console::remark("no browser was found; use the address above"),
    }
}
