//! Wind and uniform acceleration.

use super::super::forces::{UniformAcceleration, Wind};
use super::at::{At, Verdict};
use super::motion;

pub(super) fn wind(wind: &Wind, at: &At<'_>) -> Verdict {
    at.positive("density", wind.density)?;
    let Some(gusts) = &wind.gusts else { return Ok(()) };
    let at = at.key("gusts");
    at.within("strength", gusts.strength, 0.0, 1.0)?;
    at.positive("frequency", gusts.frequency)
}

pub(super) fn acceleration(acceleration: &UniformAcceleration, at: &At<'_>) -> Verdict {
    if acceleration.constant.is_none() && acceleration.sinusoid.is_none() {
        return Err(at.error("accelerates nothing; give a constant or a sinusoid"));
    }
    acceleration.sinusoid.as_ref().map_or(Ok(()), |s| motion::sinusoid(s, &at.key("sinusoid")))?;
    motion::span(acceleration.start, acceleration.stop, at)
}
