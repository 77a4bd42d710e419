"""Scenes, models, states, simulators: what a user does first."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import cube_arrays

import sinew


def test_built_in_scenes_and_their_values() -> None:
    assert "trampoline" in sinew.scenes()
    scene = sinew.Scene.builtin("tetrahedron")
    assert scene.set("h", 0.01) is scene, "set returns the scene"
    assert scene.set("body.0.initial.spin", np.array([0.0, 1.0, 0.0])).overrides[-1].startswith("body.0.initial.spin=")
    assert scene.to_dict()["h"] == 0.01
    other = scene.copy().set("h", 0.02)
    assert (scene.to_dict()["h"], other.to_dict()["h"]) == (0.01, 0.02)
    assert sinew.Scene.parse(scene.to_toml()).to_dict() == scene.to_dict()


def test_refused_values_leave_the_scene_and_say_what_is_wrong() -> None:
    scene = sinew.Scene.builtin("tetrahedron")
    before = scene.to_dict()
    with pytest.raises(sinew.SceneError, match="^solver.iteration=3: unknown key `iteration` in .solver.; did you mean `iterations`"):
        scene.set("solver.iteration", 3)
    with pytest.raises(sinew.SceneError, match="has no meaning in a scene"):
        scene.set("h", object())
    assert scene.to_dict() == before
    with pytest.raises(sinew.SceneError, match="did you mean `trampoline`"):
        sinew.Scene.builtin("trampolin")
    with pytest.raises(ValueError, match="scene:1:"):
        sinew.Scene.parse("h = fast")
    with pytest.raises(sinew.SceneError, match="missing.toml"):
        sinew.Scene.load("missing.toml")


def test_a_file_is_read_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('frames = 3\n[[body]]\nmesh.file = "points.obj"\nmaterial.young = 1e4\n')
    with pytest.raises(sinew.SceneError, match="points.obj"):
        sinew.Scene.load(tmp_path / "own.toml").model()


def test_the_same_bits_as_the_command(tmp_path: Path) -> None:
    scene = sinew.Scene.builtin("tetrahedron")
    model = scene.model()
    state, simulator = model.state(), sinew.Simulator(model, threads=1)
    simulator.run(state, 20)
    result = sinew.run("tetrahedron", frames=20, threads=2, out=tmp_path, formats=["npz", "html"])
    assert result.report["state_hash"] == state.hash
    assert json.loads((tmp_path / "report.json").read_text())["state_hash"] == state.hash
    np.testing.assert_array_equal(result.positions[-1], state.positions)
    with np.load(tmp_path / "run.npz") as written:
        np.testing.assert_array_equal(written["positions"], result.positions)
    assert "<canvas" in (tmp_path / "replay.html").read_text(encoding="utf-8")


def test_a_stepped_state_is_saved_to_the_bit(cube: sinew.Model, tmp_path: Path) -> None:
    state, simulator = cube.state(), sinew.Simulator(cube)
    simulator.run(state, 5)
    state.save(tmp_path / "state.bin")
    again = sinew.State.load(cube, tmp_path / "state.bin")
    other = sinew.State.from_bytes(cube, state.to_bytes())
    assert again.hash == other.hash == state.hash
    for each in (state, again):
        simulator.run(each, 5)
    assert again.hash == state.hash
    (tmp_path / "bad.bin").write_bytes(b"nothing")
    with pytest.raises(sinew.StateError, match="bad.bin"):
        sinew.State.load(cube, tmp_path / "bad.bin")


def test_the_ledger_knows_edits_and_falls(make_cube: Callable[..., sinew.Model]) -> None:
    model = make_cube()
    state, simulator = model.state(), sinew.Simulator(model)
    mass = model.masses.sum()
    assert mass == pytest.approx(0.2**3 * 1000)
    state.edit(velocities=np.tile([3.0, 0.0, 0.0], (model.vertex_count, 1)))
    ledger = state.ledger
    assert ledger["edits"] == pytest.approx(0.5 * mass * 9)
    assert ledger.energy == pytest.approx(ledger.target)
    simulator.run(state, 30)
    # Free fall: what gravity gives, the bodies have.
    fallen = state.positions.mean(0) - model.rest.mean(0)
    assert state.ledger.energy == pytest.approx(ledger.energy, rel=1e-6)
    assert fallen[0] == pytest.approx(3 * state.time, rel=1e-6)
    assert state.momenta()["linear"][1] == pytest.approx(-mass * 9.81 * state.time, rel=1e-6)
    assert dict(ledger)["wind"] == 0 and len(ledger) == len(list(ledger))
    with pytest.raises(KeyError):
        ledger["magic"]


def test_velocities_that_are_scaled_are_an_edit_whatever_the_rule_left_at_pins() -> None:
    model = sinew.Scene.builtin("bar").model()
    state, simulator = model.state(), sinew.Simulator(model, integrator="bdf2")
    simulator.run(state, 20)
    kinetic = state.ledger.kinetic
    state.edit(velocities=1.1 * state.velocities)
    assert state.ledger["edits"] == pytest.approx(0.21 * kinetic)
    with pytest.raises(sinew.StateError, match="vertex 0 is pinned"):
        state.edit(velocities=state.velocities + 1e-6)


def test_settings_are_those_of_a_scene(cube: sinew.Model) -> None:
    simulator = sinew.Simulator(cube, h=1 / 100, integrator="bdf2", solver={"kind": "newton", "iterations": 4}, correction="none")
    assert simulator.h == 0.01 and simulator.settings["integrator"]["kind"] == "bdf2"
    simulator.set(**{"solver.iterations": 7})
    assert simulator.settings["solver"] == simulator.settings["solver"] | {"kind": "newton", "iterations": 7}
    before = simulator.settings
    with pytest.raises(sinew.SettingsError, match="leapfrog"):
        simulator.set(integrator="leapfrog")
    with pytest.raises(sinew.SettingsError, match="h=-1"):
        sinew.Simulator(cube, h=-1)
    with pytest.raises(sinew.SettingsError, match="threads"):
        sinew.Simulator(cube, threads=0)
    with pytest.raises(TypeError):
        sinew.Simulator(cube, 0.01)  # type: ignore[misc]
    assert simulator.settings == before


def test_bodies_bones_joints_and_colliders_of_arrays() -> None:
    points, tetrahedra = cube_arrays(2)
    top = np.flatnonzero(points[:, 1] > 0.09)
    soft = sinew.Body(
        "soft",
        points + [0, 0.5, 0],
        tetrahedra=tetrahedra,
        young=np.linspace(1e4, 2e4, len(tetrahedra)),
        density=800,
        bones=[sinew.Bone("plate", top, kinematic=True)],
        friction=0.4,
    )
    ball = sinew.Body.sphere("ball", (0, 0.25, 0), 0.05, velocity=(0, -1, 0))
    rod = sinew.Body.capsule("rod", [(1, 0.5, 0), (1.5, 0.5, 0)], 0.04)
    hinge = sinew.Joint.hinge("wall", ("rod", None), (1, 0.5, 0), (0, 0, 1))
    floor = sinew.Collider.plane(friction=0.5, restitution=0.3)
    box = sinew.Collider.box(size=(0.1, 0.1, 0.1), position=(0.3, 0.05, 0), rotation=(0, 0.38, 0, 0.92))
    model = sinew.Model([soft, ball, rod], joints=[hinge], colliders=[floor, box], gravity=(0, -9.81, 0), contact={"thickness": 0.002})
    assert (model.bone_count, model.joint_count, model.colliders) == (3, 1, ["plane", "box"])
    state, simulator = model.state(), sinew.Simulator(model)
    for _ in range(30):
        state.move_bone(0, position=(0.0, 0.002 * state.steps, 0.0))
        state.move_collider(1, position=(0.3, 0.05 + 0.001 * state.steps, 0))
        simulator.step(state)
    assert state.positions.min() > -0.2 and np.isfinite(state.positions).all()
    lifted = state.positions[top, 1] - points[top, 1] - 0.5
    np.testing.assert_allclose(lifted, 0.002 * 29, atol=1e-9)
    # The hinge holds its end of the rod, the other swings down.
    translation, rotation = state.bone(2)
    assert np.linalg.norm(rotation) == pytest.approx(1)
    rod_range = model.bodies[2]
    ends = state.positions[rod_range["start"] : rod_range["stop"]]
    np.testing.assert_allclose(ends[0], (1, 0.5, 0), atol=1e-9)
    assert ends[1, 1] < 0.4
    assert state.ledger["bones"] != 0


def test_a_net_with_pins_targets_wind_and_grabs() -> None:
    n = 6
    grid = np.stack(np.meshgrid(np.arange(n), np.arange(n), indexing="ij"), -1).reshape(-1, 2) * 0.1
    points = np.column_stack([grid[:, 0], np.zeros(n * n), grid[:, 1]])
    number = np.arange(n * n).reshape(n, n)
    springs = np.concatenate([np.column_stack([number[:-1].ravel(), number[1:].ravel()]), np.column_stack([number[:, :-1].ravel(), number[:, 1:].ravel()])])
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], -1).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    net = sinew.Body("net", points, springs=springs, spring_stiffness=500.0, mass=0.4, surface=triangles, pins=[0], attach=[n - 1])
    model = sinew.Model([net], gravity=(0, -9.81, 0), air=1.2, grabs=True)
    np.testing.assert_array_equal(model.attached, [n - 1])
    state, simulator = model.state(), sinew.Simulator(model)
    state.control(targets=state.targets + [0, 0.1, 0], wind=(0, 0, 4))
    grab = state.grab(n * n - 1, (0.8, 0.2, 0.5), stiffness=200.0)
    simulator.run(state, 40)
    np.testing.assert_array_equal(state.positions[0], points[0])
    assert state.positions[n - 1, 1] > 0.05
    assert state.ledger["wind"] != 0 and state.ledger["attachments"] != 0
    assert np.linalg.norm(state.positions[-1] - (0.8, 0.2, 0.5)) < 0.3
    state.move_grab(grab, (0.8, 0.0, 0.5))
    state.release(grab)
    simulator.step(state)
    with pytest.raises(sinew.ControlError):
        state.release(99)
    with pytest.raises(sinew.ControlError, match="collider"):
        state.move_collider(0, position=(0, 0, 0))
    with pytest.raises(sinew.StateError):
        state.edit(positions=state.positions + 1.0)  # the pin


def test_states_of_other_models_are_refused_and_can_be_carried_over(make_cube: Callable[..., sinew.Model]) -> None:
    soft, stiff = make_cube(young=1e4), make_cube(young=1e6)
    state = soft.state()
    sinew.Simulator(soft).run(state, 3)
    with pytest.raises(sinew.StateError, match="carry_over"):
        sinew.Simulator(stiff).step(state)
    moved = state.carry_over(stiff)
    sinew.Simulator(stiff).step(moved)
    assert moved.steps == 4


def test_what_can_be_pickled(cube: sinew.Model) -> None:
    scene = sinew.Scene.builtin("tetrahedron").set("h", 0.01)
    again = pickle.loads(pickle.dumps(scene))
    assert again.to_dict() == scene.to_dict()
    model = pickle.loads(pickle.dumps(scene.model()))
    assert model.vertex_count == 4
    with pytest.raises(TypeError, match="made of arrays"):
        pickle.dumps(cube)


def test_wrong_models_say_which_body_and_why() -> None:
    points, tetrahedra = cube_arrays(1)
    with pytest.raises(sinew.ModelError, match="young"):
        sinew.Body("a", points, tetrahedra=tetrahedra)
    with pytest.raises(sinew.ModelError, match="Poisson"):
        sinew.Body("a", points, tetrahedra=tetrahedra, young=1e4, poisson=0.5)
    with pytest.raises(sinew.ModelError, match="pins names vertex 99"):
        sinew.Body("a", points, tetrahedra=tetrahedra, young=1e4, pins=[99])
    with pytest.raises(sinew.ModelError, match="`a`"):
        sinew.Model([sinew.Body("a", points, tetrahedra=tetrahedra[:, [0, 2, 1, 3]], young=1e4)])
    with pytest.raises(sinew.ModelError, match="no bone `b`"):
        sinew.Model([sinew.Body.sphere("a", (0, 0, 0), 1)], joints=[sinew.Joint.weld("w", ("a", "b"), (0, 0, 0))])
    with pytest.raises(sinew.ModelError, match="contact has no `sticky`"):
        sinew.Model([sinew.Body.sphere("a", (0, 0, 0), 1)], contact={"sticky": 1})
    with pytest.raises(sinew.ModelError):
        sinew.Model([])
