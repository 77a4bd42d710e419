"""The examples run; each ends with assertions of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SHORT = {"hello": ["--frames", "25"], "integrators": ["--frames", "120"]}


@pytest.mark.parametrize("name", sorted(file.stem for file in EXAMPLES.glob("*.py")))
def test_example(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), "--out", str(tmp_path), *SHORT.get(name, [])]
    subprocess.run(command, check=True, timeout=300)
    assert (tmp_path / f"{name}.png").stat().st_size > 5000
