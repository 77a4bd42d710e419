//! Sweeps from their file to their table: numbering, going on, shards, failures, bad input.

use sinew_sweep::{Cell, Folder, Part, Plan, Shard, SweepError, Table, Threads, finish, read, sweep};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const ONE: Threads = Threads { runs: 1, each: 1 };

const SPRINGS: &str = r#"
scene = "two-springs"
frames = 20
part = 2

[[axis]]
key = "material.stiffness"
name = "stiffness"
values = [10, 20.5, 40]

[[axis]]
name = "method"
cases = { euler = ["integrator.kind=backward-euler"], bdf2 = ["integrator.kind=bdf2"], broken = ["body.0.mesh={ file = { path = 'none.obj' } }"] }
"#;

fn plan(text: &str) -> Plan {
    Plan::parse(text, "sweep.toml", Path::new("")).unwrap()
}

fn refusal(text: &str) -> String {
    Plan::parse(text, "sweep.toml", Path::new("")).unwrap_err().to_string()
}

fn run(plan: &Plan, path: &Path, shard: Shard, threads: Threads) -> Folder {
    let folder = Folder::open(path, plan).unwrap();
    assert!(sweep(plan, &folder, shard, threads, &|| false, &|_| {}).unwrap());
    folder
}

/// The table of a whole sweep, as bytes.
fn bytes_of(plan: &Plan, path: &Path) -> Vec<u8> {
    let folder = run(plan, path, Shard::ALL, ONE);
    finish(plan, &folder).unwrap().unwrap();
    std::fs::read(path.join("rows.parquet")).unwrap()
}

fn cell<'a>(table: &'a Table, row: usize, name: &str) -> &'a Cell {
    &table.rows[row][table.column(name).unwrap()]
}

#[test]
fn one_run_is_one_row_and_a_failure_is_a_row_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(SPRINGS);
    bytes_of(&plan, folder.path());
    let table = read(&folder.path().join("rows.parquet")).unwrap();
    assert_eq!((plan.runs(), plan.parts(), table.rows.len()), (9, 5, 9));
    for (row, stiffness) in [10.0, 10.0, 10.0, 20.5, 20.5, 20.5, 40.0, 40.0, 40.0].into_iter().enumerate() {
        assert_eq!(cell(&table, row, "run"), &Cell::Integer(row as i64));
        assert_eq!(cell(&table, row, "stiffness"), &Cell::Real(stiffness));
        assert_eq!(cell(&table, row, "method"), &Cell::Text(["euler", "bdf2", "broken"][row % 3].into()));
        assert_eq!(cell(&table, row, "ok"), &Cell::Boolean(row % 3 != 2));
        if row % 3 == 2 {
            let Cell::Text(why) = cell(&table, row, "failure") else { panic!("no reason") };
            assert!(why.contains("none.obj"), "{why}");
            assert_eq!(cell(&table, row, "energy.drift"), &Cell::Missing);
        }
    }
    // The same numbers as those of a run by itself.
    let choices = plan.choices(4);
    let set: Vec<_> =
        choices.iter().flat_map(|choice| choice.set.clone()).chain(["frames=20".into()]).collect();
    let set: Vec<_> = set.iter().map(|set| sinew_scene::format::Override::parse(set).unwrap()).collect();
    let scene = sinew_scene::builtin::find("two-springs").unwrap();
    let parsed = sinew_scene::format::parse(scene.text, "s", &set).unwrap();
    let built = sinew_scene::build::build(&parsed, Path::new("")).unwrap();
    let mut alone = sinew_scene::run::Run::new("two-springs", built, 20);
    while !alone.is_over() {
        alone.step().unwrap();
    }
    let report = alone.report();
    assert_eq!(cell(&table, 4, "state_hash"), &Cell::Text(report.state_hash));
    assert_eq!(cell(&table, 4, "energy.drift"), &Cell::Real(report.energy.drift));
}

#[test]
fn a_killed_sweep_goes_on_and_ends_with_the_same_bits() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let plan = plan(SPRINGS);
    let wanted = bytes_of(&plan, whole.path());
    // Stopped in the third run, with half a file left behind as by a kill.
    let folder = Folder::open(killed.path(), &plan).unwrap();
    let made = AtomicUsize::new(0);
    let stop = || made.load(Ordering::Relaxed) >= 3;
    let count = |_: &_| {
        made.fetch_add(1, Ordering::Relaxed);
    };
    assert!(!sweep(&plan, &folder, Shard::ALL, ONE, &stop, &count).unwrap());
    std::fs::write(killed.path().join("parts/.draft-1-2-3-part-00004.parquet"), "half").unwrap();
    assert_eq!(folder.missing(&plan, Shard::ALL).unwrap(), [1, 2, 3, 4]);
    assert!(finish(&plan, &folder).unwrap().is_none());
    assert_eq!(bytes_of(&plan, killed.path()), wanted);
    let left = std::fs::read_dir(killed.path().join("parts")).unwrap().count();
    assert_eq!(left, 5, "the half file is gone");
}

#[test]
fn threads_shards_and_other_processes_change_no_bit() {
    let plan = plan(SPRINGS);
    let wanted = bytes_of(&plan, tempfile::tempdir().unwrap().path());
    let threaded = tempfile::tempdir().unwrap();
    run(&plan, threaded.path(), Shard::ALL, Threads { runs: 3, each: 2 });
    assert_eq!(bytes_of(&plan, threaded.path()), wanted);
    let shared = tempfile::tempdir().unwrap();
    for index in [2, 3, 1] {
        let folder = run(&plan, shared.path(), Shard { index, count: 3 }, ONE);
        assert_eq!(finish(&plan, &folder).unwrap().is_some(), index == 1, "the last makes the table");
    }
    assert_eq!(std::fs::read(shared.path().join("rows.parquet")).unwrap(), wanted);
    // As a cluster does it: the plan travels, rows come back.
    let remote = Plan::unpack(&plan.pack()).unwrap();
    assert_eq!(remote.manifest(), plan.manifest());
    let far = tempfile::tempdir().unwrap();
    let folder = Folder::open(far.path(), &plan).unwrap();
    for number in (0..plan.parts()).rev() {
        let part = Part::make(&remote, number, None, &|| false, &|_| {}).unwrap().unwrap();
        folder.store_rows(number, &part.rows).unwrap();
    }
    finish(&plan, &folder).unwrap().unwrap();
    assert_eq!(std::fs::read(far.path().join("rows.parquet")).unwrap(), wanted);
}

#[test]
fn traces_and_trajectories_are_kept() {
    let text = SPRINGS.to_owned()
        + "[output]\nreport = [\"state_hash\"]\ntrace = [\"time\", \"total\"]\ntrace_every = 5\nframes_every = 10\n";
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&text);
    bytes_of(&plan, folder.path());
    let trace = read(&folder.path().join("traces/part-00000.parquet")).unwrap();
    let frames: Vec<_> = trace.rows.iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let expected = [0, 1]
        .into_iter()
        .flat_map(|run| [0, 5, 10, 15, 20].map(|frame| (Cell::Integer(run), Cell::Integer(frame))));
    assert_eq!(frames, expected.collect::<Vec<_>>());
    assert!(folder.path().join("trajectories/run-0000001.npz").is_file());
    assert!(!folder.path().join("trajectories/run-0000002.npz").exists(), "that run could not begin");
    let columns: Vec<_> = plan.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(columns, ["run", "stiffness", "method", "ok", "failure", "state_hash"]);
}

#[test]
fn results_of_another_sweep_are_not_mixed_in() {
    let folder = tempfile::tempdir().unwrap();
    Folder::open(folder.path(), &plan(SPRINGS)).unwrap();
    let error = Folder::open(folder.path(), &plan(&SPRINGS.replace("20.5", "21"))).unwrap_err();
    assert!(error.to_string().contains("belong to a sweep with other axes; choose another --out"), "{error}");
    assert!(error.is_input());
}

#[test]
fn a_damaged_part_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(SPRINGS);
    let opened = run(&plan, folder.path(), Shard::ALL, ONE);
    std::fs::copy(
        folder.path().join("parts/part-00001.parquet"),
        folder.path().join("parts/part-00000.parquet"),
    )
    .unwrap();
    let error = finish(&plan, &opened).unwrap_err();
    assert!(matches!(error, SweepError::Table { .. }));
    assert!(
        error.to_string().contains("part-00000.parquet: it has not the runs that it should; delete it"),
        "{error}"
    );
}

#[test]
fn random_axes_are_drawn_together_and_do_not_depend_on_each_other() {
    let axis = |key: &str, range: &str| format!("[[axis]]\nkey = \"{key}\"\nrandom = {range}\n");
    let head = "scene = \"two-springs\"\nsamples = 40\nseed = 3\n";
    let young = axis("material.stiffness", "{ from = 1, to = 100, log = true }");
    let step = axis("h", "{ from = 0.01, to = 0.03 }");
    let values = |plan: &Plan, axis: usize| -> Vec<f64> {
        (0..40).map(|run| plan.choices(run)[axis].value.number().unwrap()).collect()
    };
    let (one, two) = (plan(&format!("{head}{young}")), plan(&format!("{head}{step}{young}")));
    assert_eq!((one.runs(), two.runs()), (40, 40));
    assert_eq!(values(&one, 0), values(&two, 1), "another axis changes nothing");
    let other = plan(&format!("{head}{young}").replace("seed = 3", "seed = 4"));
    assert_ne!(values(&one, 0), values(&other, 0));
    // A grid around them: each of its points has the same draws.
    let grid = plan(&format!("{head}{young}[[axis]]\nkey = \"h\"\nvalues = [0.01, 0.02]\n"));
    assert_eq!(grid.runs(), 80);
    assert_eq!(grid.choices(7)[0].value, grid.choices(47)[0].value);
}

#[test]
fn files_are_an_axis() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.obj", "a.obj", "c.txt"] {
        std::fs::write(folder.path().join(name), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    }
    std::fs::write(
        folder.path().join("cloth.toml"),
        "frames = 3\nh = 0.01\n[material]\nkind = \"springs\"\nstiffness = 10\nmass = 1\n[[body]]\nmesh.file = { path = \"a.obj\" }\n",
    )
    .unwrap();
    let text = "scene = \"cloth.toml\"\n[[axis]]\nname = \"mesh\"\nkey = \"body.0.mesh.file.path\"\nfiles = \"*.obj\"\n";
    let plan = Plan::parse(text, "sweep.toml", folder.path()).unwrap();
    let shown: Vec<String> = (0..plan.runs()).map(|run| plan.choices(run)[0].value.to_string()).collect();
    assert_eq!(shown, ["a.obj", "b.obj"]);
    let refused =
        Plan::parse(&text.replace("*.obj", "*.stl"), "sweep.toml", folder.path()).unwrap_err().to_string();
    assert!(refused.contains("sweep.toml:5:9: `axis.0.files`: no file matches `*.stl`"), "{refused}");
}

#[test]
fn mistakes_are_found_before_the_first_run_with_line_and_key() {
    let springs = "scene = \"two-springs\"\n[[axis]]\nkey = \"material.stiffness\"\n";
    let cases = [
        (
            "scen = \"two-springs\"\n",
            "sweep.toml:1:1: unknown key `scen` at the top level; did you mean `scene`?",
        ),
        (
            "scene = \"two-sprigs\"\n[[axis]]\nkey=\"h\"\nvalues=[1]",
            "1:9: `scene`: there is no built-in scene `two-sprigs`; did you mean `two-springs`?",
        ),
        ("scene = \"two-springs\"\n", "the sweep has no [[axis]]"),
        (springs, "2:1: `axis.0`: the values are missing"),
        (&format!("{springs}values = []"), "4:10: `axis.0.values`: has no value"),
        (
            &format!("{springs}values = [1, 2]\nrange = {{ from = 1, to = 2, count = 2 }}"),
            "has values and range: an axis lists its values in one way",
        ),
        (&format!("{springs}values = [1, -2]"), "4:14: `axis.0.values.1`: material.stiffness=-2: "),
        (&format!("{springs}values = [1, 1]"), "4:14: `axis.0.values.1`: 1 is listed twice"),
        (
            &format!("{springs}range = {{ from = 1, to = 2, count = 1 }}"),
            "`count` is 1, but `from` and `to` differ",
        ),
        (
            &format!("{springs}log_range = {{ from = 0, to = 2, count = 3 }}"),
            "must be positive for a logarithmic range",
        ),
        (
            &format!("{springs}random = {{ from = 1, to = 2 }}"),
            "how often is it drawn? `samples = 100` at the top says it",
        ),
        (&format!("samples = 3\n{springs}values = [1]"), "1:11: `samples`: no axis is `random`"),
        (&springs.replace("stiffness", "stifness").replace("]]\n", "]]\nvalues=[1]\n"), "stifness"),
        (
            &format!("{springs}values = [1]\n[output]\nreport = [\"energy.drfit\"]"),
            "6:11: `output.report.0`: there is no value `energy.drfit`; did you mean `energy.drift`?",
        ),
        (
            &format!("{springs}values = [1]\n[output]\ntrace = [\"milliseconds\"]"),
            "there is no value `milliseconds`; allowed: ",
        ),
        (&format!("{springs}name = \"ok\"\nvalues = [1]"), "there is another column `ok`"),
        (
            &format!("set = [\"solver.iteratons=3\"]\n{springs}values = [1]"),
            "1:8: `set.0`: solver.iteratons=3: ",
        ),
        (&format!("frames = 0\n{springs}values = [1]"), "1:10: `frames`: must be at least 1"),
        (
            &format!(
                "{springs}values = [1]\n[[axis]]\nkey = \"h\"\nrange = {{ from = 0.1, to = 0.2, count = 20000 }}\n[[axis]]\nkey = \"gravity.0\"\nrange = {{ from = 0.1, to = 0.2, count = 20000 }}"
            ),
            "more than 100000000 runs",
        ),
    ];
    for (text, sentence) in cases {
        let said = refusal(text);
        assert!(said.contains(sentence), "{text}\n---\n{said}\n--- should contain\n{sentence}");
    }
}
