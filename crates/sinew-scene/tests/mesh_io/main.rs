//! Mesh files: what is read, what is refused, and that no file can bring the reader down.

mod damage;
mod formats;
mod real_data;
mod refusals;
mod samples;
