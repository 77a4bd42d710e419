"""A Ray cluster on the loopback of this machine, made by ``ray start``: a family of processes for each node, which can die like a machine."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

#: Starting a node takes seconds on an idle machine, and minutes on one with many other things to do.
PATIENCE = 600.0
#: How often a node is started before that is a failure.
ATTEMPTS = 3

#: Of nodes and drivers.
ENVIRONMENT = {
    # Ray's default depends on whether somebody has left a token in the home folder.
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_USAGE_STATS_ENABLED": "0",
    # A node that is gone is noticed after three seconds instead of fifteen.
    "RAY_health_check_period_ms": "600",
    # Other programs may fill this machine's memory; that is no reason to end workers.
    "RAY_memory_monitor_refresh_ms": "0",
}


class Node:
    """A node; `address` is that of the head, or None for the head itself, whose `port` it then is."""

    def __init__(self, folder: Path, host: str, port: int, *, head: bool, first_worker_port: int) -> None:
        self.said = folder / f"{host}.txt"
        command = [str(Path(sys.executable).parent / "ray"), "start", "--block", f"--node-ip-address={host}", "--num-cpus=1"]
        command += [f"--object-store-memory={80 << 20}", f"--min-worker-port={first_worker_port}", f"--max-worker-port={first_worker_port + 99}"]
        if head:
            command += ["--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder}"]
        else:
            command += [f"--address={HEAD}:{port}"]
        with self.said.open("w") as said:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, env=os.environ | ENVIRONMENT
            )

    def wait(self) -> None:
        """Until it is part of the cluster."""
        end = time.monotonic() + PATIENCE
        while "Ray runtime started" not in (text := self.said.read_text()):
            assert self.process.poll() is None, f"`ray start` ended with {self.process.returncode}: {text}"
            assert time.monotonic() < end, f"`ray start` takes too long: {text}"
            time.sleep(0.1)

    def kill(self) -> None:
        """All its processes at once, without a word."""
        family: list[psutil.Process] = []
        try:
            root = psutil.Process(self.process.pid)
            family = [*root.children(recursive=True), root]
        except psutil.NoSuchProcess:
            pass
        for process in family:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                pass
        self.process.wait()
        psutil.wait_procs(family, timeout=60)


#: The loopback, but not 127.0.0.1, which Ray replaces by the address of the machine.
HEAD = "127.0.0.2"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HEAD, 0))
        return probe.getsockname()[1]


class Cluster:
    """A head and some worker nodes, of one CPU each."""

    def __init__(self, workers: int) -> None:
        # Paths of sockets must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="ray-"))
        self.nodes: list[Node] = []
        try:
            port = free_port()
            self.address = f"{HEAD}:{port}"
            # One after the other: nodes that start at the same time take each other's sockets.
            for number in range(1 + workers):
                self._start(f"127.0.0.{2 + number}", port, head=number == 0)
        except BaseException:
            self.close()
            raise

    def _start(self, host: str, port: int, *, head: bool) -> None:
        for attempt in range(ATTEMPTS):
            node = Node(self.folder, host, port, head=head, first_worker_port=21_000 + 100 * len(self.nodes))
            try:
                node.wait()
                self.nodes.append(node)
                return
            except BaseException as error:
                node.kill()
                # `ray start` gives up by itself after half a minute, which a busy machine may need.
                if attempt + 1 == ATTEMPTS or not isinstance(error, AssertionError):
                    raise

    def close(self) -> None:
        while self.nodes:
            self.nodes.pop().kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
