//! Sinew, the engine.
