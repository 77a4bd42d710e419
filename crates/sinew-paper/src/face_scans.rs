//! Scans of a person: expressions of the ICT FaceKit's face on the built-in head, which is transferred to its neutral scan \[dinev2020, Fig. 4.2, 4.3\].
//!
//! The dissertation's scans are of another person, and combine several expressions each. The data is in the folder named by `SINEW_DATA`.

use super::finding::Table;
use super::{Document, Finding, Length, Outcome, Study};
use sinew_face::FaceError;
use sinew_face::muscles::ict::IctScans;
use sinew_face::muscles::person::{Person, Row, person};
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::muscles::{Anatomy, Face, MakeOptions};
use sinew_face::picture::sheet;
use sinew_scene::export::image::Image;
use std::path::Path;

/// Largest error of the maps, mm.
const LARGEST: f64 = 4.0;
/// Expressions in the picture.
const SHOWN: usize = 12;

pub(super) const FACE_SCANS: Study = Study {
    id: "face-scans",
    title: "scans of a person: five expressions trained on, all others unseen",
    document: Document::Dissertation,
    figure: "Fig. 4.2, 4.3",
    claim: "Scans are fitted with a mean error of 0.85 mm, unseen ones with 0.90 mm.",
    run: |length| scans(length).map_err(|error| error.to_string()),
};

fn scans(length: Length) -> Result<Outcome, FaceError> {
    let Some(data) = std::env::var_os("SINEW_DATA") else {
        let finding = Finding::default()
            .remark("Skipped: SINEW_DATA names no folder with the ICT FaceKit's face (face/ict_neutral.obj and face/ict_expressions_dev24.npz).");
        return Ok(Outcome { finding, plot: None, picture: None });
    };
    let scans = IctScans::load(&Path::new(&data).join("face"))?;
    let options = MakeOptions { size: length.pick(0.014, 0.010), ..MakeOptions::default() };
    let face = Face::make(&Anatomy::head(), &options)?;
    let person = person(&face, &scans, &mut |_| true)?;
    let mean = |trained: bool, of: fn(&Row) -> f64| {
        let list: Vec<f64> = person.rows.iter().filter(|row| row.trained == trained).map(of).collect();
        list.iter().sum::<f64>() / list.len().max(1) as f64
    };
    let (trained, unseen) = (mean(true, |row| row.fitted), mean(false, |row| row.fitted));
    let skin = &person.transferred.distances;
    let inverted: usize = person.rows.iter().map(|row| row.inverted).sum();
    let number = |value: f64| format!("{value:.3}");
    let table = Table {
        title: "Mean distances of the points that are compared, mm".into(),
        header: ["", "", "scan from neutral", "initial S", "fitted S", "largest"].map(str::to_owned).to_vec(),
        rows: (person.rows.iter())
            .map(|row| {
                let kind = if row.trained { "trained" } else { "unseen" };
                let numbers = [row.displacement, row.initial, row.fitted, row.worst].map(number);
                [vec![row.name.clone(), kind.to_owned()], numbers.to_vec()].concat()
            })
            .collect(),
    };
    let finding = Finding::default()
        .number("trained expressions, fitted S (mm)", Some(0.85), trained)
        .number("the same in the fit of all of them together (mm)", None, person.together)
        .number("unseen expressions, fitted S (mm)", Some(0.90), unseen)
        .number("trained expressions, initial S (mm)", None, mean(true, |row| row.initial))
        .number("unseen expressions, initial S (mm)", None, mean(false, |row| row.initial))
        .number("unseen scans from neutral (mm)", None, mean(false, |row| row.displacement))
        .number("unseen expressions", None, person.rows.iter().filter(|row| !row.trained).count() as f64)
        .number("points that are compared", None, person.compared[0] as f64)
        .number("transferred skin from the neutral scan (mm)", None, 1e3 * skin.iter().sum::<f64>() / skin.len().max(1) as f64)
        .number("inverted tetrahedra", None, inverted as f64)
        .claim(trained <= 0.85, "the mean error of trained expressions is at most 0.85 mm")
        .claim(unseen <= 0.90, "that of unseen ones is at most 0.90 mm")
        .table(table)
        .remark("Scans are single expressions of an artist's face with correspondences, not captured ones; many move only a part of the face, so that means over the whole face are small. `mouthClose` is left out: it corrects an open jaw.");
    Ok(Outcome { finding, plot: None, picture: Some(picture(&person)?) })
}

/// Fits and maps of their errors, four expressions in a row.
fn picture(person: &Person) -> Result<Image, FaceError> {
    let face = &person.transferred.face;
    let studio = FaceStudio::new(face, (260, 290));
    let mut images = Vec::new();
    for rows in person.rows[..SHOWN.min(person.rows.len())].chunks(4) {
        for row in rows {
            let kind = if row.trained { "trained" } else { "unseen" };
            images.push(studio.face(&row.x, &format!("{}, {kind}", row.name))?);
        }
        for row in rows {
            let errors = person.seen.errors_by_vertex(&row.x, &row.target);
            images.push(studio.errors(face, &row.x, &errors, LARGEST, &format!("0 to {LARGEST} mm"))?);
        }
    }
    sheet(&images, 4)
}
