"""Prints what Python costs: a step, a held view, a batch. `python tests/pace.py`, best on an idle machine; not part of the tests.

What is compared is measured in turns. Computing time (of all threads of this process) is meaningful on a busy machine, too.
With SINEW_PROGRAM, the steps are also compared with those of `sinew run`.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from conftest import cube_model

import sinew

STEPS, ROUNDS = 40, 12


class Cost(NamedTuple):
    """Seconds."""

    wall: float
    computing: float


def cost(work: Callable[[], object]) -> Cost:
    wall, computing = time.perf_counter(), time.process_time()
    work()
    return Cost(time.perf_counter() - wall, time.process_time() - computing)


def ratio(costs: list[Cost], base: list[Cost]) -> Cost:
    """Median of the ratios round by round."""
    return Cost(*(statistics.median(a[k] / b[k] for a, b in zip(costs, base)) for k in range(2)))


def step() -> None:
    """The same steps in one call, call by call, and call by call with views that are read and with views that are kept."""
    model = sinew.Scene.builtin("trampoline").model()
    simulator = sinew.Simulator(model, threads=1)
    start = model.state()
    simulator.run(start, 20)

    def calls(state: sinew.State) -> None:
        for _ in range(STEPS):
            simulator.step(state)

    def views(state: sinew.State) -> None:
        for _ in range(STEPS):
            simulator.step(state)
            state.positions[0, 1]

    def kept(state: sinew.State) -> None:
        held = []
        for _ in range(STEPS):
            held.append(state.positions)
            simulator.step(state)

    ways: dict[str, Callable[[sinew.State], None]] = {
        "in one call": lambda state: simulator.run(state, STEPS),
        "a call for each step": calls,
        "and a view read after each": views,
        "and a view of each kept, which makes copies": kept,
    }
    costs: dict[str, list[Cost]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            state = start.copy()
            simulator.step(state)
            costs[name].append(cost(lambda: way(state)))
    inside = costs["in one call"]
    print(f"trampoline, one thread: {1e3 * statistics.median(c.computing for c in inside) / STEPS:.3f} ms of computing time a step in one call")
    for name in list(ways)[1:]:
        found = ratio(costs[name], inside)
        print(f"  {name}: {100 * (found.computing - 1):+.2f} % computing time, {100 * (found.wall - 1):+.2f} % time")
    state = start.copy()
    print(f"  taking a view: {1e6 * cost(lambda: [state.positions for _ in range(10_000)]).computing / 10_000:.2f} µs")


def beside_the_program(program: str) -> None:
    """`sinew run` and the same run step by step in Python, each a process of its own: what a frame more costs."""
    def command(frames: int) -> list[str]:
        return [program, "run", "trampoline", "--threads", "1", "--quiet", "--frames", str(frames)]

    def computing(work: Callable[[], object]) -> float:
        before = os.times()
        work()
        now = os.times()
        return (now.children_user - before.children_user) + (now.children_system - before.children_system)

    few, many = 20, 220
    ratios, engine = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(5):
            def run(frames: int) -> None:
                subprocess.run([*command(frames), "--report", str(Path(folder) / "report.json")], check=True, stdout=subprocess.DEVNULL)

            there = computing(lambda: run(many)) - computing(lambda: run(few))
            simulator_model = sinew.Scene.builtin("trampoline").model()
            simulator, state = sinew.Simulator(simulator_model, threads=1), simulator_model.state()
            simulator.run(state, few)
            here = cost(lambda: [simulator.step(state) for _ in range(many - few)]).computing
            assert json.loads((Path(folder) / "report.json").read_text())["frames"] in (few, many)
            ratios.append(here / there)
            engine.append(there / (many - few))
    print(f"`sinew run trampoline`: {1e3 * statistics.median(engine):.3f} ms of computing time a frame, with its trace; a step from Python: {100 * (statistics.median(ratios) - 1):+.2f} %")


def batch() -> None:
    """64 cubes side by side on two threads, and one after the other on one."""
    model, n, steps = cube_model(3), 64, 200
    beside, after = [], []
    for _ in range(7):
        together = sinew.Batch(model, n, threads=2)
        together.step(2)
        alone = [(model.state(), sinew.Simulator(model, threads=1)) for _ in range(n)]
        for state, simulator in alone:
            simulator.run(state, 2)
        beside.append(cost(lambda: together.step(steps)))
        after.append(cost(lambda: [simulator.run(state, steps) for state, simulator in alone]))
        assert together.hashes == [state.hash for state, _ in alone]
    found = ratio(after, beside)
    best = min(c.wall for c in after) / min(c.wall for c in beside)
    print(
        f"batch of {n} cubes of {model.vertex_count} vertices on two threads: {found.wall:.2f} times as fast (median; {best:.2f} best against best), "
        f"with {1 / found.computing:.3f} of the computing time"
    )


if __name__ == "__main__":
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    step()
    if program := os.environ.get("SINEW_PROGRAM"):
        beside_the_program(program)
    batch()
