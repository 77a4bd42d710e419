"""The compiled part of the package. Units are SI; N is the number of vertices, n that of runs, F that of frames, A that of attachments."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self


from sinew.ledger import Ledger

__version__: str

_Path = str | os.PathLike[str]
_Reals = NDArray[np.float64]
_Indices = NDArray[np.uint32]
_Friction = float | tuple[float, float]

class BodyInfo(TypedDict):
    name: str
    start: int
    stop: int
    rigid: bool
    tetrahedra: _Indices
    surface: _Indices
    springs: _Indices

class Momenta(TypedDict):
    linear: _Reals
    angular: _Reals
    center: _Reals
    mass: float

class StepReport(TypedDict):
    iterations: int
    residual: float
    at_limit: bool
    correction_iterations: int
    fallbacks: int
    contacts: int
    rounds: int
    unclosed: float
    held_back: float

def scene_names() -> list[str]:
    """Names of the built-in scenes."""

@final
class Scene:
    """A scene: bodies, colliders, what moves, and how to simulate it."""

    @staticmethod
    def load(path: _Path) -> Scene:
        """Reads a scene file; relative paths in it start at its folder."""
    @staticmethod
    def parse(text: str, *, name: str = "scene", folder: _Path | None = None) -> Scene:
        """Parses the text of a scene; relative paths in it start at `folder`."""
    @staticmethod
    def builtin(name: str) -> Scene:
        """A scene that comes with Sinew; `sinew.scenes()` lists them."""
    def set(self, key: str, value: Any) -> Self:
        """Sets a value by its dotted key, as ``--set`` of the command does: ``set("solver.iterations", 30)``. Returns the scene."""
    def copy(self) -> Scene:
        """A copy, whose values can be set on their own."""
    def model(self, *, grabs: bool = False, threads: int | None = None) -> Model:
        """Reads meshes and checks everything. With `grabs`, vertices can be grabbed while it runs."""
    @property
    def name(self) -> str: ...
    @property
    def frames(self) -> int:
        """Number of frames that it is meant to run."""
    @property
    def text(self) -> str:
        """Its text, without the values that were set."""
    @property
    def path(self) -> Path | None:
        """The file that it was read from."""
    @property
    def folder(self) -> Path:
        """The folder in which relative paths start."""
    @property
    def is_builtin(self) -> bool: ...
    @property
    def overrides(self) -> list[str]:
        """The values that were set, KEY=VALUE."""
    def to_dict(self) -> dict[str, Any]:
        """The whole scene, with all values that were left out."""
    def to_toml(self) -> str:
        """The scene with the values that were set, as the text of a file."""

@final
class Bone:
    """Vertices of a body (its own numbers) that move rigidly; a kinematic bone follows `State.move_bone`."""

    def __new__(cls, name: str, vertices: ArrayLike, *, kinematic: bool = False) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def vertices(self) -> list[int]: ...
    @property
    def kinematic(self) -> bool: ...

@final
class Body:
    """A body made of arrays. Vertex numbers are its own, from 0.

    Args:
        vertices: rest positions, (N, 3), m.
        tetrahedra: (T, 4), positively oriented; `young` (Pa), `poisson` and `density` (kg/m³) are one number or one for each.
        law: "corotated", "arap", "stvk" or "neo-hookean".
        springs: (S, 2); `spring_stiffness` (N/m) and `rest_lengths` (m) are one number or one for each.
        mass: of the whole body, or (N,) of its vertices, kg; in addition to that of the tetrahedra.
        surface: triangles (F, 3) to draw and to collide with; by default the boundary of the tetrahedra.
        positions, velocities: at time 0, (N, 3), m and m/s; by default at rest.
        pins: vertices that never move.
        attach: vertices held by springs of `attach_stiffness` (N/m) to `attach_targets`, (A, 3), m; by default where they are.
        bones: parts that move rigidly.
        rigid: the whole body is one bone; with `kinematic`, it follows `State.move_bone`.
        friction: a coefficient, or (sticking, sliding). restitution: 0 to 1.
    """

    def __new__(
        cls,
        name: str,
        vertices: ArrayLike,
        *,
        tetrahedra: ArrayLike | None = None,
        law: Literal["corotated", "arap", "stvk", "neo-hookean"] = "corotated",
        young: ArrayLike | None = None,
        poisson: ArrayLike | None = None,
        density: ArrayLike | None = None,
        springs: ArrayLike | None = None,
        spring_law: Literal["hookean", "squared"] = "hookean",
        spring_stiffness: ArrayLike | None = None,
        rest_lengths: ArrayLike | None = None,
        mass: ArrayLike | None = None,
        surface: ArrayLike | None = None,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        pins: ArrayLike | None = None,
        attach: ArrayLike | None = None,
        attach_stiffness: float = 1e4,
        attach_targets: ArrayLike | None = None,
        bones: Sequence[Bone] = ...,
        rigid: bool = False,
        kinematic: bool = False,
        friction: _Friction | None = None,
        restitution: float | None = None,
    ) -> Self: ...
    @staticmethod
    def sphere(
        name: str,
        center: ArrayLike,
        radius: float,
        *,
        density: float = 1000.0,
        velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None,
    ) -> Body:
        """A solid rigid sphere: radius in m, density in kg/m³, velocity in m/s, spin in rad/s."""
    @staticmethod
    def capsule(
        name: str,
        ends: ArrayLike,
        radius: float,
        *,
        density: float = 1000.0,
        velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None,
    ) -> Body:
        """A solid rigid capsule: everything within `radius` of the segment between two points, (2, 3), m."""
    def with_mass_properties(self, mass: float, center: ArrayLike, inertia: ArrayLike) -> Body:
        """The same body, rigid with this mass (kg), centre of mass (3,), m, and inertia (3, 3), kg·m²."""
    @property
    def name(self) -> str: ...
    @property
    def vertex_count(self) -> int: ...

@final
class Collider:
    """A solid that bodies collide with. Rotations are quaternions x, y, z, w."""

    @staticmethod
    def plane(
        name: str = "plane",
        *,
        point: ArrayLike | None = None,
        normal: ArrayLike | None = None,
        friction: _Friction | None = None,
        restitution: float | None = None,
    ) -> Collider:
        """Everything below a plane through `point` (m); `normal` points out of it, by default up (y)."""
    @staticmethod
    def sphere(
        name: str = "sphere",
        *,
        radius: float,
        position: ArrayLike | None = None,
        friction: _Friction | None = None,
        restitution: float | None = None,
    ) -> Collider:
        """A ball; m."""
    @staticmethod
    def box(
        name: str = "box",
        *,
        size: ArrayLike,
        position: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        friction: _Friction | None = None,
        restitution: float | None = None,
    ) -> Collider:
        """A box of this size (m along x, y, z) about its position."""
    @staticmethod
    def capsule(
        name: str = "capsule",
        *,
        length: float,
        radius: float,
        position: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        friction: _Friction | None = None,
        restitution: float | None = None,
    ) -> Collider:
        """A capsule along its own y axis: a segment of `length`, thickened by `radius`; m."""
    @staticmethod
    def torus(
        name: str = "torus",
        *,
        major: float,
        minor: float,
        position: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        friction: _Friction | None = None,
        restitution: float | None = None,
    ) -> Collider:
        """A torus about its own y axis; radii in m."""
    @staticmethod
    def mesh(
        name: str = "mesh",
        *,
        vertices: ArrayLike,
        triangles: ArrayLike,
        position: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        friction: _Friction | None = None,
        restitution: float | None = None,
    ) -> Collider:
        """A closed triangle mesh: (V, 3), m, and (F, 3)."""
    @property
    def name(self) -> str: ...

@final
class Joint:
    """A joint between two bones, by name; None is the world. Positions are initial ones, m; angles in rad."""

    @staticmethod
    def ball(
        name: str,
        between: tuple[str | None, str | None],
        position: ArrayLike,
        *,
        axis: ArrayLike | None = None,
        cone: float | None = None,
        twist: float | None = None,
    ) -> Joint:
        """Rotation about a point; `cone` and `twist` limit it about `axis`."""
    @staticmethod
    def hinge(
        name: str,
        between: tuple[str | None, str | None],
        position: ArrayLike,
        axis: ArrayLike,
        *,
        range: tuple[float, float] | None = None,
    ) -> Joint:
        """Rotation about an axis, between two angles if `range` is given."""
    @staticmethod
    def weld(name: str, between: tuple[str | None, str | None], position: ArrayLike) -> Joint:
        """No relative motion."""
    @property
    def name(self) -> str: ...

@final
class Model:
    """What does not change while a simulation runs: checked once, shared by states, simulators and batches.

    Args:
        gravity: (3,), m/s²; by default none.
        contact: True, or the keys of a scene's ``[contact]``: thickness, friction, restitution, bodies, own, start, verify. Colliders work without.
        air: density of the air, kg/m³, for `State.control(wind=…)`.
        grabs: vertices can be grabbed while it runs.
    """

    def __new__(
        cls,
        bodies: Sequence[Body],
        *,
        colliders: Sequence[Collider] = ...,
        joints: Sequence[Joint] = ...,
        gravity: ArrayLike | None = None,
        contact: bool | Mapping[str, Any] | None = None,
        air: float = 0.0,
        grabs: bool = False,
        name: str = "model",
    ) -> Self: ...
    def state(self) -> State:
        """The state at time 0."""
    @property
    def name(self) -> str: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def element_count(self) -> int:
        """Number of tetrahedra and springs."""
    @property
    def bone_count(self) -> int: ...
    @property
    def joint_count(self) -> int: ...
    @property
    def rest(self) -> _Reals:
        """Rest positions, (N, 3), m."""
    @property
    def masses(self) -> _Reals:
        """Masses of the vertices, (N,), kg."""
    @property
    def attached(self) -> _Indices:
        """Vertices with an attachment, (A,), in the order of their targets."""
    @property
    def potentials(self) -> list[str]:
        """Names of the potentials."""
    @property
    def colliders(self) -> list[str]:
        """Names of the colliders."""
    @property
    def bodies(self) -> list[BodyInfo]:
        """Each body with its range of vertices and its elements, in vertex numbers of the model."""
    @property
    def notices(self) -> list[str]:
        """Sentences about what was left out or changed while reading mesh files."""
    @property
    def settings(self) -> dict[str, Any]:
        """Settings of the scene, or the recommended ones."""

@final
class State:
    """What changes: positions, velocities, time, controls, history and ledger."""

    def __new__(cls, model: Model) -> Self: ...
    @property
    def positions(self) -> _Reals:
        """Positions, (N, 3), m: a read-only view of this moment.

        Nothing is copied. The view keeps its memory alive (its ``base``) and never changes; while one is held, the next
        step goes on with a copy of the state.
        """
    @property
    def velocities(self) -> _Reals:
        """Velocities that carry momentum, (N, 3), m/s: a read-only view, as `positions`. What is held reads 0."""
    @property
    def time(self) -> float:
        """Simulated time, s."""
    @property
    def steps(self) -> int: ...
    @property
    def hash(self) -> str:
        """16 hexadecimal digits that differ where any bit of the state differs."""
    @property
    def ledger(self) -> Ledger:
        """The energy account of this moment, J."""
    def momenta(self, body: int | None = None) -> Momenta:
        """Momentum (kg·m/s), angular momentum about the centre of mass (kg·m²/s), centre (m) and mass (kg) of a body or of all."""
    def strain_energy(self) -> _Reals:
        """Strain energy density at the vertices, (N,), J/m³."""
    def stress(self) -> _Reals:
        """Von Mises stress at the vertices, (N,), Pa."""
    def bone(self, bone: int) -> tuple[_Reals, _Reals]:
        """Where a bone is from its rest place: translation (3,), m, and quaternion x, y, z, w."""
    def edit(self, *, positions: ArrayLike | None = None, velocities: ArrayLike | None = None) -> None:
        """Sets positions (N, 3), m, and velocities (N, 3), m/s; the ledger books the change of energy as "edits"."""
    def control(
        self,
        *,
        targets: ArrayLike | None = None,
        wind: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
    ) -> None:
        """For the steps to come: targets of all attachments (A, 3), m; velocity of the air (3,), m/s; acceleration (3,), m/s²."""
    @property
    def targets(self) -> _Reals:
        """Targets of the attachments, (A, 3), m."""
    def move_collider(self, collider: int, *, position: ArrayLike, rotation: ArrayLike | None = None) -> None:
        """Moves a collider: it arrives there (m) at the end of the next step."""
    def move_bone(self, bone: int, *, position: ArrayLike, rotation: ArrayLike | None = None) -> None:
        """Moves a kinematic bone from its rest place: it arrives there (m) at the end of the next step."""
    def grab(self, vertex: int, target: ArrayLike, *, stiffness: float) -> int:
        """Pulls a vertex to a target (3,), m, by a spring (N/m). Returns the number of the grab."""
    def move_grab(self, grab: int, target: ArrayLike) -> None: ...
    def release(self, grab: int) -> None: ...
    def copy(self) -> State: ...
    def carry_over(self, model: Model) -> State:
        """The same motion in a model with other constants."""
    def to_bytes(self) -> bytes:
        """Everything that the next step depends on."""
    @staticmethod
    def from_bytes(model: Model, data: bytes) -> State: ...
    def save(self, path: _Path) -> None: ...
    @staticmethod
    def load(model: Model, path: _Path) -> State: ...

@final
class Simulator:
    """Advances states of one model with one choice of integrator, solver and correction.

    Settings have the names and values of a scene file: ``Simulator(model, h=1/120, integrator="bdf2", solver={"kind": "newton"})``. Those
    that are not given are the scene's, or the recommended ones. With ``motions=False``, nothing that the scene moves is moved.
    """

    def __new__(
        cls, model: Model, *, threads: int | None = None, motions: bool = True, **settings: Any
    ) -> Self: ...
    def step(self, state: State) -> StepReport:
        """Makes one step."""
    def run(self, state: State, steps: int) -> None:
        """Makes a number of steps. Ctrl-C stops between two of them."""
    def set(self, **settings: Any) -> None:
        """Changes settings; the others stay. A refusal leaves all as it was."""
    @property
    def settings(self) -> dict[str, Any]: ...
    @property
    def h(self) -> float:
        """Time step, s."""

@final
class Batch:
    """Many states, stepped side by side: of one model, or of one model each with equal numbers of vertices.

    Args:
        model: a model, or one for each run.
        n: number of runs.
        each: settings of each run, beside the common ones.
    """

    def __new__(
        cls,
        model: Model | Sequence[Model],
        n: int | None = None,
        *,
        each: Sequence[Mapping[str, Any]] | None = None,
        threads: int | None = None,
        motions: bool = True,
        **settings: Any,
    ) -> Self: ...
    def step(self, steps: int = 1, *, strict: bool = True) -> None:
        """Makes steps in every run that has not failed. If one has, raises a StepError at the end, unless `strict` is False."""
    @property
    def positions(self) -> _Reals:
        """(n, N, 3), m: a new array."""
    @property
    def velocities(self) -> _Reals:
        """(n, N, 3), m/s: a new array."""
    @property
    def times(self) -> _Reals:
        """(n,), s."""
    @property
    def energies(self) -> _Reals:
        """Kinetic energy plus potentials, (n,), J."""
    @property
    def hashes(self) -> list[str]: ...
    @property
    def failures(self) -> list[str | None]:
        """Why each run stopped, or None."""
    def reset(self, mask: ArrayLike | None = None) -> None:
        """Puts the runs of a mask, (n,) of bool, back to their starts; all without one."""
    def edit(
        self,
        *,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        mask: ArrayLike | None = None,
    ) -> None:
        """Sets positions and velocities, (n, N, 3), of the runs of a mask. All are changed, or none."""
    def control(
        self,
        *,
        targets: ArrayLike | None = None,
        wind: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
    ) -> None:
        """Controls of every run: targets (n, A, 3), m; wind (n, 3), m/s; acceleration (n, 3), m/s²."""
    def state(self, run: int) -> State:
        """A copy of a run's state."""
    def set_state(self, run: int, state: State) -> None: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...
    def __len__(self) -> int: ...

@final
class Run:
    """What `sinew.run` drives."""

    def __new__(
        cls,
        model: Model,
        *,
        frames: int | None = None,
        every: int = 1,
        velocities: bool = False,
        threads: int | None = None,
        out: str | None = None,
        formats: Sequence[str] = ...,
        settings: dict[str, Any] | None = None,
    ) -> Self: ...
    def advance(self, seconds: float) -> int: ...
    def finish(self) -> None: ...
    @property
    def frames(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def failure(self) -> str | None: ...
    @property
    def times(self) -> _Reals: ...
    @property
    def positions(self) -> _Reals: ...
    @property
    def velocities(self) -> _Reals | None: ...
    @property
    def trace(self) -> dict[str, _Reals]: ...
    @property
    def report(self) -> dict[str, Any]: ...
    def write_gif(self, path: str, *, width: int | None = None, height: int | None = None) -> None: ...
    def html(self) -> str: ...

class SweepPlan:
    @staticmethod
    def load(path: str) -> SweepPlan: ...
    @staticmethod
    def unpack(packed: bytes) -> SweepPlan: ...
    def pack(self) -> bytes: ...
    @property
    def title(self) -> str: ...
    @property
    def runs(self) -> int: ...
    @property
    def parts(self) -> int: ...
    @property
    def writes_more_than_rows(self) -> bool: ...
    def runs_of(self, part: int) -> tuple[int, int]: ...
    def missing(self, out: str) -> list[int]: ...
    def make(
        self, part: int, *, threads: int = 1, out: str | None = None, store: bool = False
    ) -> tuple[bytes | None, int, float]: ...
    def store(self, out: str, part: int, rows: bytes) -> None: ...
    def finish(self, out: str) -> tuple[int, int, tuple[int, str] | None, float] | None: ...
