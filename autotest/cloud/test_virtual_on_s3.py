# SPDX-License-Identifier: MIT
"""Icechunk repositories that refer to files in an object store."""

import os

import numpy as np
import pytest
from config_options import set_config_options
from osgeo import gdal

VALUES = (np.arange(60 * 100) * 37 % 251).astype("i2").reshape(60, 100)
OPTIONS = ["FORMAT=ICECHUNK", "VIRTUAL=YES"]


def write_tiff(path):
    options = ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16", "COMPRESS=DEFLATE"]
    dataset = gdal.GetDriverByName("GTiff").Create(path, 100, 60, 1, gdal.GDT_Int16, options)
    dataset.WriteArray(VALUES)
    dataset = None


@pytest.fixture
def source(s3_bucket, tmp_path):
    """A TIFF file in the bucket."""
    os.mkdir(tmp_path / "data")
    write_tiff(str(tmp_path / "data" / "a b.tif"))
    s3_bucket.upload("data", str(tmp_path / "data"))
    return f"{s3_bucket.root}/data/a b.tif"


def refer(target, source):
    return gdal.Translate(str(target), source, format="Zarr", creationOptions=OPTIONS)


@pytest.mark.parametrize("place", ["disk", "bucket"])
def test_a_file_is_read_through_the_repository(s3_bucket, tmp_path, source, place):
    target = tmp_path / "a.icechunk" if place == "disk" else f"{s3_bucket.root}/a.icechunk"
    refer(target, source)
    assert (gdal.Open(str(target)).ReadAsArray() == VALUES).all()
    assert not any("/chunks/" in key for key in s3_bucket.keys())


def test_a_file_that_was_changed_is_an_error(s3_bucket, tmp_path, source):
    target = tmp_path / "a.icechunk"
    refer(target, source)
    with open(tmp_path / "data" / "a b.tif", "ab") as f:
        f.write(b"more")
    s3_bucket.upload("data", str(tmp_path / "data"))
    gdal.VSICurlClearCache()
    with pytest.raises(RuntimeError, match="expected the ETag .* the file was changed"):
        gdal.Open(str(target)).ReadAsArray()
    unchecked = gdal.OpenEx(str(target), gdal.OF_RASTER, open_options=["IGNORE_TIMESTAMP_ETAG=YES"])
    assert (unchecked.ReadAsArray() == VALUES).all()


def refuse_signed(query, headers):
    return (403, "AccessDenied") if "X-Amz-" in query or headers.get("Authorization") else None


def test_a_public_bucket_needs_no_settings(tmp_path, server):
    """The repository tells where it is, and that requests are not signed; GDAL's settings stay as they are."""
    os.mkdir(tmp_path / "b")
    write_tiff(str(tmp_path / "b" / "a.tif"))
    server.refuse = refuse_signed
    endpoint = {"AWS_S3_ENDPOINT": server.url.removeprefix("http://"), "AWS_HTTPS": "NO", "AWS_VIRTUAL_HOSTING": "FALSE"}
    target = str(tmp_path / "a.icechunk")
    with set_config_options({**endpoint, "AWS_NO_SIGN_REQUEST": "YES"}):
        refer(target, "/vsis3/b/a.tif")
    server.clear()
    with set_config_options({"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"}):
        assert (gdal.Open(target).ReadAsArray() == VALUES).all()
    assert {path for _, path, _, _ in server.log} == {"/b/a.tif"}


def test_local_files_are_not_in_a_remote_repository(s3_bucket, tmp_path, source):
    with pytest.raises(RuntimeError, match="GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE=YES"):
        refer(f"{s3_bucket.root}/a.icechunk", str(tmp_path / "data" / "a b.tif"))
    assert not any(key.startswith("a.icechunk/repo") for key in s3_bucket.keys())
