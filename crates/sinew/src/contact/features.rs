//! Pairs that are one contact: a vertex above an edge meets both triangles there, and the edges that end in it.
//!
//! Of the rows whose closest features (vertex, edge, face) are the same one is kept, and bears what all of them bore. It stands for the others: where they come apart in the next
//! round, because the closest points have moved on, each pair gets its part of the load. So a ball above a vertex of cloth pushes all triangles around it alike,
//! and not the one whose number happens to be the smallest.

use super::pair::PairKey;
use super::rows::Row;

/// The places that are closest to each other, the smaller side first; unused ones are `u32::MAX`.
type Feature = [u32; 4];
/// The features of rows, by the rows' numbers.
pub(super) type Features = Vec<(Feature, u32)>;

/// A weight below this share is none, where it is asked which features of two primitives are closest.
pub(super) const NO_WEIGHT: f64 = 1e-3;

/// Which pair stands for which others.
#[derive(Debug, Default)]
pub(crate) struct StandsFor {
    /// (pair, the one that stands for it), sorted.
    pairs: Vec<(PairKey, PairKey)>,
}

impl StandsFor {
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Every pair that another one stands for, and that one.
    pub fn iter(&self) -> impl Iterator<Item = &(PairKey, PairKey)> {
        self.pairs.iter()
    }

    /// The pair that stands for this one, if another one does.
    pub fn of(&self, key: &PairKey) -> Option<&PairKey> {
        self.pairs.binary_search_by_key(key, |(pair, _)| *pair).ok().map(|k| &self.pairs[k].1)
    }
}

/// Rows of a round, asked for by the keys of pairs in ascending order: two lists that are walked along, not searched.
pub(super) struct Known<'a> {
    all: &'a [Row],
    rows: &'a [Row],
    stood_for: &'a [(PairKey, PairKey)],
}

impl<'a> Known<'a> {
    pub fn new(rows: &'a [Row], stood_for: &'a StandsFor) -> Self {
        Self { all: rows, rows, stood_for: &stood_for.pairs }
    }

    /// The row of a pair, or the one that stands for it; no key may be smaller than the one before.
    pub fn of(&mut self, key: &PairKey) -> Option<&'a Row> {
        self.rows = from(self.rows, |row| row.pair.key < *key);
        if let Some(row) = self.rows.first().filter(|row| row.pair.key == *key) {
            return Some(row);
        }
        self.stood_for = from(self.stood_for, |(pair, _)| pair < key);
        let (_, stands) = self.stood_for.first().filter(|(pair, _)| pair == key)?;
        self.all.binary_search_by_key(stands, |row| row.pair.key).ok().map(|k| &self.all[k])
    }
}

/// The rest of a list from the first entry on that is not `before`; few are.
fn from<T>(list: &[T], before: impl Fn(&T) -> bool) -> &[T] {
    let passed = list.iter().take_while(|entry| before(entry)).count();
    &list[passed..]
}

/// Keeps one row of those whose closest features are the same, the one that bears most.
pub(super) fn thin_out(rows: &mut Vec<Row>, features: &mut Features, stands_for: &mut StandsFor) {
    features.clear();
    // As much room as the rows have: where these do not grow, nothing does.
    features.reserve(rows.capacity());
    stands_for.pairs.clear();
    stands_for.pairs.reserve(rows.capacity());
    features.extend(rows.iter().enumerate().map(|(k, row)| (feature(row), k as u32)));
    features.sort_unstable_by(|a, b| {
        let load = |k: u32| rows[k as usize].load;
        a.0.cmp(&b.0).then(load(b.1).total_cmp(&load(a.1))).then(a.1.cmp(&b.1))
    });
    for alike in features.chunk_by(|a, b| a.0 == b.0) {
        let (first, others) = (alike[0].1 as usize, &alike[1..]);
        let mut kept = rows[first];
        for &(_, k) in others {
            let row = &mut rows[k as usize];
            kept.load += row.load;
            kept.drag += row.drag;
            kept.began_with += row.began_with;
            kept.began_drag += row.began_drag;
            kept.began &= row.began;
            kept.acted |= row.acted;
            // Nobody stands for it any more.
            row.pairs = 0;
            stands_for.pairs.push((row.pair.key, kept.pair.key));
        }
        if !others.is_empty() {
            kept.drag = kept.along(kept.drag);
            kept.limit = kept.law.coefficient() * kept.load;
        }
        kept.pairs = alike.len() as u32;
        rows[first] = kept;
    }
    stands_for.pairs.sort_unstable();
    rows.retain(|row| row.pairs > 0);
}

fn feature(row: &Row) -> Feature {
    let mut feature = [u32::MAX; 4];
    let mut sides = [[u32::MAX; 3]; 2];
    let mut counts = [0; 2];
    for (&place, &w) in row.pair.places[..usize::from(row.pair.count)].iter().zip(&row.weights) {
        if w.abs() > NO_WEIGHT {
            let side = usize::from(w < 0.0);
            sides[side][counts[side]] = place;
            counts[side] += 1;
        }
    }
    sides.iter_mut().for_each(|side| side.sort_unstable());
    sides.sort_unstable_by_key(|side| (side[1], side[0]));
    let used = sides.iter().flatten().filter(|&&place| place != u32::MAX);
    feature.iter_mut().zip(used).for_each(|(f, &place)| *f = place);
    // An edge on an edge and a vertex above a triangle have as many places.
    if sides[0][1] == u32::MAX && sides[1][2] != u32::MAX {
        feature.swap(0, 3);
    }
    feature
}
