"""Batches: the same numbers as one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from conftest import cube_arrays

import sinew


def test_a_batch_has_the_bits_of_its_runs(make_cube: Callable[..., sinew.Model]) -> None:
    model = make_cube()
    batch = sinew.Batch(model, 5, threads=2)
    assert batch.shape == (5, model.vertex_count, 3) == batch.positions.shape and len(batch) == 5
    x = batch.positions
    x += np.random.default_rng(1).normal(0, 0.003, x.shape)
    batch.edit(positions=x)
    batch.step(12)
    for run in range(5):
        state = model.state()
        state.edit(positions=x[run])
        sinew.Simulator(model, threads=1).run(state, 12)
        assert batch.hashes[run] == state.hash == batch.state(run).hash
        np.testing.assert_array_equal(batch.velocities[run], state.velocities)
    assert len(set(batch.hashes)) == 5
    np.testing.assert_allclose(batch.times, 12 * sinew.Simulator(model).h)
    assert batch.energies[0] == batch.state(0).ledger.energy


def test_masks_reset_and_edit_only_some(cube: sinew.Model) -> None:
    batch = sinew.Batch(cube, 4)
    start = batch.hashes[0]
    batch.step(3)
    moved = batch.hashes[0]
    batch.reset([True, False, False, True])
    assert batch.hashes == [start, moved, moved, start]
    v = np.ones(batch.shape)
    batch.edit(velocities=v, mask=np.array([False, True, False, False]))
    assert batch.hashes[2] == moved != batch.hashes[1]
    batch.set_state(-1, batch.state(1))
    assert batch.hashes[3] == batch.hashes[1]
    batch.reset()
    assert batch.hashes == [start] * 4
    with pytest.raises(sinew.ArrayError, match="True or False"):
        batch.reset([0, 1, 0, 1])
    with pytest.raises(sinew.ArrayError, match=r"mask must have the shape \(4,\), has \(3,\)"):
        batch.reset([True, False, True])
    with pytest.raises(IndexError, match="there is no run 4"):
        batch.state(4)


def test_an_edit_that_one_run_refuses_changes_none() -> None:
    points, tetrahedra = cube_arrays(1)
    model = sinew.Model([sinew.Body("held", points, tetrahedra=tetrahedra, young=1e4, pins=[0])])
    batch = sinew.Batch(model, 2)
    before = batch.hashes
    x = batch.positions
    x[1] += 1.0
    with pytest.raises(sinew.StateError, match="run 1"):
        batch.edit(positions=x)
    assert batch.hashes == before


def test_each_run_with_its_model_settings_and_controls(make_cube: Callable[..., sinew.Model]) -> None:
    models = [make_cube(young=young) for young in (1e4, 1e5)]
    batch = sinew.Batch(models, h=0.01, each=[{"integrator": "bdf2"}, {"h": 0.02}])
    batch.control(acceleration=[(1, 0, 0), (0, 0, 2)])
    batch.step(10)
    np.testing.assert_allclose(batch.times, [0.1, 0.2])
    drift = batch.velocities.mean(1)
    assert drift[0, 0] == pytest.approx(0.1, rel=1e-3) and drift[1, 2] == pytest.approx(0.4, rel=1e-3)
    with pytest.raises(sinew.ArrayError, match=r"acceleration must have the shape \(2, 3\)"):
        batch.control(acceleration=(1, 0, 0))
    with pytest.raises(sinew.ModelError, match="vertices"):
        sinew.Batch([make_cube(cells=1), make_cube(cells=2)])
    with pytest.raises(sinew.ModelError, match="needs n"):
        sinew.Batch(models[0])


def test_a_run_that_fails_says_so_and_lets_the_others_go_on(make_cube: Callable[..., sinew.Model]) -> None:
    batch = sinew.Batch(make_cube(), 3, integrator="forward-euler", correction="none", h=0.1)
    v = np.zeros(batch.shape)
    v[1] = np.random.default_rng(0).normal(0, 1e150, v[1].shape)
    try:
        batch.edit(velocities=v)
    except sinew.StateError:
        v[1] /= 1e10
        batch.edit(velocities=v)
    with pytest.raises(sinew.StepError, match="run 1: "):
        batch.step(40)
    failures = batch.failures
    assert failures[0] is None and failures[2] is None and failures[1]
    assert batch.times[0] == pytest.approx(4) and batch.times[1] < 4
    batch.step(1, strict=False)
    batch.reset([False, True, False])
    assert batch.failures == [None] * 3
