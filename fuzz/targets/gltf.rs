//! glTF as text.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sinew_fuzz::mesh(&[("m.gltf", bytes)]);
    sinew_fuzz::figure("m.gltf", bytes);
});
