# SPDX-License-Identifier: MIT
"""A CRS that is set or removed leaves arrays that share the coordinates, and names that imply a CRS, as they were."""

import numpy as np
import pytest
from osgeo import gdal, osr
from stores import write_v2, write_v2_group

Y, X = [49.75, 49.25, 48.75], [5.25, 5.75, 6.25, 6.75]


def make_srs(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    return srs


def write_store(path, names, arrays):
    write_v2_group(path)
    for name, values in zip(names, (Y, X)):
        write_v2(f"{path}/{name}", np.array(values), attributes={"_ARRAY_DIMENSIONS": [name]})
    for array in arrays:
        attributes = {"_ARRAY_DIMENSIONS": list(names)}
        if array == "w":
            attributes["_CRS"] = {"wkt": make_srs(32632).ExportToWkt()}
        write_v2(f"{path}/{array}", np.zeros((3, 4), "u1"), attributes=attributes)


def set_crs(name, code):
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    assert dataset.SetSpatialRef(make_srs(code) if code else None) == gdal.CE_None
    shown = dataset.GetSpatialRef()
    del dataset
    return shown


@pytest.mark.parametrize("code", [2263, 32631])
@pytest.mark.parametrize("has_unit", [True, False])
def test_an_array_in_feet_moves_no_other_one(tmp_path, code, has_unit):
    store = str(tmp_path / "a.zarr")
    write_store(store, ("y", "x"), "vw")
    name = f'ZARR:"{store}":/'
    if has_unit:
        set_crs(name + "w", 32632)
    before = gdal.Open(name + "w").GetGeoTransform()
    set_crs(name + "v", code)
    assert gdal.Open(name + "w").GetGeoTransform() == pytest.approx(before)
    assert gdal.Open(name + "v").GetSpatialRef().GetAuthorityCode(None) == str(code)


def test_coordinates_named_like_angles_get_no_crs_back(tmp_path):
    store = str(tmp_path / "a.zarr")
    write_store(store, ("lat", "lon"), "v")
    name = f'ZARR:"{store}":/v'
    set_crs(name, 32632)
    assert set_crs(name, None) is None
    assert gdal.Open(name).GetSpatialRef() is None
