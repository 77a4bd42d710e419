//! Drags of a scene: each grabs a point of a surface at one time, moves it, and releases it at another.
//!
//! A run may be resumed from a checkpoint in the middle of a drag, and only the state is saved. The code therefore never stores which grab of
//! the state belongs to which drag of the scene: before every step it finds this out from the state, by the grab's corners, weights and
//! stiffness, which no step changes. If two drags hold the very same point, either grab serves either drag.

use super::motion::displacement;
use crate::format::{Drag, Motion};
use glam::DVec3;
use sinew::{ControlError, Grab, GrabId, Model, State};

/// A drag of the scene: the grabbed point, its motion and its times.
#[derive(Clone, Debug)]
pub(super) struct DragCourse {
    /// Indices of body and drag in the scene, for messages.
    pub number: (usize, usize),
    corners: [u32; 3],
    weights: [f64; 3],
    stiffness: f64,
    /// Position of the grabbed point at the start of the simulation, m.
    base: DVec3,
    start: f64,
    stop: f64,
    motion: Option<Motion>,
}

impl DragCourse {
    /// `positions` are those of the body at the start, `first` is the index of its first vertex in the model.
    pub fn new(
        drag: &Drag,
        number: (usize, usize),
        surface: &[[u32; 3]],
        positions: &[DVec3],
        first: usize,
    ) -> Self {
        let (corners, weights) = nearest(DVec3::from(drag.point), surface, positions);
        let base = corners.iter().zip(weights).map(|(&i, w)| positions[i as usize] * w).sum();
        Self {
            number,
            corners: corners.map(|i| i + first as u32),
            weights,
            stiffness: drag.stiffness,
            base,
            start: drag.start,
            stop: drag.stop.unwrap_or(f64::INFINITY),
            motion: drag.motion.clone(),
        }
    }

    /// Whether it is active in the step that ends at `end`.
    fn holds(&self, end: f64) -> bool {
        self.start < end && end <= self.stop
    }

    fn grab(&self, end: f64) -> Grab {
        let moved = self.motion.as_ref().map_or(DVec3::ZERO, |m| displacement(m, end));
        Grab {
            corners: self.corners,
            weights: self.weights,
            stiffness: self.stiffness,
            target: self.base + moved,
        }
    }

    fn is(&self, held: &Grab) -> bool {
        held.corners == self.corners && held.weights == self.weights && held.stiffness == self.stiffness
    }
}

/// Grabs, moves and releases points as the drags require for the step that ends at `end`.
pub(super) fn apply(
    drags: &[DragCourse],
    model: &Model,
    state: &mut State,
    end: f64,
) -> Result<(), ControlError> {
    // For each drag, the grab with which it continues.
    let mut grabs: Vec<Option<GrabId>> = vec![None; drags.len()];
    for (k, drag) in drags.iter().enumerate().filter(|(_, drag)| drag.holds(end)) {
        let taken = &grabs[..k];
        let held = state.controls().grabs().find(|(id, grab)| drag.is(grab) && !taken.contains(&Some(*id)));
        grabs[k] = held.map(|(id, _)| id);
    }
    // Release before grabbing, so that grabs are available.
    let of_drags = state.controls().grabs().filter(|(_, grab)| drags.iter().any(|drag| drag.is(grab)));
    let over: Vec<GrabId> = of_drags.map(|(id, _)| id).filter(|id| !grabs.contains(&Some(*id))).collect();
    for id in over {
        state.controls_mut().release(id)?;
    }
    for (drag, grab) in drags.iter().zip(grabs).filter(|(drag, _)| drag.holds(end)) {
        let wanted = drag.grab(end);
        match grab {
            Some(id) => state.controls_mut().move_grab(id, wanted.target).map(|_| ())?,
            None => state.controls_mut().grab(model, wanted).map(|_| ())?,
        }
    }
    Ok(())
}

/// The first drag for which no grab is left, if more than `most` are active at the same time.
pub(super) fn one_too_many(drags: &[DragCourse], most: usize) -> Option<(usize, usize)> {
    let together = |time: f64| drags.iter().filter(move |drag| drag.start <= time && time < drag.stop);
    drags.iter().find(|drag| together(drag.start).count() > most).map(|drag| drag.number)
}

/// The point of a surface nearest to `p`: corners and weights. Without triangles, it is a vertex.
fn nearest(p: DVec3, surface: &[[u32; 3]], positions: &[DVec3]) -> ([u32; 3], [f64; 3]) {
    let at = |i: u32| positions[i as usize];
    let place =
        |corners: [u32; 3], w: [f64; 3]| corners.iter().zip(w).map(|(&i, w)| at(i) * w).sum::<DVec3>();
    let on_triangles = surface.iter().map(|&corners| (corners, weights(p, corners.map(at))));
    let vertices = if surface.is_empty() { positions.len() as u32 } else { 0 };
    let on_vertices = (0..vertices).map(|i| ([i; 3], [1.0, 0.0, 0.0]));
    let distance = |&(corners, w): &([u32; 3], [f64; 3])| place(corners, w).distance_squared(p);
    let closest = on_triangles.chain(on_vertices).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    closest.unwrap_or(([0; 3], [1.0, 0.0, 0.0]))
}

/// Barycentric coordinates of the point of a triangle nearest to `p` \[ericson2005, §5.1.5\].
fn weights(p: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let along = |q: DVec3| (ab.dot(p - q), ac.dot(p - q));
    let ((d1, d2), (d3, d4), (d5, d6)) = (along(a), along(b), along(c));
    let share = |part: f64, rest: f64| if part + rest > 0.0 { part / (part + rest) } else { 0.0 };
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = share(d1, -d3);
        return [1.0 - t, t, 0.0];
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = share(d2, -d6);
        return [1.0 - t, 0.0, t];
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = share(d4 - d3, d5 - d6);
        return [0.0, 1.0 - t, t];
    }
    let (v, w) = (vb / (va + vb + vc), vc / (va + vb + vc));
    [1.0 - v - w, v, w]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    proptest! {
        /// No other point of the triangle is closer.
        #[test]
        fn weights_give_the_nearest_point(p in prop::array::uniform3(-2.0f64..2.0), u in 0.0f64..1.0, v in 0.0f64..1.0) {
            let p = DVec3::from(p);
            let w = weights(p, TRIANGLE);
            prop_assert!(w.iter().all(|w| *w >= 0.0) && (w.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let at = |w: [f64; 3]| TRIANGLE.iter().zip(w).map(|(x, w)| *x * w).sum::<DVec3>();
            let other = at([1.0 - u, u * (1.0 - v), u * v]);
            prop_assert!(at(w).distance(p) <= other.distance(p) + 1e-12);
        }
    }

    fn drag(start: f64, stop: Option<f64>) -> DragCourse {
        let drag = Drag { point: [0.2, 0.3, 5.0], stiffness: 2.0, start, stop, motion: None };
        DragCourse::new(&drag, (0, 0), &[[0, 1, 2]], &TRIANGLE, 10)
    }

    #[test]
    fn the_nearest_point_is_held_between_start_and_stop() {
        let drag = drag(1.0, Some(2.0));
        assert_eq!(drag.corners, [10, 11, 12]);
        assert!(drag.base.distance(DVec3::new(0.2, 0.3, 0.0)) < 1e-15);
        assert_eq!([1.0, 1.1, 2.0, 2.1].map(|end| drag.holds(end)), [false, true, true, false]);
    }

    #[test]
    fn without_triangles_a_vertex_is_held() {
        let (corners, w) = nearest(DVec3::new(0.9, 0.3, 0.0), &[], &TRIANGLE);
        assert_eq!((corners, w), ([1; 3], [1.0, 0.0, 0.0]));
    }

    #[test]
    fn drags_are_counted_where_they_hold_together() {
        let early = || drag(0.0, Some(1.0));
        assert_eq!(one_too_many(&[early(), drag(1.0, None), drag(2.0, None)], 2), None);
        let late = DragCourse { number: (3, 4), ..drag(0.5, None) };
        assert_eq!(one_too_many(&[early(), early(), late], 2), Some((3, 4)));
    }
}
