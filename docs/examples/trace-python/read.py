# SPDX-License-Identifier: Apache-2.0
"""Usage: read.py TRACE ...    prints how far each entity moved; needs the package of tools/python."""
import sys

import orrery

if len(sys.argv) < 2:
    sys.exit(__doc__)
try:
    trace = orrery.open(*sys.argv[1:])
    times, x = trace.array("x")  # seconds of the scene; a row for each frame, a column for each entity
    for entity, column in enumerate(x.T):
        print(f"entity {entity}: x {column.min():.6g} to {column.max():.6g} in {times[-1]:.6g} s")
    print(f"{len(times)} frames" + ("" if trace.is_whole else ", unfinished"))
except orrery.Error as error:
    sys.exit(f"read.py: {error}")
