//! The plot of energy over time.

use super::{Row, Run};
use crate::export::colour::Colour;
use crate::export::plot::{Dash, Plot, Series, Style};

/// Width and height of the plots that runs write, pixels.
pub const PLOT_SIZE: (u32, u32) = (900, 520);

/// Total, target, kinetic and potential energy of a run, and its visible motion.
pub fn energy_plot(run: &Run) -> Plot {
    let line = |name: &str, colour: usize, style: Style, value: fn(&Row) -> f64| Series {
        style: Style { colour: Some(Colour::distinct(colour)), ..style },
        ..Series::new(name, run.rows().iter().map(|row| (row.time, value(row))).collect())
    };
    let bold = Style { width: 2.6, ..Style::default() };
    let dashed = Style { dash: Dash::Dashed, ..Style::default() };
    let title = &run.scene().scene.title;
    Plot {
        title: if title.is_empty() { run.name().to_owned() } else { title.clone() },
        x_label: "time (s)".into(),
        y_label: "energy (J)".into(),
        series: vec![
            line("kinetic", 2, Style::default(), |row| row.kinetic),
            line("visible motion", 1, bold, |row| row.visible),
            line("potential", 4, Style::default(), Row::potential),
            line("total", 0, bold, Row::total),
            line("target", 6, dashed, |row| row.target),
        ],
        ..Plot::default()
    }
}
