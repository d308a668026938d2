"""CHUNK_EDGES with a plan in place of edges: calendar months, the blocks of the source."""

import json

import numpy as np
import pytest
from osgeo import gdal


def create_array(store, units, values, edges):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    group = dataset.GetRootGroup()
    dimensions = [group.CreateDimension("time", "", "", len(values)), group.CreateDimension("y", "", "", 3)]
    time = group.CreateMDArray("time", dimensions[:1], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
    time.SetUnit(units)
    time.Write(np.array(values, "f8"))
    array = group.CreateMDArray("v", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Byte), [f"CHUNK_EDGES={edges}"])
    array.Write(np.arange(len(values) * 3, dtype="u1").reshape(-1, 3))


def chunk_shapes(store, array):
    with open(f"{store}/{array}/zarr.json") as f:
        return json.load(f)["chunk_grid"]["configuration"]["chunk_shapes"]


def test_months(tmp_path):
    store = str(tmp_path / "a.zarr")
    create_array(store, "days since 2000-01-30 12:00", range(40), "time:MONTHS")
    assert chunk_shapes(store, "v")[0] == [2, 29, 9]
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER)
    values = dataset.GetRootGroup().OpenMDArray("v").ReadAsArray()
    assert (values.ravel() == np.arange(120)).all()


def test_months_need_times(tmp_path):
    with pytest.raises(RuntimeError, match="CHUNK_EDGES: expected coordinates that are times for MONTHS, got time"):
        create_array(str(tmp_path / "a.zarr"), "m", range(40), "time:MONTHS")


def test_blocks_of_the_source(tmp_path):
    source = gdal.GetDriverByName("GTiff").Create(
        str(tmp_path / "a.tif"), 300, 200, 1, options=["TILED=YES", "BLOCKXSIZE=96", "BLOCKYSIZE=80"]
    )
    source.WriteArray(np.arange(60000, dtype="u4").reshape(200, 300).astype("u1"))
    store = str(tmp_path / "a.zarr")
    gdal.Translate(store, source, format="Zarr", creationOptions=["CHUNK_EDGES=SOURCE", "ARRAY_NAME=a"])
    with open(f"{store}/a/.zarray") as f:
        assert json.load(f)["chunks"] == [80, 96]
    assert (gdal.Open(store).ReadAsArray() == source.ReadAsArray()).all()
