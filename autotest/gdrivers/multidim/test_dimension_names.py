# SPDX-License-Identifier: MIT
"""Names of dimensions that no array could have: Zarr v3 allows any text."""

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group

VALUES = np.arange(12, dtype="i2").reshape(3, 4)


def write(store, version, names):
    if version == 2:
        write_v2_group(store)
        write_v2_group(store + "/g")
        for path in ("d", "g/d"):
            write_v2(f"{store}/{path}", VALUES, attributes={"_ARRAY_DIMENSIONS": names})
    else:
        write_v3_group(store)
        write_v3_group(store + "/g")
        for path in ("d", "g/d"):
            write_v3(f"{store}/{path}", VALUES, names=names)


def read(store):
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    for array in (root.OpenMDArray("d"), root.OpenGroup("g").OpenMDArray("d")):
        assert array.ReadAsArray().tolist() == VALUES.tolist()
        yield [dimension.GetName() for dimension in array.GetDimensions()]


@pytest.mark.parametrize("names", [["depth/m", "x"], ["y", "/x"], ["..", "."], ["zarr.json", "a/b/c"]])
@pytest.mark.parametrize("source", [2, 3])
@pytest.mark.parametrize("target", [2, 3])
def test_copies_keep_the_names(store, tmp_path, source, target, names):
    write(store, source, names)
    copy = str(tmp_path / "copy.zarr")
    with collect_errors() as errors:
        gdal.MultiDimTranslate(copy, store, format="Zarr", creationOptions=[f"FORMAT=ZARR_V{target}"])
        assert list(read(copy)) == [names, names]
    assert errors == []


def test_new_dimensions_have_names_that_arrays_can_have(store):
    root = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store).GetRootGroup()
    with pytest.raises(RuntimeError, match='expected the name of a node: .*"depth/m"'):
        root.CreateDimension("depth/m", "", "", 3)
