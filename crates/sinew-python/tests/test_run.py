"""`sinew.run` and its result."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sinew


def test_traces_are_those_of_the_command(tmp_path: Path) -> None:
    result = sinew.run("tetrahedron", frames=40, every=4, velocities=True, out=tmp_path)
    table = np.genfromtxt(tmp_path / "trace.csv", delimiter=",", names=True)
    assert list(result.trace) == list((tmp_path / "trace.csv").read_text().splitlines()[0].split(","))
    for name, column in result.trace.items():
        np.testing.assert_array_equal(column, table[name], err_msg=name)
    assert len(result.trace["time"]) == 41
    assert result.positions.shape == (11, 4, 3)
    assert result.velocities is not None and result.velocities.shape == (11, 4, 3)
    np.testing.assert_allclose(result.times, np.arange(11) * 4 / 60)
    assert result.report["energy"]["drift"] < 0.0025


def test_traces_are_friendly_to_pandas_and_arrow() -> None:
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    trace = sinew.run("tetrahedron", frames=5).trace
    assert pandas.DataFrame(trace).shape == (6, len(trace)) == pyarrow.table(trace).shape


def test_settings_scenes_files_and_models(tmp_path: Path, cube: sinew.Model) -> None:
    scene = sinew.Scene.builtin("tetrahedron")
    path = tmp_path / "own.toml"
    path.write_text(scene.text)
    hashes = {sinew.run(each, frames=3).report["state_hash"] for each in (scene, path, str(path), "tetrahedron", scene.model())}
    assert len(hashes) == 1
    other = sinew.run(scene, frames=3, settings={"solver.iterations": 1, "integrator": "backward-euler"})
    assert other.report["integrator"] == "backward-euler" and other.report["state_hash"] not in hashes
    own = sinew.run(cube, frames=4, settings={"h": 0.01})
    assert own.report["vertices"] == cube.vertex_count and own.times[-1] == pytest.approx(0.04)
    assert own.trace["total"][-1] == pytest.approx(own.trace["total"][0], abs=1e-6 * own.trace["kinetic"][-1])
    with pytest.raises(sinew.SceneError, match="there is no scene `tetrahedra`"):
        sinew.run("tetrahedra")
    with pytest.raises(sinew.OutputError, match="no format `stl`; there are obj, "):
        sinew.run("tetrahedron", out=tmp_path, formats=["stl"])


def test_pictures_and_pages(tmp_path: Path) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    result = sinew.run("soft-ball", frames=12, out=tmp_path, formats=["html"])
    assert (tmp_path / "replay.html").read_text(encoding="utf-8") == result.to_html(), "one page, whoever writes it"
    axes = result.plot()
    assert {line.get_label() for line in axes.get_lines()} >= {"kinetic", "total", "allowed"}
    gif = result.to_gif(tmp_path / "ball.gif", width=160, height=120).read_bytes()
    assert gif[:6] == b"GIF89a" and int.from_bytes(gif[6:8], "little") == 160
    assert gif.count(b"\x21\xf9\x04") >= 8, "nearly every frame is drawn; those above 50 a second are left out"
    page = result.to_html(tmp_path / "ball.html")
    assert (tmp_path / "ball.html").read_text(encoding="utf-8") == page
    assert "http://" not in page and "https://" not in page and "src=" not in page and len(page) < 1_000_000
    shown = result._repr_html_()
    assert shown is not None and shown.startswith("<iframe srcdoc=") and "<canvas" not in shown
    assert "soft-ball" in repr(result)
    nothing = sinew.run("tetrahedron", frames=2, every=0)
    assert nothing._repr_html_() is None
    with pytest.raises(sinew.SceneError, match="nothing was recorded"):
        nothing.to_gif(tmp_path / "no.gif")
    with pytest.raises(sinew.OutputError):
        result.to_gif(tmp_path / "missing" / "no.gif")


def test_a_run_that_fails_keeps_what_it_has(make_cube: Callable[..., sinew.Model]) -> None:
    scene = sinew.Scene.builtin("bar").set("integrator.kind", "forward-euler").set("correction.kind", "none").set("h", 0.2)
    with pytest.raises(sinew.StepError, match="step") as caught:
        sinew.run(scene, frames=2000)
    result = caught.value.result  # type: ignore[attr-defined]
    assert 1 < len(result.times) < 2001 and result.report["failure"] == str(caught.value)


def test_progress_is_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    sinew.run("tetrahedron", frames=3, progress=True)
    said = capsys.readouterr()
    assert "tetrahedron: frame 3 of 3" in said.err and not said.out


def test_view_starts_the_program_or_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SINEW_PROGRAM", raising=False)
    with pytest.raises(sinew.SinewError, match="cargo xtask view"):
        sinew.view("tetrahedron")
    stub = tmp_path / "sinew"
    stub.write_text('#!/bin/sh\necho "http://127.0.0.1:1/#$*"\nexec /bin/sleep 60\n')
    stub.chmod(0o755)
    with sinew.view("tetrahedron", open_browser=False) as viewer:
        assert viewer.address == "http://127.0.0.1:1/#view tetrahedron --no-open" and "running" in repr(viewer)
    assert "closed" in repr(viewer)
    scene = sinew.Scene.builtin("tetrahedron").set("h", 0.01)
    with sinew.view(scene, open_browser=False) as viewer:
        file = Path(viewer.address.split()[1])
        assert sinew.Scene.load(file).to_dict() == scene.to_dict()
    assert not file.exists()
    stub.write_text('#!/bin/sh\necho "the page is not built" >&2\nexit 1\n')
    with pytest.raises(sinew.SinewError, match="the page is not built"):
        sinew.view("tetrahedron")


@pytest.mark.skipif("SINEW_PROGRAM" not in os.environ, reason="SINEW_PROGRAM names no program")
def test_the_real_program_shows_a_scene() -> None:
    scene = sinew.Scene.builtin("tetrahedron").set("h", 0.01)
    with sinew.view(scene, open_browser=False) as viewer:
        with urllib.request.urlopen(viewer.address.split("#")[0], timeout=60) as answer:
            assert b"<html" in answer.read()
    with pytest.raises(OSError):
        urllib.request.urlopen(viewer.address.split("#")[0], timeout=60)
