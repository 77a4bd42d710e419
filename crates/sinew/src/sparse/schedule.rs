//! The schedule of a solve: the supernodes of a factor, cut into independent branches of the elimination tree and a crown.
//!
//! A *branch* is a few whole subtrees: nothing in it depends on anything outside. Branches are solved in parallel, each in its own block of
//! memory: first its columns, then a copy of every row outside that it updates. The *crown* is what remains at the top of the tree. Forwards,
//! the copies of all branches are added to the crown in the order of the branches; backwards they are filled from it. The cut depends on the
//! factor alone, never on the number of threads.

use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use std::ops::Range;

/// A factor with fewer entries than this is one block: a solve would end before a second thread has woken up.
const CUT_FROM: usize = 100_000;
/// A branch has at most one part in this many of the factor. Smaller branches would balance better, but leave a taller crown, whose
/// supernodes wait for each other.
const BRANCH_SHARE: usize = 16;

/// Consecutive columns of L with the same rows below: one dense block.
#[derive(Clone, Debug)]
pub(super) struct Supernode {
    /// Its index in faer's factor.
    pub source: usize,
    /// Its columns, in the numbering of its block.
    pub columns: Range<usize>,
    /// Its rows below, in the numbering of its block: a range of [`Schedule::rows`].
    pub rows: Range<usize>,
}

impl Supernode {
    /// Rows of the dense block, the diagonal ones included.
    pub fn height(&self) -> usize {
        self.columns.len() + self.rows.len()
    }
}

/// Supernodes that one thread solves one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Range of its supernodes in [`Schedule::supernodes`], children before parents.
    pub supernodes: Range<usize>,
    /// Its own unknowns: a range of [`Schedule::original`].
    pub own: Range<usize>,
    /// Rows of the crown that it updates: a range of [`Schedule::outer`].
    pub outer: Range<usize>,
    /// Rows of its tallest supernode.
    pub tallest: usize,
}

impl Block {
    /// Number of vectors in its memory.
    pub fn len(&self) -> usize {
        self.own.len() + self.outer.len()
    }
}

/// The schedule of one factor.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pub supernodes: Vec<Supernode>,
    /// Rows of the supernodes, numbered within their block.
    pub rows: Vec<u32>,
    pub branches: Vec<Block>,
    pub crown: Block,
    /// Row of the matrix for each unknown, block after block, the crown last.
    pub original: Vec<u32>,
    /// Index in the blocks' memory of each row of the matrix.
    pub place: Vec<u32>,
    /// Rows of the crown that the branches update.
    pub outer: Vec<u32>,
}

impl Schedule {
    /// `order[k]` is the row of the matrix that is eliminated at position k.
    pub fn new(factor: &SymbolicSupernodalCholesky<usize>, order: &[usize]) -> Self {
        let tree = Tree::new(factor);
        let (branches, crown) = tree.cut();
        let mut schedule = Self {
            supernodes: Vec::with_capacity(tree.weight.len()),
            rows: Vec::with_capacity(factor.row_idx().len()),
            branches: Vec::with_capacity(branches.len()),
            crown: Block::default(),
            original: Vec::with_capacity(order.len()),
            place: vec![0; order.len()],
            outer: Vec::new(),
        };
        // Indices of the columns within their block, by elimination order.
        let mut local = vec![0u32; order.len()];
        let mut next = 0;
        for &s in &crown {
            for column in tree.columns(s) {
                local[column] = next;
                next += 1;
            }
        }
        let mut copy = vec![u32::MAX; order.len()];
        for branch in &branches {
            let block = schedule.add(&tree, branch, order, &mut local, &mut copy);
            schedule.branches.push(block);
        }
        schedule.crown = schedule.add(&tree, &crown, order, &mut local, &mut copy);
        let mut memory = 0;
        for block in schedule.branches.iter().chain([&schedule.crown]) {
            for (k, &row) in schedule.original[block.own.clone()].iter().enumerate() {
                schedule.place[row as usize] = (memory + k) as u32;
            }
            memory += block.len();
        }
        schedule
    }

    /// Appends a block. `local` numbers the columns of the crown; `copy` is all `MAX` before and after.
    fn add(
        &mut self,
        tree: &Tree,
        members: &[usize],
        order: &[usize],
        local: &mut [u32],
        copy: &mut [u32],
    ) -> Block {
        let first = (self.supernodes.len(), self.original.len(), self.outer.len());
        for &s in members {
            for column in tree.columns(s) {
                local[column] = (self.original.len() - first.1) as u32;
                copy[column] = local[column];
                self.original.push(order[column] as u32);
            }
        }
        let own = first.1..self.original.len();
        let mut touched = Vec::new();
        for &s in members {
            let start = self.rows.len();
            for &row in tree.rows(s) {
                if copy[row] == u32::MAX {
                    copy[row] = (own.len() + touched.len()) as u32;
                    touched.push(row);
                    self.outer.push(local[row]);
                }
                self.rows.push(copy[row]);
            }
            let columns = local[tree.columns(s).start] as usize;
            self.supernodes.push(Supernode {
                source: s,
                columns: columns..columns + tree.columns(s).len(),
                rows: start..self.rows.len(),
            });
        }
        for column in members.iter().flat_map(|&s| tree.columns(s)).chain(touched) {
            copy[column] = u32::MAX;
        }
        let supernodes = first.0..self.supernodes.len();
        let heights = self.supernodes[supernodes.clone()].iter().map(Supernode::height);
        Block { own, outer: first.2..self.outer.len(), tallest: heights.max().unwrap_or(0), supernodes }
    }
}

/// The elimination tree of the supernodes.
struct Tree<'a> {
    factor: &'a SymbolicSupernodalCholesky<usize>,
    /// The parent is larger than the child, because the order is a postorder.
    parent: Vec<Option<usize>>,
    /// Entries of the factor in the subtree.
    weight: Vec<usize>,
}

impl<'a> Tree<'a> {
    fn new(factor: &'a SymbolicSupernodalCholesky<usize>) -> Self {
        let count = factor.n_supernodes();
        let mut owner = vec![0; factor.nrows()];
        let mut tree = Self { factor, parent: vec![None; count], weight: vec![0; count] };
        for s in 0..count {
            owner[tree.columns(s)].fill(s);
        }
        for s in 0..count {
            let (columns, rows) = (tree.columns(s).len(), tree.rows(s));
            tree.weight[s] += columns * (columns + 1) / 2 + columns * rows.len();
            if let Some(&row) = rows.iter().min() {
                tree.parent[s] = Some(owner[row]);
                tree.weight[owner[row]] += tree.weight[s];
            }
        }
        tree
    }

    fn columns(&self, s: usize) -> Range<usize> {
        self.factor.supernode_begin()[s]..self.factor.supernode_end()[s]
    }

    fn rows(&self, s: usize) -> &'a [usize] {
        self.factor.supernode(s).pattern()
    }

    /// Branches and crown as lists of supernodes, children before parents.
    fn cut(&self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let count = self.weight.len();
        let total: usize = (0..count).filter(|&s| self.parent[s].is_none()).map(|s| self.weight[s]).sum();
        if total < CUT_FROM {
            return (Vec::new(), (0..count).collect());
        }
        let limit = total / BRANCH_SHARE;
        // The subtree that each supernode belongs to, by its root; `None` in the crown.
        let mut root = vec![None; count];
        for s in (0..count).rev() {
            root[s] = match self.parent[s].and_then(|parent| root[parent]) {
                Some(above) => Some(above),
                None if self.weight[s] <= limit => Some(s),
                None => None,
            };
        }
        let mut branches: Vec<Vec<usize>> = Vec::new();
        let mut crown = Vec::new();
        let mut filled = limit;
        let mut current = None;
        for s in 0..count {
            let Some(of) = root[s] else {
                crown.push(s);
                continue;
            };
            if current != Some(of) {
                // A new subtree joins the same branch while that stays below the limit.
                current = Some(of);
                filled += self.weight[of];
                if filled > limit {
                    filled = self.weight[of];
                    branches.push(Vec::new());
                }
            }
            if let Some(branch) = branches.last_mut() {
                branch.push(s);
            }
        }
        (branches, crown)
    }
}
