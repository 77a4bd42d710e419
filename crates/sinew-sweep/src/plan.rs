//! A checked sweep: which values each run has, which runs form a part, and which columns the table has.

use crate::axis::{Axis, Choice};
use crate::column::{Column, Kind, kind_of, report_columns};
use crate::error::SweepError;
use crate::file::{MAX_RUNS, OutputFile, SweepFile, is_top};
use crate::trace;
use crate::value::Value;
use serde::{Deserialize, Serialize};
use sinew_scene::format::{Locations, Override, ParsedScene, Place, SceneError, parse, parse_table};
use sinew_scene::{builtin, input, suggest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Values of an axis that are tried before the first run: all, or of a longer axis so many.
const TRIED: usize = 200;
/// Draws of random axes that are tried.
const DRAWN: u64 = 20;

/// A scene's text and where it comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SceneText {
    /// Its name in reports.
    pub name: String,
    /// Its name in errors.
    pub origin: String,
    pub text: String,
    /// The folder in which its paths start.
    pub folder: PathBuf,
}

/// Everything that a sweep is made from; what one process hands to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Source {
    version: String,
    name: String,
    text: String,
    folder: PathBuf,
    scene: SceneText,
}

/// A checked sweep.
#[derive(Clone, Debug)]
pub struct Plan {
    source: Source,
    title: String,
    pub(crate) base: Vec<String>,
    axes: Vec<Axis>,
    samples: u64,
    seed: u64,
    runs: u64,
    part: u64,
    columns: Vec<Column>,
    pub(crate) trace: Vec<String>,
    pub(crate) trace_every: usize,
    pub(crate) frames_every: Option<usize>,
    pub(crate) seconds: Option<f64>,
}

impl Plan {
    /// Reads a sweep, and tries its values on the scene.
    ///
    /// # Errors
    /// [`SweepError`] that names the line and the key at fault.
    pub fn load(path: &Path) -> Result<Self, SweepError> {
        let text = input::read_text(path).map_err(SweepError::read(path))?;
        let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Whole, because a process that unpacks the plan may have been started elsewhere.
        let folder =
            std::fs::canonicalize(beside.unwrap_or(Path::new("."))).map_err(SweepError::read(path))?;
        Self::parse(&text, &path.display().to_string(), &folder)
    }

    /// The same from a text; paths start at `folder`.
    ///
    /// # Errors
    /// As [`Plan::load`].
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Self, SweepError> {
        let (file, locations): (SweepFile, Locations) = parse_table(text, name, is_top)?;
        let scene = scene_text(&file.scene, folder, &locations)?;
        let plan = Self::new(&file, scene, (text, name, folder), &locations)?;
        plan.try_values(&locations)?;
        Ok(plan)
    }

    /// For another process: sweep and scene. Meshes and other files that they name are not in it.
    pub fn pack(&self) -> Vec<u8> {
        serde_json::to_vec(&self.source).unwrap_or_default()
    }

    /// What another process packed. Its values were tried there.
    ///
    /// # Errors
    /// [`SweepError::Packed`] if that process had another version of Sinew, and all of [`Plan::parse`].
    pub fn unpack(bytes: &[u8]) -> Result<Self, SweepError> {
        let source: Source =
            serde_json::from_slice(bytes).map_err(|error| SweepError::Packed(error.to_string()))?;
        if source.version != env!("CARGO_PKG_VERSION") {
            let what = format!("it is of version {}, this is {}", source.version, env!("CARGO_PKG_VERSION"));
            return Err(SweepError::Packed(what));
        }
        let (file, locations): (SweepFile, Locations) = parse_table(&source.text, &source.name, is_top)?;
        Ok(Self::new(&file, source.scene, (&source.text, &source.name, &source.folder), &locations)?)
    }

    fn new(
        file: &SweepFile,
        scene: SceneText,
        (text, name, folder): (&str, &str, &Path),
        locations: &Locations,
    ) -> Result<Self, SceneError> {
        let fail = |key: &str, message: String| Err(locations.error(key, message));
        let axes = file.axes.iter().enumerate();
        let axes = axes.map(|(i, axis)| Axis::new(axis, i, file.seed, folder, locations));
        let axes = axes.collect::<Result<Vec<_>, _>>()?;
        if axes.is_empty() {
            return fail("", "the sweep has no [[axis]]".into());
        }
        let random = axes.iter().position(Axis::is_random);
        let samples = match (file.samples, random) {
            (Some(0), _) => return fail("samples", "must be at least 1".into()),
            (Some(_), None) => return fail("samples", "no axis is `random`".into()),
            (None, Some(i)) => {
                return fail(
                    &format!("axis.{i}.random"),
                    "how often is it drawn? `samples = 100` at the top says it".into(),
                );
            }
            (samples, _) => samples.unwrap_or(1),
        };
        let grid = axes.iter().try_fold(samples, |runs, axis| runs.checked_mul(axis.length()));
        let Some(runs) = grid.filter(|&runs| runs <= MAX_RUNS) else {
            return fail("axis", format!("the axes make more than {MAX_RUNS} runs"));
        };
        let part = match file.part {
            Some(0) => return fail("part", "must be at least 1".into()),
            Some(part) => part,
            None => default_part(runs),
        };
        if file.frames == Some(0) {
            return fail("frames", "must be at least 1".into());
        }
        match file.seconds {
            Some(seconds) if seconds <= 0.0 => return fail("seconds", "must be positive".into()),
            Some(_) if file.frames.is_some() => {
                return fail("seconds", "`frames` and `seconds` exclude each other".into());
            }
            _ => {}
        }
        let OutputFile { report, trace, trace_every, frames_every } = &file.output;
        let known = report_columns();
        let report = match report {
            // An axis may be a value of the report, such as `h`; its column has it then.
            None => {
                known.keys().filter(|name| axes.iter().all(|axis| axis.name != **name)).cloned().collect()
            }
            Some(names) => {
                chosen(names, &known.keys().map(String::as_str).collect::<Vec<_>>(), "report", locations)?
            }
        };
        let trace = chosen(trace, &trace::names(), "trace", locations)?;
        for (key, every) in [("trace_every", trace_every), ("frames_every", frames_every)] {
            if *every == Some(0) {
                return fail(&format!("output.{key}"), "must be at least 1".into());
            }
        }
        if trace_every.is_some() && trace.is_empty() {
            return fail("output.trace_every", "no columns are listed in `trace`".into());
        }
        let columns = columns(&axes, &report, &known, samples, random.is_some());
        let mut names = BTreeSet::new();
        for column in &columns {
            if !names.insert(column.name.as_str()) {
                let at = axes.iter().rposition(|axis| axis.name == column.name).unwrap_or(0);
                let message =
                    format!("there is another column `{}`; `name = …` gives this one another", column.name);
                return fail(&format!("axis.{at}"), message);
            }
        }
        let mut base = file.set.clone();
        base.extend(file.frames.map(|frames| format!("frames={frames}")));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let source = Source {
            version,
            name: name.to_owned(),
            text: text.to_owned(),
            folder: folder.to_owned(),
            scene,
        };
        Ok(Self {
            source,
            title: file.title.clone(),
            base,
            axes,
            samples,
            seed: file.seed,
            runs,
            part,
            columns,
            trace,
            trace_every: trace_every.unwrap_or(1),
            frames_every: *frames_every,
            seconds: file.seconds,
        })
    }

    /// Parses the scene with the values of each axis in turn, the others at their first.
    fn try_values(&self, locations: &Locations) -> Result<(), SceneError> {
        let first = self.choices(0);
        self.try_choices(&first, locations)?;
        for (i, axis) in self.axes.iter().enumerate() {
            let listed = axis.listed();
            let step = listed.len().div_ceil(TRIED).max(1);
            for choice in listed.iter().step_by(step).chain(listed.last()) {
                let mut choices = first.clone();
                choices[i] = choice.clone();
                self.try_choices(&choices, locations)?;
            }
        }
        (1..self.samples.min(DRAWN)).try_for_each(|sample| self.try_choices(&self.choices(sample), locations))
    }

    fn try_choices(&self, choices: &[Choice], locations: &Locations) -> Result<(), SceneError> {
        self.scene_with(choices).map(drop).map_err(|error| self.blame(error, choices, locations))
    }

    /// An error of an override, at the line of the sweep that wrote it.
    fn blame(&self, error: SceneError, choices: &[Choice], locations: &Locations) -> SceneError {
        let Place::Override(text) = &error.place else { return error };
        let random = |i: usize| format!("axis.{i}.random");
        let of_axis = choices.iter().enumerate().find(|(_, choice)| choice.set.contains(text));
        let at = match (of_axis, self.base.iter().position(|set| set == text)) {
            (Some((i, choice)), _) => {
                if choice.at.is_empty() {
                    random(i)
                } else {
                    choice.at.clone()
                }
            }
            (None, Some(i)) if text.starts_with("frames=") && i + 1 == self.base.len() => "frames".into(),
            (None, Some(i)) => format!("set.{i}"),
            (None, None) => return error,
        };
        locations.error(&at, format!("{text}: {}", error.message))
    }

    /// What the sweep is about.
    pub fn title(&self) -> &str {
        if self.title.is_empty() { &self.source.scene.name } else { &self.title }
    }

    /// Number of runs; they are numbered from 0.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Number of parts.
    pub fn parts(&self) -> u64 {
        self.runs.div_ceil(self.part)
    }

    /// The runs of a part.
    pub fn runs_of(&self, part: u64) -> std::ops::Range<u64> {
        let first = part.saturating_mul(self.part).min(self.runs);
        first..first.saturating_add(self.part).min(self.runs)
    }

    /// The axes; the last changes fastest, and samples faster still.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The columns of the table of runs.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Whether runs leave more than their rows, which then has to be written where they run.
    pub fn writes_more_than_rows(&self) -> bool {
        self.frames_every.is_some() || !self.trace.is_empty()
    }

    pub(crate) fn scene(&self) -> &SceneText {
        &self.source.scene
    }

    pub(crate) fn sample(&self, run: u64) -> Option<u64> {
        self.axes.iter().any(Axis::is_random).then(|| run % self.samples)
    }

    /// The value of a run on each axis.
    pub fn choices(&self, run: u64) -> Vec<Choice> {
        let (mut place, sample) = (run / self.samples, run % self.samples);
        let mut choices: Vec<Choice> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let choice = axis.choice(place % axis.length(), sample);
                place /= axis.length();
                choice
            })
            .collect();
        choices.reverse();
        choices
    }

    /// The scene with some values.
    pub(crate) fn scene_with(&self, choices: &[Choice]) -> Result<ParsedScene, SceneError> {
        let sets = self.base.iter().chain(choices.iter().flat_map(|choice| &choice.set));
        let overrides = sets.map(|set| Override::parse(set)).collect::<Result<Vec<_>, _>>()?;
        parse(&self.source.scene.text, &self.source.scene.origin, &overrides)
    }

    /// What a folder of results belongs to: equal texts mean equal rows.
    pub fn manifest(&self) -> String {
        let axes = self.axes.iter().map(|axis| {
            let values: Vec<&Value> = axis.listed().iter().map(|choice| &choice.value).collect();
            let values = if axis.is_random() { "random".into() } else { serde_json::json!(values) };
            serde_json::json!({ "name": axis.name, "values": values })
        });
        let manifest = serde_json::json!({
            "sinew": self.source.version,
            "title": self.title(),
            "runs": self.runs,
            "part": self.part,
            "parts": self.parts(),
            "samples": self.samples,
            "seed": self.seed,
            "axes": axes.collect::<Vec<_>>(),
            "columns": self.columns,
            "sweep": self.source.text,
            "scene": self.source.scene.text,
        });
        serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n"
    }
}

/// Parts of about a quarter of √runs: 500 runs are 100 parts, a million is 4000.
fn default_part(runs: u64) -> u64 {
    ((runs as f64).sqrt() / 4.0).round().max(1.0) as u64
}

fn scene_text(scene: &str, folder: &Path, locations: &Locations) -> Result<SceneText, SceneError> {
    let fail = |message: String| Err(locations.error("scene", message));
    if scene.is_empty() {
        return fail("the scene is missing: `scene = \"trampoline\"`, or a file".into());
    }
    if let Some(found) = builtin::find(scene) {
        return Ok(SceneText {
            name: found.name.to_owned(),
            origin: format!("{}.toml (built-in)", found.name),
            text: found.text.to_owned(),
            folder: PathBuf::new(),
        });
    }
    let path = folder.join(scene);
    let text = match input::read_text(&path) {
        Ok(text) => text,
        Err(_) if path.extension().is_none() && !path.exists() => {
            let hint =
                builtin::closest(scene).map_or(String::new(), |close| format!("; did you mean `{close}`?"));
            return fail(format!("there is no built-in scene `{scene}`{hint}"));
        }
        Err(error) => return fail(format!("{}: {error}", path.display())),
    };
    let beside = path.parent().map(Path::to_owned).unwrap_or_default();
    // Runs may be made by processes that were started elsewhere.
    let folder = std::fs::canonicalize(if beside.as_os_str().is_empty() { Path::new(".") } else { &beside });
    Ok(SceneText {
        name: path.file_stem().map_or_else(|| scene.to_owned(), |stem| stem.to_string_lossy().into_owned()),
        origin: scene.to_owned(),
        text,
        folder: folder.unwrap_or(beside),
    })
}

/// Checks names that the user chose among `known`.
fn chosen(
    names: &[String],
    known: &[&str],
    key: &str,
    locations: &Locations,
) -> Result<Vec<String>, SceneError> {
    let mut seen = BTreeSet::new();
    for (i, name) in names.iter().enumerate() {
        let at = format!("output.{key}.{i}");
        if !known.contains(&name.as_str()) {
            let message = format!("there is no value `{name}`{}", suggest::hint(name, known));
            return Err(locations.error(&at, message));
        }
        if !seen.insert(name) {
            return Err(locations.error(&at, format!("`{name}` is listed twice")));
        }
    }
    Ok(names.to_vec())
}

fn columns(
    axes: &[Axis],
    report: &[String],
    known: &BTreeMap<String, Kind>,
    samples: u64,
    random: bool,
) -> Vec<Column> {
    let column = |name: &str, kind: Kind| Column { name: name.to_owned(), kind };
    let mut columns = vec![column("run", Kind::Integer)];
    for axis in axes {
        let kind = if axis.is_random() {
            let drawn: Vec<Value> = (0..samples.min(2)).map(|sample| axis.choice(0, sample).value).collect();
            kind_of(drawn.iter())
        } else {
            kind_of(axis.listed().iter().map(|choice| &choice.value))
        };
        columns.push(column(&axis.name, kind));
    }
    if random {
        columns.push(column("sample", Kind::Integer));
    }
    columns.extend([column("ok", Kind::Boolean), column("failure", Kind::Text)]);
    columns.extend(report.iter().map(|name| column(name, known.get(name).copied().unwrap_or(Kind::Real))));
    columns
}
