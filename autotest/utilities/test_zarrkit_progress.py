# SPDX-License-Identifier: MIT
"""zarrkit shows how long its work goes on, on a terminal and nowhere else."""

import os
import re
import shutil
import subprocess

import pytest
from osgeo import gdal
from terminals import open_terminal
from test_zarrkit_plan import ZARRKIT

pytestmark = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")

DRAFT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "stores", "gdal-3.6.2")
COMMANDS = {
    "check": ["check", "a.zarr"],
    "copy": ["copy", "a.zarr", "copy.zarr"],
    "info": ["info", "--sizes", "a.zarr"],
    "map": ["map", "a.zarr", "--array", "a", "map.svg"],
    "reshard": ["reshard", "a.zarr", "--array", "a", "--chunks", "60,60"],
    "migrate": ["migrate", "draft.zarr", "--to", "v3", "--output", "new.zarr"],
}


@pytest.fixture
def folder(tmp_path):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=30,30", "ARRAY_NAME=a"]
    dataset = gdal.GetDriverByName("Zarr").Create(str(tmp_path / "a.zarr"), 300, 300, 1, gdal.GDT_Byte, options)
    dataset.GetRasterBand(1).Fill(7)
    del dataset
    shutil.copytree(f"{DRAFT}/draft_relief", tmp_path / "draft.zarr")
    return tmp_path


def run_on_terminal(arguments, folder, columns=80, **environment):
    """Runs zarrkit with its standard error on a terminal; returns what it prints there, and to standard output."""
    ours, theirs = open_terminal()
    subprocess.run(["stty", "cols", str(columns)], stdin=theirs, check=True)
    process = subprocess.Popen(
        [ZARRKIT, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    shown = b""
    try:
        while more := os.read(ours, 65536):
            shown += more
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 0, shown
    return shown.decode(), output


@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_shows_a_bar_that_goes_away(folder, name):
    shown, output = run_on_terminal(COMMANDS[name], folder)
    assert re.match(r"\r\x1b\[K" + name + r"  \[[#.]+\]   0 %", shown), shown
    assert shown.endswith("\r\x1b[K")
    assert "\r" not in output and "%" not in output


def test_the_bar_fits_into_the_terminal(folder):
    shown, _ = run_on_terminal(COMMANDS["check"], folder, columns=30)
    lines = [line for line in shown.split("\r\x1b[K") if line]
    assert lines
    assert all(len(line) < 30 for line in lines), lines


@pytest.mark.parametrize("name", COMMANDS)
def test_quiet_shows_none(folder, name):
    assert run_on_terminal([*COMMANDS[name], "--quiet"], folder)[0] == ""


def test_a_terminal_that_cannot_rewrite_lines_shows_none(folder):
    assert run_on_terminal(COMMANDS["check"], folder, TERM="dumb")[0] == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_pipe_gets_none(folder, name):
    done = subprocess.run([ZARRKIT, *COMMANDS[name]], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
