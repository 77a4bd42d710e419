"""``sinew.view``: a scene in the browser, live."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import webbrowser
from pathlib import Path

from sinew._sinew import Model
from sinew.errors import SinewError
from sinew.result import SceneLike, find


class Viewer:
    """A running `sinew view`. It ends with `close()`, at the end of a ``with``, or with Python."""

    def __init__(self, process: subprocess.Popen[str], address: str, written: Path | None) -> None:
        self.address = address
        """The address of the page, with its secret."""
        self._process = process
        self._written = written
        atexit.register(self.close)

    def close(self) -> None:
        """Ends the server."""
        atexit.unregister(self.close)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._written is not None:
            self._written.unlink(missing_ok=True)

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "running" if self._process.poll() is None else "closed"
        return f"<sinew.Viewer {state}: {self.address}>"

    def _repr_html_(self) -> str:
        return f'<a href="{self.address}" target="_blank">{self.address}</a>'


def program() -> str:
    """The `sinew` program: ``SINEW_PROGRAM``, or the one on PATH."""
    named = os.environ.get("SINEW_PROGRAM")
    found = named if named and Path(named).is_file() else shutil.which("sinew")
    if found is None:
        raise SinewError(
            "view needs the `sinew` program: build it with `cargo xtask view` and put target/release on PATH, "
            "or name it in the environment variable SINEW_PROGRAM; "
            "sinew.run(…).to_html(path) writes a page that needs nothing"
        )
    return found


def view(scene: SceneLike, *, open_browser: bool = True, threads: int | None = None) -> Viewer:
    """Shows a scene in the browser, where bodies can be grabbed. Starts `sinew view` beside Python and returns at once."""
    found = find(scene)
    if isinstance(found, Model):
        raise SinewError("view shows scenes; a model made of arrays has no file that the page could open")
    command, written = [program(), "view"], None
    if found.overrides or not (found.is_builtin or found.path):
        # The page reads files: the scene with its values, where its relative paths start.
        beside = os.fspath(found.folder) or None
        handle, name = tempfile.mkstemp(prefix="sinew-view-", suffix=".toml", dir=beside, text=True)
        written = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(found.to_toml())
        command.append(name)
    else:
        command.append(found.name if found.is_builtin else os.fspath(found.path or ""))
    command.append("--no-open")
    if threads is not None:
        command += ["--threads", str(threads)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True)
        address = process.stdout.readline().strip() if process.stdout else ""
        viewer = Viewer(process, address, written)
        if not address:
            process.wait()
            viewer.close()
            complaints.seek(0)
            raise SinewError(complaints.read().strip() or "`sinew view` ended at once")
    if open_browser:
        webbrowser.open(address)
    return viewer


__all__ = ["Viewer", "view"]
