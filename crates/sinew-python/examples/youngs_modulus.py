"""Young's modulus of a beam from a recorded motion of its tip."""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares

import sinew

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("."), help="folder for the picture")
out = parser.parse_args().out

LENGTH, SIDE, CELLS = 0.4, 0.05, 12  # m, m
FRAMES, H = 60, 1 / 60  # s


def beam() -> tuple[np.ndarray, np.ndarray]:
    """A bar along x of cubes, each cut into five tetrahedra that match their neighbours'."""
    x, side = np.linspace(0, LENGTH, CELLS + 1), np.linspace(-SIDE / 2, SIDE / 2, 3)
    points = np.stack(np.meshgrid(x, side, side, indexing="ij"), -1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(CELLS + 1, 3, 3)
    tetrahedra = []
    for i, j, k in np.ndindex(CELLS, 2, 2):
        c = number[i : i + 2, j : j + 2, k : k + 2]
        if (i + j + k) % 2:
            c = c[::-1]
        corners = [(0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)]
        tetrahedra.append([c[corner] for corner in corners])
        for corner in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]:
            others = [other for other in corners if sum(a != b for a, b in zip(other, corner)) == 1]
            tetrahedra.append([c[corner], *(c[other] for other in others)])
    found = np.array(tetrahedra)
    a, b, c, d = (points[found[:, corner]] for corner in range(4))
    turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    found[turned] = found[turned][:, [0, 2, 1, 3]]
    return points, found


POINTS, TETRAHEDRA = beam()
HELD = np.flatnonzero(POINTS[:, 0] == 0)
TIP = np.flatnonzero(POINTS[:, 0] == LENGTH)


def tip_of(young: float) -> np.ndarray:
    """Height of the tip in every frame, (FRAMES,), m: the beam is let go and swings."""
    body = sinew.Body("beam", POINTS, tetrahedra=TETRAHEDRA, young=young, poisson=0.4, density=1000.0, pins=HELD)
    model = sinew.Model([body], gravity=(0, -9.81, 0))
    state, simulator = model.state(), sinew.Simulator(model, h=H, threads=1)
    heights = np.empty(FRAMES)
    for frame in range(FRAMES):
        simulator.step(state)
        heights[frame] = state.positions[TIP, 1].mean()
    return heights


# What a camera would have recorded: an unknown beam, with 0.5 mm of noise.
TRUTH = 3.2e5  # Pa
recorded = tip_of(TRUTH) + np.random.default_rng(7).normal(0, 5e-4, FRAMES)

# An oscillation that is out of phase has many best fits nearby: look at a few moduli first.
tried = np.geomspace(5e4, 2e6, 12)
start = min(tried, key=lambda young: np.sum((tip_of(young) - recorded) ** 2))
# The logarithm makes all moduli positive, and steps relative.
fit = least_squares(lambda log: tip_of(float(np.exp(log[0]))) - recorded, [np.log(start)], diff_step=1e-4)
young = float(np.exp(fit.x[0]))
print(f"fitted {young:.4g} Pa, true {TRUTH:.4g} Pa: {100 * abs(young / TRUTH - 1):.2f} % off, after {fit.nfev} + {len(tried)} evaluations")

time = H * np.arange(1, FRAMES + 1)
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(time, 1000 * recorded, ".", label="recorded", color="black")
axes.plot(time, 1000 * tip_of(float(start)), label=f"start, {start:.3g} Pa", linestyle="--")
axes.plot(time, 1000 * tip_of(young), label=f"fitted, {young:.4g} Pa")
axes.set(xlabel="time (s)", ylabel="height of the tip (mm)", title="A beam that is let go")
axes.legend()
figure.savefig(out / "youngs_modulus.png", dpi=100)

assert abs(young / TRUTH - 1) < 0.02
