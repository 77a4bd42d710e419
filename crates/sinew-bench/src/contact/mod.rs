//! The cost of contact, the share of detection in it and, beside other simulators, what it is worth: how many surfaces cross.

mod cost;
mod detection;
pub(crate) mod scenes;

use crate::catalogue::Options;
use crate::error::BenchError;
use crate::peers;
use crate::record::{Bound, Detail, Record, Table, number};
use cost::{Cost, Length};
use detection::Detection;
use scenes::Recipe;

/// Largest ratios of the time of a step with contact to one without: cloth with self-contact, and solids.
const CLOTH_GOAL: f64 = 2.5;
const SOLID_GOAL: f64 = 1.5;
/// Largest share of detection in a step, %.
const DETECTION_GOAL: f64 = 20.0;

/// Two seconds of the cloth, in which it falls on the ring and lays itself around it, and the solids until they have come to rest.
const CLOTH: Length = Length { steps: 60, rounds: 3, budget: 30.0 };
const SOLID: Length = Length { steps: 120, rounds: 3, budget: 10.0 };
const QUICK: Length = Length { steps: 40, rounds: 1, budget: 4.0 };

/// The median time of a step of `cloth-torus` with self-contact over that of the same step without contact.
pub fn contact(
    id: &'static str,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Record, BenchError> {
    let quick = options.quick;
    let small: &[&str] = if quick { &["body.0.mesh.cloth.cells=[16,16]"] } else { &[] };
    let alone = [small, &["contact.self=false"]].concat();
    let recipes = [
        (Recipe::shipped("cloth-torus", "cloth-torus", small)?, CLOTH, Some(CLOTH_GOAL)),
        (Recipe::shipped("cloth-torus", "cloth-torus without self-contact", &alone)?, CLOTH, None),
        (Recipe::solid(quick)?, SOLID, Some(SOLID_GOAL)),
        (Recipe::shipped("stairs", "stairs", &[])?, SOLID, Some(SOLID_GOAL)),
    ];
    let mut costs = Vec::new();
    for (recipe, length, goal) in &recipes {
        progress(&recipe.name);
        costs.push((Cost::measure(recipe, if quick { QUICK } else { *length })?, *goal));
    }
    let detections = detection::measure(quick, progress)?;
    let record = record(id, &costs, &detections)?;
    if options.with_peers { peers::drape(record, options, progress) } else { Ok(record) }
}

fn record(id: &str, costs: &[(Cost, Option<f64>)], detections: &[Detection]) -> Result<Record, BenchError> {
    let Some((first, _)) = costs.first() else {
        return Err(BenchError::CannotRun("no scene was measured".into()));
    };
    let mut record = Record::new(id, &first.ratios(), "×");
    record.reference = "the same step of the same bodies without contact".into();
    record.reference_value = Some(1.0);
    record.ratio = record.value;
    for (cost, goal) in costs {
        let (name, ratio) = (format!("{}, step", cost.name), cost.ratios().median());
        record = record.detail(match goal {
            Some(goal) => Detail::bounded(name, ratio, "", Bound::AtMost(*goal)),
            None => Detail::new(name, ratio, ""),
        });
        let by_iteration = cost.ratios_by_iteration().median();
        record = record.detail(Detail::new(format!("{}, iteration", cost.name), by_iteration, ""));
    }
    for each in detections {
        let name = format!("detection at {} triangles", each.size.0);
        let share = each.share().median();
        record = record.detail(Detail::bounded(name, share, "%", Bound::AtMost(DETECTION_GOAL)));
    }
    let record = record.table(cost_table(costs)).table(detection_table(detections)).note(
        "one thread; the step without contact starts from the same state, in turn, and only steps in which something presses count; ratios are medians over these \
         steps with their interquartile range, of sums is the time of all of them together; detection is search, filter and linearising",
    );
    let short = costs.iter().filter_map(|(cost, _)| cost.shortened());
    Ok(short.fold(record, Record::note))
}

fn cost_table(costs: &[(Cost, Option<f64>)]) -> Table {
    let columns = [
        "scene",
        "vertices",
        "triangles",
        "steps",
        "without (ms)",
        "with (ms)",
        "ratio",
        "spread",
        "of sums",
        "iterations",
        "ratio by iteration",
        "rounds",
        "detection (%)",
    ];
    let mut table = Table::new("A step in contact and the same step without contact", &columns);
    for (cost, _) in costs {
        let median = |of: &dyn Fn(&cost::Step, &cost::Step) -> f64| cost.of(of).median();
        let iterations =
            [median(&|_, without| without.iterations as f64), median(&|with, _| with.iterations as f64)];
        table.rows.push(vec![
            cost.name.clone(),
            cost.size.0.to_string(),
            cost.size.1.to_string(),
            cost.steps.len().to_string(),
            number(median(&|_, without| without.time)),
            number(median(&|with, _| with.time)),
            number(cost.ratios().median()),
            number(cost.ratios().spread()),
            number(cost.ratio_of_sums()),
            format!("{:.0} → {:.0}", iterations[0], iterations[1]),
            number(cost.ratios_by_iteration().median()),
            format!("{:.0}", median(&|with, _| with.rounds as f64)),
            number(median(&|with, _| 100.0 * with.detection / with.time)),
        ]);
    }
    table
}

fn detection_table(detections: &[Detection]) -> Table {
    let columns =
        ["triangles", "vertices", "steps", "step (ms)", "detection (ms)", "share (%)", "spread", "contacts"];
    let mut table =
        Table::new("Detection in a step of a cloth that lies on a sphere, with self-contact", &columns);
    for each in detections {
        table.rows.push(vec![
            each.size.0.to_string(),
            each.size.1.to_string(),
            each.steps.len().to_string(),
            number(each.of(|step| step.time).median()),
            number(each.of(|step| step.detection).median()),
            number(each.share().median()),
            number(each.share().spread()),
            format!("{:.0}", each.of(|step| step.pressing as f64).median()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use cost::Step;

    #[test]
    fn the_value_is_the_ratio_of_the_first_scene_and_every_goal_counts() {
        let step = |time: f64| Step { time, detection: 0.1 * time, iterations: 5, pressing: 3, rounds: 1 };
        let cost = |ratio: f64| Cost {
            name: "x".into(),
            size: (4, 2),
            steps: vec![(step(ratio), step(1.0)); 3],
            made: (3, 3),
        };
        let detections = [Detection { size: (2, 4), steps: vec![step(1.0); 3] }];
        let record_of = |last: f64| {
            record("contact", &[(cost(2.0), Some(CLOTH_GOAL)), (cost(last), Some(SOLID_GOAL))], &detections)
                .unwrap()
        };
        let good = record_of(1.2);
        assert!(good.pass && good.value == Some(2.0) && good.ratio == Some(2.0), "{good:?}");
        assert!(good.tables.iter().all(|t| t.rows.iter().all(|row| row.len() == t.columns.len())));
        assert!(good.goal.contains("x, step ≤ 2.5") && good.goal.contains("detection at 2 triangles ≤ 20 %"));
        assert!(!record_of(1.6).pass);
        assert!(record("contact", &[], &detections).is_err());
    }
}
