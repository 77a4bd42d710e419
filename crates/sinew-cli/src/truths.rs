//! The true motions that `sinew compare --truth` compares its variants with.

use crate::drive::{Ending, drive};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use serde_json::{Value, json};
use sinew_scene::format::ParsedScene;
use sinew_scene::run::{Report, Truth, TruthShare};
use std::path::Path;

/// One truth for all variants that simulate the same scene in the same frames: they differ in how, not in what.
#[derive(Debug, Default)]
pub struct Truths {
    truths: Vec<Truth>,
    /// The truth of each variant.
    of_variant: Vec<usize>,
}

impl Truths {
    /// Adds the truth of the next variant.
    pub fn add(
        &mut self,
        variant: &str,
        parsed: &ParsedScene,
        folder: &Path,
        frames: usize,
        finer: usize,
    ) -> Result<(), Failure> {
        let name = if self.truths.is_empty() { "truth".to_owned() } else { format!("truth of {variant}") };
        let truth = Truth::new(name, parsed, folder, frames, finer)?;
        let known = self.truths.iter().position(|other| other.is_same_as(&truth));
        self.of_variant.push(known.unwrap_or(self.truths.len()));
        if known.is_none() {
            self.truths.push(truth);
        }
        Ok(())
    }

    /// Whether none was asked for.
    pub fn is_empty(&self) -> bool {
        self.truths.is_empty()
    }

    /// Runs them all; returns how it was stopped by Ctrl-C, if it was. A truth that explodes is a result, as it is for variants.
    pub fn simulate(&mut self, interrupt: &Interrupt, quiet: bool) -> Result<Option<Failure>, Failure> {
        for truth in &mut self.truths {
            let run = &mut truth.run;
            if drive(run, None, interrupt, quiet)? == Ending::Interrupted {
                return Ok(Some(Failure::Interrupted { frame: run.frame(), frames: run.frames() }));
            }
        }
        Ok(None)
    }

    /// The reports of the truths.
    pub fn reports(&self) -> Vec<Report> {
        self.truths.iter().map(|truth| truth.run.report()).collect()
    }

    /// What share of its truth a variant has.
    pub fn share(&self, variant: usize, report: &Report) -> TruthShare {
        self.of(variant).map_or_else(TruthShare::default, |truth| truth.share_of(report))
    }

    /// The entry of a variant in the JSON; `None` if no truth was asked for.
    pub fn json(&self, variant: usize, report: &Report) -> Option<Value> {
        let truth = self.of(variant)?;
        Some(json!({
            "share": truth.share_of(report),
            "method": truth.method(),
            "doubt": truth.doubt(),
            "report": truth.run.report(),
        }))
    }

    /// How each was computed, and what is wrong with it, a sentence each.
    pub fn remarks(&self) -> impl Iterator<Item = String> + '_ {
        self.truths.iter().flat_map(|truth| [Some(truth.method()), truth.doubt()]).flatten()
    }

    fn of(&self, variant: usize) -> Option<&Truth> {
        self.truths.get(*self.of_variant.get(variant)?)
    }
}
