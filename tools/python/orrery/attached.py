# SPDX-License-Identifier: Apache-2.0
"""Following a run: in place in the memory that its sim shares, or by message over TCP.

docs/reference/wire.md and docs/reference/frame.md have every message and every byte.
"""
import array
import ctypes
import errno
import fcntl
import json
import math
import mmap
import os
import platform
import re
import select
import socket
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import zmq

from .errors import Dropped, Error, NoSuchRun, Refused, SimDied
from .frame import HEAD_BYTES, Frame, Layout

RING_MAGIC, JOIN_MAGIC, LAYOUT_VERSION = 0x474E49525952524F, 0x4E494F4A5952524F, 3
REFUSALS = {1: "it has another layout version", 2: "256 subscribers are there", 3: "the run has ended",
            4: "the request came too late"}
# An idle reader looks this often whether the sim lives, as Orrery's own subscribers do.
SLEEP_SECONDS = 0.1
# A sim sends something by message to each subscriber every second.
SILENCE_SECONDS = 2.5
# Part of a large message over a slow link counts, too: so many bytes, more than heartbeats have, looked for this often.
PART_BYTES_MIN, LOOK_SECONDS = 1024, 0.25
# Where `struct tcp_info` of Linux has the bytes that were received.
TCP_INFO_RECEIVED = 128
VIEWS_MADE_MAX = 10_000
# In live delivery reports serve statistics: one in so many nanoseconds is enough.
REPORT_NS = 100_000_000
FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine())
_libc = ctypes.CDLL(None, use_errno=True)


def run_directory(run: str) -> str:
    """Where the run of that name has its sockets. Raises: Error, if no run can be called so."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", run):
        raise Error(f"{run!r} is no name of a run: 1 to 64 letters, digits, '.', '-' and '_'")
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if base.startswith("/"):
        return f"{base}/orrery/{run}"
    return f"{os.environ.get('TMPDIR') or '/tmp'}/orrery-{os.getuid()}/{run}"


def attach(where: str, *, reading: str = "every", from_frame: int = 0, name: str = "python", wait: float = 0.0,
           keys: "str | None" = None) -> "Attached":
    """Joins a run, at any time.

    where: the name of a run of this user on this machine, whose frames are then read in place; or where a sim
      listens, "tcp://HOST:PORT".
    reading: "every" frame in its order, or always the "newest".
    from_frame: the first frame that is wanted, from 1; 0 for the next one to be published.
    name: what reports call this subscriber.
    wait: seconds to wait for a run that is not there yet.
    keys: directory with client.key and server.pub, for a sim that uses keys.
    Raises: NoSuchRun, Refused, Error.
    """
    if reading not in ("every", "newest"):
        raise Error(f"reading {reading!r}: 'every' or 'newest' is wanted")
    kind = Network if "://" in where else Memory
    end = time.monotonic() + wait
    while True:
        try:
            return kind(where, reading, from_frame, name, keys)
        except NoSuchRun:
            if time.monotonic() >= end:
                raise
            time.sleep(0.02)


class Attached:
    """A run that is followed: `for frame in run`, or `run.next()`; ends with the run, or with `with`.

    `layout`: what all frames share. `received`, `missed`: frames that were given, and that were not, since the join.
    `ended`: whether the run ended in order and every frame was given.
    """
    layout: Layout

    def __init__(self, where: str, reading: str):
        self.where, self.reading = where, reading
        self.received = self.missed = 0
        self.ended = False
        self._is_open = True
        self._last = self._reported = 0
        self._report_ns = time.monotonic_ns()

    def __enter__(self) -> "Attached":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[Frame]:
        while frame := self.next():
            yield frame

    def next(self, timeout: "float | None" = None) -> "Frame | None":
        """The next frame, or with reading "newest" the newest that was not given yet; waits for it.

        timeout: seconds to wait, at most; None waits until the run ends.
        Returns None when the run has ended (then `ended` is true) or the time is over.
        Raises: SimDied, Dropped, after every frame that can still be read was given.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Leaves the run. Frames in use stay readable."""
        raise NotImplementedError

    @property
    def scene(self) -> Any:
        """The orrery.SceneLayout message."""
        return self.layout.scene

    def _give(self, sequence: int, *frame: Any) -> Frame:
        lost = sequence - self._last - 1
        self.received, self.missed, self._last = self.received + 1, self.missed + lost, sequence
        return Frame(self.layout, sequence, lost, *frame)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.where!r}, received={self.received}, missed={self.missed})"


class Memory(Attached):
    """A run on this machine, read in place.

    A frame's arrays lie in the sim's memory. A sim in live delivery does not wait: it overwrites frames of a reader
    that is slower than the ring, which then learns how many it lost (`Frame.lost`), and `Frame.is_whole` says whether
    a frame was overwritten while it was in use. A run in lockstep waits, until the next frame is asked for.

    The order of loads is that of x86-64, which never moves a load before an earlier one. On arm64 the processor may
    load a value after the check that follows it in the program: there, use lockstep, or the sim's messages over TCP.
    """

    def __init__(self, where: str, reading: str, from_frame: int = 0, name: str = "python",
                 keys: "str | None" = None):
        super().__init__(where, reading)
        self._lease_is_over = self._was_asked = False
        self._is_newest = reading == "newest"
        directory = run_directory(where)
        self._lease = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            reply, descriptor = self._join(directory, name, from_frame)
            try:
                self._map(descriptor, reply)
            finally:
                os.close(descriptor)
        except BaseException:
            self._lease.close()
            raise
        self._last = self._reported = from_frame - 1 if from_frame else reply[5]

    def _join(self, directory: str, name: str, from_frame: int) -> tuple[tuple[int, ...], int]:
        try:
            self._lease.connect(directory + "/join")
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ECONNREFUSED):
                raise NoSuchRun(f"no run {self.where!r} of this user on this machine") from None
            raise Error(f"{directory}/join: {error.strerror}") from None
        credentials = self._lease.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        if struct.unpack("3i", credentials)[1] != os.getuid():
            raise Refused(f"the run {self.where!r} belongs to another user")
        # Waits by futex; reads every frame or the newest.
        request = struct.pack("<QII32sIIQ", JOIN_MAGIC, LAYOUT_VERSION, os.getpid(), name.encode()[:31], 1,
                              int(self.reading == "newest"), from_frame)
        try:
            self._lease.send(request)
        except BrokenPipeError:
            pass  # A sim that refuses may hang up first; its answer is there all the same.
        self._lease.settimeout(10)
        for _ in range(2):
            try:
                data, ancillary, _, _ = self._lease.recvmsg(64, socket.CMSG_SPACE(4))
                break
            except ConnectionResetError:
                continue  # The reply comes after it.
            except TimeoutError:
                raise SimDied(f"the sim of {self.where!r} does not answer") from None
        else:
            data, ancillary = b"", []
        self._lease.settimeout(None)
        descriptors = [d for _, _, packed in ancillary for d in array.array("i", packed)]
        if len(data) < 64:
            raise SimDied(f"the sim of {self.where!r} hung up")
        reply = struct.unpack("<QIIQQQQIIQ", data)
        if reply[0] != JOIN_MAGIC or reply[1] != LAYOUT_VERSION or reply[2] or not descriptors:
            reason = REFUSALS.get(reply[2], f"it has layout version {reply[1]}, not {LAYOUT_VERSION}")
            raise Refused(f"the sim of {self.where!r} refuses: {reason}")
        return reply, descriptors[0]

    def _map(self, descriptor: int, reply: tuple[int, ...]) -> None:
        size = reply[4]
        if os.fstat(descriptor).st_size != size:
            raise Error(f"the memory of {self.where!r} does not have the size that the sim says")
        # Unsealed memory could shrink, and a load from it kill this process. A ring with a name cannot be sealed.
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
        if not reply[8] and fcntl.fcntl(descriptor, fcntl.F_GET_SEALS) & seals != seals:
            raise Error(f"the memory of {self.where!r} is not sealed")
        self._map_ = ring = mmap.mmap(descriptor, size, mmap.MAP_SHARED, mmap.PROT_READ)
        (magic, version, delivery, bytes_, generation, _, columns_at, columns, slots, directory_at, static_at,
         static_bytes, places_at, stride, frame_bytes, ahead, spare) = struct.unpack_from("<QIIQQQQIIQQQQQQII", ring)

        def up(n: int) -> int:
            return (n + 4095) & ~4095

        is_right = (
            magic == RING_MAGIC and version == LAYOUT_VERSION and bytes_ == size and generation == reply[3]
            and columns_at == 4096 and directory_at == up(columns_at + 32 * columns) and 2 <= slots <= 65536
            and static_at == up(directory_at + 64 * slots) and places_at == up(static_at + static_bytes)
            and stride == up(max(frame_bytes, 640) - 640) + 640 and size == places_at + (slots + spare) * stride
            and ahead <= slots - 2)
        if not is_right:
            raise Error(f"the memory of {self.where!r} is corrupt, or of another version")
        self.layout = Layout.of_table(
            ring[columns_at:columns_at + 32 * columns], frame_bytes, ring[static_at:static_at + static_bytes])
        # An item of this is one load of eight bytes.
        self._words = memoryview(ring).cast("Q")
        self._slots, self._directory, self._ahead = slots, directory_at // 8, ahead
        self._places_at, self._stride, self._place_count = places_at, stride, slots + spare
        self._views: list[Any] = [None] * (slots + spare)
        # Made now, views take no time of a frame. A ring of very many small frames has them made as they come.
        if len(self._views) * columns <= VIEWS_MADE_MAX:
            self._views = [self.layout.views(ring, places_at + place * stride) for place in range(slots + spare)]
        self._is_lockstep = delivery == 1
        self._published_at = np.frombuffer(ring, "u1").ctypes.data + 128

    def next(self, timeout: "float | None" = None) -> "Frame | None":
        if not self._is_open:
            return None
        words = self._words
        deadline = None
        while True:
            is_over = self._lease_is_over
            if is_over and not self._was_asked:
                self._was_asked = True
                self._raise_if_dropped()
            # Before the slot: a frame that is completed in between must not be lost.
            has_ended = words[24] == 1
            if frame := self._take():
                return frame
            if has_ended:
                self.ended = True
                self.close()
                return None
            if is_over:
                self.close()
                raise SimDied(f"the sim of {self.where!r} died after frame {self._last}")
            if self._is_lockstep or time.monotonic_ns() - self._report_ns > REPORT_NS:
                self._report(self._last)
            now = time.monotonic()
            if timeout is not None and deadline is None:
                deadline = now + timeout
            seconds = SLEEP_SECONDS if deadline is None else min(SLEEP_SECONDS, deadline - now)
            if seconds <= 0:
                return None
            self._sleep(seconds)
            self._lease_is_over = self._lease_is_over or bool(select.select([self._lease], [], [], 0)[0])

    def _take(self) -> "Frame | None":
        words, last = self._words, self._last
        sequence = words[16] if self._is_newest else last + 1
        while sequence > last:
            slot = self._directory + sequence % self._slots * 8
            end = words[slot + 1]
            if end < sequence:
                return None
            place = words[slot + 2]
            if end == sequence == words[slot] and place < self._place_count:
                # Of the frame itself, the sim learns when the next one is asked for.
                if self._is_lockstep and (sequence - 1 - self._reported) * 4 >= self._slots or (
                        self.received & 63 == 63 and time.monotonic_ns() - self._report_ns > REPORT_NS):
                    self._report(sequence - 1)
                start = self._places_at + place * self._stride
                views = self._views[place]
                if views is None:
                    views = self._views[place] = self.layout.views(self._map_, start)
                return self._give(sequence, self._map_, start, views, self._is_whole)
            # Lapped: on to the first frame that the writer does not take next.
            published = words[16]
            sequence = published if self._is_newest else max(
                published + 2 + self._ahead - self._slots, sequence + 1)
        return None

    def _is_whole(self, sequence: int) -> bool:
        return self._words[self._directory + sequence % self._slots * 8] == sequence

    def _sleep(self, seconds: float) -> None:
        published = self._words[16]
        if published > self._last:
            return
        if FUTEX is None:
            time.sleep(min(seconds, 0.001))
            return
        # FUTEX_WAIT: sleeps only while the word is still what was seen. The call lets other threads run.
        limit = struct.pack("qq", int(seconds), int(seconds % 1 * 1e9))
        _libc.syscall(FUTEX, ctypes.c_void_p(self._published_at), 0, ctypes.c_uint32(published & 0xFFFFFFFF),
                      limit, None, 0)

    def _report(self, sequence: int, leaving: int = 0) -> None:
        self._report_ns = time.monotonic_ns()
        if sequence <= self._reported and not leaving:
            return
        self._reported = sequence
        # Frames between the last one that was given and `sequence` were missed.
        missed = self.missed + max(sequence - self._last, 0)
        try:
            self._lease.send(struct.pack("<QQII", sequence, missed, leaving, 0), socket.MSG_DONTWAIT)
        except BlockingIOError:
            pass  # The sim is busy, and the next report comes.
        except OSError:
            self._lease_is_over = True

    def _raise_if_dropped(self) -> None:
        """A sim that goes on after it dropped a reader says so, and would overwrite its frames."""
        notice = b""
        for _ in range(2):
            try:
                notice = self._lease.recv(64)
                break
            except OSError:
                continue  # What the sim had not read comes first, as an error.
        if len(notice) >= 24:
            self.close()
            raise Dropped(f"the sim of {self.where!r} dropped this subscriber after frame {self._last}: "
                          + ("it asked for no frame for too long" if notice[8] == 1 else "it broke the protocol"))

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._report(self._last, leaving=1)
            self._lease.close()


class Arrivals:
    """Whether part of a message has come that is not whole yet: over a slow link, a large one takes seconds."""

    def __init__(self, dealer: "zmq.Socket[bytes]"):
        """dealer: not connected yet."""
        self._events = dealer.get_monitor_socket(zmq.EVENT_CONNECTED)
        self._descriptor = -1
        self._counted = (0.0, 0)

    def has_part(self, since: float, now: float) -> bool:
        """since: when something was heard last, or this was true; the first call after that only counts."""
        while self._events.poll(0):
            _, self._descriptor = struct.unpack_from("=Hi", self._events.recv_multipart()[0])
        received = self._received()
        if self._counted[0] != since:
            # A program that had no processor does not know what came before: it waits once more.
            is_late = now > since + SILENCE_SECONDS / 2
            self._counted = now if is_late else since, received
            return is_late
        return received >= self._counted[1] + PART_BYTES_MIN

    def _received(self) -> int:
        """Bytes, as the kernel counts them. The descriptor stays ZeroMQ's."""
        try:
            connection = socket.socket(fileno=self._descriptor)
        except (OSError, ValueError):
            return 0
        try:
            info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
        except OSError:
            return 0
        finally:
            connection.detach()
        return int.from_bytes(info[TCP_INFO_RECEIVED:TCP_INFO_RECEIVED + 8], "little")

    def close(self) -> None:
        self._events.close(0)


def connect(endpoint: str, keys: "str | None" = None,
            prepare: "Callable[[zmq.Socket[bytes]], None]" = lambda _: None) -> "zmq.Socket[bytes]":
    """A DEALER socket to a sim; prepare is called with it before it is connected. Raises: Error."""
    dealer: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
    prepare(dealer)
    dealer.linger = 1000
    dealer.rcvhwm = 0  # The sim bounds what is on its way.
    try:
        if keys:
            with open(f"{keys}/client.key", "rb") as secret, open(f"{keys}/server.pub", "rb") as server:
                own, dealer.curve_serverkey = secret.read().strip(), server.read().strip()
            dealer.curve_secretkey, dealer.curve_publickey = own, zmq.curve_public(own)
        dealer.connect(endpoint)
    except (zmq.ZMQError, OSError, ValueError) as error:
        dealer.close()
        raise Error(f"{endpoint}: {error}") from None
    return dealer


class Network(Attached):
    """A run by message, on this machine or another. Frames are memory of their own, always whole."""

    def __init__(self, where: str, reading: str, from_frame: int = 0, name: str = "python",
                 keys: "str | None" = None):
        super().__init__(where, reading)
        try:
            self._dealer = connect(where, keys, self._watch)
        except Error:
            self._arrivals.close()
            raise
        request = {"do": "join", "id": 1, "name": name, "frames": "every" if reading == "every" else "latest"}
        if from_frame:
            request["from"] = from_frame
        self._dealer.send_json(request)
        self._heard = time.monotonic()
        while not self._dealer.poll(int(LOOK_SECONDS * 1000)):
            if self._is_silent():
                self._close(0)
                raise NoSuchRun(f"no sim answers at {where}")
        _, head, *attached = self._dealer.recv_multipart()
        reply = json.loads(head)
        if not reply["ok"]:
            self._close(0)
            raise Refused(f"the sim at {where} refuses: {reply['reason']}")
        if reply["layout_version"] != LAYOUT_VERSION:
            self._close(0)
            raise Refused(f"the sim at {where} has layout version {reply['layout_version']}, not {LAYOUT_VERSION}")
        self.layout = Layout.of_table(attached[1], reply["frame_bytes"], attached[0])
        self._run = struct.pack("<Q", int(reply["layout_hash"], 16)), struct.pack("<Q", int(reply["generation"], 16))
        self._slots = reply["slots"]
        self._last = self._reported = reply["sequence"]
        self._heard = time.monotonic()

    def next(self, timeout: "float | None" = None) -> "Frame | None":
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        while self._is_open:
            if not self._dealer.poll(0):
                self._report()  # In lockstep the sim may wait for it.
                left = deadline - time.monotonic()
                if not self._dealer.poll(max(math.ceil(min(left, LOOK_SECONDS) * 1000), 0)):
                    if self._is_silent():
                        self._close()
                        raise SimDied(f"the sim at {self.where} died, or cannot be heard, after frame {self._last}")
                    if left <= LOOK_SECONDS:
                        return None
                    continue
            first, *rest = self._dealer.recv_multipart(copy=False)
            self._heard = time.monotonic()
            if rest:
                if first.bytes == b"end":
                    self._end(json.loads(rest[0].bytes))
                continue
            data = first.buffer
            sequence, = struct.unpack_from("<Q", data, 1) if len(data) >= HEAD_BYTES else (0,)
            is_of_run = len(data) == self.layout.frame_bytes and (data[46:54], data[55:63]) == self._run
            if not is_of_run or sequence <= self._last:
                raise Error(f"a message from {self.where} is no frame of this run")
            if self.reading == "newest" or (self._last - self._reported) * 4 >= self._slots:
                self._report()
            return self._give(sequence, data)
        return None

    def _watch(self, dealer: "zmq.Socket[bytes]") -> None:
        self._arrivals = Arrivals(dealer)

    def _is_silent(self) -> bool:
        """Whether nothing has come for too long; ask again and again."""
        now = time.monotonic()
        if self._arrivals.has_part(self._heard, now):
            self._heard = now
            # The sim's heartbeats wait behind what comes, and a sim that hears nothing for three seconds hangs up.
            self._send_progress()
        return now >= self._heard + SILENCE_SECONDS

    def _report(self) -> None:
        if self._last > self._reported:
            self._reported = self._last
            self._send_progress()

    def _send_progress(self) -> None:
        self._dealer.send_json({"do": "progress", "id": 2, "sequence": self._last, "missed": self.missed})

    def _end(self, end: dict[str, Any]) -> None:
        self.missed += max(end["sequence"] - self._last, 0)
        self._last = max(end["sequence"], self._last)
        self.ended = "reason" not in end
        self.close()
        if not self.ended:
            raise Dropped(f"the sim at {self.where} dropped this subscriber: {end['reason']}")

    def close(self) -> None:
        if self._is_open:
            self._report()
            self._dealer.send_json({"do": "leave", "id": 3})
            self._close()

    def _close(self, linger: "int | None" = None) -> None:
        """linger: ms for what was not sent yet, in place of the socket's own."""
        self._is_open = False
        self._arrivals.close()
        self._dealer.close(linger)
