"""Five integrators on one swinging bar: who keeps the energy?"""

import argparse
from pathlib import Path

import matplotlib.pyplot as plt

import sinew

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("."), help="folder for the picture")
parser.add_argument("--frames", type=int, default=240)
arguments = parser.parse_args()

kept = {}
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for integrator in ["backward-euler", "bdf2", "sdirk2", "implicit-midpoint", "newmark"]:
    scene = sinew.Scene.builtin("bar").set("correction.kind", "none").set("integrator.kind", integrator)
    scene.set("solver.kind", "newton").set("h", "1/60")
    trace = sinew.run(scene, frames=arguments.frames, every=0).trace
    kinetic = trace["kinetic"].max()
    kept[integrator] = (trace["total"][-1] - trace["total"][0]) / kinetic
    axes.plot(trace["time"], trace["total"], label=integrator)
    print(f"{integrator:18} changes the energy by {100 * kept[integrator]:8.3f} % of the largest kinetic energy")
axes.set(xlabel="time (s)", ylabel="energy (J)", title="A swinging bar, without correction")
axes.legend()
figure.savefig(arguments.out / "integrators.png", dpi=100)

# Backward Euler loses most; the second order rules lose far less.
assert kept["backward-euler"] == min(kept.values()) and kept["backward-euler"] < -0.2
assert abs(kept["implicit-midpoint"]) < 0.1 * abs(kept["backward-euler"])
