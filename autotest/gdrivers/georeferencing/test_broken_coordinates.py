# SPDX-License-Identifier: MIT
"""A call that does not set the transform leaves coordinates alone that cannot be read."""

import json
import os

import pytest
from osgeo import gdal

PLACE = (100, 1, 0, 500, 0, -1)


def remove_members(value, name):
    if isinstance(value, dict):
        value.pop(name, None)
        for member in value.values():
            remove_members(member, name)


def make(store, zarr_format):
    """Makes a raster of whose place only the coordinates tell. Returns the path of a chunk of them."""
    options = [f"FORMAT={zarr_format}", "GEOREFERENCING_CONVENTION=CF"]
    gdal.GetDriverByName("Zarr").Create(store, 40, 30, 1, gdal.GDT_Byte, options).SetGeoTransform(PLACE)
    for folder, _, names in os.walk(store):
        for name in names:
            if name in (".zattrs", ".zmetadata", "zarr.json"):
                with open(f"{folder}/{name}") as f:
                    document = json.load(f)
                remove_members(document, "GeoTransform")
                with open(f"{folder}/{name}", "w") as f:
                    json.dump(document, f)
    return next(path for path in (f"{store}/X/0", f"{store}/X/c/0") if os.path.exists(path))


CALLS = {
    "SetProjection": lambda dataset: dataset.SetProjection("EPSG:32631"),
    "AREA_OR_POINT": lambda dataset: dataset.SetMetadataItem("AREA_OR_POINT", "Point"),
}


@pytest.mark.parametrize("is_open_before", [False, True])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_broken_coordinates_stay(store, zarr_format, call, is_open_before):
    chunk = make(store, zarr_format)
    with open(chunk, "rb") as f:
        content = f.read()
    dataset = None
    if is_open_before:
        dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
        assert dataset.GetGeoTransform() == PLACE
    with open(chunk, "wb") as f:
        f.write(b"xx")
    dataset = dataset or gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    CALLS[call](dataset)
    if is_open_before:
        assert dataset.GetGeoTransform() == PLACE
    dataset = None
    with open(chunk, "rb") as f:
        assert f.read() == b"xx"
    with open(chunk, "wb") as f:
        f.write(content)
    assert gdal.Open(store).GetGeoTransform(can_return_null=True)[1::2] == PLACE[1::2]
