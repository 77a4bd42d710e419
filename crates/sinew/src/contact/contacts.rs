//! The contacts of one step and their potential.
//!
//! A contact pushes a vertex out of the contact distance d of a surface: with the signed distance s and δ = d − s > 0,
//!
//! * E = k/2 δ² (repulsion springs [dinev2018stab, Eq. 38]) or E = k/(3d) δ³ (the cubic of [dinev2018fepr, §3.2], scaled so
//!   that k is a stiffness and that both push equally hard at δ = d).
//!
//! s is a function of the positions alone, so E belongs to H like any other potential: a collision gives back what it stores. The papers
//! measure the depth from the surface itself; measuring it from d above the surface leaves room for the springs to yield, so that bodies do
//! not visibly enter what they lie on.
//!
//! The surface is one of three: a collider, by its signed distance; one face of a collider, where a fast vertex would otherwise pass through
//! (or past the middle) within the step; or the plane of a triangle of a body, s = ±n·(x − x_a) with the triangle's current normal n. The
//! last depends only on the relative positions of the four vertices, so it conserves both momenta. ∂s/∂x = n for the vertex and −bₖn for the
//! corners, where b are the barycentric weights of the vertex's foot point.
//!
//! *Friction* is a tangential spring that yields [cundall1979, li2020ipc]: k/2 |t|² up to the Coulomb limit μλ, then μλ|t| − …, where t is
//! the offset from the point where the vertex last stuck. The solve sees all of it. The ledger counts what the spring stores, k/2 min(|t|,
//! μλ/k)²: that part is given back; the rest is dissipated.

use super::collider::{Friction, Response};
use super::shape::{Proximity, Shape};
use crate::math::outer;
use crate::placement::Placement;
use glam::{DMat3, DVec3};

/// What a vertex is in contact with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Facing {
    /// A collider by its signed distance.
    Solid {
        /// Index of the collider.
        collider: u32,
    },
    /// One face of a collider: a point and the normal, in the collider's frame.
    Face {
        /// Index of the collider.
        collider: u32,
        point: DVec3,
        normal: DVec3,
    },
    /// The plane of a triangle of a body.
    Triangle {
        /// Index of the triangle among the surfaces.
        triangle: u32,
        corners: [u32; 3],
        /// 1 if the vertex is in front of the triangle, −1 behind it.
        side: f64,
    },
}

impl Facing {
    /// The number under which [`ContactMemory`](super::ContactMemory) remembers it.
    pub fn partner(&self) -> u64 {
        match *self {
            Self::Solid { collider } | Self::Face { collider, .. } => u64::from(collider) + 1,
            Self::Triangle { triangle, .. } => u64::MAX - u64::from(triangle),
        }
    }
}

/// The tangential spring of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grip {
    /// Coefficient μ in effect: that of sticking or of sliding.
    pub coefficient: f64,
    /// Coulomb limit μλ, N.
    pub limit: f64,
    /// Where the vertex sticks: a point in the collider's frame, or barycentric weights of the corners.
    pub anchor: DVec3,
    /// Normal of the tangent plane, constant during the step.
    pub normal: DVec3,
}

/// A contact of one vertex with one surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// Index of the component whose energy includes this contact.
    pub owner: u32,
    pub vertex: u32,
    pub facing: Facing,
    /// Stiffness k, N/m.
    pub stiffness: f64,
    /// Contact distance d, m.
    pub distance: f64,
    pub friction: Friction,
    pub restitution: f64,
    pub grip: Grip,
    /// A ball (centre, radius) of positions in which the vertex is certainly not in contact.
    pub clear: (DVec3, f64),
}

/// Position of a vertex relative to a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// Signed distance s, m.
    pub distance: f64,
    /// Unit normal, out of the surface.
    pub normal: DVec3,
    /// Barycentric weights of the corners, for a triangle.
    pub weights: [f64; 3],
}

impl Gap {
    /// Not in contact.
    const FAR: Self = Self { distance: f64::INFINITY, normal: DVec3::Y, weights: [0.0; 3] };
}

/// A foot point that lies outside its triangle by more than this, in barycentric weights, is not above the triangle.
const OUTSIDE: f64 = 1.0;

/// All contacts of a step.
#[derive(Debug, Default)]
pub struct Contacts {
    /// Sorted by owner, vertex and partner.
    pub(crate) list: Vec<Contact>,
    /// Contacts of component c: `list[starts[c]..starts[c + 1]]`.
    pub(super) starts: Vec<u32>,
    /// (corner, contact) of every contact with a triangle, sorted.
    pub(super) corners: Vec<(u32, u32)>,
    /// (vertex, contact) of every contact, sorted.
    pub(super) vertices: Vec<(u32, u32)>,
    pub(super) shapes: Vec<Shape>,
    /// Placements of the colliders at the end of the step.
    pub(super) placements: Vec<Placement>,
    pub(super) response: Response,
}

/// Which part of friction counts as potential energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrictionPart {
    /// All of it, as the solve sees it: sliding is resisted too.
    Dissipating,
    /// Only what the tangential springs store and give back, as the ledger sees it.
    Stored,
}

static NONE: Contacts = Contacts {
    list: Vec::new(),
    starts: Vec::new(),
    corners: Vec::new(),
    vertices: Vec::new(),
    shapes: Vec::new(),
    placements: Vec::new(),
    response: Response::Repulsion,
};

impl Contacts {
    /// No contacts.
    pub fn none() -> &'static Self {
        &NONE
    }

    /// Whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Contacts that belong to component `c`.
    pub(crate) fn of(&self, c: usize) -> &[Contact] {
        match self.starts.get(c..c + 2) {
            Some(&[start, end]) => &self.list[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Distance, normal and weights of a contact's vertex.
    pub(crate) fn gap(&self, contact: &Contact, x: &[DVec3]) -> Gap {
        let p = x[contact.vertex as usize];
        if contact.clear.1 > 0.0 && p.distance_squared(contact.clear.0) < contact.clear.1 * contact.clear.1 {
            return Gap::FAR;
        }
        self.gap_before(contact, x, &self.placements)
    }

    /// As [`Self::gap`], with the colliders at other placements.
    pub(super) fn gap_before(&self, contact: &Contact, x: &[DVec3], placements: &[Placement]) -> Gap {
        let p = x[contact.vertex as usize];
        match contact.facing {
            Facing::Solid { collider } => {
                let placement = &placements[collider as usize];
                let Proximity { distance, normal } =
                    self.shapes[collider as usize].proximity(placement.undo(p));
                Gap { distance, normal: placement.rotation * normal, weights: [0.0; 3] }
            }
            Facing::Face { collider, point, normal } => {
                let placement = &placements[collider as usize];
                let normal = placement.rotation * normal;
                let distance = normal.dot(p - placement.apply(point));
                Gap { distance, normal, weights: [0.0; 3] }
            }
            Facing::Triangle { corners, side, .. } => above_triangle(p, corners.map(|i| x[i as usize]), side),
        }
    }

    /// E(δ) and the normal force −E′(s) of a contact.
    fn press(&self, contact: &Contact, gap: &Gap) -> (f64, f64) {
        let depth = contact.distance - gap.distance;
        // A NaN exerts no force.
        if depth <= 0.0 || depth.is_nan() {
            return (0.0, 0.0);
        }
        let k = contact.stiffness;
        match self.response {
            Response::Repulsion => (0.5 * k * depth * depth, k * depth),
            Response::Cubic => {
                let share = depth / contact.distance;
                (k * depth * depth * share / 3.0, k * depth * share)
            }
        }
    }

    /// The depth at which a contact exerts this force, m.
    pub(super) fn depth_of(&self, contact: &Contact, force: f64) -> f64 {
        match self.response {
            Response::Repulsion => force / contact.stiffness,
            Response::Cubic => (force * contact.distance / contact.stiffness).sqrt(),
        }
    }

    /// Normal force, N.
    pub(crate) fn force(&self, contact: &Contact, gap: &Gap) -> f64 {
        self.press(contact, gap).1
    }

    /// Derivative of the normal force with respect to depth, N/m.
    fn normal_stiffness(&self, contact: &Contact, gap: &Gap) -> f64 {
        let depth = contact.distance - gap.distance;
        match self.response {
            _ if depth <= 0.0 || depth.is_nan() => 0.0,
            Response::Repulsion => contact.stiffness,
            Response::Cubic => 2.0 * contact.stiffness * depth / contact.distance,
        }
    }

    /// Tangential offset t of a contact's vertex from the point where it sticks.
    pub(crate) fn slip(&self, contact: &Contact, x: &[DVec3]) -> DVec3 {
        let offset = x[contact.vertex as usize] - self.anchor(contact, x);
        offset - contact.grip.normal * contact.grip.normal.dot(offset)
    }

    /// The point where the vertex sticks, in world coordinates.
    pub(crate) fn anchor(&self, contact: &Contact, x: &[DVec3]) -> DVec3 {
        let anchor = contact.grip.anchor;
        match contact.facing {
            Facing::Solid { collider } | Facing::Face { collider, .. } => {
                self.placements[collider as usize].apply(anchor)
            }
            Facing::Triangle { corners, .. } => (0..3).map(|k| x[corners[k] as usize] * anchor[k]).sum(),
        }
    }

    /// Energy and force of the tangential spring: the part of [`Self::drag`] that is given back.
    pub(super) fn stick(&self, contact: &Contact, x: &[DVec3]) -> (f64, DVec3) {
        let (limit, k) = (contact.grip.limit, contact.stiffness);
        if limit <= 0.0 {
            return (0.0, DVec3::ZERO);
        }
        let slip = self.slip(contact, x);
        let length = slip.length();
        if length <= limit / k {
            (0.5 * k * length * length, slip * -k)
        } else {
            (0.5 * limit * limit / k, DVec3::ZERO)
        }
    }

    /// Energy of the selected part of friction, and its force on the vertex.
    fn tangential(&self, contact: &Contact, x: &[DVec3], part: FrictionPart) -> (f64, DVec3) {
        match part {
            FrictionPart::Dissipating => self.drag(contact, x),
            FrictionPart::Stored => self.stick(contact, x),
        }
    }

    /// Energy E(t) of friction, and its force on the vertex.
    pub(crate) fn drag(&self, contact: &Contact, x: &[DVec3]) -> (f64, DVec3) {
        let limit = contact.grip.limit;
        if limit <= 0.0 {
            return (0.0, DVec3::ZERO);
        }
        let slip = self.slip(contact, x);
        let length = slip.length();
        let reach = limit / contact.stiffness;
        if length <= reach {
            (0.5 * contact.stiffness * length * length, slip * -contact.stiffness)
        } else {
            (limit * (length - 0.5 * reach), slip * (-limit / length))
        }
    }

    /// E of the contacts of component `c`.
    pub(crate) fn value(&self, c: usize, x: &[DVec3], friction: FrictionPart) -> f64 {
        let mut sum = 0.0;
        for contact in self.of(c) {
            sum += self.press(contact, &self.gap(contact, x)).0;
            sum += self.tangential(contact, x, friction).0;
        }
        sum
    }

    /// Adds ∇E of the contacts of component `c`; returns E.
    pub(crate) fn gradient(
        &self,
        c: usize,
        x: &[DVec3],
        friction: FrictionPart,
        gradient: &mut [DVec3],
    ) -> f64 {
        let mut sum = 0.0;
        for contact in self.of(c) {
            let gap = self.gap(contact, x);
            let (energy, force) = self.press(contact, &gap);
            if force > 0.0 {
                sum += energy;
                let pull = gap.normal * -force;
                gradient[contact.vertex as usize] += pull;
                if let Facing::Triangle { corners, .. } = contact.facing {
                    for (corner, weight) in corners.into_iter().zip(gap.weights) {
                        gradient[corner as usize] -= pull * weight;
                    }
                }
            }
            let (energy, force) = self.tangential(contact, x, friction);
            if force != DVec3::ZERO {
                gradient[contact.vertex as usize] -= force;
                if let Facing::Triangle { corners, .. } = contact.facing {
                    for k in 0..3 {
                        gradient[corners[k] as usize] += force * contact.grip.anchor[k];
                    }
                }
            }
            sum += energy;
        }
        sum
    }

    /// The vertices that take part in contacts, each once, ascending.
    pub(crate) fn participants(&self) -> impl Iterator<Item = u32> + '_ {
        let (mut a, mut b) = (self.vertices.iter().peekable(), self.corners.iter().peekable());
        let mut last = None;
        std::iter::from_fn(move || {
            loop {
                let next = match (a.peek(), b.peek()) {
                    (Some(x), Some(y)) => x.0.min(y.0),
                    (Some(x), None) | (None, Some(x)) => x.0,
                    (None, None) => return None,
                };
                a.next_if(|x| x.0 == next);
                b.next_if(|x| x.0 == next);
                if last != Some(next) {
                    last = Some(next);
                    return last;
                }
            }
        })
    }

    /// An upper bound on ∇²E in the sense of quadratic forms, one block per vertex: colliders count as flat, and the coupling of the four
    /// vertices of a triangle contact, (Σ cᵢyᵢ)² ≤ Σ|cᵢ| Σ|cᵢ|yᵢ², is spread over the diagonal.
    pub(crate) fn stiffness_at(&self, vertex: u32, x: &[DVec3]) -> Stiffness {
        let mut sum = Stiffness { normal: DMat3::ZERO, tangential: 0.0, planes: DMat3::ZERO };
        for &(_, k) in with_key(&self.vertices, vertex) {
            let contact = &self.list[k as usize];
            let share = if matches!(contact.facing, Facing::Triangle { .. }) { 2.0 } else { 1.0 };
            self.add_stiffness(contact, x, |_| share, &mut sum);
        }
        for &(_, k) in with_key(&self.corners, vertex) {
            let contact = &self.list[k as usize];
            let Facing::Triangle { corners, .. } = contact.facing else { continue };
            let corner = corners.iter().position(|&i| i == vertex).unwrap_or_default();
            self.add_stiffness(contact, x, |weights| 2.0 * weights[corner].abs(), &mut sum);
        }
        sum
    }

    fn add_stiffness(
        &self,
        contact: &Contact,
        x: &[DVec3],
        share: impl Fn([f64; 3]) -> f64,
        sum: &mut Stiffness,
    ) {
        let gap = self.gap(contact, x);
        sum.normal +=
            outer(gap.normal, gap.normal) * (self.normal_stiffness(contact, &gap) * share(gap.weights));
        let grip = &contact.grip;
        if grip.limit > 0.0 {
            let length = self.slip(contact, x).length();
            let stiffness = contact.stiffness.min(grip.limit / length.max(f64::MIN_POSITIVE));
            let stiffness = stiffness * share(grip.anchor.to_array());
            sum.tangential += stiffness;
            sum.planes += (DMat3::IDENTITY - outer(grip.normal, grip.normal)) * stiffness;
        }
    }
}

/// Stiffness of all contacts of one vertex, N/m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stiffness {
    /// Σ k n nᵀ.
    pub normal: DMat3,
    /// Σ k of the tangential springs.
    pub tangential: f64,
    /// The tangential springs as a matrix, Σ k (I − n nᵀ).
    pub planes: DMat3,
}

/// The entries of a sorted list with this key.
fn with_key(list: &[(u32, u32)], key: u32) -> &[(u32, u32)] {
    let start = list.partition_point(|&(k, _)| k < key);
    let end = start + list[start..].partition_point(|&(k, _)| k == key);
    &list[start..end]
}

/// Height of a point above the plane of a triangle, and the barycentric weights of its foot point.
pub(super) fn above_triangle(p: DVec3, [a, b, c]: [DVec3; 3], side: f64) -> Gap {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let cross = ab.cross(ac);
    let squared = cross.length_squared();
    if squared <= 0.0 || squared.is_nan() {
        return Gap::FAR;
    }
    let v = ap.cross(ac).dot(cross) / squared;
    let w = ab.cross(ap).dot(cross) / squared;
    let weights = [1.0 - v - w, v, w];
    if !weights.iter().all(|&w| w >= -OUTSIDE) {
        return Gap::FAR;
    }
    let normal = cross * (side / squared.sqrt());
    Gap { distance: normal.dot(ap), normal, weights }
}
