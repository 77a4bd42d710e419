//! What a finished run says at the end: how long it took, and what to try next.

use sinew_scene::builtin;
use sinew_scene::run::Run;
use std::path::Path;

/// How long it took against the time that was simulated, where to look, and a command or two.
pub fn remark(run: &Run, out: Option<&Path>, seconds: f64) -> String {
    let simulated = run.state().time();
    let pace = match simulated / seconds.max(1e-9) {
        pace if pace >= 1.0 => format!("{pace:.1} times as fast as real time"),
        pace => format!("{:.1} times as long as in reality", 1.0 / pace.max(1e-9)),
    };
    let pictures = if out.is_some() { ", pictures included" } else { "" };
    let mut text = format!("\n{simulated:.1} s simulated in {seconds:.1} s{pictures}: {pace}");
    if let Some(folder) = out {
        text += &format!("\nlook at   {}", folder.join("picture.png").display());
        text += &format!("\n          {}", folder.join("energy.png").display());
    }
    for (number, (command, what)) in suggestions(run, out).iter().enumerate() {
        text += &format!("\n{}{command:<62} {what}", if number == 0 { "try next  " } else { "          " });
    }
    text
}

/// Commands that fit to what was run, with what they show.
fn suggestions(run: &Run, out: Option<&Path>) -> Vec<(String, &'static str)> {
    let name = run.name();
    let mut all = Vec::new();
    // A file has to be named with its path, which the run does not know.
    let known = builtin::find(name).is_some();
    if known && out.is_none() {
        all.push((format!("sinew run {name} --out out --format gif"), "a picture, an animation, plots"));
    }
    if known && run.scene().settings().correction.name() != "none" {
        all.push((
            format!("sinew run {name} --set correction.kind=none"),
            "the same without energy correction",
        ));
    }
    if known {
        all.push((format!("sinew view {name}"), "in the browser: grab it, pull it"));
    }
    let names: Vec<&str> = builtin::SCENES.iter().map(|scene| scene.name).collect();
    let next = names.iter().position(|other| *other == name).map_or(0, |at| (at + 1) % names.len());
    all.push((format!("sinew run {} --out out", names[next]), "another scene; `sinew scenes` lists all"));
    all
}
