#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How cost grows with size: scaling.py [--only NAME,...] [--svg FILE] [--seconds 20] [--runs 3].

Each line is one kind of work of scaling_work.py at sizes that are multiplied by ten (processes and threads: by two) until a
run takes more than `--seconds`. The plugin and GDAL's own driver take turns in new processes. Printed are the least seconds
of the processors, the least of the peaks of memory besides the pixels, and the exponents over the upper sizes: 1 is linear."""

import argparse
import dataclasses
import math
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Callable

import plot
import scaling_stores as stores

FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else None
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scaling_work.py")
LEAST_SECONDS = 0.02  # shorter times are those of opening, and tell nothing of growth
MIB = 2**20


@dataclasses.dataclass
class Line:
    """One curve: what is done (a function of scaling_work.py), to what, at which sizes."""

    title: str
    unit: str
    work: str
    make: Callable
    sizes: list
    changes: bool = False  # the work changes the store


def powers(first, last):
    return [10**i for i in range(first, last + 1)]


PEERS = [1, 2, 4, 8, 16, 32, 64]
LINES = {
    # A million names is what a folder in memory may have.
    "chunks": Line("read, all chunks stored", "chunks", "read_all", stores.make_all_chunks, powers(2, 6)),
    "few_chunks": Line("read, 1 % stored", "chunks", "read_all", stores.make_few_chunks, powers(2, 7)),
    "write_chunks": Line("write all chunks", "chunks", "write_all", stores.make_few_chunks, powers(2, 5), True),
    "arrays": Line("list, read one", "arrays", "read_one_of_arrays", stores.make_arrays, [*powers(1, 4), 50000]),
    "attributes": Line("list attributes", "bytes", "read_attributes", stores.make_attributes, powers(3, 8)),
    "add_attribute": Line("add an attribute", "bytes", "add_attribute", stores.make_attributes, powers(3, 8), True),
    "shard": Line("read a shard", "inner chunks", "read_all", stores.make_shard, powers(2, 6)),
    "shard_window": Line("read one inner chunk", "inner chunks", "read_window", stores.make_shard, powers(2, 6)),
    "write_shard": Line("write a shard", "inner chunks", "write_all", stores.make_shard, powers(2, 6), True),
    "writers": Line("write from processes", "processes", "write_from_processes", stores.make_empty, PEERS, True),
    "readers": Line("read from threads", "threads", "read_from_threads", stores.make_readable, PEERS),
}


class Driver:
    """What one driver takes: (seconds, bytes) by size; and why it does not do the work."""

    def __init__(self, environment):
        self.environment, self.results, self.fault = environment, {}, ""

    def run(self, line, size, path):
        command = [sys.executable, WORKER, line.work, str(size), path]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.fault = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1][:80]
            return
        result = [float(word) for word in done.stdout.split()]
        self.results[size] = list(map(min, result, self.results.get(size, result)))

    def can_go_on(self, seconds):
        return not self.fault and max((r[0] for r in self.results.values()), default=0) < seconds

    def get_points(self, number, unit):
        return [(size, max(result[number] / unit, 0.01)) for size, result in self.results.items()]

    def get_exponent(self):
        """Over the upper sizes, at most four."""
        sizes = [size for size, result in sorted(self.results.items()) if result[0] >= LEAST_SECONDS][-4:]
        if len(sizes) < 2:
            return math.nan
        times = [self.results[size][0] for size in sizes]
        return math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])


def measure(line, seconds, runs):
    """Returns the plugin and GDAL's own driver."""
    own = {k: v for k, v in os.environ.items() if k != "GDAL_DRIVER_PATH"}
    drivers = [Driver({**os.environ, "GDAL_PAM_ENABLED": "NO"}), Driver({**own, "GDAL_PAM_ENABLED": "NO"})]
    for size in line.sizes:
        going = [driver for driver in drivers if driver.can_go_on(seconds)]
        if going:
            measure_size(line, size, going, runs)
    return drivers


def measure_size(line, size, drivers, runs):
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        store = os.path.join(folder, "store.zarr")
        line.make(store, size)
        for number in range(runs):
            for driver in drivers if number % 2 == 0 else drivers[::-1]:
                driver.run(line, size, store)
                if line.changes:
                    shutil.rmtree(store)
                    line.make(store, size)


def print_line(name, drivers):
    plugin, own = drivers
    for size, (seconds, memory) in sorted(plugin.results.items()):
        other = own.results.get(size)
        shown = f"{other[0]:.3f} | {other[1] / MIB:.1f}" if other else "- | -"
        print(f"| {name} | {size:g} | {seconds:.3f} | {memory / MIB:.1f} | {shown} |", flush=True)


def summarize(name, drivers):
    plugin, own = drivers
    if plugin.fault:
        return f"{name}: not done: {plugin.fault}"
    other = f"GDAL's own driver: {own.fault}" if own.fault else f"GDAL's own {own.get_exponent():.2f}"
    return f"{name}: exponent {plugin.get_exponent():.2f}; {other}"


def make_panels(line, drivers):
    panels = []
    for number, unit, what in ((0, 0.001, "ms of the processors"), (1, MIB, "MiB")):
        points, others = (driver.get_points(number, unit) for driver in drivers)
        panels.append(plot.Panel(f"{line.title}: {what}", line.unit, points, others))
    return panels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names of lines, separated by commas", default=",".join(LINES))
    parser.add_argument("--svg", help="where the charts go")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print("| work | size | s | MiB | GDAL's own, s | MiB |\n|---|---|---|---|---|---|")
    notes, panels = [], []
    for name in arguments.only.split(","):
        drivers = measure(LINES[name], arguments.seconds, arguments.runs)
        print_line(name, drivers)
        notes.append(summarize(name, drivers))
        if not drivers[0].fault:
            panels += make_panels(LINES[name], drivers)
    print("\n" + "\n".join(notes))
    if arguments.svg:
        with open(arguments.svg, "w") as f:  # Matplotlib's would be ten times as large
            f.write(plot.svg(panels))


if __name__ == "__main__":
    main()
