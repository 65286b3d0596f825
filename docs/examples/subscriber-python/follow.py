# SPDX-License-Identifier: Apache-2.0
"""Usage: follow.py NAME | tcp://HOST:PORT    prints the first x of each frame; needs the package of tools/python."""
import sys

import orrery

if len(sys.argv) != 2:
    sys.exit(__doc__)
try:
    with orrery.attach(sys.argv[1], wait=5) as frames:
        for frame in frames:
            tick, x = frame.tick, float(frame["x"][0])
            if frame.is_whole:  # not overwritten meanwhile
                print(frame.sequence, tick, x, flush=True)
        print(f"{frames.received} received, {frames.missed} missed")
except orrery.Error as error:
    sys.exit(f"follow.py: {error}")
