# SPDX-License-Identifier: MIT
"""Archives by other writers are read."""

import json
import os
import zipfile

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v3

DATA = np.arange(400, dtype="<i4").reshape(20, 20)


@pytest.fixture
def folder(tmp_path):
    """A store of which archives are made."""
    path = str(tmp_path / "store")
    write_v3(path, DATA, (10, 10), attributes={"long_name": "old"})
    return path


def files_of(folder):
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as f:
                yield os.path.relpath(path, folder), f.read()


def make(path, folder, compression=zipfile.ZIP_STORED, prefix=""):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, value in files_of(folder):
            archive.writestr(prefix + name, value)
    return path


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("prefix", ["", "in/it/"])
def test_members_may_be_stored_or_deflated(folder, tmp_path, compression, prefix):
    path = make(str(tmp_path / "a.zarr.zip"), folder, compression, prefix)
    name = f"/vsizip/{path}/{prefix}" if prefix else path
    assert np.array_equal(gdal.Open(name).ReadAsArray(), DATA)
    braces = f"/vsizip/{{{path}}}/{prefix}"
    assert np.array_equal(gdal.Open(f'ZARR:"{braces}"').ReadAsArray(3, 4, 9, 12), DATA[4:16, 3:12])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_last_member_of_a_name_is_read(folder, tmp_path):
    """A file in an archive cannot be replaced: a writer adds another one of the same name."""
    path = make(str(tmp_path / "a.zarr.zip"), folder)
    with open(f"{folder}/zarr.json") as f:
        document = json.load(f)
    document["attributes"]["long_name"] = "new"
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("c/0/0", (DATA[:10, :10] + 1000).tobytes())
        archive.writestr("zarr.json", json.dumps(document))
    dataset = gdal.Open(path)
    values = dataset.ReadAsArray()
    assert values[0, 0] == 1000 and values[10, 10] == DATA[10, 10]
    assert dataset.GetMetadataItem("long_name") == "new"


def test_an_archive_may_hold_one_file(folder, tmp_path):
    path = str(tmp_path / "a.zarr.zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(f"{folder}/zarr.json", "zarr.json")
    assert gdal.Open(path).ReadAsArray().tolist() == [[0] * 20] * 20


def test_an_empty_store_in_an_archive_is_read(tmp_path):
    path = str(tmp_path / "a.zarr.zip")
    gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], ["FORMAT=ZARR_V3"])
    assert gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames() in (None, [])


def test_an_archive_may_be_in_an_archive(folder, tmp_path):
    inner = make(str(tmp_path / "inner.zip"), folder)
    outer = str(tmp_path / "outer.zip")
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(inner, "some/inner.zip")
    name = f"/vsizip/{{/vsizip/{{{outer}}}/some/inner.zip}}"
    assert np.array_equal(gdal.Open(f'ZARR:"{name}"').ReadAsArray(), DATA)


def test_an_archive_may_be_in_memory(folder, tmp_path):
    with open(make(str(tmp_path / "a.zip"), folder), "rb") as f:
        gdal.FileFromMemBuffer("/vsimem/a.zarr.zip", f.read())
    try:
        assert np.array_equal(gdal.Open("/vsimem/a.zarr.zip").ReadAsArray(), DATA)
        assert np.array_equal(gdal.Open('ZARR:"/vsizip/vsimem/a.zarr.zip"').ReadAsArray(), DATA)
    finally:
        gdal.Unlink("/vsimem/a.zarr.zip")


def test_a_folder_may_be_called_zip(folder, tmp_path):
    os.mkdir(tmp_path / "data.zip")
    path = make(str(tmp_path / "data.zip" / "a.zip"), folder)
    assert np.array_equal(gdal.Open(f'ZARR:"/vsizip/{path}"').ReadAsArray(), DATA)


@pytest.mark.parametrize("damage", ["table", "checksum", "cut"])
def test_damage_is_an_error(folder, tmp_path, damage):
    path = make(str(tmp_path / "a.zarr.zip"), folder)
    with open(path, "rb") as f:
        archive = bytearray(f.read())
    if damage == "table":
        archive[archive.rfind(b"PK\1\2")] = 0
    elif damage == "checksum":
        archive[archive.find(DATA[:10, :10].tobytes()) + 4] ^= 1
    else:
        del archive[-5:]
    with open(path, "wb") as f:
        f.write(archive)
    with pytest.raises(RuntimeError) as error:
        gdal.Open(path).ReadAsArray()
    assert "a.zarr.zip" in str(error.value)
