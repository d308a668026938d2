# SPDX-License-Identifier: MIT
"""An object store that is a program of its own, and checks signatures."""

import collections

import numpy as np
import pytest
from osgeo import gdal, osr
from web_layouts import DATA, FILL, LAYOUTS


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return LAYOUTS[request.param]


def upload(layout, s3, tmp_path, skip=(), name="a.zarr"):
    layout.write(str(tmp_path / "a.zarr"), skip)
    s3.upload(name, str(tmp_path / "a.zarr"))


def open_store(s3, name="a.zarr"):
    return gdal.Open(f'ZARR:"{s3.root}/{name}"')


def test_reading(tmp_path, s3_bucket, layout, request):
    """A store of a name that was opened before is asked for what was used then, too."""
    name = f"{request.node.callspec.id.replace(' ', '_')}.zarr"
    upload(layout, s3_bucket, tmp_path, name=name)
    dataset = open_store(s3_bucket, name)
    assert s3_bucket.count() == layout.opening
    s3_bucket.clear()
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert s3_bucket.count() == layout.reading
    assert {request.method for request in s3_bucket.log} == {"GET"}
    assert all("X-Amz-Signature=" in request.query for request in s3_bucket.log)


def test_the_multidimensional_api(tmp_path, s3_bucket, layout):
    upload(layout, s3_bucket, tmp_path)
    group = gdal.OpenEx(f'ZARR:"{s3_bucket.root}/a.zarr"', gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    s3_bucket.clear()
    np.testing.assert_array_equal(array.ReadAsArray(), DATA)
    assert s3_bucket.count() == layout.reading


def test_absent_chunks(tmp_path, s3_bucket, layout):
    """The answer is 404 with the code NoSuchKey."""
    upload(layout, s3_bucket, tmp_path, [(0, 0)])
    dataset = open_store(s3_bucket)
    s3_bucket.clear()
    values = dataset.ReadAsArray()
    assert (values[:16, :16] == FILL).all()
    np.testing.assert_array_equal(values[32:], DATA[32:])
    # An absent chunk or shard takes a request, too.
    assert s3_bucket.count() == layout.reading
    assert [request.status for request in s3_bucket.log].count(404) == 1


@pytest.mark.parametrize(
    ("name", "code"), [("AWS_SECRET_ACCESS_KEY", "SignatureDoesNotMatch"), ("AWS_ACCESS_KEY_ID", "InvalidAccessKeyId")]
)
def test_a_wrong_account_is_an_error(tmp_path, s3_bucket, name, code):
    upload(LAYOUTS["v3"], s3_bucket, tmp_path)
    dataset = open_store(s3_bucket)
    gdal.SetConfigOption(name, "wrong")
    with pytest.raises(RuntimeError, match=f"403|{code}"):
        open_store(s3_bucket)
    gdal.VSICurlClearCache()
    with pytest.raises(RuntimeError, match=f"403|{code}"):
        dataset.ReadAsArray()


def test_another_bucket_is_an_error(tmp_path, s3_bucket):
    with pytest.raises(RuntimeError, match="NoSuchBucket|404|does not exist"):
        gdal.Open('ZARR:"/vsis3/nowhere/a.zarr"')


def make_raster():
    raster = gdal.GetDriverByName("MEM").Create("", 64, 64, 1, gdal.GDT_Int32)
    raster.SetGeoTransform((500000, 10, 0, 5200000, 0, -10))
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32632)
    raster.SetProjection(srs.ExportToWkt())
    raster.WriteArray(DATA)
    return raster


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_writing_16_chunks_with_a_place(s3_bucket, version):
    raster = make_raster()
    options = [f"FORMAT={version}", "BLOCKSIZE=16,16"]
    with s3_bucket.record() as requests:
        gdal.GetDriverByName("Zarr").CreateCopy(f"{s3_bucket.root}/a.zarr", raster, options=options)
    print(version, collections.Counter(method for method, _ in requests))
    chunks = [key for key in s3_bucket.keys() if key.split("/")[-1][0].isdigit()]
    assert len([key for key in chunks if "/X/" not in key and "/Y/" not in key]) == 16
    assert {f"PUT {key}" for key in chunks} <= {f"{method} {key}" for method, key in requests}

    gdal.VSICurlClearCache()
    again = open_store(s3_bucket)
    np.testing.assert_array_equal(again.ReadAsArray(), DATA)
    assert again.GetGeoTransform() == raster.GetGeoTransform()
    assert again.GetSpatialRef().GetAuthorityCode(None) == "32632"
