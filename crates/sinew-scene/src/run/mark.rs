//! How far a trace goes.

/// A place in a file: everything before it has this many bytes and this hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub bytes: u64,
    pub hash: u64,
}

impl Default for Mark {
    fn default() -> Self {
        Self { bytes: 0, hash: 0xcbf2_9ce4_8422_2325 }
    }
}

impl Mark {
    /// FNV-1a.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn pass(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        for &byte in bytes {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
