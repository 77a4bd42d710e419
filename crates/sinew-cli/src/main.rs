//! The `sinew` command: parse → run → exit code.
fn main() {}
