# SPDX-License-Identifier: MIT
"""Pyramids as ndpyramid writes them: groups of one level each, the coarsest first, listed like those of OME-NGFF."""

import json

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group

LEVELS = [np.arange(2 * size * size, dtype="<f4").reshape(2, size, size) + size for size in (16, 32, 64)]
NAMES = ["time", "y", "x"]


def write_group(path, version, attributes=None):
    (write_v3_group if version == 3 else write_v2_group)(path, attributes or {})


def write_array(path, version, data, names):
    if version == 3:
        return write_v3(path, data, data.shape, names=names)
    return write_v2(path, data, data.shape, attributes={"_ARRAY_DIMENSIONS": names})


@pytest.fixture(params=[2, 3])
def pyramid(request, store):
    version = request.param
    levels = [{"path": str(i), "level": i, "pixels_per_tile": 16, "crs": "EPSG:3857"} for i in range(3)]
    image = {"datasets": levels, "type": "reduce", "metadata": {"method": "pyramid_reproject", "version": "0.3.0"}}
    write_group(store, version, {"multiscales": [image]})
    for i, data in enumerate(LEVELS):
        write_group(f"{store}/{i}", version)
        write_array(f"{store}/{i}/tavg", version, data, NAMES)
        write_array(f"{store}/{i}/prec", version, data + 1, NAMES)
        edge = 20037508.342789244
        step = 2 * edge / data.shape[2]
        write_array(f"{store}/{i}/x", version, np.arange(data.shape[2]) * step - edge + step / 2, ["x"])
        write_array(f"{store}/{i}/y", version, edge - step / 2 - np.arange(data.shape[1]) * step, ["y"])
    return store


def find_sizes(dataset):
    band = dataset.GetRasterBand(1)
    return [band.GetOverview(i).XSize for i in range(band.GetOverviewCount())]


def test_coarser_groups_are_overviews(pyramid):
    for name, added in (("tavg", 0), ("prec", 1)):
        dataset = gdal.Open(f'ZARR:"{pyramid}":/2/{name}')
        assert find_sizes(dataset) == [32, 16]
        assert np.array_equal(dataset.GetRasterBand(2).GetOverview(1).ReadAsArray(), LEVELS[0][1] + added)
        assert np.array_equal(dataset.ReadAsArray(buf_xsize=16, buf_ysize=16), LEVELS[0] + added)


def test_each_level_has_the_coarser_ones(pyramid):
    assert find_sizes(gdal.Open(f'ZARR:"{pyramid}":/1/tavg')) == [16]
    assert find_sizes(gdal.Open(f'ZARR:"{pyramid}":/0/tavg')) == []


def test_the_finest_level_is_shown(pyramid):
    names = [name for name, _ in gdal.Open(pyramid).GetSubDatasets()]
    assert {name.rpartition(":")[2] for name in names} >= {"/2/tavg", "/2/prec"}


def test_levels_of_other_sizes_or_groups_are_left_out(pyramid):
    with open(f"{pyramid}/zarr.json" if "zarr.json" in gdal.ReadDir(pyramid) else f"{pyramid}/.zattrs") as f:
        text = json.dumps(json.load(f)).replace('"path": "0"', '"path": "absent"')
    name = "zarr.json" if "zarr.json" in gdal.ReadDir(pyramid) else ".zattrs"
    with open(f"{pyramid}/{name}", "w") as f:
        f.write(text)
    assert find_sizes(gdal.Open(f'ZARR:"{pyramid}":/2/tavg')) == [32]


def test_overviews_of_another_program_are_not_replaced(pyramid):
    """The list is not this driver's, and stays as it is."""
    dataset = gdal.Open(f'ZARR:"{pyramid}":/2/tavg', gdal.GA_Update)
    with pytest.raises(RuntimeError, match="another program has declared overviews"):
        dataset.BuildOverviews("NEAREST", [4])
