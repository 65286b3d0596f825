# SPDX-License-Identifier: Apache-2.0
"""What can go wrong: every exception of this package is an `orrery.Error` whose text is one line."""
import importlib
from types import ModuleType


class Error(Exception):
    """Any failure of this package."""


class NoSuchRun(Error):
    """No sim of that name, or none that answers at that address."""


class Refused(Error):
    """The sim refused a join or a request; the text has its reason."""


class SimDied(Error):
    """The sim was killed, crashed, or cannot be heard any more. Frames that it published before were all given."""


class Dropped(Error):
    """The sim goes on without this subscriber: in lockstep it did not ask for frames for too long."""


class Torn(Error):
    """The sim overwrote the frame while it was in use: what was computed from it is void."""


class TraceError(Error):
    """The file is no trace, or is damaged."""


class ProgramFailed(Error):
    """A program of Orrery's failed. `exit_code` is one of docs/reference/exit-codes.md."""

    def __init__(self, text: str, exit_code: int):
        super().__init__(text)
        self.exit_code = exit_code


class NotInstalled(Error):
    """A package or a program is needed that is not there."""


def needed(module: str, package: str = "") -> ModuleType:
    """Imports what only some users need, when they need it.

    Raises: NotInstalled, with the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise NotInstalled(f"this needs {module}: pip install {package or module} ({error})") from None
