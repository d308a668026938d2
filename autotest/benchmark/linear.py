# SPDX-License-Identifier: MIT
"""How the time of what a user does n times grows with n: linear.py [--only NAME,...] [--seconds 8] [--most 16000].

Each line is one kind of work of linear_work.py in one version of the format. The plugin and GDAL's own driver, where it
can do the work, take turns in new processes. The number doubles until the budget of a line is used up. Printed are the
seconds of the processor, how many times as long each doubling takes, and the exponent over all of them: 1 is linear."""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time

from linear_work import WORK

FEWEST, RUNS, MOST_GROWTH = 250, 3, 2.2
LEAST_SECONDS = 0.05  # the growth of shorter times tells little
# In memory: ext4 looks for a new file among those that were removed a moment ago, of other runs.
FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else None
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "linear_work.py")


class Runs:
    """The least seconds of several runs of one driver, by number; and why it does not do the work."""

    def __init__(self, environment):
        self.environment, self.seconds, self.fault = environment, {}, ""

    def add(self, name, version, count):
        if self.fault:
            return
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            command = [sys.executable, WORKER, name, str(version), str(count), folder]
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.fault = (done.stderr.strip().splitlines() or ["?"])[-1][:60]
            return
        seconds = float(done.stdout.split()[-1])
        self.seconds[count] = min(seconds, self.seconds.get(count, seconds))

    def show(self, count):
        return f"{self.seconds[count]:.3f}" if count in self.seconds else "-"

    def get_growth(self, count):
        return self.seconds[count] / max(self.seconds[count // 2], 1e-4)

    def get_exponent(self):
        """Over the upper three doublings, where what does not grow counts little."""
        counts = sorted(self.seconds)[-4:]
        if len(counts) < 2:
            return math.nan
        times = [max(self.seconds[count], 1e-4) for count in (counts[0], counts[-1])]
        return math.log(times[1] / times[0]) / math.log(counts[-1] / counts[0])


def measure(name, version, budget, most):
    """Returns the runs of the plugin and of GDAL's own driver."""
    own = {k: v for k, v in os.environ.items() if k != "GDAL_DRIVER_PATH"}
    drivers = [Runs(dict(os.environ)), Runs(own)]
    begin, count = time.monotonic(), FEWEST
    while count <= most and time.monotonic() - begin < budget:
        for _ in range(RUNS):
            for driver in drivers:
                if not driver.fault:
                    driver.add(name, version, count)
        if drivers[0].fault:
            break
        count *= 2
    return drivers


def print_work(name, version, drivers):
    plugin, own = drivers
    for count in sorted(plugin.seconds):
        growth = f"{plugin.get_growth(count):.2f}" if count > FEWEST else ""
        ratio = f"{plugin.seconds[count] / max(own.seconds[count], 1e-4):.2f}" if count in own.seconds else "-"
        print(f"| {name} | v{version} | {count} | {plugin.show(count)} | {growth} | {own.show(count)} | {ratio} |", flush=True)


def summarize(name, version, drivers):
    plugin, own = drivers
    if plugin.fault:
        return f"{name} v{version}: not done: {plugin.fault}"
    counts = [count for count in plugin.seconds if count > FEWEST and plugin.seconds[count // 2] >= LEAST_SECONDS]
    worst = max((plugin.get_growth(count) for count in counts), default=math.nan)
    slower = [count for count in own.seconds if count >= 1000 and plugin.seconds[count] > own.seconds[count]]
    notes = [f"exponent {plugin.get_exponent():.2f}", f"worst doubling {worst:.2f}"]
    notes.append(f"GDAL's own {own.get_exponent():.2f}" if own.seconds else f"GDAL's own driver: {own.fault}")
    if worst > MOST_GROWTH:
        notes.append(f"MORE THAN {MOST_GROWTH}")
    if slower:
        notes.append("SLOWER THAN GDAL'S OWN at " + ", ".join(map(str, sorted(slower))))
    return f"{name} v{version}: " + "; ".join(notes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names of work, separated by commas", default=",".join(WORK))
    parser.add_argument("--versions", default="2,3")
    parser.add_argument("--seconds", type=float, default=8, help="after so many, the number is not doubled again")
    parser.add_argument("--most", type=int, default=16000)
    arguments = parser.parse_args()
    print("| work | format | n | s | times | GDAL's own, s | ratio |\n|---|---|---|---|---|---|---|")
    notes = []
    for name in arguments.only.split(","):
        for version in map(int, arguments.versions.split(",")):
            drivers = measure(name, version, arguments.seconds, arguments.most)
            print_work(name, version, drivers)
            notes.append(summarize(name, version, drivers))
    print("\n" + "\n".join(notes))


if __name__ == "__main__":
    main()
