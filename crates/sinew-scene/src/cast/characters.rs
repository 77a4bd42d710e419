//! Characters with bones and joints: an acrobat on a silk, a frog, a snail, a monster. They look along +z.

use super::body::{Body, mirrored, shaft, sides};
use crate::shapes::{Mirror::X, Shape, ball, cuboid, drop, egg};
use std::f64::consts::TAU;

/// Ivory of horns, teeth and nails.
const IVORY: u32 = 0xf0_e6_cf;

/// A person who hangs by one hand on a silk; 9 bones, 8 joints.
pub(super) fn acrobat() -> Body {
    let silk = [
        ([0.24, 2.20, 0.0], 0.040),
        ([0.25, 1.80, 0.02], 0.040),
        ([0.24, 1.40, 0.0], 0.040),
        ([0.26, 1.08, 0.01], 0.042),
        ([0.30, 0.80, 0.03], 0.040),
        ([0.40, 0.45, 0.02], 0.038),
        ([0.44, 0.05, 0.0], 0.038),
        ([0.40, -0.35, 0.03], 0.038),
        ([0.44, -0.75, 0.0], 0.038),
    ];
    let flesh = Shape::new()
        .colour(0xdb_a4_7e)
        .paint(0x4a_3a_78, cuboid([0.0, 0.17, 0.0], [0.30, 0.385, 0.4], 0.01))
        .paint(0x4a_3a_78, cuboid([0.0, -0.30, 0.0], [0.35, 0.20, 0.4], 0.01))
        .paint(0x3a_24_1c, egg([0.0, 0.855, -0.055], [0.14, 0.12, 0.135]))
        .paint(0x3a_24_1c, ball([0.0, 0.90, -0.14], 0.08))
        .paint_pair(X, 0xf8_f4_ee, egg([0.042, 0.795, 0.118], [0.022, 0.013, 0.02]))
        .paint_pair(X, 0x2a_20_1e, ball([0.042, 0.795, 0.124], 0.012))
        // Chest, waist, hips.
        .join(0.0, egg([0.0, 0.40, 0.0], [0.155, 0.20, 0.105]))
        .join(0.06, egg([0.0, 0.20, 0.0], [0.115, 0.17, 0.09]))
        .join(0.06, egg([0.0, 0.02, -0.01], [0.150, 0.125, 0.11]))
        .pair(X, 0.05, egg([0.135, 0.50, 0.0], [0.085, 0.075, 0.08]))
        // Neck, head, a bun of hair.
        .join(0.03, drop([0.0, 0.52, -0.01], 0.058, [0.0, 0.64, 0.0], 0.056))
        .join(0.02, egg([0.0, 0.775, 0.01], [0.105, 0.135, 0.120]))
        .join(0.02, egg([0.0, 0.685, 0.045], [0.062, 0.055, 0.065]))
        .join(0.015, drop([0.0, 0.785, 0.120], 0.012, [0.0, 0.745, 0.142], 0.018))
        .join(0.02, egg([0.0, 0.825, -0.03], [0.116, 0.115, 0.115]))
        .join(0.02, ball([0.0, 0.905, -0.145], 0.068))
        // The arm on the silk, and the other one, held out.
        .limb(0.05, &[([0.17, 0.51, 0.0], 0.068), ([0.27, 0.78, 0.0], 0.056), ([0.26, 1.02, 0.0], 0.046)])
        .join(0.02, egg([0.255, 1.08, 0.0], [0.062, 0.070, 0.060]))
        .limb(
            0.05,
            &[([-0.18, 0.50, 0.0], 0.068), ([-0.42, 0.50, 0.03], 0.054), ([-0.66, 0.56, 0.06], 0.042)],
        )
        .join(0.02, egg([-0.73, 0.585, 0.065], [0.075, 0.032, 0.050]))
        // One leg straight, one bent.
        .limb(
            0.05,
            &[
                ([0.09, -0.04, 0.0], 0.100),
                ([0.13, -0.46, 0.02], 0.072),
                ([0.15, -0.86, 0.0], 0.048),
                ([0.17, -1.02, 0.03], 0.034),
            ],
        )
        .limb(
            0.05,
            &[
                ([-0.09, -0.04, 0.0], 0.100),
                ([-0.26, -0.40, 0.12], 0.074),
                ([-0.24, -0.72, -0.10], 0.050),
                ([-0.25, -0.86, -0.14], 0.034),
            ],
        );
    let flesh = flesh.limb(0.015, &silk);
    // The silk is red.
    let flesh = silk.windows(2).fold(flesh, |shape, w| {
        let hand = w[0].0[1] < 1.25 && w[1].0[1] > 0.95;
        if hand { shape } else { shape.paint(0xc4_1e_3a, drop(w[0].0, 0.050, w[1].0, 0.050)) }
    });
    let shoulder = [0.17, 0.51, 0.0];
    Body::from(flesh)
        .bone("pelvis", Shape::new().join(0.0, egg([0.0, 0.03, -0.01], [0.085, 0.055, 0.055])))
        .bone("chest", Shape::new().join(0.0, egg([0.0, 0.38, 0.0], [0.085, 0.125, 0.055])))
        .bone("skull", Shape::new().join(0.0, egg([0.0, 0.785, 0.0], [0.068, 0.085, 0.078])))
        .bone("left upper arm", shaft(shoulder, [0.27, 0.78, 0.0], 0.035, 0.026))
        .bone("right upper arm", shaft([-0.18, 0.50, 0.0], [-0.42, 0.50, 0.03], 0.035, 0.026))
        .bone("left forearm", shaft([0.27, 0.78, 0.0], [0.256, 1.10, 0.0], 0.035, 0.024))
        .bone("right forearm", shaft([-0.42, 0.50, 0.03], [-0.70, 0.575, 0.06], 0.035, 0.022))
        .bone("left leg", shaft([0.09, -0.06, 0.0], [0.14, -0.80, 0.01], 0.04, 0.028))
        .bone("right leg", shaft([-0.09, -0.06, 0.0], [-0.25, -0.40, 0.12], 0.04, 0.030))
        .ball(["pelvis", "chest"], [0.0, 0.17, 0.0])
        .ball(["chest", "skull"], [0.0, 0.60, 0.0])
        .ball(["chest", "left upper arm"], [0.15, 0.50, 0.0])
        .ball(["chest", "right upper arm"], [-0.15, 0.50, 0.0])
        .ball(["left upper arm", "left forearm"], [0.27, 0.78, 0.0])
        .ball(["right upper arm", "right forearm"], [-0.42, 0.50, 0.03])
        .ball(["pelvis", "left leg"], [0.09, -0.04, 0.0])
        .ball(["pelvis", "right leg"], [-0.09, -0.04, 0.0])
}

/// A frog that stands upright, with the skeleton of a person; 18 bones, 13 joints.
pub(super) fn frog() -> Body {
    let flesh = Shape::new()
        .colour(0x5a_a8_3c)
        .paint(0xee_e8_b8, egg([0.0, 0.10, 0.22], [0.23, 0.40, 0.20]))
        .paint(0xee_e8_b8, egg([0.0, 0.52, 0.26], [0.26, 0.085, 0.16]))
        .paint(0x3c_70_2c, egg([0.0, 0.585, 0.30], [0.30, 0.016, 0.20]))
        .paint_pair(X, 0xfa_f4_dc, ball([0.175, 0.815, 0.15], 0.082))
        .paint_pair(X, 0x20_20_18, egg([0.185, 0.825, 0.225], [0.045, 0.030, 0.04]))
        .paint_pair(X, 0x3c_70_2c, ball([0.045, 0.655, 0.315], 0.016))
        // A pear of a body, a wide head, eyes on top.
        .join(0.0, egg([0.0, 0.02, 0.0], [0.30, 0.32, 0.26]))
        .join(0.12, egg([0.0, 0.34, 0.0], [0.22, 0.22, 0.19]))
        .join(0.08, egg([0.0, 0.62, 0.05], [0.31, 0.17, 0.27]))
        .pair(X, 0.04, ball([0.175, 0.79, 0.09], 0.105))
        .pair(X, 0.006, ball([0.175, 0.815, 0.135], 0.082))
        .cut(0.02, egg([0.0, 0.585, 0.30], [0.26, 0.010, 0.12]))
        // Arms with hands of four fingers.
        .limbs(
            X,
            0.06,
            &[([0.18, 0.38, 0.0], 0.095), ([0.46, 0.28, 0.02], 0.075), ([0.72, 0.30, 0.08], 0.062)],
        )
        .pair(X, 0.03, egg([0.78, 0.305, 0.09], [0.075, 0.045, 0.075]))
        .limbs(X, 0.02, &[([0.80, 0.31, 0.06], 0.034), ([0.92, 0.34, 0.02], 0.038)])
        .limbs(X, 0.02, &[([0.81, 0.31, 0.09], 0.034), ([0.94, 0.31, 0.10], 0.038)])
        .limbs(X, 0.02, &[([0.79, 0.31, 0.12], 0.034), ([0.89, 0.31, 0.19], 0.038)])
        // Legs, bent outwards, with long webbed feet.
        .limbs(
            X,
            0.08,
            &[
                ([0.17, -0.12, 0.0], 0.155),
                ([0.42, -0.34, 0.10], 0.115),
                ([0.34, -0.66, -0.02], 0.085),
                ([0.36, -0.92, -0.04], 0.070),
            ],
        )
        .limbs(X, 0.03, &[([0.36, -0.95, -0.04], 0.072), ([0.42, -0.97, 0.18], 0.052)])
        .pair(X, 0.03, egg([0.43, -0.985, 0.20], [0.13, 0.034, 0.13]))
        .limbs(X, 0.02, &[([0.39, -0.975, 0.22], 0.036), ([0.33, -0.98, 0.36], 0.038)])
        .limbs(X, 0.02, &[([0.43, -0.975, 0.22], 0.036), ([0.45, -0.98, 0.39], 0.038)])
        .limbs(X, 0.02, &[([0.47, -0.975, 0.20], 0.036), ([0.57, -0.98, 0.32], 0.038)])
        .cut(0.01, cuboid([0.0, -2.015, 0.0], [2.0, 1.0, 2.0], 0.01));
    let mut body = Body::from(flesh)
        .bone("pelvis", Shape::new().join(0.0, egg([0.0, -0.12, -0.03], [0.10, 0.06, 0.07])))
        .bone("spine", shaft([0.0, -0.06, -0.05], [0.0, 0.24, -0.05], 0.03, 0.04))
        .bone("chest", Shape::new().join(0.0, egg([0.0, 0.36, -0.02], [0.085, 0.075, 0.085])))
        .bone("skull", Shape::new().join(0.0, egg([0.0, 0.64, 0.02], [0.19, 0.085, 0.15])))
        .ball(["pelvis", "spine"], [0.0, -0.04, -0.05])
        .ball(["spine", "chest"], [0.0, 0.25, -0.04])
        .ball(["chest", "skull"], [0.0, 0.49, 0.0]);
    let (x, pairs) = ([1.0, 0.0, 0.0], [0, 1]);
    for side in pairs {
        let name = |part: &str| sides(part)[side].clone();
        let at = |p: [f64; 3]| mirrored(p)[side];
        let (shoulder, elbow, wrist) =
            (at([0.24, 0.36, 0.0]), at([0.46, 0.28, 0.02]), at([0.72, 0.30, 0.08]));
        let (hip, knee, ankle) = (at([0.17, -0.13, 0.0]), at([0.42, -0.34, 0.10]), at([0.35, -0.90, -0.04]));
        body = body
            .bone(name("collar bone"), shaft(at([0.09, 0.44, 0.02]), at([0.235, 0.42, 0.0]), 0.005, 0.025))
            .bone(name("upper arm"), shaft(shoulder, elbow, 0.03, 0.034))
            .bone(name("forearm"), shaft(elbow, wrist, 0.03, 0.030))
            .bone(name("hand"), Shape::new().join(0.0, egg(at([0.805, 0.31, 0.09]), [0.050, 0.022, 0.042])))
            .bone(name("thigh"), shaft(hip, knee, 0.035, 0.046))
            .bone(name("calf"), shaft(knee, ankle, 0.035, 0.038))
            .bone(name("foot"), shaft(at([0.37, -0.955, 0.0]), at([0.44, -0.975, 0.27]), 0.0, 0.026))
            .ball(["chest", &name("upper arm")], at([0.20, 0.36, 0.0]))
            .ball([&name("upper arm"), &name("forearm")], elbow)
            .ball(["pelvis", &name("thigh")], at([0.13, -0.12, 0.0]))
            .hinge([&name("thigh"), &name("calf")], knee, x, [-60.0, 60.0])
            .ball([&name("calf"), &name("foot")], at([0.36, -0.94, -0.03]));
    }
    body
}

/// A snail whose shell is one bone.
pub(super) fn snail() -> Body {
    let flesh = Shape::new()
        .colour(0xd8_b0_84)
        .paint(0xb8_88_60, cuboid([0.0, -0.42, 0.0], [1.0, 0.06, 2.0], 0.01))
        .paint_pair(X, 0xfa_f6_ee, ball([0.115, 0.545, 0.93], 0.070))
        .paint_pair(X, 0x24_1e_1c, ball([0.120, 0.555, 0.985], 0.034))
        .paint(0x8c_4c_40, egg([0.0, -0.02, 1.02], [0.10, 0.016, 0.10]))
        // Foot and tail.
        .join(0.0, egg([0.0, -0.30, 0.0], [0.24, 0.16, 0.80]))
        .join(0.08, drop([0.0, -0.33, -0.40], 0.15, [0.0, -0.40, -1.05], 0.045))
        .join(0.12, egg([0.0, -0.18, 0.05], [0.20, 0.18, 0.34]))
        // Neck and head.
        .limb(0.12, &[([0.0, -0.26, 0.50], 0.20), ([0.0, -0.12, 0.74], 0.175), ([0.0, 0.06, 0.86], 0.165)])
        .join(0.05, egg([0.0, 0.07, 0.90], [0.165, 0.15, 0.15]))
        // Stalks with eyes, and feelers.
        .limbs(
            X,
            0.04,
            &[([0.07, 0.14, 0.88], 0.052), ([0.10, 0.36, 0.90], 0.040), ([0.115, 0.52, 0.92], 0.042)],
        )
        .pair(X, 0.01, ball([0.115, 0.545, 0.925], 0.072))
        .limbs(X, 0.03, &[([0.07, 0.0, 1.02], 0.036), ([0.10, -0.04, 1.14], 0.034)])
        .cut(0.015, cuboid([0.0, -1.44, 0.0], [2.0, 1.0, 2.0], 0.01));
    // A spiral in the plane of symmetry whose tube grows outwards.
    let mut shell = Shape::new().colour(0xa8_5a_34).join(0.0, egg([0.0, 0.20, -0.10], [0.15, 0.14, 0.14]));
    let turns = 26;
    let at = |k: i32| {
        let t = f64::from(k) / f64::from(turns);
        let angle = TAU * 2.1 * t + 2.4;
        let radius = 0.05 + 0.27 * t;
        let (s, c) = angle.sin_cos();
        ([0.0, 0.20 + radius * s, -0.10 + radius * c], 0.075 + 0.125 * t)
    };
    for k in 0..turns {
        let (a, b) = (at(k), at(k + 1));
        shell = shell.join(0.012, drop(a.0, a.1, b.0, b.1));
        // A light band along the spiral.
        if k > 2 {
            let lift = |p: ([f64; 3], f64)| [0.0, 0.20 + 1.0 * (p.0[1] - 0.20), p.0[2]];
            shell = shell
                .paint(
                    0xe8_c4_8c,
                    drop(
                        [0.9 * a.1, lift(a)[1], lift(a)[2]],
                        0.35 * a.1,
                        [0.9 * b.1, lift(b)[1], lift(b)[2]],
                        0.35 * b.1,
                    ),
                )
                .paint(
                    0xe8_c4_8c,
                    drop(
                        [-0.9 * a.1, lift(a)[1], lift(a)[2]],
                        0.35 * a.1,
                        [-0.9 * b.1, lift(b)[1], lift(b)[2]],
                        0.35 * b.1,
                    ),
                );
        }
    }
    Body::from(flesh).outside("shell", shell)
}

/// A plump monster with horns, teeth, claws and spikes; 59 bones, 9 joints.
pub(super) fn monster() -> Body {
    let ivory = |from: [f64; 3], r: f64, to: [f64; 3], tip: f64| {
        Shape::new().colour(IVORY).join(0.0, drop(from, r, to, tip))
    };
    let flesh = Shape::new()
        .colour(0x6c_6f_b4)
        .paint(0xb7_b4_dc, egg([0.0, -0.16, 0.36], [0.30, 0.42, 0.28]))
        .paint(0x8a_3a_52, egg([0.0, 0.36, 0.46], [0.27, 0.085, 0.20]))
        .paint_pair(X, 0xfb_f7_e2, ball([0.145, 0.69, 0.335], 0.098))
        .paint_pair(X, 0x22_1c_30, ball([0.150, 0.695, 0.400], 0.050))
        // Body, head, snout with an open mouth.
        .join(0.0, egg([0.0, -0.14, 0.0], [0.43, 0.46, 0.38]))
        .join(0.16, egg([0.0, 0.52, 0.04], [0.36, 0.30, 0.33]))
        .join(0.08, egg([0.0, 0.50, 0.32], [0.24, 0.13, 0.20]))
        .join(0.05, egg([0.0, 0.255, 0.30], [0.25, 0.10, 0.20]))
        .cut(0.03, egg([0.0, 0.36, 0.46], [0.24, 0.060, 0.22]))
        .pair(X, 0.03, ball([0.145, 0.68, 0.29], 0.120))
        .pair(X, 0.006, ball([0.145, 0.69, 0.325], 0.095))
        // Arms and legs with paws.
        .limbs(
            X,
            0.08,
            &[([0.36, 0.10, 0.0], 0.135), ([0.64, -0.02, 0.04], 0.115), ([0.82, -0.20, 0.16], 0.125)],
        )
        .limbs(
            X,
            0.10,
            &[([0.22, -0.46, 0.0], 0.20), ([0.25, -0.74, 0.03], 0.165), ([0.26, -0.86, 0.08], 0.165)],
        )
        .pair(X, 0.05, egg([0.26, -0.90, 0.16], [0.17, 0.12, 0.22]))
        // A tail.
        .limb(
            0.08,
            &[([0.0, -0.42, -0.26], 0.18), ([0.0, -0.62, -0.58], 0.125), ([0.0, -0.60, -0.86], 0.070)],
        )
        .cut(0.015, cuboid([0.0, -1.985, 0.0], [2.0, 1.0, 2.0], 0.01));
    let x = [1.0, 0.0, 0.0];
    let mut body = Body::from(flesh)
        .bone("pelvis", Shape::new().join(0.0, egg([0.0, -0.34, -0.02], [0.16, 0.08, 0.11])))
        .bone("chest", Shape::new().join(0.0, egg([0.0, 0.02, -0.02], [0.17, 0.14, 0.13])))
        .bone("skull", Shape::new().join(0.0, egg([0.0, 0.60, 0.0], [0.20, 0.13, 0.17])))
        .bone("jaw", shaft([0.0, 0.26, 0.06], [0.0, 0.25, 0.36], 0.0, 0.040))
        .ball(["pelvis", "chest"], [0.0, -0.20, -0.02])
        .ball(["chest", "skull"], [0.0, 0.34, -0.02])
        .hinge(["skull", "jaw"], [0.0, 0.38, 0.03], x, [-25.0, 25.0]);
    for side in [0, 1] {
        let name = |part: &str| sides(part)[side].clone();
        let at = |p: [f64; 3]| mirrored(p)[side];
        let (elbow, hip) = (at([0.64, -0.02, 0.04]), at([0.21, -0.46, 0.0]));
        body = body
            .bone(name("upper arm"), shaft(at([0.34, 0.10, 0.0]), elbow, 0.03, 0.045))
            .bone(name("forearm"), shaft(elbow, at([0.83, -0.21, 0.16]), 0.03, 0.042))
            .bone(name("thigh"), shaft(hip, at([0.26, -0.86, 0.08]), 0.035, 0.055))
            .ball(["chest", &name("upper arm")], at([0.29, 0.10, 0.0]))
            .ball([&name("upper arm"), &name("forearm")], elbow)
            .ball(["pelvis", &name("thigh")], hip)
            .outside(name("horn"), horn(at));
        for (k, a) in [-38.0_f64, 0.0, 38.0].into_iter().enumerate() {
            let (s, c) = a.to_radians().sin_cos();
            // Claws of the hand fan out from its end, nails of the foot point ahead.
            let root = at([0.86 + 0.085 * c, -0.27, 0.22 + 0.125 * s]);
            let tip = at([0.90 + 0.165 * c, -0.40, 0.26 + 0.185 * s]);
            body = body.outside(name(&format!("claw {}", k + 1)), ivory(root, 0.046, tip, 0.016));
            let toe = |out: f64, y: f64| at([0.26 + 1.05 * out * s, y, 0.16 + 1.15 * out * c]);
            let nail = ivory(toe(0.185, -0.915), 0.050, toe(0.300, -0.935), 0.024);
            body = body.outside(name(&format!("nail {}", k + 1)), nail);
        }
    }
    body = body.outside("nose horn", ivory([0.0, 0.58, 0.47], 0.060, [0.0, 0.74, 0.62], 0.014));
    // Three teeth above, two below between them.
    for (row, k, angle) in [
        ("upper", 1, -44.0_f64),
        ("upper", 2, 0.0),
        ("upper", 3, 44.0),
        ("lower", 1, -22.0),
        ("lower", 2, 22.0),
    ] {
        let (s, c) = angle.to_radians().sin_cos();
        let at = |y: f64| [0.205 * s, y, 0.305 + 0.165 * c];
        let (root, tip) = if row == "upper" { (0.45, 0.335) } else { (0.27, 0.375) };
        body = body.outside(format!("{row} tooth {k}"), ivory(at(root), 0.058, at(tip), 0.020));
    }
    // A row of spikes down the back and the tail, one on each side of it, and single ones.
    for (k, (y, z, r, out)) in [
        (0.78, -0.18, 0.062, 0.20),
        (0.54, -0.30, 0.066, 0.22),
        (0.28, -0.24, 0.068, 0.17),
        (0.03, -0.36, 0.070, 0.26),
        (-0.22, -0.37, 0.070, 0.26),
        (-0.44, -0.36, 0.066, 0.24),
        (-0.52, -0.60, 0.062, 0.0),
        (-0.55, -0.82, 0.058, 0.0),
    ]
    .into_iter()
    .enumerate()
    {
        let (up, back) = match k {
            0..2 => (0.10, -0.12),
            2..5 => (0.05, -0.17),
            _ => (0.15, -0.05),
        };
        let spike = |x: f64, z: f64, r: f64| ivory([x, y, z], r, [1.5 * x, y + up, z + back], 0.018);
        body = body.outside(format!("spike {}", k + 1), spike(0.0, z, r));
        if out > 0.0 {
            body = body
                .outside(format!("left spike {}", k + 1), spike(out, z + 0.3 * out, 0.9 * r))
                .outside(format!("right spike {}", k + 1), spike(-out, z + 0.3 * out, 0.9 * r));
        }
    }
    for (name, from, to) in [
        ("shoulder spike", [0.40, 0.22, -0.04], [0.46, 0.38, -0.08]),
        ("elbow spike", [0.67, 0.08, -0.04], [0.72, 0.20, -0.14]),
        ("knee spike", [0.26, -0.66, 0.17], [0.28, -0.62, 0.32]),
        ("brow spike", [0.15, 0.80, 0.17], [0.18, 0.95, 0.22]),
    ] {
        for (side, name) in sides(name).into_iter().enumerate() {
            body = body.outside(name, ivory(mirrored(from)[side], 0.060, mirrored(to)[side], 0.018));
        }
    }
    body.outside("chin spike", ivory([0.0, 0.175, 0.44], 0.058, [0.0, 0.09, 0.58], 0.018))
}

fn horn(at: impl Fn([f64; 3]) -> [f64; 3]) -> Shape {
    let points = [
        ([0.22, 0.72, 0.0], 0.085),
        ([0.38, 0.84, -0.02], 0.068),
        ([0.46, 1.00, 0.02], 0.045),
        ([0.42, 1.14, 0.08], 0.018),
    ];
    let points = points.map(|(p, r)| (at(p), r));
    Shape::new().colour(IVORY).limb(0.0, &points)
}
