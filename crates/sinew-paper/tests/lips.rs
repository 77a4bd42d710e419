//! The figures of lips, at their short length.

use sinew_paper::{Length, STUDIES, Verdict, closest, find_study};

#[test]
fn the_figures_of_lips_are_reproduced() {
    for study in STUDIES.iter().filter(|study| study.id.starts_with("lips-")) {
        let outcome = study.run(Length::Quick).unwrap();
        assert_eq!(outcome.finding.id, study.id);
        assert_eq!(outcome.finding.verdict, Verdict::Reproduced, "{}: {}", study.id, outcome.finding.note);
        assert!(outcome.finding.numbers.iter().all(|n| n.ours.is_some()), "{:?}", outcome.finding.numbers);
        assert!(outcome.plot.is_some_and(|plot| plot.panels[0].title.contains("dissertation")));
    }
    assert!(find_study("lips-fig2.7").is_some() && closest("lips-fig29") == Some("lips-fig2.9"));
}
