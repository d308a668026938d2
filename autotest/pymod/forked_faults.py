# SPDX-License-Identifier: MIT
"""Runs operations in children of one warm process, in each of which one call fails (autotest/faults/fault_shim.c).

Started as a program, this is that process: it reads requests and answers them, one line of JSON each.
"""

import ctypes
import dataclasses
import json
import os
import signal
import subprocess
import sys
import traceback

from faults import Fault, find_shim
from plugin_in_use import check
from sanitizer import skip_with_sanitizer

COUNT = -1  # the number of a fault that never happens


@dataclasses.dataclass
class Result:
    error: str | None  # what the operation has told; None if it has succeeded
    crash: str | None  # the signal that has ended the process, or what is no error of GDAL
    happened: bool  # whether the call was made that was to fail
    calls: int  # the number of calls that were counted
    failed: list  # "write /path", of the calls that failed
    value: object = None  # what the operation returns


class WarmProcess:
    """Use as a context. `module` has the operations as functions of the path of a folder; it is imported once."""

    def __init__(self, module, environment=None):
        skip_with_sanitizer("calls fail by a library that is loaded in its place")
        variables = {**os.environ, "GDAL_NUM_THREADS": "1", "LD_PRELOAD": find_shim(), **(environment or {})}
        variables["PYTHONPATH"] = os.pathsep.join([p for p in sys.path if p])
        command = [sys.executable, os.path.abspath(__file__), module, find_shim()]
        self.process = subprocess.Popen(command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(60)

    def run(self, operation, folder, fault=Fault(0), trace=None):
        request = {**dataclasses.asdict(fault), "operation": operation, "folder": str(folder), "trace": trace}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return Result(**json.loads(self.process.stdout.readline()))


def choose(count, limit):
    """Returns the numbers of the calls that fail: all of them, or some that are spread evenly."""
    if count <= limit:
        return list(range(1, count + 1))
    return sorted({1 + i * (count - 1) // (limit - 1) for i in range(limit)})


# --- the warm process ---------------------------------------------------------------------------------------------


def attempt(shim, operation, request):
    """Runs in the child. Returns what it tells its parent."""
    report = request["folder"] + ".report"
    error = crash = value = None
    if request["trace"]:
        shim.zarr_fault_record(request["trace"].encode())
    number, lasting, short = request["number"], int(request["lasting"]), int(request["short"])
    names = [text.encode() for text in (os.path.realpath(request["folder"]), request["calls"], report)]
    shim.zarr_fault_arm(names[0], names[1], ctypes.c_long(number), request["error"], lasting, short, names[2])
    try:
        value = operation(request["folder"])
    except RuntimeError as caught:  # that of GDAL
        error = str(caught) or "an error without a text"
    except BaseException:
        crash = traceback.format_exc()
    happened, calls = bool(shim.zarr_fault_happened()), shim.zarr_fault_disarm()
    failed = []
    if os.path.exists(report):
        with open(report, encoding="utf-8", errors="replace") as file:
            failed = file.read().splitlines()
        os.unlink(report)
    return Result(error, crash, happened, calls, failed, value)


def run_child(shim, operation, request):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(60)
        with os.fdopen(writing, "w") as pipe:
            json.dump(dataclasses.asdict(attempt(shim, operation, request)), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) or not text:
        return Result(None, f"the process has ended with status {status}: {text}", True, 0, [])
    return Result(**json.loads(text))


def main():
    check()
    module = __import__(sys.argv[1])
    shim = ctypes.CDLL(sys.argv[2])
    shim.zarr_fault_disarm.restype = ctypes.c_long
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.unraisablehook = lambda _: None  # a dataset that goes after an error tells of it again
    module.warm_up()
    for line in sys.stdin:
        request = json.loads(line)
        result = run_child(shim, getattr(module, request["operation"]), request)
        answers.write(json.dumps(dataclasses.asdict(result)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
