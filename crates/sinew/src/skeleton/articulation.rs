//! The bones of one connected component, and the motions that their joints allow.
//!
//! A ball joint determines the position of a bone once its rotation is known: t = p − R b, where p is the joint's position on the other bone.
//! Joints that form a tree therefore cost nothing: they are solved for t, and the unknowns that remain are a rotation ω for each bone and a
//! translation l for each tree without an anchor. In these *coordinates* such joints are closed to rounding whatever a solver does. Joints
//! that close loops, hinges and limits are rows of a small constrained system, see [`super::system`].

use super::bone::Frame;
use super::joint::{Anchor, Ball, Row, Turning};
use glam::DVec3;

/// How the position of a bone is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hold {
    /// It is free: l is the coordinate with this index (in 3-vectors).
    Free(usize),
    /// It hangs on a joint: t = parent(at) − R arm.
    Joint { parent: Anchor, at: DVec3, arm: DVec3 },
}

/// Bones of one component, parents before children.
#[derive(Clone, Debug, Default)]
pub(crate) struct Articulation {
    /// Index of the component.
    pub component: usize,
    /// Indices of its bones in the model.
    pub bones: Vec<usize>,
    pub holds: Vec<Hold>,
    /// The free bone at the root of each bone's tree, by its index here; `usize::MAX` if the root is an anchor.
    pub roots: Vec<usize>,
    /// Joints that close loops.
    pub loops: Vec<Ball>,
    /// Hinges and limits.
    pub turnings: Vec<Turning>,
    /// Number of coordinates: ω of each bone, then l of each free one.
    pub coordinates: usize,
}

/// ω and l of each bone.
pub(crate) type Twists = [(DVec3, DVec3)];

impl Articulation {
    /// Chooses the tree: along joints in their order, first from anchors, then from the first remaining bone. `bones` are indices in the
    /// model; ends of joints name bones by their index in that list.
    pub fn new(component: usize, bones: &[usize], joints: Vec<Ball>, turnings: Vec<Turning>) -> Self {
        let mut order: Vec<usize> = Vec::new();
        let mut parent: Vec<Option<(Anchor, DVec3, DVec3)>> = vec![None; bones.len()];
        let mut reached = vec![false; bones.len()];
        let mut used = vec![false; joints.len()];
        let place = |anchor: &Anchor| match anchor {
            Anchor::Bone(place, _) => Some(*place),
            _ => None,
        };
        let mut next = 0;
        loop {
            // Follow every joint that has exactly one end already placed.
            let step = joints.iter().enumerate().find_map(|(k, joint)| {
                if used[k] {
                    return None;
                }
                let placed = |end: usize| place(&joint.ends[end]).is_none_or(|p| reached[p]);
                match (placed(0), placed(1)) {
                    (true, false) => Some((k, 0, 1)),
                    (false, true) => Some((k, 1, 0)),
                    _ => None,
                }
            });
            if let Some((k, from, to)) = step {
                used[k] = true;
                if let Some(child) = place(&joints[k].ends[to]) {
                    reached[child] = true;
                    parent[child] = Some((joints[k].ends[from], joints[k].arms[from], joints[k].arms[to]));
                    order.push(child);
                }
                continue;
            }
            while next < bones.len() && reached[next] {
                next += 1;
            }
            if next == bones.len() {
                break;
            }
            reached[next] = true;
            order.push(next);
        }
        let mut rank = vec![0; bones.len()];
        order.iter().enumerate().for_each(|(k, &old)| rank[old] = k);
        let renumber = |anchor: Anchor| match anchor {
            Anchor::Bone(place, bone) => Anchor::Bone(rank[place], bone),
            other => other,
        };
        let mut coordinates = bones.len();
        let holds = order.iter().map(|&old| match parent[old] {
            Some((parent, at, arm)) => Hold::Joint { parent: renumber(parent), at, arm },
            None => {
                coordinates += 1;
                Hold::Free(coordinates - 1)
            }
        });
        let holds: Vec<Hold> = holds.collect();
        let mut roots = Vec::new();
        for (k, hold) in holds.iter().enumerate() {
            roots.push(match hold {
                Hold::Free(_) => k,
                Hold::Joint { parent, .. } => parent.place().map_or(usize::MAX, |p| roots[p]),
            });
        }
        let loops = joints.iter().zip(&used).filter(|(_, used)| !**used);
        Self {
            component,
            holds,
            roots,
            loops: loops.map(|(joint, _)| Ball { ends: joint.ends.map(renumber), ..*joint }).collect(),
            turnings: turnings.into_iter().map(|t| Turning { ends: t.ends.map(renumber), ..t }).collect(),
            coordinates,
            bones: order.iter().map(|&old| bones[old]).collect(),
        }
    }

    /// Whether a joint holds it to the world or to a kinematic bone.
    pub fn is_grounded(&self) -> bool {
        self.hangs_on(|anchor| anchor.place().is_none())
    }

    /// Whether a joint holds it to the world.
    pub fn has_world_anchor(&self) -> bool {
        self.hangs_on(|anchor| *anchor == Anchor::World)
    }

    /// Whether a joint holds it to a kinematic bone.
    pub fn has_kinematic_anchor(&self) -> bool {
        self.hangs_on(|anchor| matches!(anchor, Anchor::Kinematic(_)))
    }

    fn hangs_on(&self, what: impl Fn(&Anchor) -> bool) -> bool {
        let held = |hold: &Hold| matches!(hold, Hold::Joint { parent, .. } if what(parent));
        self.holds.iter().any(held)
            || self.loops.iter().any(|b| b.ends.iter().any(&what))
            || self.turnings.iter().any(|t| t.ends.iter().any(&what))
    }

    /// Whether there are joints at all.
    pub fn has_joints(&self) -> bool {
        self.has_rows() || self.holds.iter().any(|hold| matches!(hold, Hold::Joint { .. }))
    }

    /// Whether joints impose more than the tree satisfies.
    pub fn has_rows(&self) -> bool {
        !self.loops.is_empty() || !self.turnings.is_empty()
    }

    /// Computes the position of every bone that hangs on a joint.
    pub fn place(&self, frames: &mut [Frame]) {
        for (&bone, hold) in self.bones.iter().zip(&self.holds) {
            if let Hold::Joint { parent, at, arm } = hold {
                frames[bone].place = parent.frame(frames).apply(*at) - frames[bone].turn * *arm;
            }
        }
    }

    /// Turns and shifts all bones by `scale` times these coordinates.
    pub fn advance(&self, scale: f64, s: &[DVec3], frames: &mut [Frame]) {
        for (k, (&bone, hold)) in self.bones.iter().zip(&self.holds).enumerate() {
            let shift = if let Hold::Free(l) = hold { s[*l] * scale } else { DVec3::ZERO };
            frames[bone].advance(s[k] * scale, shift);
        }
        self.place(frames);
    }

    /// (ω, l) of every bone from the coordinates.
    pub fn expand(&self, frames: &[Frame], s: &[DVec3], twists: &mut Twists) {
        self.expand_driven(frames, s, &[], twists);
    }

    /// As [`Self::expand`], where kinematic bones have these (ω, l), by their indices in the model; bones not listed do not move.
    pub fn expand_driven(&self, frames: &[Frame], s: &[DVec3], driven: &Twists, twists: &mut Twists) {
        let none = (DVec3::ZERO, DVec3::ZERO);
        for (k, (&bone, hold)) in self.bones.iter().zip(&self.holds).enumerate() {
            let omega = s[k];
            let l = match hold {
                Hold::Free(l) => s[*l],
                Hold::Joint { parent, at, arm } => {
                    let own = omega.cross(frames[bone].turn * *arm);
                    let (turn, shift) = match *parent {
                        Anchor::World => none,
                        Anchor::Kinematic(bone) => driven.get(bone).copied().unwrap_or(none),
                        Anchor::Bone(place, _) => twists[place],
                    };
                    turn.cross(parent.frame(frames).turn * *at) + shift - own
                }
            };
            twists[k] = (omega, l);
        }
    }

    /// The transpose of [`Self::expand`]: a gradient with respect to (ω, l) of every bone becomes one with respect to the coordinates.
    /// Afterwards, l in `twists` holds the forces that joints carry: those of the bone and of all that hangs on it.
    pub fn pull_back(&self, frames: &[Frame], twists: &mut Twists, gradient: &mut [DVec3]) {
        for (k, (&bone, hold)) in self.bones.iter().zip(&self.holds).enumerate().rev() {
            match hold {
                Hold::Free(l) => gradient[*l] = twists[k].1,
                Hold::Joint { parent, at, arm } => {
                    let force = twists[k].1;
                    twists[k].0 -= (frames[bone].turn * *arm).cross(force);
                    if let Some(p) = parent.place() {
                        twists[p].0 += (parent.frame(frames).turn * *at).cross(force);
                        twists[p].1 += force;
                    }
                }
            }
            gradient[k] = twists[k].0;
        }
    }

    /// All constraints that joints impose beyond the tree.
    pub fn rows(&self, frames: &[Frame], mut row: impl FnMut(Row)) {
        self.loops.iter().for_each(|ball| ball.rows(frames, &mut row));
        self.turnings.iter().for_each(|turning| turning.rows(frames, &mut row));
    }
}
