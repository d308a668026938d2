# SPDX-License-Identifier: MIT
"""Runs the reference implementation of Icechunk, which is a package of Node.js for glibc 2.38 or later."""

import json
import os
import platform
import shutil
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(os.environ["GDAL_DRIVER_PATH"], "..")
MODULES = os.path.join(BUILD, "interop-node", "node_modules")
ROOTS = os.environ.get("ZARR_MATRIX_DIR", "/var/cache/zarr-matrix")
LOADER = "lib64/ld-linux-x86-64.so.2"


def find_node():
    """The command that runs Node.js: as it is, or with the C library of a newer Debian root (see cmake/matrix.sh)."""
    node = shutil.which("node")
    if not node or not os.path.isdir(os.path.join(MODULES, "@earthmover", "icechunk")):
        return None
    if tuple(map(int, platform.libc_ver()[1].split("."))) >= (2, 38):
        return [node]
    for suite in ("trixie", "sid"):
        root = os.path.join(ROOTS, suite)
        loader = os.path.join(root, LOADER)
        if os.path.exists(loader):
            folders = [os.path.join(root, "usr/lib/x86_64-linux-gnu"), "/usr/lib/x86_64-linux-gnu"]
            return [loader, "--library-path", ":".join(folders), os.path.realpath(node)]
    return None


NODE = find_node()
needs_reference = pytest.mark.skipif(
    NODE is None,
    reason="the reference implementation of Icechunk needs Node.js, autotest/interop/run.sh before, and glibc 2.38 (also from cmake/matrix.sh)",
)


def start(*steps):
    """Starts steps of reference.mjs."""
    script = os.path.join(BUILD, "interop-node", "reference.mjs")
    copy = f"{script}.{os.getpid()}"
    shutil.copyfile(os.path.join(HERE, "reference.mjs"), copy)
    os.replace(copy, script)  # in one step, because tests that run at the same time read it
    return subprocess.Popen([*NODE, script, json.dumps(steps)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait(process):
    """Returns the results of its steps."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return [json.loads(line) for line in out.splitlines()]


def run(*steps):
    return wait(start(*steps))
