# SPDX-License-Identifier: MIT
"""Object stores, whose URLs GDAL signs, as seen by a server that knows S3's way of asking."""

import os

import numpy as np
import pytest
from osgeo import gdal
from stores import consolidate_v3, write_sharded, write_v3, write_v3_group

DATA = np.arange(1, 64 * 64 + 1, dtype="<i4").reshape(64, 64)


def needs_signature(query, headers):
    signed = "X-Amz-Signature=" in query or headers.get("Authorization")
    return None if signed else (403, "AccessDenied")


def get_settings(server):
    return {
        "AWS_ACCESS_KEY_ID": "id",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_S3_ENDPOINT": server.url.removeprefix("http://"),
        "AWS_HTTPS": "NO",
        "AWS_VIRTUAL_HOSTING": "FALSE",
    }


@pytest.fixture
def s3(tmp_path, server):
    """A server with the bucket `b`, which asks for signatures."""
    server.refuse = needs_signature
    for name, value in get_settings(server).items():
        gdal.SetConfigOption(name, value)
    yield server
    for name in [*get_settings(server), "AWS_NO_SIGN_REQUEST"]:
        gdal.SetConfigOption(name, None)


def read(path="/vsis3/b/a.zarr"):
    return gdal.Open(f'ZARR:"{path}"').ReadAsArray()


def test_one_request_for_each_value(tmp_path, s3):
    write_v3_group(str(tmp_path / "b" / "a.zarr"))
    write_v3(str(tmp_path / "b" / "a.zarr" / "t"), DATA, (32, 32))
    consolidate_v3(str(tmp_path / "b" / "a.zarr"))
    np.testing.assert_array_equal(read(), DATA)
    chunks = [f"/b/a.zarr/t/c/{i}/{j}" for i in range(2) for j in range(2)]
    assert sorted(path for _, path, _, _ in s3.log) == sorted(["/b/a.zarr/zarr.json", *chunks])
    assert {command for command, *_ in s3.log} == {"GET"}
    assert all("X-Amz-Signature=" in query for query in s3.queries)


def test_shards(tmp_path, s3):
    noise = np.random.default_rng(0).integers(0, 1 << 30, (256, 256), "i4")
    for name, values, count in (("small", DATA, 1), ("large", noise, 2)):
        write_sharded(str(tmp_path / "b" / f"{name}.zarr"), values, values.shape, (16, 16))
        dataset = gdal.Open(f'ZARR:"/vsis3/b/{name}.zarr"')
        s3.clear()
        np.testing.assert_array_equal(dataset.ReadAsArray(16, 16, 16, 16), values[16:32, 16:32])
        assert s3.count() == count


def test_absent_chunks_have_the_fill_value(tmp_path, s3):
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32), fill=7, skip=[(0, 0)])
    assert (read()[:32, :32] == 7).all()


def test_a_bucket_that_is_not_there_is_an_error(tmp_path, s3):
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32), fill=7)
    dataset = gdal.Open('ZARR:"/vsis3/b/a.zarr"')
    (tmp_path / "b").rename(tmp_path / "c")
    with pytest.raises(RuntimeError, match="404.*NoSuchBucket"):
        dataset.ReadAsArray()


def test_a_refusal_is_an_error(tmp_path, s3):
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32))
    dataset = gdal.Open('ZARR:"/vsis3/b/a.zarr"')
    s3.refuse = lambda query, headers: (403, "AccessDenied")
    with pytest.raises(RuntimeError, match="HTTP response code: 403.*AccessDenied.*/b/a.zarr/c/") as caught:
        dataset.ReadAsArray()
    assert "Signature" not in str(caught.value)


def test_public_buckets_get_no_signature(tmp_path, s3):
    s3.refuse = None
    gdal.SetConfigOption("AWS_NO_SIGN_REQUEST", "YES")
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32))
    np.testing.assert_array_equal(read(), DATA)
    assert s3.queries == [""] * 5


def test_settings_of_a_path_count(tmp_path, server):
    server.refuse = needs_signature
    write_v3(str(tmp_path / "mine" / "a.zarr"), DATA, (32, 32))
    for name, value in get_settings(server).items():
        gdal.SetPathSpecificOption("/vsis3/mine", name, value)
    gdal.SetPathSpecificOption("/vsis3/mine", "GDAL_HTTP_HEADERS", "X-Mine: yes")
    try:
        server.refuse = lambda query, headers: None if headers.get("X-Mine") == "yes" else (403, "AccessDenied")
        np.testing.assert_array_equal(read("/vsis3/mine/a.zarr"), DATA)
    finally:
        gdal.ClearPathSpecificOptions("/vsis3/mine")


def test_a_wrong_region_is_left_to_gdal(tmp_path, s3):
    """Of the two ways of signing, this server takes only that of GDAL's file system, which finds the region."""
    s3.refuse = lambda query, headers: (
        (400, "AuthorizationQueryParametersError") if "X-Amz-Signature=" in query else None
    )
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32))
    np.testing.assert_array_equal(read(), DATA)


@pytest.mark.parametrize(
    ("prefix", "settings"),
    [
        ("/vsigs/", {"GS_NO_SIGN_REQUEST": "YES", "CPL_GS_ENDPOINT": "{url}/"}),
        ("/vsigs/", {"GS_ACCESS_KEY_ID": "id", "GS_SECRET_ACCESS_KEY": "secret", "CPL_GS_ENDPOINT": "{url}/"}),
        (
            "/vsiaz/",
            {
                "AZURE_STORAGE_CONNECTION_STRING": "DefaultEndpointsProtocol=http;AccountName=account;"
                "AccountKey=YWJj;BlobEndpoint={url}"
            },
        ),
    ],
)
def test_other_object_stores(tmp_path, server, prefix, settings):
    write_sharded(str(tmp_path / "b" / "a.zarr"), DATA, (64, 64), (16, 16))
    for name, value in settings.items():
        gdal.SetConfigOption(name, value.format(url=server.url))
    try:
        np.testing.assert_array_equal(read(f"{prefix}b/a.zarr"), DATA)
        assert {command for command, *_ in server.log} == {"GET"}
        # Azure has no suffix ranges: the start of a shard is asked for, which is all of a small one.
        assert server.count() == 2
    finally:
        for name in settings:
            gdal.SetConfigOption(name, None)


@pytest.fixture
def long_age():
    """Metadata count as valid for a minute."""
    gdal.SetConfigOption("ZARR_HTTP_METADATA_AGE", "60")
    yield
    gdal.SetConfigOption("ZARR_HTTP_METADATA_AGE", None)


def read_unit(path="/vsis3/b/a.zarr"):
    dataset = gdal.Open(f'ZARR:"{path}"')
    return dataset.GetRasterBand(1).GetUnitType()


@pytest.mark.usefixtures("long_age")
def test_what_this_process_writes_is_seen(tmp_path, s3):
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32))
    assert read_unit() == ""
    s3.clear()
    assert read_unit() == "" and s3.count() == 0
    dataset = gdal.Open('ZARR:"/vsis3/b/a.zarr"', gdal.GA_Update)
    dataset.GetRasterBand(1).SetUnitType("K")
    del dataset
    assert read_unit() == "K"


@pytest.mark.usefixtures("long_age")
def test_metadata_that_were_read_with_other_credentials_are_not_used(tmp_path, s3):
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32))
    assert read_unit() == ""
    s3.refuse = lambda query, headers: (403, "AccessDenied") if "X-Amz-Credential=other" in query else None
    gdal.SetConfigOption("AWS_ACCESS_KEY_ID", "other")
    with pytest.raises(RuntimeError, match="HTTP response code: 403"):
        read_unit()
    gdal.SetConfigOption("AWS_ACCESS_KEY_ID", "id")
    assert read_unit() == ""


def test_opening_a_second_time(tmp_path, s3):
    """The header that asks for changes only is not among those that are signed."""
    write_v3(str(tmp_path / "b" / "a.zarr"), DATA, (32, 32))
    os.utime(tmp_path / "b" / "a.zarr" / "zarr.json", (1.6e9, 1.6e9))
    assert read_unit() == ""
    s3.clear()
    assert read_unit() == ""
    assert s3.log == [("GET", "/b/a.zarr/zarr.json", None, 304)]


def test_a_value_that_came_early_and_was_written_since(tmp_path, s3):
    """Coordinates that this process changes between opening and the first look at them."""
    store = tmp_path / "b" / "a.zarr"
    write_v3_group(str(store))
    write_v3(str(store / "t"), DATA, names=["y", "x"])
    for name in "yx":
        write_v3(str(store / name), np.arange(64, dtype="f8"), names=[name])
    name = 'ZARR:"/vsis3/b/a.zarr"'
    dataset = gdal.Open(f"{name}:/t")
    change = gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = change.GetRootGroup().OpenMDArray("x")
    assert array.Write(np.arange(64, dtype="f8") * 2) == gdal.CE_None
    del array, change
    assert dataset.GetGeoTransform()[1] == 2
