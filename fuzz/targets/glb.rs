//! Binary glTF: mesh, and skeleton with its first clip.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::mesh(&[("m.glb", bytes)]);
    sinew_fuzz::figure("m.glb", bytes);
});
