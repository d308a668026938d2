# SPDX-License-Identifier: MIT
"""Tests make sure, in the processes that they start, that the plugin answers and not GDAL's own driver."""

import os
import pathlib
import re
import subprocess
import sys

import plugin_in_use
import pytest

AUTOTEST = pathlib.Path(__file__).parents[1]
FOLDERS = ["clients", "cloud", "distributed", "gdrivers", "interop", "pymod", "qgis", "utilities"]
STARTS = re.compile(r"\bsubprocess\.(?:run|Popen|check_\w+|call)\(|\bos\.(?:system|popen|exec\w+|spawn\w+)\(")
PROGRAMS = r"""sys\.executable|["'](?:gdal(?:info|_\w+|addo|warp|dem|mdim\w+|buildvrt|manage)|ogr\w+)["']|["']bash["'], ["']-c["']"""
NEW_PYTHON = re.compile(r"""sys\.executable, ["']-c["']""")
EXEMPT = {
    "cloud/test_many_writers_on_objects.py": "starts object_writer.py, which checks",
    "clients/programs.py": "what programs of others print of rectilinear chunks, which GDAL's own driver cannot read, shows who answers",
    "gdrivers/plugin/test_version.py": "tests which driver answers",
    "pymod/page_commands.py": "checks once for all programs of a page",
    "pymod/permissions.py": "asks for another user, not for a driver",
    "pymod/plugin_in_use.py": "checks",
    "pymod/writer_team.py": "starts writer_process.py, which checks",
    "utilities/test_packaging.py": "asks for the version of what was installed",
}


def find_fault(text):
    """What is wrong with a file of tests; None if nothing is."""
    uses_gdal = STARTS.search(text) and re.search(PROGRAMS, text)
    if uses_gdal and not re.search(r"^\s*from plugin_in_use import", text, re.MULTILINE):
        return "starts programs that use GDAL, without a check of plugin_in_use.py"
    return "starts a program in Python without plugin_in_use.python" if NEW_PYTHON.search(text) else None


def test_files_that_start_programs_check_who_answers():
    paths = {path.relative_to(AUTOTEST).as_posix(): path for folder in FOLDERS for path in (AUTOTEST / folder).rglob("*.py")}
    faults = {name: find_fault(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    faults.pop("utilities/test_processes.py")
    assert EXEMPT.keys() <= faults.keys()
    assert {name: fault for name, fault in faults.items() if fault and name not in EXEMPT} == {}


@pytest.mark.parametrize("command", ['[sys.executable, "job.py"]', '["gdalinfo", path]', '["bash", "-c", text]'])
def test_a_file_that_does_not_check_is_found(command):
    text = f"done = subprocess.run({command})\n"
    assert find_fault(text) and not find_fault("from plugin_in_use import run_program\n" + text)
    assert not find_fault('subprocess.run(["mount", path])\n')
    assert find_fault('from plugin_in_use import python\ncommand = [sys.executable, "-c", text]\n')


@pytest.fixture
def without_plugin(tmp_path):
    """An environment in which GDAL finds no plugin."""
    return {**os.environ, "GDAL_DRIVER_PATH": str(tmp_path)}


def test_a_program_in_python_ends_without_the_plugin(without_plugin):
    command = plugin_in_use.python("import sys\nprint(sys.argv[1:])", "a", 1)
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "['a', '1']\n"
    done = subprocess.run(command, env=without_plugin, capture_output=True, text=True)
    assert done.returncode != 0 and done.stdout == ""
    assert "the Zarr driver in use is not this project's" in done.stderr


def test_other_programs_are_not_run_without_the_plugin(without_plugin, tmp_path):
    command = ["touch", str(tmp_path / "ran")]
    with pytest.raises(AssertionError, match="use GDAL's own driver"):
        plugin_in_use.run_program(command, env=without_plugin)
    assert not (tmp_path / "ran").exists()
    plugin_in_use.run_program(command, check=True)
    assert (tmp_path / "ran").exists()


def test_a_session_of_tests_does_not_begin_without_the_plugin(without_plugin):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(AUTOTEST / "gdrivers" / "plugin" / "test_version.py")]
    done = subprocess.run(command, env=without_plugin, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "the Zarr driver in use is not this project's" in done.stderr
