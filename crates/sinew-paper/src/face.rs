//! Faces that move by muscles \[dinev2020, ch. 4\].
//!
//! The dissertation's scans are not published. The built-in head with a hidden blend and hidden activations takes their place, so that the answer is known: surfaces are compared with the true ones.
//! Its size is that of a small model; the dissertation's has 7,046 vertices.

use super::{Document, Finding, Length, Outcome, Study};
use sinew_face::FaceError;
use sinew_face::muscles::fit::{Observation, Pose};
use sinew_face::muscles::picture::FaceStudio;
use sinew_face::muscles::study::{KnownAnswer, POSES, bump, known_answer};
use sinew_face::muscles::{Anatomy, Drive, Expression, Face, Jaw, MakeOptions, Precision, System, jaw_of};
use sinew_face::picture::sheet;
use sinew_scene::export::image::Image;
use sinew_scene::export::plot::{Figure, Plot, Series};

/// Largest error of the maps, mm.
const LARGEST: f64 = 0.5;

fn head(length: Length) -> Result<(Face, System), FaceError> {
    let options = MakeOptions { size: length.pick(0.014, 0.012), ..MakeOptions::default() };
    let face = Face::make(&Anatomy::head(), &options)?;
    let system = System::new(&face, 1.0)?;
    Ok((face, system))
}

fn seeds(length: Length) -> u64 {
    length.pick(1, 5)
}

fn answers(length: Length, noise: f64) -> Result<(Face, Vec<KnownAnswer>), FaceError> {
    let (face, system) = head(length)?;
    let all: Result<Vec<_>, _> =
        (1..=seeds(length)).map(|seed| known_answer(&face, &system, seed, noise, &mut |_| true)).collect();
    Ok((face, all?))
}

fn mean(list: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = list.collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

/// The true surface, ours, and the map of errors of each pose.
fn picture(face: &Face, answer: &KnownAnswer, poses: std::ops::Range<usize>) -> Result<Image, FaceError> {
    let studio = FaceStudio::new(face, (260, 300));
    let seen = Observation::vertices(&face.scanned);
    let (mut scans, mut fits, mut maps) = (Vec::new(), Vec::new(), Vec::new());
    for k in poses {
        let (target, fit) = (&answer.targets[k], &answer.fits[k]);
        let mut x = fit.clone();
        face.scanned.iter().zip(&target.points).for_each(|(&v, p)| x[v as usize] = *p);
        scans.push(studio.face(&x, &format!("scan, {}", target.name))?);
        fits.push(studio.face(fit, "fit")?);
        let errors = seen.errors_by_vertex(fit, target);
        maps.push(studio.errors(face, fit, &errors, LARGEST, &format!("0 to {LARGEST} mm"))?);
    }
    let columns = scans.len();
    sheet(&[scans, fits, maps].concat(), columns)
}

pub(super) const FACE_FIG42: Study = Study {
    id: "face-fig4.2",
    title: "scans, fits and their errors after fitting muscle geometry and activations together",
    document: Document::Dissertation,
    figure: "Fig. 4.2",
    claim: "The method fits the target scans quite well.",
    run: |length| fig42(length).map_err(|error| error.to_string()),
};

fn fig42(length: Length) -> Result<Outcome, FaceError> {
    let (face, all) = answers(length, 0.0)?;
    let trained = mean(all.iter().map(|a| a.trained));
    let moved = mean(all.iter().map(|a| a.displacement));
    let off = all.iter().map(|a| a.off_simplex).fold(0.0, f64::max);
    let finding = Finding::default()
        .number("mean error of five training scans (mm)", Some(0.85), trained)
        .number("mean distance of the scans from rest (mm)", None, moved)
        .number("largest distance of a row of S from the simplex", None, off)
        .claim(trained < 0.1, "training scans are met within 0.1 mm in the mean")
        .claim(off < 1e-12, "rows of S lie on the simplex")
        .remark(
            "The paper's scans are of a person; these are made by code with a hidden S, and have no noise.",
        );
    Ok(Outcome { finding, plot: None, picture: Some(picture(&face, &all[0], 0..POSES[0])?) })
}

pub(super) const FACE_FIG43: Study = Study {
    id: "face-fig4.3",
    title: "unseen scans with the fitted muscle geometry, activations alone",
    document: Document::Dissertation,
    figure: "Fig. 4.3",
    claim: "Expressions that were not part of the fit can be met with activations alone.",
    run: |length| fig43(length).map_err(|error| error.to_string()),
};

fn unseen(mut finding: Finding, all: &[KnownAnswer], what: &str, limits: [f64; 2]) -> Finding {
    let of = |k: usize| mean(all.iter().map(|a| a.unseen[k]));
    let closer = all.iter().all(|a| a.distance[1] < a.distance[0]);
    let ratio = of(1) / of(0);
    for (seed, answer) in all.iter().enumerate() {
        let [initial, fitted, _] = answer.unseen;
        finding = finding.number(format!("{what}: seed {}, fitted (mm)", seed + 1), None, fitted).number(
            format!("{what}: seed {}, fitted over initial", seed + 1),
            None,
            fitted / initial,
        );
    }
    finding
        .number(
            format!("{what}: noise found in the training scans (mm)"),
            None,
            mean(all.iter().map(|a| a.noise)),
        )
        .number(format!("{what}: unseen scans, initial S (mm)"), None, of(0))
        .number(
            format!("{what}: unseen scans, fitted S (mm)"),
            if limits[0] < 0.15 { Some(0.90) } else { None },
            of(1),
        )
        .number(format!("{what}: unseen scans, true S (mm)"), None, of(2))
        .number(format!("{what}: fitted over initial"), None, ratio)
        .number(
            format!("{what}: |S − S*| after over before"),
            None,
            mean(all.iter().map(|a| a.distance[1] / a.distance[0])),
        )
        .claim(of(1) <= limits[0], &format!("{what}: unseen scans are met within {} mm", limits[0]))
        .claim(ratio <= limits[1], &format!("{what}: at most {} of the error with the initial S", limits[1]))
        .claim(closer, &format!("{what}: S is closer to the true one than at the start"))
}

fn fig43(length: Length) -> Result<Outcome, FaceError> {
    let (face, clean) = answers(length, 0.0)?;
    let mut finding = unseen(Finding::default(), &clean, "no noise", [0.10, 0.5]);
    let (_, noisy) = answers(length, 0.3)?;
    // What noise leaves with the true S, and what the fit of S leaves without noise, if neither made the other worse.
    let both = clean.iter().zip(&noisy).map(|(clean, noisy)| clean.unseen[1].hypot(noisy.unseen[2]));
    let floor = mean(both) / mean(noisy.iter().map(|a| a.unseen[0]));
    finding = unseen(finding, &noisy, "0.3 mm of noise", [0.20, 0.6])
        .number("0.3 mm of noise: fitted over initial, if S were fitted as without noise", None, floor)
        .remark("Errors are those against the scans without noise. The surface is recovered, the anatomy is not: S has more unknowns than the scans have numbers.");
    let last = POSES[0] + POSES[1];
    Ok(Outcome { finding, plot: None, picture: Some(picture(&face, &clean[0], POSES[0]..last)?) })
}

pub(super) const FACE_FIG44: Study = Study {
    id: "face-fig4.4",
    title: "activations alone with the initial muscle geometry, against the fitted one",
    document: Document::Dissertation,
    figure: "Fig. 4.4",
    claim: "Optimizing only activations without accounting for muscle geometry fits poorly and produces artifacts.",
    run: |length| fig44(length).map_err(|error| error.to_string()),
};

fn fig44(length: Length) -> Result<Outcome, FaceError> {
    let (face, system) = head(length)?;
    let answer = known_answer(&face, &system, 1, 0.0, &mut |_| true)?;
    let [initial, fitted, _] = answer.unseen;
    let inverted: usize = answer.initial.iter().map(|x| system.inverted(x)).sum();
    let finding = Finding::default()
        .number("unseen scans, initial S (mm)", None, initial)
        .number("unseen scans, fitted S (mm)", None, fitted)
        .number("inverted tetrahedra, initial S", None, inverted as f64)
        .claim(initial > 1.5 * fitted, "the initial S fits worse")
        .remark("Severe artifacts did not appear here: the initial S is two to three times worse, without inversions.");
    let studio = FaceStudio::new(&face, (320, 360));
    let seen = Observation::vertices(&face.scanned);
    let k = POSES[0];
    let map = |x: &[glam::DVec3], name: &str| {
        studio.errors(&face, x, &seen.errors_by_vertex(x, &answer.targets[k]), LARGEST, name)
    };
    let images =
        [map(&answer.initial[0], "initial S, 0 to 0.5 mm")?, map(&answer.fits[k], "fitted S, 0 to 0.5 mm")?];
    Ok(Outcome { finding, plot: None, picture: Some(sheet(&images, 2)?) })
}

pub(super) const FACE_FIG45: Study = Study {
    id: "face-fig4.5",
    title: "activations of two expressions interpolated",
    document: Document::Dissertation,
    figure: "Fig. 4.5",
    claim: "Linear interpolation of activations produces an animation.",
    run: |length| fig45(length).map_err(|error| error.to_string()),
};

fn fig45(length: Length) -> Result<Outcome, FaceError> {
    let (face, system) = head(length)?;
    let mut smile = Expression::parse(&face, "zygomaticus major=0.5,zygomaticus minor=0.6,risorius=0.6")?;
    let mut surprise = Expression::parse(&face, "frontalis=0.5,orbicularis oris=0.7")?;
    (smile.jaw, surprise.jaw) = (Jaw::default(), jaw_of(&[7.0]));
    let studio = FaceStudio::new(&face, (260, 300));
    let (mut images, mut start, mut longest, mut inverted) = (Vec::new(), face.points.clone(), 0.0_f64, 0);
    for k in 0..=4 {
        let now = smile.towards(&surprise, f64::from(k) / 4.0);
        let pose = Pose::at(&system, &face.blend, now.activations, now.jaw, &start)?;
        if k > 0 {
            let step = |(a, b): (&glam::DVec3, &glam::DVec3)| 1e3 * a.distance(*b);
            longest = pose.balance.x.iter().zip(&start).map(step).fold(longest, f64::max);
        }
        inverted += pose.balance.inverted;
        images.push(studio.face(&pose.balance.x, &format!("{} %", 25 * k))?);
        start = pose.balance.x;
    }
    let finding = Finding::default()
        .number("longest way of a vertex between two of five frames (mm)", None, longest)
        .number("inverted tetrahedra", None, inverted as f64)
        .claim(inverted == 0, "no tetrahedron is inverted on the way")
        .claim(longest < 5.0, "the way is smooth: no vertex jumps");
    Ok(Outcome { finding, plot: None, picture: Some(sheet(&images, 5)?) })
}

pub(super) const FACE_FIG46: Study = Study {
    id: "face-fig4.6",
    title: "fat and thin",
    document: Document::Dissertation,
    figure: "Fig. 4.6",
    claim: "Fat accumulates in passive tissue only, not in muscle.",
    run: |length| fig46(length).map_err(|error| error.to_string()),
};

fn fig46(length: Length) -> Result<Outcome, FaceError> {
    let (face, _) = head(length)?;
    let studio = FaceStudio::new(&face, (300, 340));
    let (mut images, mut curve) = (Vec::new(), Vec::new());
    for fat in [0.9, 1.0, 1.1, 1.2] {
        let system = System::new(&face, fat)?;
        let activations = system.blended(&face.blend, &face.passive());
        let drive = Drive { activations, jaw: Jaw::default(), forces: Vec::new() };
        let x = system.equilibrium(&drive, &face.points, &Precision::default())?.x;
        images.push(studio.face(&x, &format!("f = {fat}"))?);
        curve.push((fat, face.volumes(&x)));
    }
    let rest = curve[1].1;
    let of = |k: usize| -> Vec<(f64, f64)> { curve.iter().map(|(f, v)| (*f, v[k] / rest[k])).collect() };
    let (passive, muscle) = (of(0), of(1));
    let finding = Finding::default()
        .number("volume of passive tissue at f = 1.2, of that at 1", None, passive[3].1)
        .number("volume of muscle at f = 1.2, of that at 1", None, muscle[3].1)
        .claim(passive.windows(2).all(|w| w[1].1 > w[0].1), "the volume of passive tissue grows with f")
        .claim((muscle[3].1 - 1.0).abs() < 0.35 * (passive[3].1 - 1.0), "muscles change far less")
        .remark("f_i = (1 − s_i0) + f·s_i0; the formula of the text is f for every tetrahedron. Tissue is passive with s_i0 > 0.9 and muscle with s_i0 < 0.1.");
    let plot = Figure {
        panels: vec![Plot {
            x_label: "f".into(),
            y_label: "volume over that at f = 1".into(),
            series: vec![Series::new("passive tissue", passive), Series::new("muscle", muscle)],
            ..Plot::default()
        }],
    };
    Ok(Outcome { finding, plot: Some(plot), picture: Some(sheet(&images, 4)?) })
}

pub(super) const FACE_FIG48: Study = Study {
    id: "face-fig4.8",
    title: "a bump that no muscle makes: six numbers for every tetrahedron against six for every muscle",
    document: Document::Dissertation,
    figure: "Fig. 4.8",
    claim: "Activations of every tetrahedron fit a non-physical artifact; the muscle model cannot.",
    run: |length| fig48(length).map_err(|error| error.to_string()),
};

fn fig48(length: Length) -> Result<Outcome, FaceError> {
    let (face, system) = head(length)?;
    let studio = FaceStudio::new(&face, (320, 360));
    let (mut finding, mut images) = (Finding::default(), Vec::new());
    for width in [8.0, 12.0, 16.0, 24.0] {
        let b = bump(&face, &system, width)?;
        let name = |what: &str| format!("{width} mm wide: {what}");
        finding = finding
            .number(name("captured by muscles"), None, b.captured[0])
            .number(name("captured by tetrahedra"), None, b.captured[1])
            .number(name("residual, muscles over tetrahedra"), None, b.residual[0] / b.residual[1]);
        if width == 8.0 {
            finding = finding
                .claim(
                    b.captured[1] >= 0.9,
                    "every tetrahedron for itself captures at least 0.9 of a bump 8 mm wide",
                )
                .claim(b.captured[0] <= 0.65, "muscles capture at most 0.65 of it")
                .claim(b.residual[0] >= 5.0 * b.residual[1], "their residual is at least five times larger");
            for (shape, caption) in
                b.shapes.iter().zip(["scan with a bump", "six for every muscle", "six for every tetrahedron"])
            {
                let mut x = face.points.clone();
                face.scanned.iter().zip(shape).for_each(|(&v, p)| x[v as usize] = *p);
                images.push(studio.face(&x, caption)?);
            }
        }
    }
    finding = finding.remark("The bump is 8 mm high, a Gaussian on the left cheek; its width is the deviation. Wider bumps are followed more.");
    Ok(Outcome { finding, plot: None, picture: Some(sheet(&images, 3)?) })
}
