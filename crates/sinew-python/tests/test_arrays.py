"""Arrays in every layout and precision, and those that are refused."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import cube_arrays

import sinew

POINTS, TETRAHEDRA = cube_arrays(1)


def hash_of(points: object, tetrahedra: object = TETRAHEDRA) -> str:
    body = sinew.Body("cube", points, tetrahedra=tetrahedra, young=1e4)  # type: ignore[arg-type]
    return sinew.Model([body]).state().hash


# Eighths are exact in single precision, and 8 times them are whole numbers.
EIGHTHS = np.round(POINTS * 10) * 0.125
LAYOUTS = {
    "C order": EIGHTHS,
    "Fortran order": np.asfortranarray(EIGHTHS),
    "negative strides": EIGHTHS[::-1].copy()[::-1],
    "every second of another": np.repeat(EIGHTHS, 2, axis=0)[::2],
    "float32": EIGHTHS.astype(np.float32),
    "float16": EIGHTHS.astype(np.float16),
    "big-endian": EIGHTHS.astype(">f8"),
    "lists": EIGHTHS.tolist(),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_of_points_means_the_same(layout: str) -> None:
    assert hash_of(LAYOUTS[layout]) == hash_of(EIGHTHS)


def test_whole_numbers_are_coordinates_too() -> None:
    assert hash_of((EIGHTHS * 8).astype(int)) == hash_of(EIGHTHS * 8)



@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint16])
def test_every_whole_type_of_indices(dtype: type) -> None:
    assert hash_of(EIGHTHS, np.asfortranarray(TETRAHEDRA.astype(dtype))) == hash_of(EIGHTHS)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (POINTS[:, :2], r"vertices must have the shape \(n, 3\), has \(8, 2\)"),
        (POINTS.ravel(), r"vertices must have the shape \(n, 3\), has \(24,\)"),
        (POINTS[None], r"vertices must have the shape \(n, 3\), has \(1, 8, 3\)"),
        (1.0, r"vertices must have the shape \(n, 3\), has a single number"),
        (POINTS.astype(complex), "vertices must hold real numbers, has dtype complex128"),
        (np.array([["a", "b", "c"]]), "vertices must hold real numbers, has dtype <U1"),
        (POINTS.astype(bool), "vertices must hold real numbers, has dtype bool"),
        ([[1, 2, 3], [4, 5]], "vertices is no array"),
        (np.where(POINTS == POINTS[5], np.nan, POINTS), r"vertices\[\d, \d\] is NaN, which is not finite"),
        (np.where(np.arange(24).reshape(8, 3) == 7, np.inf, POINTS), r"vertices\[2, 1\] is inf"),
    ],
)
def test_points_that_are_refused(points: object, sentence: str) -> None:
    with pytest.raises(sinew.ArrayError, match=sentence) as caught:
        hash_of(points)
    assert isinstance(caught.value, (ValueError, TypeError)) and isinstance(caught.value, sinew.SinewError)


@pytest.mark.parametrize(
    ("tetrahedra", "sentence"),
    [
        (TETRAHEDRA.astype(float), "tetrahedra must hold whole numbers, has dtype float64"),
        (TETRAHEDRA[:, :3], r"tetrahedra must have the shape \(n, 4\), has \(6, 3\)"),
        (TETRAHEDRA - 1, "tetrahedra: entry 0 is -1, which is no vertex number"),
    ],
)
def test_elements_that_are_refused(tetrahedra: object, sentence: str) -> None:
    with pytest.raises(sinew.ArrayError, match=sentence):
        hash_of(POINTS, tetrahedra)


def test_elements_beyond_the_vertices() -> None:
    with pytest.raises(sinew.ModelError, match="`cube`"):
        hash_of(POINTS, TETRAHEDRA + 3)


def test_edits_are_checked_and_leave_the_state(cube: sinew.Model) -> None:
    state = cube.state()
    before, x = state.hash, state.positions
    bad = x.copy()
    bad[3, 1] = np.nan
    for wrong, sentence in [(bad, r"positions\[3, 1\] is NaN"), (x[:-1], rf"positions must have the shape \({len(x)}, 3\)"), (x.T, "shape")]:
        with pytest.raises(sinew.ArrayError, match=sentence):
            state.edit(positions=wrong)
    with pytest.raises(sinew.ArrayError, match=r"wind must have the shape \(3,\), has \(2,\)"):
        state.control(wind=(1, 2))
    with pytest.raises(sinew.ArrayError, match="no rotation"):
        sinew.Collider.box(size=(1, 1, 1), rotation=(0, 0, 0, 0))
    with pytest.raises(sinew.ArrayError, match=r"young must be one number or have the shape \(6,\), has \(5,\)"):
        sinew.Body("a", POINTS, tetrahedra=TETRAHEDRA, young=np.ones(5))
    assert state.hash == before
    state.edit(positions=np.asfortranarray(x.astype(np.float64)))
    np.testing.assert_array_equal(state.positions, x)
