# SPDX-License-Identifier: MIT
"""Starts web servers that are programs of their own, on free ports of the loopback, and stops them."""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import time
import typing

from new_ports import find_new_port

INSTALL = "bash cmake/deps.sh remote"
_START_SECONDS = 20
_STOP_SECONDS = 10
_LISTENING = "0A"  # a state in the tables below /proc/net
_SIGNAL_AT_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG of Linux


class Missing(Exception):
    """A program is not installed."""


class Request(typing.NamedTuple):
    method: str
    path: str  # without the query
    span: str | None  # the header Range
    status: int
    protocol: str = "HTTP/1.1"
    connection: int = 0  # a number of the connection
    query: str = ""


def find_program(name):
    """Finds a program, also where only root's PATH leads."""
    folders = os.environ.get("PATH", "") + os.pathsep + os.pathsep.join(["/usr/sbin", "/usr/local/sbin"])
    program = shutil.which(name, path=folders)
    if not program:
        raise Missing(f"{name} is not installed: {INSTALL}")
    return program


def find_package(package, program):
    """Finds a program of a package of npm in the folder that `cmake/deps.sh remote` fills."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.environ.get(f"ZARR_{package.upper()}_DIR") or os.path.join(cache, f"zarr-{package}")
    path = os.path.join(folder, "node_modules", ".bin", program)
    if not os.path.exists(path):
        raise Missing(f"{package} is not installed in {folder}: {INSTALL}")
    find_program("node")
    return path


def listens(process, port):
    """Whether it is this process that listens on a port, and not another one that was faster."""
    fields = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(FileNotFoundError), open(table, encoding="ascii") as f:
            fields += [line.split() for line in f][1:]
    sockets = {f"socket:[{field[9]}]" for field in fields if field[1].endswith(f":{port:04X}") and field[3] == _LISTENING}
    folder = f"/proc/{process.pid}/fd"
    with contextlib.suppress(OSError):  # the process has ended, or closes a file meanwhile
        return any(os.readlink(os.path.join(folder, name)) in sockets for name in os.listdir(folder))
    return False


def wait_for_port(process, port):
    """Returns whether the process listens. False if it has ended."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        if listens(process, port):
            return True
        time.sleep(0.02)
    return False


@contextlib.contextmanager
def run_on_free_port(start, log_file):
    """Runs the process that `start(port)` starts, and yields its port. Another program may have taken the port
    meanwhile, hence several attempts."""
    for _ in range(5):
        port = find_new_port()
        process = start(port)
        try:
            if wait_for_port(process, port):
                yield port
                return
        finally:
            stop(process)
    with open(log_file, encoding="utf-8", errors="replace") as f:
        raise RuntimeError(f"the server did not start: {f.read()[-2000:]}")


def start_process(command, **streams):
    """Starts a process that ends with this one, even if this one is killed."""
    libc = ctypes.CDLL(None)
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, preexec_fn=lambda: libc.prctl(_SIGNAL_AT_PARENTS_DEATH, signal.SIGTERM), **streams
    )


def stop(process):
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
