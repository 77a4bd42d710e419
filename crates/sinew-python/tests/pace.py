"""Prints what Python costs: a step, a held view, a batch. `python tests/pace.py` on an idle machine; not part of the tests."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from conftest import cube_model

import sinew


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def step() -> None:
    """The same steps in one call, call by call, and call by call with views that are held; in turns."""
    model = sinew.Scene.builtin("trampoline").model()
    simulator = sinew.Simulator(model, threads=1)
    start = model.state()
    simulator.run(start, 20)
    steps, rounds = 40, 12
    times: dict[str, list[float]] = {"inside": [], "calls": [], "views": []}

    def calls(state: sinew.State) -> None:
        for _ in range(steps):
            simulator.step(state)

    def views(state: sinew.State) -> None:
        kept = []
        for _ in range(steps):
            kept.append(state.positions)
            simulator.step(state)

    ways: dict[str, Callable[[sinew.State], None]] = {
        "inside": lambda state: simulator.run(state, steps),
        "calls": calls,
        "views": views,
    }
    for _ in range(rounds):
        for name, way in ways.items():
            state = start.copy()
            simulator.step(state)  # goes on with a copy of its own
            times[name].append(1e3 * seconds(lambda: way(state)) / steps)
    inside = statistics.median(times["inside"])
    print(f"trampoline: {inside:.3f} ms a step in one call")
    for name, text in [("calls", "a call for each step"), ("views", "and a view of each step kept")]:
        ratios = [one / base for one, base in zip(times[name], times["inside"])]
        print(f"  {text}: {100 * (statistics.median(ratios) - 1):+.2f} %")
    state = start.copy()
    print(f"  a view: {1e6 * seconds(lambda: [state.positions for _ in range(10_000)]) / 10_000:.2f} µs")


def batch() -> None:
    """64 cubes side by side on two threads, and one after the other on one."""
    model, n, steps = cube_model(3), 64, 20
    ratios = []
    for _ in range(9):
        together = sinew.Batch(model, n, threads=2)
        together.step(2)
        alone = [(model.state(), sinew.Simulator(model, threads=1)) for _ in range(n)]
        for state, simulator in alone:
            simulator.run(state, 2)
        side_by_side = seconds(lambda: together.step(steps))
        in_turn = seconds(lambda: [simulator.run(state, steps) for state, simulator in alone])
        assert together.hashes == [state.hash for state, _ in alone]
        ratios.append(in_turn / side_by_side)
    print(f"batch of {n} cubes of {model.vertex_count} vertices on two threads: {statistics.median(ratios):.2f} times as fast")


if __name__ == "__main__":
    step()
    batch()
