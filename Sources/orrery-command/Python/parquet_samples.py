#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a table in Parquet as CSV: what `orrery scene import FILE.parquet` reads.

    parquet_samples.py FILE BYTES

It stops behind so many bytes, which are as many as a scene may have. If something is wrong, the exit code and the reason are
printed in place of the table.
"""
import io
import sys


def fail(status, reason):
    """Ends the program: 69 if something is missing, 65 if the file is wrong, 74 if it cannot be read."""
    print(status, *str(reason).split())
    sys.exit(status)


def main(path, room):
    try:
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        fail(69, "pyarrow is missing; pip install pyarrow, or name a Python that has it: ORRERY_PYTHON=…/bin/python")
    try:
        source = open(path, "rb")
        table = pyarrow.parquet.ParquetFile(source)
        nested = [field.name for field in table.schema_arrow if field.type.num_fields]
        if nested:
            fail(65, f"column {nested[0]} has several values in a row")
        text = io.BytesIO()
        with pyarrow.csv.CSVWriter(text, table.schema_arrow) as writer:
            for batch in table.iter_batches(batch_size=65536):
                writer.write_batch(batch)
                if text.tell() > room:
                    break
    except OSError as error:
        fail(74 if error.errno else 65, error.strerror or error)
    except pyarrow.ArrowException as error:
        fail(65, error)
    sys.stdout.buffer.write(text.getvalue())


main(sys.argv[1], int(sys.argv[2]))
