//! Ctrl-C: the first asks the run to stop after the step, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether Ctrl-C was pressed.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. If the system does not allow it, Ctrl-C keeps its usual meaning.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let pressed = interrupt.clone();
        let _ = ctrlc::set_handler(move || {
            if pressed.0.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        interrupt
    }

    /// Whether it is time to stop.
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
