"""Runs scenes with every format, and reads what was written by programs that are not ours: `written.py SINEW FOLDER`."""

import csv
import math
import struct
import subprocess
import sys
from pathlib import Path

import meshio
import numpy as np
import pygltflib
import trimesh
from pxr import Usd, UsdGeom

FORMATS = ["obj", "ply", "gltf", "pc2", "mdd", "usda", "vtu", "npz"]


def ball(path, rows, columns, radius):
    """A closed surface of rows × columns + 2 vertices."""
    points = [(0, radius, 0)]
    for i in range(rows):
        tilt = math.pi * (i + 1) / (rows + 1)
        for k in range(columns):
            turn = 2 * math.pi * k / columns
            points.append((radius * math.sin(tilt) * math.sin(turn), radius * math.cos(tilt), radius * math.sin(tilt) * math.cos(turn)))
    points.append((0, -radius, 0))
    at = lambda i, k: 1 + i * columns + k % columns
    faces = [(0, at(0, k), at(0, k + 1)) for k in range(columns)]
    for i in range(rows - 1):
        for k in range(columns):
            faces += [(at(i, k), at(i + 1, k), at(i + 1, k + 1)), (at(i, k), at(i + 1, k + 1), at(i, k + 1))]
    faces += [(at(rows - 1, k), len(points) - 1, at(rows - 1, k + 1)) for k in range(columns)]
    with open(path, "w") as out:
        out.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points)
        out.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)
    return np.array(points), np.array(faces)


CARRIED = """
name = "carried"
h = 0.01
frames = 12
[material]
young = 20000
poisson = 0.4
density = 1000
[[body]]
name = "jelly ball"
mesh.box = { size = [1, 1, 1], cells = [12, 12, 12] }
surface = "fine.obj"
initial.velocity = [0, -1, 0]
initial.stretch = [1.1, 0.9, 1]
initial.spin = [0, 3, 1]
"""

MANY = """
name = "many"
h = 0.01
frames = 9
[material]
young = 20000
poisson = 0.4
density = 1000
stiffness = 100
[[body]]
name = "flesh"
mesh.box = { size = [0.4, 0.4, 0.4], cells = [3, 3, 3] }
initial.stretch = [1.2, 0.9, 1]
[[body]]
name = "cloth"
mesh.cloth = { size = [1, 1], cells = [8, 8] }
material.density = 0.2
initial.translate = [0, 1, 0]
pin = [{ select.indices = [0] }]
[[body]]
name = "rope"
mesh.inline = { points = [[2, 0, 0], [2.5, 0, 0], [3, 0.1, 0]], springs = [[0, 1], [1, 2]], masses = [1, 1, 1] }
pin = [{ select.indices = [0] }]
[[body]]
name = "stone"
rigid = true
mesh.ball = { radius = 0.2, cells = 4 }
initial.translate = [0, -2, 0]
initial.spin = [1, 2, 3]
"""


def run(sinew, folder, name, scene):
    path = folder / f"{name}.toml"
    path.write_text(scene.replace(f'name = "{name}"\n', "", 1))
    out = folder / name
    options = [option for form in FORMATS for option in ("--format", form)]
    subprocess.run([sinew, "run", path, "--out", out, "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    return out


def same(what, found, wanted, tolerance=0.0):
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"{what}: {found.shape} instead of {wanted.shape}"
    worst = np.abs(found.astype(float) - wanted).max(initial=0.0)
    assert worst <= tolerance, f"{what}: off by {worst}"
    print(f"  {what}: {'x'.join(map(str, found.shape))}, off by at most {worst:.1e}")


def pc2(path):
    data = path.read_bytes()
    magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    assert (magic, version, start, rate) == (b"POINTCACHE2\0", 1, 0, 1)
    return np.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)


def mdd(path):
    data = path.read_bytes()
    frames, points = struct.unpack_from(">ii", data)
    times = np.frombuffer(data, ">f4", count=frames, offset=8)
    return times, np.frombuffer(data, ">f4", offset=8 + 4 * frames).reshape(frames, points, 3)


def usda(path, prims):
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert abs(stage.GetTimeCodesPerSecond() - 100) < 1e-9
    frames = int(stage.GetEndTimeCode()) + 1
    parts, faces = [], []
    for prim in stage.GetDefaultPrim().GetChildren():
        points = prim.GetAttribute("points")
        assert points.GetNumTimeSamples() == frames
        parts.append(np.array([np.array(points.Get(code)) for code in range(frames)]))
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            faces.append(np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3))
    assert len(parts) == prims
    return np.concatenate(parts, axis=1), faces


def gltf(path):
    """Positions of all nodes at every keyframe, through the weights of the clip."""
    file = pygltflib.GLTF2().load(str(path))
    blob = file.binary_blob()

    def read(index):
        accessor = file.accessors[index]
        view = file.bufferViews[accessor.bufferView]
        columns = {"SCALAR": 1, "VEC3": 3}[accessor.type]
        kind = {5126: "<f4", 5125: "<u4"}[accessor.componentType]
        start = view.byteOffset + (accessor.byteOffset or 0)
        return np.frombuffer(blob, kind, count=accessor.count * columns, offset=start).reshape(-1, columns)

    clip = file.animations[0]
    weights_of = {channel.target.node: clip.samplers[channel.sampler] for channel in clip.channels}
    parts = []
    for number, node in enumerate(file.nodes):
        primitive = file.meshes[node.mesh].primitives[0]
        base = read(primitive.attributes.POSITION).astype(float)
        targets = np.array([read(target["POSITION"]) for target in primitive.targets]).astype(float)
        times = read(weights_of[number].input)[:, 0]
        weights = read(weights_of[number].output).reshape(len(times), len(targets))
        parts.append(base + np.tensordot(weights, targets, axes=1))
    return times, np.concatenate(parts, axis=1)


def compare(out, frames, bodies):
    arrays = np.load(out / "run.npz")
    final = np.array([[float(v) for v in row] for row in list(csv.reader(open(out / "final.csv")))[1:]])
    trace = list(csv.DictReader(open(out / "trace.csv")))
    same("npz, last frame and final.csv", np.hstack([arrays["positions"][-1], arrays["velocities"][-1]]), final)
    same("npz, times and trace.csv", arrays["time"], [float(row["time"]) for row in trace])
    assert len(arrays["positions"]) == frames + 1

    # Surfaces: the cache has the points that faces use, body by body.
    cache = pc2(out / "cache.pc2")
    times, other = mdd(out / "cache.mdd")
    same("mdd and pc2", other, cache)
    same("mdd, times", times, arrays["time"], 1e-7)
    usd, faces = usda(out / "animation.usda", bodies)
    same("usd and pc2", usd, cache)
    times, morphed = gltf(out / "animation.glb")
    same("gltf, times", times, arrays["time"], 1e-7)
    same("gltf and pc2", morphed, cache, 5e-7 * np.abs(cache).max())
    rest = trimesh.load(out / "cache.obj", process=False, maintain_order=True)
    assert len(rest.faces) == sum(map(len, faces))
    return arrays, trace, cache, rest, faces


def compare_volume(out, arrays, trace):
    for frame, row in enumerate(trace):
        mesh = meshio.read(out / f"vtu/frame_{frame:05}.vtu")
        assert (mesh.points == arrays["positions"][frame]).all()
        assert (mesh.point_data["velocity"] == arrays["velocities"][frame]).all()
        tets = next(cells.data for cells in mesh.cells if cells.type == "tetra")
        density = np.concatenate([d for c, d in zip(mesh.cells, mesh.cell_data["energy_density"]) if c.type == "tetra"])
        corners = arrays["points"][np.concatenate([c.data for c in mesh.cells if c.type == "tetra"])]
        volume = np.einsum("ti,ti->t", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), corners[:, 3] - corners[:, 0]) / 6
        energy, wanted = (density * volume).sum(), float(row["corotated"])
        assert abs(energy - wanted) <= 1e-9 * max(1.0, abs(wanted)), (frame, energy, wanted)
    assert len(tets) > 0
    print(f"  vtu: {len(trace)} frames, points and velocities to the bit, energy densities sum to {energy:.6g} J of {wanted:.6g} J")
    assert (out / "vtu.pvd").read_text().count("<DataSet") == len(trace)


def carried(sinew, folder):
    print("a fine surface on a coarse mesh")
    points, faces = ball(folder / "fine.obj", 100, 100, 0.55)
    out = run(sinew, folder, "carried", CARRIED)
    arrays, trace, cache, rest, usd_faces = compare(out, 12, 1)
    print(f"  {len(points)} vertices on {len(arrays['points'])}")
    same("rest shape and the file", rest.vertices, points, 1e-8)
    same("faces", usd_faces[0], faces)
    for frame in range(13):
        for form in ("obj", "ply"):
            mesh = meshio.read(out / f"{form}/frame_{frame:05}.{form}")
            assert np.abs(mesh.points - cache[frame]).max() < 1e-6
            assert (mesh.cells_dict["triangle"] == faces).all()
    print("  obj and ply: 13 frames, as the cache")
    compare_volume(out, arrays, trace)


def many(sinew, folder):
    print("several bodies")
    out = run(sinew, folder, "many", MANY)
    arrays, trace, cache, rest, usd_faces = compare(out, 9, 4)
    for frame in range(10):
        mesh = meshio.read(out / f"ply/frame_{frame:05}.ply")
        assert (mesh.points == arrays["positions"][frame]).all()
        assert (mesh.cells_dict["triangle"] == arrays["triangles"]).all()
    print("  ply: 10 frames, to the bit")
    # The points that faces use, and those of the rope, in their order.
    used = np.zeros(len(arrays["points"]), bool)
    used[arrays["triangles"]] = True
    used[arrays["body"] == 2] = True
    same("cache and npz", cache, arrays["positions"][:, used].astype("f4"))
    compare_volume(out, arrays, trace)


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    carried(sys.argv[1], folder)
    many(sys.argv[1], folder)
