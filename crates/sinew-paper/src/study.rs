//! Figures that need no simulation: a function measures and draws everything.

use super::{Document, Finding, Length};
use sinew_scene::export::image::Image;
use sinew_scene::export::plot::Figure;

/// A figure of a paper that is not about a simulation, to be reproduced.
#[derive(Clone, Copy)]
pub struct Study {
    /// Its name on the command line.
    pub id: &'static str,
    /// The comparison.
    pub title: &'static str,
    /// The document that it comes from.
    pub document: Document,
    /// The figure in that document.
    pub figure: &'static str,
    /// The paper's claim.
    pub claim: &'static str,
    pub(super) run: fn(Length) -> Result<Outcome, String>,
}

/// What a study found.
#[derive(Debug)]
pub struct Outcome {
    /// Numbers and verdict.
    pub finding: Finding,
    /// The plot in the paper's form.
    pub plot: Option<Figure>,
    /// The picture in the paper's form.
    pub picture: Option<Image>,
}

impl std::fmt::Debug for Study {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Study").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Study {
    /// Measures and judges; the error is a sentence.
    ///
    /// # Errors
    /// A sentence that says what could not be measured.
    pub fn run(&self, length: Length) -> Result<Outcome, String> {
        let mut outcome = (self.run)(length)?;
        outcome.finding.id = self.id;
        if let Some(first) = outcome.plot.as_mut().and_then(|plot| plot.panels.first_mut()) {
            first.title = format!("{}, {}: {}", self.document.name(), self.figure, self.title);
        }
        Ok(outcome)
    }
}
