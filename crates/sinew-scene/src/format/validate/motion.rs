//! Motions: times in order, valid frequencies, and at least some motion.

use super::super::motion::{Motion, PlacementMotion, Sinusoid};
use super::at::{At, Verdict};

/// Checks the motion of a target.
pub(super) fn check(motion: &Motion, at: &At<'_>) -> Verdict {
    if motion.keyframes.is_empty() && motion.sinusoid.is_none() {
        return Err(at.error("moves nothing; give keyframes or a sinusoid"));
    }
    in_order(motion.keyframes.iter().map(|k| k.time), &at.key("keyframes"))?;
    motion.sinusoid.as_ref().map_or(Ok(()), |s| sinusoid(s, &at.key("sinusoid")))
}

/// Checks the motion of a collider or a bone.
pub(super) fn placement(motion: &PlacementMotion, at: &At<'_>) -> Verdict {
    if motion.keyframes.is_empty() && motion.sinusoid.is_none() && motion.spin.is_none() {
        return Err(at.error("moves nothing; give keyframes, a sinusoid or a spin"));
    }
    let keyframes = at.key("keyframes");
    in_order(motion.keyframes.iter().map(|k| k.time), &keyframes)?;
    for (i, keyframe) in motion.keyframes.iter().enumerate() {
        if let Some(rotate) = &keyframe.rotate {
            keyframes.index(i).key("rotate").direction("axis", rotate.axis)?;
        }
    }
    motion.sinusoid.as_ref().map_or(Ok(()), |s| sinusoid(s, &at.key("sinusoid")))
}

pub(super) fn sinusoid(sinusoid: &Sinusoid, at: &At<'_>) -> Verdict {
    at.positive("frequency", sinusoid.frequency)?;
    later(sinusoid.start, sinusoid.stop, at)
}

/// Checks a time span that starts at time 0 or later and may end.
pub(super) fn span(start: f64, stop: Option<f64>, at: &At<'_>) -> Verdict {
    at.non_negative("start", start)?;
    later(start, stop, at)
}

fn later(start: f64, stop: Option<f64>, at: &At<'_>) -> Verdict {
    let Some(stop) = stop else { return Ok(()) };
    at.require("stop", stop > start, || format!("must be later than start, is {stop} with start {start}"))
}

pub(super) fn in_order(times: impl Iterator<Item = f64>, at: &At<'_>) -> Verdict {
    let mut earlier = None;
    for (i, time) in times.enumerate() {
        let at = at.index(i);
        at.non_negative("time", time)?;
        if let Some(earlier) = earlier {
            at.require("time", time > earlier, || {
                format!("must be later than the keyframe before, is {time} after {earlier}")
            })?;
        }
        earlier = Some(time);
    }
    Ok(())
}
