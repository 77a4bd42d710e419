//! Pages that do not read, and pages that are gone.

use super::page::Heard;
use super::{Serving, alone, with_others};
use serde_json::json;
use std::time::Duration;

/// Memory of this process that is in use, MiB; 0 where the system does not tell.
fn resident() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or_default() * 4096.0 / f64::from(1 << 20)
}

#[test]
fn a_page_that_does_not_read_stalls_nothing_and_piles_nothing_up() {
    let _alone = alone();
    let seconds = if std::env::var_os("SINEW_SOAK").is_some() { 10 } else { 3 };
    let serving = Serving::new();
    let mut page = serving.page();
    page.open("trampoline");
    page.say(json!({"do": "speed", "speed": null}));
    page.say(json!({"do": "colour", "by": "speed"}));
    page.say(json!({"do": "play"}));
    let before = page.until_steps(2.0);
    std::thread::sleep(Duration::from_millis(500));
    let begin = resident();
    std::thread::sleep(Duration::from_secs(seconds));
    let growth = resident() - begin;
    assert!(growth < 16.0, "{growth} MiB more after {seconds} s");

    // Of the time in between it got two frames; the next one tells how far the simulation is.
    let mut newest = 0;
    let mut frames = 0;
    page.say(json!({"do": "save"}));
    let after = loop {
        match page.hear() {
            Heard::Frame { number, steps, .. } if frames < 2 => {
                assert!(steps < before + 10.0, "frames that were under way");
                (frames, newest) = (frames + 1, number);
                if frames == 2 {
                    page.say(json!({"do": "shown", "frame": newest}));
                }
            }
            Heard::Frame { number, steps, .. } => {
                assert!(number > newest);
                break steps;
            }
            Heard::Closed { code, reason } => panic!("closed, {code} {reason}"),
            _ => {}
        }
    };
    // The scene makes about a hundred steps a second where nothing else is computed.
    assert!(after > before + 8.0 * seconds as f64, "{before} and then {after} steps");
}

#[test]
fn a_page_that_does_not_read_its_answers_has_to_wait_with_its_questions() {
    let _alone = alone();
    let serving = Serving::new();
    let mut page = serving.page();
    page.open("tetrahedron");
    let begin = resident();
    page.socket.get_mut().set_write_timeout(Some(Duration::from_millis(1000))).unwrap();
    // Each answer has some 10 kB. Sooner or later the server takes no more questions.
    let question = tungstenite::Message::text(json!({"do": "scenes"}).to_string());
    let asked = (0..400_000).take_while(|_| page.socket.send(question.clone()).is_ok()).count();
    assert!(asked < 400_000, "everything was taken");
    let growth = resident() - begin;
    assert!(growth < 32.0, "{growth} MiB more after {asked} questions");
    let mut other = serving.page();
    other.open("tetrahedron");
}

#[test]
fn a_connection_that_is_cut_leaves_nothing_behind() {
    let _others = with_others();
    let serving = Serving::new();
    for _ in 0..3 {
        let mut pages: Vec<_> = (0..8).map(|_| serving.page()).collect();
        for page in &mut pages {
            page.open("tetrahedron");
            page.say(json!({"do": "play"}));
            page.until_steps(1.0);
        }
        // No farewell: the system tells the server that nobody is there.
        drop(pages);
        // A seat is free when the thread of its session has ended.
        drop(serving.eight());
        std::thread::sleep(Duration::from_millis(300));
    }
}
