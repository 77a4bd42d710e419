//! Every mistake is answered with the line it is in and a sentence that helps.

use sinew_scene::format::{Place, SceneError, parse};

/// A body to complete scenes with.
const BODY: &str = "[[body]]\nmesh.tetrahedron = {}\n";

fn error(text: &str) -> SceneError {
    match parse(text, "bad.toml", &[]) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error,
    }
}

/// Asserts that a scene is refused at the line marked by a comment `# !` and with a message that contains
/// every one of `pieces`.
#[track_caller]
fn refused(text: &str, pieces: &[&str]) {
    let line = 1 + text.lines().position(|line| line.contains("# !")).expect("the test marks a line");
    refused_at(line, text, pieces);
}

#[track_caller]
fn refused_at(line: usize, text: &str, pieces: &[&str]) {
    let error = error(text);
    assert_eq!(error.line(), Some(line), "wrong line: {error}\nin:\n{text}");
    for piece in pieces {
        assert!(error.message.contains(piece), "expected `{piece}` in: {error}");
    }
    assert!(error.to_string().starts_with(&format!("bad.toml:{line}:")), "{error}");
}

/// As `refused`, for lines before the body.
#[track_caller]
fn refused_setting(text: &str, pieces: &[&str]) {
    refused(&format!("{text}\n{BODY}"), pieces);
}

/// As `refused`, for lines of a body that has a mesh.
#[track_caller]
fn refused_in_body(text: &str, pieces: &[&str]) {
    refused(&format!("{BODY}{text}"), pieces);
}

/// As `refused`, for the inside of an inline mesh with three points.
#[track_caller]
fn refused_inline(text: &str, pieces: &[&str]) {
    refused(&format!("[[body]]\n[body.mesh.inline]\npoints = [[0,0,0],[1,0,0],[0,1,0]]\n{text}"), pieces);
}

#[test]
fn the_whole_message() {
    let text = format!("title = \"x\"\n[solver]\n  itertions = 5\n{BODY}");
    let expected = "\
bad.toml:3:3: unknown key `itertions` in [solver]; did you mean `iterations`?
  |
3 |   itertions = 5
  |   ^^^^^^^^^";
    let error = error(&text);
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.key, "solver.itertions");
    assert_eq!((error.line(), error.column(), error.file()), (Some(3), Some(3), Some("bad.toml")));
    assert_eq!(error.place, Place::File { name: "bad.toml".into(), line: 3, column: 3 });
}

#[test]
fn misspelt_keys() {
    refused_setting("[damping]\nviscosity = 1 # !", &["in [damping]; allowed: `ether`, `rigid_preserving`"]);
    refused_setting("tilte = \"x\" # !", &["unknown key `tilte` at the top level", "did you mean `title`?"]);
    refused_setting("[solvr] # !\niterations = 3", &["unknown key `solvr`", "did you mean `solver`?"]);
    refused_setting("[material]\nyoungs_modulus = 3 # !", &["did you mean `young`?"]);
    refused_setting("[material]\nShear-Stiffness = 3 # !", &["did you mean `shear_stiffness`?"]);
    refused_setting(
        "[solver]\ngravity = [0, -9.81, 0] # !",
        &["unknown key `gravity` in [solver]", "belongs at the top level"],
    );
    refused_in_body(
        "[body.initial]\nvelocty = [0,0,0] # !",
        &["in [body.initial]", "did you mean `velocity`?"],
    );
    refused_in_body("[[body.pins]] # !\nselect.all = true", &["did you mean `pin`?"]);
    refused_in_body(
        "[[body.pin]]\nselect = { box = { min = [0,0,0], mx = [1,1,1] } } # !",
        &["did you mean `max`?"],
    );
    refused(
        "[[body]]\n[body.mesh.bal] # !\nradius = 1",
        &["unknown key `bal` in [body.mesh]", "did you mean `ball`?"],
    );
    refused_in_body("[[body.pin]]\nselect = { indexes = [1] } # !", &["did you mean `indices`?"]);
    refused_setting(
        "[expect]\n\"energy.drift\" = { maxx = 1 } # !",
        &["unknown key `maxx`", "did you mean `max`?"],
    );
}

#[test]
fn unknown_choices() {
    refused_setting(
        "[integrator]\nkind = \"backwards-euler\" # !",
        &["unknown value", "did you mean `backward-euler`?", "`bdf2`"],
    );
    refused_setting("[solver]\nkind = \"newtn\" # !", &["`solver.kind`", "did you mean `newton`?"]);
    refused_setting(
        "[solver]\nkind = \"gauss\" # !",
        &["unknown value `gauss`", "one of `newton`, `linearized`"],
    );
    refused_setting("[correction]\nkind = \"FEPR_SQP\" # !", &["did you mean `fepr-sqp`?"]);
    refused_setting("[material]\nkind = \"neohookean\" # !", &["did you mean `neo-hookean`?"]);
    refused_setting("[material]\nlaw = \"linear\" # !", &["`hookean`, `squared`"]);
    refused_setting("[solver]\nkind = 3 # !", &["expected one of `newton`", "found a number"]);
    refused_setting("[solver]\nkind = { newton = 1 } # !", &["expected the string \"newton\""]);
    refused(
        "[[body]]\nmesh.box = { size = [1,1,1], cells = [1,1,1], split = \"seven\" } # !",
        &["`five`, `six`"],
    );
}

#[test]
fn wrong_types() {
    refused_setting("frames = \"many\" # !", &["expected an integer, 0 or greater", "the string \"many\""]);
    refused_setting("frames = 10.5 # !", &["expected an integer", "the decimal number 10.5"]);
    refused_setting("frames = -1 # !", &["expected an integer, 0 or greater, found -1"]);
    refused_setting("title = 7 # !", &["expected a string, found 7"]);
    refused_setting(
        "gravity = -9.81 # !",
        &["expected an array of length 3", "found the decimal number -9.81"],
    );
    refused_setting("gravity = [0, -9.81] # !", &["expected an array of length 3, found 2 values"]);
    refused_setting("gravity = [0, 0, 0, 1] # !", &["expected an array of length 3, found 4 values"]);
    refused_setting("gravity = [\n  0,\n  \"down\", # !\n  0]", &["`gravity.1`: expected a number"]);
    refused_setting("solver = \"newton\" # !", &["expected a table, found the string \"newton\""]);
    refused_setting("solver = [\"newton\"] # !", &["expected a table, found an array"]);
    refused_setting("[[solver]] # !\nkind = \"newton\"", &["expected a table, found an array"]);
    refused_setting("[render]\nwireframe = 1 # !", &["expected true or false, found 1"]);
    refused_setting("h = 1979-05-27 # !", &["found the date 1979-05-27"]);
    refused_setting("h = \"1/0\" # !", &["expected seconds as a number or as a fraction such as \"1/30\""]);
    refused_setting("h = \"fast\" # !", &["fraction such as \"1/30\", found the string \"fast\""]);
    refused("[body] # !\nmesh.tetrahedron = {}", &["`body`: expected an array, found a table"]);
    refused("[[body]]\nmesh = \"ball\" # !", &["expected a table { ball = … }"]);
    refused_in_body("[[body.pin]]\nselect = { indices = [0, -1] } # !", &["select.indices.1", "found -1"]);
    refused_in_body("[[body.pin]]\nselect = { indices = [0, 5000000000] } # !", &["found 5000000000"]);
    refused_setting("frames = 99999999999999999999 # !", &["does not fit into 64 bits"]);
    refused_setting("[expect]\n\"energy.drift\" = 3 # !", &["expected a table { min, max, equals }"]);
    refused_setting("[expect]\n\"energy.drift\" = { max = \"small\" } # !", &["`max` must be a number"]);
}

#[test]
fn missing_keys_and_choices() {
    refused("frames = 3\n[[body]] # !\nname = \"x\"", &["missing key `mesh` in [body]"]);
    refused("[[body]]\nmesh.tetrahedron = {}\n[[body]] # !\nname = \"x\"", &["missing key `mesh`"]);
    refused("[[body]]\n[body.mesh.box] # !\nsize = [1,1,1]", &["missing key `cells` in [body.mesh.box]"]);
    refused_setting("[camera] # !\neye = [0,0,1]", &["missing key `look_at` in [camera]"]);
    refused_in_body("[[body.attachment]] # !\nselect.all = true", &["missing key `stiffness`"]);
    refused_in_body("[[body.pin]] # !", &["missing key `select` in [body.pin]"]);
    refused_in_body("[[body.pin]]\nselect = {} # !", &["expected exactly one of `indices`", "found nothing"]);
    refused_in_body(
        "[[body.pin]]\nselect = { all = true, region = 2 } # !",
        &["expected exactly one of", "found `all`, `region`"],
    );
    refused(
        "[[body]]\nmesh = { ball = { radius = 1, cells = 3 }, tetrahedron = {} } # !",
        &["expected exactly one of"],
    );
    refused_at(1, "frames = 3\n", &["`body`: a scene needs at least one [[body]]"]);
    refused_at(1, "", &["a scene needs at least one [[body]]"]);
    refused("body = [] # !", &["a scene needs at least one [[body]]"]);
}

#[test]
fn broken_toml() {
    refused_at(2, "frames = 3\ngravity = [0, 0", &["array"]);
    refused_at(1, "title = \"open\n", &["string"]);
    refused_at(3, "[solver]\nkind = \"newton\"\n[solver\n", &["table"]);
    refused_at(2, "frames = 3\nframes = 4\n", &["duplicate key"]);
    refused_at(3, "[solver]\nkind = \"newton\"\n[solver]\n", &["duplicate key"]);
    refused_at(1, "frames 3\n", &["expected `=`"]);
    refused_at(1, "frames =\n", &["a value is missing"]);
    refused_at(1, "h = 1/30\n", &["strings must be quoted"]);
    refused_at(1, &format!("title = {}1{}", "[".repeat(50_000), "]".repeat(50_000)), &["recurs"]);
    refused_at(1, &format!("title = {}1{}", "[".repeat(60), "]".repeat(60)), &["nested more than"]);
    refused_at(1, &format!("{}a = 1", "a.".repeat(60)), &["nested more than"]);
    refused_at(1, &format!("{}a = 1", "a.".repeat(100_000)), &["limit"]);
    refused_at(1, &format!("{}1{}", "a.a.a.a.a.a.a.a.a.a={".repeat(70), "}".repeat(70)), &[]);
}

#[test]
fn numbers_that_are_not_finite() {
    refused_setting("h = nan # !", &["`h`: must be a finite number, is NaN"]);
    refused_setting("gravity = [0, -inf, 0] # !", &["`gravity.1`: must be a finite number, is -inf"]);
    refused_setting("[damping]\nether = inf # !", &["must be a finite number"]);
    refused_setting("[material]\nyoung = 1e999 # !", &["must be a finite number"]);
    refused_setting("[expect]\n\"energy.drift\" = { max = inf } # !", &["must be a finite number"]);
    refused_in_body("[body.initial]\nspin = [0, nan, 0] # !", &["`body.0.initial.spin.1`"]);
    refused_inline(
        "velocities = [[0,0,0],\n [0,nan,0], # !\n [0,0,0]]",
        &["`body.0.mesh.inline.velocities.1.1`"],
    );
}

#[test]
fn settings_out_of_range() {
    refused_setting("frames = 0 # !", &["must be between 1 and 1000000, is 0"]);
    refused_setting("frames = 1000001 # !", &["must be between 1 and 1000000"]);
    refused_setting("h = 0 # !", &["must be greater than 0 and at most 1 second, is 0"]);
    refused_setting("h = -0.01 # !", &["must be greater than 0"]);
    refused_setting("h = \"3/2\" # !", &["at most 1 second, is 1.5"]);
    refused_setting("[solver]\niterations = 0 # !", &["must be between 1 and 100000, is 0"]);
    refused_setting("[solver]\ntolerance = -1e-3 # !", &["must not be negative, is -0.001"]);
    refused_setting("[solver]\nhistory = 51 # !", &["must be between 1 and 50"]);
    refused_setting("[integrator]\nspectral_radius = 1.5 # !", &["must be between 0 and 1, is 1.5"]);
    refused_setting("[correction]\nepsilon = -1 # !", &["must not be negative"]);
    refused_setting("[fepr]\nsmoothing = -1 # !", &["must not be negative"]);
    refused_setting("[damping]\nether = -0.5 # !", &["must not be negative"]);
    refused_setting("[damping]\nrigid_preserving = 1.1 # !", &["must be between 0 and 1, is 1.1"]);
    refused_setting("[render]\npicture = -1 # !", &["must not be negative"]);
    refused_setting("[render]\nwidth = 0 # !", &["must be between 16 and 8192"]);
    refused_setting("[camera]\neye = [1,2,3]\nlook_at = [1,2,3] # !", &["must differ from `eye`"]);
    refused_setting("[camera]\neye = [1,2,3]\nlook_at = [0,0,0]\nfov = 180 # !", &["less than 180"]);
    refused_setting("[expect]\n\"energy.drift\" = { min = 2, max = 1 } # !", &["must not exceed max"]);
    refused_setting(
        "[expect.energy]\nfinal.max = 1\ndrift.min = 2 # !\ndrift.max = 1",
        &["`expect.energy.drift.min`"],
    );
    refused_setting(
        "[expect]\nexploded = { max = 1, equals = false } # !",
        &["cannot be combined with `max`"],
    );
    refused_setting("[expect]\nexploded = {} # !", &["expects nothing; give min, max or equals"]);
    refused_setting(
        "[expect] # !\n\"energy.drift\" = { max = 1 }\nenergy.drift = { max = 2 }",
        &["`energy.drift` is given twice"],
    );
}

#[test]
fn materials() {
    refused_setting("[material]\nyoung = 0 # !", &["must be positive, is 0"]);
    refused_setting("[material]\npoisson = 0.5 # !", &["greater than -1 and less than 0.5, is 0.5"]);
    refused_setting("[material]\npoisson = -1 # !", &["greater than -1"]);
    refused_setting("[material]\nmass = -3 # !", &["`material.mass`: must be positive, is -3"]);
    refused_setting("[material]\nstiffness = -3 # !", &["must be positive"]);
    refused_setting("[material]\nbend_stiffness = -3 # !", &["must not be negative"]);
    refused_setting("[material]\ndensity = 1000\nmass = 2 # !", &["cannot be combined with `density`"]);
    refused_setting("[material]\nyoung = 1e5\nmu = 1e4 # !", &["cannot be combined with `young`"]);
    refused_setting("[material]\nlambda = 1e5 # !\npoisson = 0.3", &["cannot be combined with `poisson`"]);
    refused_setting("[material]\nmu = 3\nlambda = -2 # !", &["must be greater than −2/3 mu = -2, is -2"]);
    refused_in_body(
        "[body.material]\ndensity = -3 # !",
        &["`body.0.material.density`: must be positive, is -3"],
    );
    refused_in_body("[body.material]\ndensity = 3\nmass = 3 # !", &["cannot be combined"]);
    refused_in_body("[body.material]\nlambda = 3 # !", &["needs `mu`"]);
    refused_in_body(
        "[material]\nmu = 3\n[[body]]\nmesh.ball = { radius = 1, cells = 3 }\nmaterial.lambda = -3 # !",
        &["`body.1.material.lambda`", "−2/3 mu"],
    );
    refused_in_body("[[body.override]] # !\nselect.all = true", &["changes nothing"]);
    refused_in_body("[[body.override]]\nselect.all = true\nyoung = -1 # !", &["`body.0.override.0.young`"]);
    refused_in_body("[[body.override]]\nselect.all = true\nyoung = 1\nmu = 1 # !", &["cannot be combined"]);
}

#[test]
fn meshes() {
    refused("[[body]]\nmesh.tetrahedron.edge = -1 # !", &["must be positive"]);
    refused(
        "[[body]]\n[body.mesh.box]\nsize = [1, 0, 1] # !\ncells = [1,1,1]",
        &["`body.0.mesh.box.size.1`"],
    );
    refused(
        "[[body]]\n[body.mesh.box]\nsize = [1, 1, 1]\ncells = [1,0,1] # !",
        &["must be at least 1, is 0"],
    );
    refused(
        "[[body]]\n[body.mesh.box]\nsize = [1, 1, 1]\ncells = [4000000000,4000000000,2] # !",
        &["at most"],
    );
    refused("[[body]]\n[body.mesh.ball]\nradius = 1\ncells = 100000 # !", &["must be between 1 and 215"]);
    refused(
        "[[body]]\n[body.mesh.bar]\nlength = 1\nwidth = 0 # !\nheight = 1\ncells = [1,1,1]",
        &["must be positive"],
    );
    refused("[[body]]\n[body.mesh.cloth]\nsize = [1, -1] # !\ncells = [1,1]", &["cloth.size.1"]);
    refused(
        "[[body]]\n[body.mesh.cloth]\nsize = [1, 1]\ncells = [1,1]\nstructural = false # !\nshear = false\nbend = false",
        &["a cloth needs springs"],
    );
    refused("[[body]]\nmesh.file.path = \"\" # !", &["must not be empty"]);
    refused("[[body]]\n[body.mesh.file]\npath = \"a.msh\"\nscale = 0 # !", &["must be positive"]);
}

#[test]
fn inline_meshes() {
    refused("[[body]]\nmesh.inline.points = [] # !", &["`body.0.mesh.inline.points`: must not be empty"]);
    refused_inline(
        "springs = [[0,1],\n [1,3]] # !",
        &["`body.0.mesh.inline.springs.1.1`", "no vertex 3", "3 points"],
    );
    refused_inline("springs = [[0,-1]] # !", &["found -1"]);
    refused_inline("springs = [[0,1,2]] # !", &["expected an array of length 2, found 3 values"]);
    refused_inline("springs = [[1,1]] # !", &["names vertex 1 twice"]);
    refused_inline("tets = [[0,1,2,7]] # !", &["there is no vertex 7"]);
    refused_inline("tets = [[0,1,2,0]] # !", &["names vertex 0 twice"]);
    refused_inline("triangles = [[0,2,2]] # !", &["names vertex 2 twice"]);
    refused_inline("masses = [1, 2] # !", &["has 2 values for 3 vertices"]);
    refused_inline("masses = [1, 0, 1] # !", &["`body.0.mesh.inline.masses.1`: must be positive, is 0"]);
    refused_inline("positions = [[0,0,0]] # !", &["has 1 values for 3 vertices"]);
    refused_inline("springs = [[0,1]]\nrest_lengths = [1, 2] # !", &["has 2 values for 1 springs"]);
    refused_inline("springs = [[0,1]]\nrest_lengths = [-1] # !", &["must not be negative"]);
    refused_inline("springs = [[0,1]]\nstiffnesses = [-1] # !", &["must not be negative"]);
    refused_inline("masses = [1,1,1]\n[body.material]\nmass = 3 # !", &["cannot be combined with `masses`"]);
    refused_inline("[[body.pin]]\nselect.indices = [0, 3] # !", &["there is no vertex 3"]);
}

#[test]
fn bodies() {
    refused(
        "[[body]]\nname = \"a\"\nmesh.tetrahedron = {}\n[[body]]\nname = \"a\" # !\nmesh.tetrahedron = {}",
        &["`body.1.name`", "already the name of body 0"],
    );
    refused("[[body]]\nname = \" \" # !\nmesh.tetrahedron = {}", &["must not be empty"]);
    refused_in_body(
        "[body.initial]\nrotate = { axis = [0,0,0], degrees = 3 } # !",
        &["must have a direction"],
    );
    refused_in_body(
        "[body.initial.strike]\ncenter = [0,0,0]\nradius = 0 # !\nvelocity = [1,0,0]",
        &["must be positive"],
    );
    refused_in_body("[body.initial]\nrandomize = { amplitude = -1 } # !", &["must not be negative"]);
    refused_in_body(
        "[body.initial]\nrandomize = { amplitude = 1, seed = -1 } # !",
        &["0 or greater, found -1"],
    );
    refused_in_body("[[body.pin]]\nselect.indices = [] # !", &["must not be empty"]);
    refused_in_body("[[body.pin]]\nselect.all = false # !", &["must be true"]);
    refused_in_body(
        "[[body.pin]]\nselect.sphere = { center = [0,0,0], radius = -1 } # !",
        &["must be positive"],
    );
    refused_in_body(
        "[[body.pin]]\nselect.plane = { point = [0,0,0], normal = [0,0,0] } # !",
        &["must have a direction"],
    );
    refused_in_body(
        "[[body.pin]]\nselect.box = { min = [0,0,0], max = [1,-1,1] } # !",
        &["box.max.1", "less than min"],
    );
    let attached = "[[body.attachment]]\nselect.all = true\nstiffness = 3\n[body.attachment.motion]";
    refused_in_body("[[body.attachment]]\nselect.all = true\nstiffness = 0 # !", &["must be positive"]);
    refused_in_body(&format!("{attached} # !"), &["moves nothing"]);
    refused_in_body(
        &format!(
            "{attached}\nkeyframes = [\n{{ time = 1, offset = [0,0,0] }},\n{{ time = 1, offset = [1,0,0] }}] # !"
        ),
        &["keyframes.1.time", "must be later than the keyframe before"],
    );
    refused_in_body(
        &format!("{attached}\nkeyframes = [{{ time = -1, offset = [0,0,0] }}] # !"),
        &["negative"],
    );
    refused_in_body(
        &format!("{attached}\nsinusoid = {{ amplitude = [0,0,0], frequency = 0 }} # !"),
        &["positive"],
    );
    refused_in_body(
        &format!("{attached}\nsinusoid = {{ amplitude = [0,0,0], frequency = 1, start = 2, stop = 2 }} # !"),
        &["must be later than start"],
    );
}

#[test]
fn contact() {
    refused_setting("[contact]\nresponse = \"spring\" # !", &["`repulsion`, `cubic`"]);
    refused_setting("[contact]\nstiffness = 0 # !", &["must be positive, is 0"]);
    refused_setting("[contact]\nthickness = -0.1 # !", &["`contact.thickness`: must be positive"]);
    refused_setting("[contact]\nfriction = -1 # !", &["`contact.friction`: must not be negative, is -1"]);
    refused_setting("[contact]\nfriction = \"much\" # !", &["a number or a table { static, kinetic }"]);
    refused_setting("[contact]\nfriction = { static = 1 } # !", &["missing key `kinetic`"]);
    refused_setting(
        "[contact]\nfriction = { static = 1, kinematic = 1 } # !",
        &["unknown key `kinematic`", "`kinetic`"],
    );
    refused_setting(
        "[contact]\nfriction = { static = 1, kinetic = -1 } # !",
        &["friction.kinetic", "negative"],
    );
    refused_setting(
        "[contact.friction]\nstatic = 0.3\nkinetic = 0.5 # !",
        &["must not exceed static, is 0.5 with static 0.3"],
    );
    refused_setting("[contact]\nrestitution = 1.5 # !", &["must be between 0 and 1, is 1.5"]);
    refused_setting("[contact]\nself = 1 # !", &["expected true or false"]);
    refused_setting("[contact]\nself_contact = true # !", &["did you mean `self`?"]);
    refused_setting("contact = true # !", &["expected a table, found true"]);
}

#[test]
fn colliders() {
    let shaped = |shape: &str| format!("[[collider]]\nshape.{shape} # !");
    let cases: &[(&str, &[&str])] = &[
        ("sphere.radius = 0", &["`collider.0.shape.sphere.radius`: must be positive, is 0"]),
        ("sphere = {}", &["missing key `radius` in [collider.shape.sphere]"]),
        ("sphere = { radius = 1, length = 2 }", &["unknown key `length`", "allowed: `radius`"]),
        ("sphere = { radius = inf }", &["must be a finite number"]),
        ("box = { size = [1, 0, 1] }", &["`collider.0.shape.box.size.1`: must be positive"]),
        ("box = { size = 1 }", &["expected an array of length 3"]),
        ("capsule = { radius = 0.1, length = 0 }", &["capsule.length", "without length it is a sphere"]),
        ("capsule = { radius = -1, length = 1 }", &["capsule.radius", "must be positive"]),
        (
            "torus = { major = 0.2, minor = 0.3 }",
            &["minor", "must be less than major, is 0.3 with major 0.2"],
        ),
        ("torus = { major = 1, minor = 0 }", &["must be positive, is 0"]),
        ("plane = { normal = [0, 0, 0] }", &["must have a direction"]),
        ("plane = { point = [0, 0, 0] }", &["unknown key `point`"]),
        ("stairs = { steps = 0, rise = 1, run = 1, width = 1 }", &["steps", "must be between 1 and 1000"]),
        ("stairs = { steps = 2, rise = 1, run = -1, width = 1 }", &["stairs.run", "must be positive"]),
        ("mesh = { path = \" \" }", &["must not be empty"]),
        ("mesh = { path = \"a.obj\", scale = -1 }", &["must be positive"]),
        ("cylinder = { radius = 1 }", &["unknown key `cylinder` in [collider.shape]", "`capsule`"]),
    ];
    for (shape, pieces) in cases {
        refused_setting(&shaped(shape), pieces);
    }
    refused_setting("[[collider]]\nshape = \"plane\" # !", &["expected a table { plane = … }"]);
    refused_setting("[[collider]] # !\nposition = [0, 0, 0]", &["missing key `shape` in [collider]"]);
    refused_setting("[collider] # !\nshape.plane = {}", &["`collider`: expected an array, found a table"]);
    let ball = "[[collider]]\nshape.sphere.radius = 1";
    refused_setting(&format!("{ball}\nsize = [1, 1, 1] # !"), &["unknown key `size` in [collider]"]);
    refused_setting(&format!("{ball}\nfriction = -0.1 # !"), &["`collider.0.friction`", "negative"]);
    refused_setting(&format!("{ball}\nrestitution = -0.1 # !"), &["between 0 and 1"]);
    refused_setting(&format!("{ball}\nposition = [0, nan, 0] # !"), &["`collider.0.position.1`", "finite"]);
    refused_setting(&format!("{ball}\nrotate = {{ axis = [0,0,0], degrees = 3 }} # !"), &["direction"]);
    refused_setting(
        &format!("{ball}\nmotion = {{}} # !"),
        &["moves nothing; give keyframes, a sinusoid or a spin"],
    );
    refused_setting(
        &format!("{ball}\nmotion.keyframes = [{{ time = 1 }},\n{{ time = 0.5 }}] # !"),
        &["`collider.0.motion.keyframes.1.time`", "must be later than the keyframe before"],
    );
    refused_setting(
        &format!(
            "{ball}\nmotion.keyframes = [{{ time = 1, rotate = {{ axis = [0,0,0], degrees = 1 }} }}] # !"
        ),
        &["keyframes.0.rotate.axis", "direction"],
    );
    refused_setting(&format!("{ball}\nmotion.spin = 3 # !"), &["expected an array of length 3"]);
    refused_setting(
        &format!("{ball}\nmotion.sinusoid = {{ amplitude = [0,1,0], frequency = 0 }} # !"),
        &["motion.sinusoid.frequency", "must be positive"],
    );
    refused_setting(
        &format!("{ball}\nname = \"a\"\n{ball}\nname = \"a\" # !"),
        &["`collider.1.name`", "already the name of collider 0"],
    );
}

#[test]
fn forces() {
    refused_setting("[wind] # !\ndensity = 1", &["missing key `velocity` in [wind]"]);
    refused_setting("[wind]\nvelocity = 3 # !", &["expected an array of length 3"]);
    refused_setting("[wind]\nvelocity = [1,0,0]\ndensity = 0 # !", &["must be positive"]);
    let gusts = "[wind]\nvelocity = [1,0,0]\n[wind.gusts]";
    refused_setting(&format!("{gusts}\nfrequency = 1\nstrength = 2 # !"), &["between 0 and 1, is 2"]);
    refused_setting(&format!("{gusts}\nstrength = 0.5\nfrequency = 0 # !"), &["must be positive"]);
    refused_setting(&format!("{gusts} # !\nstrength = 0.5"), &["missing key `frequency`"]);
    refused_setting("[acceleration] # !\nstart = 1", &["accelerates nothing; give a constant or a sinusoid"]);
    refused_setting("[acceleration]\nconstant = [1,0] # !", &["expected an array of length 3, found 2"]);
    refused_setting(
        "[acceleration]\nconstant = [1,0,0]\nstart = 2\nstop = 1 # !",
        &["must be later than start, is 1 with start 2"],
    );
    refused_setting("[acceleration]\nconstant = [1,0,0]\nstart = -1 # !", &["must not be negative"]);
    let drag = "[[body.drag]]\npoint = [0,0,0]";
    refused_in_body(
        &format!("{drag}\nstiffness = 0 # !"),
        &["`body.0.drag.0.stiffness`", "must be positive"],
    );
    refused_in_body("[[body.drag]] # !\nstiffness = 1", &["missing key `point` in [body.drag]"]);
    refused_in_body(&format!("{drag}\nstiffness = 1\nstart = -1 # !"), &["must not be negative"]);
    refused_in_body(&format!("{drag}\nstiffness = 1\nstop = 0 # !"), &["must be later than start"]);
    refused_in_body(&format!("{drag}\nstiffness = 1\nmotion = {{}} # !"), &["moves nothing"]);
    refused_in_body("rigid = 1 # !", &["expected true, false or a table { mass, center, inertia }, found 1"]);
}

#[test]
fn the_first_mistake_of_the_file_is_reported() {
    refused_setting("tilte = 1 # !\n[solver]\nkindd = 3\n[integrator]\nkond = 2", &["tilte"]);
    refused_setting("[solver]\nkindd = 3 # !\n[integrator]\nkond = 2", &["kindd"]);
}

#[test]
fn excerpts_survive_odd_lines() {
    // Characters wider than a byte before the mistake, and a tab.
    let wide = error(&format!("[material]\n\tmass = -3 # größer\n{BODY}"));
    assert_eq!(wide.column(), Some(9));
    assert!(wide.to_string().ends_with("2 | \tmass = -3 # größer\n  | \t       ^^"), "{wide}");
    let umlaut = error(&format!("material = {{ \"größe\" = 3, mass = -3 }}\n{BODY}"));
    assert_eq!(umlaut.column(), Some(14));
    // Signs that would steer a terminal.
    let steering = error(&format!("tilte = \"\u{1b}[31m\"\n{BODY}"));
    assert!(!steering.to_string().contains('\u{1b}'), "{steering}");
    // Windows line ends and a byte order mark.
    let windows = error("\u{feff}frames = 3\r\nh = 0\r\n[[body]]\r\nmesh.tetrahedron = {}\r\n");
    assert_eq!((windows.line(), windows.column()), (Some(2), Some(5)));
    assert!(windows.to_string().ends_with("2 | h = 0\n  |     ^"), "{windows:?}");
    let marked = error(&format!("\u{feff}frams = 3\n{BODY}"));
    assert_eq!((marked.line(), marked.column()), (Some(1), Some(1)));
    // A line as long as a mesh.
    let points = "[0,0,0],".repeat(5000);
    let long = error(&format!("[[body]]\nmesh.inline.points = [{points} [0,0,\"x\"], {points}]"));
    let message = long.to_string();
    assert!(message.contains("[0,0,\"x\"]") && message.len() < 600, "{message}");
    let (source, underline) = {
        let mut lines = message.lines().rev();
        let underline = lines.next().unwrap();
        (lines.next().unwrap(), underline)
    };
    let at = underline.chars().position(|c| c == '^').unwrap();
    assert_eq!(source.chars().skip(at).take(3).collect::<String>(), "\"x\"");
}
