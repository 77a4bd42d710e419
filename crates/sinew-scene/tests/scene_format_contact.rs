//! Contact, colliders, wind, acceleration and drags in scenes that are accepted.

use sinew_scene::format::*;

const SCENE: &str = r#"
[[body]]
mesh.tetrahedron = {}
[[body.drag]]
point = [0, 1, 0]
stiffness = 70
start = 0.5
stop = 2
motion.keyframes = [{ time = 1, offset = [0, 1, 0] }]

[[body]]
rigid = true
mesh.tetrahedron = {}

[contact]
response = "cubic"
stiffness = 3
thickness = 0.01
friction = { static = 0.5, kinetic = 0.25 }
restitution = 0.5
bodies = false
self = true
start = "ignore"
verify = true
[[collider]]
name = "floor"
shape.plane = {}
friction = 1
restitution = 0
[[collider]]
shape.sphere = { radius = 0.5 }
position = [0, 2, 0]
rotate = { axis = [1, 0, 0], degrees = 45 }
[collider.motion]
keyframes = [{ time = 0 }, { time = 1, offset = [1, 0, 0], rotate = { axis = [0, 1, 0], degrees = 720 } }]
sinusoid = { amplitude = [0, 0.1, 0], frequency = 2 }
spin = [0, 0, 3]
[[collider]]
shape.box = { size = [1, 2, 3] }
[[collider]]
shape.capsule = { radius = 0.1, length = 1 }
[[collider]]
shape.torus = { major = 1, minor = 0.2 }
[[collider]]
shape.stairs = { steps = 5, rise = 0.2, run = 0.3, width = 1 }
[[collider]]
shape.mesh = { path = "rock.obj", scale = 0.01 }
[[collider]]
shape.plane.normal = [1, 1, 0]

[wind]
velocity = [3, 0, 0]
density = 1.5
gusts = { strength = 0.4, frequency = 0.5, seed = 9 }
[acceleration]
constant = [1, 0, 0]
sinusoid = { amplitude = [0, 20, 0], frequency = 4, phase = 90 }
start = 1
stop = 2
"#;

fn scene() -> Scene {
    parse(SCENE, "good.toml", &[]).unwrap_or_else(|error| panic!("{error}")).scene
}

#[test]
fn contact_and_forces_of_a_scene() {
    let scene = scene();
    assert!(scene.has_contact());
    let contact = Contact {
        response: Some(ResponseKind::Cubic),
        stiffness: Some(3.0),
        thickness: Some(0.01),
        friction: Friction { sticking: 0.5, sliding: 0.25 },
        restitution: 0.5,
        bodies: false,
        own: true,
        start: StartKind::Ignore,
        verify: true,
    };
    assert_eq!(scene.contact, Some(contact));
    let shape = |i: usize| &scene.colliders[i].shape;
    let floor = &scene.colliders[0];
    assert_eq!((floor.name.as_deref(), floor.position), (Some("floor"), [0.0; 3]));
    assert_eq!(floor.friction, Some(Friction { sticking: 1.0, sliding: 1.0 }), "an integer for both");
    assert_eq!(shape(0), &ColliderShape::Plane(PlaneShape { normal: [0.0, 1.0, 0.0] }));
    assert_eq!(shape(2), &ColliderShape::Box(BoxShape { size: [1.0, 2.0, 3.0] }));
    assert_eq!(shape(3), &ColliderShape::Capsule(CapsuleShape { radius: 0.1, length: 1.0 }));
    assert_eq!(shape(4), &ColliderShape::Torus(TorusShape { major: 1.0, minor: 0.2 }));
    let stairs = StairsShape { steps: 5, rise: 0.2, run: 0.3, width: 1.0 };
    assert_eq!(shape(5), &ColliderShape::Stairs(stairs));
    let rock = FileMesh { path: "rock.obj".into(), scale: 0.01, center: false, tetrahedralize: None };
    assert_eq!(shape(6), &ColliderShape::Mesh(rock));

    let ball = &scene.colliders[1];
    assert_eq!((ball.position, ball.friction, ball.restitution), ([0.0, 2.0, 0.0], None, None));
    let motion = ball.motion.as_ref().unwrap();
    assert_eq!(motion.keyframes[0], PlacementKeyframe { time: 0.0, offset: [0.0; 3], rotate: None });
    let rotate = Rotation { axis: [0.0, 1.0, 0.0], degrees: 720.0 };
    assert_eq!(motion.keyframes[1].rotate, Some(rotate));
    assert_eq!(motion.spin, Some([0.0, 0.0, 3.0]));

    let gusts = Gusts { strength: 0.4, frequency: 0.5, seed: 9 };
    assert_eq!(scene.wind, Some(Wind { velocity: [3.0, 0.0, 0.0], density: 1.5, gusts: Some(gusts) }));
    let acceleration = scene.acceleration.unwrap();
    assert_eq!((acceleration.constant, acceleration.start), (Some([1.0, 0.0, 0.0]), 1.0));
    assert_eq!((acceleration.stop, acceleration.sinusoid.unwrap().phase), (Some(2.0), 90.0));

    let drag = &scene.bodies[0].drags[0];
    assert_eq!((drag.point, drag.stiffness), ([0.0, 1.0, 0.0], 70.0));
    assert_eq!((drag.start, drag.stop), (0.5, Some(2.0)));
    assert!(scene.bodies[1].rigid.is_rigid() && scene.bodies[0].rigid.is_soft());
}

#[test]
fn it_is_the_same_scene_written_back() {
    let scene = scene();
    let text = toml::to_string(&scene).unwrap();
    assert_eq!(parse(&text, "back.toml", &[]).unwrap_or_else(|error| panic!("{error}")).scene, scene);
}

#[test]
fn a_collider_alone_makes_contact() {
    let text = "[[body]]\nmesh.tetrahedron = {}\n[[collider]]\nshape.plane = {}\n";
    let scene = parse(text, "good.toml", &[]).unwrap().scene;
    assert!(scene.has_contact() && scene.contact.is_none());
}
