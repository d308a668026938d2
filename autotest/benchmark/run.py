#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the plugin against the limit, GDAL's built-in driver, GeoTIFF and zarr-python; prints a Markdown table.

    run.py [--quick] [--only TEXT] [--runs N] [--data FOLDER] [--growth] [--plugin FOLDER] [--against FOLDER]

Each tool runs in a process of its own; they take turns, so that all meet the same machine. Numbers are medians. The
values that the tools read are compared before anything is measured. Needs build/autotest/benchmark/read_limit
(-DZARR_BUILD_BENCHMARKS=ON), GDAL's and NumPy's Python modules, and, for the last column, zarr-python.
"""
import argparse
import os
import shlex
import shutil
import statistics
import sys
import tempfile

import growth
import programs
from cases import Cases, Goal
from data import Data
from tools import BUILD, OTHER_PLUGIN, Failed, PythonTool, make_tools


def tool_of(tools, name):
    """"plugin (regular)" is the plugin at other work."""
    return tools.get(name.split(" (")[0])


def compare_values(case, tools):
    """Runs each job once; tools that cannot do it are left out. Ends the program where values differ."""
    checksums = {}
    for name in list(case.jobs):
        try:
            checksums[name] = case.jobs[name](tool_of(tools, name), True)["crc"]
        except Failed as error:
            print(f"{case.name}: {name}: {error}", file=sys.stderr)
            del case.jobs[name]
    if case.values and len(set(checksums.values())) > 1:
        sys.exit(f"{case.name}: the tools read different values: {checksums}")


def measure(case, tools, runs):
    """Medians by tool: seconds and cpu."""
    if OTHER_PLUGIN in tools and "plugin" in case.jobs:
        case.jobs = {"plugin": case.jobs["plugin"], OTHER_PLUGIN: case.jobs["plugin"]}
        case.goals = [Goal("plugin", OTHER_PLUGIN, 1.03)]
    case.jobs = {name: job for name, job in case.jobs.items() if tool_of(tools, name)}
    compare_values(case, tools)
    results = {name: [] for name in case.jobs}
    for _ in range(runs):
        for name, job in case.jobs.items():
            results[name].append(job(tool_of(tools, name), False))
    return {name: {m: statistics.median(r[m] for r in all_) for m in ("seconds", "cpu")} for name, all_ in results.items()}


def milliseconds(seconds):
    return f"{seconds * 1000:.3f}" if seconds < 0.001 else f"{seconds * 1000:.1f}"


def judge(goal, medians):
    """Columns of a goal: ratio, that of processor times, bound, and whether it is met; nothing if a tool is missing."""
    if goal.tool not in medians or (goal.other and goal.other not in medians):
        return None
    value = medians[goal.tool][goal.measure]
    if not goal.other:
        return [milliseconds(value) + " ms", "", "at most " + milliseconds(goal.bound) + " ms", value <= goal.bound]
    ratio, cpu_ratio = (medians[goal.tool][m] / medians[goal.other][m] for m in (goal.measure, "cpu"))
    cpu = " CPU" if goal.measure == "cpu" else ""
    return [f"{ratio:.2f}", f"{cpu_ratio:.2f}", f"at most {goal.bound:.2f} of {goal.other}{cpu}", ratio <= goal.bound]


def report(case, medians):
    times = "; ".join(f"{name} {milliseconds(m['seconds'])} ({milliseconds(m['cpu'])} CPU)" for name, m in medians.items())
    load = os.getloadavg()[0]
    for number, goal in enumerate(case.goals):
        row = judge(goal, medians)
        if not row:
            continue
        name = case.name if number == 0 else ""
        print(f"| {name} | {times if number == 0 else ''} | {row[0]} | {row[1]} | {row[2]} | {'yes' if row[3] else 'NO'} | {load:.1f} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="arrays of a quarter of the edges, fewer runs")
    parser.add_argument("--only", default="", help="cases with this text in their names, by commas")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of the limit")
    parser.add_argument("--data", help="where to keep the data (default: a temporary folder, removed at the end)")
    parser.add_argument("--growth", help="also draw growth, to this SVG file")
    parser.add_argument("--plugin", default=os.path.join(BUILD, "gdalplugins"), help="the folder of gdal_Zarr.so")
    parser.add_argument("--against", help="the folder of another gdal_Zarr.so: only the two are compared")
    parser.add_argument("--builtin", help="command of a Python with another GDAL, for instance in a chroot")
    parser.add_argument("--builtin-data", help="what it calls the folder of the data")
    arguments = parser.parse_args()
    runs = arguments.runs or (3 if arguments.quick else 9)
    os.environ["GDAL_PAM_ENABLED"] = "NO"

    with tempfile.TemporaryDirectory() as temporary:
        data = Data(os.path.abspath(arguments.data or temporary), os.path.abspath(arguments.plugin))
        command = shlex.split(arguments.builtin) if arguments.builtin else None
        tools = make_tools(data.plugin, arguments.threads, command, data.folder, arguments.builtin_data)
        if arguments.against:
            tools[OTHER_PLUGIN] = PythonTool({"GDAL_DRIVER_PATH": os.path.abspath(arguments.against)})
        cases = Cases(data, arguments.threads, 4 if arguments.quick else 1)
        print("| work | medians, ms | ratio | of CPU | target | met | load |\n|---|---|---|---|---|---|---|", flush=True)
        wanted = [text.lower() for text in arguments.only.split(",")]
        for name, make in cases.all():
            if any(text in name.lower() for text in wanted):
                case = make()
                report(case, measure(case, tools, runs))
        for name, run in programs.all_programs(cases, data):
            if not arguments.against and any(text in name.lower() for text in wanted):
                case, medians = run(runs)
                report(case, medians)
        for tool in tools.values():
            tool.close()
        shutil.rmtree(os.path.join(data.folder, "retired"), ignore_errors=True)
        if arguments.growth:
            growth.draw(data, arguments.growth, arguments.quick)


if __name__ == "__main__":
    main()
