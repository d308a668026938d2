# SPDX-License-Identifier: MIT
"""Setting the CRS of a raster changes none of its coordinates."""

import os

import numpy as np
import pytest
from conventions import SPATIAL
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_array, write_v2, write_v2_group, write_v3, write_v3_group

X = np.arange(-170, 170, 0.17)  # not exactly first + i * step
Y = np.arange(10.0)


def write(store, version, arrays, x=X, attributes=None):
    if version == 2:
        write_v2_group(store)
        for name in arrays:
            write_v2(f"{store}/{name}", np.ones((10, len(x)), "f4"), attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
        write_v2(f"{store}/y", Y, attributes={"_ARRAY_DIMENSIONS": ["y"]})
        write_v2(f"{store}/x", x, attributes={"_ARRAY_DIMENSIONS": ["x"], **(attributes or {})})
    else:
        write_v3_group(store)
        for name in arrays:
            write_v3(f"{store}/{name}", np.ones((10, len(x)), "f4"), names=["y", "x"])
        write_v3(f"{store}/y", Y, names=["y"])
        write_v3(f"{store}/x", x, names=["x"], attributes=attributes)


def read_chunks(store):
    """The bytes of all chunks of the coordinates."""
    chunks = {}
    for name in ("x", "y"):
        for folder, _, files in os.walk(f"{store}/{name}"):
            for file in files:
                if file[0] not in ".z":
                    with open(os.path.join(folder, file), "rb") as f:
                        chunks[os.path.join(folder, file)] = f.read()
    assert len(chunks) == 2
    return chunks


def set_crs(store, name, code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    with collect_errors() as errors:
        dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE)
        assert dataset.SetSpatialRef(srs) == gdal.CE_None
        dataset = None
    return errors


def get_code(store, name):
    return gdal.Open(f'ZARR:"{store}":/{name}').GetSpatialRef().GetAuthorityCode(None)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("arrays", ["v", "vw"])
@pytest.mark.parametrize("code", [4326, 32633])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_coordinates_keep_their_bytes(store, version, arrays, code, dtype):
    write(store, version, arrays, X.astype(dtype))
    before = read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()
    errors = set_crs(store, "v", code)
    # Words of a geographic CRS would give it to the other array as well.
    assert ["not described" in text for _, text in errors] == ([True] if arrays == "vw" and code == 4326 else [])
    assert get_code(store, "v") == str(code)
    assert (read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()) == before


def test_packed_coordinates_stay_packed(store):
    packed = np.arange(20, dtype="i2")
    write(store, 3, "v", packed, {"scale_factor": 0.1, "add_offset": 5.0})
    before = read_chunks(store)
    assert set_crs(store, "v", 32633) == []
    assert read_chunks(store) == before
    assert (open_array(store, "x").GetScale(), open_array(store, "x").GetOffset()) == (0.1, 5.0)


def test_a_new_transform_moves_them(store):
    write(store, 3, "v")
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.SetGeoTransform([0, 2, 0, 0, 0, 1])
    dataset = None
    assert open_array(store, "x").ReadAsArray()[:3].tolist() == [1, 3, 5]


ROTATED = [10, 2, 500000, 2, -10, 6000000]
STATED = {
    "spatial": lambda t: {"zarr_conventions": [SPATIAL], "spatial:dimensions": ["y", "x"], "spatial:transform": t},
    "gdal": lambda t: {"gdal:geotransform": [t[i] for i in (2, 0, 1, 5, 3, 4)]},
    "rasterio": lambda t: {"transform": t},
}


def write_detector(store, arrays, attributes):
    """Coordinates whose distances vary, so that only attributes give a transform."""
    write_v3_group(store)
    for name in arrays:
        write_v3(f"{store}/{name}", np.ones((10, 16)), names=["y", "x"], attributes=attributes)
    for name, size in (("y", 10), ("x", 16)):
        write_v3(f"{store}/{name}", np.arange(float(size)) ** 2, names=[name], attributes={"long_name": "distance"})


@pytest.mark.parametrize("arrays", ["v", "vw"])
@pytest.mark.parametrize("transform", [ROTATED, [10, 0, 500000, 0, -10, 6000000]], ids=["rotated", "upright"])
@pytest.mark.parametrize("stated", STATED)
@pytest.mark.parametrize("part", ["crs", "registration"])
def test_coordinates_that_are_no_transform_stay_beside_one(store, part, stated, transform, arrays):
    write_detector(store, arrays, STATED[stated](transform))
    before = read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()
    assert before[1] == tuple(transform[i] for i in (2, 0, 1, 5, 3, 4))
    if part == "crs":
        assert [text for _, text in set_crs(store, "v", 32633) if "the former is used" not in text] == []
        assert get_code(store, "v") == "32633"
    else:
        gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetMetadataItem("AREA_OR_POINT", "Point")
        assert gdal.Open(f'ZARR:"{store}":/v').GetMetadataItem("AREA_OR_POINT") == "Point"
    assert (read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()) == before
