"""Runs with their records: ``sinew.run`` and what it returns."""

from __future__ import annotations

import html as _html
import os
import sys
import time as _time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from sinew._sinew import Model, Run, Scene, scene_names
from sinew.errors import SceneError, StepError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SceneLike = Union[Scene, Model, str, "os.PathLike[str]"]


def find(scene: SceneLike) -> Scene | Model:
    """A scene given as such, as a path, or by the name of a built-in one."""
    if isinstance(scene, (Scene, Model)):
        return scene
    if isinstance(scene, str) and scene in scene_names():
        return Scene.builtin(scene)
    path = Path(scene)
    if isinstance(scene, str) and not path.exists() and not path.suffix:
        return Scene.builtin(scene)
    return Scene.load(path)


def run(
    scene: SceneLike,
    *,
    frames: int | None = None,
    every: int = 1,
    velocities: bool = False,
    threads: int | None = None,
    progress: bool = False,
    out: str | os.PathLike[str] | None = None,
    formats: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
) -> Result:
    """Simulates a scene and records it.

    Args:
        scene: a `Scene`, a `Model`, the path of a scene file, or the name of a built-in scene (`sinew.scenes()`).
        frames: number of steps; by default the scene's.
        every: record positions at every so many frames; 0: not at all.
        velocities: record velocities, too.
        threads: number of threads, by default one per core. It affects the time, never the result.
        progress: show on stderr how far it is.
        out: a folder for what `sinew run --out` writes.
        formats: what to write there for every frame, as `--format` of the command: "obj", "gltf", "gif", "html", …
        settings: values of the scene for this run, such as ``{"solver.iterations": 20}``.

    A run that cannot go on raises a `StepError`, whose ``result`` has what was recorded; so does a `KeyboardInterrupt`.
    """
    found = find(scene)
    model = found.model(threads=threads) if isinstance(found, Scene) else found
    inner = Run(
        model,
        frames=frames,
        every=every,
        velocities=velocities,
        threads=threads,
        out=os.fspath(out) if out is not None else None,
        formats=list(formats),
        settings=dict(settings) if settings else None,
    )
    total, begin, done = inner.frames, _time.monotonic(), 0
    try:
        while not inner.is_over:
            done = inner.advance(0.1)
            if progress:
                left = (_time.monotonic() - begin) / max(done, 1) * (total - done)
                print(f"\r{model.name}: frame {done} of {total}, {left:.0f} s left ", end="", file=sys.stderr)
    except KeyboardInterrupt as stop:
        inner.finish()
        stop.result = Result(model, inner)  # type: ignore[attr-defined]
        raise
    finally:
        if progress:
            print(file=sys.stderr)
    inner.finish()
    result = Result(model, inner)
    if inner.failure is not None:
        error = StepError(inner.failure)
        error.result = result  # type: ignore[attr-defined]
        raise error
    return result


class Result:
    """A finished run: arrays, traces, report, pictures."""

    def __init__(self, model: Model, run: Run) -> None:
        self.model = model
        """The model."""
        self._run = run
        self._cache: dict[str, Any] = {}

    def _once(self, name: str) -> Any:
        if name not in self._cache:
            self._cache[name] = getattr(self._run, name)
        return self._cache[name]

    @property
    def name(self) -> str:
        """The name of the scene."""
        return self.model.name

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of the recorded frames, (F,), s."""
        return self._once("times")

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions in the recorded frames, (F, N, 3), m."""
        return self._once("positions")

    @property
    def velocities(self) -> NDArray[np.float64] | None:
        """Velocities in the recorded frames, (F, N, 3), m/s, if ``velocities=True``."""
        return self._once("velocities")

    @property
    def trace(self) -> dict[str, NDArray[np.float64]]:
        """The columns of trace.csv, one number for each frame: ``pandas.DataFrame(result.trace)``, ``pyarrow.table(result.trace)``."""
        return self._once("trace")

    @property
    def report(self) -> dict[str, Any]:
        """What ``sinew run --report`` writes."""
        return self._once("report")

    def plot(self, ax: Any = None) -> Any:
        """Draws the energies over time with matplotlib; returns the axes."""
        if ax is None:
            try:
                import matplotlib.pyplot as plt
            except ImportError as error:
                raise ImportError('plot() needs matplotlib: pip install "sinew-sim[plot]"') from error
            ax = plt.subplots(figsize=(7, 4), layout="constrained")[1]
        trace, time = self.trace, self.trace["time"]
        ax.plot(time, trace["kinetic"], label="kinetic", linewidth=1)
        for potential in self.model.potentials:
            ax.plot(time, trace[potential], label=potential, linewidth=1)
        ax.plot(time, trace["total"], label="total", color="black", linewidth=1.6)
        ax.plot(time, trace["target"], label="allowed", color="black", linewidth=1, linestyle=":")
        ax.set(xlabel="time (s)", ylabel="energy (J)", title=self.name)
        ax.legend(loc="best", fontsize="small")
        return ax

    def to_gif(
        self, path: str | os.PathLike[str], *, width: int | None = None, height: int | None = None
    ) -> Path:
        """Draws the recorded frames into a GIF, by default in the scene's size (pixels)."""
        if len(self.times) == 0:
            raise SceneError("nothing was recorded (every=0), so that nothing can be drawn")
        self._run.write_gif(os.fspath(path), width=width, height=height)
        return Path(path)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """A page that replays the recorded frames, complete in itself; also written to `path`, if given."""
        if len(self.times) == 0:
            raise SceneError("nothing was recorded (every=0), so that nothing can be replayed")
        page = self._once_html()
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def _once_html(self) -> str:
        if "html" not in self._cache:
            self._cache["html"] = self._run.html()
        return self._cache["html"]

    def _repr_html_(self) -> str | None:
        if len(self.times) == 0:
            return None
        page = _html.escape(self.to_html(), quote=True)
        style = "width:100%;max-width:860px;height:480px;border:1px solid #ccc;border-radius:6px"
        return f'<iframe srcdoc="{page}" style="{style}" sandbox="allow-scripts"></iframe>'

    def __repr__(self) -> str:
        report = self.report
        drift = report["energy"]["drift"]
        return f"<sinew.Result {self.name}: {report['frames']} frames of {report['h']:.4g} s, drift {drift:.2g}>"


__all__ = ["Result", "SceneLike", "find", "run"]
