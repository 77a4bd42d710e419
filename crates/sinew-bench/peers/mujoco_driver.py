"""MuJoCo: mujoco_driver.py BODY OUT SUBSTEPS INTEGRATOR

With the integrator `Euler`, which is semi-implicit, SUBSTEPS grows with the root of the stiffness; `discrete` is implicit.

A flex of triangles or tetrahedra with its own elasticity. It has no springs: the cloth's Young's modulus is the one whose
membrane stiffness is that of the structural springs, √2·k over the thickness for cells with one diagonal.
"""

import math
import sys

import mujoco
import numpy as np

from sinew_body import Body, record, substeps

body, out, count, integrator = Body(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
if integrator == "Euler":
    count = substeps(count, body)
THICKNESS = 1e-3
if len(body.tetrahedra):
    elements, dim = body.tetrahedra, 3
    elasticity = f'<elasticity young="{body.young:.9g}" poisson="{body.poisson:.9g}" damping="0"/>'
else:
    elements, dim = body.triangles, 2
    young = math.sqrt(2) * body.stiffness.max() / THICKNESS
    elasticity = f'<elasticity young="{young:.9g}" poisson="0.3" thickness="{THICKNESS}" damping="0" elastic2d="both"/>'
text = lambda array: " ".join(f"{value:.9g}" for value in np.asarray(array).ravel())
xml = f"""<mujoco>
  <option timestep="{body.h / count:.12g}" integrator="{integrator}" gravity="0 {-body.gravity:.9g} 0">
    <!-- A simulation that exploded would start anew as if nothing had happened. -->
    <flag contact="disable" autoreset="disable"/>
  </option>
  <size memory="2G"/>
  <worldbody>
    <flexcomp name="body" type="direct" dim="{dim}" mass="{body.masses.sum():.9g}" radius="0.002"
              point="{text(body.points)}" element="{text(elements)}">
      <pin id="{text(body.pins)}"/>
      {elasticity}
      <contact selfcollide="none"/>
      <edge equality="false"/>
    </flexcomp>
  </worldbody>
</mujoco>"""
model = mujoco.MjModel.from_xml_string(xml)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
free = body.free


def step():
    for _ in range(count):
        mujoco.mj_step(model, data)


def state():
    x = data.flexvert_xpos.reshape(-1, 3).copy()
    v = np.zeros_like(x)
    v[free] = data.qvel.reshape(-1, 3)
    return x, v


record(body, step, state, out)
if data.warning[mujoco.mjtWarning.mjWARN_INERTIA].number:
    print("sinew-note: warns that its solver does not converge")
