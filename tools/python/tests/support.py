# SPDX-License-Identifier: Apache-2.0
"""What the tests share: a runtime directory of their own, and programs that run to their end."""
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import orrery
from orrery.programs import program


class TestCase(unittest.TestCase):
    """Each test has a folder and a runtime directory of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="orrery-python-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        before = os.environ.get("XDG_RUNTIME_DIR")
        os.environ["XDG_RUNTIME_DIR"] = self.folder + "/run"
        os.mkdir(self.folder + "/run", 0o700)
        self.addCleanup(lambda: os.environ.pop("XDG_RUNTIME_DIR") if before is None else os.environ.update(
            XDG_RUNTIME_DIR=before))

    def path(self, name):
        return f"{self.folder}/{name}"

    def assertOneLine(self, caught, *words):
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        for word in words:
            self.assertIn(word, text)

    def record(self, name, *options, scene="planets", ticks=90, **settings):
        """The path of a trace of a run in lockstep."""
        path = self.path(name)
        settings = {"ticks": ticks, "lockstep": True, "unpaced": True, "wait_for": 1, **settings}
        with orrery.run(scene, **settings) as run:
            subprocess.run([program(), "logger", "--run", run.name, "--out", path, *options],
                           check=True, capture_output=True)
            run.wait()
        return path


def samples(scene, seconds, *options):
    """What `orrery sample` prints: each entity's values at a time."""
    done = subprocess.run([program(), "sample", scene, "--at", str(seconds), "--json", *options], check=True,
                          capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class SlowLink:
    """Relays connections to a port of this machine; what comes back passes at so many bytes a second."""

    def __init__(self, port, bytes_per_second):
        self.port, self.rate = port, bytes_per_second
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.sockets = [self.listener]

    def __enter__(self):
        self._start(self._accept)
        return f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"

    def __exit__(self, *_):
        for one in self.sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def _start(self, work, *words):
        threading.Thread(target=work, args=words, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port))
            self.sockets += [near, far]
            self._start(self._relay, near, far, False)
            self._start(self._relay, far, near, True)

    def _relay(self, source, target, is_slow):
        try:
            while data := source.recv(8192):
                target.sendall(data)
                if is_slow:
                    time.sleep(len(data) / self.rate)
        except OSError:
            pass
