# SPDX-License-Identifier: Apache-2.0
"""Compresses columns of floats as other libraries do, and prints what it took as a line of JSON.

Usage: column_peers.py LIBRARY FILE FRAMES VALUES[,VALUES…] SECONDS

FILE has the floats of one column after another, frame by frame; each column has FRAMES times its VALUES. Every library
gets a column in whole, entity by entity and frame by frame: the order that is smaller counts. It is compressed and
decompressed again until the seconds are over, on one thread; each library has its own defaults.
"""
import json
import sys
import time

import numpy as np


def pcodec():
    from pcodec import ChunkConfig, standalone

    return lambda x: standalone.simple_compress(x, ChunkConfig()), standalone.simple_decompress, len


def blosc2():
    import blosc2 as library

    def compress(x):
        return library.compress2(
            x, typesize=4, codec=library.Codec.ZSTD, clevel=5, filters=[library.Filter.SHUFFLE], nthreads=1)

    return compress, lambda data: np.frombuffer(library.decompress2(data), "<f4"), len


def vortex():
    import pyarrow
    import vortex as library

    return (
        lambda x: library.compress(library.array(pyarrow.array(x))),
        lambda data: data.to_arrow_array().to_numpy(), lambda data: data.nbytes)


def zstd():
    import zstandard

    compressor, decompressor = zstandard.ZstdCompressor(level=3), zstandard.ZstdDecompressor()
    return (
        lambda x: compressor.compress(x.tobytes()),
        lambda data: np.frombuffer(decompressor.decompress(data), "<f4"), len)


def measure(columns, compress, decompress, size, seconds):
    packed = [compress(x) for x in columns]
    times = [[], []]
    end = time.monotonic() + seconds
    while not times[0] or time.monotonic() < end:
        for into, work, items in ((times[0], compress, columns), (times[1], decompress, packed)):
            start = time.process_time()
            results = [work(item) for item in items]
            into.append(time.process_time() - start)
        if any((a.view("<u4") != b.view("<u4")).any() for a, b in zip(results, columns)):
            raise SystemExit("the values that came back are others")
    total = sum(x.nbytes for x in columns)
    return {
        "bits": sum(map(size, packed)) * 32 / total, "inBytesPerSecond": total / min(times[0]),
        "outBytesPerSecond": total / min(times[1])}


library, path, frames, counts, seconds = sys.argv[1:]
data, frames, start, columns = np.fromfile(path, "<f4"), int(frames), 0, []
for count in map(int, counts.split(",")):
    columns.append(data[start:start + frames * count].reshape(frames, count))
    start += frames * count
codec = {"pcodec": pcodec, "blosc2": blosc2, "vortex": vortex, "zstd": zstd}[library]()
orders = {
    "frame by frame": [np.ascontiguousarray(x).ravel() for x in columns],
    "entity by entity": [np.ascontiguousarray(x.T).ravel() for x in columns]}
results = [measure(x, *codec, float(seconds)) | {"order": order} for order, x in orders.items()]
print(json.dumps(min(results, key=lambda result: result["bits"])))
