//! Plots: energies over time, errors on a logarithmic axis, and awkward numbers.

use crate::figure_folder;
use sinew_scene::export::{
    image::Image,
    plot::{Dash, Figure, Plot, Series, Style},
};

fn curve(n: u32, f: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    (0..n).map(|i| f64::from(i) * 10.0 / f64::from(n)).map(|t| (t, f(t))).collect()
}

fn energies() -> Plot {
    let dashed = Style { dash: Dash::Dashed, ..Style::default() };
    Plot {
        title: "Trampoline: energy over time".into(),
        x_label: "time (s)".into(),
        y_label: "energy (J)".into(),
        series: vec![
            Series::new("kinetic", curve(600, |t| 6.0e4 * (1.7 * t).sin().powi(2))),
            Series::new("elastic", curve(600, |t| 6.0e4 * (1.7 * t).cos().powi(2) * 0.6)),
            Series::new("gravity", curve(600, |t| 2.4e4 * (1.7 * t).cos().powi(2))),
            Series { style: dashed, ..Series::new("total", curve(600, |_| 6.0e4)) },
        ],
        ..Plot::default()
    }
}

fn drift() -> Plot {
    Plot {
        title: "Drift".into(),
        x_label: "time (s)".into(),
        y_label: "relative error".into(),
        series: vec![
            Series::new("backward Euler", curve(400, |t| 1.0 - (-0.3 * t).exp() + 1e-6)),
            Series::new("implicit midpoint", curve(400, |t| 1e-4 * (1.0 + (9.0 * t).sin().abs()))),
            Series::new("FEPR", curve(400, |t| 1e-13 * (1.1 + (40.0 * t).sin()))),
        ],
        log_y: true,
        ..Plot::default()
    }
}

/// Whether any pixel is close to a colour.
fn shows(image: &Image, rgb: [u8; 3]) -> bool {
    image.bytes().chunks(3).any(|p| (0..3).all(|k| p[k].abs_diff(rgb[k]) < 12))
}

#[test]
fn energies_and_drift() {
    let (folder, _guard) = figure_folder();
    energies().write_png(folder.join("energies.png"), (720, 420)).unwrap();
    energies().write_svg(folder.join("energies.svg"), (720, 420)).unwrap();
    let figure = Figure { panels: vec![energies(), drift()] };
    figure.write_png(folder.join("stacked.png"), (720, 720)).unwrap();
    let image = figure.image((720, 720)).unwrap();
    for colour in [[0x00, 0x72, 0xb2], [0xd5, 0x5e, 0x00], [0x00, 0x9e, 0x73]] {
        assert!(shows(&image, colour), "no line of colour {colour:x?}");
    }
}

#[test]
fn awkward_numbers() {
    let (folder, _guard) = figure_folder();
    let nearly = Plot {
        y_label: "total energy (J)".into(),
        series: vec![Series::new("12345.678 ± 1e-7", curve(300, |t| 12345.678 + 1e-7 * (3.0 * t).sin()))],
        ..Plot::default()
    };
    let holes = Plot {
        y_label: "with gaps".into(),
        series: vec![
            Series::new(
                "gaps",
                curve(300, |t| if (t as u32).is_multiple_of(3) { f64::NAN } else { 1e30 * t }),
            ),
            Series::new("empty", vec![]),
            Series::new("one point", vec![(5.0, 5e30)]),
            Series::new("one infinity", vec![(3.0, f64::INFINITY)]),
        ],
        ..Plot::default()
    };
    let many = Plot {
        y_label: "many".into(),
        x_label: "time (s)".into(),
        series: (0..14)
            .map(|k| Series::new(format!("variant number {k}"), curve(50, |t| t * f64::from(k))))
            .collect(),
        ..Plot::default()
    };
    let figure = Figure { panels: vec![nearly, holes, many] };
    figure.write_png(folder.join("awkward.png"), (640, 900)).unwrap();
    let image = figure.image((640, 900)).unwrap();
    // The blue line has a gap around x = 3.5: in that column of the second panel nothing of it is seen.
    let bare =
        (0..640).filter(|&x| (360..560).all(|y| image.pixel(x, y).is_none_or(|c| c.b.abs_diff(c.r) < 60)));
    assert!(bare.count() > 150);
}

/// A check that tags are balanced and special characters escaped; enough to tell a broken file from a sound one.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag that ends");
        let name = tag.trim_matches('/').split_whitespace().next().unwrap();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name), "closing tag"),
            (false, false) => open.push(name),
            (false, true) => {}
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        let entities = text.matches('&').count();
        assert_eq!(
            entities,
            text.matches("&lt;").count() + text.matches("&gt;").count() + text.matches("&amp;").count()
        );
        assert!(!text.contains(['>', '\u{1}']), "bare characters in {text:?}");
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn an_svg_is_well_formed_and_names_its_series() {
    let (folder, _guard) = figure_folder();
    let path = folder.join("names.svg");
    let mut plot = energies();
    plot.series.push(Series::new("E < 0 & \u{1}mad", curve(10, |t| t)));
    Figure { panels: vec![plot, drift()] }.write_svg(&path, (600, 500)).unwrap();
    let svg = std::fs::read_to_string(&path).unwrap();
    assert_well_formed(&svg);
    assert!(svg.starts_with("<svg width=\"600\" height=\"500\" viewBox=\"0 0 6000 5000\""));
    for name in
        ["kinetic", "elastic", "gravity", "total", "FEPR", "time (s)", "energy (J)", "E &lt; 0 &amp;  mad"]
    {
        assert!(svg.contains(name), "{name} is missing");
    }
}

#[test]
fn plots_of_anything_can_be_drawn_at_any_size() {
    let (folder, _guard) = figure_folder();
    let values =
        [0.0, -1.0, 1e30, 1e308, 1e-308, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN];
    let mut panels = vec![Plot::default()];
    for log_y in [false, true] {
        for &a in &values {
            let series = vec![
                Series::new("constant", vec![(0.0, a), (1.0, a), (2.0, a)]),
                Series::new("mixed", values.iter().map(|&b| (a, b)).collect()),
            ];
            panels.push(Plot { series, log_y, ..Plot::default() });
        }
    }
    for plot in &panels {
        plot.write_svg(folder.join("any.svg"), (300, 200)).unwrap();
    }
    for size in [(1, 1), (30, 500), (500, 20)] {
        energies().write_png(folder.join("any.png"), size).unwrap();
    }
    Figure::default().write_png(folder.join("empty.png"), (100, 50)).unwrap();
    assert!(energies().write_png(folder.join("none.png"), (0, 100)).is_err());
}
