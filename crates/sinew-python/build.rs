//! Lets plain `cargo build` link the module where the interpreter has its symbols (macOS); maturin does the same.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    pyo3_build_config::add_extension_module_link_args();
}
