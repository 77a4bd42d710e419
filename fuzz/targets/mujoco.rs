//! Bodies and hinges of MuJoCo.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = sinew_scene::mujoco::parse(text);
});
