# SPDX-License-Identifier: MIT
"""A change of an array that coordinates place is complete or fails: coordinates that cannot be read are there."""

import errno
import os

import numpy as np
import pytest
from conventions import PROJ, SPATIAL
from fault_operations import MOVED
from faults import Fault
from forked_faults import COUNT, WarmProcess
from osgeo import gdal
from stores import write_v3, write_v3_group

DECLARED = {
    "zarr_conventions": [PROJ, SPATIAL],
    "spatial:dimensions": ["y", "x"],
    "spatial:transform": [2, 0, 6, 0, -1, 53],
    "proj:code": "EPSG:32632",
}


@pytest.fixture(scope="module")
def process():
    with WarmProcess("fault_operations", {"GDAL_PAM_ENABLED": "NO"}) as process:
        yield process


def read_first(store, path):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArrayFromFullname(path).ReadAsArray()[0]


@pytest.mark.parametrize("operation", ["move_a", "build_overviews_of_a"])
def test_coordinates_that_cannot_be_read_are_not_passed_over(process, tmp_path, operation):
    def run(number):
        folder = tmp_path / str(number)
        store = f"{folder}/a.zarr"
        os.mkdir(folder)
        write_v3_group(store)
        attributes = DECLARED if operation == "move_a" else {}
        write_v3(f"{store}/a", np.ones((4, 6), "u1"), names=["y", "x"], attributes=attributes)
        write_v3(f"{store}/x", 7.0 + 2 * np.arange(6), names=["x"])
        write_v3(f"{store}/y", 52.5 - np.arange(4), names=["y"])
        result = process.run(operation, folder, Fault(number, errno.EIO, calls="open,look,read"))
        assert result.crash is None
        if result.error is None:
            expected = {"/x": MOVED[0] + 1} if operation == "move_a" else {"/ovr_2x/x": 8, "/ovr_2x/y": 52}
            found = {path: read_first(store, path) for path in expected}
            assert found == expected, result.failed
        return result

    whole = run(COUNT)
    assert whole.error is None
    errors = [run(number).error for number in range(1, whole.calls + 1)]
    assert "the change has failed" in errors
