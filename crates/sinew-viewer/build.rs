//! Notices when the page was built anew: the compiler knows the files that it embedded, but not those that came later.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A debug build reads the page from the disk, each time anew.
    if std::env::var_os("CARGO_FEATURE_SERVER").is_none()
        || std::env::var("PROFILE").is_ok_and(|p| p == "debug")
    {
        return;
    }
    // Cargo takes a path that does not exist for one that always changes: an empty folder spares building each time.
    let page = Path::new("web/dist");
    if page.is_dir() || std::fs::create_dir_all(page).is_ok() {
        println!("cargo:rerun-if-changed=web/dist");
    }
}
