//! TetGen's nodes and elements, with a zero byte between the two files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let cut = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let elements = bytes.get(cut + 1..).unwrap_or_default();
    sinew_fuzz::mesh(&[("m.node", &bytes[..cut]), ("m.ele", elements)]);
});
