# SPDX-License-Identifier: MIT
"""Permissions of the folders that tests use, and processes of another user, for whom permissions hold."""

import atexit
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

NOBODY = 65534  # a user, and a group
_AS_NOBODY = {"user": NOBODY, "group": NOBODY, "extra_groups": []}


@functools.cache
def why_not_another_user():
    """An empty text if processes can run as another user."""
    if os.geteuid() != 0:
        return "only root can run processes as another user"
    try:
        done = subprocess.run([sys.executable, "-c", "import osgeo.gdal"], **_AS_NOBODY, capture_output=True, text=True)
    except OSError as error:
        return f"no process can run as the user {NOBODY} here: {error}"
    return "" if done.returncode == 0 else f"the user {NOBODY} cannot use {sys.executable}: {done.stderr}"


needs_another_user = pytest.mark.skipif(why_not_another_user() != "", reason=why_not_another_user())


def let_others_pass(folder):
    """Lets other users into a folder of the tests: pytest makes those above it private, one more with several workers. Skips the
    test if the folder of temporary files is closed to them."""
    top = pathlib.Path(tempfile.gettempdir()).resolve()
    for path in (top, *top.parents):
        if not path.stat().st_mode & 0o001:
            pytest.skip(f"other users cannot reach temporary files (TMPDIR) in {top}, because {path} is closed to them")
    for path in (folder, *folder.parents):
        if path == top or os.stat(path).st_uid != os.geteuid():
            return
        os.chmod(path, 0o755)


def let_others_read(folder):
    """Lets other users read all in a folder, also where the umask is 077."""
    for path in (pathlib.Path(folder), *pathlib.Path(folder).rglob("*")):
        os.chmod(path, 0o755 if path.is_dir() else 0o644)


@functools.cache
def _copy_plugin():
    """A folder with the plugin that other users may read. The folder of the build may lie in a home that is closed to them."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zarr-plugin-"))
    atexit.register(shutil.rmtree, folder)
    let_others_pass(folder)
    shutil.copyfile(os.path.join(os.environ["GDAL_DRIVER_PATH"], "gdal_Zarr.so"), folder / "gdal_Zarr.so")
    os.chmod(folder / "gdal_Zarr.so", 0o644)
    return str(folder)


def as_nobody():
    """Options for subprocess.run, with which a process is one of another user, who can load the plugin. Only root can use them."""
    return {**_AS_NOBODY, "env": {**os.environ, "GDAL_DRIVER_PATH": _copy_plugin()}, "cwd": "/"}


def as_ordinary_user():
    """Options for subprocess.run, with which permissions hold for a process. Skips the test where that cannot be."""
    if os.geteuid() != 0:
        return {}
    if why_not_another_user():
        pytest.skip(f"permissions do not hold for root, and {why_not_another_user()}")
    return as_nobody()
