# SPDX-License-Identifier: MIT
"""GDALGetSubdatasetInfo splits the names of subdatasets for programs."""

import pytest
from osgeo import gdal

pytestmark = pytest.mark.skipif(not hasattr(gdal, "GetSubdatasetInfo"), reason="needs GDAL 3.8 or later")


@pytest.mark.parametrize(
    "name, path, array, changed",
    [
        ('ZARR:"/a/b.zarr":/g/v', "/a/b.zarr", "/g/v", 'ZARR:"/new":/g/v'),
        ('ZARR:"/a/b.zarr":/g/v:3:1', "/a/b.zarr", "/g/v:3:1", 'ZARR:"/new":/g/v:3:1'),
        ("ZARR:/a/b.zarr:/v", "/a/b.zarr", "/v", "ZARR:/new:/v"),
        ('ZARR:"/a/b.zarr":/v:t=2024-07-01T12:00', "/a/b.zarr", "/v:t=2024-07-01T12:00", 'ZARR:"/new":/v:t=2024-07-01T12:00'),
        ('ZARR:"/vsicurl/https://h:80/b.zarr":/v', "/vsicurl/https://h:80/b.zarr", "/v", 'ZARR:"/new":/v'),
    ],
)
def test_the_name_of_a_subdataset_is_split(name, path, array, changed):
    info = gdal.GetSubdatasetInfo(name)
    assert info.GetPathComponent() == path
    assert info.GetSubdatasetComponent() == array
    assert info.ModifyPathComponent("/new") == changed


@pytest.mark.parametrize("name", ['ZARR:"/a/b.zarr"', "/a/b.zarr", 'ZARR:"/a/b.zarr', "ZARR:", 'ZARR:"http://h/b":/v'])
def test_names_without_an_array_are_left_alone(name):
    assert gdal.GetSubdatasetInfo(name) is None
