//! Fingerprints of what scenes simulate: two builds that should simulate the same can be told apart.
//!
//! The file has a line `name hash` for each shipped scene: its `state_hash` after [`FRAMES`] frames. A scene that takes longer
//! than [`LIMIT`] gets fewer frames, and they stand behind the hash. A comparison runs the frames that the file names.

use crate::arguments::Arguments;
use crate::house::files_below;
use crate::sinew;
use crate::steps::{Failure, Steps};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// Frames of a scene.
const FRAMES: usize = 60;
/// Fewer ones for scenes that take longer than the limit; the last is not limited.
const FEWER: [usize; 3] = [20, 6, 2];
const LIMIT: Duration = Duration::from_secs(60);
/// Scenes that run at the same time, each on one thread.
const AT_ONCE: usize = 2;

/// What one scene came to.
#[derive(Clone, Debug, PartialEq)]
struct Print {
    hash: String,
    frames: usize,
}

/// Writes the hashes of a build, or compares them with those of another.
pub fn task(steps: &mut Steps, mut arguments: Arguments) -> Result<(), Failure> {
    let fail = |why: &str| Failure::new("hashes", why);
    let (out, compare) = (arguments.value("--out")?, arguments.value("--compare")?);
    let given = arguments.value("--binary")?;
    arguments.end()?;
    if out.is_some() == compare.is_some() {
        return Err(fail("either --out FILE or --compare FILE"));
    }
    let was = match &compare {
        Some(file) => read(Path::new(file))?,
        None => BTreeMap::new(),
    };
    let binary = sinew::binary(steps, given)?;
    let now = all(steps.root(), &binary, &was)?;
    match (out, compare) {
        (Some(file), _) => Ok(std::fs::write(file, written(&now))?),
        (_, Some(_)) => compared(&was, &now),
        _ => Ok(()),
    }
}

/// The hashes of every shipped scene, by its name below `scenes/`.
fn all(
    root: &Path,
    binary: &Path,
    was: &BTreeMap<String, Print>,
) -> Result<BTreeMap<String, Print>, Failure> {
    let folder = root.join("scenes");
    let scratch = crate::page::target(root).join("hashes");
    std::fs::create_dir_all(&scratch)?;
    let mut scenes = Vec::new();
    for file in files_below(&folder, "toml")? {
        scenes.push((name(&file, &folder), file));
    }
    // The last is taken first.
    scenes.reverse();
    let (queue, done) = (Mutex::new(scenes), Mutex::new(BTreeMap::new()));
    let work = |worker: usize| -> Result<(), Failure> {
        let report = scratch.join(format!("report-{worker}.json"));
        loop {
            let next = queue.lock().map_err(poisoned)?.pop();
            let Some((name, file)) = next else { return Ok(()) };
            let print = one(binary, &file, was.get(&name).map(|print| print.frames), &report)?;
            println!("{}", line(&name, &print));
            done.lock().map_err(poisoned)?.insert(name, print);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|worker| scope.spawn(move || work(worker))).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(Failure::new("hashes", "a worker panicked")))
        })
    })?;
    done.into_inner().map_err(poisoned)
}

fn poisoned<T>(_: std::sync::PoisonError<T>) -> Failure {
    Failure::new("hashes", "a worker panicked")
}

fn name(file: &Path, folder: &Path) -> String {
    let path = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The hash of one scene after the frames that it had before, or as many as fit.
fn one(binary: &Path, file: &Path, frames: Option<usize>, report: &Path) -> Result<Print, Failure> {
    let scene = file.to_string_lossy();
    let run = |frames: usize, limit: Option<Duration>| -> Result<Option<Print>, Failure> {
        let Some(report) = sinew::report(binary, &scene, frames, report, limit)? else { return Ok(None) };
        let hash = report["state_hash"].as_str().filter(|hash| !hash.is_empty());
        let hash = hash.ok_or_else(|| Failure::new(&scene, "its report has no state_hash"))?.to_owned();
        Ok(Some(Print { hash, frames }))
    };
    if let Some(frames) = frames {
        return run(frames, None)?.ok_or_else(|| Failure::new(&scene, "out of time"));
    }
    for frames in [FRAMES, FEWER[0], FEWER[1]] {
        if let Some(print) = run(frames, Some(LIMIT))? {
            return Ok(print);
        }
    }
    run(FEWER[2], None)?.ok_or_else(|| Failure::new(&scene, "out of time"))
}

fn line(name: &str, print: &Print) -> String {
    match print.frames {
        FRAMES => format!("{name} {}", print.hash),
        fewer => format!("{name} {} {fewer}", print.hash),
    }
}

fn written(prints: &BTreeMap<String, Print>) -> String {
    prints.iter().map(|(name, print)| line(name, print) + "\n").collect()
}

fn read(file: &Path) -> Result<BTreeMap<String, Print>, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::new("hashes", format!("{}: {error}", file.display())))?;
    parsed(&text).map_err(|line| Failure::new("hashes", format!("{}: cannot read `{line}`", file.display())))
}

/// The inverse of [`written`]; the error is the line.
fn parsed(text: &str) -> Result<BTreeMap<String, Print>, String> {
    let mut prints = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (name, hash, frames) = match line.split_whitespace().collect::<Vec<_>>()[..] {
            [name, hash] => (name, hash, Some(FRAMES)),
            [name, hash, frames] => (name, hash, frames.parse().ok()),
            _ => return Err(line.to_owned()),
        };
        let frames = frames.ok_or_else(|| line.to_owned())?;
        prints.insert(name.to_owned(), Print { hash: hash.to_owned(), frames });
    }
    Ok(prints)
}

/// Fails if a scene differs or is gone; new scenes are only named.
fn compared(was: &BTreeMap<String, Print>, now: &BTreeMap<String, Print>) -> Result<(), Failure> {
    let (differ, new) = differences(was, now);
    for name in &new {
        println!("new: {name}");
    }
    for each in &differ {
        println!("DIFFERS: {each}");
    }
    println!("{} scenes, {} differ, {} new", now.len(), differ.len(), new.len());
    match differ.len() {
        0 => Ok(()),
        n => Err(Failure::new("hashes", format!("{n} of {} scenes differ, listed above", was.len()))),
    }
}

fn differences(was: &BTreeMap<String, Print>, now: &BTreeMap<String, Print>) -> (Vec<String>, Vec<String>) {
    let mut differ = Vec::new();
    for (name, before) in was {
        match now.get(name) {
            None => differ.push(format!("{name}: there is no such scene any more")),
            Some(after) if after != before => {
                differ.push(format!("{name}: was {}, is {}", before.hash, after.hash));
            }
            Some(_) => {}
        }
    }
    let new = now.keys().filter(|name| !was.contains_key(*name)).cloned().collect();
    (differ, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(list: &[(&str, &str, usize)]) -> BTreeMap<String, Print> {
        let print = |&(name, hash, frames): &(&str, &str, usize)| {
            (name.to_owned(), Print { hash: hash.to_owned(), frames })
        };
        list.iter().map(print).collect()
    }

    #[test]
    fn hashes_survive_their_file() {
        let list = prints(&[("bar", "00ff", FRAMES), ("paper/bar", "11ee", 6)]);
        assert_eq!(written(&list), "bar 00ff\npaper/bar 11ee 6\n");
        assert_eq!(parsed(&written(&list)).unwrap(), list);
        assert!(parsed("bar").is_err() && parsed("bar 00ff six").is_err());
    }

    #[test]
    fn changed_and_missing_scenes_differ_and_new_ones_do_not() {
        let was = prints(&[("a", "1", 60), ("b", "2", 60), ("c", "3", 60)]);
        let now = prints(&[("a", "1", 60), ("b", "9", 60), ("d", "4", 60)]);
        let (differ, new) = differences(&was, &now);
        assert!(differ.len() == 2 && differ[0].starts_with("b: was 2, is 9") && differ[1].starts_with("c: "));
        assert_eq!(new, ["d"]);
        assert!(compared(&was, &was).is_ok() && compared(&was, &now).is_err());
    }
}
