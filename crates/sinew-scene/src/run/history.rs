//! The rows that a run keeps in memory: all of a short run, evenly spaced ones of a long run.
//!
//! Up to [`MOST`] rows are kept as they come. Then every second one is dropped, and from there on only every second one is kept, and so on: a run of
//! any length keeps between half of [`MOST`] and [`MOST`] rows. The first and the latest row are always among them. What the rows that were dropped
//! had to add to means is kept in [`Block`]s. The complete list of rows is in `trace.csv`, which is written as the run goes.

use super::Row;
use std::ops::Range;

/// Rows kept of a long run; a plot is not as many pixels wide.
pub(super) const MOST: usize = 4096;

/// Sums over the frames after the previous kept row, up to and including its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// Number of frames.
    pub frames: f64,
    /// Sum of their kinetic energies, J.
    pub kinetic: f64,
    /// Sum of their frequencies, Hz, and the number of those that have one.
    pub frequency: f64,
    pub moving: f64,
    /// Sum of their visible motions, J, and the number of those of which it is known.
    pub visible: f64,
    pub seen: f64,
}

impl Block {
    /// Words of a block in a checkpoint.
    pub const WORDS: usize = 6;

    fn of(row: &Row) -> Self {
        // A value and 1, or twice 0 if there is none.
        let known = |value: f64| if value.is_finite() { (value, 1.0) } else { (0.0, 0.0) };
        let ((frequency, moving), (visible, seen)) = (known(row.frequency), known(row.visible));
        Self { frames: 1.0, kinetic: row.kinetic, frequency, moving, visible, seen }
    }

    /// Both together.
    pub fn and(self, other: &Self) -> Self {
        Self {
            frames: self.frames + other.frames,
            kinetic: self.kinetic + other.kinetic,
            frequency: self.frequency + other.frequency,
            moving: self.moving + other.moving,
            visible: self.visible + other.visible,
            seen: self.seen + other.seen,
        }
    }

    pub fn encode(&self) -> [u64; Self::WORDS] {
        let Self { frames, kinetic, frequency, moving, visible, seen } = *self;
        [frames, kinetic, frequency, moving, visible, seen].map(f64::to_bits)
    }

    pub fn decode(words: &[u64]) -> Self {
        let x = |i: usize| f64::from_bits(words[i]);
        Self { frames: x(0), kinetic: x(1), frequency: x(2), moving: x(3), visible: x(4), seen: x(5) }
    }
}

/// The kept rows.
#[derive(Clone, Debug)]
pub(super) struct History {
    rows: Vec<Row>,
    /// One for each row; that of the initial state is empty.
    blocks: Vec<Block>,
    /// Frames from one kept row to the next, except to the last.
    stride: usize,
    frames: usize,
    most: usize,
}

impl History {
    /// Starts with the row of the initial state.
    pub fn new(first: Row) -> Self {
        Self { rows: vec![first], blocks: vec![Block::default()], stride: 1, frames: 0, most: MOST }
    }

    /// Continues an earlier run; `None` if the parts do not fit each other.
    pub fn restore(&self, rows: Vec<Row>, blocks: Vec<Block>, stride: usize, frames: usize) -> Option<Self> {
        let fits = stride.is_power_of_two() && rows.len() == 1 + frames.div_ceil(stride);
        let fits = fits && blocks.len() == rows.len();
        fits.then_some(Self { rows, blocks, stride, frames, most: self.most })
    }

    /// Keeps every row from now on, however many.
    pub fn keep_all(&mut self) {
        self.most = usize::MAX;
    }

    /// Adds the row of the next frame.
    pub fn push(&mut self, row: Row) {
        let mut block = Block::of(&row);
        if !self.frames.is_multiple_of(self.stride) {
            // The latest row is kept only as long as it is the latest.
            self.rows.pop();
            block = self.blocks.pop().unwrap_or_default().and(&block);
        }
        self.frames += 1;
        self.rows.push(row);
        self.blocks.push(block);
        if self.rows.len() > self.most {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let last = self.rows.len() - 1;
        let is_kept = |i: usize| i.is_multiple_of(2) || i == last;
        let mut blocks = Vec::with_capacity(self.blocks.len() / 2 + 2);
        let mut waiting = Block::default();
        for (i, block) in self.blocks.iter().enumerate() {
            waiting = waiting.and(block);
            if is_kept(i) {
                blocks.push(std::mem::take(&mut waiting));
            }
        }
        self.blocks = blocks;
        let mut i = 0..;
        self.rows.retain(|_| i.next().is_some_and(is_kept));
        self.stride *= 2;
    }

    /// The kept rows, the initial state first and the latest last.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Frames so far.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Sums over a range of frames, where frame 0 is the first after the initial state. Frames between kept rows are counted with their block, at most
    /// one stride too few at each end.
    pub fn sum(&self, frames: Range<usize>) -> Block {
        let frame = |i: usize| (i * self.stride).min(self.frames);
        let inside = |i: &usize| frame(i - 1) >= frames.start && frame(*i) <= frames.end;
        (1..self.rows.len()).filter(inside).fold(Block::default(), |sum, i| sum.and(&self.blocks[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(frames: usize, most: usize) -> History {
        let row = |frame: usize| Row { time: frame as f64, kinetic: frame as f64, ..Row::default() };
        let mut history = History { most, ..History::new(row(0)) };
        (1..=frames).for_each(|frame| history.push(row(frame)));
        history
    }

    #[test]
    fn a_long_run_keeps_evenly_spaced_rows_with_its_first_and_latest() {
        for frames in [0, 1, 7, 8, 9, 15, 16, 17, 100, 1000, 4097] {
            let kept = history(frames, 8);
            let times: Vec<usize> = kept.rows().iter().map(|row| row.time as usize).collect();
            assert!(times.len() <= 8 && (frames < 8 || times.len() > 4), "{frames}: {times:?}");
            assert_eq!((times[0], times[times.len() - 1]), (0, frames));
            assert!(times[..times.len() - 1].windows(2).all(|w| w[1] - w[0] == kept.stride()), "{times:?}");
            // Nothing that was dropped is missing from the sums.
            let all = kept.sum(0..frames);
            assert_eq!((all.frames, all.kinetic), (frames as f64, (frames * (frames + 1) / 2) as f64));
            let again = kept.restore(kept.rows.clone(), kept.blocks.clone(), kept.stride, frames).unwrap();
            assert_eq!(again.rows(), kept.rows());
        }
    }

    #[test]
    fn a_short_run_sums_exactly_the_frames_asked_for() {
        let kept = history(10, 64);
        assert_eq!(kept.sum(0..2).kinetic, 1.0 + 2.0);
        assert_eq!(kept.sum(8..10).kinetic, 9.0 + 10.0);
        assert_eq!(kept.sum(0..0).frames, 0.0);
    }

    #[test]
    fn all_rows_are_kept_where_they_are_asked_for() {
        let mut kept = history(3, 8);
        kept.keep_all();
        (4..=100).for_each(|_| kept.push(Row::default()));
        assert_eq!(kept.rows().len(), 101);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let kept = history(20, 8);
        let (rows, blocks) = (kept.rows.clone(), kept.blocks.clone());
        assert!(kept.restore(rows.clone(), blocks.clone(), 3, 20).is_none());
        assert!(kept.restore(rows.clone(), blocks.clone(), kept.stride, 200).is_none());
        assert!(kept.restore(rows, blocks[1..].to_vec(), kept.stride, 20).is_none());
    }
}
