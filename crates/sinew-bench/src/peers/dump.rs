//! The frames that a rival wrote: u32 vertices, u32 steps, f64 milliseconds per step, then for each frame f32 positions and velocities;
//! little-endian, the initial state first.

use glam::DVec3;

/// The results of a rival.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dump {
    /// Milliseconds of each step.
    pub times: Vec<f64>,
    /// Positions and velocities, the initial state first.
    pub frames: Vec<(Vec<DVec3>, Vec<DVec3>)>,
}

impl Dump {
    /// Parses the bytes; the error says what is wrong.
    pub fn read(bytes: &[u8], vertices: usize) -> Result<Self, String> {
        let (head, rest) = bytes.split_first_chunk::<8>().ok_or("the frames are empty")?;
        let word = |i: usize| u32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]) as usize;
        let (found, steps) = (word(0), word(4));
        if found != vertices {
            return Err(format!("the frames have {found} vertices instead of {vertices}"));
        }
        if rest.len() != 8 * steps + (steps + 1) * vertices * 24 {
            return Err(format!("{steps} steps were announced, and the file has another size"));
        }
        let (times, frames) = rest.split_at(8 * steps);
        let times = times.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        let values: Vec<f64> =
            frames.as_chunks::<4>().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect();
        let vectors = |values: &[f64]| values.as_chunks::<3>().0.iter().map(|v| DVec3::from(*v)).collect();
        let frame = |values: &[f64]| {
            let (x, v) = values.split_at(3 * vertices);
            (vectors(x), vectors(v))
        };
        Ok(Self { times, frames: values.chunks_exact(6 * vertices).map(frame).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(vertices: u32, steps: u32, values: &[f32]) -> Vec<u8> {
        let mut bytes = [vertices.to_le_bytes(), steps.to_le_bytes()].concat();
        bytes.extend((0..steps).flat_map(|i| f64::from(i).to_le_bytes()));
        bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        bytes
    }

    #[test]
    fn frames_come_back() {
        let values: Vec<f32> = (0..24).map(|i| i as f32).collect();
        let dump = Dump::read(&bytes(2, 1, &values), 2).unwrap();
        assert_eq!(dump.times, [0.0]);
        assert_eq!(dump.frames.len(), 2);
        assert_eq!(dump.frames[1].1, [DVec3::new(18.0, 19.0, 20.0), DVec3::new(21.0, 22.0, 23.0)]);
    }

    #[test]
    fn damaged_frames_are_refused() {
        assert!(Dump::read(&[1, 2], 2).is_err());
        assert!(Dump::read(&bytes(3, 0, &[0.0; 18]), 2).unwrap_err().contains("3 vertices instead of 2"));
        assert!(Dump::read(&bytes(2, 9, &[0.0; 12]), 2).is_err());
    }
}
