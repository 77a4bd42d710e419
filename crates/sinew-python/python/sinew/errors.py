"""Exceptions: one class for each kind of failure, with the sentences of the `sinew` command."""


class SinewError(Exception):
    """Everything that Sinew raises on purpose."""


class SceneError(SinewError, ValueError):
    """A scene file, or a value that was set in it, is wrong; the sentence names the place."""


class ModelError(SinewError, ValueError):
    """Bodies, bones, joints or colliders are wrong."""


class SettingsError(SinewError, ValueError):
    """A choice of integrator, solver or correction cannot work."""


class ControlError(SinewError, ValueError):
    """A control refuses a value; it keeps the one it had."""


class StateError(SinewError, ValueError):
    """A state does not fit a model, or an edit is impossible; the state is as it was."""


class StepError(SinewError, RuntimeError):
    """A step could not be made; the state is that of the last successful one."""


class OutputError(SinewError, OSError):
    """A file could not be written."""


class ArrayError(SinewError, ValueError, TypeError):
    """An array has the wrong shape or dtype, or holds a number that is not finite."""


class BusyError(SinewError, RuntimeError):
    """Another thread is using this object at this moment."""


__all__ = [
    "SinewError",
    "SceneError",
    "ModelError",
    "SettingsError",
    "ControlError",
    "StateError",
    "StepError",
    "OutputError",
    "ArrayError",
    "BusyError",
]
