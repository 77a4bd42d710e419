"""Sweeps on a Ray cluster: ``python -m sinew.sweep SWEEP.toml --out DIR``, or ``sinew sweep SWEEP.toml --out DIR --on ray``.

The rows are the same bits as those of ``sinew sweep`` on one machine. The driver hands out tasks of whole parts, long enough to take about a minute,
and writes each part into the folder as it comes back. A worker that dies loses its task, which is made again elsewhere; a driver that is killed goes on
with the parts that are missing when it is started again. A run that fails is a row with its reason.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from sinew._sinew import SweepPlan

__all__ = ["Summary", "run", "main"]

#: Rows up to this size come back through Ray's object store; workers write larger ones themselves.
STORED = 100_000
#: How long a task is to take, s.
TASK = 60.0
#: How often Ray starts a task again after its worker or node died.
RETRIES = 4
#: How often a part that lost its workers all the same is tried alone.
ALONE = 2
#: Time between two lines of progress where there is no terminal, s.
LINES = 5.0


@dataclass(frozen=True)
class Summary:
    """A finished sweep in a few numbers."""

    #: Number of runs.
    runs: int
    #: Number of runs that failed.
    failed: int
    #: The first run that failed, and why.
    first: tuple[int, str] | None
    #: Computing time of all runs, s.
    seconds: float


class LostPart(RuntimeError):
    """A part whose workers died every time."""


_plans: dict[bytes, SweepPlan] = {}


def _make(packed: bytes, parts: list[int], out: str, per_run: int) -> list[tuple[int, bytes | None, int, float]]:
    """Makes parts on a worker."""
    plan = _plans.get(packed)
    if plan is None:
        _plans.clear()
        plan = _plans[packed] = SweepPlan.unpack(packed)
    # Without a shared folder, rows of any size go through the store; what is more than rows has no way.
    shared = os.path.exists(os.path.join(out, "manifest.json"))
    if plan.writes_more_than_rows and not shared:
        raise RuntimeError(
            f"{out}: this folder is not there on {os.uname().nodename}: traces and trajectories need a folder that all nodes share"
        )
    made, held = [], 0
    for part in parts:
        rows, failed, seconds = plan.make(part, threads=per_run, out=out if shared else None)
        if rows is not None and shared and held + len(rows) > STORED:
            plan.store(out, part, rows)
            rows = None
        held += len(rows or b"")
        made.append((part, rows, failed, seconds))
    return made


def _connect(ray: Any, address: str | None, threads: int | None) -> None:
    """Joins a cluster: the given one, that of this machine, or a new one."""
    quiet = {"log_to_driver": False, "logging_level": "error"}
    if address is not None:
        # A driver looks for its own node by the address of the machine, which a cluster on the loopback does not have.
        host = address.rsplit(":", 1)[0]
        here = {"_node_ip_address": host} if host.startswith("127.") else {}
        try:
            port = address.rsplit(":", 1)[-1]
            if "://" not in address and port.isdigit():
                # Where nobody answers, Ray ends the process.
                socket.create_connection((host, int(port)), timeout=30).close()
            ray.init(address=address, **here, **quiet)
        except Exception as error:
            # Ray's reasons have many classes, and some are whole pages.
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise RuntimeError(f"the cluster at {address} cannot be joined: {reason}") from error
        return
    try:
        ray.init(address="auto", **quiet)
    except ConnectionError:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(address="local", num_cpus=threads, include_dashboard=False, **quiet)


class _Progress:
    """Runs that are done, with the time left, on stderr."""

    def __init__(self, title: str, done: int, runs: int, quiet: bool) -> None:
        self.title, self.before, self.done, self.runs, self.failed = title, done, done, runs, 0
        self.quiet, self.begin, self.last = quiet, time.monotonic(), time.monotonic()
        self.bar = sys.stderr.isatty()

    def add(self, runs: int, failed: int) -> None:
        self.done += runs
        self.failed += failed
        now = time.monotonic()
        if self.quiet or now - self.last < (0.2 if self.bar else LINES):
            return
        self.last = now
        left = (now - self.begin) / max(self.done - self.before, 1) * (self.runs - self.done)
        remark = f", {self.failed} failed" if self.failed else ""
        line = f"{self.title}: run {self.done} of {self.runs}{remark}, {_span(left)} left"
        print(f"\r{line}\x1b[K" if self.bar else line, end="" if self.bar else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.bar and not self.quiet:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def run(
    sweep: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    address: str | None = None,
    threads: int | None = None,
    per_run: int = 1,
    task_seconds: float = TASK,
    progress: bool = True,
) -> Summary:
    """Makes the missing parts of a sweep on Ray, and the table when all are there.

    ``threads`` bounds the cores that are used in all, ``per_run`` is the number of threads of a run; tasks ask Ray for that many CPUs.
    ``task_seconds`` is how long a task is to take.

    Raises ``ValueError`` for a sweep that is wrong, with its line and key, and :class:`LostPart` for parts whose workers died every time.
    """
    plan = SweepPlan.load(os.fspath(sweep))
    folder = str(Path(out).absolute())
    missing = plan.missing(folder)
    if missing:
        import ray

        started = not ray.is_initialized()
        if started:
            _connect(ray, address, threads)
        try:
            _drive(ray, plan, folder, missing, (threads, per_run, task_seconds), progress)
        finally:
            if started:
                ray.shutdown()
    summary = plan.finish(folder)
    if summary is None:
        raise LostPart(f"{folder}: parts that were finished have disappeared")
    return Summary(*summary)


def _slots(ray: Any, threads: int | None, per_run: int) -> int:
    """How many runs fit onto the cluster at a time."""
    cores = int(ray.cluster_resources().get("CPU", 1))
    return max(1, min(cores, threads or cores) // per_run)


def _drive(
    ray: Any,
    plan: SweepPlan,
    folder: str,
    missing: list[int],
    choices: tuple[int | None, int, float],
    progress: bool,
) -> None:
    threads, per_run, task_seconds = choices
    packed = ray.put(plan.pack())
    task: Callable[..., Any] = ray.remote(num_cpus=per_run, max_retries=RETRIES)(_make).remote
    length = {part: end - first for part in missing for first, end in [plan.runs_of(part)]}
    shown = _Progress(plan.title, plan.runs - sum(length.values()), plan.runs, not progress)
    queue, pending = deque(missing), {}
    # Parts that lost their workers, and how often; they go alone then.
    alone: dict[int, int] = {}
    lost: list[str] = []
    made = seconds = 0.0
    slots, asked = _slots(ray, threads, per_run), time.monotonic()
    while queue or pending:
        if time.monotonic() - asked > 5.0:
            slots, asked = _slots(ray, threads, per_run), time.monotonic()
        # One more than there is room for, so that no core waits for the driver; with a bound on the cores, no more.
        room = slots if threads else slots + max(1, slots // 2)
        while queue and len(pending) < room:
            size = 1
            if made and queue[0] not in alone:
                # Smaller tasks towards the end, so that no core is left alone with a long one.
                size = max(1, min(int(task_seconds / max(seconds / made, 1e-6)), len(queue) // (2 * slots)))
            parts = [queue.popleft()]
            while len(parts) < size and queue and queue[0] not in alone:
                parts.append(queue.popleft())
            pending[task(packed, parts, folder, per_run)] = parts
        done, _ = ray.wait(list(pending), num_returns=len(pending), timeout=0.1)
        for reference in done:
            parts = pending.pop(reference)
            try:
                results = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                raise RuntimeError(str(error.cause)) from None
            except ray.exceptions.RayError as error:
                for part in parts:
                    alone[part] = alone.get(part, 0) + 1
                    if alone[part] <= ALONE:
                        queue.append(part)
                    else:
                        first, end = plan.runs_of(part)
                        lost.append(f"part {part} (runs {first} to {end - 1}): {type(error).__name__}")
                continue
            for part, rows, failed, took in results:
                if rows is not None:
                    plan.store(folder, part, rows)
                made, seconds = made + 1, seconds + took
                shown.add(length[part], failed)
    shown.end()
    if lost:
        raise LostPart("the workers of these parts died every time, perhaps for lack of memory; all others are done: " + "; ".join(lost))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sinew.sweep", description="Runs a sweep on a Ray cluster.")
    parser.add_argument("sweep", help="the sweep: a TOML file with a scene and its axes")
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder for the results; finished parts in it are not made again")
    parser.add_argument("--address", help="address of the cluster; by default the one of this machine, or a new one")
    parser.add_argument("--threads", type=int, help="cores to use in all; by default all of the cluster")
    parser.add_argument("--per-run", type=int, default=1, metavar="N", help="threads of each run; the result does not depend on it")
    parser.add_argument("--task", type=float, default=TASK, metavar="SECONDS", help="how long a task is to take")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """The command; gives its exit code."""
    given = _parser().parse_args(arguments)

    def complain(what: object) -> None:
        print(f"error: {what}", file=sys.stderr)

    if given.per_run < 1 or (given.threads is not None and given.threads < 1):
        complain("--threads and --per-run must be at least 1")
        return 2
    # A driver that is asked to end does so like one that is interrupted: its tasks end, its parts stay.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        summary = run(
            given.sweep,
            given.out,
            address=given.address,
            threads=given.threads,
            per_run=given.per_run,
            task_seconds=given.task,
            progress=not given.quiet,
        )
    except KeyboardInterrupt:
        complain("stopped; the same command goes on with the parts that are missing")
        return 130
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        complain('Ray is missing: pip install "sinew-sim[ray]"')
        return 2
    except ValueError as error:
        complain(error)
        return 2
    except (OSError, RuntimeError) as error:
        complain(error)
        return 1
    table = os.path.join(given.out, "rows.parquet")
    print(f"{summary.runs} runs, {summary.failed} failed, {summary.seconds:.1f} s of computing time: {table}")
    if summary.first is not None:
        number, why = summary.first
        if summary.failed == summary.runs:
            complain(f"every run failed; run {number}: {why}")
            return 1
        print(f"warning: run {number}, the first that failed: {why}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    # Workers import the module by its name.
    from sinew.sweep import main as named

    sys.exit(named())
