#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of a sweep as tasks of Ray, and retries those that fail.

Usage: tools/sweep_ray.py PLAN.toml FOLDER [--cores N] [--retries N] [--bench PROGRAM]

Needs the Python package ray. Each case asks Ray for its threads and one core more, so cases that would
disturb each other do not run at the same time on a machine. FOLDER must be on a file system that all of
Ray's machines see. Complete cases are skipped, so the same command goes on after a failure.
"""

import argparse
import os
import subprocess
import sys
import tomllib


def cases_of(plan: str, bench: list[str], folder: str) -> list[tuple[int, bool]]:
    """The numbers of all cases, and whether each is complete."""
    run = subprocess.run([*bench, "sweep", plan, "--out", folder, "--list"], capture_output=True, text=True)
    if run.returncode:
        sys.stderr.write(run.stderr)
        sys.exit(run.returncode)
    lines = run.stdout.splitlines()
    return [(number, line.startswith("complete")) for number, line in enumerate(lines)]


def cores_of(plan: str) -> int:
    """Cores of a case: the most threads that the plan asks for, and one for the programs beside the sim."""
    with open(plan, "rb") as file:
        tables = tomllib.load(file)
    threads = [tables.get("run", {}).get("threads", 1), *tables.get("grid", {}).get("threads", [])]
    return max(threads) + 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("plan")
    parser.add_argument("folder")
    parser.add_argument("--cores", type=int, help="cores of a case; default: by the plan")
    parser.add_argument("--retries", type=int, default=2, help="how often a case that fails is run again")
    parser.add_argument("--bench", default="bench", help="the program bench; default: on PATH")
    words = parser.parse_args()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        print("sweep_ray.py: needs ray: pip install ray", file=sys.stderr)
        return 69
    cases = cases_of(words.plan, [words.bench], words.folder)
    cores = words.cores or cores_of(words.plan)
    # A cluster is named by RAY_ADDRESS; without it, Ray runs on this machine, and listens to it alone.
    local = {} if "RAY_ADDRESS" in os.environ else {"_node_ip_address": "127.0.0.1", "include_dashboard": False}
    ray.init(log_to_driver=False, logging_level="error", **local)
    if ray.cluster_resources().get("CPU", 0) < cores:
        print(f"sweep_ray.py: a case needs {cores} cores, no machine has them; see --cores", file=sys.stderr)
        return 71

    @ray.remote(num_cpus=cores, max_retries=words.retries, retry_exceptions=True)
    def measure(number: int) -> int:
        arguments = ["sweep", words.plan, "--out", words.folder, "--case", str(number)]
        run = subprocess.run([words.bench, *arguments], capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(run.stderr.strip() or f"exit code {run.returncode}")
        return number

    tasks = {measure.remote(number): number for number, is_complete in cases if not is_complete}
    failed = 0
    while tasks:
        (done,), _ = ray.wait(list(tasks), num_returns=1)
        number = tasks.pop(done)
        try:
            ray.get(done)
            print(f"case {number} is complete, {len(tasks)} to do", flush=True)
        except Exception as error:
            failed += 1
            print(f"sweep_ray.py: case {number}: {error}", file=sys.stderr)
    # Writes figures.csv; all cases are complete, so nothing is measured.
    return subprocess.run([words.bench, "sweep", words.plan, "--out", words.folder, "--resume"]).returncode if not failed else 1


if __name__ == "__main__":
    sys.exit(main())
