//! The table of all simulators.

use super::energy::{Kept, Motion};
use super::rivals::{Aim, Configuration, Rival};
use super::subject::Scene;
use crate::record::{Table, number};
use crate::statistics::Sample;

/// Above this share of the initial energy, a motion has gained energy; a kinetic energy of this many times it counts as an explosion.
const GAINED: f64 = 1.05;
const EXPLODED: f64 = 100.0;

/// The simulator of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Sinew.
    Ours,
    /// A rival.
    Rival(Rival, Aim),
}

/// A line of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The simulator.
    pub who: Who,
    /// Stiffness over the shipped one.
    pub factor: f64,
    /// The name of the configuration.
    pub name: String,
    /// Milliseconds per frame; empty if it did not run.
    pub times: Sample,
    /// What the motion kept of its energy; `None` if there is no motion.
    pub kept: Option<Kept>,
    /// What a reader must know.
    pub note: String,
}

impl Row {
    /// Our line.
    pub fn of_ours(factor: f64, times: Vec<f64>, motion: &Motion, floor: f64, h: f64) -> Self {
        let kept = motion.kept(floor, h);
        let name = "Sinew, fepr, the scene as shipped".to_owned();
        Self { who: Who::Ours, factor, name, times: Sample::new(times), kept, note: note(motion, kept, "") }
    }

    /// The line of a rival, or why there is none.
    pub fn of_rival(
        rival: Rival,
        configuration: &Configuration,
        factor: f64,
        outcome: Result<(Vec<f64>, Motion, String), String>,
        scene: Scene,
        floor: f64,
        h: f64,
    ) -> Self {
        let who = Who::Rival(rival, configuration.aim);
        let name = format!("{}, {} ({})", rival.name(), configuration.name, configuration.aim.name());
        match outcome {
            Ok((times, motion, said)) => {
                let kept = motion.kept(floor, h);
                let remarks = [rival.remark(scene), &said].into_iter().filter(|text| !text.is_empty());
                let note = note(&motion, kept, &remarks.collect::<Vec<_>>().join("; "));
                Self { who, factor, name, times: Sample::new(times), kept, note }
            }
            Err(why) => Self { who, factor, name, times: Sample::default(), kept: None, note: why },
        }
    }
}

fn note(motion: &Motion, kept: Option<Kept>, remark: &str) -> String {
    let time = kept.map_or(0.0, |kept| kept.time);
    let (energy, potential) = kept.map_or((0.0, 0.0), |kept| (kept.energy, kept.potential));
    let gone = motion.exploded || energy - potential > EXPLODED;
    let what = if gone {
        format!("explodes after {time:.1} s")
    } else if motion.frames.len() <= motion.wanted {
        format!("after {time:.1} s: out of time")
    } else {
        String::new()
    };
    let gains = match (gone, potential > GAINED, energy > GAINED) {
        (true, ..) | (_, false, false) => "",
        // Constraints that are far from solved look like stretched springs.
        (_, true, _) => "overstretched: its solver does not converge",
        (_, false, true) => "gains energy",
    };
    [remark, &what, gains].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The table of all simulators at every stiffness.
pub fn tabulate(scene: Scene, rows: &[Row]) -> Table {
    let title = match scene {
        Scene::Cloth => "Scene C: cloth of 3,721 vertices and 18,118 springs, held by four corners",
        Scene::Bar => "Scene B: bar of 5,000 vertices and 19,845 tetrahedra, held at one end",
    };
    let columns =
        ["stiffness", "simulator", "ms a frame", "spread", "kept", "visible", "KE", "sag (m)", "note"];
    let mut table = Table::new(title, &columns);
    for row in rows {
        let of = |value: &dyn Fn(&Kept) -> f64, digits: usize| {
            let shown = row.kept.as_ref().map(value).filter(|value| value.is_finite());
            shown.map_or_else(
                || "–".to_owned(),
                |x| if x.abs() < 1e3 { format!("{x:.digits$}") } else { format!("{x:.0e}") },
            )
        };
        table.rows.push(vec![
            format!("×{}", row.factor),
            row.name.clone(),
            number(row.times.median()),
            number(row.times.spread()),
            of(&|kept| kept.energy, 3),
            of(&|kept| kept.visible, 2),
            of(&|kept| kept.kinetic, 2),
            of(&|kept| kept.sag, 3),
            row.note.clone(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::energy::Frame;
    use super::*;

    #[test]
    fn a_rival_that_does_not_run_is_a_line_with_the_reason() {
        let configuration = &Rival::Jolt.configurations(Scene::Cloth)[0];
        let why = Err("`npm` cannot be started".to_owned());
        let row = Row::of_rival(Rival::Jolt, configuration, 1.0, why, Scene::Cloth, 0.0, 0.1);
        let table = tabulate(Scene::Cloth, &[row]);
        assert_eq!(
            table.rows[0][2..],
            ["–", "–", "–", "–", "–", "–", "`npm` cannot be started"].map(str::to_owned)
        );
        assert!(table.rows[0][1].starts_with("Jolt") && table.rows[0].len() == table.columns.len());
    }

    #[test]
    fn a_motion_that_ended_early_says_when() {
        let frame = Frame { kinetic: 1.0, potential: 0.0, depth: 0.0, visible: 1.0 };
        let mut motion = Motion { frames: vec![frame; 5], wanted: 9, exploded: false };
        let row = |motion: &Motion| Row::of_ours(1.0, vec![1.0], motion, 0.0, 0.5);
        assert_eq!(row(&motion).note, "after 2.0 s: out of time");
        motion.exploded = true;
        assert_eq!(row(&motion).note, "explodes after 2.0 s");
        motion = Motion { frames: vec![frame; 10], wanted: 9, exploded: false };
        assert_eq!(row(&motion).note, "");
    }
}
