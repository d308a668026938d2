# SPDX-License-Identifier: MIT
"""Makes stores in ZIP archives, and inspects the archives."""

import os
import zipfile

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr

FORMATS = ["ZARR_V1", "ZARR_V2", "ZARR_V3"]
WIDTH, HEIGHT = 70, 50
TRANSFORM = (500000, 10, 0, 5000000, 0, -10)
CHUNKS = ["BLOCKSIZE=16,32"]


def get_driver():
    return gdal.GetDriverByName("Zarr")


def make_values(bands=2, seed=3):
    return np.random.default_rng(seed).integers(1, 1000, (bands, HEIGHT, WIDTH), np.uint16)


def make_source(values):
    bands, height, width = values.shape
    dataset = gdal.GetDriverByName("MEM").Create("", width, height, bands, gdal.GDT_UInt16)
    dataset.WriteArray(values)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform(TRANSFORM)
    dataset.SetMetadataItem("made_by", "a test")
    for band in range(1, bands + 1):
        dataset.GetRasterBand(band).SetNoDataValue(0)
    return dataset
DOCUMENTS = {"zarr.json", ".zarray", ".zattrs", ".zgroup", ".zmetadata", "meta", "attrs"}


def list_files(archive, folder=""):
    """Returns the files in an archive, and checks it: no name appears twice, nothing is damaged, no bytes lie between
    files, and the metadata come last, before the archive's directory."""
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
        assert len(set(names)) == len(names)
        assert opened.testzip() is None
        infos = sorted(opened.infolist(), key=lambda info: info.header_offset)
        end = 0
        for info in infos:
            assert info.header_offset == end
            assert info.compress_type == zipfile.ZIP_STORED
            end += 30 + len(info.filename.encode()) + info.file_size
        assert opened.start_dir == end
        is_document = [os.path.basename(info.filename) in DOCUMENTS for info in infos]
        assert is_document == sorted(is_document)
        assert all(name.startswith(folder) for name in names)
        return {name[len(folder) :]: opened.read(name) for name in names}


def list_names(folder):
    return sorted(os.listdir(folder))


def check_copy(name, values):
    with collect_errors() as errors:
        dataset = gdal.Open(name)
        np.testing.assert_array_equal(dataset.ReadAsArray(), np.squeeze(values))
        assert dataset.GetGeoTransform() == TRANSFORM
        assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32633"
        assert dataset.GetRasterBand(1).GetNoDataValue() == 0
        assert dataset.GetMetadataItem("made_by") == "a test"
    assert errors == []


@pytest.fixture
def archive(tmp_path):
    """An archive that must not change during the test."""
    path = str(tmp_path / "test.zarr.zip")
    get_driver().CreateCopy(path, make_source(make_values()), options=CHUNKS)
    with open(path, "rb") as file:
        before = (file.read(), os.fstat(file.fileno()).st_mtime_ns)
    yield path
    with open(path, "rb") as file:
        assert (file.read(), os.fstat(file.fileno()).st_mtime_ns) == before
    assert list_names(tmp_path) == ["test.zarr.zip"]
