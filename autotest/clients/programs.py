# SPDX-License-Identifier: MIT
"""Runs programs of others, and skips tests of those that are not installed, by the names of their packages."""

import functools
import json
import os
import shutil
import signal
import subprocess
import threading

import numpy as np
import pytest

INSTALL = "bash cmake/deps.sh clients"


def absent(what, package):
    return f"{what} is not installed here: Debian's package {package} ({INSTALL})"


def needs_program(name, package):
    """A mark for tests that need a program."""
    return pytest.mark.skipif(find_program(name) is None, reason=absent(name, package))


def require_program(name, package):
    """Skips a file of tests where a program is absent."""
    if find_program(name) is None:
        pytest.skip(absent(name, package), allow_module_level=True)


def require_r(name, package):
    """Skips a file of tests where an R package is absent."""
    if version_of_r_package(name) is None:
        pytest.skip(absent(f"R's {name}", package), allow_module_level=True)


def find_program(name):
    """The path of a program, also of one that only web servers start; None if it is absent."""
    return shutil.which(name, path=os.pathsep.join([os.environ["PATH"], "/usr/lib/cgi-bin"]))


def run(*command, cwd=None, status=0, **environment):
    """Runs a program. Returns what it printed, and fails if it ended with another status."""
    arguments = [find_program(command[0]) or command[0], *map(str, command[1:])]
    process = subprocess.Popen(
        arguments,
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    out, err = _communicate(process, command)
    assert process.returncode == status, f"{command}: status {process.returncode}\n{out}\n{err}"
    return out


def _communicate(process, command, seconds=120):
    """What a program prints. After the time, it ends together with the programs that it has started, which may hold its output."""
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        tree = subprocess.run(["ps", "-o", "pid,etime,stat,wchan:20,args", "--sid", str(process.pid)], capture_output=True, text=True)
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        pytest.fail(f"{command}: still runs after {seconds} s\n{tree.stdout}\n{out}\n{err}")


def run_silent(*command, **more):
    """The same for a program that must neither warn nor report an error."""
    arguments = ["bash", "-c", 'exec "$@" 2>&1 >/dev/null', "bash", *map(str, command)]
    said = run(*arguments, **more)
    assert said == "", said


@functools.cache
def version_of_r_package(name):
    """The version as numbers, such as (1, 7, 3); None if R or the package is absent."""
    if find_program("Rscript") is None:
        return None
    script = f'cat(tryCatch(as.character(packageVersion("{name}")), error = function(e) ""))'
    numbers = run("Rscript", "-e", script).replace("-", ".").split(".")
    return tuple(map(int, numbers)) if numbers != [""] else None


class RSession:
    """One running R with a package, because loading a package takes seconds."""

    def __init__(self, library):
        self.process = subprocess.Popen(
            ["R", "--vanilla", "--no-echo"],
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.run(f"suppressMessages(suppressWarnings(library({library})))", ".")

    def run(self, script, folder):
        """Runs a program in a folder. Returns the lines that it prints with `cat`; an error in R is one here."""
        watch = threading.Timer(120, self.process.kill)
        watch.start()
        text = json.dumps(f"setwd({json.dumps(folder)})\n{script}")
        ending = 'if (inherits(done, "try-error")) "failed" else "done"'
        self.process.stdin.write(f'done <- try(eval(parse(text = {text})), silent = TRUE)\nif (inherits(done, "try-error")) cat(done)\n')
        self.process.stdin.write(f'cat("\\n<<", {ending}, ">>\\n", sep = "")\n')
        self.process.stdin.flush()
        lines = []
        while not lines or lines[-1] not in ("<<done>>", "<<failed>>"):
            line = self.process.stdout.readline()
            if not line:
                pytest.fail("R has ended: " + "\n".join(lines))
            lines.append(line.rstrip("\n"))
        watch.cancel()
        assert lines.pop() == "<<done>>", "\n".join(lines)
        return [line for line in lines if line and not line.startswith("code for methods in class")]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()


def read_doubles(path, shape):
    """Reads what R's writeBin has written."""
    return np.fromfile(path, "<f8").reshape(shape)
