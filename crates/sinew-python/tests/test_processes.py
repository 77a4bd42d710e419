"""Threads, forks, Ctrl-C: same bits, and nothing hangs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import sinew

STEPS = 6


def hash_after(threads: int) -> str:
    scene = sinew.Scene.builtin("bar")
    model = scene.model(threads=threads)
    state = model.state()
    sinew.Simulator(model, threads=threads).run(state, STEPS)
    return state.hash


def into(queue: multiprocessing.SimpleQueue, threads: int) -> None:  # type: ignore[type-arg]
    queue.put(hash_after(threads))


@pytest.mark.parametrize("threads", [2, 3, None])
def test_same_bits_for_any_number_of_threads(threads: int | None) -> None:
    model = sinew.Scene.builtin("bar").model()
    state = model.state()
    sinew.Simulator(model, threads=threads).run(state, STEPS)
    assert state.hash == hash_after(1)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_other_processes_get_the_same_bits(method: str) -> None:
    # The pool of this process has started before.
    here = hash_after(2)
    context: Any = multiprocessing.get_context(method)
    queue = context.SimpleQueue()
    workers = [context.Process(target=into, args=(queue, threads)) for threads in (1, 2, 2)]
    for worker in workers:
        worker.start()
    deadline = time.monotonic() + 120
    for worker in workers:
        worker.join(max(0.0, deadline - time.monotonic()))
    hung = [worker for worker in workers if worker.is_alive()]
    for worker in hung:
        worker.kill()
    assert not hung, f"{method}: a worker hangs"
    assert [queue.get() for _ in workers] == [here] * len(workers)
    assert hash_after(2) == here, "the parent goes on"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_simulator_goes_on_in_a_forked_child() -> None:
    model = sinew.Scene.builtin("bar").model()
    state, simulator = model.state(), sinew.Simulator(model, threads=2)
    simulator.run(state, 3)
    child = os.fork()
    if child == 0:
        try:
            simulator.run(state, 3)
            os._exit(0 if state.hash == hash_after(2) else 1)
        finally:
            os._exit(2)
    deadline = time.monotonic() + 120
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.02)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(ended[1]) == 0
    simulator.run(state, 3)
    assert state.hash == hash_after(1)


ONE_THREAD = """
import os, sys, sinew
def threads():
    return len(os.listdir("/proc/self/task"))
before = threads()
scene = sinew.Scene.builtin("bar")
model = scene.model(threads=1)
sinew.Simulator(model, threads=1).run(model.state(), 2)
batch = sinew.Batch(model, 3, threads=1)
batch.step(2)
sinew.run(scene, frames=2, threads=1)
assert threads() == before, "threads=1 starts threads"
# A child has none of the parent's threads, and must not wait for them.
sinew.Batch(model, 3, threads=2).step(2)
child = os.fork()
if child == 0:
    batch.step(2)
    sinew.Batch(model, 3, threads=2).step(2)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux lists threads")
def test_one_thread_means_one_and_batches_work_after_a_fork() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", ONE_THREAD], check=True, timeout=120)


def test_threads_of_python_each_with_their_own(make_cube: Callable[..., sinew.Model]) -> None:
    model = make_cube(cells=4)
    found: dict[int, str] = {}

    def work(number: int) -> None:
        state = model.state()
        simulator = sinew.Simulator(model, threads=1 + number % 2)
        for _ in range(20):
            simulator.step(state)
        found[number] = state.hash

    workers = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert len(found) == 6 and len(set(found.values())) == 1


def test_a_step_lets_other_threads_of_python_run() -> None:
    model = sinew.Scene.builtin("bar").model()
    state, simulator = model.state(), sinew.Simulator(model, threads=1)
    count, stop = 0, threading.Event()

    def counting() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.001)

    counter = threading.Thread(target=counting)
    counter.start()
    begin = time.monotonic()
    # One call: without letting go, nobody else would run in it.
    simulator.run(state, 200)
    took, seen = time.monotonic() - begin, count
    stop.set()
    counter.join()
    assert seen > 5 or took < 0.02, f"{seen} turns in {took} s"


def test_two_threads_on_one_state_get_a_sentence_and_never_wrong_numbers() -> None:
    model = sinew.Scene.builtin("bar").model()
    state, simulator = model.state(), sinew.Simulator(model, threads=1)
    worker = threading.Thread(target=simulator.run, args=(state, 300))
    worker.start()
    sentences = set()
    while worker.is_alive():
        try:
            assert state.positions.shape == (model.vertex_count, 3)
        except sinew.BusyError as error:
            sentences.add(str(error))
    worker.join()
    assert sentences == {"another thread is using this state; give each thread a state of its own, or take turns with a lock"}
    alone = model.state()
    sinew.Simulator(model, threads=1).run(alone, 300)
    assert state.steps == 300 and alone.hash == state.hash


CTRL_C = """
import sys, sinew
model = sinew.Scene.builtin("bar").model()
state = model.state()
def steps():
    sinew.Simulator(model).run(state, 10**9)
def run():
    try:
        sinew.run("bar", frames=1_000_000, every=0)
    except KeyboardInterrupt as stop:
        assert stop.result.report["frames"] > 0, "what was done is there"
        raise
def batch():
    sinew.Batch(model, 3).step(10**9)
print("ready", flush=True)
try:
    {what}()
except KeyboardInterrupt:
    print("stopped", state.steps, state.hash, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("what", ["steps", "run", "batch"])
def test_ctrl_c_stops_between_two_steps(what: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", CTRL_C.format(what=what)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            pytest.fail("Ctrl-C does nothing")
        said = process.stdout.read().split()
    assert said[0] == "stopped"
    if what == "steps":
        model = sinew.Scene.builtin("bar").model()
        state = model.state()
        sinew.Simulator(model).run(state, int(said[1]))
        assert state.hash == said[2], "the state is that of a whole number of steps"
