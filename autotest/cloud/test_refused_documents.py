# SPDX-License-Identifier: MIT
"""A bucket that may not be listed refuses (403) keys that do not exist, as it does those that may not be read. A document
that can be read decides what a node is; what is refused is taken for absent only where the server has shown that it
refuses absent keys."""

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import consolidate_v2, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(48, dtype="<i4").reshape(6, 8)


@pytest.fixture
def closed(server):
    server.absent = 403
    return server


def name_of(server, array="t", store="a.zarr"):
    return f'ZARR:"/vsicurl/{server.url}/{store}"' + (f":/{array}" if array else "")


def write_store(path, consolidated, attributes):
    write_v2_group(str(path))
    write_v2(f"{path}/t", DATA, [6, 8], attributes=attributes)
    write_v2(f"{path}/y", np.arange(6.0), [6], attributes={"_ARRAY_DIMENSIONS": ["y"], "units": "m"})
    if consolidated:
        consolidate_v2(str(path))


@pytest.mark.parametrize("consolidated", [False, True])
@pytest.mark.parametrize("status", [401, 403])
def test_a_store_of_v2(tmp_path, server, status, consolidated):
    server.absent = status
    write_store(tmp_path / "a.zarr", consolidated, {"_ARRAY_DIMENSIONS": ["y", "x"], "title": "t"})
    dataset = gdal.Open(name_of(server))
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert dataset.GetMetadataItem("title") == "t"
    group = gdal.OpenEx(name_of(server, None), gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    np.testing.assert_array_equal(group.OpenMDArray("t").ReadAsArray(), DATA)
    np.testing.assert_array_equal(gdal.Open(name_of(server, None, "a.zarr/t")).ReadAsArray(), DATA)
    bare = gdal.Open(f"/vsicurl/{server.url}/a.zarr")
    assert bare.RasterCount == (1 if consolidated else 0)  # without a list the arrays are not known


def test_a_folder_of_another_name(tmp_path, closed):
    write_store(tmp_path / "data" / "a", False, {"_ARRAY_DIMENSIONS": ["y", "x"]})
    np.testing.assert_array_equal(gdal.Open(name_of(closed, None, "data/a/t")).ReadAsArray(), DATA)


def test_an_array_without_attributes_is_read_with_a_warning(tmp_path, closed):
    write_store(tmp_path / "a.zarr", False, None)
    with collect_errors() as errors:
        np.testing.assert_array_equal(gdal.Open(name_of(closed)).ReadAsArray(), DATA)
    warnings = [text for _, text in errors]
    assert any(".zattrs" in text and "403" in text and "taken for absent" in text for text in warnings), warnings


def test_dimensions_without_coordinates(tmp_path, closed):
    path = tmp_path / "a.zarr"
    write_v3_group(str(path))
    write_v3(f"{path}/t", DATA, (6, 8), names=["row", "column"])
    with collect_errors() as errors:
        np.testing.assert_array_equal(gdal.Open(name_of(closed)).ReadAsArray(), DATA)
    assert len([text for _, text in errors if "taken for absent" in text]) == 1, errors


def test_attributes_that_are_refused_alone_are_an_error(tmp_path, server):
    """Here 404 means absent, so these attributes exist."""
    write_store(tmp_path / "a.zarr", False, {"_ARRAY_DIMENSIONS": ["y", "x"]})
    server.fail("403", "/t/.zattrs")
    with pytest.raises(RuntimeError, match=r"t/\.zattrs.* 403"):
        gdal.Open(name_of(server))


@pytest.mark.parametrize("document", ["zarr.json", ".zgroup"])
def test_a_store_of_which_nothing_can_be_read_is_an_error(tmp_path, closed, document):
    """Named by the document that is asked for first."""
    with pytest.raises(RuntimeError, match="a.zarr/zarr.json: cannot be opened: .*403"):
        gdal.Open(name_of(closed, None))


def test_a_chunk_that_is_refused_is_an_error(tmp_path, closed):
    write_store(tmp_path / "a.zarr", True, {"_ARRAY_DIMENSIONS": ["y", "x"]})
    (tmp_path / "a.zarr" / "t" / "0.0").unlink()
    with pytest.raises(RuntimeError, match=r"t/0\.0: cannot be opened: .*403"):
        gdal.Open(name_of(closed)).ReadAsArray()
