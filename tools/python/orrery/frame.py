# SPDX-License-Identifier: Apache-2.0
"""What a frame is: a layout that all frames of a run share, and the bytes of one frame, seen as numpy arrays."""
import struct
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .errors import Error, Torn, TraceError
from .messages import DEFAULTS, FIELD_NAMES, FIELDS, SceneLayout
from .table import Table

HEAD_BYTES = 63


class ColumnPlace(NamedTuple):
    """Where a column's values lie in every frame."""
    batch: int
    field: str  # its name; "field 9" for one that this package does not know
    first_entity: int
    value_count: int
    offset: int  # bytes from the frame's start
    unit: float  # 0: values are float32; else int16 in multiples of it


class Column(NamedTuple):
    """One field of one batch, in place.

    `values`: float32[count] where `unit` is 0, else int16[count] in multiples of `unit`. Read-only, no copy.
    Value i is that of entity `first_entity` + i. Units: points for x, y and blur, radians for rotation.
    """
    batch: int
    field: str
    first_entity: int
    unit: float
    values: np.ndarray


class Layout:
    """What does not change for a whole run: the columns of a frame, and the scene.

    `scene` is the orrery.SceneLayout message: batches, origins, sprites, names, rate.
    """

    def __init__(self, columns: Iterable[ColumnPlace], frame_bytes: int, scene: bytes):
        self.columns = tuple(columns)
        self.frame_bytes = frame_bytes
        self._scene = scene

    @classmethod
    def of_table(cls, table: bytes, frame_bytes: int, scene: bytes) -> "Layout":
        """From the column table of shared memory: 32 bytes for each column (docs/reference/frame.md)."""
        columns = []
        for batch, field, first, count, offset, fmt, unit in struct.iter_unpack("<IIIIQIf", table):
            if fmt > 1 or (fmt == 1) != (unit > 0) or offset + count * (2 if fmt else 4) > frame_bytes:
                raise Error(f"a column of batch {batch} does not lie in the frame")
            columns.append(ColumnPlace(batch, FIELD_NAMES.get(field, f"field {field}"), first, count, offset, unit))
        return cls(columns, frame_bytes, scene)

    @classmethod
    def of_frame(cls, frame: bytes, scene: bytes) -> "Layout":
        """From a frame itself, an orrery.Frame message: its tags say where the values lie."""
        columns = []
        try:
            for number, start, end in _fields(frame, 0, len(frame)):
                if number != 8:
                    continue
                batch = first = field = 0
                unit, values = 0.0, (end, end)
                for inner, at, stop in _fields(frame, start, end):
                    if inner == 1:
                        batch, = struct.unpack_from("<I", frame, at)
                    elif inner == 2:
                        first, = struct.unpack_from("<I", frame, at)
                    elif inner == 3:
                        field, _ = _varint(frame, at)
                    elif inner == 6:
                        unit, = struct.unpack_from("<f", frame, at)
                    elif inner in (5, 7):
                        values = (at, stop)
                count = (values[1] - values[0]) // (2 if unit else 4)
                columns.append(
                    ColumnPlace(batch, FIELD_NAMES.get(field, f"field {field}"), first, count, values[0], unit))
        except (IndexError, struct.error):
            raise TraceError("a frame's message ends too early") from None
        return cls(columns, len(frame), scene)

    @cached_property
    def scene(self) -> Any:
        return SceneLayout.FromString(self._scene)

    @cached_property
    def entity_count(self) -> int:
        return self.scene.entity_count

    @cached_property
    def tick_seconds(self) -> float:
        return self.scene.rate_denominator / self.scene.rate_numerator

    @cached_property
    def names(self) -> dict[int, str]:
        """Names of the entities that have one, by number; one of several is called NAME[i]."""
        return {
            item.first_entity + i: f"{item.name}[{i}]" if item.entity_count else item.name
            for item in self.scene.names for i in range(item.entity_count or 1)}

    def entity(self, name: str) -> int:
        """The number of a named entity. Raises: Error."""
        for number, known in self.names.items():
            if known == name:
                return number
        raise Error(f"no entity is called {name!r}")

    def views(self, buffer: Any, start: int) -> tuple[np.ndarray, ...]:
        """The columns of the frame at `start` of a buffer, in place."""
        return tuple(
            np.frombuffer(buffer, "<i2" if c.unit else "<f4", c.value_count, start + c.offset) for c in self.columns)


class Frame:
    """The values of every entity after one tick.

    `sequence`: its number in the run, from 1. `lost`: frames that were published between the frame given before and
    this one, and were not given. A frame of `orrery.attach` of a run on this machine lies in the sim's memory: use it
    before asking for the next, then look at `is_whole`, or take `copy()`. Other frames are always whole.
    """
    __slots__ = ("layout", "sequence", "lost", "_buffer", "_start", "_views", "_check")

    def __init__(self, layout: Layout, sequence: int, lost: int, buffer: Any, start: int = 0,
                 views: "tuple[np.ndarray, ...] | None" = None, check: "Callable[[int], bool] | None" = None):
        self.layout, self.sequence, self.lost = layout, sequence, lost
        self._buffer, self._start, self._views, self._check = buffer, start, views, check

    def __repr__(self) -> str:
        return f"Frame(sequence={self.sequence}, tick={self.tick}, lost={self.lost})"

    def _number(self, number: int) -> int:
        return struct.unpack_from("<Q", self._buffer, self._start + 9 * number - 8)[0]

    @property
    def tick(self) -> int:
        """Ticks since the scene began."""
        return self._number(2)

    @property
    def sim_time_ns(self) -> int:
        """Scene time in nanoseconds."""
        return self._number(3)

    @property
    def publish_time_ns(self) -> int:
        """Nanoseconds since 1970 at which it was published."""
        return self._number(4)

    @property
    def state_hash(self) -> str:
        """Hash of its values, sixteen hexadecimal digits."""
        return f"{self._number(5):016x}"

    @property
    def is_whole(self) -> bool:
        """Whether the sim has not begun to overwrite it: then everything read from it so far is right."""
        return self._check is None or self._check(self.sequence)

    def check(self) -> None:
        """Raises: Torn, if the frame is not whole."""
        if not self.is_whole:
            raise Torn(f"frame {self.sequence} was overwritten while it was read")

    def copy(self) -> "Frame":
        """The same frame in memory of its own. Raises: Torn."""
        data = bytes(memoryview(self._buffer)[self._start:self._start + self.layout.frame_bytes])
        self.check()
        return Frame(self.layout, self.sequence, self.lost, data)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The values of each of `layout.columns`, in place; see `Column`."""
        if self._views is None:
            self._views = self.layout.views(self._buffer, self._start)
        return self._views

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(
            Column(c.batch, c.field, c.first_entity, c.unit, values)
            for c, values in zip(self.layout.columns, self.arrays))

    def view(self, field: str, batch: "int | None" = None) -> np.ndarray:
        """The values of a field in one batch, in place: float32[count], or int16[count] (see `Column`).

        `batch`: index into `layout.scene.batches`; may be left out where only one batch has the field.
        Raises: Error, if there is no such column or several.
        """
        found = [i for i, c in enumerate(self.layout.columns) if c.field == field and batch in (None, c.batch)]
        if len(found) != 1:
            have = ", ".join(f"{c.field} of batch {c.batch}" for c in self.layout.columns)
            raise Error(f"{len(found)} columns for {field!r}; there are {have or 'none'}")
        return self.arrays[found[0]]

    def __getitem__(self, field: str) -> np.ndarray:
        """A field of all entities as float32[entity_count], by entity number: a copy, defaults filled in.

        Entities and fields that a trace left out are NaN. Raises: Error, if no field is called so.
        """
        if field not in FIELDS:
            raise Error(f"no field {field!r}; there are {', '.join(FIELDS)}")
        batches = self.layout.scene.batches
        size = max((b.first_entity + b.entity_count for b in batches), default=0)
        values = np.full(size, np.nan, "<f4")
        recorded = self.layout.scene.recording.columns
        for batch in batches if not recorded or FIELDS[field] in recorded else ():
            values[batch.first_entity:batch.first_entity + batch.entity_count] = DEFAULTS[field]
        for c, column in zip(self.layout.columns, self.arrays):
            if c.field == field:
                part = slice(c.first_entity, c.first_entity + c.value_count)
                values[part] = column * np.float32(c.unit) if c.unit else column
        return values

    def table(self, *fields: str) -> Table:
        """A row for each entity: `entity`, and the fields (all, if none is named)."""
        columns = {field: self[field] for field in fields or FIELDS}
        return Table({"entity": np.arange(len(next(iter(columns.values())))), **columns})

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        from .picture import svg
        return svg(self)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def _fields(data: bytes, at: int, end: int) -> Iterable[tuple[int, int, int]]:
    """The fields of a protobuf message: number, start and end of the content."""
    while at < end:
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            stop = _varint(data, at)[1]
        elif kind == 2:
            length, at = _varint(data, at)
            stop = at + length
        elif kind in (1, 5):
            stop = at + (8 if kind == 1 else 4)
        else:
            raise IndexError
        if stop > end:
            raise IndexError
        yield tag >> 3, at, stop
        at = stop
