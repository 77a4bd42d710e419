"""Hello: run a scene, look at its energy, keep an animation and a page."""

import argparse
from pathlib import Path

import sinew

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("."), help="folder for the pictures")
parser.add_argument("--frames", type=int, default=120)
arguments = parser.parse_args()
out = arguments.out

result = sinew.run("bunny-swing", frames=arguments.frames, progress=True)
print(result)
print("positions:", result.positions.shape, "— frames, vertices, x y z in metres")
print("energy at the start and at the end, J:", result.trace["total"][0], result.trace["total"][-1])
print("what the ledger allows at the end, J: ", result.trace["target"][-1])

result.to_gif(out / "hello.gif", width=320, height=240)
result.to_html(out / "hello.html")  # opens in any browser; in a notebook, `result` alone shows it
result.plot().figure.savefig(out / "hello.png", dpi=100)

assert result.positions.shape[0] == arguments.frames + 1
assert abs(result.trace["total"][-1] - result.trace["target"][-1]) < 0.01 * abs(result.trace["kinetic"]).max()
