//! Bones and joints.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    // What is read can be written, and reads back.
    if let Ok(rig) = sinew_scene::rig::parse(text) {
        let again = sinew_scene::rig::parse(&sinew_scene::rig::to_text(&rig));
        assert!(again.is_ok(), "{again:?}");
    }
});
