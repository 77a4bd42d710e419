"""Newton: newton_driver.py BODY OUT SUBSTEPS

Springs become springs, tetrahedra its Neo-Hookean soft mesh, integrated semi-implicitly on the CPU; its kernels compile before the
clock starts. Its other solvers are no faster where they do not explode: XPBD on the cloth, VBD on both bodies.
"""

import sys

import newton
import warp

from sinew_body import Body, record, substeps

warp.config.quiet = True
body, out = Body(sys.argv[1]), sys.argv[2]
count = substeps(int(sys.argv[3]), body)

builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -body.gravity, 0.0))
# The default radius of 10 cm lets neighbours in the mesh collide.
builder.default_particle_radius = 1e-4
vectors = [warp.vec3(*p) for p in body.points]
if len(body.tetrahedra):
    mu, lam = body.lame
    builder.add_soft_mesh(
        pos=warp.vec3(0, 0, 0), rot=warp.quat_identity(), scale=1.0, vel=warp.vec3(0, 0, 0), vertices=vectors,
        indices=body.tetrahedra.ravel().tolist(), density=body.scalars["density"], k_mu=mu, k_lambda=lam, k_damp=0.0,
        add_surface_mesh_edges=False)
else:
    builder.add_particles(pos=[tuple(p) for p in body.points], vel=[(0, 0, 0)] * len(vectors), mass=list(body.masses))
    for (a, b), k in zip(body.ends, body.stiffness):
        builder.add_spring(int(a), int(b), float(k), 0.0, 0.0)
for pin in body.pins:
    builder.particle_mass[int(pin)] = 0.0

with warp.ScopedDevice("cpu"):
    model = builder.finalize(device="cpu")
    solver = newton.solvers.SolverSemiImplicit(model, enable_tri_contact=False)
    # Nothing touches anything here, so it need not look for contacts.
    model.particle_grid = None
    model.particle_max_radius = 0.0
    now, then, control = model.state(), model.state(), model.control()

    # The first step compiles: it is made on a state that is thrown away.
    trial = [model.state(), model.state()]
    trial[0].clear_forces()
    solver.step(trial[0], trial[1], control, None, body.h / count)

    def step():
        global now, then
        for _ in range(count):
            now.clear_forces()
            solver.step(now, then, control, None, body.h / count)
            now, then = then, now

    record(body, step, lambda: (now.particle_q.numpy(), now.particle_qd.numpy()), out)
