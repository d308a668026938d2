# SPDX-License-Identifier: MIT
"""A change of the CRS to one with another unit stops at each of its calls: the numbers stay those of the geotransform."""

import errno

import pytest
from errors import collect_errors
from faults import Fault, collect_outcomes
from osgeo import gdal
from plugin_in_use import python

CALLS = "rename,link"  # by which documents get their new content
TRANSFORM = (5, 1, 0, 7, 0, -1)
CHANGE = """
import sys
from osgeo import gdal
gdal.UseExceptions()
gdal.OpenEx(sys.argv[1], gdal.OF_RASTER | gdal.OF_UPDATE).SetProjection("EPSG:2263")
"""


def create(store, convention):
    options = ["FORMAT=ZARR_V3", f"GEOREFERENCING_CONVENTION={convention}"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, 1, gdal.GDT_Byte, options)
    dataset.SetGeoTransform(TRANSFORM)
    dataset.SetProjection("EPSG:32632")


def read(store):
    with collect_errors():  # documents may contradict each other
        dataset = gdal.Open(store)
        return dataset.GetSpatialRef().GetAuthorityCode(None), dataset.GetGeoTransform()


def stop_at_each_call(tmp_path, convention, lasting):
    """Yields the outcome of each run and the store that it has left; the last one makes all its calls."""
    (tmp_path / "before").mkdir()
    create(str(tmp_path / "before" / "a.zarr"), convention)
    kind = Fault(0, errno.EIO, lasting, CALLS)
    for outcome in collect_outcomes(python(CHANGE, "a.zarr"), str(tmp_path), str(tmp_path / "before"), kinds=[kind]):
        yield outcome, outcome.folder + "/a.zarr"


@pytest.mark.parametrize("convention", ["GDAL,CF", "GDAL", "CF,SPATIAL_PROJ"])
def test_a_change_that_stops_leaves_the_numbers(tmp_path, convention):
    left = [read(store) for _, store in stop_at_each_call(tmp_path, convention, True)]
    assert left[0] == ("32632", TRANSFORM) and left[-1] == ("2263", TRANSFORM)
    assert {transform for _, transform in left} == {TRANSFORM}


@pytest.mark.parametrize("convention", ["GDAL,CF", "CF,SPATIAL_PROJ"])
def test_a_change_that_fails_is_taken_back(tmp_path, convention):
    for outcome, store in stop_at_each_call(tmp_path, convention, False):
        assert read(store) == ("32632" if outcome.status != 0 else "2263", TRANSFORM), str(outcome)
