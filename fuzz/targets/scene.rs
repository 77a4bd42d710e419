//! Scene files, read but not built: a scene may ask for work of any size.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = sinew_scene::format::parse(text, "scene.toml", &[]);
});
