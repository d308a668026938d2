# SPDX-License-Identifier: MIT
"""The program of the page README.md, also when it is killed and run again, and with a second folder as a bucket."""

import os
import re
import signal
import subprocess
import sys
import time

import jobs
import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import CHECK

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md")
ROWS, COLUMNS, LENGTH = 1500, 2000, 128
UNITS = -(-ROWS // LENGTH) * -(-COLUMNS // LENGTH)


@pytest.fixture
def start(tmp_path):
    """A function that starts the program in a folder of its own."""
    with open(PAGE, encoding="utf-8") as f:
        (program,) = re.findall(r"^```python\n(.*?)^```", f.read(), re.DOTALL | re.MULTILINE)
    (tmp_path / "job.py").write_text(CHECK + program)
    environment = {**os.environ, "PATH": os.path.dirname(jobs.get_zarrkit()) + os.pathsep + os.environ["PATH"]}

    def run(*arguments):
        command = [sys.executable, "-W", "ignore", "job.py", *arguments]
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True, **output)

    return run


def complete(process):
    output, _ = process.communicate()  # Dask may say more, for instance that it removes folders of killed workers
    assert process.returncode == 0, output


def list_chunks(store):
    return {str(path): path.stat().st_mtime_ns for path in (store / "waves" / "c").rglob("*") if path.is_file()}


def check_result(store):
    values = np.add.outer(np.sin(np.arange(ROWS) / 50), np.cos(np.arange(COLUMNS) / 80)).astype("f4")
    dataset = gdal.Open(f'ZARR:"{store}":/waves')
    np.testing.assert_array_equal(dataset.ReadAsArray(), values)
    band = dataset.GetRasterBand(1)
    means = values[: ROWS // 2 * 2].reshape(ROWS // 2, 2, COLUMNS // 2, 2).mean((1, 3))
    assert band.GetOverviewCount() == 3
    np.testing.assert_allclose(band.GetOverview(0).ReadAsArray(), means, atol=1e-6)
    assert "consolidated metadata" in jobs.run_zarrkit("info", store)
    assert jobs.run_zarrkit("check", store).endswith(" 0 errors\n")
    assert jobs.list_other_files(store) == []


def test_the_job(tmp_path, start):
    complete(start())
    check_result(tmp_path / "waves.zarr")


def test_a_job_that_was_killed_goes_on(tmp_path, start):
    store = tmp_path / "waves.zarr"
    process = start()
    while not list_chunks(store):
        assert process.poll() is None
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    written = list_chunks(store)
    assert 0 < len(written) < UNITS
    complete(start())
    assert {path: time for path, time in list_chunks(store).items() if path in written} == written
    check_result(store)


def test_a_job_with_a_bucket(tmp_path, start):
    bucket = tmp_path / "bucket"
    bucket.mkdir()
    complete(start(str(bucket / "waves.zarr")))
    for chunk in list(list_chunks(bucket / "waves.zarr"))[::2]:
        os.remove(chunk)  # as if the job had been killed
    for mark in list_chunks(tmp_path / "waves.zarr"):
        os.remove(mark)
    complete(start(str(bucket / "waves.zarr")))
    check_result(bucket / "waves.zarr")
