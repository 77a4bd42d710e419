//! `sinew face blendshapes`.

use super::bad;
use crate::commands::lips::files;
use crate::failure::Failure;
use crate::{console, table, threads};
use clap::Args;
use sinew_face::muscles::{Blendshapes, Drive, Expression, Face, Mouth, Precision, System};
use sinew_scene::face::NAMES;
use std::path::PathBuf;

/// Write volumetric blendshapes: activations, jaw and all vertices of each expression.
///
/// The file is an .npz of NumPy with the arrays names, muscles, neutral, positions, activations, jaw, tetrahedra and triangles. `sinew face pose --blendshapes FILE --mix NAME=WEIGHT,…` mixes them.
#[derive(Debug, Args)]
pub struct BlendshapesArguments {
    /// The face, written by `sinew face make`, by `transfer` or by a fit.
    #[arg(long, value_name = "FILE")]
    face: PathBuf,
    /// Expressions by name, such as `smile,jawOpen`, or mixtures of some, `smile+jawOpen`. Default: all that have names, unless there are `--poses`.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    show: Vec<String>,
    /// A folder of poses, as `sinew face fit` writes them: each NAME.pose becomes a blendshape.
    #[arg(long, value_name = "DIR")]
    poses: Option<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE.npz")]
    out: PathBuf,
    /// Let lips pass through each other, and teeth.
    #[arg(long)]
    no_contact: bool,
    /// Number of threads; it changes the time, never the result. Default: one per core.
    #[arg(long, value_name = "N", value_parser = crate::commands::threads)]
    threads: Option<usize>,
}

/// Solves each expression and writes the file.
pub fn blendshapes(arguments: &BlendshapesArguments) -> Result<(), Failure> {
    files::check_file(&arguments.out)?;
    let face = Face::load(&arguments.face).map_err(bad)?;
    let mut wanted: Vec<(String, Expression)> = Vec::new();
    let names: Vec<String> = match (arguments.show.is_empty(), &arguments.poses) {
        (true, None) => NAMES.iter().map(|name| (*name).to_owned()).collect(),
        _ => arguments.show.clone(),
    };
    for name in names {
        let expression = Expression::named(&face, &name.replace('+', ",")).map_err(bad)?;
        wanted.push((name, expression));
    }
    if let Some(folder) = &arguments.poses {
        let entries = std::fs::read_dir(folder)
            .map_err(|error| Failure::Input(format!("{}: {error}", folder.display())))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|e| e == "pose"));
        paths.sort();
        if paths.is_empty() {
            return Err(Failure::Input(format!("{}: there are no .pose files", folder.display())));
        }
        for path in paths {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            wanted.push((name, Expression::load(&face, &path).map_err(bad)?));
        }
    }
    let mut shapes = Blendshapes { names: Vec::new(), expressions: Vec::new(), positions: Vec::new() };
    let mut lines = vec![["expression", "moved (mm)", "most (mm)", "inverted"].map(str::to_owned).to_vec()];
    threads::with(arguments.threads, || -> Result<(), Failure> {
        let system = System::new(&face, 1.0).map_err(bad)?;
        let mouth = (!arguments.no_contact).then(|| Mouth::new(&face));
        for (name, mut expression) in wanted {
            if let Some(mouth) = &mouth {
                expression.jaw = mouth.stopped(&face, expression.jaw).0;
            }
            let activations = system.blended(&face.blend, &expression.activations);
            let drive = Drive { activations, jaw: expression.jaw, forces: Vec::new() };
            let start = system.placed(&expression.jaw);
            let (balance, _) = system
                .equilibrium_in_contact(&drive, &start, &Precision::default(), mouth.as_ref(), &|_| {
                    Vec::new()
                })
                .map_err(|error| Failure::Run(format!("{name}: {error}")))?;
            let moved = |v: &u32| 1e3 * balance.x[*v as usize].distance(face.points[*v as usize]);
            let moved: Vec<f64> = face.scanned.iter().map(moved).collect();
            let mean = moved.iter().sum::<f64>() / moved.len().max(1) as f64;
            let most = moved.iter().copied().fold(0.0, f64::max);
            let inverted = balance.inverted.to_string();
            lines.push(vec![name.clone(), table::number(mean), table::number(most), inverted]);
            shapes.names.push(name);
            shapes.expressions.push(expression);
            shapes.positions.push(balance.x);
        }
        Ok(())
    })?;
    shapes.write(&arguments.out, &face).map_err(|error| Failure::Run(error.to_string()))?;
    console::say(format_args!(
        "{}\n{}: {} expressions of {} vertices",
        table::aligned(&lines, true),
        arguments.out.display(),
        shapes.names.len(),
        face.points.len()
    ))
}
