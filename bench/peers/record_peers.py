# SPDX-License-Identifier: Apache-2.0
"""Writes frames into a trace as other libraries do, and prints what it took as a line of JSON.

Usage: record_peers.py LIBRARY COMPRESSION FRAMES FRAME_BYTES SECONDS OUT

FRAMES is a file of whole frames; they are written in turn until the seconds are over.
"""
import json
import os
import sys
import time


def mcap_writer(out, compression, chunk_bytes):
    from mcap.writer import CompressionType, Writer

    kind = {"none": CompressionType.NONE, "lz4": CompressionType.LZ4, "zstd": CompressionType.ZSTD}
    stream = open(out, "wb")
    writer = Writer(stream, chunk_size=chunk_bytes, compression=kind[compression])
    writer.start()
    schema = writer.register_schema("orrery.Frame", "protobuf", b"")
    channel = writer.register_channel("/orrery/frames", "protobuf", schema)

    def write(number, frame):
        writer.add_message(channel, log_time=number, data=frame, publish_time=number)

    def finish():
        writer.finish()
        stream.close()

    return write, finish


def foxglove_writer(out, compression, chunk_bytes):
    import foxglove
    from foxglove.mcap import MCAPCompression, MCAPWriteOptions

    kind = {"none": None, "lz4": MCAPCompression.Lz4, "zstd": MCAPCompression.Zstd}
    options = MCAPWriteOptions(
        compression=kind[compression], chunk_size=chunk_bytes, calculate_chunk_crcs=True,
        calculate_data_section_crc=True, calculate_summary_section_crc=True)
    writer = foxglove.open_mcap(out, allow_overwrite=True, writer_options=options)
    schema = foxglove.Schema(name="orrery.Frame", encoding="protobuf", data=b"")
    channel = foxglove.Channel("/orrery/frames", schema=schema, message_encoding="protobuf")

    def write(number, frame):
        channel.log(frame, log_time=number)

    return write, writer.close


library, compression, path, frame_bytes, seconds, out = sys.argv[1:]
data = open(path, "rb").read()
size = int(frame_bytes)
frames = [data[i:i + size] for i in range(0, len(data), size)]
make = {"mcap": mcap_writer, "foxglove-sdk": foxglove_writer}[library]
write, finish = make(out, compression, 4 << 20)
count, start = 0, time.monotonic()
while time.monotonic() - start < float(seconds):
    write(count, frames[count % len(frames)])
    count += 1
finish()
wall = time.monotonic() - start
print(json.dumps({"frames": count, "seconds": wall, "stored": os.path.getsize(out)}))
os.remove(out)
