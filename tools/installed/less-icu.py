#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ICU's data without the three quarters that no program asks for, as an object file for the linker.

Usage: less-icu.py OBJECT OUT      OBJECT: icu_packaged_data.cpp.o of Swift's lib_FoundationICU.a

What Orrery asks of it are locales (their names, scripts and directions), names of currencies, codes of regions, and
the hours of time zones. Needs clang, llvm-nm and llvm-objcopy on PATH, as a toolchain of Swift has them.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

# Sorting, line breaks, units, numbers in words, other alphabets; names of languages, regions and zones; encodings.
FOLDERS = {"coll", "brkitr", "unit", "rbnf", "translit", "lang", "region", "zone"}


def is_left_out(path):
    folder, _, name = path.partition("/")[2].rpartition("/")
    return folder in FOLDERS or name.endswith(".cnv")


def less(data):
    """The package again: a head, then the paths and offsets of its files, in order, then paths and files."""
    head = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, head)[0]
    offsets = [struct.unpack_from("<II", data, head + 4 + 8 * index) for index in range(count)]
    ends = [offset for _, offset in offsets[1:]] + [len(data) - head]
    files = []
    for (name, start), end in zip(offsets, ends):
        path = data[head + name:data.index(b"\0", head + name) + 1]
        if not is_left_out(path[:-1].decode()):
            files.append((path, data[head + start:head + end]))
    paths = b"".join(path for path, _ in files)
    table, end = [], 4 + 8 * len(files)
    body_start = body = end + len(paths) + -(head + end + len(paths)) % 16
    for path, content in files:
        table.append(struct.pack("<II", end, body))
        end += len(path)
        body += len(content) + -len(content) % 16
    return (data[:head] + struct.pack("<I", len(files)) + b"".join(table) + paths).ljust(head + body_start, b"\0") \
        + b"".join(content.ljust(len(content) + -len(content) % 16, b"\0") for _, content in files)


def main():
    source, out = sys.argv[1:]
    symbol = subprocess.check_output(["llvm-nm", "--format=just-symbols", source], text=True).strip()
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "data")
        subprocess.run(["llvm-objcopy", "-O", "binary", "--only-section=.rodata", source, data], check=True)
        data.write_bytes(less(data.read_bytes()))
        text = f'.section .rodata\n.globl {symbol}\n.p2align 6\n{symbol}:\n.incbin "{data}"\n' \
            '.section .note.GNU-stack,"",@progbits\n'
        subprocess.run(["clang", "-c", "-x", "assembler", "-", "-o", out], input=text, text=True, check=True)


main()
