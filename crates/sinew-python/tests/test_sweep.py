"""Sweeps: rows that other programs read, and a Ray cluster that loses a node and its driver.

With SINEW_SOAK the cluster has a head and three worker nodes and makes 512 runs; otherwise two and 24 runs. Where SINEW_PROGRAM names the `sinew`
program, it is what makes the sweeps.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy
import pytest
from cluster import ENVIRONMENT, HEAD, Cluster, free_port
from pyarrow import parquet

from sinew._sinew import SweepPlan
from sinew.sweep import Summary, main, run

SOAK = bool(os.environ.get("SINEW_SOAK"))
PROGRAM = os.environ.get("SINEW_PROGRAM")

SWEEP = """
scene = "tetrahedron"
frames = {frames}
seed = 5
samples = {samples}
part = {part}

[[axis]]
key = "material.young"
name = "young"
random = {{ from = 1e3, to = 1e5, log = true }}

[[axis]]
name = "method"
cases = {{ midpoint = ["integrator.kind=implicit-midpoint"], bdf2 = ["integrator.kind=bdf2"], broken = ["body.0.mesh={{ file = {{ path = 'none.obj' }} }}"], fepr = ["correction.kind=fepr"] }}
{more}
"""


def written(folder: Path, *, frames: int = 20, samples: int = 6, part: int = 2, more: str = "") -> Path:
    path = folder / "sweep.toml"
    path.write_text(SWEEP.format(frames=frames, samples=samples, part=part, more=more))
    return path


def local(sweep: Path, out: Path) -> bytes:
    """The table of a sweep that this process makes."""
    plan = SweepPlan.load(str(sweep))
    for part in plan.missing(str(out)):
        assert plan.make(part, out=str(out), store=True)[0] is None
    assert plan.finish(str(out)) is not None
    return (out / "rows.parquet").read_bytes()


def test_rows_traces_and_trajectories_are_read_by_others(tmp_path: Path) -> None:
    more = '[output]\nreport = ["energy.drift", "exploded", "frames", "state_hash"]\ntrace = ["time", "total"]\nframes_every = 10\n'
    local(written(tmp_path, more=more), tmp_path / "out")
    table = parquet.read_table(tmp_path / "out" / "rows.parquet")
    assert table.column_names == ["run", "young", "method", "sample", "ok", "failure", "energy.drift", "exploded", "frames", "state_hash"]
    assert table["run"].to_pylist() == list(range(24))
    assert table["method"].to_pylist() == ["midpoint"] * 6 + ["bdf2"] * 6 + ["broken"] * 6 + ["fepr"] * 6
    assert [ok for ok in table["ok"].to_pylist()] == [run // 6 != 2 for run in range(24)]
    assert all((why is None) == ok for why, ok in zip(table["failure"].to_pylist(), table["ok"].to_pylist()))
    assert [str(table.schema.field(name).type) for name in ["run", "young", "ok", "failure"]] == ["int64", "double", "bool", "string"]
    drifts = [drift for drift in table["energy.drift"].to_pylist() if drift is not None]
    assert len(drifts) == 18 and all(0.0 <= drift < 1.0 for drift in drifts)
    traces = parquet.read_table(tmp_path / "out" / "traces")
    assert traces.num_rows == 18 * 21
    run = numpy.load(tmp_path / "out" / "trajectories" / "run-0000003.npz")
    assert run["positions"].shape == (3, 4, 3) and run["time"].shape == (3,)


def test_mistakes_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweep = written(tmp_path)
    sweep.write_text(sweep.read_text().replace("tetrahedron", "tetrahedrn"))
    with pytest.raises(ValueError, match="did you mean `tetrahedron`"):
        SweepPlan.load(str(sweep))
    assert main([str(sweep), "--out", str(tmp_path / "out")]) == 2
    assert "sweep.toml:2:9: `scene`" in capsys.readouterr().err
    with pytest.raises(ValueError, match="packed by another version"):
        SweepPlan.unpack(b"{}")


def by_the_program(sweep: Path, out: Path, *more: str) -> None:
    environment = os.environ | ENVIRONMENT | {"SINEW_PYTHON": sys.executable}
    command = [str(PROGRAM), "sweep", str(sweep), "--out", str(out), "--quiet", *more]
    subprocess.run(command, check=True, timeout=3600, env=environment)


def driver(sweep: Path, out: Path, address: str) -> list[str]:
    return [sys.executable, "-m", "sinew.sweep", str(sweep), "--out", str(out), "--address", address, "--task", "4"]


def finished(out: Path) -> int:
    parts = out / "parts"
    return sum(1 for name in os.listdir(parts) if name.startswith("part-")) if parts.is_dir() else 0


def wait_for(parts: int, out: Path, driver: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 900
    while finished(out) < parts:
        assert driver.poll() is None, f"the driver ended with {driver.returncode} after {finished(out)} parts"
        assert time.monotonic() < end, "no progress for fifteen minutes"
        time.sleep(0.02)


def test_a_cluster_that_loses_a_node_and_its_driver(tmp_path: Path) -> None:
    # Runs that take half a second and more: what happens while they are made shall happen in their midst.
    frames, samples, part, workers = (40_000, 128, 2, 3) if SOAK else (80_000, 6, 1, 2)
    sweep = written(tmp_path, frames=frames, samples=samples, part=part)
    plan = SweepPlan.load(str(sweep))
    if PROGRAM:
        by_the_program(sweep, tmp_path / "local")
        expected = (tmp_path / "local" / "rows.parquet").read_bytes()
    else:
        expected = local(sweep, tmp_path / "local")
    out = tmp_path / "ray"
    with Cluster(workers) as cluster:
        first = subprocess.Popen(driver(sweep, out, cluster.address), env=os.environ | ENVIRONMENT)
        try:
            # A node dies, with whatever it is doing.
            wait_for(plan.parts // 6, out, first)
            cluster.nodes.pop().kill()
            # Then the driver, without a word.
            wait_for(plan.parts // 3, out, first)
        finally:
            first.send_signal(signal.SIGKILL)
            first.wait()
        kept = finished(out)
        assert plan.parts // 3 <= kept < plan.parts
        if PROGRAM:
            by_the_program(sweep, out, "--on", "ray", "--address", cluster.address)
        else:
            subprocess.run(driver(sweep, out, cluster.address), check=True, timeout=3600, env=os.environ | ENVIRONMENT)
    assert parquet.read_table(out / "rows.parquet")["run"].to_pylist() == list(range(plan.runs))
    assert (out / "rows.parquet").read_bytes() == expected
    assert not [name for name in os.listdir(out / "parts") if name.startswith(".draft-")]


def test_a_cluster_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    sweep = written(tmp_path)
    answer = subprocess.run(driver(sweep, tmp_path / "out", f"{HEAD}:{free_port()}"), capture_output=True, text=True, timeout=600)
    assert answer.returncode == 1
    assert re.fullmatch(r"error: the cluster at 127.0.0.2:\d+ cannot be joined: .*refused\n", answer.stderr), answer.stderr


def test_nothing_missing_needs_no_cluster(tmp_path: Path) -> None:
    sweep = written(tmp_path)
    local(sweep, tmp_path / "out")
    (tmp_path / "out" / "rows.parquet").unlink()
    summary = run(sweep, tmp_path / "out", progress=False)
    assert isinstance(summary, Summary)
    assert (summary.runs, summary.failed) == (24, 6)
    assert summary.first is not None and summary.first[0] == 12
    assert (tmp_path / "out" / "rows.parquet").is_file()
