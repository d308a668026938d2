# SPDX-License-Identifier: MIT
"""Closing a dataset fails, and tells why, if it could not do what closing is to do."""

import os

import pytest
from faults import Fault
from forked_faults import COUNT, WarmProcess


@pytest.fixture(scope="module")
def process():
    with WarmProcess("fault_operations", {"GDAL_PAM_ENABLED": "NO"}) as process:
        yield process


def run(process, folder, number):
    folder.mkdir()
    return process.run("take_back", folder, Fault(number))


def test_a_new_store_that_cannot_be_taken_back_is_an_error_of_closing(process, tmp_path):
    """Each call fails that changes something. Where the store could be made, it is gone in the end, or closing fails."""
    count = run(process, tmp_path / "whole", COUNT)
    assert (count.error, count.crash) == (None, None) and not os.path.exists(tmp_path / "whole" / "a.zarr")
    told = 0
    for number in range(1, count.calls + 1):
        folder = tmp_path / str(number)
        result = run(process, folder, number)
        assert result.crash is None and result.happened
        if result.error:
            continue  # the store could not be made
        status, error = result.value
        assert error or not os.path.exists(folder / "a.zarr" / "zarr.json"), result
        assert status in (None, 3 if error else 0), result
        told += bool(error)
    assert told > 0
