//! Rigid bodies that press on each other, solved exactly.
//!
//! The factored matrix has rows on its diagonal, as if what a body presses on could not move, and with one set of directions for the whole scene. Flesh can live with that, because it gives way by itself; a
//! rigid body cannot, and a stack of them would find its forces one body at a time. But a rigid body that no joint and no spring holds has only six coordinates, ω and l, and what
//! couples it to others is known in closed form. With Jᵣ the change of a row's place along its normal or along the surface,
//!
//! H = diag(inertia, mass) + αβh² Σ k Jᵣᵀ Jᵣ
//!
//! over all such bodies in contact is their part of the true matrix; H₀⁻¹ has its inverse there. Whatever else a row touches counts as fixed. Bodies are numbered along their
//! contacts, so that entries are near the diagonal (reverse Cuthill–McKee).

use super::Contacts;
use crate::math::Skyline;
use crate::model::Model;
use glam::DVec3;

const NONE: u32 = u32::MAX;
/// Entries of a matrix above which it is left out.
const MOST: usize = 20_000_000;

/// One direction of a row that presses: its stiffness, and its change by ω and l of up to two bodies.
#[derive(Clone, Copy, Debug)]
struct Line {
    stiffness: f64,
    count: usize,
    ends: [(u32, [f64; 6]); 2],
}

/// H of a step and its factor.
#[derive(Debug)]
pub(super) struct Loose {
    /// The bone of each point, if it is a rigid body that nothing holds; `NONE` otherwise.
    bone: Vec<u32>,
    /// First reduced row of each such bone.
    row: Vec<u32>,
    /// Number of each bone in H, or `NONE`, and the bones by number.
    number: Vec<u32>,
    order: Vec<u32>,
    waiting: Vec<u32>,
    lines: Vec<Line>,
    /// Bones that share a row, both ways round, sorted.
    neighbours: Vec<[u32; 2]>,
    centers: Vec<DVec3>,
    matrix: Skyline,
    y: Vec<f64>,
    usable: bool,
}

impl Loose {
    pub fn new(model: &Model) -> Self {
        let bones = &model.skeleton.bones;
        let mut this = Self {
            bone: vec![NONE; model.points()],
            row: vec![NONE; bones.len()],
            number: vec![NONE; bones.len()],
            order: Vec::new(),
            waiting: Vec::new(),
            lines: Vec::new(),
            neighbours: Vec::new(),
            centers: vec![DVec3::ZERO; bones.len()],
            matrix: Skyline::default(),
            y: Vec::new(),
            usable: false,
        };
        for articulation in &model.skeleton.articulations {
            let Some(k) = model.loose_bone(articulation) else { continue };
            this.row[k] = bones[k].column;
            bones[k].points.iter().for_each(|&i| this.bone[i as usize] = k as u32);
        }
        this
    }

    /// Collects the rows that press at `x` or did before, and factors H; `weight` is αβh².
    pub fn prepare(&mut self, model: &Model, contacts: &Contacts, weight: f64, x: &[DVec3]) {
        self.usable = false;
        self.number.fill(NONE);
        self.order.clear();
        self.lines.clear();
        self.neighbours.clear();
        let Self { bone, number, order, lines, neighbours, centers, .. } = self;
        contacts.for_pressing(x, |row, normal, hold| {
            // Σ w, and Σ w r without and with levers, for each of the bodies.
            let mut sides = [(NONE, 0.0, DVec3::ZERO, DVec3::ZERO); 2];
            let mut count = 0;
            let places = row.ends().map(|(i, w)| (i, w, true));
            for (i, w, place) in places.chain(row.lever.ends().map(|(i, c)| (i, c, false))) {
                let Some(&k) = bone.get(i).filter(|&&k| k != NONE) else { continue };
                if number[k as usize] == NONE {
                    number[k as usize] = 0;
                    order.push(k);
                    centers[k as usize] = model.skeleton.bones[k as usize].center_at(&model.masses, x);
                }
                let at = sides[..count].iter().position(|side| side.0 == k).unwrap_or(count);
                if at == 2 {
                    continue;
                }
                count = count.max(at + 1);
                let arm = (x[i] - centers[k as usize]) * w;
                let side = &mut sides[at];
                side.0 = k;
                side.1 += w;
                side.3 += arm;
                if place {
                    side.2 += arm;
                }
            }
            if count == 0 {
                return;
            }
            if count == 2 {
                neighbours.extend([[sides[0].0, sides[1].0], [sides[1].0, sides[0].0]]);
            }
            let n = row.normal;
            let s = n.any_orthonormal_vector();
            for (direction, stiffness, along) in
                [(n, normal, false), (s, hold, true), (n.cross(s), hold, true)]
            {
                if stiffness > 0.0 {
                    let end = |(k, w, place, touch): (u32, f64, DVec3, DVec3)| {
                        let turn = if along { touch } else { place }.cross(direction);
                        let shift = direction * w;
                        (k, [turn.x, turn.y, turn.z, shift.x, shift.y, shift.z])
                    };
                    lines.push(Line { stiffness: weight * stiffness, count, ends: sides.map(end) });
                }
            }
        });
        if self.order.is_empty() {
            return;
        }
        self.neighbours.sort_unstable();
        self.neighbours.dedup();
        self.number_along_contacts();
        self.fill(model, x);
    }

    /// Numbers the bodies breadth first from one with few neighbours, and then the other way round.
    fn number_along_contacts(&mut self) {
        let neighbours = &self.neighbours;
        let of = |k: u32| {
            let from = neighbours.partition_point(|pair| pair[0] < k);
            neighbours[from..].iter().take_while(move |pair| pair[0] == k).map(|pair| pair[1])
        };
        // Those that are not reached yet, in an order that does not depend on that of the rows.
        self.waiting.clone_from(&self.order);
        self.waiting.sort_unstable_by_key(|&k| (of(k).count(), k));
        self.order.iter().for_each(|&k| self.number[k as usize] = NONE);
        self.order.clear();
        let mut done = 0;
        for &start in &self.waiting {
            if self.number[start as usize] != NONE {
                continue;
            }
            self.number[start as usize] = 0;
            self.order.push(start);
            while done < self.order.len() {
                let k = self.order[done];
                done += 1;
                for other in of(k) {
                    if self.number[other as usize] == NONE {
                        self.number[other as usize] = 0;
                        self.order.push(other);
                    }
                }
            }
        }
        self.order.reverse();
        for (number, &k) in self.order.iter().enumerate() {
            self.number[k as usize] = number as u32;
        }
    }

    /// Fills in H and factors it.
    fn fill(&mut self, model: &Model, x: &[DVec3]) {
        let Self { number, order, lines, neighbours, matrix, .. } = self;
        let first = |k: u32| {
            let from = neighbours.partition_point(|pair| pair[0] < k);
            let others = neighbours[from..].iter().take_while(|pair| pair[0] == k);
            others.map(|pair| number[pair[1] as usize]).fold(number[k as usize], u32::min) as usize
        };
        let entries: usize = order.iter().enumerate().map(|(p, &k)| 36 * (p + 1 - first(k))).sum();
        if entries > MOST {
            return;
        }
        matrix.clear(order.iter().flat_map(|&k| std::iter::repeat_n(6 * first(k), 6)));
        for (p, &k) in order.iter().enumerate() {
            let bone = &model.skeleton.bones[k as usize];
            let Some(frame) = bone.frame(&model.masses, x) else { return };
            let inertia = bone.inertia(&frame);
            for a in 0..3 {
                (0..=a).for_each(|b| matrix.add(6 * p + a, 6 * p + b, inertia.col(b)[a]));
                matrix.add(6 * p + 3 + a, 6 * p + 3 + a, bone.mass);
            }
        }
        for line in lines.iter() {
            let ends = &line.ends[..line.count];
            for (j, left) in ends {
                for (k, right) in ends {
                    let [p, q] = [j, k].map(|&bone| 6 * number[bone as usize] as usize);
                    if q > p {
                        continue;
                    }
                    for a in 0..6 {
                        let most = if p == q { a + 1 } else { 6 };
                        (0..most).for_each(|b| {
                            matrix.add(p + a, q + b, line.stiffness * left[a] * right[b]);
                        });
                    }
                }
            }
        }
        self.usable = matrix.factor();
    }

    /// Keeps the part of a right-hand side that belongs to these bodies.
    pub fn take(&mut self, x: &[DVec3]) {
        self.y.clear();
        if !self.usable {
            return;
        }
        for &k in &self.order {
            let at = self.row[k as usize] as usize;
            self.y.extend(x[at].to_array());
            self.y.extend(x[at + 1].to_array());
        }
    }

    /// Writes H⁻¹ of it back.
    pub fn put(&mut self, x: &mut [DVec3]) {
        if !self.usable {
            return;
        }
        self.matrix.solve(&mut self.y);
        for (&k, y) in self.order.iter().zip(self.y.chunks_exact(6)) {
            let at = self.row[k as usize] as usize;
            x[at] = DVec3::from_slice(&y[..3]);
            x[at + 1] = DVec3::from_slice(&y[3..]);
        }
    }
}
