# SPDX-License-Identifier: Apache-2.0
"""Orrery in Python: frames of a run as numpy arrays in place, traces as tables, and the controls of a run.

    import orrery
    with orrery.run("flags", duration=2) as run, run.attach() as frames:
        for frame in frames:
            print(frame.tick, frame.view("x")[0], frame.lost)

docs/how-to/python.md has the rest. Every exception is an `orrery.Error`.
"""
from .attached import Attached, attach
from .errors import Dropped, Error, NoSuchRun, NotInstalled, ProgramFailed, Refused, SimDied, Torn, TraceError
from .frame import Column, Frame, Layout
from .picture import live, positions
from .programs import Control, Run, control, eval, run
from .table import Table
from .trace import Trace
from .trace import open_trace as open

__version__ = "0.1.0"
__all__ = [
    "Attached", "Column", "Control", "Dropped", "Error", "Frame", "Layout", "NoSuchRun", "NotInstalled",
    "ProgramFailed", "Refused", "Run", "SimDied", "Table", "Torn", "Trace", "TraceError", "attach", "control", "eval",
    "live", "open", "positions", "run"]
