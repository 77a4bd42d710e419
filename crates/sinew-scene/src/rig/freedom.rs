//! The relative motion that a joint allows, and the checks of its parameters.
//!
//! Scene files and `.joint` files give the same parameters, with the same names and rules; both use this module.

use glam::DVec3;
use std::f64::consts::PI;

/// The relative motion that a joint allows. Angles are those of the second bone relative to the first, zero at rest, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointFreedom {
    /// Rotation about a point.
    Ball {
        /// Limits of the rotation; `None`: unlimited.
        limit: Option<SwingTwistLimit>,
    },
    /// Rotation about an axis.
    Hinge {
        /// The axis at rest, any length.
        axis: DVec3,
        /// Least and greatest angle; `None`: unlimited.
        range: Option<[f64; 2]>,
    },
    /// No relative motion.
    Weld,
}

/// Limits of a ball joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingTwistLimit {
    /// The axis at rest, any length.
    pub axis: DVec3,
    /// Greatest swing of the axis, above 0 and up to 180; `None`: unlimited.
    pub cone: Option<f64>,
    /// Greatest twist about the axis in either direction, above 0 and up to 180; `None`: unlimited.
    pub twist: Option<f64>,
}

/// The parameters of a joint as they are written, complete or not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointParts<'a> {
    /// `ball`, `hinge` or `weld`.
    pub kind: &'a str,
    /// The axis.
    pub axis: Option<DVec3>,
    /// The greatest swing.
    pub cone: Option<f64>,
    /// The greatest twist.
    pub twist: Option<f64>,
    /// Least and greatest angle of a hinge.
    pub range: Option<[f64; 2]>,
}

/// What is wrong with the parameters of a joint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreedomFault {
    /// Name of the parameter.
    pub key: &'static str,
    /// What is wrong with it.
    pub message: String,
}

fn fault(key: &'static str, message: impl Into<String>) -> FreedomFault {
    FreedomFault { key, message: message.into() }
}

impl JointFreedom {
    /// The names of the kinds.
    pub const KINDS: [&'static str; 3] = ["ball", "hinge", "weld"];

    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Ball { .. } => "ball",
            Self::Hinge { .. } => "hinge",
            Self::Weld => "weld",
        }
    }

    /// Checks the parameters of a joint.
    ///
    /// # Errors
    /// [`FreedomFault`] names the parameter that is missing, useless or out of range.
    pub fn from_parts(parts: &JointParts<'_>) -> Result<Self, FreedomFault> {
        parts.refuse_useless()?;
        parts.check_numbers()?;
        match (parts.kind, parts.axis) {
            ("ball", Some(axis)) => {
                let (cone, twist) = (parts.cone, parts.twist);
                Ok(Self::Ball { limit: Some(SwingTwistLimit { axis, cone, twist }) })
            }
            ("ball", None) => Ok(Self::Ball { limit: None }),
            ("hinge", Some(axis)) => Ok(Self::Hinge { axis, range: parts.range }),
            ("hinge", None) => Err(fault("axis", "is missing: a hinge turns about an axis")),
            ("weld", _) => Ok(Self::Weld),
            (kind, _) => Err(fault("kind", format!("`{kind}` is no kind of joint: ball, hinge or weld"))),
        }
    }

    /// Converts it for the engine, in radians, with axes rotated by `turn`.
    pub(crate) fn for_engine(&self, turn: impl Fn(DVec3) -> DVec3) -> sinew::JointKind {
        // Half a turn is no limit; rounding must not make it more than half a turn.
        let angle = |degrees: Option<f64>| degrees.map_or(PI, |degrees| degrees.to_radians().min(PI));
        match *self {
            Self::Ball { limit } => sinew::JointKind::Ball {
                limit: limit.map(|SwingTwistLimit { axis, cone, twist }| sinew::SwingTwist {
                    axis: turn(axis),
                    cone: angle(cone),
                    twist: angle(twist),
                }),
            },
            Self::Hinge { axis, range } => sinew::JointKind::Hinge {
                axis: turn(axis),
                range: range.map(|range| range.map(|degrees| degrees.to_radians().clamp(-PI, PI))),
            },
            Self::Weld => sinew::JointKind::Weld,
        }
    }
}

impl JointParts<'_> {
    /// Refuses parameters without effect, because they show a misunderstanding.
    fn refuse_useless(&self) -> Result<(), FreedomFault> {
        let limited = self.cone.is_some() || self.twist.is_some();
        match self.kind {
            "ball" => {
                if self.range.is_some() {
                    return Err(fault(
                        "range",
                        "belongs to a hinge; limit a ball joint by `cone` and `twist`",
                    ));
                }
                if limited && self.axis.is_none() {
                    return Err(fault("axis", "is missing: `cone` and `twist` are measured from an axis"));
                }
                if !limited && self.axis.is_some() {
                    let message =
                        "has no effect: a ball joint turns every way; limit it by `cone` or `twist`";
                    return Err(fault("axis", message));
                }
            }
            "hinge" => {
                let given = [("cone", self.cone), ("twist", self.twist)];
                if let Some((key, _)) = given.iter().find(|(_, value)| value.is_some()) {
                    return Err(fault(key, "belongs to a ball joint; limit a hinge by `range`"));
                }
            }
            "weld" => {
                let given = [
                    ("axis", self.axis.is_some()),
                    ("cone", self.cone.is_some()),
                    ("twist", self.twist.is_some()),
                    ("range", self.range.is_some()),
                ];
                if let Some((key, _)) = given.iter().find(|(_, given)| *given) {
                    return Err(fault(key, "has no effect: a weld does not turn at all"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), FreedomFault> {
        if let Some(axis) = self.axis {
            let length = axis.length();
            if !(length > 0.0 && length.is_finite()) {
                let [x, y, z] = axis.to_array();
                return Err(fault("axis", format!("must have a direction, is [{x}, {y}, {z}]")));
            }
        }
        for (key, value) in [("cone", self.cone), ("twist", self.twist)] {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && *value <= 180.0)) {
                return Err(fault(
                    key,
                    format!("must be greater than 0 and at most 180 degrees, is {value}"),
                ));
            }
        }
        let Some([low, high]) = self.range else { return Ok(()) };
        if let Some(value) = [low, high].into_iter().find(|value| !(-180.0..=180.0).contains(value)) {
            return Err(fault("range", format!("must lie between −180 and 180 degrees, has {value}")));
        }
        if low > 0.0 || high < 0.0 {
            let message = format!("must contain 0, the angle at rest, is [{low}, {high}]");
            return Err(fault("range", message));
        }
        if low == high {
            return Err(fault("range", "lets nothing turn; use a weld"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(kind: &str) -> JointParts<'_> {
        JointParts { kind, ..JointParts::default() }
    }

    #[test]
    fn degrees_become_radians_and_no_limit_half_a_turn() {
        let limit = SwingTwistLimit { axis: DVec3::X, cone: Some(90.0), twist: None };
        let made = JointFreedom::Ball { limit: Some(limit) }.for_engine(|axis| -axis);
        let expected = sinew::SwingTwist { axis: DVec3::NEG_X, cone: PI / 2.0, twist: PI };
        assert_eq!(made, sinew::JointKind::Ball { limit: Some(expected) });
        let hinge = JointFreedom::Hinge { axis: DVec3::Y, range: Some([-180.0, 45.0]) };
        let range = Some([-PI, PI / 4.0]);
        assert_eq!(hinge.for_engine(|axis| axis), sinew::JointKind::Hinge { axis: DVec3::Y, range });
    }

    #[test]
    fn parts_that_do_not_fit_are_named() {
        let key = |parts: JointParts<'_>| JointFreedom::from_parts(&parts).unwrap_err().key;
        assert_eq!(key(parts("hinge")), "axis");
        assert_eq!(key(parts("bal")), "kind");
        assert_eq!(key(JointParts { cone: Some(10.0), ..parts("ball") }), "axis");
        assert_eq!(key(JointParts { axis: Some(DVec3::X), ..parts("ball") }), "axis");
        assert_eq!(key(JointParts { axis: Some(DVec3::ZERO), ..parts("hinge") }), "axis");
        assert_eq!(key(JointParts { axis: Some(DVec3::NAN), ..parts("hinge") }), "axis");
        assert_eq!(key(JointParts { range: Some([0.0, 1.0]), ..parts("ball") }), "range");
        assert_eq!(key(JointParts { twist: Some(1.0), axis: Some(DVec3::X), ..parts("hinge") }), "twist");
        assert_eq!(key(JointParts { cone: Some(1.0), ..parts("weld") }), "cone");
        let hinge =
            |low, high| JointParts { axis: Some(DVec3::X), range: Some([low, high]), ..parts("hinge") };
        for (low, high) in [(1.0, 2.0), (-2.0, -1.0), (-181.0, 0.0), (0.0, f64::NAN), (5.0, -5.0), (0.0, 0.0)]
        {
            assert_eq!(key(hinge(low, high)), "range", "{low} {high}");
        }
        let ball = |cone| JointParts { axis: Some(DVec3::X), cone: Some(cone), ..parts("ball") };
        assert!([180.5, 0.0, -1.0, f64::NAN].into_iter().all(|cone| key(ball(cone)) == "cone"));
        assert!(JointFreedom::from_parts(&ball(180.0)).is_ok());
    }
}
