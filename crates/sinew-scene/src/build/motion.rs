//! Prescribed motions as functions of time: targets, colliders, bones, drags, wind and acceleration.

use super::collider::Course;
use super::drag::{self, DragCourse};
use super::face::FaceCourse;
use super::figure::{FigureCourse, PlacedFigure};
use super::forces::{Air, acceleration};
use crate::format::{Expression, Keyframe, Motion, Sinusoid, UniformAcceleration};
use glam::DVec3;
use sinew::{AttachmentId, BoneId, ColliderId, ControlError, Model, State};

/// Everything in a scene that depends on time but not on the bodies.
#[derive(Clone, Debug, Default)]
pub struct Motions {
    targets: Vec<MovingTarget>,
    /// Colliders that move, and their courses.
    colliders: Vec<(ColliderId, Course)>,
    /// Kinematic bones that move, and their courses.
    bones: Vec<(BoneId, Course)>,
    figures: Vec<FigureCourse>,
    faces: Vec<FaceCourse>,
    pub(super) drags: Vec<DragCourse>,
    pub(super) air: Option<Air>,
    pub(super) acceleration: Option<UniformAcceleration>,
}

#[derive(Clone, Debug)]
struct MovingTarget {
    attachment: AttachmentId,
    /// Position of the target without its motion, m.
    base: DVec3,
    motion: Motion,
}

impl Motions {
    /// Moves the target of an attachment about `base`.
    pub(super) fn add_target(&mut self, attachment: AttachmentId, base: DVec3, motion: &Motion) {
        self.targets.push(MovingTarget { attachment, base, motion: motion.clone() });
    }

    /// Moves a collider, if it has a motion.
    pub(super) fn add_collider(&mut self, collider: ColliderId, course: Course) {
        if course.moves() {
            self.colliders.push((collider, course));
        }
    }

    /// Moves a kinematic bone.
    pub(super) fn add_bone(&mut self, bone: BoneId, course: Course) {
        self.bones.push((bone, course));
    }

    /// Moves the bones of a figure.
    pub(super) fn add_figure(&mut self, course: FigureCourse) {
        self.figures.push(course);
    }

    /// Moves muscles and jaw of a face.
    pub(super) fn add_face(&mut self, course: FaceCourse) {
        self.faces.push(course);
    }

    /// The faces of the scene.
    pub fn faces(&self) -> impl Iterator<Item = &FaceCourse> {
        self.faces.iter()
    }

    /// Lets all faces show something else than the scene says, from `time` on; `None`: what the scene says again.
    ///
    /// # Errors
    /// A sentence, if there is no such muscle or expression, or a number is out of range.
    pub fn hold_faces(&mut self, expression: Option<&Expression>, time: f64) -> Result<(), String> {
        self.faces.iter_mut().try_for_each(|face| face.hold(expression, time))
    }

    /// The animated figures of the scene.
    pub fn figures(&self) -> impl Iterator<Item = &PlacedFigure> {
        self.figures.iter().map(FigureCourse::figure)
    }

    /// Whether there are no motions and no wind.
    pub fn is_empty(&self) -> bool {
        let Self { targets, colliders, bones, figures, faces, drags, air, acceleration } = self;
        targets.is_empty()
            && colliders.is_empty()
            && bones.is_empty()
            && figures.is_empty()
            && faces.is_empty()
            && drags.is_empty()
            && air.is_none()
            && acceleration.is_none()
    }

    /// Applies the motions at `time` (s) to a state of the scene's model. Before a step, `time` is the end of the step.
    pub fn apply(&self, model: &Model, state: &mut State, time: f64) -> Result<(), ControlError> {
        let controls = state.controls_mut();
        for t in &self.targets {
            controls.move_target(t.attachment, t.base + displacement(&t.motion, time))?;
        }
        for (collider, course) in &self.colliders {
            controls.move_collider(*collider, course.at(time))?;
        }
        for (bone, course) in &self.bones {
            controls.move_bone(*bone, course.since_start(time))?;
        }
        for face in &self.faces {
            face.apply(controls, time)?;
        }
        if let Some(air) = &self.air {
            controls.set_wind(air.at(time))?;
        }
        if let Some(of) = &self.acceleration {
            controls.set_acceleration(acceleration(of, time))?;
        }
        for figure in &self.figures {
            figure.apply(state, time)?;
        }
        drag::apply(&self.drags, model, state, time)
    }
}

/// The displacement that a motion prescribes at `time`, m.
pub(super) fn displacement(motion: &Motion, time: f64) -> DVec3 {
    let sinusoid = motion.sinusoid.as_ref().map_or(DVec3::ZERO, |s| oscillation(s, time));
    between(&motion.keyframes, time) + sinusoid
}

/// Linear between keyframes, constant outside.
fn between(keyframes: &[Keyframe], time: f64) -> DVec3 {
    match bracket(keyframes, time, |k| k.time) {
        (None, None) => DVec3::ZERO,
        (None, Some(only)) | (Some(only), None) => DVec3::from(only.offset),
        (Some(a), Some(b)) => {
            let share = (time - a.time) / (b.time - a.time);
            DVec3::from(a.offset).lerp(DVec3::from(b.offset), share)
        }
    }
}

/// The keyframes before and after `time`; they are in order of their times.
pub(super) fn bracket<K>(keyframes: &[K], time: f64, of: impl Fn(&K) -> f64) -> (Option<&K>, Option<&K>) {
    let after = keyframes.partition_point(|k| of(k) <= time);
    (after.checked_sub(1).and_then(|i| keyframes.get(i)), keyframes.get(after))
}

/// The value of a sinusoid at `time`, in the unit of its amplitude.
pub(super) fn oscillation(s: &Sinusoid, time: f64) -> DVec3 {
    if time < s.start || s.stop.is_some_and(|stop| time > stop) {
        return DVec3::ZERO;
    }
    let angle = std::f64::consts::TAU * s.frequency * (time - s.start) + s.phase.to_radians();
    DVec3::from(s.amplitude) * angle.sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyframes(list: &[(f64, f64)]) -> Motion {
        let keyframes = list.iter().map(|&(time, x)| Keyframe { time, offset: [x, 0.0, 0.0] }).collect();
        Motion { keyframes, sinusoid: None }
    }

    #[test]
    fn keyframes_are_linear_between_and_constant_outside() {
        let motion = keyframes(&[(1.0, 2.0), (3.0, 6.0)]);
        let at = |time| displacement(&motion, time).x;
        assert_eq!([at(0.0), at(1.0), at(1.5), at(3.0), at(9.0)], [2.0, 2.0, 3.0, 6.0, 6.0]);
    }

    #[test]
    fn sinusoid_adds_to_keyframes_while_it_lasts() {
        let mut motion = keyframes(&[(0.0, 1.0)]);
        motion.sinusoid = Some(Sinusoid {
            amplitude: [2.0, 0.0, 0.0],
            frequency: 0.5,
            phase: 90.0,
            start: 1.0,
            stop: Some(3.0),
        });
        let at = |time| displacement(&motion, time).x;
        assert_eq!([at(0.5), at(1.0), at(4.0)], [1.0, 3.0, 1.0]);
        assert!((at(1.5) - 1.0).abs() < 1e-15 && (at(2.0) + 1.0).abs() < 1e-15);
    }
}
