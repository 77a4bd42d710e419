"""Scenes and models that tests share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import sinew


def cube_arrays(cells: int = 2, edge: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """A cube of tetrahedra, six in each cell."""
    ticks = np.linspace(-edge / 2, edge / 2, cells + 1)
    points = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange((cells + 1) ** 3).reshape(cells + 1, cells + 1, cells + 1)
    tetrahedra = []
    for i, j, k in np.ndindex(cells, cells, cells):
        corner = {(a, b, c): number[i + a, j + b, k + c] for a in (0, 1) for b in (0, 1) for c in (0, 1)}
        # Along the six ways from corner 000 to corner 111.
        for first, second in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]:
            step = [0, 0, 0]
            way = [corner[0, 0, 0]]
            for axis in (first, second):
                step[axis] = 1
                way.append(corner[step[0], step[1], step[2]])
            way.append(corner[1, 1, 1])
            tetrahedra.append(way)
    found = np.array(tetrahedra)
    a, b, c, d = (points[found[:, corner]] for corner in range(4))
    turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    found[turned] = found[turned][:, [0, 2, 1, 3]]
    return points, found


def cube_model(cells: int = 2, *, young: float = 1e5, **options: object) -> sinew.Model:
    points, tetrahedra = cube_arrays(cells)
    body = sinew.Body("cube", points, tetrahedra=tetrahedra, young=young, poisson=0.3, density=1000.0)
    return sinew.Model([body], gravity=(0, -9.81, 0), **options)  # type: ignore[arg-type]


@pytest.fixture
def cube() -> sinew.Model:
    return cube_model()


@pytest.fixture
def make_cube() -> Callable[..., sinew.Model]:
    return cube_model
