#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the stores of a fixture folder through the driver that GDAL loads, and compares how many are read right with
the committed numbers.

    check_fixtures.py FOLDER [--update] [--out FOLDER]

FOLDER has check_reading.py, for stores with known values, and check_broken.py, for malformed ones. The first reads through
the multidimensional and the classic API. Prints what both end with; their whole output goes to --out (build/fixtures). Exits 1 if there are fewer good results than in
data/fixtures_baseline.json; --update writes that file anew.
"""
import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "pymod"))

import plugin_in_use  # noqa: E402

BASELINE = os.path.join(HERE, "data", "fixtures_baseline.json")
CLOSING_LINE = re.compile(r"^(format |\d+ ok, )")


CHECKS = {"reading.txt": ["check_reading.py", "--classic"], "broken.txt": ["check_broken.py"]}


def start(folder, out, name):
    script, *options = CHECKS[name]
    path = os.path.join(out, name)
    command = [sys.executable, os.path.join(folder, script), *options]
    with open(path, "w") as f:
        return subprocess.Popen(command, stdout=f, stderr=subprocess.STDOUT), path


def closing_lines(process, path):
    process.wait()
    with open(path) as f:
        lines = [line.rstrip() for line in f if CLOSING_LINE.match(line)]
    if not lines:
        sys.exit(f"{path}: the check did not come to its end (status {process.returncode})")
    return lines


def count_ok(line):
    match = re.search(r"\bok (\d+)|(\d+) ok\b", line)
    return int(match.group(1) or match.group(2)) if match else 0


def counts(reading, broken):
    """How many are ok: per format, and of the malformed ones."""
    result = {line.split(":")[0]: count_ok(line) for line in reading if line.startswith("format ")}
    result["malformed"] = count_ok(broken[-1])
    return result


def load_baseline():
    if not os.path.exists(BASELINE):
        return {}
    with open(BASELINE) as f:
        return json.load(f)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--out", default=os.path.join(os.path.dirname(HERE), "build", "fixtures"))
    arguments = parser.parse_args()
    plugin_in_use.check()
    os.makedirs(arguments.out, exist_ok=True)

    checks = [start(arguments.folder, arguments.out, name) for name in CHECKS]
    reading, broken = (closing_lines(process, path) for process, path in checks)
    print("\n".join(reading + broken))
    print(f"(each failure is in {os.path.relpath(arguments.out)})")
    got = counts(reading, broken)
    if arguments.update:
        with open(BASELINE, "w") as f:
            json.dump(got, f, indent=2)
            f.write("\n")
        return 0
    worse = [f"{name}: {got.get(name, 0)} ok, there were {n}" for name, n in load_baseline().items() if got.get(name, 0) < n]
    print("\n".join(worse) if worse else "no fewer than in fixtures_baseline.json")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
