# SPDX-License-Identifier: MIT
"""Stores made in ZIP archives: one archive, with each name once and the content of a folder."""

import os
import zipfile

import numpy as np
import pytest
from archives import (
    CHUNKS,
    FORMATS,
    HEIGHT,
    TRANSFORM,
    WIDTH,
    check_copy,
    get_driver,
    list_files,
    list_names,
    make_source,
    make_values,
)
from errors import collect_errors
from osgeo import gdal
from plugin_in_use import run_program


def files_under(folder):
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


# --- content --------------------------------------------------------------------------------------------------------


VARIANTS = {
    "default": [],
    "chunks": CHUNKS,
    "v1_name": ["ARRAY_NAME=other"],
    "not_consolidated": ["CREATE_CONSOLIDATED_METADATA=NO"],
    "all_conventions": ["GEOREFERENCING_CONVENTION=GDAL,CF,SPATIAL_PROJ"],
    "empty_chunks": ["STORE_EMPTY_CHUNKS=YES", *CHUNKS],
}


@pytest.mark.parametrize("options", [pytest.param(o, id=n) for n, o in VARIANTS.items()])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_an_archive_holds_what_a_folder_does(tmp_path, zarr_format, options):
    values = make_values()
    values[0, :16, :32] = 0
    options = [f"FORMAT={zarr_format}", *options]
    with collect_errors() as errors:
        for name in ("test.zarr", "test.zarr.zip"):
            assert get_driver().CreateCopy(str(tmp_path / name), make_source(values), options=options) is not None
    assert [text for _, text in errors if "ARRAY_NAME=other is ignored" not in text] == []
    assert list_names(tmp_path) == ["test.zarr", "test.zarr.zip"]
    assert list_files(tmp_path / "test.zarr.zip") == files_under(tmp_path / "test.zarr")
    check_copy(str(tmp_path / "test.zarr.zip"), values)


@pytest.mark.parametrize("zarr_format", FORMATS)
@pytest.mark.parametrize("form", ["/vsizip/{}/in/a.zarr", "/vsizip/{{{}}}/in/a.zarr", 'ZARR:"/vsizip/{}/in/a.zarr"'])
def test_a_store_may_be_in_a_folder_of_an_archive(tmp_path, form, zarr_format):
    name = form.format(tmp_path / "test.zip")
    values = make_values()
    with collect_errors() as errors:
        get_driver().CreateCopy(name, make_source(values), options=[f"FORMAT={zarr_format}", *CHUNKS])
    assert errors == []
    assert len(list_files(tmp_path / "test.zip", "in/a.zarr/")) > 12
    check_copy(name, values)


def test_an_archive_may_be_in_memory():
    values = make_values()
    get_driver().CreateCopy("/vsizip//vsimem/zipped/test.zip/a.zarr", make_source(values))
    check_copy("/vsizip//vsimem/zipped/test.zip/a.zarr", values)
    check_copy("/vsizip/vsimem/zipped/test.zip/a.zarr", values)
    assert gdal.ReadDir("/vsimem/zipped") == ["test.zip"]
    gdal.Unlink("/vsimem/zipped/test.zip")


@pytest.mark.parametrize("options", [[], ["SINGLE_ARRAY=NO"], ["INTERLEAVE=PIXEL"]])
def test_zarr_python_reads_it(tmp_path, options):
    zarr = pytest.importorskip("zarr", reason="zarr-python is not installed for this Python: bash cmake/deps.sh interop")
    values = make_values()
    get_driver().CreateCopy(str(tmp_path / "test.zarr.zip"), make_source(values), options=["FORMAT=ZARR_V2", *CHUNKS, *options])
    store = zarr.storage.ZipStore(str(tmp_path / "test.zarr.zip"), mode="r")
    group = zarr.open_consolidated(store, mode="r")
    names = ["test"] if "SINGLE_ARRAY=NO" not in options else ["test_band1", "test_band2"]
    assert sorted(group) == sorted([*names, "X", "Y", "spatial_ref"])
    if len(names) == 2:
        read = np.stack([group[name][:] for name in names])
    else:
        read = group["test"][:]
    np.testing.assert_array_equal(np.moveaxis(read, -1, 0) if options == ["INTERLEAVE=PIXEL"] else read, values)
    assert group[names[0]].attrs["made_by"] == "a test"
    store.close()


def test_v1_fits_into_an_archive(tmp_path):
    values = make_values()
    get_driver().CreateCopy(str(tmp_path / "test.zarr.zip"), make_source(values), options=["FORMAT=ZARR_V1", *CHUNKS])
    files = list_files(tmp_path / "test.zarr.zip")
    assert {"meta", "attrs"} < set(files)
    check_copy(str(tmp_path / "test.zarr.zip"), values)


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_windows_may_be_written_in_any_order(tmp_path, zarr_format):
    """Parts of chunks are flushed in between, replaced later, and read before the archive is complete."""
    path = str(tmp_path / "test.zarr.zip")
    values = make_values(1)[0]
    random = np.random.default_rng(7)
    with collect_errors() as errors:
        dataset = get_driver().Create(path, WIDTH, HEIGHT, 1, gdal.GDT_UInt16, [f"FORMAT={zarr_format}", *CHUNKS])
        dataset.WriteArray(np.full((HEIGHT, WIDTH), 5000, np.uint16))
        for number, (x, y) in enumerate(random.permutation([(x, y) for x in range(0, 70, 7) for y in range(0, 50, 5)])):
            dataset.WriteArray(values[y : y + 5, x : x + 7], int(x), int(y))
            if number % 20 == 7:
                dataset.FlushCache()
                np.testing.assert_array_equal(dataset.ReadAsArray(int(x), int(y), 7, 5), values[y : y + 5, x : x + 7])
        dataset.SetGeoTransform(TRANSFORM)
        np.testing.assert_array_equal(dataset.ReadAsArray(), values)
        assert list_names(tmp_path)[0].startswith(".zarr-tmp-") and not os.path.exists(path)
        dataset = None
    assert errors == []
    assert list_names(tmp_path) == ["test.zarr.zip"]
    list_files(path)
    dataset = gdal.Open(path)
    np.testing.assert_array_equal(dataset.ReadAsArray(), values)
    assert dataset.GetGeoTransform() == TRANSFORM


def test_much_can_be_replaced_late(tmp_path):
    """The data exceed the memory for pending chunks."""
    path = str(tmp_path / "test.zarr.zip")
    size, edge = 4096, 512
    rows = np.arange(size, dtype=np.uint16)[:, None] + np.zeros(size, np.uint16)
    options = ["COMPRESS=NONE", "BLOCKSIZE=512,512"]
    dataset = get_driver().Create(path, size, size, 1, gdal.GDT_UInt16, options)
    dataset.WriteArray(rows)
    rows[: edge + 10] += 7
    dataset.WriteArray(rows[: edge + 10])
    dataset.FlushCache()
    np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, size, edge * 2), rows[: edge * 2])
    dataset = None
    assert sum(len(value) for name, value in list_files(path).items() if name.startswith("test/")) < size * size * 2 + 9999
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), rows)
    assert list_names(tmp_path) == ["test.zarr.zip"]


def test_shards_may_be_filled_in_parts(tmp_path):
    path = str(tmp_path / "test.zarr.zip")
    values = make_values(1)[0]
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=16,16", "SHARD_SHAPE=32,64"]
    dataset = get_driver().Create(path, WIDTH, HEIGHT, 1, gdal.GDT_UInt16, options)
    for y in range(0, HEIGHT, 10):
        dataset.WriteArray(values[y : y + 10], 0, y)
        dataset.FlushCache()
        np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, WIDTH, y + 10), values[: y + 10])
    dataset = None
    list_files(path)
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), values)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_overviews_are_built_while_a_store_is_made(tmp_path, zarr_format):
    paths = [str(tmp_path / name) for name in ("test.zarr", "test.zarr.zip")]
    for path in paths:
        dataset = get_driver().Create(path, WIDTH, HEIGHT, 2, gdal.GDT_UInt16, [f"FORMAT={zarr_format}", *CHUNKS])
        dataset.WriteArray(make_values())
        dataset.BuildOverviews("AVERAGE", [2, 4])
        dataset = None
    assert list_files(paths[1]) == files_under(paths[0])
    assert gdal.Open(paths[1]).GetRasterBand(1).GetOverviewCount() == 2


def test_each_band_may_have_an_array(tmp_path):
    paths = [str(tmp_path / name) for name in ("test.zarr", "test.zarr.zip")]
    for path in paths:
        get_driver().CreateCopy(path, make_source(make_values(3)), options=["SINGLE_ARRAY=NO", "FORMAT=ZARR_V3"])
    assert list_files(paths[1]) == files_under(paths[0])


def test_an_archive_may_hold_many_files(tmp_path):
    """An archive of 65,536 files or more needs the fields of ZIP64."""
    path = str(tmp_path / "test.zarr.zip")
    values = np.arange(300 * 300, dtype=np.uint16).reshape(300, 300) % 999 + 1
    dataset = get_driver().Create(path, 300, 300, 1, gdal.GDT_UInt16, ["BLOCKSIZE=1,1", "COMPRESS=NONE"])
    dataset.WriteArray(values)
    dataset = None
    assert len(list_files(path)) > 90000
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(0, 150, 300, 2), values[150:152])


# --- programs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_warping_overlapping_sources_fills_an_archive(tmp_path, zarr_format):
    left, right = make_source(make_values(1, 1)), make_source(make_values(1, 2))
    right.SetGeoTransform((500350, 10, 0, 4999800, 0, -10))
    options = {"format": "Zarr", "creationOptions": [f"FORMAT={zarr_format}", *CHUNKS]}
    with collect_errors() as errors:
        for name in ("test.zarr", "test.zarr.zip"):
            gdal.Warp(str(tmp_path / name), [left, right], **options)
    assert errors == []
    expected = gdal.Open(str(tmp_path / "test.zarr")).ReadAsArray()
    assert expected[0, 0] == make_values(1, 1)[0, 0, 0] and expected[-1, -1] == make_values(1, 2)[0, -1, -1]
    np.testing.assert_array_equal(gdal.Open(str(tmp_path / "test.zarr.zip")).ReadAsArray(), expected)
    list_files(tmp_path / "test.zarr.zip")


def test_gdal_create_makes_an_archive(tmp_path):
    path = str(tmp_path / "test.zarr.zip")
    command = ["gdal_create", "-q", "-of", "Zarr", "-outsize", "70", "50", "-burn", "7", "-a_nodata", "0"]
    run = run_program([*command, "-a_srs", "EPSG:32633", path], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert gdal.Open(path).ReadAsArray().tolist() == [[7] * 70] * 50
    list_files(path)


# --- many arrays --------------------------------------------------------------------------------------------------


def fill(root):
    root.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()).Write("first")
    root.GetAttribute("title").Write("second")
    group = root.CreateGroup("inner").CreateGroup("most")
    y = group.CreateDimension("y", "", "", 50)
    x = group.CreateDimension("x", "", "", 70)
    array = group.CreateMDArray("data", [y, x], gdal.ExtendedDataType.Create(gdal.GDT_UInt16), ["BLOCKSIZE=16,32"])
    array.WriteArray(make_values(1)[0])
    array.SetUnit("m")
    array.CreateAttribute("levels", [3], gdal.ExtendedDataType.Create(gdal.GDT_Int32)).Write([1, 2, 3])
    root.CreateMDArray("gone", [x], gdal.ExtendedDataType.Create(gdal.GDT_Byte)).Write(b"1" * 70)
    if hasattr(root, "DeleteMDArray"):
        root.DeleteMDArray("gone")
    return array


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_groups_arrays_and_attributes_are_kept(tmp_path, zarr_format):
    paths = [str(tmp_path / name) for name in ("test.zarr", "test.zarr.zip")]
    with collect_errors() as errors:
        for path in paths:
            dataset = get_driver().CreateMultiDimensional(path, [], [f"FORMAT={zarr_format}"])
            fill(dataset.GetRootGroup())
            dataset = None
    assert errors == []
    assert list_files(paths[1]) == files_under(paths[0])
    root = gdal.OpenEx(paths[1], gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.GetAttribute("title").Read() == "second"
    array = root.OpenMDArrayFromFullname("/inner/most/data")
    np.testing.assert_array_equal(array.ReadAsArray(), make_values(1)[0])
    assert array.GetUnit() == "m"


def test_arrays_may_outlive_their_dataset(tmp_path):
    """The archive is complete when the last of them is gone."""
    path = str(tmp_path / "test.zarr.zip")
    root = get_driver().CreateMultiDimensional(path).GetRootGroup()
    array = fill(root)
    root = None
    array.WriteArray(make_values(1, 9)[0])
    np.testing.assert_array_equal(array.ReadAsArray(), make_values(1, 9)[0])
    assert not os.path.exists(path)
    array = None
    assert list_names(tmp_path) == ["test.zarr.zip"]
    list_files(path)
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    np.testing.assert_array_equal(root.OpenMDArrayFromFullname("/inner/most/data").ReadAsArray(), make_values(1, 9)[0])


@pytest.mark.skipif(not hasattr(gdal.Dataset, "Close"), reason="needs GDAL 3.8 or later")
def test_closing_completes_the_archive(tmp_path):
    copy = get_driver().CreateCopy(str(tmp_path / "a.zarr.zip"), make_source(make_values()))
    copy.Close()
    list_files(tmp_path / "a.zarr.zip")
    dataset = get_driver().CreateMultiDimensional(str(tmp_path / "b.zarr.zip"))
    fill(dataset.GetRootGroup())
    dataset.Close()
    list_files(tmp_path / "b.zarr.zip")


def test_an_archive_that_is_a_store_is_replaced_as_files_are(tmp_path):
    """GDAL deletes what a driver recognises before it makes a file anew."""
    path = str(tmp_path / "test.zarr.zip")
    for number in (1, 2):
        get_driver().CreateCopy(path, make_source(make_values(number)))
        assert gdal.Open(path).RasterCount == number


def test_an_archive_that_is_no_store_is_not_replaced(tmp_path):
    path = str(tmp_path / "test.zarr.zip")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.txt", "kept")
    with pytest.raises(RuntimeError, match="the archive exists already|expected a Zarr array or group"):
        get_driver().CreateCopy(path, make_source(make_values()))
    assert list_files(path) == {"notes.txt": b"kept"}
