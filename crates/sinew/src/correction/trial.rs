//! Step lengths along a direction whose residual falls from r with slope −r.

/// The smallest positive root of r − r t + b t², or its minimum where it has no root.
pub(super) fn first_root(r: f64, b: f64) -> f64 {
    let discriminant = r * r - 4.0 * b * r;
    if discriminant >= 0.0 {
        // In the form that does not cancel, and that is 1 for b = 0.
        2.0 * r / (r + r.signum() * discriminant.sqrt())
    } else {
        r / (2.0 * b)
    }
}

/// The next step length from r(0) = r, r'(0) = −r and r(t) = found.
pub(super) fn next_trial(t: f64, r: f64, found: f64, longest: f64) -> f64 {
    if !found.is_finite() {
        return 0.25 * t;
    }
    let root = first_root(r, (found - r + r * t) / (t * t));
    if root.is_finite() && root > 0.0 { root.clamp(0.1 * t, 4.0 * t).min(longest) } else { 0.5 * t }
}
