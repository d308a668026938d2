# SPDX-License-Identifier: MIT
"""Runs a script in a process of its own, whose memory is measured and limited."""

import os
import resource
import subprocess

from plugin_in_use import python
from sanitizer import skip_with_sanitizer

HEAD = """
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()


def peak():
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) >> 10 for line in f if line.startswith("VmHWM:"))


before = peak()
try:
"""
TAIL = """
except RuntimeError as error:
    print(error)
print(peak() - before)
"""


def run_measured(script, *arguments, environment=None, address_space=6 << 30, timeout=120):
    """Returns the output of the script, or the message of the RuntimeError that ended it, and the MiB that it took at most.
    Raises TimeoutExpired for a script that hangs, and CalledProcessError for one that crashes."""
    skip_with_sanitizer("it takes terabytes of addresses, so that they cannot be limited")
    code = HEAD + "".join(f"    {line}\n" for line in script.strip().split("\n")) + TAIL
    result = subprocess.run(
        python(code, *arguments),
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=None,
        text=True,
        check=True,
        timeout=timeout,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space)),
    )
    lines = result.stdout.strip().split("\n")
    return "\n".join(lines[:-1]), int(lines[-1])
