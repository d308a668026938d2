# SPDX-License-Identifier: MIT
"""The next writer notices consolidated metadata that an interrupted one left incomplete."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal
from stores import write_json, write_v2, write_v2_group, write_v3, write_v3_group

DOCUMENTS = {"ZARR_V2": ".zmetadata", "ZARR_V3": "zarr.json"}


def read(store, form):
    with open(f"{store}/{DOCUMENTS[form]}") as f:
        document = json.load(f)
    return document, document["metadata"] if form == "ZARR_V2" else document["consolidated_metadata"]["metadata"]


def forget_b(store, form):
    document, members = read(store, form)
    for key in list(members):
        if key.split("/")[0] == "b":
            del members[key]
    with open(f"{store}/{DOCUMENTS[form]}", "w") as f:
        json.dump(document, f)


def knows_b(store, form):
    return any(key.split("/")[0] == "b" for key in read(store, form)[1])


def create(store, form, name, *options):
    gdal.GetDriverByName("Zarr").Create(
        store, 10, 10, 1, gdal.GDT_Byte, [f"ARRAY_NAME={name}", f"FORMAT={form}", *options]
    )


@pytest.mark.parametrize("form", list(DOCUMENTS))
def test_forgotten_arrays_are_found(store, form):
    create(store, form, "a")
    create(store, form, "b", "APPEND_SUBDATASET=YES")
    assert knows_b(store, form)
    forget_b(store, form)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadataItem("x", "1")
    dataset = None
    assert knows_b(store, form)
    forget_b(store, form)
    with pytest.raises(RuntimeError, match="already"):
        create(store, form, "b", "APPEND_SUBDATASET=YES")
    create(store, form, "c", "APPEND_SUBDATASET=YES")
    assert knows_b(store, form)


def read_all(store):
    files = [os.path.join(folder, name) for folder, _, names in os.walk(store) for name in names]
    return {file: open(file, "rb").read() for file in files}


@pytest.mark.parametrize("codes", [(None, None), (32631, 32631), (32631, 32632)])
def test_coordinates_that_others_use_are_kept(store, codes):
    """A new geotransform would move them, so it is refused, and nothing changes."""
    transform = (100, 10, 0, 200, 0, -10)
    for name, more, code in zip("ab", ([], ["APPEND_SUBDATASET=YES"]), codes):
        dataset = gdal.GetDriverByName("Zarr").Create(store, 10, 10, 1, gdal.GDT_Byte, [f"ARRAY_NAME={name}", *more])
        dataset.SetGeoTransform(transform)
        if code:
            dataset.SetProjection(f"EPSG:{code}")
        dataset = None
    before = read_all(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_RASTER | gdal.OF_UPDATE)
    for wanted in ((0, 1, 0, 0, 0, -1), (0, 1, 0.5, 0, 0.5, -1)):
        with pytest.raises(RuntimeError, match="other arrays use these coordinates too"):
            dataset.SetGeoTransform(wanted)
    dataset = None
    assert read_all(store) == before
    for name in "ab":
        assert gdal.Open(f'ZARR:"{store}":/{name}').GetGeoTransform() == transform


def test_coordinates_that_others_use_keep_their_unit(store):
    """An SRS of another kind would make lengths of the other array's angles."""
    write_v2_group(store)
    for name, values, unit in (("lat", np.arange(3.0), "degrees_north"), ("lon", np.arange(4.0), "degrees_east")):
        attributes = {"_ARRAY_DIMENSIONS": [name], "units": unit, "long_name": name.upper()}
        write_v2(f"{store}/{name}", values, attributes=attributes)
    for name in "ab":
        write_v2(f"{store}/{name}", np.zeros((3, 4), "u1"), attributes={"_ARRAY_DIMENSIONS": ["lat", "lon"]})
    before = read_all(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_RASTER | gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="other arrays use these coordinates too, and say that they are not those of"):
        dataset.SetProjection("EPSG:32633")
    dataset = None
    assert read_all(store) == before
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetProjection("EPSG:4258")
    dataset = None
    assert gdal.Open(f'ZARR:"{store}":/a').GetSpatialRef().GetAuthorityCode(None) == "4258"


def test_a_group_that_says_null_is_not_written(store):
    """zarr-python 3 writes so for groups without consolidated metadata."""
    write_v3_group(store)
    write_json(f"{store}/g/zarr.json", {"zarr_format": 3, "node_type": "group", "consolidated_metadata": None})
    write_v3(f"{store}/g/a", np.zeros((3, 4), "u1"), names=["y", "x"])
    before = read_all(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/g/a', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadataItem("SOURCE", "survey")
    dataset = None
    after = read_all(store)
    assert [name for name in after if after[name] != before.get(name)] == [f"{store}/g/a/zarr.json"]
