# SPDX-License-Identifier: MIT
"""References in an object store replace what was there as a whole, or not at all."""

import numpy as np
import pytest
from config_options import set_config_options
from memory_s3 import MemoryS3
from osgeo import gdal
from versions import GDAL_VERSION

VALUES = np.arange(64, dtype="u1").reshape(8, 8)
TARGETS = {
    "r.json": ["FORMAT=KERCHUNK"],
    "r.parq": ["FORMAT=KERCHUNK"],
    "r.icechunk": ["FORMAT=ICECHUNK", "VIRTUAL=YES"],
}
REMOVED_FIRST = ["r.json"] if GDAL_VERSION < 310 else []  # GDAL asks for it, and does not tell that it makes others
targets = pytest.mark.parametrize("name", TARGETS)
kerchunk = pytest.mark.parametrize("name", ["r.json", "r.parq"])


@pytest.fixture
def s3():
    """An object store whose references may refer to the test's files."""
    allowed = {"GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE": "YES"}
    with MemoryS3().serve() as running, running.configure(), set_config_options(allowed):
        yield running
        gdal.VSICurlClearCache()


def create(path, size, chunk, *options):
    options = ["FORMAT=ZARR_V2", f"BLOCKSIZE={chunk},{chunk}", "COMPRESS=NONE", *options]
    return gdal.GetDriverByName("Zarr").Create(path, size, size, 1, gdal.GDT_Byte, options)


def write_source(folder, values=VALUES, name="source.zarr"):
    """Writes a store with the array `a` of four chunks, which are absent without values, and `b` of many absent ones."""
    path = str(folder / name)
    dataset = create(path, 8, 4, "ARRAY_NAME=a")
    if values is not None:
        dataset.WriteArray(values)
    dataset = None
    create(path, 70, 1, "ARRAY_NAME=b", "APPEND_SUBDATASET=YES").FlushCache()
    return path


def refer(s3, name, source, **arguments):
    opened = gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER)
    return gdal.MultiDimTranslate(f"{s3.root}/{name}", opened, format="Zarr", creationOptions=TARGETS[name], **arguments)


def read(s3, name):
    gdal.VSICurlClearCache()
    return gdal.OpenEx(f"{s3.root}/{name}", gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").ReadAsArray()


def take(s3, name):
    return {key: body for key, body in s3.objects.items() if key.startswith(name)}


def stop_half_way(s3, name, source):
    """Makes references until the driver asks, after some thousand chunks, whether it is to go on."""
    with pytest.raises(RuntimeError, match="stopped"):
        refer(s3, name, source, callback=lambda *_: 0)


@targets
def test_references_that_fail_leave_nothing(s3, tmp_path, name):
    stop_half_way(s3, name, write_source(tmp_path))
    assert not take(s3, name)


@kerchunk
def test_references_that_fail_leave_the_former_ones(s3, tmp_path, name):
    source = write_source(tmp_path)
    refer(s3, name, source)
    before = take(s3, name) if name not in REMOVED_FIRST else {}
    stop_half_way(s3, name, source)
    assert take(s3, name) == before


@kerchunk
def test_references_are_replaced(s3, tmp_path, name):
    refer(s3, name, write_source(tmp_path))
    refer(s3, name, write_source(tmp_path, None, "other.zarr"))
    np.testing.assert_array_equal(read(s3, name), np.zeros_like(VALUES))


def test_references_that_cannot_be_sent_leave_the_former_ones(s3, tmp_path):
    source = write_source(tmp_path)
    refer(s3, "r.json", source)
    before = take(s3, "r.json") if "r.json" not in REMOVED_FIRST else {}
    s3.fail("PUT", "r.json")
    with pytest.raises(RuntimeError, match="r.json"):
        refer(s3, "r.json", write_source(tmp_path, VALUES + 1, "other.zarr"))
    assert take(s3, "r.json") == before


@kerchunk
def test_other_objects_are_not_replaced(s3, tmp_path, name):
    source = write_source(tmp_path)
    key = name if name.endswith("json") else f"{name}/notes.txt"
    s3._set(key, b'{"notes": 1}')
    before = take(s3, name)
    with pytest.raises(RuntimeError, match="nothing is replaced|not replaced"):
        refer(s3, name, source)
    assert take(s3, name) == before


@targets
def test_gdal_translate_replaces(s3, tmp_path, name):
    """GDAL asks the driver to delete what is there first; some versions let it wait for the new references."""
    source = str(tmp_path / "source.tif")
    for value in (1, 2):
        dataset = gdal.GetDriverByName("GTiff").Create(source, 32, 32, 1, gdal.GDT_Byte)
        dataset.GetRasterBand(1).Fill(value)
        dataset = None
        # A repository would keep its history; another store is replaced.
        options = ["FORMAT=ZARR_V3"] if value == 1 and name == "r.icechunk" else TARGETS[name]
        gdal.Translate(f"{s3.root}/{name}", source, format="Zarr", creationOptions=options)
        gdal.VSICurlClearCache()
        assert (gdal.Open(f"{s3.root}/{name}").ReadAsArray() == value).all()


@targets
def test_a_missing_folder_for_temporary_files_is_named(tmp_path, s3, name, monkeypatch):
    source = write_source(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    before = dict(s3.objects)
    with pytest.raises(RuntimeError, match="CPL_TMPDIR"):
        refer(s3, name, source)
    assert s3.objects == before
