"""fTetWild by its wheel: pytetwild_driver.py SURFACE.off EDGE OUT.npz, with its defaults and all cores."""

import sys
import time

import numpy as np
import pytetwild


def read_off(path):
    numbers = open(path).read().split()[1:]
    vertices, faces = int(numbers[0]), int(numbers[1])
    end = 3 + 3 * vertices
    points = np.array(numbers[3:end], dtype=float).reshape(vertices, 3)
    triangles = np.array(numbers[end : end + 4 * faces], dtype=np.int32).reshape(faces, 4)[:, 1:]
    return points, np.ascontiguousarray(triangles)


surface, edge, out = sys.argv[1:]
points, triangles = read_off(surface)
begin = time.perf_counter()
vertices, tets = pytetwild.tetrahedralize(points, triangles, edge_length_abs=float(edge), vtk_ordering=True)
print(f"sinew-seconds: {time.perf_counter() - begin}", flush=True)
np.savez(out, points=vertices.astype(np.float64), tets=tets.astype(np.int64))
