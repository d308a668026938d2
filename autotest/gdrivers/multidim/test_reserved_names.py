# SPDX-License-Identifier: MIT
"""Names that begin with "__", which v3 reserves and other writers use."""

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v2_group

UNNAMED = "__xarray_dataarray_variable__"
DATA = np.array([[1, 2], [3, 4]], dtype="<i2")
FORMATS = ["ZARR_V2", "ZARR_V3"]


def values_of(store, *path):
    group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    for name in path[:-1]:
        group = group.OpenGroup(name)
    return group.OpenMDArray(path[-1]).ReadAsArray().tolist()


def check_warning(errors, zarr_format):
    assert len(errors) == (1 if zarr_format == "ZARR_V3" else 0)
    assert all('reserves names of nodes that begin with "__"' in text for _, text in errors)


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_copies_keep_such_names_with_one_warning(store, tmp_path, zarr_format):
    source = str(tmp_path / "source.zarr")
    for group in (source, f"{source}/__categories"):
        write_v2_group(group)
    write_v2(f"{source}/{UNNAMED}", DATA)
    write_v2(f"{source}/__categories/__label", DATA + 1)
    with collect_errors() as errors:
        gdal.MultiDimTranslate(store, source, format="Zarr", creationOptions=[f"FORMAT={zarr_format}"])
    check_warning(errors, zarr_format)
    assert values_of(store, UNNAMED) == DATA.tolist()
    assert values_of(store, "__categories", "__label") == (DATA + 1).tolist()


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_users_make_such_nodes(store, zarr_format):
    with collect_errors() as errors:
        dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={zarr_format}"])
        root = dataset.GetRootGroup()
        dimensions = [root.CreateDimension(name, None, None, 2) for name in ("__y", "x")]
        array = root.CreateMDArray("__a", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Int16))
        array.Write(DATA)
        root.CreateGroup("__g")
        del array, dimensions, root, dataset
    check_warning(errors, zarr_format)
    assert values_of(store, "__a") == DATA.tolist()


def test_a_new_raster_may_have_such_a_name(store):
    with collect_errors() as errors:
        options = ["FORMAT=ZARR_V3", "ARRAY_NAME=__a"]
        dataset = gdal.GetDriverByName("Zarr").Create(store, 2, 2, 1, gdal.GDT_Int16, options)
        dataset.GetRasterBand(1).WriteArray(DATA)
        dataset = None
    check_warning(errors, "ZARR_V3")
    assert dataset is None and np.array_equal(gdal.Open(f'ZARR:"{store}":/__a').ReadAsArray(), DATA)
