# SPDX-License-Identifier: Apache-2.0
"""Runs the code of a notebook, cell by cell, as Jupyter does: a line with ! is one of the shell, and the value of a
cell's last expression is shown.

Usage: notebook.py FILE.ipynb, in an empty folder; ORRERY_BIN names the programs' directory.
"""
import ast
import json
import os
import subprocess
import sys


def show(value):
    picture = getattr(value, "_repr_svg_", None)
    print("a picture: " + picture()[:4] if picture else repr(value))


def run(source, names):
    if source.startswith("!"):
        for line in source.splitlines():
            subprocess.run(line.removeprefix("!"), shell=True, check=True)
        return
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    if value is not None:
        show(value)


if __name__ == "__main__":
    os.environ["PATH"] = os.environ["ORRERY_BIN"] + ":" + os.environ["PATH"]
    with open(sys.argv[1]) as file:
        cells = json.load(file)["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            run("".join(cell["source"]), names)
            sys.stdout.flush()
