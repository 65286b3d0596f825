#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gathers a sweep's figures as Parquet, one row a figure, which DuckDB, Spark and Ray read.

Usage: tools/sweep_parquet.py FOLDER [FILE]     FOLDER is what `orrery bench sweep --out` wrote

Needs the Python package pyarrow. Columns are those of figures.csv, which `orrery bench sweep` writes
at its end; numbers are numbers. The file is there as a whole or not at all.
"""

import os
import sys


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__.strip().split("\n\n")[1], file=sys.stderr)
        return 64
    try:
        from pyarrow import csv, parquet
    except ImportError:
        print("sweep_parquet.py: needs pyarrow: pip install pyarrow", file=sys.stderr)
        return 69
    source = os.path.join(sys.argv[1], "figures.csv")
    target = sys.argv[2] if len(sys.argv) == 3 else os.path.join(sys.argv[1], "figures.parquet")
    if not os.path.isfile(source):
        print(f"sweep_parquet.py: {source}: no such file; run orrery bench sweep first", file=sys.stderr)
        return 69
    texts = ["figure", "unit", "better", "hash", "state_hash", "machine", "commit", "date", "scene", "isa"]
    types = {name: "string" for name in texts}
    table = csv.read_csv(source, convert_options=csv.ConvertOptions(column_types=types))
    partial = f"{target}.{os.getpid()}.partial"
    try:
        parquet.write_table(table, partial)
        os.rename(partial, target)
    except OSError as error:
        print(f"sweep_parquet.py: {target}: {error.strerror}", file=sys.stderr)
        return 74
    print(f"{target}: {table.num_rows} figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
