# SPDX-License-Identifier: MIT
"""Runs a program once for each of its calls that write, and makes that call fail (autotest/faults/fault_shim.c)."""

import concurrent.futures
import dataclasses
import errno
import functools
import glob
import itertools
import os
import shutil
import subprocess
import tempfile

from plugin_in_use import check_programs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Testing all errors and disks that stay full takes some minutes; the default is one error that occurs once. "few" is for
# runs beside one that tests more, such as that with another version of GDAL.
ALL = os.environ.get("ZARR_FAULTS") == "all"
FEW = os.environ.get("ZARR_FAULTS") == "few"


@dataclasses.dataclass(frozen=True)
class Fault:
    number: int
    error: int = errno.EIO
    lasting: bool = False
    calls: str = ""  # such as "write,fsync"; all that change something without it
    short: bool = False


KINDS = [Fault(0)]
if ALL:
    KINDS += [Fault(0, errno.ENOSPC, True), Fault(0, errno.EACCES)]


@dataclasses.dataclass
class Outcome:
    fault: Fault
    folder: str
    status: int
    output: str
    failed: list  # the calls that failed, "write /path"

    def __str__(self):
        return f"fault {self.fault}: status {self.status}, failed {self.failed}\n{self.output}"


@functools.lru_cache
def find_shim():
    """Returns the library from the build, or builds it if the tests are not part of the build."""
    built = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "autotest", "faults", "fault_shim.so")
    if os.path.exists(built):
        return built
    made = os.path.join(tempfile.mkdtemp(), "fault_shim.so")
    sources = glob.glob(os.path.join(ROOT, "autotest", "faults", "*.c"))
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", made, *sources, "-ldl"], check=True)
    return made


def run(command, folder, fault, environment):
    """Runs a command, and counts its calls for files below a folder."""
    report = f"{folder}.report"
    variables = {
        **os.environ,
        **environment,
        "GDAL_NUM_THREADS": "1",  # makes the order of calls predictable
        "LD_PRELOAD": find_shim(),
        "ZARR_FAULT_FOLDER": os.path.realpath(folder),
        "ZARR_FAULT_NUMBER": str(fault.number),
        "ZARR_FAULT_ERRNO": str(fault.error),
        "ZARR_FAULT_LASTING": str(int(fault.lasting)),
        "ZARR_FAULT_CALLS": fault.calls,
        "ZARR_FAULT_SHORT": str(int(fault.short)),
        "ZARR_FAULT_REPORT": report,
    }
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=120, check=False)
    failed = []
    if os.path.exists(report):
        with open(report, encoding="utf-8", errors="replace") as file:
            failed = file.read().splitlines()
        os.unlink(report)
    return Outcome(fault, folder, done.returncode, done.stdout + done.stderr, failed)


def get_step(fault):
    """Programs ask for memory thousands of times: some calls, spread evenly, are enough unless all are wanted."""
    if ALL:
        return 1
    return (211 if fault.calls == "malloc" else 1) * (5 if FEW else 1)


def collect_outcomes(command, folder, before=None, environment=None, kinds=None):
    """Yields the outcome of a command for each call that may fail. For each kind of fault, the last outcome is the run
    without failure. Each run gets its own copy of the folder `before`, which is removed after the next one has been
    taken."""

    check_programs({**os.environ, **(environment or {})})

    def attempt(fault):
        kind = f"{fault.calls}-{int(fault.short)}-{fault.error}-{int(fault.lasting)}"
        own = os.path.join(folder, f"{kind}-{fault.number}")
        if before:
            shutil.copytree(before, own)
        else:
            os.makedirs(own)
        return run(command, own, fault, environment or {})

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for kind in kinds or KINDS:
            waiting = []
            for number in itertools.count(1, get_step(kind)):
                waiting.append(pool.submit(attempt, dataclasses.replace(kind, number=number)))
                if len(waiting) < 3:
                    continue
                outcome = waiting.pop(0).result()
                yield outcome
                shutil.rmtree(outcome.folder)
                if not outcome.failed:
                    break
            for rest in waiting:
                rest.result()
