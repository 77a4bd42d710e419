//! An axis: what one column of the table changes in the scene, and its values.

use crate::axis_file::{AxisFile, RandomFile, RangeFile};
use crate::random;
use crate::value::Value;
use sinew_scene::format::{Locations, Override, SceneError};
use std::path::Path;

/// Largest number of values of an axis.
const MAX_VALUES: usize = 1_000_000;

/// What differs between runs in one respect.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of its column.
    pub name: String,
    pub(crate) choices: Choices,
}

/// The values of an axis.
#[derive(Clone, Debug)]
pub(crate) enum Choices {
    /// One of a list, by the place of a run in the grid.
    Listed(Vec<Choice>),
    /// A draw, by the number of a sample.
    Random { keys: Vec<String>, range: RandomFile, seed: u64 },
}

/// One value with what it changes.
#[derive(Clone, Debug)]
pub struct Choice {
    /// As it stands in the table.
    pub value: Value,
    /// Overrides of the scene, `KEY=VALUE`.
    pub set: Vec<String>,
    /// The key of the sweep that wrote it, for errors.
    pub(crate) at: String,
}

impl Axis {
    /// Checks axis `index` of a sweep in `folder`.
    pub(crate) fn new(
        file: &AxisFile,
        index: usize,
        seed: u64,
        folder: &Path,
        locations: &Locations,
    ) -> Result<Self, SceneError> {
        let at = format!("axis.{index}");
        let error = |key: &str, message: String| locations.error(&format!("{at}{key}"), message);
        let fail = |key: &str, message: String| Err(error(key, message));
        let keys = &file.key.0;
        match file.given()[..] {
            ["cases"] if keys.is_empty() => {}
            ["cases"] => {
                return fail(".key", "an axis with `cases` has no key: each case names its own".into());
            }
            [_] if !keys.is_empty() => {}
            [_] => {
                return fail(
                    "",
                    "the key of the scene that the axis changes is missing: `key = \"solver.iterations\"`"
                        .into(),
                );
            }
            [] => {
                return fail("", "the values are missing: one of `values`, `range`, `log_range`, `random`, `files`, `cases`".into());
            }
            ref more => {
                return fail("", format!("has {}: an axis lists its values in one way", more.join(" and ")));
            }
        }
        let name = match (&file.name, keys.first()) {
            (Some(name), _) if name.trim().is_empty() => return fail(".name", "is empty".into()),
            (Some(name), _) => name.clone(),
            (None, Some(key)) => key.clone(),
            (None, None) => {
                return fail(
                    "",
                    "an axis with `cases` needs a name for its column: `name = \"method\"`".into(),
                );
            }
        };
        for (i, key) in keys.iter().enumerate() {
            if key.contains('=') || Override::parse(&format!("{key}=0")).is_err() {
                let place = if keys.len() == 1 { ".key".to_owned() } else { format!(".key.{i}") };
                return fail(&place, format!("`{key}` is no dotted key of a scene"));
            }
        }
        let plain = |values: Vec<Value>, list: &str| -> Vec<Choice> {
            let indexed = list == "values";
            let choices = values.into_iter().enumerate().map(|(i, value)| Choice {
                set: keys.iter().map(|key| format!("{key}={}", value.toml())).collect(),
                at: if indexed { format!("{at}.{list}.{i}") } else { format!("{at}.{list}") },
                value,
            });
            choices.collect()
        };
        let listed = if let Some(values) = &file.values {
            plain(values.clone(), "values")
        } else if let Some(range) = &file.range {
            plain(even(range).map_err(|why| error(".range", why))?, "range")
        } else if let Some(range) = &file.log_range {
            plain(logarithmic(range).map_err(|why| error(".log_range", why))?, "log_range")
        } else if let Some(range) = file.random {
            check_random(&range).map_err(|why| error(".random", why))?;
            let choices = Choices::Random { keys: keys.clone(), range, seed };
            return Ok(Self { name, choices });
        } else if let Some(files) = &file.files {
            let found = find_files(&files.0, folder).map_err(|why| error(".files", why))?;
            let choices = found.into_iter().map(|(shown, path)| Choice {
                set: keys.iter().map(|key| format!("{key}={}", Value::Text(path.clone()).toml())).collect(),
                at: format!("{at}.files"),
                value: Value::Text(shown),
            });
            choices.collect()
        } else {
            let cases = file.cases.clone().unwrap_or_default().0;
            let choices = cases.into_iter().map(|(name, set)| Choice {
                at: format!("{at}.cases.{name}"),
                value: Value::Text(name),
                set,
            });
            choices.collect()
        };
        let way = file.given().first().copied().unwrap_or_default();
        match listed.len() {
            0 => return fail(&format!(".{way}"), "has no value".into()),
            n if n > MAX_VALUES => {
                return fail(&format!(".{way}"), format!("has more than {MAX_VALUES} values"));
            }
            _ => {}
        }
        if let Some((i, again)) = repeated(&listed) {
            let place = if way == "values" { format!(".values.{i}") } else { format!(".{way}") };
            return fail(&place, format!("{again} is listed twice"));
        }
        Ok(Self { name, choices: Choices::Listed(listed) })
    }

    /// The values in the grid; 1 for a random axis, whose values follow the samples.
    pub(crate) fn length(&self) -> u64 {
        match &self.choices {
            Choices::Listed(list) => list.len() as u64,
            Choices::Random { .. } => 1,
        }
    }

    /// Whether its values are drawn.
    pub fn is_random(&self) -> bool {
        matches!(self.choices, Choices::Random { .. })
    }

    /// Its listed values; none if they are drawn.
    pub fn listed(&self) -> &[Choice] {
        match &self.choices {
            Choices::Listed(list) => list,
            Choices::Random { .. } => &[],
        }
    }

    /// The value at a place in the grid, or of a sample.
    pub(crate) fn choice(&self, place: u64, sample: u64) -> Choice {
        match &self.choices {
            Choices::Listed(list) => list[place as usize % list.len()].clone(),
            Choices::Random { keys, range, seed } => {
                let value = draw(range, random::unit(*seed, &self.name, sample));
                let set = keys.iter().map(|key| format!("{key}={}", value.toml())).collect();
                Choice { value, set, at: String::new() }
            }
        }
    }
}

/// The first value that was there before, and its place.
fn repeated(list: &[Choice]) -> Option<(usize, String)> {
    let mut seen = std::collections::BTreeSet::new();
    list.iter()
        .enumerate()
        .find(|(_, choice)| !seen.insert(choice.value.toml()))
        .map(|(i, choice)| (i, choice.value.to_string()))
}

fn check_count(range: &RangeFile) -> Result<(), String> {
    match range.count {
        0 => Err("`count` must be at least 1".into()),
        1 if range.from != range.to => Err("`count` is 1, but `from` and `to` differ".into()),
        n if n > MAX_VALUES => Err(format!("`count` must be at most {MAX_VALUES}")),
        _ => Ok(()),
    }
}

fn even(range: &RangeFile) -> Result<Vec<Value>, String> {
    check_count(range)?;
    Ok(spaced(range.from, range.to, range.count).into_iter().map(Value::Real).collect())
}

fn logarithmic(range: &RangeFile) -> Result<Vec<Value>, String> {
    check_count(range)?;
    if range.from <= 0.0 || range.to <= 0.0 {
        return Err("`from` and `to` must be positive for a logarithmic range".into());
    }
    let logs = spaced(range.from.log10(), range.to.log10(), range.count);
    let last = range.count - 1;
    let value = |(i, log): (usize, f64)| match i {
        0 => range.from,
        _ if i == last => range.to,
        _ => tidy(10_f64.powf(log)),
    };
    Ok(logs.into_iter().enumerate().map(|entry| Value::Real(value(entry))).collect())
}

/// From the first to the last, both exact.
fn spaced(from: f64, to: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1);
    let value = |i: usize| match i {
        0 => from,
        _ if i == last => to,
        _ => tidy(from + (to - from) * i as f64 / last as f64),
    };
    (0..count).map(value).collect()
}

/// Rounded to 12 digits, so that a table reads 0.3 and not 0.30000000000000004.
fn tidy(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}

fn check_random(range: &RandomFile) -> Result<(), String> {
    if range.from >= range.to {
        return Err("`from` must be less than `to`".into());
    }
    if range.log && range.from <= 0.0 {
        return Err("`from` must be positive with `log = true`".into());
    }
    let whole = |x: f64| x.fract() == 0.0 && x.abs() < 9e15;
    if range.integer && !(whole(range.from) && whole(range.to)) {
        return Err("`from` and `to` must be whole numbers with `integer = true`".into());
    }
    if range.integer && range.log {
        return Err("`integer` and `log` exclude each other".into());
    }
    Ok(())
}

fn draw(range: &RandomFile, unit: f64) -> Value {
    let RandomFile { from, to, log, integer } = *range;
    if integer {
        return Value::Integer((from + ((to - from + 1.0) * unit).floor()).min(to) as i64);
    }
    Value::Real(if log { (from.ln() + (to / from).ln() * unit).exp() } else { from + (to - from) * unit })
}

/// Files by name or pattern, as they are shown and where they are; a pattern's are sorted.
fn find_files(given: &[String], folder: &Path) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for text in given {
        let path = folder.join(text);
        if !text.contains('*') {
            if !path.is_file() {
                return Err(format!("{}: there is no such file", path.display()));
            }
            found.push((text.clone(), absolute(&path)?));
            continue;
        }
        let (parent, pattern) = match text.rsplit_once('/') {
            Some((parent, _)) if parent.contains('*') => {
                return Err(format!("`{text}`: only the name of the file may contain `*`, not its folder"));
            }
            Some((parent, pattern)) => (format!("{parent}/"), pattern),
            None => (String::new(), text.as_str()),
        };
        let entries = std::fs::read_dir(folder.join(&parent).join("."))
            .map_err(|error| format!("{}: {error}", folder.join(&parent).display()))?;
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| matches(pattern, name) && folder.join(&parent).join(name).is_file())
            .collect();
        names.sort();
        if names.is_empty() {
            return Err(format!("no file matches `{text}`"));
        }
        for name in names {
            let path = absolute(&folder.join(&parent).join(&name))?;
            found.push((format!("{parent}{name}"), path));
        }
    }
    Ok(found)
}

fn absolute(path: &Path) -> Result<String, String> {
    let full = std::fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()))?;
    full.to_str().map(str::to_owned).ok_or_else(|| format!("{} is not Unicode", path.display()))
}

/// Whether a name fits a pattern in which `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|name| {
            name.char_indices().map(|(i, _)| i).chain([name.len()]).any(|i| matches(rest, &name[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends_and_read_well() {
        let numbers = |list: Vec<Value>| list.iter().map(Value::toml).collect::<Vec<_>>().join(" ");
        let range = RangeFile { from: 0.1, to: 0.4, count: 4 };
        assert_eq!(numbers(even(&range).unwrap()), "0.1 0.2 0.3 0.4");
        let range = RangeFile { from: 1e3, to: 1e6, count: 4 };
        assert_eq!(numbers(logarithmic(&range).unwrap()), "1000.0 10000.0 100000.0 1000000.0");
        assert!(logarithmic(&RangeFile { from: 0.0, ..range }).is_err());
    }

    #[test]
    fn draws_stay_within_their_range() {
        let dice = RandomFile { from: 1.0, to: 6.0, log: false, integer: true };
        let mut counts = [0; 7];
        (0..6000).for_each(|i| match draw(&dice, random::unit(1, "dice", i)) {
            Value::Integer(n) => counts[n as usize] += 1,
            other => panic!("{other}"),
        });
        assert!(counts[0] == 0 && counts[1..].iter().all(|&n| (850..1150).contains(&n)), "{counts:?}");
        let young = RandomFile { from: 1e3, to: 1e7, log: true, integer: false };
        let below =
            (0..4000).filter(|&i| draw(&young, random::unit(1, "E", i)).number().unwrap() < 1e5).count();
        assert!((1850..2150).contains(&below), "{below} of 4000 below the middle of the logarithm");
    }

    #[test]
    fn patterns() {
        for (pattern, name, fits) in [
            ("*.msh", "a.msh", true),
            ("a*b*", "axxbyy", true),
            ("*.msh", "a.obj", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
