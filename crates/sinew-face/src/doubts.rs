//! Doubts about training frames: too few, the same twice, or contradictions, where weights become large.

use crate::model::{Model, dot};

/// Mouths nearer than this, relative to the largest, are nearly the same.
const NEAR: f64 = 0.05;
/// The same, for frames that are copies.
const SAME: f64 = 1e-9;
/// How much more than usual inner lips may differ.
const UNUSUAL: f64 = 4.0;

impl Model {
    /// Sentences about examples that make a model doubtful: there is only one, it is there twice, its mouth is neutral, or its mouth is nearly that of
    /// another and its inner lips are not.
    pub fn warnings(&self) -> Vec<String> {
        let (examples, k) = (self.examples(), self.examples().len());
        let mut warnings = Vec::new();
        match k {
            0 => warnings.push("there is no corrected frame: the model predicts neutral lips".into()),
            1 => warnings.push(
                "there is only one corrected frame: lips of all others become a multiple of it; `sinew lips suggest` says which to correct"
                    .into(),
            ),
            _ => {}
        }
        let mouth = |i: usize| dot(&examples[i].mouth, &examples[i].mouth).sqrt();
        let inner = |i: usize| dot(&examples[i].inner, &examples[i].inner).sqrt();
        let largest = (0..k).map(mouth).fold(0.0, f64::max);
        let typical = (0..k).map(inner).fold(0.0, f64::max) / largest.max(f64::MIN_POSITIVE);
        for i in 0..k {
            let (y, name) = (mouth(i), &examples[i].name);
            if y <= SAME * largest.max(1.0) {
                warnings.push(format!(
                    "{name}: the mouth is neutral; it teaches nothing, since neutral lips are known"
                ));
                continue;
            }
            if y < NEAR * largest && inner(i) > UNUSUAL * typical * y {
                warnings.push(format!(
                    "{name}: the mouth is nearly neutral, the inner lips are not; other frames may be exaggerated (--ridge 0.001 helps)"
                ));
            }
            for j in 0..i {
                let (a, b) = (&examples[j], &examples[i]);
                let apart = |p: &[f64], q: &[f64]| -> f64 {
                    p.iter().zip(q).map(|(p, q)| (p - q).powi(2)).sum::<f64>().sqrt()
                };
                let (dy, dx) = (apart(&a.mouth, &b.mouth), apart(&a.inner, &b.inner));
                if dy <= SAME * largest && dx <= SAME * largest * typical.max(1.0) {
                    warnings.push(format!("{}: it is the same as {} and adds nothing", b.name, a.name));
                } else if dy < NEAR * largest && dx > UNUSUAL * typical * dy {
                    warnings.push(format!(
                        "{} and {}: the mouths are nearly the same, the inner lips are not; other frames may be exaggerated (--ridge 0.001 helps)",
                        a.name, b.name
                    ));
                }
            }
        }
        warnings
    }
}
