# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/how-to/python.md says of speed: the step from one frame to the view of the next, and losses.

Usage: ORRERY_BIN=… PYTHONPATH=tools/python python3 tools/python/tests/measure.py [SECONDS]
"""
import re
import sys
import time

import numpy as np

import orrery


def follow(entities, rate, seconds, spins, reads_all):
    """Times `next` and the view alone, when a frame is there already; then reads the values, and checks the frame."""
    torn, steps = 0, []
    with orrery.run("stress", entities=entities, rate=rate, duration=seconds, wait_for=1) as run:
        with run.attach(from_frame=1) as frames:
            while True:
                while frames._words[16] == frames._last and not frames._words[24]:
                    if not spins:
                        frames._sleep(0.1)
                began = time.perf_counter_ns()
                frame = frames.next()
                if frame is None:
                    break
                view = frame.arrays[0]
                steps.append(time.perf_counter_ns() - began)
                for values in frame.arrays if reads_all else (view[:1],):
                    values.sum()
                torn += not frame.is_whole
        late = run.wait()["pace"]["late_ticks"]
    p50, p90, p99 = np.percentile(steps, [50, 90, 99]) / 1e3
    print(f"{entities} entities, {rate} Hz, {'polling' if spins else 'sleeping'}: step p50 {p50:.1f}, p90 {p90:.1f}, "
          f"p99 {p99:.1f} µs; {frames.received} frames, {frames.missed} lost, {torn} torn, {late} ticks late")


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    with open("/proc/cpuinfo") as info:
        print(re.search("model name\\s*: (.*)", info.read())[1])
    follow(1000, 1000, seconds, True, False)
    follow(1000, 1000, seconds, False, False)
    follow(1_000_000, 60, seconds, True, True)
    follow(1_000_000, 60, seconds, False, True)
