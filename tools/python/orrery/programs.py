# SPDX-License-Identifier: Apache-2.0
"""What the `orrery` program does: runs scenes, answers for values; and the requests that steer a run."""
import fcntl
import itertools
import json
import math
import os
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from typing import Any

import numpy as np

from .attached import Attached, attach, connect, run_directory
from .errors import Error, NoSuchRun, NotInstalled, ProgramFailed, Refused
from .frame import Frame, Layout

_numbers = itertools.count(1)


def program(name: str = "orrery") -> str:
    """The path of a program: in the directory ORRERY_BIN, if that is set, else on PATH. Raises: NotInstalled."""
    path = shutil.which(name, path=os.environ.get("ORRERY_BIN") or None)
    if not path:
        raise NotInstalled(f"no program {name} on PATH or in ORRERY_BIN; docs/start/install.md says how to build it")
    return path


def ask(*words: str, text: str = "", codes: tuple[int, ...] = (0,)) -> str:
    """What `orrery WORDS` prints. Raises: ProgramFailed, with its one line."""
    done = subprocess.run([program(), *words], input=text, capture_output=True, text=True)
    if done.returncode not in codes:
        raise ProgramFailed(_last_line(done.stderr) or f"orrery ended with {done.returncode}", done.returncode)
    return done.stdout


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def eval(request: "dict[str, Any] | None" = None, *, path: str = "library", **keys: Any) -> dict[str, Any]:
    """Values of a curve, a spring, an animation or a row: `eval(curve="easeInOut", at=[0, 0.25, 1])`.

    request, or keys: what docs/reference/eval.md lists. Times are seconds, lengths points, angles radians.
    path: "library", or "kernel": the sim's batches.
    Returns the answer; its lists of numbers are float64 arrays.
    Raises: Error, for a request that is wrong; NotInstalled.
    """
    line = json.dumps({**(request or {}), **keys}, default=lambda v: v.tolist())
    answer = json.loads(ask("eval", "--path", path, text=line + "\n"))
    if "error" in answer:
        raise Error(answer["error"])
    return {key: _array(value) for key, value in answer.items() if key != "schema"}


def _array(value: Any) -> Any:
    """Lists of numbers as arrays; JSON has texts for what it has no number for."""
    if isinstance(value, dict):
        return {key: _array(item) for key, item in value.items()}
    special = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    if isinstance(value, str):
        return special.get(value, value)
    if isinstance(value, list) and value and all(
            isinstance(item, (int, float)) and not isinstance(item, bool) or item in list(special) for item in value):
        return np.array([special.get(item, item) if isinstance(item, str) else item for item in value], "f8")
    return value


class Control:
    """Steers a run by its name, or by "tcp://HOST:PORT" with keys; made by `orrery.control`.

    Each method returns the sim's answer as a dict, with `tick`, `sequence`, `state_hash`, `next_tick`, `paused` and
    `speed` (docs/reference/wire.md). `step` and `seek` return when the last frame is published.
    Raises: Refused, with the sim's reason; NoSuchRun, if no sim answers.
    """

    def __init__(self, where: str, keys: "str | None" = None, timeout: float = 60.0):
        self.where, self.timeout = where, timeout
        endpoint = where
        if "://" not in where:
            directory = run_directory(where)
            if not _is_alive(directory):
                raise NoSuchRun(f"no run {where!r} of this user on this machine")
            endpoint = f"ipc://{directory}/control"
        self._dealer = connect(endpoint, keys)
        self._ids = itertools.count(1)

    def __enter__(self) -> "Control":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self._dealer.close()

    def _ask(self, verb: str, **fields: Any) -> tuple[dict[str, Any], list[bytes]]:
        number = next(self._ids)
        self._dealer.send_json({"do": verb, "id": number, **{k: v for k, v in fields.items() if v is not None}})
        end = time.monotonic() + self.timeout
        while True:
            # A sim that was killed never answers, and its socket does not say so.
            if self._dealer.poll(200):
                parts = self._dealer.recv_multipart()
                reply = json.loads(parts[1]) if parts[0] == b"reply" else {}
                if reply.get("id") == number:
                    break
            elif "://" not in self.where and not _is_alive(run_directory(self.where)):
                raise NoSuchRun(f"the run {self.where!r} is over")
            elif time.monotonic() > end:
                raise NoSuchRun(f"no sim answers at {self.where} within {self.timeout:g} s")
        if not reply.pop("ok"):
            raise Refused(reply["reason"])
        del reply["id"]
        return reply, parts[2:]

    def request(self, verb: str, **fields: Any) -> dict[str, Any]:
        """Any verb of docs/reference/wire.md."""
        return self._ask(verb, **fields)[0]

    def pause(self) -> dict[str, Any]:
        return self.request("pause")

    def resume(self) -> dict[str, Any]:
        return self.request("resume")

    def step(self, ticks: int = 1) -> dict[str, Any]:
        """Publishes so many ticks, then pauses."""
        return self.request("step", ticks=ticks)

    def seek(self, *, tick: "int | None" = None, seconds: "float | None" = None) -> dict[str, Any]:
        """Publishes that tick, or that scene time, next."""
        return self.request("seek", tick=tick, seconds=seconds)

    def speed(self, factor: float) -> dict[str, Any]:
        """factor: scene seconds per second, 0.01 to 100."""
        return self.request("speed", factor=factor)

    def set(self, view: str, animation: "str | None" = None, completion: "str | None" = None,
            criteria: "str | None" = None, seconds: "float | None" = None, **values: float) -> dict[str, Any]:
        """Changes a view: `set("Mars.panel", x=12, animation="spring()")`.

        seconds: the scene time from which on it is changed; the next tick if there is none.
        """
        return self.request(
            "set", views={view: values}, animation=animation, completion=completion, criteria=criteria,
            seconds=seconds)

    def toggle(self, *names: str, animation: "str | None" = None, completion: "str | None" = None,
               criteria: "str | None" = None, seconds: "float | None" = None) -> dict[str, Any]:
        """Shows or hides views, taps rows of accordions; seconds: as of `set`."""
        return self.request(
            "toggle", names=list(names), animation=animation, completion=completion, criteria=criteria,
            seconds=seconds)

    def keep(self) -> dict[str, Any]:
        """Asks flight recorders to write their last seconds."""
        return self.request("keep")

    def stats(self) -> dict[str, Any]:
        """What the sim knows of itself, with its subscribers."""
        return self.request("stats")

    def snapshot(self) -> Frame:
        """The newest frame, in memory of its own."""
        reply, (frame, scene) = self._ask("snapshot")
        return Frame(Layout.of_frame(frame, scene), reply["sequence"], 0, frame)

    def quit(self) -> dict[str, Any]:
        """Ends the run in order."""
        return self.request("quit")


def control(where: str, *, keys: "str | None" = None, timeout: float = 60.0) -> Control:
    """Steers a run: `orrery.control("demo").pause()`. timeout: seconds to wait for an answer. See `Control`."""
    return Control(where, keys, timeout)


def _is_alive(directory: str) -> bool:
    """Whether a sim holds the lock of a run."""
    try:
        with open(directory + "/lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


class Run:
    """A run that this program started; made by `orrery.run`. `with` ends it in order.

    `name`: the run's. `report`: the last object that the program printed, once it has ended.
    """

    def __init__(self, name: str, words: list[str]):
        self.name = name
        self.report: dict[str, Any] = {}
        self._output, self._errors = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=self._output, stderr=self._errors)
        # A run that nobody ended ends with this object, or with the program: as by Ctrl-C.
        weakref.finalize(self, self._process.send_signal, signal.SIGINT)
        # It can be followed and steered when it listens.
        listening = run_directory(name) + "/control"
        while not os.path.exists(listening) and self._process.poll() is None:
            time.sleep(0.005)
        if self._process.returncode:
            self.wait()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        try:
            self.close()
        except ProgramFailed:
            if kind is None:
                raise

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def attach(self, **options: Any) -> Attached:
        """As `orrery.attach`."""
        return attach(self.name, **{"wait": 10.0, **options})

    def control(self) -> Control:
        """As `orrery.control`."""
        return Control(self.name)

    def wait(self, timeout: "float | None" = None) -> dict[str, Any]:
        """Waits for its end, and returns its report. Raises: ProgramFailed; Error, if the time is over."""
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Error(f"the run {self.name!r} goes on after {timeout:g} s") from None
        if not self._output.closed:
            self._output.seek(0)
            self._errors.seek(0)
            lines = [line for line in self._output.read().splitlines() if line.startswith("{")]
            self.report = json.loads(lines[-1]) if lines else {}
            self._error = _last_line(self._errors.read())
            self._output.close()
            self._errors.close()
        if code:
            how = f"by signal {-code}" if code < 0 else f"with {code}"
            raise ProgramFailed(self._error or f"the run {self.name!r} ended {how}", code)
        return self.report

    def close(self) -> dict[str, Any]:
        """Ends it as Ctrl-C does: in order, at once the second time; returns its report. Raises: ProgramFailed."""
        for seconds, number in ((60, signal.SIGINT), (5, signal.SIGINT), (5, signal.SIGKILL)):
            if self.is_running:
                self._process.send_signal(number)
            try:
                self._process.wait(seconds)
                break
            except subprocess.TimeoutExpired:
                continue
        return self.wait(1)


def run(scene: str, *, run: "str | None" = None, out: "str | None" = None, **options: Any) -> Run:
    """Starts a run of a scene: `with orrery.run("flags", duration=10) as run: …`.

    scene: name of a built-in scene, or a path.
    run: the run's name; without it, one that no other run has.
    out: directory for video, picture and trace, as of `orrery run`; without it only the sim runs.
    options: those of `orrery run` or `orrery sim`, with underscores: `wait_for=1`, `lockstep=True`,
      `columns=["x", "rotation"]`.
    Returns when the run can be attached to and steered, or is over.
    Raises: ProgramFailed, for a bad scene or option; NotInstalled.
    """
    name = run or f"python-{os.getpid()}-{next(_numbers)}"
    words = [program(), *(["run", scene, "--out", out] if out else ["sim", scene]), "--run", name, "--json"]
    for key, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + key.replace("_", "-"))
        if value is not True:
            words.append(",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value))
    return Run(name, words)


def run_trace(paths: list[str]) -> Run:
    """Plays a trace as a run in lockstep, frame after frame for the one subscriber that it waits for."""
    name = f"python-{os.getpid()}-{next(_numbers)}"
    return Run(name, [program(), "trace", "play", *paths, "--run", name, "--json", "--unpaced", "--lockstep",
                      "--wait-for", "1"])
