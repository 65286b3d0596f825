#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Tests/Fixtures/foreign with the official MCAP package: whole files, in ways that Orrery's writer does not use.

  pip install mcap
  foreign-traces.py FOLDER

unchunked.mcap   messages outside of chunks, whose sequence makes each look like the index of a chunk
no-repeat.mcap   the summary repeats neither schemas nor channels
default.mcap     the writer's defaults: no checksum of the data section
empty.mcap       no message
"""

import os
import sys

from mcap.writer import CompressionType, Writer

DATA = b'{"value":' + b"1" * 90 + b"}"


def write(path, count, sequence, **options):
    with open(path, "wb") as file:
        writer = Writer(file, compression=CompressionType.NONE, **options)
        writer.start(library="foreign")
        schema = writer.register_schema("case.Value", "jsonschema", b'{"type":"object"}')
        channel = writer.register_channel("/case", "json", schema)
        for number in range(count):
            time = 10**9 + number * 10**6
            writer.add_message(
                channel, log_time=time, publish_time=time, data=DATA, sequence=sequence(number)
            )
        writer.finish()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    path = lambda name: os.path.join(folder, name + ".mcap")
    write(path("unchunked"), 20, lambda number: len(DATA) + 16, use_chunking=False)
    write(path("no-repeat"), 20, lambda number: number, repeat_channels=False, repeat_schemas=False)
    write(path("default"), 20, lambda number: number)
    write(path("empty"), 0, lambda number: number)


if __name__ == "__main__":
    main()
