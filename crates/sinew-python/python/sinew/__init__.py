"""Sinew: real-time soft bodies that keep their energy and momentum.

>>> import sinew
>>> result = sinew.run("trampoline", frames=60)
>>> result.positions.shape
(61, 3721, 3)

All numbers are in SI units. docs/python.md is a tutorial.
"""

from sinew._sinew import (
    Batch,
    Body,
    Bone,
    Collider,
    Joint,
    Model,
    Scene,
    Simulator,
    State,
    __version__,
    scene_names as scenes,
)
from sinew.errors import (
    ArrayError,
    BusyError,
    ControlError,
    ModelError,
    OutputError,
    SceneError,
    SettingsError,
    SinewError,
    StateError,
    StepError,
)
from sinew.ledger import Ledger
from sinew.result import Result, run
from sinew.viewing import Viewer, view

__all__ = [
    "ArrayError",
    "Batch",
    "Body",
    "Bone",
    "BusyError",
    "Collider",
    "ControlError",
    "Joint",
    "Ledger",
    "Model",
    "ModelError",
    "OutputError",
    "Result",
    "Scene",
    "SceneError",
    "SettingsError",
    "Simulator",
    "SinewError",
    "State",
    "StateError",
    "StepError",
    "Viewer",
    "__version__",
    "run",
    "scenes",
    "view",
]
