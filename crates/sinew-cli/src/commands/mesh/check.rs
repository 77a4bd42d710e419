//! `sinew mesh check`.

use super::files;
use crate::console;
use crate::failure::Failure;
use clap::Args;
use sinew_scene::mesh_check::{Check, check as examine, repair};
use std::path::PathBuf;

/// Find what is wrong with a mesh, and mend what is safe to mend.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The mesh file.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Weld vertices, orient faces outwards, fill small holes, leave out isolated vertices and faces without area or that are there twice.
    #[arg(long, requires = "out")]
    repair: bool,
    /// Where to write the repaired mesh.
    #[arg(long, requires = "repair")]
    out: Option<PathBuf>,
}

/// Checks and repairs.
pub fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let file = files::read_aloud(&arguments.file)?;
    let mut report = examine(&file.mesh, file.unused_points);
    if let Some(out) = &arguments.out {
        let repaired = repair(&file.mesh);
        files::write(out, &repaired.mesh)?;
        if file.unused_points > 0 {
            console::remark(format_args!("left out {} vertices that no element uses", file.unused_points));
        }
        repaired.done.iter().for_each(console::remark);
        if repaired.done.is_empty() && file.unused_points == 0 {
            console::remark("there was nothing to repair");
        }
        // What is reported is what was written.
        report = examine(&repaired.mesh, 0);
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::Run(error.to_string()))?;
        return console::say(text);
    }
    console::say(text(&report))
}

fn text(report: &Check) -> String {
    let yes = |holds: bool| if holds { "yes" } else { "no" };
    let mut lines = vec![format!(
        "{} vertices, {} tetrahedra, {} triangles; closed: {}, manifold: {}",
        report.vertices,
        report.tets,
        report.triangles,
        yes(report.closed),
        yes(report.manifold)
    )];
    if let Some(angle) = report.min_dihedral_deg {
        lines.push(format!(
            "inverted: {}, without volume: {}, smallest dihedral angle: {angle:.2}°, regions: {}",
            report.inverted, report.degenerate, report.regions
        ));
    }
    for finding in &report.findings {
        lines.push(format!("- {}\n  where: {}\n  remedy: {}", finding.what, finding.place, finding.remedy));
    }
    if report.findings.is_empty() {
        lines.push("nothing wrong was found".into());
    }
    lines.join("\n")
}
