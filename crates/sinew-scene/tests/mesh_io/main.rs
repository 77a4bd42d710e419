//! Mesh files: what is read, what is refused, and that no file can bring the reader down.

mod damage;
mod encodings;
mod formats;
mod fuzz;
mod more_formats;
mod real_data;
mod refusals;
mod samples;
mod seeds;
mod written;
