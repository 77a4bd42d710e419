//! Progress of a run: a bar on a terminal, a line now and then elsewhere.

use crate::console;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two lines if there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Shows the progress of a run on stderr.
#[derive(Debug)]
pub struct Progress {
    manner: Manner,
    name: String,
    first: usize,
    frames: usize,
    begin: Instant,
}

#[derive(Debug)]
enum Manner {
    Bar(ProgressBar),
    Lines { last: Instant },
    Silence,
}

impl Progress {
    /// For a run that is at frame `first` of `frames`.
    pub fn new(name: &str, first: usize, frames: usize, quiet: bool) -> Self {
        let manner = if quiet {
            Manner::Silence
        } else if std::io::stderr().is_terminal() {
            let style = "{prefix} {wide_bar} frame {pos}/{len}  {eta} left";
            let bar = ProgressBar::new(frames as u64).with_prefix(name.to_owned());
            bar.set_style(
                ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            Manner::Bar(bar.with_position(first as u64))
        } else {
            Manner::Lines { last: Instant::now() }
        };
        Self { manner, name: name.to_owned(), first, frames, begin: Instant::now() }
    }

    /// Reports that the run has reached `frame`.
    pub fn reach(&mut self, frame: usize) {
        match &mut self.manner {
            Manner::Bar(bar) => bar.set_position(frame as u64),
            Manner::Lines { last } if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                let done = (frame - self.first).max(1) as f64;
                let left = self.begin.elapsed().as_secs_f64() / done * (self.frames - frame) as f64;
                let (name, frames) = (&self.name, self.frames);
                console::remark(format_args!("{name}: frame {frame} of {frames}, {left:.0} s left"));
            }
            _ => {}
        }
    }

    /// Ends the progress display.
    pub fn finish(self) {
        if let Manner::Bar(bar) = self.manner {
            bar.finish_and_clear();
        }
    }
}

/// Shows on stderr how many of many things are done.
#[derive(Debug)]
pub struct Counter {
    bar: Option<ProgressBar>,
    name: String,
    what: &'static str,
    quiet: bool,
    begin: Instant,
    last: Instant,
}

impl Counter {
    /// `what` is the name of one thing.
    pub fn new(name: &str, what: &'static str, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style = format!("{{prefix}} {{wide_bar}} {what} {{pos}}/{{len}}  {{msg}}");
            let style = ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(0).with_prefix(name.to_owned()).with_style(style)
        });
        let now = Instant::now();
        Self { bar, name: name.to_owned(), what, quiet, begin: now, last: now }
    }

    /// Reports that `done` of `all` are done, `before` of them from the start, with a remark.
    pub fn reach(&mut self, before: u64, done: u64, all: u64, remark: &str) {
        let new = done.saturating_sub(before).max(1) as f64;
        let left = self.begin.elapsed().as_secs_f64() / new * all.saturating_sub(done) as f64;
        let left = span(left);
        if let Some(bar) = &self.bar {
            bar.set_length(all);
            bar.set_position(done);
            bar.set_message(format!("{left} left{remark}"));
        } else if !self.quiet && self.last.elapsed() >= LINE_INTERVAL {
            self.last = Instant::now();
            let (name, what) = (&self.name, self.what);
            console::remark(format_args!("{name}: {what} {done} of {all}{remark}, {left} left"));
        }
    }

    /// Ends the display.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Seconds as people say them.
fn span(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
