"""What sweeps cost: the constants of docs/scale.md.

python measure_sweep.py [--sinew PATH]      PATH is the `sinew` program, for the throughput of Ray beside that of threads
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sinew._sinew import SweepPlan

ROWS = """
scene = "two-springs"
frames = 1
samples = 20000
part = 100
[[axis]]
key = "material.stiffness"
name = "stiffness"
random = {{ from = 5, to = 500, log = true }}
{more}
"""

#: Runs of at least two seconds.
LONG = """
scene = "spinning-cube"
frames = {frames}
samples = {samples}
part = 1
[[axis]]
key = "material.mu"
name = "mu"
random = {{ from = 5e4, to = 2e5, log = true }}
"""


def say(what: str, value: float, unit: str) -> None:
    print(f"{what:<58} {value:10.3f} {unit}", flush=True)


def tables(folder: Path) -> None:
    """Rows and parts on this machine's disk."""
    for name, more in [("all values", ""), ("six values", '[output]\nreport = ["energy.initial", "energy.final", "energy.drift", "exploded", "frames", "state_hash"]')]:
        path = folder / "rows.toml"
        path.write_text(ROWS.format(more=more))
        plan, out = SweepPlan.load(str(path)), folder / name
        begin = time.perf_counter()
        seconds = sum(plan.make(part, out=str(out), store=True)[2] for part in plan.missing(str(out)))
        whole = time.perf_counter() - begin
        say(f"{name}: a run of one step of the smallest scene", 1e3 * seconds / plan.runs, "ms")
        say(f"{name}: storing a part of 100 runs", 1e3 * (whole - seconds) / plan.parts, "ms")
        begin = time.perf_counter()
        plan.finish(str(out))
        say(f"{name}: the merge", 1e6 * (time.perf_counter() - begin) / plan.runs, "us a row")
        say(f"{name}: the table", (out / "rows.parquet").stat().st_size / plan.runs, "bytes a row")
        packed = plan.pack()
        begin = time.perf_counter()
        SweepPlan.unpack(packed)
        say(f"{name}: reading the plan, at a worker", 1e3 * (time.perf_counter() - begin), "ms")
        begin = time.perf_counter()
        plan.missing(str(out))
        say(f"{name}: listing the parts", 1e6 * (time.perf_counter() - begin) / plan.parts, "us a part")


def tasks() -> None:
    """What Ray's driver does for a task that does nothing."""
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        packed = ray.put(b"x" * 5000)

        @ray.remote(num_cpus=1, max_retries=4)
        def nothing(packed: bytes, parts: list[int]) -> list[tuple[int, bytes]]:
            return [(part, b"x" * 5000) for part in parts]

        ray.get([nothing.remote(packed, [1]) for _ in range(20)])
        for waiting in [4, 100, 1000]:
            count, pending, done = 2000, [], 0
            begin, busy = time.perf_counter(), time.process_time()
            sent = 0
            while done < count:
                while sent < count and len(pending) < waiting:
                    pending.append(nothing.remote(packed, [sent]))
                    sent += 1
                ready, pending = ray.wait(pending, num_returns=len(pending), timeout=0.1)
                done += len(ray.get(ready))
            say(f"a task of Ray with {waiting} under way, two cores", 1e3 * (time.perf_counter() - begin) / count, "ms")
            say("    of it computing time of the driver", 1e3 * (time.process_time() - busy) / count, "ms")
    finally:
        ray.shutdown()


def throughput(sinew: str, folder: Path, cores: int, frames: int, samples: int, turns: int) -> None:
    """Ray beside threads, on the same cores, in turn."""
    path = folder / "long.toml"
    path.write_text(LONG.format(frames=frames, samples=samples))
    environment = dict(os.environ, SINEW_PYTHON=sys.executable)
    times: dict[str, list[float]] = {"here": [], "ray": []}
    for turn in range(turns):
        for where in times:
            out = folder / f"{where}-{turn}"
            begin = time.perf_counter()
            command = [sinew, "sweep", str(path), "--out", str(out), "--quiet", "--on", where, "--threads", str(cores)]
            subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
            times[where].append(time.perf_counter() - begin)
    same = {(folder / f"{where}-0" / "rows.parquet").read_bytes() for where in times}
    mean = {where: sum(list_) / len(list_) for where, list_ in times.items()}
    costs = (folder / "here-0" / "costs.csv").read_text().splitlines()[1:]
    say("a run, mean", sum(float(line.split(",")[1]) for line in costs) / len(costs), "s")
    say(f"{samples} runs by {cores} threads", mean["here"], "s")
    say(f"{samples} runs by Ray with {cores} CPUs, with its start and end", mean["ray"], "s")
    say("throughput of Ray over that of threads", mean["here"] / mean["ray"], "")
    print("the same bits" if len(same) == 1 else "DIFFERENT ROWS")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinew", help="the sinew program")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--frames", type=int, default=1500)
    parser.add_argument("--samples", type=int, default=40)
    parser.add_argument("--turns", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tables(Path(folder))
        tasks()
        if given.sinew:
            throughput(given.sinew, Path(folder), given.cores, given.frames, given.samples, given.turns)


if __name__ == "__main__":
    main()
