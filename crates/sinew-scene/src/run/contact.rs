//! What contact did in a run, and what to change if it could not do better.

use super::solve::{finer, more_iterations};
use super::totals::Totals;
use crate::build::BuiltScene;
use crate::format::Contact;
use serde::Serialize;

/// A collider that is held back by more than this share of the model's size is visibly not where it should be.
const SEEN: f64 = 1e-3;
/// Share of steps with something held back above which a run deserves a remark.
const MOST_CUT: f64 = 0.1;

/// Depth, number and work of contacts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContactReport {
    /// Largest depth of a vertex below the surface of a collider or of a body in any frame, as a share of its body's size.
    pub deepest: f64,
    /// Mean number of contacts per step.
    pub contacts_mean: f64,
    /// Largest number of contacts in a step.
    pub contacts_max: u64,
    /// Mean number of rounds of solver and contact per step.
    pub rounds_mean: f64,
    /// Largest number of rounds in a step.
    pub rounds_max: u64,
    /// Share of the steps that ended with vertices still held back.
    pub cut: f64,
    /// Work of contacts that steps left open, J; sum over the steps.
    pub unclosed: f64,
    /// How far colliders were held back from where they should be at most, m.
    pub held_back: f64,
    /// What to change, a sentence each.
    pub advice: Vec<String>,
}

impl ContactReport {
    pub(super) fn of(totals: &Totals, steps: f64, built: &BuiltScene) -> Self {
        let mean = |sum: f64| if steps > 0.0 { sum / steps } else { 0.0 };
        let report = Self {
            deepest: totals.depth,
            contacts_mean: mean(totals.contacts),
            contacts_max: totals.most_contacts as u64,
            rounds_mean: mean(totals.rounds),
            rounds_max: totals.most_rounds as u64,
            cut: mean(totals.cut),
            unclosed: totals.unclosed,
            held_back: totals.held_back,
            advice: Vec::new(),
        };
        let advice = [squeeze(&report, built.model().size()), cut(&report, built), outdated(built)];
        Self { advice: advice.into_iter().flatten().collect(), ..report }
    }
}

fn squeeze(report: &ContactReport, size: f64) -> Option<String> {
    (report.held_back > SEEN * size).then(|| {
        format!(
            "colliders were held back by up to {:.2} mm because what they squeeze has no room left: move them less, or make the body thinner",
            1e3 * report.held_back
        )
    })
}

fn cut(report: &ContactReport, built: &BuiltScene) -> Option<String> {
    let settings = built.settings();
    (report.cut > MOST_CUT).then(|| {
        let share = (100.0 * report.cut).round();
        let change: Vec<String> = more_iterations(settings).into_iter().chain([finer(settings)]).collect();
        let change = change.join(", or ");
        format!("{share} % of the steps ended with vertices that contacts still held back: {change}")
    })
}

/// About keys of older scenes.
fn outdated(built: &BuiltScene) -> Option<String> {
    let Contact { stiffness, response, .. } = built.scene.contact.as_ref()?;
    let keys = match (stiffness, response) {
        (None, None) => return None,
        (Some(_), None) => "contact.stiffness has",
        (None, Some(_)) => "contact.response has",
        (Some(_), Some(_)) => "contact.stiffness and contact.response have",
    };
    Some(format!("{keys} no effect any more: contacts keep surfaces apart without a potential of their own"))
}

#[cfg(test)]
mod tests {
    use super::super::Row;
    use super::*;
    use crate::build::build;
    use crate::format::parse;
    use std::path::Path;

    fn built(contact: &str) -> BuiltScene {
        let scene = "h = 0.02\n[material]\nyoung = 1e4\npoisson = 0.3\ndensity = 1000\n[[body]]\nmesh.tetrahedron = {}\n";
        let solver = "[solver]\niterations = 30\n";
        build(&parse(&format!("{scene}{solver}{contact}"), "scene.toml", &[]).unwrap(), Path::new(""))
            .unwrap()
    }

    fn report_of(rows: &[Row], contact: &str) -> ContactReport {
        let first = Row::default();
        let mut totals = Totals::new(&first);
        rows.iter().for_each(|row| totals.add(row, &first));
        ContactReport::of(&totals, rows.len() as f64, &built(contact))
    }

    #[test]
    fn sums_extremes_and_shares_of_the_steps() {
        let row =
            |rounds, cut, unclosed, held_back| Row { rounds, cut, unclosed, held_back, ..Row::default() };
        let report = report_of(&[row(2, 0, 0.5, 1e-9), row(5, 1, 0.25, 2e-9)], "[contact]\n");
        assert_eq!((report.rounds_mean, report.rounds_max, report.cut), (3.5, 5, 0.5));
        assert_eq!((report.unclosed, report.held_back), (0.75, 2e-9));
        let expected = "50 % of the steps ended with vertices that contacts still held back: \
                        raise solver.iterations (now 30), or take a smaller h (now 0.02 s)";
        assert_eq!(report.advice, [expected]);
    }

    #[test]
    fn a_squeeze_is_named_with_its_distance() {
        let row = Row { held_back: 0.0125, ..Row::default() };
        let [advice] = &report_of(&[row], "[contact]\n").advice[..] else { panic!() };
        assert!(advice.contains("12.50 mm") && advice.contains("thinner"), "{advice}");
    }

    #[test]
    fn good_runs_and_scenes_without_contact_need_no_advice() {
        let mut rows = vec![Row { rounds: 3, held_back: 1e-6, ..Row::default() }; 10];
        rows[0].cut = 1;
        for contact in ["", "[contact]\n"] {
            assert_eq!(report_of(&rows, contact).advice, [""; 0]);
        }
    }

    #[test]
    fn keys_without_effect_are_named() {
        let advice = |keys: &str| report_of(&[], &format!("[contact]\n{keys}")).advice.concat();
        assert!(advice("stiffness = 3\n").starts_with("contact.stiffness has no effect"));
        assert!(advice("response = \"cubic\"\n").starts_with("contact.response has no effect"));
        assert!(
            advice("response = \"cubic\"\nstiffness = 3\n").contains("stiffness and contact.response have")
        );
    }
}
