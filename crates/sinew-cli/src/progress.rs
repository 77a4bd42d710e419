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
