"""Views: no copy, read-only, safe."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import numpy as np
import pytest

import sinew


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def test_views_are_the_memory_of_the_engine(make_cube: Callable[..., sinew.Model]) -> None:
    model = make_cube(cells=20)
    state = model.state()
    size = state.positions.nbytes
    assert size > 200_000
    import tracemalloc

    tracemalloc.start()
    views = [state.positions for _ in range(200)] + [state.velocities for _ in range(200)]
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    # NumPy reports its allocations: four hundred copies would be a hundred megabytes.
    assert used < size, "views copy"
    assert len({address(view) for view in views[:200]}) == 1 and len({address(view) for view in views[200:]}) == 1
    assert address(views[0]) != address(views[200])
    assert not views[0].flags.owndata and views[0].flags.c_contiguous


def test_resident_memory_does_not_grow_with_views(make_cube: Callable[..., sinew.Model]) -> None:
    resource = pytest.importorskip("resource")
    state = make_cube(cells=20).state()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    views = [state.positions for _ in range(2000)]
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 0.01 * len(views) * views[0].nbytes


def test_views_cannot_be_written(cube: sinew.Model) -> None:
    state = cube.state()
    view = state.positions
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 0
    with pytest.raises(ValueError):
        view.flags.writeable = True


def test_a_view_says_who_keeps_it_alive(cube: sinew.Model) -> None:
    assert repr(cube.state().positions.base) == "<sinew memory: positions at t = 0.0000 s, kept alive by its views>"


def test_a_view_outlives_its_state_simulator_and_model(make_cube: Callable[..., sinew.Model]) -> None:
    model = make_cube()
    state, simulator = model.state(), sinew.Simulator(model)
    simulator.run(state, 3)
    view = state.positions
    kept = view.copy()
    gone = weakref.ref(state)
    del model, state, simulator
    gc.collect()
    assert gone() is None
    junk = [np.full(kept.shape, 7.0) for _ in range(200)]
    np.testing.assert_array_equal(view, kept)
    assert junk[0][0, 0] == 7


def test_a_view_shows_its_moment_whatever_comes_later(cube: sinew.Model) -> None:
    state, simulator = cube.state(), sinew.Simulator(cube)
    views, copies = [], []
    for _ in range(20):
        views.append(state.positions)
        copies.append(state.positions.copy())
        simulator.step(state)
    state.edit(velocities=np.zeros((cube.vertex_count, 3)))
    for view, copy in zip(views, copies):
        np.testing.assert_array_equal(view, copy)
    assert (views[0] != views[-1]).any()


def test_held_views_change_no_bit(cube: sinew.Model) -> None:
    simulator = sinew.Simulator(cube)
    held, free = cube.state(), cube.state()
    views = []
    for _ in range(10):
        views.append((held.positions, held.velocities))
        simulator.step(held)
        simulator.step(free)
    assert held.hash == free.hash
