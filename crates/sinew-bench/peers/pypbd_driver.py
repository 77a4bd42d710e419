"""pyPBD: pypbd_driver.py BODY OUT SUBSTEPS ITERATIONS

Springs become XPBD distance constraints, tetrahedra XPBD finite elements (its solid method 3). Its gravity is fixed along −y.
"""

import sys

import numpy as np
import pypbd

from sinew_body import Body, record

body, out = Body(sys.argv[1]), sys.argv[2]
simulation = pypbd.Simulation.getCurrent()
simulation.initDefault()
model = simulation.getModel()
points = np.ascontiguousarray(body.points)
if len(body.tetrahedra):
    solid = model.addTetModel(points, body.tetrahedra.ravel(), testMesh=False)
    model.addSolidConstraints(solid, 3, body.young, body.poisson, body.young, False, False)
else:
    model.addTriangleModel(points, body.triangles.ravel(), testMesh=False)
    for (a, b), k in zip(body.ends, body.stiffness):
        model.addDistanceConstraint_XPBD(int(a), int(b), float(k))
particles = model.getParticles()
for i, mass in enumerate(body.masses):
    particles.setMass(i, float(mass))
for pin in body.pins:
    particles.setMass(int(pin), 0.0)
model.initConstraintGroups()
controller = simulation.getTimeStep()
controller.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, int(sys.argv[3]))
controller.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, int(sys.argv[4]))
pypbd.TimeManager.getCurrent().setTimeStepSize(body.h)


def state():
    x = np.array(particles.getVertices(), copy=True)
    return x, np.array([particles.getVelocity(i) for i in range(particles.size())])


record(body, lambda: controller.step(model), state, out)
