# SPDX-License-Identifier: Apache-2.0
"""Reading traces: frames that stand in the file directly, changes and digests through the `orrery` program."""
import json
import os
import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .errors import Error, TraceError
from .frame import HEAD_BYTES, Frame, Layout
from .messages import FIELD_NAMES, SceneLayout, message
from .programs import ask, run_trace
from .table import Table

MAGIC = b"\x89MCAP0\r\n"
FRAMES, DELTAS, DIGESTS = "/orrery/frames", "/orrery/deltas", "/orrery/digests"


def open_trace(*paths: "str | os.PathLike[str]") -> "Trace":
    """Opens a trace: `orrery.open("x.mcap")`. Several files, as of a split recording, are one trace.

    Raises: TraceError, if a file is no trace of Orrery's; Error, if it cannot be read.
    """
    return Trace([os.fspath(path) for path in paths])


class Trace:
    """A trace; made by `orrery.open`.

    `scene`: the orrery.SceneLayout message.
    `is_whole`: whether its recorder ended; else the last frames may be missing.
    `is_computed`: whether frames are computed by `orrery trace play`,
    because the file holds changes or digests (or its run had several shards).
    """

    def __init__(self, paths: Sequence[str]):
        if not paths:
            raise Error("no trace is named")
        self.paths = list(paths)
        for path in self.paths:
            try:
                with open(path, "rb") as file:
                    if file.read(8) != MAGIC:
                        raise TraceError(f"{path} is no trace: it does not begin as MCAP files do")
            except OSError as error:
                raise Error(f"{path}: {error.strerror}") from None
        self._scene_bytes = next((data for _, data in self._messages(["/orrery/scene"])), b"")
        if not self._scene_bytes:
            raise TraceError(f"{self.paths[0]} has no scene: it is no trace of Orrery's")
        self.scene = SceneLayout.FromString(self._scene_bytes)
        recording = self.scene.recording
        self.is_whole = self._has_account()
        self.is_computed = recording.delta or recording.mode == "digest" or self.scene.shard.count > 1

    def __repr__(self) -> str:
        return f"Trace({', '.join(self.paths)}: {self.scene.scene}, {self.scene.entity_count} entities)"

    def info(self) -> dict[str, Any]:
        """What `orrery trace info` says: state, runs, first and last frame, losses. Raises: ProgramFailed."""
        return json.loads(ask("trace", "info", *self.paths, "--json", codes=(0, 3)))

    def _has_account(self) -> bool:
        from mcap.reader import SeekingReader

        if not _has_end(self.paths[-1]):
            return False
        with open(self.paths[-1], "rb") as file:
            summary = SeekingReader(file).get_summary()
            return any(index.name == "orrery.summary" for index in summary.metadata_indexes) if summary else False

    def _messages(self, topics: list[str]) -> Iterator[tuple[str, bytes]]:
        """Topic and content of messages, in the order of the files."""
        from mcap.exceptions import EndOfFile
        from mcap.reader import NonSeekingReader, SeekingReader

        for path in self.paths:
            with open(path, "rb") as file:
                # A file that was cut off has no index of its chunks: it is read from its start to where it stops.
                has_end = _has_end(path)
                try:
                    reader = (SeekingReader if has_end else NonSeekingReader)(file, validate_crcs=True)
                    for _, channel, found in reader.iter_messages(topics, log_time_order=False):
                        yield channel.topic, found.data
                except Exception as error:  # The package raises what it meets: KeyError, ValueError, of compressors.
                    if has_end or not isinstance(error, EndOfFile):
                        what = f"{type(error).__name__} {error}".strip()
                        raise TraceError(f"{path} is damaged; orrery trace verify says more: {what}") from None

    def heads(self) -> Iterator[tuple[int, int, int, int]]:
        """Sequence, tick, publish time (ns since 1970) and hash of each recorded frame, without its values."""
        for topic, data in self._messages([FRAMES, DELTAS, DIGESTS]):
            if topic == DIGESTS:
                part = message("Digests").FromString(data)
                for i, (hash_, time_ns) in enumerate(zip(part.state_hashes, part.publish_times_ns)):
                    yield part.first_sequence + i, part.first_tick + i, time_ns, hash_
            else:
                yield tuple(struct.unpack_from("<Q", data, 9 * n - 8)[0] for n in (1, 2, 4, 5))  # type: ignore

    def frames(self, *, from_tick: "int | None" = None, to_tick: "int | None" = None) -> Iterator[Frame]:
        """The recorded frames in their order, or those of a part; both ends belong to it.

        `Frame.lost` counts frames that the recorder missed between two of them.
        Raises: TraceError; NotInstalled, where they must be computed and there is no `orrery` program.
        """
        frames = self._computed(from_tick, to_tick) if self.is_computed else self._stored()
        every = max(self.scene.recording.every, 1)
        last = None
        for frame in frames:
            # Frames that were left out on purpose are not lost.
            frame.lost = 0 if last is None else max(frame.sequence // every - last // every - 1, 0)
            last = frame.sequence
            if (from_tick is None or frame.tick >= from_tick) and (to_tick is None or frame.tick <= to_tick):
                yield frame

    __iter__ = frames

    def _stored(self) -> Iterator[Frame]:
        layout, tags = None, b""
        for _, data in self._messages([FRAMES]):
            # The same hash is the same layout.
            if layout is None or data[45:54] != tags or len(data) != layout.frame_bytes:
                layout, tags = Layout.of_frame(data, self._scene_bytes), data[45:54]
            yield Frame(layout, struct.unpack_from("<Q", data, 1)[0], 0, data)

    def _computed(self, from_tick: "int | None", to_tick: "int | None") -> Iterator[Frame]:
        # Played frames are numbered from 1; their recorded numbers are in the file.
        heads = self.heads() if self.scene.shard.count <= 1 else None
        with run_trace(self.paths) as run, run.attach() as played:
            for frame in played:
                frame = frame.copy()
                if heads:
                    head = next(heads, (0, 0, 0, 0))
                    if head[1] != frame.tick:
                        raise TraceError(f"{self.paths[0]}: tick {frame.tick} is played where {head[1]} is recorded")
                    frame.sequence = head[0]
                yield frame
            run.wait()

    def array(self, field: str, entities: "Sequence[int | str] | None" = None,
              **part: Any) -> tuple[np.ndarray, np.ndarray]:
        """Scene times, float64[frames] in seconds, and a field's values, float32[frames, entities].

        entities: numbers or names; all, if left out. part: as of `frames`.
        """
        table = [(frame.sim_time_ns * 1e-9, frame[field]) for frame in self.frames(**part)]
        times, values = np.array([t for t, _ in table]), [v for _, v in table]
        stacked = np.stack(values) if values else np.zeros((0, self.scene.entity_count), "f4")
        return times, stacked if entities is None else stacked[:, self._numbers(entities)]

    def table(self, *fields: str, entities: "Sequence[int | str] | None" = None, **part: Any) -> Table:
        """A row for each frame and entity: sequence, tick, time_s, entity and the fields (those of the trace).

        entities, part: as of `array` and `frames`.
        """
        names = fields or tuple(dict.fromkeys(
            FIELD_NAMES.get(f, "") for batch in self.scene.batches for f in sorted(batch.fields) if f in FIELD_NAMES))
        rows: dict[str, list[np.ndarray]] = {n: [] for n in ("sequence", "tick", "time_s", "entity", *names)}
        chosen = None if entities is None else np.array(self._numbers(entities), "i8")
        for frame in self.frames(**part):
            values = {name: frame[name] for name in names}
            numbers = np.arange(len(next(iter(values.values()), ()))) if chosen is None else chosen
            for name, value in values.items():
                rows[name].append(value[numbers])
            rows["entity"].append(numbers)
            for name, one in (("sequence", frame.sequence), ("tick", frame.tick),
                              ("time_s", frame.sim_time_ns * 1e-9)):
                rows[name].append(np.full(len(numbers), one))
        return Table({name: np.concatenate(parts) if parts else [] for name, parts in rows.items()})

    def _numbers(self, entities: Sequence["int | str"]) -> list[int]:
        layout = Layout((), 0, self._scene_bytes)
        return [layout.entity(one) if isinstance(one, str) else one for one in entities]

    def events(self) -> Table:
        """What happened to views, in order: number, time_s, tick, kind, view, entity, field, completion, command."""
        kinds = message("Event").Kind
        rows = []
        for _, data in self._messages(["/orrery/events"]):
            part = message("Events").FromString(data)
            for i, event in enumerate(part.events):
                rows.append((part.first_number + i, event.time, part.tick, kinds.Name(event.kind), event.view,
                             event.entity, FIELD_NAMES.get(event.field, ""), event.completion, event.command))
        return _table(rows, number="u8", time_s="f8", tick="u8", kind=object, view=object, entity="u4", field=object,
                      completion=object, command=object)

    def losses(self) -> Table:
        """Gaps: first_sequence, last_sequence, and the shard whose part is missing (-1: the whole frames)."""
        rows = []
        for _, data in self._messages(["/orrery/loss"]):
            loss = message("Loss").FromString(data)
            rows.append((loss.first_sequence, loss.last_sequence, loss.shard if loss.HasField("shard") else -1))
        return _table(rows, first_sequence="u8", last_sequence="u8", shard="i4")

    def timings(self) -> Table:
        """How long each frame took in the sim, in ns: sequence, wait_ns, compute_ns, publish_ns."""
        rows: list[tuple[int, ...]] = []
        for _, data in self._messages(["/orrery/timings"]):
            part = message("Timings").FromString(data)
            for i, times in enumerate(zip(part.wait_ns, part.compute_ns, part.publish_ns)):
                rows.append((part.first_sequence + i, *times))
        return _table(rows, sequence="u8", wait_ns="u8", compute_ns="u8", publish_ns="u8")


def _has_end(path: str) -> bool:
    with open(path, "rb") as file:
        file.seek(max(os.path.getsize(path) - len(MAGIC), 0))
        return file.read() == MAGIC


def _table(rows: list[tuple[Any, ...]], **types: Any) -> Table:
    columns = list(zip(*rows)) or [()] * len(types)
    return Table({name: np.array(values, kind) for (name, kind), values in zip(types.items(), columns)})
