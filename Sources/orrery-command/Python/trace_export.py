#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a trace's values as Arrow or Parquet files: what `orrery trace export arrow|parquet` runs.

The rows come from `orrery trace export csv`, so that every kind of trace can be exported: whole frames, deltas and
digests. They are written into a folder with one file for each run, shard and second of scene time:

    OUT/run=NAME/shard=0/second=12/part-0.parquet

A row is one entity at one tick. DuckDB, polars, Spark and Ray read such a folder, or one above many of them, as one table, with
`run`, `shard` and `second` as columns. Memory is bounded by one batch of rows and the files of the seconds that are open.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

try:
    import pyarrow as pa
    import pyarrow.compute
    import pyarrow.csv
    import pyarrow.dataset
    import pyarrow.parquet
except ImportError:
    print(
        "orrery trace export: pyarrow is missing; pip install pyarrow, or name a Python that has it: "
        "ORRERY_PYTHON=…/bin/python",
        file=sys.stderr,
    )
    sys.exit(69)

INTEGERS = {"sequence": pa.uint64(), "tick": pa.uint64(), "entity": pa.uint32()}
TEXTS = ("name", "kind")
# The exit code of a trace of which something is missing: its rows were written.
INCOMPLETE = 3
BOUNDS = ("--from", "--to", "--from-tick", "--to-tick")


def fail(reason):
    """Ends the program with the exit code of an I/O error."""
    print(f"trace_export.py: {reason}", file=sys.stderr)
    sys.exit(74)


def arguments():
    parser = argparse.ArgumentParser(prog="trace_export.py", description=__doc__.splitlines()[0])
    parser.add_argument("format", choices=["arrow", "parquet"])
    parser.add_argument("--orrery", required=True, help="the program orrery")
    parser.add_argument("--out", required=True, help="the folder to write")
    parser.add_argument("--entity", action="append", default=[])
    parser.add_argument("--columns")
    parser.add_argument("--every", default="1")
    for bound in BOUNDS:
        parser.add_argument(bound)
    parser.add_argument("--run", help="value of the column run; default: the folder's name")
    parser.add_argument("--force", action="store_true", help="replace a folder that is there")
    parser.add_argument("files", nargs="+")
    return parser.parse_args()


def command(options):
    words = [options.orrery, "trace", "export", "csv", *options.files, "--every", options.every]
    for bound in BOUNDS:
        value = getattr(options, bound[2:].replace("-", "_"))
        if value is not None:
            words += [bound, value]
    if options.columns:
        words += ["--columns", options.columns]
    if options.entity:
        words += ["--entity", *options.entity]
    return words


def batches(stream):
    """Batches of rows, with types that do not depend on what the first rows have."""
    convert = pa.csv.ConvertOptions(
        column_types={**INTEGERS, **{name: pa.string() for name in TEXTS}},
        null_values=["NaN"],
        strings_can_be_null=False,
    )
    read = pa.csv.ReadOptions(block_size=8 << 20)
    reader = pa.csv.open_csv(stream, read_options=read, convert_options=convert)
    for batch in reader:
        fields, columns = [], []
        for field, column in zip(batch.schema, batch.columns):
            if field.name in INTEGERS or field.name == "time_s":
                kind = INTEGERS.get(field.name, pa.float64())
            elif field.name in TEXTS:
                # A name stands in many rows.
                kind = pa.dictionary(pa.int32(), pa.string())
                column = column.dictionary_encode()
            else:
                # Values are floats: their text gives the same bits again.
                kind = pa.float32()
            fields.append(pa.field(field.name, kind))
            columns.append(column.cast(kind))
        yield pa.record_batch(columns, schema=pa.schema(fields))


class Folder:
    """The files of a folder: of the newest seconds, those that may get more rows are open."""

    OPEN_MAX = 8

    def __init__(self, options, root):
        self.format = options.format
        run = options.run or re.sub(r"[^A-Za-z0-9._-]", "_", run_name(options))
        self.root = os.path.join(root, f"run={run}", f"shard={shard(options)}")
        self.open = {}
        self.parts = {}
        self.rows = 0

    def write(self, batch):
        seconds = pa.compute.floor(batch.column("time_s")).cast(pa.int64())
        for second in pa.compute.unique(seconds).to_pylist():
            rows = batch.filter(pa.compute.equal(seconds, second))
            self.writer(second, rows.schema).write_batch(rows)
            self.rows += rows.num_rows

    def writer(self, second, schema):
        if second not in self.open:
            while len(self.open) >= self.OPEN_MAX:
                self.open.pop(next(iter(self.open))).close()
            folder = os.path.join(self.root, f"second={second}")
            os.makedirs(folder, exist_ok=True)
            # A run that was sent back comes to a second again.
            part = self.parts.get(second, 0)
            self.parts[second] = part + 1
            path = os.path.join(folder, f"part-{part}.{self.format}")
            if self.format == "parquet":
                writer = pa.parquet.ParquetWriter(path, schema, compression="zstd")
            else:
                writer = pa.ipc.new_file(path, schema)
            self.open[second] = writer
        return self.open[second]

    def close(self):
        for writer in self.open.values():
            writer.close()


def recorded(options):
    """What `orrery trace info` says of the runs in the files, one for each shard."""
    import json

    try:
        words = [options.orrery, "trace", "info", *options.files, "--json"]
        found = subprocess.run(words, capture_output=True, timeout=60, check=False)
        return json.loads(found.stdout or b"{}").get("runs") or []
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []


def run_name(options):
    """The first file's name, without what marks a shard's and a file of a set: runs of one scene often share the run's own
    name."""
    name = os.path.splitext(os.path.basename(options.files[0]))[0]
    return re.sub(r"(\.\d+of\d+)?(\.\d{4,})?$", "", name)


def shard(options):
    """The shard that the files are of; 0 for a whole run, and for all shards of one."""
    runs = recorded(options)
    return (runs[0].get("shard") or {}).get("index", 0) if len(runs) == 1 else 0


def main():
    options = arguments()
    if os.path.exists(options.out):
        if not options.force:
            fail(f"{options.out}: is there already; --force replaces it")
        if not os.path.isdir(options.out) or not all(
            name.startswith("run=") for name in os.listdir(options.out)
        ):
            fail(f"{options.out}: is no folder of tables; it stays")
    # Beside it until it is complete: a failure leaves what was there, and nothing of its own.
    partial = f"{options.out.rstrip('/')}.{os.getpid()}.partial"
    try:
        folder = Folder(options, partial)
        with subprocess.Popen(command(options), stdout=subprocess.PIPE) as rows:
            try:
                for batch in batches(rows.stdout):
                    folder.write(batch)
            finally:
                folder.close()
        if rows.returncode not in (0, INCOMPLETE):
            sys.exit(rows.returncode)
        os.makedirs(partial, exist_ok=True)
        if os.path.exists(options.out):
            shutil.rmtree(options.out)
        os.rename(partial, options.out)
    except OSError as error:
        fail(f"{options.out}: {error.strerror or error}")
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    print(f"{options.out}: {folder.rows} rows", file=sys.stderr)
    sys.exit(rows.returncode)


if __name__ == "__main__":
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    # Arrow's threads may outlive the interpreter, which then aborts though all is written.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
