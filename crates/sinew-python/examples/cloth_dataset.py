"""A dataset for learning: how a hanging cloth moves in winds that differ."""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sinew

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("."), help="folder for the dataset and the picture")
parser.add_argument("--runs", type=int, default=16)
parser.add_argument("--frames", type=int, default=60)
arguments = parser.parse_args()
RUNS, FRAMES = arguments.runs, arguments.frames

# A square of 1 m with springs along its edges and diagonals, held at its upper corners.
SIDE = 13
u, v = np.meshgrid(np.linspace(0, 1, SIDE), np.linspace(0, 1, SIDE), indexing="ij")
points = np.stack([u, -v, 0 * u], -1).reshape(-1, 3)
number = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
pairs = [(number[:-1], number[1:]), (number[:, :-1], number[:, 1:])]
pairs += [(number[:-1, :-1], number[1:, 1:]), (number[1:, :-1], number[:-1, 1:])]
springs = np.concatenate([np.column_stack([a.ravel(), b.ravel()]) for a, b in pairs])
quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], -1).reshape(-1, 4)
triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
cloth = sinew.Body("cloth", points, springs=springs, spring_stiffness=800.0, mass=0.3, surface=triangles, pins=[0, number[-1, 0]])
model = sinew.Model([cloth], gravity=(0, -9.81, 0), air=1.2)

# A wind for each run; all runs go side by side on all cores.
random = np.random.default_rng(0)
wind = random.normal(0, 3, (RUNS, 3)) * (1, 0.2, 1)  # m/s
batch = sinew.Batch(model, RUNS, damping={"ether": 1.0})
batch.control(wind=wind)
positions = np.empty((FRAMES, *batch.shape), np.float32)
for frame in range(FRAMES):
    batch.step()
    positions[frame] = batch.positions

file = arguments.out / "cloth_dataset.npz"
np.savez_compressed(file, wind=wind, positions=positions.swapaxes(0, 1), triangles=triangles, h=sinew.Simulator(model).h)
print(f"{file}: {RUNS} runs of {FRAMES} frames of {model.vertex_count} vertices, {file.stat().st_size / 1e6:.2f} MB")

figure = plt.figure(figsize=(7, 4), layout="constrained")
for run in range(min(8, RUNS)):
    axes = figure.add_subplot(2, 4, run + 1, projection="3d")
    x, y, z = positions[-1, run].T
    axes.plot_trisurf(x, z, y, triangles=triangles, cmap="viridis", linewidth=0)  # type: ignore[attr-defined]
    axes.set(xlim=(0, 1), ylim=(-0.7, 0.7), zlim=(-1.1, 0.1), xticks=[], yticks=[], zticks=[])  # type: ignore[call-arg]
    axes.set_title(f"{np.linalg.norm(wind[run]):.1f} m/s", fontsize="small")
figure.savefig(arguments.out / "cloth_dataset.png", dpi=100)

with np.load(file) as written:
    assert written["positions"].shape == (RUNS, FRAMES, model.vertex_count, 3)
    assert np.isfinite(written["positions"]).all()
    # The stronger the wind across, the farther the cloth blows that way.
    blown = written["positions"][:, -1, :, 2].mean(1)
    assert np.corrcoef(blown, wind[:, 2])[0, 1] > 0.9
