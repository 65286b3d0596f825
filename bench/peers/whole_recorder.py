# SPDX-License-Identifier: Apache-2.0
"""Records the frames of bench/peers/whole.cpp with the Python package mcap, and prints a line of JSON at the end.

Usage: whole_recorder.py ENDPOINT OUT

Counts frames, missed ones, and the nanoseconds from each frame's due time until it was given to the writer.
"""
import json
import os
import sys
import time

import zmq
from mcap.writer import CompressionType, Writer

endpoint, out = sys.argv[1:]
socket = zmq.Context().socket(zmq.SUB)
# As many as the publisher keeps: a second of frames at 60 Hz.
socket.setsockopt(zmq.RCVHWM, 60)
socket.setsockopt(zmq.SUBSCRIBE, b"")
socket.setsockopt(zmq.RCVTIMEO, 60_000)
socket.connect(endpoint)


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


waits, bytes_all, last, missed = [], 0, -1, 0
with open(out, "wb") as stream:
    writer = Writer(stream, chunk_size=4 << 20, compression=CompressionType.NONE)
    writer.start()
    schema = writer.register_schema("Frame", "protobuf", b"")
    channel = writer.register_channel("/frames", "protobuf", schema)
    begin = time.monotonic_ns()
    while message := socket.recv(copy=False).buffer:
        tick, at = varint(message, 1)
        due, _ = varint(message, at + 1)
        writer.add_message(channel, log_time=due, data=bytes(message), publish_time=due, sequence=tick)
        waits.append(time.monotonic_ns() - due)
        missed += tick - last - 1
        last = tick
        bytes_all += len(message)
    writer.finish()
waits.sort()
usage = os.times()
print(json.dumps({
    "frames": len(waits), "missed": missed, "bytes": bytes_all, "cpu_seconds": usage.user + usage.system,
    "p50_ns": waits[len(waits) // 2] if waits else 0, "p99_ns": waits[int(0.99 * len(waits))] if waits else 0,
    "max_ns": waits[-1] if waits else 0,
}))
