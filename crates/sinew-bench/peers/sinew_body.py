"""What the Python drivers share: the body as Sinew exports it, and the frames as Sinew reads them back.

A driver builds its simulator from `Body`, then calls `record(body, step, state)`. Positions are in metres with y up; the energy of what
comes out is computed by Sinew, the same way for everybody.
"""

import math
import os
import sys
import time

import numpy as np


class Body:
    """The body file: `name count` heads a section, its rows follow."""

    def __init__(self, path):
        words = open(path).read().split()
        if words[:2] != ["sinew-body", "1"]:
            sys.exit(f"{path}: not a body file")
        at = 2
        self.scalars = {}
        width = {"vertices": 4, "pins": 1, "springs": 3, "triangles": 3, "tetrahedra": 4}
        while at < len(words):
            name = words[at]
            if name in width:
                count, columns = int(words[at + 1]), width[name]
                rows = np.array(words[at + 2 : at + 2 + count * columns], dtype=float).reshape(count, columns)
                setattr(self, name, rows)
                at += 2 + count * columns
            else:
                self.scalars[name] = float(words[at + 1])
                at += 2
        self.points, self.masses = self.vertices[:, :3].copy(), self.vertices[:, 3].copy()
        self.pins = self.pins.astype(np.int32).ravel()
        self.ends, self.stiffness = self.springs[:, :2].astype(np.int32), self.springs[:, 2].copy()
        self.triangles = self.triangles.astype(np.int32)
        self.tetrahedra = self.tetrahedra.astype(np.int32)
        self.h, self.gravity = self.scalars["h"], self.scalars["gravity"]
        self.young, self.poisson = self.scalars.get("young"), self.scalars.get("poisson")

    @property
    def free(self):
        return np.setdiff1d(np.arange(len(self.masses)), self.pins)

    @property
    def lame(self):
        """μ and λ."""
        e, nu = self.young, self.poisson
        return e / (2 * (1 + nu)), e * nu / ((1 + nu) * (1 - 2 * nu))

    @property
    def factor(self):
        """How much stiffer than the scene as it is shipped: explicit methods need √factor times as many substeps."""
        return self.scalars["factor"]


def substeps(base, body):
    return math.ceil(base * math.sqrt(body.factor))


def record(body, step, state, out):
    """Advances frame by frame, times `step()` alone, writes what `state()` returns: positions and velocities."""
    frames, budget = int(body.scalars["frames"]), float(os.environ.get("SINEW_PEERS_BUDGET", "120"))
    shots, times, begin = [], [], time.monotonic()
    for frame in range(frames + 1):
        x, v = state()
        shots.append(np.concatenate([np.asarray(x, np.float32).ravel(), np.asarray(v, np.float32).ravel()]))
        blown_up = not np.isfinite(shots[-1]).all() or np.abs(shots[-1]).max() > 1e6
        if frame == frames or blown_up or time.monotonic() - begin > budget:
            break
        start = time.perf_counter()
        step()
        times.append(1e3 * (time.perf_counter() - start))
    with open(out, "wb") as file:
        np.array([len(body.masses), len(times)], "<u4").tofile(file)
        np.array(times, "<f8").tofile(file)
        np.concatenate(shots).astype("<f4").tofile(file)
