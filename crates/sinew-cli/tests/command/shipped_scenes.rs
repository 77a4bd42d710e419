//! Every scene that comes with Sinew meets its own expectations, whole.

use super::{json_of, sinew};

fn check(scene: &str) {
    sinew(["run", scene, "--check", "--quiet"]).assert().success();
}

macro_rules! scenes {
    ($($test:ident: $name:literal),+ $(,)?) => {
        $(#[test]
        fn $test() {
            check($name);
        })+

        #[test]
        fn none_is_forgotten() {
            let listed = json_of(&["scenes", "--json"]);
            let listed: Vec<_> = listed.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
            let mut tested = [$($name),+];
            tested.sort_unstable();
            let mut sorted = listed.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, tested);
        }
    };
}

scenes! {
    octopus: "octopus",
    face_wind: "face-wind",
    trampoline: "trampoline",
    bunny_swing: "bunny-swing",
    cactus: "cactus",
    dog_nose: "dog-nose",
    snail: "snail",
    acrobat: "acrobat",
    frog: "frog",
    monster_hanging: "monster-hanging",
    monster_stairs: "monster-stairs",
    cape: "cape",
    cloth_shaken: "cloth-shaken",
    bar: "bar",
    spinning_cube: "spinning-cube",
    spinning_cube_600: "spinning-cube-600",
    soft_ball: "soft-ball",
    bouncing_ball: "bouncing-ball",
    colliding_cubes: "colliding-cubes",
    cube_on_spheres: "cube-on-spheres",
    through_torus: "through-torus",
    cloth_torus: "cloth-torus",
    jelly: "jelly",
    cannonball: "cannonball",
    flag: "flag",
    folding_cloth: "folding-cloth",
    bowl: "bowl",
    sliding_block: "sliding-block",
    sliding_frictionless: "sliding-frictionless",
    stack: "stack",
    cantilever_bones: "cantilever-bones",
    nunchuck: "nunchuck",
    bracelet: "bracelet",
    bracelet_hinges: "bracelet-hinges",
    bone_chain: "bone-chain",
    stairs: "stairs",
    peers_cloth: "peers-cloth",
    peers_bar: "peers-bar",
    tetrahedron: "tetrahedron",
    simple_spring: "simple-spring",
    two_springs: "two-springs",
}
