//! Who must move together: sets of owners, joined by pairs.

/// Disjoint sets with the smallest member as the root, and one time per set.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    parent: Vec<u32>,
    time: Vec<f64>,
}

impl Islands {
    /// Every one of `n` by itself, with time 1.
    pub fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend((0..n).map(|i| i as u32));
        self.time.clear();
        self.time.resize(n, 1.0);
    }

    fn root(&mut self, i: u32) -> u32 {
        let mut i = i;
        while self.parent[i as usize] != i {
            let above = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = above;
            i = above;
        }
        i
    }

    /// Makes one set of two. Only before any [`Self::limit`].
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Nobody in the set of `i` goes further than `time`.
    pub fn limit(&mut self, i: u32, time: f64) {
        let root = self.root(i) as usize;
        self.time[root] = self.time[root].min(time);
    }

    /// How far the set of `i` goes.
    pub fn time(&mut self, i: u32) -> f64 {
        let root = self.root(i) as usize;
        self.time[root]
    }
}
