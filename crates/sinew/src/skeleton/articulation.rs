//! The bones of one connected component and what joints leave them to do.
//!
//! A ball joint fixes where a bone is once it is known how it is turned: t = p − R b, p the joint's place on the other bone. Joints that make a
//! tree therefore cost nothing: they are solved for t, and what is left to find is a rotation ω for each bone and a translation l for each tree that
//! hangs on nothing, *coordinates* in which such joints are closed to rounding whatever a solver does. Joints that close loops, hinges
//! and limits are rows of a small constrained system, see [`super::system`].

use super::bone::Frame;
use super::joint::{Anchor, Ball, Row, Turning};
use glam::DVec3;

/// How the place of a bone is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hold {
    /// It is free: l is the coordinate with this number (in 3-vectors).
    Free(usize),
    /// It hangs on a joint: t = parent(at) − R arm.
    Joint { parent: Anchor, at: DVec3, arm: DVec3 },
}

/// Bones of one component, parents before children.
#[derive(Clone, Debug, Default)]
pub(crate) struct Articulation {
    /// The component.
    pub component: usize,
    /// Numbers of its bones in the model.
    pub bones: Vec<usize>,
    pub holds: Vec<Hold>,
    /// The free bone that each hangs on in the end, by its place; `usize::MAX` where that cannot move.
    pub roots: Vec<usize>,
    /// Joints that close loops.
    pub loops: Vec<Ball>,
    /// Hinges and limits.
    pub turnings: Vec<Turning>,
    /// ω of each bone, then l of each free one.
    pub coordinates: usize,
}

/// ω and l of each bone.
pub(crate) type Twists = [(DVec3, DVec3)];

impl Articulation {
    /// Chooses the tree: along joints in their order, from what cannot move and then from the first bone that is left. `bones` are numbers of the model; ends of
    /// joints name bones by their place in that list.
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
            // Along every joint with one end that is placed already.
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

    /// Whether something that does not move holds it.
    pub fn is_grounded(&self) -> bool {
        self.hangs_on(|anchor| anchor.place().is_none())
    }

    /// Whether a joint holds it to the world.
    pub fn has_world_anchor(&self) -> bool {
        self.hangs_on(|anchor| *anchor == Anchor::World)
    }

    /// Whether a joint holds it to a bone that is moved by hand.
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

    /// Whether joints ask for more than a tree gives.
    pub fn has_rows(&self) -> bool {
        !self.loops.is_empty() || !self.turnings.is_empty()
    }

    /// Places every bone that hangs on a joint.
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

    /// As [`Self::expand`], where bones that are moved by hand have these (ω, l), by their numbers in the model; none are still.
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
                        Anchor::Kinematic(hand) => driven.get(hand).copied().unwrap_or(none),
                        Anchor::Bone(place, _) => twists[place],
                    };
                    turn.cross(parent.frame(frames).turn * *at) + shift - own
                }
            };
            twists[k] = (omega, l);
        }
    }

    /// The transpose of [`Self::expand`]: a gradient against (ω, l) of every bone becomes one against the coordinates. What is left in `twists` are,
    /// in l, the forces that joints carry: of all that hangs on a bone and of the bone itself.
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

    /// Everything that joints ask beyond the tree.
    pub fn rows(&self, frames: &[Frame], mut row: impl FnMut(Row)) {
        self.loops.iter().for_each(|ball| ball.rows(frames, &mut row));
        self.turnings.iter().for_each(|turning| turning.rows(frames, &mut row));
    }
}
