# SPDX-License-Identifier: MIT
"""Icechunk repositories that refer to the blocks of a source. See also test_references.py."""

import os
import tempfile

import numpy as np
import pytest
from osgeo import gdal
from reference_stores import write_references
from stores import open_group, write_v2, write_v2_group
from zarrkit_program import run_zarrkit

VALUES = (np.arange(60 * 100) * 37 % 251).reshape(60, 100)
OPTIONS = ["FORMAT=ICECHUNK", "VIRTUAL=YES"]
TILES = ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"]


def write_tiff(path, options=(), dtype="i2"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    kind = {"u1": gdal.GDT_Byte, "i2": gdal.GDT_Int16, "f4": gdal.GDT_Float32}[dtype]
    dataset = gdal.GetDriverByName("GTiff").Create(path, 100, 60, 1, kind, [*TILES, *options])
    dataset.SetGeoTransform((500000, 10, 0, 4600000, 0, -10))
    dataset.SetMetadataItem("title", "a test")
    dataset.GetRasterBand(1).SetNoDataValue(7)
    dataset.GetRasterBand(1).WriteArray(VALUES.astype(dtype))
    dataset = None
    return path


def refer(target, source, *options):
    return gdal.Translate(str(target), str(source), format="Zarr", creationOptions=[*OPTIONS, *options])


@pytest.fixture
def tiff(tmp_path):
    return write_tiff(str(tmp_path / "data" / "a.tif"))


@pytest.fixture
def target(tmp_path):
    os.mkdir(tmp_path / "out")
    return tmp_path / "out" / "a.icechunk"


def list_chunks(path):
    """The files of chunks in a repository."""
    return os.listdir(f"{path}/chunks") if os.path.exists(f"{path}/chunks") else []


@pytest.mark.parametrize(
    "dtype,options",
    [
        ("u1", []),
        ("i2", ["COMPRESS=DEFLATE", "PREDICTOR=2"]),
        ("f4", ["COMPRESS=ZSTD", "PREDICTOR=3"]),
        ("u1", ["COMPRESS=JPEG"]),
        ("i2", ["COMPRESS=LZW", "ENDIANNESS=BIG"]),
    ],
)
def test_a_file_is_read_through_the_repository(tmp_path, target, dtype, options):
    tiff = write_tiff(str(tmp_path / "data" / "a.tif"), options, dtype)
    made = refer(target, tiff, "COMMIT_MESSAGE=first", "COMMIT_AUTHOR=Ada")
    expected = gdal.Open(tiff).ReadAsArray()
    assert made.ReadAsArray().tobytes() == expected.tobytes()
    made = None
    opened = gdal.Open(str(target))
    assert opened.ReadAsArray().tobytes() == expected.tobytes()
    assert opened.GetGeoTransform() == (500000, 10, 0, 4600000, 0, -10)
    assert opened.GetRasterBand(1).GetNoDataValue() == 7
    assert opened.GetMetadataItem("title") == "a test"
    assert list_chunks(target) == []
    assert os.listdir(tmp_path / "out") == ["a.icechunk"]


@pytest.mark.parametrize("name", ["with space%20.tif", "ümlaut#?.tif", "a&b=c;d.tif"])
def test_names_of_files(tmp_path, target, name):
    tiff = write_tiff(str(tmp_path / "some data" / name))
    refer(target, tiff)
    assert (gdal.Open(str(target)).ReadAsArray() == VALUES).all()


def test_a_relative_name_becomes_absolute(tmp_path, target, tiff, monkeypatch):
    monkeypatch.chdir(tmp_path / "out")
    refer(target, "../data/a.tif")
    monkeypatch.chdir("/")
    assert (gdal.Open(str(target)).ReadAsArray() == VALUES).all()
    assert list_containers(target) == [f"file://{tmp_path}/data/"]


def list_containers(path):
    lines = run_zarrkit("info", str(path)).splitlines()
    return [line.split()[1] for line in lines if line.startswith("  container ")]


def test_folders_of_a_store_are_one_container(tmp_path, target):
    """Readers must be allowed each container."""
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    for name in ("a", "b", "c"):
        write_v2(f"{source}/{name}", np.zeros((40, 90, 130), "i2") + 1, [20, 90, 130])
    gdal.MultiDimTranslate(str(target), source, format="Zarr", creationOptions=OPTIONS)
    assert list_containers(target) == [f"file://{source}/"]


def test_the_root_folder_is_no_container(tmp_path, target):
    elsewhere = "/tmp" if str(tmp_path).startswith("/var/") else "/var/tmp"
    with tempfile.TemporaryDirectory(dir=elsewhere) as other:
        folders = [str(tmp_path), other]
        for folder in folders:
            np.full(40000, 3, "i2").tofile(f"{folder}/raw.bin")
        zarray = {"zarr_format": 2, "shape": [80000], "chunks": [40000], "dtype": "<i2", "compressor": None}
        zarray.update(filters=None, fill_value=0, order="C")
        refs = {".zgroup": {"zarr_format": 2}, "a/.zarray": zarray}
        refs.update({f"a/{i}": [f"{folder}/raw.bin", 0, 80000] for i, folder in enumerate(folders)})
        source = str(tmp_path / "source.json")
        write_references(source, {"version": 1, "refs": refs})
        gdal.MultiDimTranslate(str(target), source, format="Zarr", creationOptions=OPTIONS)
        assert sorted(list_containers(target)) == sorted(f"file://{folder}/" for folder in folders)
        assert (open_group(str(target)).OpenMDArray("a").ReadAsArray() == 3).all()


def test_a_file_that_was_changed_is_an_error(target, tiff):
    refer(target, tiff)
    later = os.stat(tiff).st_mtime + 2
    os.utime(tiff, (later, later))
    with pytest.raises(RuntimeError, match="a.tif: expected a modification not after second .* the file was changed"):
        gdal.Open(str(target)).ReadAsArray()
    unchecked = gdal.OpenEx(str(target), gdal.OF_RASTER, open_options=["IGNORE_TIMESTAMP_ETAG=YES"])
    assert (unchecked.ReadAsArray() == VALUES).all()


def test_a_file_that_was_removed_is_an_error(target, tiff):
    refer(target, tiff)
    os.remove(tiff)
    with pytest.raises(RuntimeError, match="a.tif"):
        gdal.Open(str(target)).ReadAsArray()


def test_chunks_are_changed_and_committed(target, tiff):
    """The source stays as it is."""
    with open(tiff, "rb") as f:
        before = f.read()
    refer(target, tiff)
    dataset = gdal.Open(str(target), gdal.GA_Update)
    dataset.GetRasterBand(1).WriteArray(np.full((2, 3), -1, "i2"), 50, 20)
    dataset = None
    values = gdal.Open(str(target)).ReadAsArray()
    changed = VALUES.astype("i2")
    changed[20:22, 50:53] = -1
    assert (values == changed).all()
    assert len(list_chunks(target)) == 1
    with open(tiff, "rb") as f:
        assert f.read() == before


def test_more_chunks_than_a_manifest_has(tmp_path, target):
    path = str(tmp_path / "a.tif")
    options = ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"]
    dataset = gdal.GetDriverByName("GTiff").Create(path, 16 * 300, 16 * 300, 1, gdal.GDT_Byte, options)
    row = np.arange(16 * 300) // 16 % 251
    for block in range(300):
        dataset.GetRasterBand(1).WriteArray(np.tile((row + block) % 251, (16, 1)).astype("u1"), 0, 16 * block)
    dataset = None
    refer(target, path)
    assert len(os.listdir(target / "manifests")) >= 2
    assert (gdal.Open(str(target)).ReadAsArray() == gdal.Open(path).ReadAsArray()).all()


def test_values_that_no_file_has_become_a_part_of_the_repository(tmp_path, target):
    """Coordinates that a codec of the source hides from references; the longer ones are files of the repository."""
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", np.zeros((40, 90, 130), "i2"), [1, 90, 130])
    write_v2(f"{source}/x", np.arange(8.0), [8])
    expected = open_group(source).OpenMDArray("x").ReadAsArray()
    gdal.MultiDimTranslate(str(target), source, format="Zarr", creationOptions=OPTIONS)
    assert (open_group(str(target)).OpenMDArray("x").ReadAsArray() == expected).all()


def test_another_repository_stays(target, tiff):
    refer(target, tiff)
    before = sorted(os.listdir(target / "snapshots"))
    with pytest.raises(RuntimeError, match="Icechunk repository"):
        refer(target, tiff)
    assert sorted(os.listdir(target / "snapshots")) == before
    assert (gdal.Open(str(target)).ReadAsArray() == VALUES).all()


@pytest.mark.parametrize("option", ["COMPRESS=ZSTD", "BLOCKSIZE=10,10", "APPEND_SUBDATASET=YES", "RELATIVE=YES"])
def test_options_without_a_meaning_are_refused(tmp_path, target, tiff, option):
    with pytest.raises(RuntimeError, match=f"creation option {option.split('=')[0]}: expected"):
        refer(target, tiff, option)
    assert os.listdir(tmp_path / "out") == []


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3", "KERCHUNK"])
def test_other_formats_are_not_virtual(tmp_path, target, tiff, form):
    with pytest.raises(RuntimeError, match="creation option VIRTUAL: expected"):
        gdal.Translate(str(target), tiff, format="Zarr", creationOptions=[f"FORMAT={form}", "VIRTUAL=YES"])
    assert os.listdir(tmp_path / "out") == []


def test_new_datasets_are_not_virtual(tmp_path, target):
    driver = gdal.GetDriverByName("Zarr")
    with pytest.raises(RuntimeError, match="creation option VIRTUAL: expected"):
        driver.Create(str(target), 4, 4, 1, gdal.GDT_Byte, OPTIONS)
    with pytest.raises(RuntimeError, match="creation option VIRTUAL: expected"):
        driver.CreateMultiDimensional(str(target), [], OPTIONS)
    assert os.listdir(tmp_path / "out") == []


def test_files_in_archives_are_refused(tmp_path, target, tiff):
    gdal.FileFromMemBuffer("/vsimem/inside.tif", open(tiff, "rb").read())
    with pytest.raises(RuntimeError, match="expected a file on a disk, .* to which an Icechunk repository can refer"):
        refer(target, "/vsimem/inside.tif")
    gdal.Unlink("/vsimem/inside.tif")
    assert os.listdir(tmp_path / "out") == []


def test_a_file_on_a_server(tmp_path, target, server):
    write_tiff(str(tmp_path / "b.tif"))
    refer(target, f"/vsicurl/{server.url}/b.tif")
    assert (gdal.Open(str(target)).ReadAsArray() == VALUES).all()
    assert list_containers(target) == [f"{server.url}/"]
