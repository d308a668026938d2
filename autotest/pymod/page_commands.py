#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands and programs that stand in pages: finds them, runs them, and tells what they print.

    page_commands.py PAGE...    puts what the commands print now into the pages

In a page, an indented line that begins with "$ " is a command, and the lines behind it are what it prints. A block
```python is a program, and a block ```text behind it is what it prints. A comment <!-- needs: GDAL 3.7 -->,
<!-- needs: GDAL before 3.8 -->, <!-- needs: module rasterio -->, <!-- needs: program grass -->, <!-- needs: R terra --> or
<!-- needs: semaphores --> before a block says where it can be run. All steps of a page are run one after the other in one folder, which has copies of the demo stores and of a repository. https://data.example.com and the bucket `bucket` have them too.
"""
import contextlib
import dataclasses
import functools
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

from semaphores import why_no_semaphores

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEMO = os.path.join(ROOT, "autotest", "data", "demo")
REPOSITORY = os.path.join(ROOT, "autotest", "data", "icechunk", "history_v2")
HOST = "https://data.example.com"
INDENT = "    "
# Where a page shows such a line, the command is one that fails.
FAILURE = re.compile(r"^(ERROR|error: |zarrkit: |Traceback|\S*Error: )", re.MULTILINE)


@dataclasses.dataclass
class Step:
    line: int  # of the command or of the program's first line, counted from 1
    text: str
    is_python: bool
    needs: str
    printed: str  # what the page says
    begin: int  # the lines of the page that say it, counted from 0, without `end`
    end: int


def needs_before(lines, number):
    """What the comment before a line says, if there is one."""
    while number > 0 and not lines[number - 1].strip():
        number -= 1
    found = re.fullmatch(r"<!-- needs: (.*) -->", lines[number - 1]) if number > 0 else None
    return found[1] if found else ""


def find_steps(text):
    lines = text.split("\n")
    steps, number = [], 0
    while number < len(lines):
        if lines[number] == "```python":
            step = program_at(lines, number)
        elif lines[number].startswith(INDENT + "$ "):
            step = command_at(lines, number, steps)
        else:
            number += 1
            continue
        steps.append(step)
        number = max(step.end, step.line)
    return steps


def program_at(lines, number):
    end = lines.index("```", number)
    begin = close = end + 1
    if lines[end + 1 : end + 3] == ["", "```text"]:
        begin = end + 3
        close = lines.index("```", begin)
    program = "\n".join(lines[number + 1 : end]) + "\n"
    return Step(number + 2, program, True, needs_before(lines, number), join(lines[begin:close]), begin, close)


def command_at(lines, number, steps):
    """A command may go on behind a backslash. It has the needs of the block that it stands in."""
    follows = steps and steps[-1].end == number and not steps[-1].is_python
    needs = steps[-1].needs if follows else needs_before(lines, number)
    begin = number + 1
    while lines[begin - 1].endswith("\\"):
        begin += 1
    end = begin
    while end < len(lines) and lines[end].startswith(INDENT) and not lines[end].startswith(INDENT + "$ "):
        end += 1
    command = "\n".join(line[len(INDENT) :] for line in lines[number:begin])[2:]
    printed = join(line[len(INDENT) :] for line in lines[begin:end])
    return Step(number + 1, command, False, needs, printed, begin, end)


def join(lines):
    return "".join(line.rstrip() + "\n" for line in lines)


@functools.cache
def missing_for(needs):
    """Why a step cannot be run here, or an empty text."""
    kind, _, name = needs.partition(" ")
    if kind == "module":
        return "" if importlib.util.find_spec(name) else f"the Python module {name} is not installed"
    if kind == "program":
        return "" if shutil.which(name) else f"the program {name} is not installed"
    if kind == "semaphores":
        return why_no_semaphores()
    if kind == "R":
        query = f'quit(status = as.integer(!requireNamespace("{name}", quietly = TRUE)))'
        found = shutil.which("Rscript") and subprocess.run(["Rscript", "-e", query], capture_output=True).returncode == 0
        return "" if found else f"the R package {name} is not installed"
    if kind == "GDAL":
        from osgeo import gdal

        is_before = name.startswith("before ")
        wanted = tuple(map(int, name.removeprefix("before ").split(".")))
        have = tuple(map(int, re.findall(r"\d+", gdal.__version__)[:2]))
        shown = name if is_before else f"{name} or later"
        return "" if (have < wanted) == is_before else f"the page shows what GDAL {shown} prints, and this is GDAL {gdal.__version__}"
    if needs:
        raise ValueError(f"a page needs something unknown: {needs}")
    return ""


class Session:
    """A folder with the demo stores, a web server and a bucket that have them, and the programs that pages use."""

    def __init__(self, folder, server):
        self.folder, self.url = folder, server.url
        tools = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools")
        self.environment = {
            **os.environ,
            "LC_ALL": "C.UTF-8",  # the order of sort
            "PATH": os.pathsep.join([tools, os.path.dirname(sys.executable), os.environ["PATH"]]),
            "AWS_S3_ENDPOINT": self.url.removeprefix("http://"),
            "AWS_HTTPS": "NO",
            "AWS_VIRTUAL_HOSTING": "NO",
        }

    def run(self, step):
        """Returns the exit status and what was printed, without spaces at the ends of lines."""
        text = step.text.replace(HOST, self.url)
        if not step.is_python:
            return self.run_command(["bash", "-c", text], step)
        # A program is a file, as for readers: its child processes may have to read it.
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".py") as program:
            program.write(text)
            program.flush()
            return self.run_command([sys.executable, program.name], step)

    def run_command(self, command, step):
        # Other projects' modules and packages warn of each other, and differently in each version.
        by_others = step.needs.partition(" ")[0] in ("module", "R")
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if by_others else subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        printed = done.stdout + (done.stderr if by_others and done.returncode != 0 else "")
        return done.returncode, join(printed.replace(self.url, HOST).splitlines())


@contextlib.contextmanager
def session():
    from fault_server import FaultServer
    from plugin_in_use import check, check_programs

    check()
    check_programs()
    with tempfile.TemporaryDirectory() as folder:
        work, web = os.path.join(folder, "work"), os.path.join(folder, "web")
        shutil.copytree(DEMO, work)
        shutil.copytree(REPOSITORY, os.path.join(work, "counts.icechunk"))
        shutil.copytree(DEMO, web)
        shutil.copytree(DEMO, os.path.join(web, "bucket"))
        with FaultServer(web).serve() as server:
            yield Session(work, server)


def written_anew(text):
    """The page with what its commands print now; what cannot be run here stays."""
    lines = text.split("\n")
    with session() as running:
        results = [(step, running.run(step)[1]) for step in find_steps(text) if not missing_for(step.needs)]
    for step, printed in reversed(results):
        indent = "" if step.is_python else INDENT
        new = [(indent + line) if line else indent for line in printed.splitlines()]
        if step.is_python and step.begin == step.end:  # no block of its own yet
            new = ["", "```text", *new, "```"] if new else []
        lines[step.begin : step.end] = new
    return "\n".join(lines)


def main():
    os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(ROOT, "build", "gdalplugins"))
    for page in sys.argv[1:]:
        with open(page, encoding="utf-8") as f:
            text = written_anew(f.read())
        with open(page, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
